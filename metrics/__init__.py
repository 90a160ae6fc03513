"""Measures autonomy: run events, the journal, measures and reports.

Knows neither the host nor discovery: whoever writes `RunEvent`s can be measured.
"""

from metrics.autonomy import AutonomyMetrics
from metrics.events import EVENT, EventSink, RunEvent
from metrics.journal import Journal
from metrics.measures import Measures, measure

__all__ = ["EVENT", "AutonomyMetrics", "EventSink", "Journal", "Measures", "RunEvent", "measure"]
