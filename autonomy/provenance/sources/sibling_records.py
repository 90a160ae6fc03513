"""Tells whether a value stands only in records beside the one that a request names.

"Find the invoice of Sakura and mail its contact": the contact of each other invoice of the list is another source. A record is
named by the words, codes and names of the request that stand in its fields; one is beside another that has all of these and
more. Whatever it is called in a named record is named by that, too: the manager of Kenta, who is Ann, and then Ann's own record.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from autonomy.provenance.sources.evidence_units import announces_text, is_line
from autonomy.provenance.sources.identities import telling_words
from autonomy.provenance.sources.leaves import MOST_LEAVES, Leaf, leaves
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words

MOST_RECORDS = 500
"""Of one list that are held against each other."""
MOST_FIELDS = 200
"""Of one record that are looked at."""
MOST_HOPS = 3
"""Reads of which one was asked for what another had brought."""
LONGEST = 200
"""Characters of a field that may hold the value: a longer one is a text."""


class Naming(NamedTuple):
    """What a request may call a record by."""

    text: str
    """The request, folded."""
    words: frozenset[str]
    """Its telling words that are no order and no kind of thing (`identities.telling_words`)."""

    @property
    def tokens(self) -> frozenset[str]:
        """The words in it that are codes, numbers or written like a name (`ENG-12`, `Sakura`, `#sales`), folded."""
        return _tokens(self.text)


@lru_cache(maxsize=16)
def _tokens(text: str) -> frozenset[str]:
    return frozenset({*(fold(token) for token in _TOKEN.findall(text) if not token.islower()), *map(fold, _SIGNED.findall(text))})


_TOKEN = re.compile(r"[A-Za-z0-9][\w#-]{1,80}")
_SIGNED = re.compile(r"(?<![\w/])[#@]([A-Za-z0-9][\w-]{1,80})")
"""What is written with the sign of a channel or a person: `#sales`."""


class Read(NamedTuple):
    """The result of a read, and what it was asked for."""

    result: Any
    arguments: Mapping[str, Any]


def is_beside_named(value: str, reads: Sequence[Read], naming: Naming, hops: int = MOST_HOPS) -> bool:
    """Whether each place of a value in these results is a record beside one that the request names, or was read by what stands in
    such a one."""
    key, found = fold(value).strip(), False
    if not key or not hops:
        return False
    for read in reads:
        for chain in _places(read.result, key):
            found = True
            if not _is_beside(chain, reads, naming) and not _asked_beside(read, reads, naming, hops):
                return False
    return found


def names_beside(value: str, result: Any) -> Iterator[str]:
    """The texts of a few words in the fields of those records of a result that hold a value."""
    key = fold(value).strip()
    for record in _records(result):
        texts = [leaf.value for leaf in _fields(_without_lists(record)) if isinstance(leaf.value, str)]
        if key and any(fold(text).strip() == key for text in texts):
            yield from (text for text in texts if len(text.split()) <= _LONGEST_NAME)


_LONGEST_NAME = 4
"""Words."""


def fields_with(value: str, result: Any) -> Iterator[tuple[str, str]]:
    """The names of the fields of a result's records that hold a value as a whole, each with an id of its record, folded."""
    key = fold(value).strip()
    for record in _records(result):
        names = [name for name, one in record.items() if _is_scalar(one) and fold(str(one)).strip() == key]
        known_by = [fold(str(one)).strip() for name, one in record.items() if name.lower() in _OWN and _is_scalar(one)]
        yield from ((name, identifier) for name in names for identifier in known_by)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _asked_beside(read: Read, reads: Sequence[Read], naming: Naming, hops: int) -> bool:
    """Whether a read was asked for what stands beside."""
    others = [other for other in reads if other is not read]
    asked = (str(leaf.value) for leaf in islice(leaves(dict(read.arguments)), MOST_FIELDS))
    return any(fold(one) not in fold(naming.text) and is_beside_named(one, others, naming, hops - 1) for one in asked)


_Chain = tuple[tuple[list[Any], int], ...]
"""The lists of records that a value stands within, each with the index of its record."""


def _places(result: Any, key: str) -> Iterator[_Chain]:
    """The places of a value in fields of one line; not in what somebody wrote there, who may mention any record."""
    stack: list[tuple[Any, _Chain]] = [(result, ())]
    for _ in range(MOST_LEAVES):
        if not stack:
            return
        value, chain = stack.pop()
        if isinstance(value, dict):
            stack += [(item, chain) for name, item in value.items() if not (isinstance(item, str) and announces_text(name))]
        elif isinstance(value, list):
            of_records = len(value) > 1 and all(isinstance(item, dict) for item in value[:MOST_RECORDS])
            stack += [(item, (*chain, (value, at)) if of_records else chain) for at, item in enumerate(value)]
        elif (isinstance(value, str) and len(value) <= LONGEST and key in fold(value)) or (
            type(value) in (int, float) and _as_number(key) == value
        ):
            yield chain


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_beside(chain: _Chain, reads: Sequence[Read], naming: Naming) -> bool:
    for records, at in chain:
        if at >= MOST_RECORDS:
            continue
        own = _marks(records[at], naming)
        if any(_is_named_before(_marks(record, naming), own, naming) for record in records[:MOST_RECORDS]) and not _is_linked(
            records[at], reads, naming
        ):
            return True
    return False


def _is_named_before(marks: frozenset[str], own: frozenset[str], naming: Naming) -> bool:
    """Whether a record is what the request names rather than one with these own marks: by a name or code, or by two common words;
    a hotel that has "hotel" in its name is no more meant by that than others."""
    more = marks - own
    return own < marks and (len(more) > 1 or any(mark.startswith(_WHOLE) or mark in naming.tokens for mark in more))


_WHOLE = "="
"""Before a field that stands in the request as a whole."""


def _marks(record: Any, naming: Naming) -> frozenset[str]:
    """The words of the request that stand in the fields of a record."""
    return frozenset(mark for leaf in _fields(record) for mark in _marks_of(leaf, naming))


def _fields(record: Any) -> Iterator[Leaf]:
    return (
        leaf
        for leaf in islice(leaves(record), MOST_FIELDS)
        if not isinstance(leaf.value, str) or (is_line(leaf.value) and not announces_text(leaf.key))
    )


def _marks_of(leaf: Leaf, naming: Naming) -> Iterable[str]:
    folded = fold(str(leaf.value)).strip()
    if isinstance(leaf.value, bool) or len(folded) < _SHORTEST:
        return
    if folded in (naming.tokens if folded.isascii() else naming.text.lower()):
        yield _WHOLE + folded
    if isinstance(leaf.value, str):
        yield from telling_words(leaf.value) & naming.words


_SHORTEST = 2


def _is_linked(record: Any, reads: Sequence[Read], naming: Naming) -> bool:
    """Whether a record that the request names holds an id or name of this one."""
    names = load_words("result_keys")["name"]
    own = {
        fold(str(leaf.value)).strip()
        for leaf in _fields(record)
        if leaf.key.lower() in names or leaf.key.lower() in _OWN or leaf.key.lower().endswith(("_id", "email"))
    }
    others = islice((other for read in reads for other in _records(read.result) if other is not record), MOST_RECORDS)
    own_parts = (_without_lists(other) for other in others)
    named = (part for part in own_parts if _marks(part, naming))
    return any(fold(str(leaf.value)).strip() in own for part in named for leaf in _fields(part))


def _without_lists(record: dict[str, Any]) -> dict[str, Any]:
    """What a record says of itself: the records that it lists are others."""
    return {name: value for name, value in record.items() if not isinstance(value, list)}


_OWN = frozenset({"id", "key", "number", "email", "mail", "handle", "login", "code"})


def _records(result: Any) -> Iterator[dict[str, Any]]:
    """The records of a result's lists, and a result that is one itself."""
    stack: list[Any] = [result]
    for _ in range(MOST_RECORDS):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack += [item for item in value.values() if isinstance(item, list)]
        elif isinstance(value, list):
            stack += reversed(value[:MOST_RECORDS])
