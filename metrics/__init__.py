"""Measures autonomy: run events, the journal, measures and reports.

It depends on neither the host nor discovery: any program that writes `RunEvent`s can be measured. The names below are the public
ones; each is loaded when it is first used, so that importing the events does not load SQLAlchemy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrics.autonomy import AutonomyMetrics
    from metrics.events import EVENT, EventSink, RunEvent
    from metrics.journal import Journal
    from metrics.measures import Measures, measure

_HOMES = {
    "EVENT": "events",
    "AutonomyMetrics": "autonomy",
    "EventSink": "events",
    "Journal": "journal",
    "Measures": "measures",
    "RunEvent": "events",
    "measure": "measures",
}

__all__ = ["EVENT", "AutonomyMetrics", "EventSink", "Journal", "Measures", "RunEvent", "measure"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'metrics' has no attribute {name!r}")
    return getattr(import_module(f"metrics.{_HOMES[name]}"), name)
