"""Finds the sources of each value and each sentence of a run.

The names below are the public ones; docs/provenance.md explains them with examples. They are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autonomy.provenance.action_claims import ActionClaim, ActionReceipt, claims_in, unproven_claims
    from autonomy.provenance.anchors import Anchor, anchors_of
    from autonomy.provenance.attribution import attribute
    from autonomy.provenance.coverage import CallView, Coverage, coverage_of
    from autonomy.provenance.sources.evidence_units import EvidenceUnit
    from autonomy.provenance.sources.origins import Origin, Trace, ValueSource
    from autonomy.provenance.sources.run_sources import Sources
    from autonomy.provenance.support import About, Attribution
    from autonomy.provenance.text.facts import Fact, FactKind, facts_in
    from autonomy.provenance.text.normalize import fold
    from autonomy.provenance.text.padding import Padding, padding_of

_HOMES = {
    "About": "support",
    "ActionClaim": "action_claims",
    "ActionReceipt": "action_claims",
    "Anchor": "anchors",
    "Attribution": "support",
    "CallView": "coverage",
    "Coverage": "coverage",
    "EvidenceUnit": "sources.evidence_units",
    "Fact": "text.facts",
    "FactKind": "text.facts",
    "Origin": "sources.origins",
    "Padding": "text.padding",
    "Sources": "sources.run_sources",
    "Trace": "sources.origins",
    "ValueSource": "sources.origins",
    "anchors_of": "anchors",
    "attribute": "attribution",
    "claims_in": "action_claims",
    "coverage_of": "coverage",
    "facts_in": "text.facts",
    "fold": "text.normalize",
    "padding_of": "text.padding",
    "unproven_claims": "action_claims",
}

__all__ = [
    "About",
    "ActionClaim",
    "ActionReceipt",
    "Anchor",
    "Attribution",
    "CallView",
    "Coverage",
    "EvidenceUnit",
    "Fact",
    "FactKind",
    "Origin",
    "Padding",
    "Sources",
    "Trace",
    "ValueSource",
    "anchors_of",
    "attribute",
    "claims_in",
    "coverage_of",
    "facts_in",
    "fold",
    "padding_of",
    "unproven_claims",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'autonomy.provenance' has no attribute {name!r}")
    return getattr(import_module(f"autonomy.provenance.{_HOMES[name]}"), name)
