"""Formats times, durations and values for readers."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from autonomy.llm.model_json import read_json
from autonomy.run_state.asking.question_view import seen
from autonomy.web.words import Language, word
from metrics.reporting.reason_words import reason_in, rule_in
from metrics.reporting.report_words import ending_in, failure_in

SHOWN_CHARS = 1200
"""Of one value or result in the transcript; the whole stands on a page of its own, so that a page stays light."""


@cache
def zone(name: str) -> ZoneInfo:
    """A time zone, read from the disk once."""
    return ZoneInfo(name)


@dataclass(frozen=True)
class Cut:
    """A text, or its beginning."""

    text: str
    left_out: int = 0


@dataclass(frozen=True)
class Formatter:
    """Formats values in one language and time zone."""

    language: Language
    timezone: str

    def ending(self, state: str, remarks: int = 0) -> str:
        """How a run ended, or stands."""
        return ending_in(state, self.language, remarks)

    def reason(self, text: str) -> str:
        """Why something is so."""
        return reason_in(self.language, text)

    def failure(self, error: str) -> str:
        """Why a try failed."""
        return failure_in(error, self.language)

    def rule(self, name: str) -> str:
        """The rule that decided."""
        return rule_in(self.language, name)

    def time(self, at: float) -> str:
        """To the minute, with the day."""
        return f"{self._local_time(at):%Y-%m-%d %H:%M}"

    def clock(self, at: float) -> str:
        """To the second, without the day."""
        return f"{self._local_time(at):%H:%M:%S}"

    def day(self, at: float) -> str:
        """The day with its weekday."""
        day = self._local_time(at)
        return f"{day:%m/%d}（{self.weekday(day)}）" if self.language == "ja" else f"{day:%a %d %b}"

    def weekday(self, day: date) -> str:
        """The day of the week, in short."""
        return "月火水木金土日"[day.weekday()] if self.language == "ja" else f"{day:%a}"

    def iso(self, at: float) -> str:
        """This in ISO 8601, for machines."""
        return self._local_time(at).isoformat(timespec="milliseconds")

    def seconds(self, value: float | None) -> str:
        """A duration; empty for none."""
        if value is None:
            return ""
        if value < 1:
            return f"{value * 1000:.0f} ms"
        if value < 60:
            return f"{value:.1f} s"
        minutes, rest = divmod(round(value), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"

    def usd(self, value: Any) -> str:
        """A price; a word where it is unknown, which is not free."""
        if value is None:
            return word("cost_unknown", self.language)
        return f"${float(value):.4f}" if 0 < float(value) < 0.1 else f"${float(value):.2f}"

    def number(self, value: float) -> str:
        """With separators."""
        return f"{value:,.0f}"

    def value(self, value: Any) -> str:
        """An argument as text, in which nothing is out of sight."""
        return seen(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str))

    def result(self, text: str) -> str:
        """A result as text; JSON is laid out, unless it is nested too deeply."""
        if text[:1] in ("{", "["):
            with suppress(ValueError):
                return json.dumps(read_json(text), ensure_ascii=False, indent=2)
        return text

    def cut(self, text: str, most: int = SHOWN_CHARS) -> Cut:
        """The beginning of a text, and how much is left out."""
        return Cut(text) if len(text) <= most else Cut(text[:most], len(text) - most)

    def list(self, names: Sequence[str]) -> str:
        """Names in a row."""
        return ("、" if self.language == "ja" else ", ").join(names)

    def _local_time(self, at: float) -> datetime:
        return datetime.fromtimestamp(at, zone(self.timezone))
