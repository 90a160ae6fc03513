"""Counts listed items and visited items, from the calls alone."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from autonomy.provenance.sources.leaves import MOST_LEAVES, ResultContent, leaves, parsed
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from discovery.catalog import Effect, JsonObject
from metrics.text.phrases import patterns_of


class CallView(NamedTuple):
    """One call as coverage sees it."""

    tool: str
    arguments: JsonObject
    result: ResultContent
    effect: Effect = Effect.READ
    is_error: bool = False
    truncated: bool = False
    """Whether the run itself cut the result before the model saw it."""


class Coverage(NamedTuple):
    """The listed and the visited items of one kind."""

    kind: str
    """The argument by which its members are visited, e.g. `channel_id`."""
    listed: tuple[str, ...]
    """Their ids, in the order of the listing."""
    visited: tuple[str, ...]
    failed: tuple[str, ...]
    """Visited, and only errors came back."""
    unread: tuple[str, ...]
    """Visited, with pages or parts left unread."""
    names: tuple[tuple[str, str], ...]
    """Pairs of id and name, as the listing shows them."""
    open_listing: bool
    """Whether the listing itself has further pages, so that nobody knows how many there are."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Listed, and not read to the end."""
        done = set(self.visited) - set(self.failed) - set(self.unread)
        return tuple(member for member in self.listed if member not in done)


class _Listing(NamedTuple):
    at: int
    members: dict[str, str]


def coverage_of(calls: Sequence[CallView]) -> tuple[Coverage, ...]:
    """One entry for each listing whose members another read visits by id.

    A member counts as visited when another read takes its id, or its name, as an argument. Before the listing that read may have
    had it from elsewhere; a number alone, which may be a page or a limit, counts only after it.
    """
    reads = [(at, call) for at, call in enumerate(calls) if call.effect is Effect.READ]
    listings = [listing for at, call in reads if not call.is_error for listing in _listings(at, call)]
    open_reads = _open_reads(calls)
    visits: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for listing in listings:
        for at, call in reads:
            for argument, member in _visited(call, listing, numbers=at > listing.at) if at != listing.at else ():
                visits[argument, calls[listing.at].tool].append((at, member))
    return tuple(_counted(calls, listings, open_reads, key, found) for key, found in visits.items())


def unread_calls(calls: Sequence[CallView]) -> tuple[int, ...]:
    """The reads whose further pages nobody fetched, or whose result was cut, by position."""
    return tuple(sorted(_open_reads(calls)))


def totals_not_listed(calls: Sequence[CallView]) -> Iterator[tuple[int, int]]:
    """Totals that reads give with fewer items than that in all calls of the tool, each with how many were listed."""
    words = _paging_keys()
    for tool in dict.fromkeys(call.tool for call in calls if call.effect is Effect.READ and not call.is_error):
        results = [call.result for call in calls if call.tool == tool and not call.is_error]
        spans = [span for result in results for span in _spans_shown(result.data)]
        objects = [list(_paged_objects(result.data)) for result in results]
        found = [one for own in objects for one in own]
        totals = {value for one in found for name, value in one.items() if name.lower() in words["total"] and type(value) is int}
        totals |= {total for *_, total in spans}
        listed = sum(_longest_list(own) for own in objects) or sum(last - first + 1 for first, last, _ in spans)
        if len(totals) == 1 and 0 < listed < (total := totals.pop()):
            yield total, listed


def filled_pages(calls: Sequence[CallView]) -> Iterator[tuple[int, int]]:
    """The reads whose list has just as many items as they asked for at most, where nothing says how many there are and no other
    call goes on: by position, each with that number."""
    words = _paging_keys()
    for at, call in enumerate(calls):
        asked = [value for name, value in call.arguments.items() if name.lower() in words["size"] and type(value) is int]
        if call.effect is not Effect.READ or call.is_error or len(asked) != 1 or asked[0] < 1:
            continue
        objects = list(_paged_objects(call.result.data))
        names = {name.lower() for one in objects for name in one} - words["size"]
        says_how_far = not names.isdisjoint(words["total"] | words["more"] | words["cursor"] | words["pages"])
        goes_on = any(other.tool == call.tool and _same_but_page(call.arguments, other.arguments) for other in calls)
        listed = len(call.result.data) if isinstance(call.result.data, list) else _longest_list(objects)
        if listed == asked[0] and not says_how_far and not goes_on:
            yield at, listed


def _paged_objects(data: Any) -> Iterator[JsonObject]:
    """A result, and the objects in it where servers say how far it goes, at most two deep."""
    names = _paging_keys()["paging"]
    inner = [data] if isinstance(data, dict) else []
    for _ in range(3):
        yield from inner
        inner = [value for one in inner for name, value in one.items() if name.lower() in names and isinstance(value, dict)]


def _longest_list(objects: Sequence[JsonObject]) -> int:
    return max((len(value) for one in objects for value in one.values() if isinstance(value, list)), default=0)


def _spans_shown(data: Any) -> Iterator[tuple[int, int, int]]:
    """The first and last item that a text says it shows, of how many: `1-4 of 34`, showing 10 of 12, 12件中1〜10件."""
    texts = data.values() if isinstance(data, dict) else [data]
    for text in filter(None, (one for one in texts if isinstance(one, str))):
        lines = {*text[:NEAR_THE_END].splitlines()[:2], *text[-NEAR_THE_END:].splitlines()[-2:]}
        matches = (pattern.fullmatch(line.strip("()（）*_.。 ")) for line in lines for pattern in _SHOWING)
        yield from ((int(match["first"] or 1), int(match["last"]), int(match["total"])) for match in matches if match)


_LAST = r"(?P<last>\d{1,6})"
_OF = r"(?:\s[a-z]{1,20})?\s?(?:of|out of|/)\s?(?:about\s)?(?P<total>\d{1,9})(?:\s[a-z]{1,20}){0,2}"
_RANGE = rf"(?P<first>\d{{1,6}})\s?[-–~〜～]\s?{_LAST}"
_SHOWING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:[a-z]{{1,12}}:?\s){{0,2}}{_RANGE}{_OF}",
        rf"(?:showing|displaying|returned|listing|listed|found)(?:\sthe first)?\s(?P<first>(?!))?{_LAST}{_OF}",
        rf"全?(?P<total>\d{{1,9}})\s?[件個本通行名]\s?(?:中|のうち)[、の]?\s?(?:(?P<first>\d{{1,6}})\s?[-–~〜～]\s?)?{_LAST}"
        r"\s?[件個本通行名](?:目)?(?:を?(?:表示|取得))?(?:しました|しています|中)?",
    )
)
"""How servers say how far a text goes."""


def _counted(
    calls: Sequence[CallView],
    listings: Sequence[_Listing],
    open_reads: frozenset[int],
    key: tuple[str, str],
    found: Sequence[tuple[int, str]],
) -> Coverage:
    argument, tool = key
    own = [listing for listing in listings if calls[listing.at].tool == tool]
    own = [listing for listing in own if any(member in listing.members for _, member in found)]
    members = {member: name for listing in own for member, name in listing.members.items()}
    visited = tuple(dict.fromkeys(member for _, member in found))
    by_member: dict[str, list[int]] = defaultdict(list)
    for at, member in found:
        by_member[member].append(at)
    return Coverage(
        argument,
        tuple(members),
        visited,
        tuple(member for member, places in by_member.items() if all(calls[at].is_error for at in places)),
        tuple(member for member, places in by_member.items() if any(at in open_reads for at in places)),
        tuple(members.items()),
        any(listing.at in open_reads for listing in own),
    )


def _listings(at: int, call: CallView) -> Iterator[_Listing]:
    """The arrays of objects with an id, each a listing of its own."""
    stack = [call.result.data]
    for _ in range(MOST_LEAVES):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, dict):
            stack += [parsed(item) for item in value.values()]
        elif isinstance(value, list):
            members = {str(item["id"]): _name(item) for item in value if isinstance(item, dict) and _is_id(item.get("id"))}
            if members:
                yield _Listing(at, members)
            else:
                stack += value[:MOST_LEAVES]


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _name(item: JsonObject) -> str:
    return next((str(item[key]) for key in ("name", "title", "label") if isinstance(item.get(key), str)), "")


def _visited(call: CallView, listing: _Listing, *, numbers: bool) -> Iterator[tuple[str, str]]:
    """The arguments of a call that name members of a listing. One that also filters by another listing's member visits both."""
    names = {fold(name): member for member, name in listing.members.items() if name}
    for leaf in leaves(call.arguments):
        value = str(leaf.value)
        member = value if value in listing.members else names.get(fold(value).lstrip("#@"))
        if member is not None and (isinstance(leaf.value, str) or (numbers and not isinstance(leaf.value, bool))):
            yield leaf.key, member


def _open_reads(calls: Sequence[CallView]) -> frozenset[int]:
    """Reads that left something: a cursor that no later call of the tool used, more pages, or a cut result."""
    words = _paging_keys()
    found = set()
    for at, call in enumerate(calls):
        if call.effect is not Effect.READ or call.is_error:
            continue
        result = call.result.result
        cursors = {str(leaf.value) for leaf in call.result.under(_names_a_cursor) if _is_cursor(leaf.value)}
        more = any(leaf.value is True for leaf in call.result.under(lambda key: key.lower() in words["more"]))
        more |= any(_is_an_early_page(one) for one in _objects_of(result))
        ends_cut = _says_cut(result)
        if not (call.truncated or ends_cut or cursors or more):
            continue  # as most: the calls after it need no look
        later = [other for other in calls[at + 1 :] if other.tool == call.tool and not other.is_error]
        followed = any(str(leaf.value) in cursors for other in later for leaf in leaves(other.arguments))
        paged = any(_same_but_page(call.arguments, other.arguments) for other in later)
        cut = call.truncated or (not paged and ends_cut)
        if cut or (cursors and not followed) or (more and not followed and not (not cursors and paged)):
            found.add(at)
    return frozenset(found)


def _is_an_early_page(result: JsonObject) -> bool:
    """Whether an object says that it is a page before the last one: page 1 of 9."""
    words, numbers = _paging_keys(), {name.lower(): value for name, value in result.items() if type(value) is int}
    last = next((numbers[name] for name in words["pages"] if name in numbers), 0)
    return 0 < numbers.get("page", numbers.get("current_page", last)) < last


def _objects_of(result: Any) -> Iterator[JsonObject]:
    """A result, and the objects right inside of it, where servers say how far it goes."""
    if isinstance(result, dict):
        yield result
        yield from (value for value in result.values() if isinstance(value, dict))


_CUT = patterns_of("autonomy.provenance")["says_cut"]
"""What servers say at the end of a text that goes on (modelcontextprotocol/servers, `fetch`)."""
NEAR_THE_END = 300


def _says_cut(result: Any) -> bool:
    """Whether a text says at its end that there is more of it."""
    text = result if isinstance(result, str) else result.get("text") if isinstance(result, dict) else None
    if not isinstance(text, str):
        return False
    end = text[-NEAR_THE_END:]
    if end.isascii() and not any(word in end.lower() for word in load_words("result_keys")["said_of_a_cut"]):
        return False  # as most: seen ten times as fast
    return bool(_CUT.search(end))


def _names_a_cursor(key: str) -> bool:
    return key.lower() in _paging_keys()["cursor"]


def _is_cursor(value: Any) -> bool:
    """Whether a value says where the next page begins; a version under `next` is the next release (npm's `dist-tags`)."""
    return not isinstance(value, bool) and value not in ("", 0) and not _VERSION.match(str(value))


_VERSION = re.compile(r"v?\d+\.\d+\.\d+")


def asks_for_a_page_alone(arguments: JsonObject) -> bool:
    """Whether a call asks for nothing but another page: then the first one, which asks for nothing, is of the same."""
    return bool(arguments) and all(name.lower() in _paging_keys()["page"] for name in arguments)


def _same_but_page(one: JsonObject, other: JsonObject) -> bool:
    """Whether two calls differ in how far they read and in nothing else."""
    differing = {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}
    return bool(differing) and all(name.lower() in _paging_keys()["page"] for name in differing)


@cache
def _paging_keys() -> dict[str, frozenset[str]]:
    words = load_words("result_keys")
    return {name: frozenset(words[name]) for name in ("cursor", "more", "page", "pages", "total", "paging", "size")}
