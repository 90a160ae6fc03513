"""Checks that what was sent went to the one whom the goal names, and not to a namesake."""

import re
from collections.abc import Iterator

from autonomy.completion.rules.case import Case
from autonomy.completion.rules.ordered_actions import RECIPIENTS
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.read_evidence import Mailbox
from autonomy.provenance.sources.tabular.tables import without_blanks
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")


def no_namesake(case: Case) -> Iterator[tuple[str, str]]:
    """Where what was read gives the one whom a free goal names a mailbox, no write went to that of somebody of the same family or
    first name instead."""
    if case.declares_needs or not case.evidence.writes:
        return
    goal, mailboxes = fold(unquoted(case.goal)), case.evidence.sources.mailboxes()
    written = [leaf for record in case.evidence.writes for leaf in leaves(record.arguments)]
    taken = {fold(str(leaf.value)) for leaf in written if "@" in str(leaf.value) or leaf.key.lower() in RECIPIENTS}
    for other in mailboxes:
        if other.address not in taken:
            continue
        namesakes = [one for one in mailboxes if one.owner != other.owner and one.names & other.names]
        meant = next((one for one in namesakes if one.address not in taken and _is_meant(one, other, goal)), None)
        if meant and not any(_is_meant(other, one, goal) for one in namesakes):
            yield meant.address, f"the goal names {_shown(meant)}, and it went to {_shown(other)}"


def _shown(mailbox: Mailbox) -> str:
    return f"{mailbox.owner} <{mailbox.address}>"


def _is_meant(one: Mailbox, beside: Mailbox, goal: str) -> bool:
    """Whether a goal names somebody in full, or by a name that both have and by what only that row says: 経理部の田中さん."""
    places = (found for name in {one.owner, without_blanks(one.owner)} for found in re.finditer(re.escape(name), goal))
    if any(not _PHRASES["somebody_elses_behind"].match(goal[found.end() :]) for found in places):
        return True
    shared = any(len(name) > 1 and name in goal for name in one.names & beside.names)
    told = set(_WORD.findall(one.beside.replace(one.address, " "))) - set(_WORD.findall(beside.beside)) - set(one.owner.split())
    return shared and any(_stands(word, goal) for word in told)


_WORD = re.compile(r"[a-z]{3,40}|[\u3400-\u9fff々]{2,20}|[\u30a1-\u30fc]{2,20}")


def _stands(word: str, goal: str) -> bool:
    return bool(re.search(rf"\b{word}\b", goal)) if word.isascii() else word in goal
