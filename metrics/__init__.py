"""How autonomous was it? The language of events, the journal that keeps them, and the measures and reports made from them alone.

Knows neither the host nor discovery: whoever writes `RunEvent`s can be measured.
"""

from metrics.autonomy import AutonomyMetrics
from metrics.events import EVENT, EventSink, RunEvent
from metrics.journal import Journal
from metrics.measures import Measures, measure

__all__ = ["EVENT", "AutonomyMetrics", "EventSink", "Journal", "Measures", "RunEvent", "measure"]
