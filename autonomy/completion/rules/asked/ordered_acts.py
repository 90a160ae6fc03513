"""Reads from a goal each act that it orders, and tells which tools do it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from autonomy.policy.requests.japanese_orders import orders_in_japanese
from autonomy.policy.requests.orders import ordering_clauses
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import Frozen
from discovery.text.near_names import name_words
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted


class _Verbs(Frozen):
    en: tuple[str, ...]
    ja: tuple[str, ...]


class _Kind(_Verbs):
    tools: frozenset[str]
    made_with: frozenset[str] = frozenset()
    """The only verbs that mean a deed: who is to write a note may as well put it into the answer."""
    arguments: frozenset[str] = frozenset()
    """Words of the arguments by which a tool of any other name carries it as well."""


class _Acts(Frozen):
    acts: Mapping[str, _Kind]
    """Acts that their verb alone tells: to mail, to refund."""
    makes: _Verbs
    """Verbs that mean a deed only with what they make: to leave a comment, to file a ticket."""
    things: Mapping[str, _Kind]
    behind_a_thing: tuple[str, ...]
    """English words that may follow what is made, and stand in nothing's name."""
    made_by_oneself: tuple[str, ...]
    """English pasts of verbs that make or change a thing."""
    begins_an_object: tuple[str, ...]
    drafts_no: frozenset[str]
    """Acts that a tool of drafts does not do."""


_ACTS = _Acts.model_validate_json(files("autonomy.completion").joinpath("data/ordered_acts.json").read_bytes())
_PHRASES = patterns_of("autonomy.completion")


class OrderedAct(NamedTuple):
    """One act that a goal orders."""

    kind: str
    """A key of the acts or of the things in `ordered_acts.json`."""
    text: str
    """How the goal says it, in short."""
    on_condition: bool
    """Whether it is ordered only where something is so."""

    def is_done_by(self, tool: str) -> bool:
        """Whether a tool of this name, without its provider's, may do it."""
        words = _words(tool)
        if self.kind in _ACTS.drafts_no and "draft" in words and words.isdisjoint(_LETS_OUT):
            return False
        return not words.isdisjoint(_kind_of(self.kind).tools)

    def may_be_done_by(self, tool: str) -> bool:
        """The same, and whether its name tells none of the known acts, or makes something that is no known thing."""
        known = _known_words() - _MAKES_ANYTHING if self.kind in _ACTS.things else _known_words()
        return self.is_done_by(tool) or _words(tool).isdisjoint(known)

    def is_receipted(self, tried: Iterable[tuple[str, Any]], offered: Iterable[str]) -> bool:
        """Whether one of the tools that were tried, each with its arguments, may have done it. What a tool of any name may carry
        is missing only where a tool that is called by it is offered."""
        carriers = _kind_of(self.kind).arguments
        if not carriers:
            return any(self.may_be_done_by(tool) for tool, _ in tried)
        if all(_words(tool).isdisjoint(_kind_of(self.kind).en) for tool in offered):
            return True
        return any(
            self.is_done_by(tool) or any(leaf.value and not carriers.isdisjoint(_words(leaf.key)) for leaf in leaves(arguments))
            for tool, arguments in tried
        )


_MAKES_ANYTHING = frozenset(
    {"create", "add", "insert", "put", "write", "save", "append", "set", "update", "edit", "patch", "modify"}
)
_LETS_OUT = frozenset({"send", "publish", "post", "submit"})


@lru_cache(maxsize=64)
def ordered_acts(goal: str) -> tuple[OrderedAct, ...]:
    """The acts outside of the answer that a goal orders, each kind once; none that only a message is to say."""
    found = (*_english(unquoted(goal)), *_japanese(unquoted(goal)))
    return tuple({act.kind: act for act in reversed(found)}.values())[::-1]


def _english(goal: str) -> Iterator[OrderedAct]:
    condition = bool(_PHRASES["refers_to_a_condition"].search(goal))
    for sentence in _SENTENCE.split(goal):
        on_condition = condition or bool(_PHRASES["sets_a_condition"].search(sentence) or _or_an_act().search(sentence))
        for clause in ordering_clauses(_CONTENT.split(sentence)[0]):
            if kind := _kind_of_clause(clause):
                yield OrderedAct(kind, clause[:LONGEST_SHOWN].strip(), on_condition)


@cache
def _or_an_act() -> re.Pattern[str]:
    verbs = "|".join(verb for act in _ACTS.acts.values() for verb in act.en)
    return re.compile(rf"\bor (?:to )?(?:{verbs})\b", re.IGNORECASE)


def _kind_of_clause(clause: str) -> str:
    verb = clause.split()[0]
    if made := _made_pattern().match(clause):
        name = next(name for name, thing in _ACTS.things.items() if made["thing"] in thing.en)
        if not (only := _kind_of(name).made_with) or verb in only:
            return name
    kind = next((name for name, act in _ACTS.acts.items() if verb in act.en), "")
    return "mail" if kind in ("", "send") and _BY_MAIL.match(clause) else kind


_SENTENCE = re.compile(r"(?<=[.!?;])\s|\n")
_CONTENT, _BY_MAIL = _PHRASES["begins_a_content"], _PHRASES["by_mail"]
LONGEST_SHOWN = 60
"""Characters of an act as a finding shows it."""


@cache
def _made_pattern() -> re.Pattern[str]:
    """A verb that makes, and right behind it what it makes, which nothing else qualifies: no ticket template."""
    verbs = "|".join(map(re.escape, _ACTS.makes.en))
    return re.compile(rf"(?:{verbs}) {_object_made(_ACTS.things.values())}")


def things_made_by_oneself(text: str) -> Iterator[str]:
    """The clauses in which an English text says that whoever speaks made or changed a thing outside of the answer."""
    return (match[0].strip() for match in _made_by_oneself().finditer(text))


@cache
def _made_by_oneself() -> re.Pattern[str]:
    verbs, beginning = "|".join(_ACTS.made_by_oneself), "|".join(_ACTS.begins_an_object)
    own = rf"\b(?:I|we)(?:['’]ve| have)? (?:[a-z]{3, 7} )?(?:{verbs})"
    things = [thing for thing in _ACTS.things.values() if not thing.made_with]
    return re.compile(rf"{own} (?:{beginning}) {_object_made(things, 3)}", re.IGNORECASE)


def _object_made(kinds: Iterable[_Kind], between: int = 4) -> str:
    """A thing that is made, and not one that qualifies another: no ticket template."""
    things = "|".join(re.escape(one) for thing in kinds for one in thing.en)
    following = rf"$|[\"'“‘「#,.;:!(\d]|(?:{'|'.join(_ACTS.behind_a_thing)})\b"
    return rf"(?:(?!(?:{'|'.join(_ACTS.behind_a_thing)}) )[\w-]+ ){{0,{between}}}?(?P<thing>{things})(?=s?\s*(?:{following}))"


def _japanese(goal: str) -> Iterator[OrderedAct]:
    for sentence in _JAPANESE_SENTENCE.split(goal):
        on_condition = bool(_PHRASES["sets_a_condition"].search(sentence))
        for order in orders_in_japanese(sentence, LONGEST_SHOWN):
            made = _made_in_japanese().search(order)
            kind = next((name for name, thing in _ACTS.things.items() if made and made["thing"] in thing.ja), "")
            kinds = (name for name, pattern in _japanese_acts().items() if pattern.search(order))
            if kind := kind or next(kinds, ""):
                yield OrderedAct(kind, order[-20:], on_condition)


_JAPANESE_SENTENCE = re.compile(r"[。！？\n]")


@cache
def _made_in_japanese() -> re.Pattern[str]:
    things = "|".join(re.escape(one) for thing in _ACTS.things.values() for one in thing.ja)
    return re.compile(rf"(?P<thing>{things})(?:を|に|も)(?:[^、。をに]{{1,12}}に)?(?:{'|'.join(_ACTS.makes.ja)})[てで]?$")


@cache
def _japanese_acts() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"(?:{'|'.join(act.ja)})$") for name, act in _ACTS.acts.items()}


def _kind_of(name: str) -> _Kind:
    return _ACTS.acts[name] if name in _ACTS.acts else _ACTS.things[name]


@cache
def _known_words() -> frozenset[str]:
    return frozenset[str]().union(*(kind.tools for kind in (*_ACTS.acts.values(), *_ACTS.things.values())))


def _words(tool: str) -> frozenset[str]:
    words = name_words(tool)
    return frozenset((*words, *(word.removesuffix("s") for word in words)))
