"""Normalises error reasons so that equal causes group together.

Both "channel 'C0AB12' not found (request 7f3a01)" and "channel \"C0ZZ99\" not found (request 19bc22)" become
"channel '…' not found (request …)".
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from metrics.text.phrases import lazy_pattern

GAP = "…"

LONGEST = 120
"""Characters of a reason that are compared; what follows is detail."""
LOOKED_AT = 10 * LONGEST
"""Characters of a reason in which values are looked for. A server's error may be a whole page, over which that takes minutes."""

_VALUES = lazy_pattern(
    r"""
      (?P<link> \b[a-z][a-z0-9+.-]*://[^\s'"<>）」]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+ )
    | (?P<item> (?<=\w) \[\d+\] )
    | (?P<data> (?<!\w) [\[{] [^\[\]{}]* [\]}] )
    | (?P<path> (?<![\w.]) (?: ~ | \.{1,2} | [A-Za-z]: )? (?: [/\\] [\w.@%+-]+ ){2,} [/\\]? )
    | (?P<quoted> '[^'\n]*' (?!\w) | "[^"\n]*" | “[^”\n]*” | ‘[^’\n]*’ | 「[^」\n]*」 | 『[^』\n]*』 | `[^`\n]*` )
    | (?P<when> \d{1,4} [-/:.年月日時分] \d{1,2} (?: [-/:.年月日時分秒T\s]* \d{1,9} )* (?: Z | [+-]\d\d:?\d\d )? [日時分秒]? )
    | (?P<id> (?<![A-Za-z0-9]) [\#@]? (?= [\w-]* \d ) (?= [\w-]* [A-Za-z] ) [A-Za-z0-9]+ (?: [_-] [A-Za-z0-9]+ )* (?![A-Za-z0-9]) )
    | (?P<number> [-+−]? \d+ (?: [.,] \d+ )* )
    """,
    re.VERBOSE,
)
_TELLING = re.compile(
    r"[a-z]+(?:_[a-z]+)*_?(?:not|invalid|missing|denied|failed|limit|limited|expired|required|unknown|exceeded|timeout|error)(?:_[a-z]+)*"
)
"""A quoted word that names the error, such as channel_not_found or ratelimited, and is therefore kept."""
_CODE = re.compile(r"(?:HTTP|status(?: code)?|error(?: code)?|code|exit code)[ :=/]*$", re.IGNORECASE)
_GAPS = re.compile(rf"{GAP}(?:[\s,、/.:;×x-]*{GAP})+")
_PLACE = re.compile(r"\[\d*\]|\.\d+(?=\.|$)")


@lru_cache(4096)
def template(reason: str) -> str:
    """Replace the values of a reason (quotes, numbers, ids, times, addresses, paths, data) by `…`. Error codes stay."""
    text = re.sub(r"\s+", " ", reason[:LOOKED_AT]).strip()
    text = _VALUES.sub(lambda found: _shown(found, text), text)
    text = _GAPS.sub(GAP, text).rstrip(" .。!！")
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + GAP


def _shown(found: re.Match[str], text: str) -> str:
    value, kind = found.group(), found.lastgroup
    if kind == "quoted":
        inner = value[1:-1] if _TELLING.fullmatch(value[1:-1]) else GAP
        return f"「{inner}」" if value[0] in "「『" else f"'{inner}'"
    if kind == "item":
        return "[]"
    if kind == "number" and _is_code(value, text[: found.start()], text[found.end() :]):
        return value
    return value if kind == "id" and _is_word(value) else GAP


def _is_code(number: str, before: str, after: str) -> bool:
    """Whether a number is an exit or status code, which says which error it is."""
    names_status = _CODE.search(before) or (number[0] in "45" and re.match(r" [A-Z]", after))
    return number.isdigit() and len(number) <= 3 and bool(names_status)


def _is_word(value: str) -> bool:
    """Whether letters and digits look like a common word (utf8, ipv4, oauth2, gpt-5) rather than an id."""
    return re.fullmatch(r"[A-Za-z]{2,12}-?\d(?:\.\d)?", value) is not None and not value.isupper()


def place(argument: str) -> str:
    """Return the path of an argument without list indices: `rows[3].name` and `rows.4.name` become `rows[].name`."""
    return _PLACE.sub("[]", argument)


LISTED: Mapping[str, str] = {
    "invalid_arguments": ", ", "unknown_arguments": ", ", "not_completed": "; ", "provider_unavailable": "; (?=unavailable: )",
}  # fmt: skip
"""The kinds of causes whose detail is a list → the pattern between its parts. Each part is a cause of its own."""

FREE = frozenset({"not_completed", "provider_unavailable", "not_recovered", "model_failed"})
"""The kinds of causes whose detail is free text."""


def parts(kind: str, detail: str) -> Mapping[str, str]:
    """Return the causes that the detail of a loss names: the text without values, by which they are grouped → the text itself."""
    listed = re.split(LISTED[kind], detail) if kind in LISTED else [detail]
    form = template if kind in FREE else place if kind.endswith("_arguments") else str
    return {form(part): part for part in reversed(listed) if part} or {"": ""}
