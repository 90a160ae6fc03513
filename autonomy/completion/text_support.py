"""Finds what each text of a write rests on, for the person who is asked about it."""

from collections.abc import Iterator

from autonomy.completion.evidence import RunEvidence
from autonomy.provenance.support import Attribution
from autonomy.run_state.asking.approvals import TextSupport
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.earlier_texts import is_text
from discovery.catalog import JsonObject


def text_support(arguments: JsonObject, ctx: ToolExecutionContext) -> dict[str, TextSupport]:
    """The support of each text among the arguments, by argument; nothing where the run has read nothing that it could rest on.

    Takes some 20 ms a text, and the time to load the encoder where one is installed: not for the event loop.
    """
    evidence = RunEvidence.of(ctx)
    if not evidence.reads:
        return {}
    found = {name: _support(evidence.attribution(value)) for name, value in arguments.items() if is_text(value)}
    return {name: support for name, support in found.items() if support.wanting}


def _support(attribution: Attribution) -> TextSupport:
    wanting = [sentence for sentence in attribution.sentences if not sentence.neutral]
    return TextSupport(
        wanting=len(wanting),
        sourced=sum(sentence.supported for sentence in wanting),
        unsourced=tuple(dict.fromkeys(_unsourced(attribution))),
        of_others=tuple(sentence.text.strip() for sentence in wanting if sentence.elsewhere),
    )


def _unsourced(attribution: Attribution) -> Iterator[str]:
    for sentence in attribution.sentences:
        if not sentence.supported:
            yield sentence.text.strip()
        elif not sentence.neutral:
            yield from (found.fact.text for found in sentence.facts if not found.supported)
