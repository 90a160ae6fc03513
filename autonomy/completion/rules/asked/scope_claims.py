"""Checks what an answer tells of all there are, or of all others, against what was visited."""

import re
from collections.abc import Iterator

from autonomy.completion.evidence import is_narrow
from autonomy.completion.rules.case import Case
from autonomy.provenance.coverage import Coverage, coverage_of
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.leaves import leaves
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_UNREAD = _PHRASES["tells_it_unread"]
_SCOPES = (
    (_PHRASES["scope_of_channel"], ("channel",)),
    (_PHRASES["scope_of_post"], ("post", "page", "article", "document")),
    (_PHRASES["scope_of_file"], ("file", "folder", "path", "dir")),
    (_PHRASES["scope_of_person"], ("user", "employee", "member", "person")),
)
"""How an answer speaks of all members of a listing, with how the arguments are called by which these are visited."""


def all_were_visited(case: Case) -> Iterator[tuple[str, str]]:
    """What is told of all others, or of all that a listing names, was looked up at each of them."""
    if case.declares_needs or _PHRASES["tells_of_a_part"].search(case.answer):
        return
    listings = [listing for listing in coverage_of(case.views) if listing.missing]
    for sentence in case.attribution(case.answer).sentences if listings else ():
        for listing in listings:
            claim = next(filter(None, (scope.search(sentence.text) for scope in _scopes_of(listing))), None)
            if claim is None or sentence.units or _UNREAD.search(sentence.text) or _was_asked_of_all(listing, case):
                continue
            names = dict(listing.names)
            left = [names.get(one) or one for one in listing.missing]
            yield (
                claim.group(),
                f"you say {claim.group()!r}, and {', '.join(left[:4])} was not read: read it, or say of what it holds",
            )
            return


def _scopes_of(listing: Coverage) -> Iterator[re.Pattern[str]]:
    kind = listing.kind.lower()
    return (scope for scope, words in _SCOPES if any(word in kind for word in words))


def _was_asked_of_all(listing: Coverage, case: Case) -> bool:
    """Whether another read asked all members at once: a search that names none of them."""
    members = {*listing.listed, *(name for _, name in listing.names)}
    return any(_looks_everywhere(record, members) for record in case.evidence.reads)


def _looks_everywhere(record: CallRecord, members: set[str]) -> bool:
    values = list(leaves(record.arguments))
    by_place = any(attribute_kind(leaf.key) == "place" or str(leaf.value) in members for leaf in values)
    return not by_place and (is_narrow(record) or "search" in record.tool.lower())
