"""Finds what a person pasted into a request: quoted mails, logs and pages by somebody else."""

import re
from collections.abc import Iterator
from functools import lru_cache

from autonomy.policy.policy_words import any_stands
from metrics.text.phrases import patterns_of

FEWEST_LINES = 5
"""Lines behind a colon that are no list: a text that was pasted, and not the person's own steps."""
FEWEST_CHARS = 300
_MOST_LINES = 100
"""Lines that are looked at to tell what a text is."""
_LONGEST_ENTRY = 80
"""Characters of a line in a list of people or addresses."""
_MOST_WORDS = 4

_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_QUOTED = re.compile(r"\s{0,3}[>＞]")
_PHRASES = patterns_of("autonomy.policy")
_FORWARDED = _PHRASES["heads_forwarded"]
_HEADER = _PHRASES["mail_header"]
_INCOMING = frozenset({"from", "sent", "date", "差出人", "送信者", "送信日時"})
"""Headers that somebody who dictates a mail does not write."""
_SENDERS = frozenset({"from", "差出人", "送信者"})
_LISTED = re.compile(r"\s{0,8}(?:[-*+•・]|\d{1,3}[.)．、]|[①-⑳]|\[[ x]\])")
_BETWEEN = re.compile(r"[\s<>()\[\]\"'、。,;|]+")
_IN_BRACKETS = re.compile(r"<([^<>\s]{3,200})>")


@lru_cache(maxsize=256)
def pasted_blocks(words: str) -> tuple[str, ...]:
    """The passages of a request that stand in a fence, behind quotation marks or headers of a mail, or as a long text behind a
    colon. A list of steps is the person's own."""
    return tuple(text for text, pasted in _passages(words) if pasted)


@lru_cache(maxsize=256)
def own_words(words: str) -> str:
    """A request without what was pasted into it; an address there that the person's own words point at stays."""
    passages = list(_passages(words))
    own_text = "\n".join(text for text, pasted in passages if not pasted)
    points, replies = any_stands("pointing", own_text), any_stands("replying", own_text)
    kept_passages = (" ".join(_pointed_at(text, points=points, replies=replies)) if pasted else text for text, pasted in passages)
    return "\n".join(kept_passages)


def _passages(words: str) -> Iterator[tuple[str, bool]]:
    """The request in pieces, each with whether it was pasted."""
    lines, at, own_lines = words.splitlines(), 0, list[str]()
    while at < len(lines):
        end = _end_of_pasted(lines, at)
        if end == at:
            own_lines.append(lines[at])
            at += 1
            continue
        if own_lines:
            yield "\n".join(own_lines), False
        own_lines = []
        yield "\n".join(lines[at:end]), True
        at = end
    if own_lines:
        yield "\n".join(own_lines), False


def _end_of_pasted(lines: list[str], at: int) -> int:
    """The line behind the pasted passage that begins here; the same line where none does."""
    if _FENCE.match(lines[at]):
        closing = (number + 1 for number in range(at + 1, len(lines)) if _FENCE.match(lines[number]))
        return next(closing, len(lines))
    if _QUOTED.match(lines[at]):
        return next((number for number in range(at, len(lines)) if not _QUOTED.match(lines[number])), len(lines))
    if _FORWARDED.fullmatch(lines[at][:200].strip()) or _begins_mail(lines, at) or _begins_long_text(lines, at):
        return len(lines)
    return at


def _begins_mail(lines: list[str], at: int) -> bool:
    names = []
    for line in lines[at : at + 8]:
        if (header := _HEADER.match(line[:200])) is None:
            break
        names.append(header["name"].lower())
    return len(names) > 1 and not _INCOMING.isdisjoint(names)


def _begins_long_text(lines: list[str], at: int) -> bool:
    above = next((line for line in reversed(lines[max(0, at - 3) : at]) if line.strip()), "")
    if not above.rstrip().endswith((":", "：")):
        return False
    filled_lines = [line for line in lines[at : at + _MOST_LINES] if line.strip()]
    long = len(filled_lines) >= FEWEST_LINES and sum(map(len, filled_lines)) >= FEWEST_CHARS
    return long and bool(lines[at].strip()) and 2 * sum(bool(_LISTED.match(line)) for line in filled_lines) < len(filled_lines)


def _pointed_at(block: str, *, points: bool, replies: bool) -> list[str]:
    """The values in a pasted passage that the person's own words point at: a list of people or addresses, its only address, or
    its sender."""
    if not points and not replies:
        return []
    lines = [line.lstrip(" \t>＞`~").rstrip() for line in block.splitlines()]
    lines = [line for line in lines if line]
    if points:
        if all(len(line) <= _LONGEST_ENTRY and len(line.split()) <= _MOST_WORDS and any(_addresses_in(line)) for line in lines):
            return lines
        found = _addresses(block)
        if len(found) == 1:
            return [*found.values()]
    if replies:
        headers = [(line, header) for line in lines if (header := _HEADER.match(line[:200]))]
        sender = next((line[header.end() :] for line, header in headers if header["name"].lower() in _SENDERS), "")
        found = _addresses(" ".join(_IN_BRACKETS.findall(sender)) or sender)
        if len(found) == 1:
            return [*found.values()]
    return []


def _addresses(text: str) -> dict[str, str]:
    """The addresses of a text as they are written, by their normal form."""
    return {address: piece for piece in _BETWEEN.split(text.replace("：", ":")) for address in _addresses_in(piece)}


def _addresses_in(text: str) -> Iterator[str]:
    from autonomy.policy.texts.addresses import addresses_in  # whose patterns no command needs that only lists runs

    return addresses_in(text)
