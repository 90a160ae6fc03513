"""Finds addresses in a text in any spelling, and compares spellings.

Every pattern here has bounded pieces, so that reading is linear in the text: a long page must not cost seconds.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from html.entities import html5
from typing import Any
from urllib.parse import unquote

from autonomy.policy.policy_words import policy_words
from metrics.text.phrases import lazy_pattern

MOST_CHARS = 1_000_000
"""Of one text; what lies beyond is not read, and a longer value counts as one strange address (see `addresses_in`)."""
TOO_LONG = "(a value too long to be read)"

# RFC 3986: what may stand in a URI; Japanese right after an address therefore ends it
_URI = r"[\w\-.~:/?#\[\]@!$&'()*+,;=%|]"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,62})"
_WIDE = r"[^\x00-\x7f\u3000-\u303f\uff00-\uffef]"
"""A letter that is not Latin: hosts of such labels alone are seen where they go on with a path."""
_PATTERN = lazy_pattern(
    rf"(?P<uri>(?<![\w+.-])[a-z][a-z0-9+.-]{{1,20}}:/{{1,3}}{_URI}{{1,2000}})"
    rf"|(?P<scheme>(?<![\w+.-])(?:mailto|data|javascript|file|tel|sms|dns|news|magnet|blob|vbscript|ldap):{_URI}{{1,2000}})"
    rf"|(?P<relative>(?<![\w:/])//{_LABEL}{_URI}{{0,2000}})"
    rf"|(?P<mail>(?<![\w.+-])[\w.+-]{{1,64}}@(?!\d{{1,9}}(?![\w-]|\.\w))(?:{_LABEL}\.){{0,8}}{_LABEL})"
    rf"|(?P<v6>\[[0-9a-f:.]{{2,45}}\](?::\d{{1,5}})?(?:/{_URI}{{0,2000}})?)"
    rf"|(?P<v4>(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w.]\d)(?::\d{{1,5}})?(?:[/?#]{_URI}{{0,2000}})?)"
    rf"|(?P<local>(?<![\w.@/:-])(?:localhost(?::\d{{1,5}})?|{_LABEL}:\d{{3,5}}(?=/))(?![\w.-])(?:[/?#]{_URI}{{0,2000}})?)"
    rf"|(?P<idn>(?<![^\x00-\x7f])[^\x00-\x7f]{{1,63}}(?:\.{_LABEL}){{1,8}}(?![\w-])(?:[:/?#]{_URI}{{0,2000}})?)"
    rf"|(?P<wide>(?<![\w./-])(?<![^\x00-\x7f]){_WIDE}{{1,63}}(?:\.{_WIDE}{{1,63}}){{1,8}}/{_URI}{{1,2000}})"
    rf"|(?P<bare>(?<![\w.@/-])(?:{_LABEL}\.){{1,8}}[a-z]{{2,24}}(?![\w-])(?::\d{{1,5}})?(?:[/?#]{_URI}{{0,2000}})?)",
    re.IGNORECASE | re.ASCII,
)
INVISIBLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
"""What takes no room on a screen: the first and the last code point of each range."""
_INVISIBLE = lazy_pattern(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in INVISIBLE)}]")
_FULL_STOP = lazy_pattern(r"\u3002(?<=[A-Za-z0-9]\u3002)(?=[A-Za-z0-9])")
_SLASHES = lazy_pattern(r"(https?:)[/\\\t\r\n]{1,6}", re.IGNORECASE)
_GOES_ON = lazy_pattern(r"(?::\d{1,5})?[/?].")
_BEGINS = lazy_pattern(r"\.\S|:\S|@\S|//|\[|l(?i:ocalhost)|L(?i:ocalhost)")
"""No address is without one of these. Each begins with one character: prose is gone through for them ninety times as fast as for
addresses."""
_TRAILING = ".,;:!?'\"*_~|"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_TRAILING_OR_OPENING = _TRAILING + "".join(_PAIRS.values())


_MENTION = lazy_pattern(
    r"<(?:!(?:channel|here|everyone|subteam\^[A-Z0-9]{1,20})|@(?:[UW][A-Z0-9_]{1,20}|[!&]?\d{1,20})|users/\w{1,40})(?:\|[^<>\n]{0,80})?>"
    r"|(?<![\w@.])@(?:channel|here|everyone|all)(?![\w-])"
)
"""The markup of Slack (docs.slack.dev/messaging/formatting-message-text), Discord (`<@&80085>`, a role) and Google Chat
(`<users/all>`), and what chats take as plain words: whoever is named is told, wherever it is posted."""


def mentions_in(text: str) -> list[str]:
    """The mentions that a text would trigger when it is posted."""
    return _MENTION.findall(text[:MOST_CHARS])


def addresses_in(data: Any) -> Iterator[str]:
    """Every address in a value and all it holds, in normal form (see `normal`)."""
    stack = [data]
    while stack:
        value = stack.pop()
        match value:
            case str() if len(value) > MOST_CHARS:
                yield TOO_LONG
            case str():
                yield from _in_text(value)
            case dict():
                stack += [*value.values(), *value]
            case list() | tuple():
                stack += value
            case _:
                pass


def addresses_named(words: str) -> frozenset[str]:
    """The addresses that a person's own words name, also where the next sentence begins right after the full stop, with the page
    of each that names a place in it (`#top`), and those with letters of other alphabets (`/wiki/東京`).

    Only of words that may decide: in an argument `a.example.Evil` is another host than `a.example`.
    """
    readings = dict.fromkeys((words, _NEXT_SENTENCE.sub(". ", words[:MOST_CHARS])))  # mostly one and the same
    named = frozenset(addresses_in(list(readings)))
    # what a call holds of an address in another alphabet ends before its first letter there
    parted = (normal(part.split(address, maxsplit=1)[0]) for part in (_PLACE, _OTHER_LETTER) for address in named)
    return named.union(parted, () if words.isascii() else _going_on(words[:MOST_CHARS]))


_PLACE, _OTHER_LETTER = lazy_pattern("#"), lazy_pattern(r"(?<=/)[^\x00-\x7f]")


def _going_on(words: str) -> Iterator[str]:
    """Yield the addresses that go on in letters of another alphabet, up to each of these: where a sentence in Japanese goes on
    behind an address, nothing parts them, and the first signs of a page's name are no room for data."""
    plain = _as_read(words)
    for start, end in _places(plain):
        if "/" in (address := plain[start:end]).partition("://")[2] and (rest := _REST_OF_PATH.match(plain, end)):
            yield from (normal(f"{address}{rest[0][:length]}") for length in range(1, len(rest[0]) + 1))


_REST_OF_PATH = lazy_pattern(r"(?![\x00-\x7f])[\w\-.~/%]{1,80}")


_NEXT_SENTENCE = lazy_pattern(r"(?<=[a-z])\.(?=[A-Z][a-z]{0,15}(?:['’][a-z]{1,4})? )")


def readable(text: str) -> str:
    """A text as its reader sees it: in NFKC, and without invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def holds_unseen(text: str) -> bool:
    """Whether anything in a text takes no room on a screen: such a name only looks like another one."""
    return not text.isascii() and _INVISIBLE.search(text) is not None


_AT, _DOT = ("|".join(policy_words(part)) for part in ("at_sign_spelt", "dot_spelt"))
_AT_IN_WORDS = lazy_pattern(
    rf" ?[\[({{<] ?(?:{_AT}) ?[\])}}>] ?|(?<=\w) (?:{_AT}) (?=[\w-]{{1,63}}(?: (?:{_DOT}) [\w-]{{1,63}}){{1,8}})", re.IGNORECASE
)
_DOT_IN_WORDS = lazy_pattern(
    rf" ?[\[({{<] ?(?:{_DOT}) ?[\])}}>] ?|(?<=@)([\w-]{{1,63}}) (?:{_DOT}) (?=\w)|(?<=\w) (?:{_DOT}) (?=[a-z]{{2,24}}\b)",
    re.IGNORECASE,
)
_DISARMED = lazy_pattern(r"\bhxxp(?=s?(?:://|:))", re.IGNORECASE)
_DOTS, _SIGNS = (
    [word.replace("\\", "").lower() for part in parts for word in policy_words(part)]
    for parts in (("dot_spelt",), ("at_sign_spelt", "dot_spelt"))
)
_APART = ("hxxp", *(f" {dot} " for dot in _DOTS))
_BRACKETED = {opens: [f"{opens}{blank}{sign}" for blank in ("", " ") for sign in _SIGNS] for opens in "[({<"}
"""No address is in words without one of these: they are looked for a hundred times as fast as the words."""


def _may_be_in_words(lower: str) -> bool:
    """Whether a text in lower case has what spells out a sign."""
    signs = [*_APART, *(sign for opens, signs in _BRACKETED.items() if opens in lower for sign in signs)]
    return any(sign in lower for sign in signs)


def _spelt_in_signs(text: str) -> str:
    """`jane [at] a [dot] example` and `hxxps://a[.]example`, as whoever reads them types them."""
    if not _may_be_in_words(text.lower()):
        return text
    plain = _DOT_IN_WORDS.sub(lambda found: f"{found[1] or ''}.", _AT_IN_WORDS.sub("@", text))
    return _DISARMED.sub("http", plain)


def without_addresses(text: str, keeps: Callable[[str], bool]) -> str:
    """A person's own words, as they are read for addresses, with a blank in place of each that is not kept."""
    plain, parts, at = _as_read(_NEXT_SENTENCE.sub(". ", text)), list[str](), 0
    for start, end in _places(plain):
        parts += [plain[at:start], plain[start:end] if keeps(plain[start:end]) else " "]
        at = end
    return "".join((*parts, plain[at:]))


def _in_text(text: str) -> Iterator[str]:
    plain = _as_read(text)
    yield from (normal(plain[start:end]) for start, end in _places(plain))


def _as_read(text: str) -> str:
    plain = _spelt_in_signs(readable(_unescaped(text)))
    if not plain.isascii():
        plain = _FULL_STOP.sub(".", plain)
    if ":" in plain:
        plain = _SLASHES.sub(r"\1//", plain)
    if "\\" in plain:
        plain = _NETWORK_PATH.sub("//", plain)
    if "/" in plain or "\\" in plain:
        plain = _WITHOUT_SCHEME.sub("//", plain)
    return plain


def _places(plain: str) -> Iterator[tuple[int, int]]:
    """Where the addresses of a text stand."""
    if "." not in plain and ":" not in plain and "@" not in plain and "//" not in plain:
        return
    if not _BEGINS.search(plain):
        return
    # signs of another alphabet that look Latin make a host that nobody named, and it is told as it is written
    latin = plain.translate(_LOOK_ALIKES) if _MIXED.search(plain) else plain
    for found in _PATTERN.finditer(latin):
        if found.lastgroup in ("bare", "idn") and not _is_host(found.group()):
            continue
        yield found.span()


def _unescaped(text: str) -> str:
    """A text without the character references of HTML (`&#104;ttps&colon;`), as whoever shows it to people reads them."""
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def _referred(found: re.Match[str]) -> str:
    number, hexadecimal, name = found.groups()
    if name is not None:
        return html5.get(f"{name};", found[0])
    code = int(number) if number else int(hexadecimal, 16)
    return chr(code) if code <= sys.maxunicode and not _SURROGATES[0] <= code <= _SURROGATES[1] else found[0]


_SURROGATES = (0xD800, 0xDFFF)
"""Halves of a character, which no text may hold."""
_REFERENCE = lazy_pattern(
    r"&(?:#0{0,99}(\d{2,7})(?!\d);?|#[xX]0{0,99}([0-9A-Fa-f]{2,6})(?![0-9A-Fa-f]);?|([A-Za-z][A-Za-z0-9]{1,31});)"
)
"""A number needs no semicolon behind it, and may have zeros before it (HTML, 13.2.5.80). A name without one is left as it is,
though browsers read some of them: `&region=jp` is a part of an address more often than a sign."""
_NETWORK_PATH = lazy_pattern(r"(?<![\w:\\])\\\\(?=[A-Za-z0-9][\w.-]{0,253}\\)")
"""How Windows and browsers write `//host/`: `\\\\host\\share`."""
_WITHOUT_SCHEME = lazy_pattern(
    r"(?<![\w:/\\])[/\\][\t\r\n]{0,3}[/\\][/\\\t\r\n]{0,9}(?=[A-Za-z0-9][A-Za-z0-9-]{0,62}\.[A-Za-z0-9])"
)
"""How browsers read `///host/` and `/\\host/` (WHATWG URL, 4.4: slashes of both kinds, tabs and line breaks left out)."""
_ALIKE = dict(
    zip(
        "асеіјорԁѕԛԝхуһӏАВСЕНІЈКМОРЅТХУЗοναρτυιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aceijopdsqwxyhlABCEHIJKMOPSTXY3ovaptuiABEZHIKMNOPTYX",
        strict=True,
    )
)
_LOOK_ALIKES = str.maketrans(_ALIKE)
"""Cyrillic and Greek letters that look like Latin ones (UTS 39), which browsers and people read as such."""
_MIXED = lazy_pattern(f"[{''.join(_ALIKE)}][A-Za-z.]|[A-Za-z.][{''.join(_ALIKE)}]")


def _is_host(text: str) -> bool:
    """Whether a dotted word is a host: `notes.md` and `v1.2` are not; what begins with www, or goes on like an address, is."""
    host = re.split(r"[/?#:]", text, maxsplit=1)[0].lower()
    last = host.rpartition(".")[2]
    ends_like_a_host = last in policy_words("countries") if len(last) == 2 else last not in policy_words("file_endings")
    goes_on = ends_like_a_host and _GOES_ON.match(text, len(host)) is not None
    return host.startswith("www.") or last in policy_words("top_level") or goes_on


def normal(address: str) -> str:
    """One form for all honest spellings: without http(s), its own port, www, closing punctuation and a last slash; the host in
    lower case, and letters of other alphabets as they are read (`%E6%9D%B1` is 東).

    Everything else stays as it is, so that `a.example/p` and `a.example/p?x=1`, or `a.example` and `a.example@b.example`, differ.
    """
    text = unicodedata.normalize("NFKC", address).strip().strip("<>").rstrip(_TRAILING_OR_OPENING)
    while text and text[-1] in _PAIRS and text.count(text[-1]) > text.count(_PAIRS[text[-1]]):
        text = text[:-1].rstrip(_TRAILING_OR_OPENING)
    scheme, separator, address_part = text.partition("://")
    if separator and scheme.lower() in ("http", "https"):
        text = address_part
    elif text.startswith("//"):
        text = text[2:]
    elif text.lower().startswith("mailto:"):
        text = text[7:]
    at = min((place for mark in "/?#" if (place := text.find(mark)) >= 0), default=len(text))
    host, tail = text[:at].lower(), text[at:]
    if separator and host.endswith(port := _OWN_PORTS.get(scheme.lower(), " ")):
        host = host.removesuffix(port)
    if "%" in tail:
        tail = _LETTERS_ESCAPED.sub(_as_letters, tail)
    return host.removeprefix("www.") + (tail.rstrip("/") if "?" not in tail and "#" not in tail else tail)


def _as_letters(escaped: re.Match[str]) -> str:
    """What is escaped, if it is nothing but letters and figures: what takes no room or parts an address stays escaped."""
    letters = unquote(escaped[0], errors="replace")
    return letters if letters.isalnum() and readable(letters) == letters else escaped[0]


_LETTERS_ESCAPED = lazy_pattern(r"(?:%[89A-Fa-f][0-9A-Fa-f]){2,400}")
_OWN_PORTS = {"http": ":80", "https": ":443"}


def looks_like_address(value: str) -> bool:
    """Whether a whole value is an address: what an argument called `url` is given."""
    return next(_in_text(value), None) is not None


def is_named(address: str, known: frozenset[str]) -> bool:
    """Whether the person named this address: itself, or the host alone where it goes to a page of it without a query."""
    host, _, _ = address.partition("/")
    return address in known or (host in known and "@" not in host and not set("?#&=%") & set(address))


def is_mailbox_named(value: Any, known: frozenset[str]) -> bool:
    """Whether a value is a mailbox that the person named, however spelled: `kenta [at] a [dot] example` is `kenta@a.example`.

    The value itself must be written plainly: in other letters it only looks the same.
    """
    return isinstance(value, str) and "@" in value and readable(value) == value and value.strip().casefold() in known


def is_id_in_link(value: Any, known: frozenset[str]) -> bool:
    """Whether a value is a piece of a link that the person named: the id of its page, and of nobody who gets something."""
    return value != "" and any(str(value) in _PIECES.split(link)[1:] for link in known)


_PIECES = lazy_pattern("[/?#&=]")


def split_list(text: str) -> list[str]:
    """What a text lists (`U1, U2`), piece by piece; nothing where it is no list. A comma in quotation marks parts nothing:
    `"Sato, Kenta" <kenta@a.example>` is one."""
    pieces = [found[0].strip() for found in _PIECE.finditer(text)]
    return [piece for piece in pieces if piece] if len(pieces) > 1 else []


_PIECE = lazy_pattern(r"(?:\"[^\"\r\n]{0,100}\"|[^,;\r\n\0、；，])+")


def mailbox_of(text: str) -> str:
    """The mailbox of an addressee (`Kenta <kenta@a.example>`), whose name only its reader sees; any other text as it is."""
    found = _ADDRESSEE.fullmatch(text)
    return found[1] if found else text


_ADDRESSEE = lazy_pattern(
    r"\s{0,9}(?:\"[^\"<>@\r\n\0]{0,80}\"|[^<>@,;\"\r\n\0]{0,80})\s{0,9}<([^<>\s]{1,320}@[^<>\s]{1,320})>\s{0,9}"
)
"""A mailbox behind the name that its mail shows (RFC 5322): `Kenta <kenta@a.example>`."""
