"""Counts over one run's calls and replies."""

from dataclasses import dataclass

from metrics.call_facts import CallFacts
from metrics.events import WORKED
from metrics.run_facts import ReplyFacts, RunFacts

NOT_MADE = frozenset({"denied", "not_run"})
"""Outcomes of calls that were refused or never begun."""


@dataclass(slots=True)
class Counts:
    """How much of everything there was in a run."""

    made: int = 0
    """Calls that were made and have ended, the host's own included."""
    ok: int = 0
    retries: int = 0
    """Attempts beyond the first."""
    stumbled: int = 0
    """Calls with a failed attempt …"""
    by_retry: int = 0
    """… that a retry answered,"""
    by_alternative: int = 0
    """… or an alternative."""
    tried: int = 0
    """Alternatives that were tried …"""
    succeeded: int = 0
    """… and answered."""
    asked: int = 0
    """Approvals requested."""
    answered: int = 0
    """Approvals granted, denied or expired."""
    granted: int = 0
    expired: int = 0
    done: int = 0
    """Receipts of writes that happened."""
    unknown: int = 0
    """Receipts of writes of which nobody knows."""
    replies: int = 0
    fallbacks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @classmethod
    def of(cls, run: RunFacts) -> "Counts":
        """Count a run."""
        counts = cls()
        for call in run.calls.values():
            counts._add_call(call)
        for reply in run.replies.values():
            counts._add_reply(reply)
        return counts

    def _add_call(self, call: CallFacts) -> None:
        if call.asked is not None:
            self.asked += 1
        if call.answer is not None:
            self.answered += 1
            self.granted += call.answer.answer == "granted"
            self.expired += call.answer.answer == "expired"
        if call.receipt is not None:
            if call.receipt.state == "unknown":
                self.unknown += 1
            else:
                self.done += 1
        if call.alternatives:
            self.tried += len(call.alternatives)
            self.succeeded += sum(one.ok for one in call.alternatives.values())
        if call.finished is not None:
            failed = bool(call.errors)
            if call.finished.outcome not in NOT_MADE:
                self.made += 1
                self.ok += call.finished.outcome in WORKED
            if call.finished.attempts > 1:
                self.retries += call.finished.attempts - 1
            if failed or call.finished.cured_by:
                self.stumbled += 1
                self.by_retry += call.finished.cured_by == "retry"
                self.by_alternative += call.finished.cured_by == "alternative"

    def _add_reply(self, reply: ReplyFacts) -> None:
        self.replies += 1
        self.fallbacks += reply.fallback
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens
        self.cached_tokens += reply.cached_tokens
