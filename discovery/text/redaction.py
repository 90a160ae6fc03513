"""Redacts secrets in texts and data that are shown, logged or stored."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from threading import Lock
from typing import Any, TypeVar

from pydantic import BaseModel

from discovery.catalog import ToolOutput
from discovery.text.data_files import read_data
from discovery.text.near_names import name_words

MessageT = TypeVar("MessageT", bound=BaseModel)
HIDDEN = "***"
"""Replaces a secret inside a text."""
HIDDEN_VALUE = "(hidden)"
"""Replaces a whole value with a secret's name."""


# read at import, because the event loop may not wait for a file
_NAMES: Mapping[str, list[str]] = json.loads(read_data("secret_names.json"))
"""Regular expressions for parts of secrets' names."""
_SECRET_PART = re.compile("|".join(_NAMES["anywhere"]), re.IGNORECASE)
"""Matches inside a longer word, too: `ACCESSTOKEN`, `mysecret`."""
_SECRET_WORDS = re.compile(rf"\b(?:{'|'.join(_NAMES['whole_words'])})\b")
"""Matches whole words of a name, separated by blanks: `pat` does not match in `path`, nor `pass` in `bypass`."""
_ABOUT = re.compile(rf" (?:{'|'.join(_NAMES['suffixes'])})$")
_ABOUT_JA = re.compile(rf"(?:{'|'.join(_NAMES['suffixes_ja'])})$")
"""The last words of names *about* a secret: `token_env`, `secret_name`, `access_key_id`, `token_url`."""


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Whether a value of this name is secret: `api_key`, `GITHUB_PAT`, `DB_PASS`, `clientSecret`, `--token`."""
    words = " ".join(name_words(name))
    about = _ABOUT.search(words) or _ABOUT_JA.search(name)
    return not about and bool(_SECRET_PART.search(name) or _SECRET_WORDS.search(words))


TOKEN_FORMATS: Mapping[str, str] = json.loads(read_data("token_formats.json"))
"""Name → pattern of a vendor's format of secrets."""


@cache
def _tokens() -> re.Pattern[str]:
    """Return the pattern of all token formats. A token begins at the beginning of a word, or after an escape (`%22`)."""
    escaped = r"(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"
    return re.compile(rf"(?:(?<![A-Za-z0-9])|{escaped})(?:{'|'.join(TOKEN_FORMATS.values())})", re.ASCII)


_USER_INFO = re.compile(r"(?<=://)[^/?#@\s$]{0,256}:[^/?#\s$]{1,1024}(?=@)")
"""User and password of a URL; a password may contain `@` and `:`."""
_QUERY_VALUE = re.compile(r"(?<=[?&])([^=&\s]{1,128})=([^&\s\"'<>]{1,8192})")
_SCHEMES = ("bearer", "basic", "token", "apikey", "bot", "ssws", "zoho-oauthtoken")
_BEARER = re.compile(rf"\b({'|'.join(_SCHEMES)})(\s+)([A-Za-z0-9._~+/=-]{{16,}})", re.IGNORECASE)
_ASSIGNING = re.compile(r"(?<![\w.-])-{0,2}(?:env:)?([^\W\d][\w.-]{0,127})(\\{0,3}[\"']?\s{0,4}(?:=>|[=:＝：]|%3[AD])\s{0,8})")
_ASSIGNED = re.compile(
    r"[bru]?\\{1,3}\"[^\"\n\\]{1,8192}|[bru]?\"(?:[^\"\n\\]|\\[^\n]){1,8192}|[bru]?'[^'\n]{1,8192}|「[^」\n]{1,8192}|[^\s\"'&,;)}\]、。（）]{1,8192}"
)
_QUOTE = re.compile(r"[bru]?\\{0,3}[\"'「]")
_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]{0,127})>([^<\s]{1,8192})(?=</)")
_NAMED_VALUE = re.compile(
    r"(\"(?:name|key)\"\s{0,4}:\s{0,4}\"([\w.-]{1,128})\"\s{0,4},\s{0,4}\"value\"\s{0,4}:\s{0,4}\")([^\"\n]{1,8192})"
)
_LOGIN = re.compile(r"(?<=\s)((?:-u|--user)[\s=][\"']?[^\s:\"']{1,128}:)([^\s\"'$]{1,1024})")
_NETRC = re.compile(r"(\bmachine\s{1,9}\S{1,256}\s{1,9}login\s{1,9}\S{1,256}\s{1,9}password\s{1,9})(?!\*\*\*)(\S{1,1024})")
_GLUED = re.compile(r"(\b(?:mysql|mariadb)(?:dump|admin)?\b[^\n|;&]{0,256}\s-p)([^\s\"'$-][^\s\"']{3,1024})")
"""`mysql -pSECRET`: an option whose value follows without a blank."""
_TOLD = re.compile(
    r"(?<![\w.-])([^\W\d][\w.-]{0,127}(?:[ ](?i:key))?)((?:\sis|は)?[ \t(「\"']{1,3})([A-Za-z0-9+_=-][A-Za-z0-9+/_=-]{19,8192})"
)
"""`password abc…`, `API key is abc…`: without `=` or `:`, only a long, random value counts."""
_RUN = r"[A-Za-z0-9_.~+/=-]"
_WRAPPED = re.compile(rf"(?<!{_RUN}){_RUN}{{6,1024}}(?:\\?\r?\n[ \t]{{0,16}}{_RUN}{{8,1024}}){{1,8}}")
_REST = re.compile(rf"(?<=\*\*\*)\\?\r?\n[ \t]{{0,16}}({_RUN}{{16,1024}})")
_PLACEHOLDER = re.compile(r"^[\"']?(?:\$|\*\*\*|\(hidden)")


def redact(text: str) -> str:
    """Redact known token formats, passwords in URLs, and values after a secret's name."""
    text = _USER_INFO.sub(HIDDEN, text)
    text = _tokens().sub(HIDDEN, text)
    if "\n" in text:
        text = _WRAPPED.sub(_joined, text)
        text = _REST.sub(lambda found: "" if _is_drawn(found[1]) else found[0], text)
    text = _QUERY_VALUE.sub(_query_value, text)
    text = _BEARER.sub(lambda found: f"{found[1]}{found[2]}{HIDDEN}" if _looks_random(found[3]) else found[0], text)
    text = _ELEMENT.sub(lambda found: f"<{found[1]}>{HIDDEN}" if is_secret_name(found[1]) else found[0], text)
    text = _NAMED_VALUE.sub(_named_value, text)
    text = _GLUED.sub(rf"\1{HIDDEN}", _LOGIN.sub(rf"\1{HIDDEN}", _NETRC.sub(rf"\1{HIDDEN}", text)))
    return _TOLD.sub(_replacement, _without_assigned(text))


def _joined(found: re.Match[str]) -> str:
    """Redact a token that is broken over several lines."""
    return HIDDEN if _tokens().search(re.sub(r"[\\=]?\r?\n[ \t]*", "", found[0])) else found[0]


def _named_value(found: re.Match[str]) -> str:
    secret = is_secret_name(found[2]) and not _PLACEHOLDER.match(found[3])
    return f"{found[1]}{HIDDEN}" if secret else found[0]


def _replacement(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    return f"{name}{between}{HIDDEN}" if is_secret_name(name) and _is_drawn(value) else found[0]


def _is_drawn(text: str) -> bool:
    """Whether a text looks random, and not like a word or a path."""
    kinds = (any(map(str.isdigit, text)), any(map(str.islower, text)), any(map(str.isupper, text)))
    return all(kinds) if "/" in text or "." in text else kinds[0] and any(kinds[1:])


def _is_secret_key(name: str) -> bool:
    """Whether a query parameter is secret: also `sig` of signed URLs, and `key` of older APIs of Google."""
    return is_secret_name(name) or name in ("sig", "key")


def _query_value(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if _is_secret_key(found[1]) and not _PLACEHOLDER.match(found[2]) else found[0]


def _without_assigned(text: str) -> str:
    """Redact the value in `NAME=value` if the name is a secret's.

    Other values are searched again, because they may contain such a pair, as in `the server said: NAME=value`.
    """
    shown, done, at = list[str](), 0, 0
    while found := _ASSIGNING.search(text, at):
        at = found.end()
        secret = is_secret_name(found[1])
        value = _ASSIGNED.match(text, at) if secret or (found[1].endswith(_KEY) and _is_drawn_key(text, at)) else None
        if value and _is_given(found[2], value[0]):
            quote = quoted[0] if (quoted := _QUOTE.match(value[0])) else ""
            shown += (text[done:at], quote, HIDDEN)
            done = at = value.end()
    return "".join((*shown, text[done:]))


def _is_drawn_key(text: str, at: int) -> bool:
    """Whether the value of `SOMETHING_KEY` at this position looks random, unlike a name as in `SORT_KEY=created_at`."""
    value = _ASSIGNED.match(text, at, at + _ENOUGH_OF_A_KEY)
    return value is not None and len(value[0]) >= _LEAST_OF_A_KEY and _is_drawn(value[0])


_KEY, _LEAST_OF_A_KEY, _ENOUGH_OF_A_KEY = "_KEY", 24, 256
"""Only so many characters of a value are examined, because each of thousands of pairs in a row seems to contain all the
others."""


def _is_given(between: str, value: str) -> bool:
    """Whether a text after a secret's name is its value. After a colon, as in "token: expired", an unquoted word is not."""
    bare = _QUOTE.sub("", value, count=1) if _QUOTE.match(value) else value
    plain = any(sign in between for sign in ":：") and bare == value and bare.isalpha()
    # the next line is mostly something else
    if "\n" in between and not (len(bare) >= _LEAST_BELOW and _is_drawn(bare)):
        return False
    if _PLACEHOLDER.match(value) or plain or bare in ("None", "null", "true", "false"):
        return False
    if "://" in value:  # its password is redacted already, and the rest is useful
        return False
    if bare.isdigit() and len(bare) < 6:  # a number, as in "tokens: 512"
        return False
    return bare.lower() not in _SCHEMES  # the value after a scheme is redacted by `_BEARER`


_LEAST_BELOW = 16
"""The least characters of a value in the line below its name."""


def _looks_random(text: str) -> bool:
    return any(one.isdigit() for one in text) or (text != text.lower() and text != text.title())


def redact_arguments(arguments: "list[str] | tuple[str, ...]") -> list[str]:
    """Redact a command line: values of options with a secret's name, such as `--token`, and whatever `redact` recognises."""
    shown = ((argument, _secret_of(before, argument)) for before, argument in zip(("", *arguments), arguments, strict=False))
    return [
        f"{redact_address(argument.removesuffix(secret))}{HIDDEN_VALUE}"
        if secret is not None and "$" not in secret
        else redact_address(argument)
        for argument, secret in shown
    ]


def _secret_of(before: str, argument: str) -> str | None:
    """Return the part of an argument that is secret by its name: the text after `=`, or all of it after an option; else None."""
    option, equals, value = argument.partition("=")
    if equals and is_secret_name(option):
        return value
    return argument if before.startswith("-") and "=" not in before and is_secret_name(before) else None


def secrets_in_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the secrets that `redact_arguments` redacts: values of options such as `--token`, passwords in URLs, tokens."""
    for before, argument in zip(("", *arguments), arguments, strict=False):
        if (secret := _secret_of(before, argument)) is not None:
            yield secret
        yield from (found.partition(":")[2] for found in _USER_INFO.findall(argument))
        yield from (value for name, value in _QUERY_VALUE.findall(argument) if _is_secret_key(name))
        yield from (found[0] for found in _tokens().finditer(argument))


def redact_address(text: str) -> str:
    """Redact a text; of a URL also all values of its query."""
    if "://" in text:
        text = _USER_INFO.sub(HIDDEN_VALUE, text)
        text = re.sub(r"(?<=[?&])([^=&]+)=[^&$]+", rf"\1={HIDDEN_VALUE}", text)
    return redact(text)


def redact_data(data: Any, name: str = "") -> Any:
    """Redact secrets in data, by the names of values and in texts. Numbers and booleans stay."""
    match data:
        case dict() if name.lower() in ("env", "headers"):  # any of these values may be secret
            return {
                key: _hidden(value) if isinstance(value, str) else redact_data(value, str(key)) for key, value in data.items()
            }
        case {"name": str(called), "value": str(value)} if is_secret_name(called):
            return {**data, "value": _hidden(value)}
        case dict():
            return {key: redact_data(value, str(key)) for key, value in data.items()}
        case list() | tuple() if all(isinstance(one, str) for one in data) and not is_secret_name(name):
            return redact_arguments(data)
        case list() | tuple():
            return [redact_data(one, name) for one in data]
        case str() if is_secret_name(name):
            return _hidden(data)
        case str():
            return redact(data)
        case _:
            return data


def _hidden(value: str) -> str:
    """Redact a value, unless it is a placeholder."""
    return value if not value or _PLACEHOLDER.match(value) else HIDDEN_VALUE


SHORTEST = 8
"""Shorter values are not redacted, because they may occur in ordinary text."""


Values = Callable[[], Iterable[str]]
"""Returns values to redact. It is called when the first text comes, so that whoever starts thirty servers need not search their
entries for secrets first."""


class Redaction:
    """Redacts given values wherever they occur."""

    def __init__(self, values: Values = tuple) -> None:
        self._given = values

    @cached_property
    def _values(self) -> list[str]:
        return sorted({value for value in self._given() if len(value) >= SHORTEST}, key=len, reverse=True)

    @classmethod
    def of_secrets(
        cls, environment: Mapping[str, str], arguments: Sequence[str] = (), secrets: Sequence[str] = ()
    ) -> "Redaction":
        """Redact the values of variables and headers with a secret's name, the secrets of a command line, and other `secrets`.

        Other values, such as paths, may occur in a server's answers and stay.
        """

        def values() -> list[str]:
            named = [value for name, value in environment.items() if is_secret_name(name)]
            bare = (value.removeprefix("Bearer ") for value in named)
            return [*named, *bare, *secrets_in_arguments(arguments), *secrets]

        return cls(values)

    @property
    def values(self) -> tuple[str, ...]:
        """The values, longest first."""
        return tuple(self._values)

    def text(self, text: str) -> str:
        """Redact a text."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return text

    def output(self, output: ToolOutput) -> ToolOutput:
        """Redact a tool's answer."""
        if not self._values:
            return output
        parts = tuple(part.model_copy(update={"data": self.text(part.data), "uri": self.text(part.uri)}) for part in output.parts)
        fields = {
            "text": self.text(output.text),
            "whole": self.text(output.whole),
            "structured": self.data(output.structured),
            "parts": parts,
        }
        return output.model_copy(
            update={**fields, "meta": self.data(output.meta), "blocks": tuple(map(self.data, output.blocks))}
        )

    def message(self, message: MessageT) -> MessageT:
        """Redact a message of the protocol."""
        if not self._values:
            return message
        data = self.data(message.model_dump(mode="json", by_alias=True, exclude_none=True))
        return type(message).model_validate(data, by_name=False)

    def data(self, data: Any) -> Any:
        """Redact JSON data."""
        match data:
            case str():
                return self.text(data)
            case dict():
                return {self.text(name): self.data(value) for name, value in data.items()}
            case list():
                return [self.data(value) for value in data]
            case _:
                return data


class ProcessSecrets:
    """The secrets that servers of this process were given, for redacting the process's log. There is one: `PROCESS_SECRETS`."""

    def __init__(self) -> None:
        self._values: tuple[str, ...] = ()
        self._redaction = Redaction()
        self._added = list[Values]()
        self._taking = Lock()

    def add(self, values: Values) -> None:
        """Redact these values, too; beyond `MOST_SECRETS`, those that were added longest ago are dropped."""
        with self._taking:
            self._added.append(values)
        if len(self._added) > MOST_SECRETS:  # nothing was logged since
            self._take_in()

    def redact(self, text: str) -> str:
        """Redact these values in a text, and whatever `redact` recognises."""
        self._take_in()
        return redact(self._redaction.text(text))

    def _take_in(self) -> None:
        with self._taking:
            if not self._added:
                return
            known = dict.fromkeys(self._values)
            for values in self._added:
                added = dict.fromkeys(values())
                known = {value: None for value in known if value not in added} | added
            self._added.clear()
            self._values = taken = tuple(known)[-MOST_SECRETS:]
            self._redaction = Redaction(lambda: taken)


MOST_SECRETS = 1_000
"""Each restart of a server may bring new ones."""
PROCESS_SECRETS = ProcessSecrets()
