"""Weighs what calls of a tool showed of its effect against what its words propose.

A server decides how it answers. So by itself this only makes a proposal stricter; what speaks for a read counts where the words
leave the effect open, and a person is asked about such a tool apart from the others.
"""

import json
import re
from collections.abc import Iterable
from functools import cache

from discovery.catalog import Effect, ToolSpec
from discovery.hints.shown_effects import ShownEffect
from discovery.review.effect_proposals import GUESSED, LIKELY, SURE, EffectProposal, propose
from discovery.review.effect_words import is_change, patterns, verb_of, words
from discovery.text.near_names import name_words
from discovery.text.search_terms import visible

OPEN = 0.5
"""Confidence: only calls say so, or they speak against the words. A person is asked about these apart from the others."""
SHORT = 300
"""Characters of an answer that may be nothing but an acknowledgement."""


def propose_seen(spec: ToolSpec, shown: ShownEffect) -> EffectProposal:
    """Propose the effect of a tool from its words, and from what its calls showed."""
    proposal = propose(spec)
    found = proposal.model_copy(update={"evidence": (*proposal.evidence, *shown.evidence)})
    if proposal.effect is not Effect.READ:
        if shown.is_change or shown.read_back:
            return found.model_copy(update={"confidence": SURE})
        if proposal.confidence == GUESSED and shown.speaks_for_read(spec):
            return found.model_copy(update={"effect": Effect.READ, "confidence": OPEN})
        return found
    if shown.is_change:
        return found.model_copy(update={"effect": Effect.WRITE, "confidence": LIKELY})
    if shown.told or shown.read_back:
        return found.model_copy(update={"confidence": OPEN})
    return found.model_copy(update={"confidence": SURE}) if shown.speaks_for_read(spec) else found


def tells_of_change(answer: str) -> bool:
    """Whether a short answer says that something was done: `Note saved`, `{"deleted": true}`, `削除しました`."""
    text = visible(answer[: 4 * SHORT]).strip()
    if len(text) > SHORT:
        return False
    if not text.startswith("{"):
        return _says_done(text)
    try:
        data = json.loads(text)
    except ValueError:
        return False
    if not isinstance(data, dict) or len(data) > 4:
        return False
    return any(
        (value is True and _is_done(name_words(name)[-1:]))
        or (name in words().speaking_members and isinstance(value, str) and _says_done(value))
        for name, value in data.items()
    )


def _says_done(sentence: str) -> bool:
    first = sentence.splitlines()[0].lower() if sentence else ""
    told = any(_is_done(found.groups()) for pattern in patterns("says_done") for found in pattern.finditer(first))
    return told or _done_in_japanese().search(first) is not None


def _is_done(participles: Iterable[str]) -> bool:
    for word in participles:
        verb = words().participles.get(word) or (verb_of(word) if word.endswith("ed") else "")
        if verb and is_change(verb) and verb not in words().reading:
            return True
    return False


@cache
def _done_in_japanese() -> re.Pattern[str]:
    known = (*words().ja["write"], *words().ja["destructive"], *words().ja["outward"])
    return re.compile(rf"(?:{'|'.join(known)}){words().ja_grammar.was_done}")
