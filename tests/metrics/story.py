"""A run told in a few words: `Story` writes the events that a real run would write, with a clock of its own."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from metrics.events import (
    AlternativeTried,
    ApprovalAnswered,
    ApprovalRequested,
    AttemptFailed,
    CallDecided,
    CallFinished,
    CallStarted,
    CatalogTaken,
    FeedbackGiven,
    Intervention,
    Judged,
    ModelAnswered,
    ModelFailed,
    QualityPart,
    ReceiptRecorded,
    RunEvent,
    RunFinished,
    RunStarted,
    TurnStarted,
)

MONDAY = 1_763_340_000.0
"""2025-11-17 00:40 UTC, 09:40 in Tokyo."""


@dataclass
class Story:
    """One run, told step by step; `events` is what it wrote."""

    run_id: str = "run-1"
    job: str = "diary"
    tenant: str = "default"
    at: float = MONDAY
    model: str = "openai:gpt-5"
    events: list[RunEvent] = field(default_factory=list)
    turns: int = 0
    calls: int = 0
    rules: int = 0

    def tell(self, kind: Any, key: str, after_s: float = 0.1, /, **facts: Any) -> "Story":
        """Write one event, `after_s` later than the last."""
        self.at += after_s
        self.events.append(kind(run_id=self.run_id, key=key, at=self.at, tenant=self.tenant, job=self.job, **facts))
        return self

    def start(self, *, needs: Iterable[str] = (), **facts: Any) -> "Story":
        self.tell(
            RunStarted,
            "started",
            0.0,
            needs=tuple(needs),
            model=self.model,
            **{"trigger": "schedule", "actor": "jiritsu", **facts},
        )
        return self.tell(CatalogTaken, "catalog", snapshot_id="s1", tools=24, offered=24, freshness="fresh")

    def turn(self, seconds: float = 2.0, **facts: Any) -> "Story":
        self.turns += 1
        self.tell(TurnStarted, f"turn-{self.turns}/started", turn=self.turns)
        priced = {"input_tokens": 1800, "output_tokens": 240, "cached_tokens": 900, "cost_usd": Decimal("0.004")}
        reply = {"turn": self.turns, "model": self.model, "duration_s": seconds, "stop_reason": "tool_calls", **priced, **facts}
        return self.tell(ModelAnswered, f"turn-{self.turns}/answered", seconds, **reply)

    def model_fails(self, error: str = "ModelUnavailable", then: str = "retry") -> "Story":
        """The model fails in the turn that comes next."""
        turn = self.turns + 1
        return self.tell(
            ModelFailed, f"turn-{turn}/model-failed-{len(self.events)}", turn=turn, model=self.model, error=error, then=then
        )

    def call(
        self,
        tool: str = "slack_get_channel_history",
        *,
        effect: str = "read",
        outcome: str = "ok",
        seconds: float = 0.8,
        decision: str = "allow",
        rule: str = "",
        errors: Iterable[str] = (),
        alternatives: Iterable[tuple[str, bool]] = (),
        answer: str = "",
        by: str = "U1",
        receipt: str = "",
        read_back: str = "not_declared",
        arguments: str = "",
        **finished: Any,
    ) -> "Story":
        self.calls += 1
        key, provider = f"turn-{self.turns}/call-{self.calls}", tool.split("_")[0]
        common = {"turn": self.turns, "call_id": f"c{self.calls}", "tool": tool, "provider": provider, "effect": effect}
        digest = arguments or f"{self.calls:064d}"
        self.tell(CallDecided, f"{key}/decided", **common, decision=decision, rule=rule, arguments_sha256=digest)
        if answer:
            self.tell(ApprovalRequested, f"{key}/asked", **common, arguments_sha256=digest)
            self.tell(ApprovalAnswered, f"{key}/approval", 30.0, **common, answer=answer, by=by, waited_s=30.0)
        if outcome not in {"denied", "not_run"} and finished.get("problem") not in {"unknown_tool", "invalid_arguments"}:
            self.tell(CallStarted, f"{key}/started", **common)
        began, failed = self.at, list(errors)
        for number, error in enumerate(failed, 1):
            self.tell(
                AttemptFailed, f"{key}/attempt-{number}", 0.3, **common, attempt=number, error=error, wait_s=0.2, retrying=True
            )
        for number, (name, ok) in enumerate(alternatives, 1):
            self.tell(AlternativeTried, f"{key}/alternative-{number}", 0.3, **common, alternative=name, ok=ok)
        facts = {
            "attempts": len(failed) + 1,
            "duration_s": self.at + seconds - began,
            "arguments_sha256": digest,
            "outcome": outcome,
            **finished,
        }
        self.tell(CallFinished, f"{key}/finished", seconds, **common, **facts)
        if receipt:
            self.tell(ReceiptRecorded, f"{key}/receipt", **common, state=receipt, read_back=read_back)
        return self

    def judge(
        self,
        verdict: str = "complete",
        *,
        rules: int = 4,
        missing: Iterable[str] = (),
        needs_met: Iterable[str] = (),
        parts: Iterable[QualityPart] = (),
    ) -> "Story":
        absent = tuple(missing)
        facts = {
            "verdict": verdict,
            "rules": rules,
            "held": rules - len(absent),
            "missing": absent,
            "needs_met": tuple(needs_met),
            "parts": tuple(parts),
        }
        return self.tell(Judged, f"turn-{self.turns}/judged", turn=self.turns, **facts)

    def opine(self, verdict: str = "complete") -> "Story":
        """A model's second opinion of the answer that the rules let pass."""
        return self.tell(Judged, f"turn-{self.turns}/opinion/judged", turn=self.turns, verdict=verdict, by="model")

    def intervene(self, kind: str = "retry") -> "Story":
        return self.tell(Intervention, f"intervention-{len(self.events)}", kind=kind, by="U1")

    def vote(self, good: bool, by: str = "U1") -> "Story":
        return self.tell(FeedbackGiven, f"feedback-{len(self.events)}", 60.0, good=good, by=by)

    def finish(self, ending: str = "completed", reason: str = "", remarked: int = 0, **facts: Any) -> "Story":
        counted = {"remarked": remarked, "turns": self.turns, "calls": self.calls, "duration_s": self.at - self.events[0].at}
        return self.tell(RunFinished, "finished", ending=ending, reason=reason, **counted, **facts)


def diary(run_id: str = "run-1", **facts: Any) -> Story:
    """A day's diary as it should go: two needs met, one post with its receipt, four rules held."""
    story = Story(run_id, **facts).start(needs=("slack_activity", "writing_style"))
    story.turn().call(needs=("slack_activity",)).call("esa_list_posts", needs=("writing_style",))
    story.turn().call("esa_create_post", effect="outward", receipt="done", read_back="confirmed", seconds=1.4)
    return story.turn(seconds=1.1, stop_reason="stop").judge().finish()
