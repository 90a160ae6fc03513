"""Logs how the runs of a service begin and end, for whoever reads its log."""

import logging
import sys
from collections.abc import Sequence

from autonomy.run_state.step import current_run
from metrics import events
from metrics.events import RunEvent

_log = logging.getLogger(__name__)

IN_ORDER = ("completed", "simulated", "cancelled")
"""Endings that nobody need look at; all others are warnings, which a service shows without being asked for more."""


class RunLog:
    """An `EventSink` that logs how runs begin and end.

    Where a person watches at the usual level, beginnings and good endings are logged, too: silence would be taken for idleness.
    """

    def __init__(self) -> None:
        if sys.stderr.isatty() and _log.getEffectiveLevel() == logging.WARNING:
            _log.setLevel(logging.INFO)

    async def write(self, batch: Sequence[RunEvent]) -> None:
        """Log each beginning and ending, as of its run."""
        for event in batch:
            token = current_run.set(event.run_id)
            if isinstance(event, events.RunStarted):
                _log.info("run %s of %s begins (%s)", event.run_id, event.job or "a goal", event.trigger)
            elif isinstance(event, events.RunFinished):
                level = logging.INFO if event.ending in IN_ORDER else logging.WARNING
                reason = f": {event.reason}" if event.reason else ""
                _log.log(level, "run %s of %s: %s%s", event.run_id, event.job or "a goal", event.ending, reason)
            current_run.reset(token)
