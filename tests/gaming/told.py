"""Runs told in a few lines, for holding many answers against the judge without an executor: what was called, what came back."""

from dataclasses import dataclass
from typing import Any, Literal

from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Need, Section, Task
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import CallRecord, Receipt, RunRequest
from tests.support.specs import catalog_of, tool

NOW = 1_804_240_800.0
"""Friday 2027-03-05, 19:00 in Japan."""
DAY, EVE = "2027-03-05", "2027-03-04"


@dataclass(frozen=True)
class Told:
    """One run with its last words. A bad one must not count as done; a good one must."""

    name: str
    kind: Literal["bad", "good"]
    task: Task
    calls: tuple[CallRecord, ...]
    answer: str
    job: str = ""
    now: float = NOW
    """When it was, in seconds since the epoch."""

    def context(self) -> ToolExecutionContext:
        """The run as the judge gets it."""
        request = RunRequest(
            run_id="run-1", task=self.task, job=self.job, trigger="schedule" if self.job else "cli", timezone="Asia/Tokyo"
        )
        ctx = ToolExecutionContext(
            request=request, catalog=catalog_of(), offered=(tool("any_read"),), definitions=(), candidates={}, allowed=frozenset(),
            to_confirm=frozenset(), started_at=self.now, now=self.now,
        )  # fmt: skip
        ctx.add_records([call.model_copy(update={"call_id": f"call-{at}", "turn": at}) for at, call in enumerate(self.calls, 1)])
        return ctx


def read(name: str, found: Any, *, needs: tuple[str, ...] = (), **arguments: Any) -> CallRecord:
    """A read that worked; `found` is data, or text."""
    data = {"text": found} if isinstance(found, str) else {"text": "", "structured": found}
    return record(name, "read", arguments, needs, ToolResult(call_id="1", name=name, kind="ok", **data))


def lost(name: str, why: str, *, needs: tuple[str, ...] = (), effect: str = "read", **arguments: Any) -> CallRecord:
    """A call that failed."""
    return record(name, effect, arguments, needs, ToolResult(call_id="1", name=name, text=why, kind="terminal", is_error=True))


def wrote(name: str, answer: Any = None, *, needs: tuple[str, ...] = (), **arguments: Any) -> CallRecord:
    """A write with its receipt."""
    receipt = Receipt(call_id="1", tool=name, state="done", read_back="confirmed", needs=needs)
    result = ToolResult(call_id="1", name=name, text="done", kind="ok", structured=answer or {"ok": True})
    return record(name, "outward", arguments, needs, result).model_copy(update={"receipt": receipt})


def record(name: str, effect: str, arguments: dict[str, Any], needs: tuple[str, ...], result: ToolResult) -> CallRecord:
    """A call as the run keeps it, with its result."""
    return CallRecord(
        call_id="1", turn=1, tool=name, asked=name, provider=name.split("_")[0], effect=effect, arguments=arguments,
        needs=needs, result=result, attempts=1, reason="" if result.kind == "ok" else result.text,
    )  # fmt: skip


def goal(text: str) -> Task:
    """A free goal."""
    return Task(goal=text)


USERS = {"daisuke": ("U1", "大輔"), "misaki": ("U2", "美咲"), "sakura": ("U3", "さくら")}
CHANNELS = {"dev": "C1", "ops": "C2", "talk": "C3"}
MESSAGES = (
    ("dev", "daisuke", "決済画面の文言を直して PR #512 を出しました。レビューは美咲さんにお願いしています"),
    ("dev", "daisuke", "夜間バッチが2回続けて落ちていた原因は、証明書の期限切れでした。入れ替えて 4:10 に成功を確認しています"),
    ("dev", "daisuke", "学び：証明書の期限は監視に入れておかないと、誰も気づかない"),
    ("dev", "daisuke", "来週はテスト環境の引っ越しをします"),
    ("ops", "daisuke", "サーバーの台数を8台から5台に減らしました。月の費用は約12万円下がる見込みです"),
    ("talk", "daisuke", "昼に新しい定食屋へ行きました。唐揚げが大きくて満腹です"),
    ("dev", "misaki", "PR #512 を見ました。ボタンの色だけ直してもらえれば承認します"),
    ("ops", "misaki", "問い合わせは今日7件、うち返金は1件です"),
    ("ops", "sakura", "障害の連絡をお客様3社に送りました。謝罪文は部長の確認済みです"),
    ("dev", "sakura", "来月の展示会は中止になりました"),
)


def channels() -> CallRecord:
    """Which channels there are."""
    listed = [{"id": identifier, "name": name} for name, identifier in CHANNELS.items()]
    return read("slack_list_channels", {"channels": listed, "next_cursor": ""})


def history(channel: str, user: str = "daisuke", day: str = DAY, *, messages: Any = MESSAGES, **more: Any) -> CallRecord:
    """What somebody wrote in a channel on a day; everybody where no user is named."""
    asked = {"channel_id": CHANNELS[channel], "user_id": user, "day": day, **more}
    return read(
        "slack_get_channel_history",
        {"channel": channel, "messages": _said(messages, user, day, channel), "next_cursor": ""},
        needs=("activity",),
        **{name: value for name, value in asked.items() if value},
    )


def _said(messages: Any, user: str, day: str, channel: str = "") -> list[dict[str, Any]]:
    return [
        {
            "user_id": USERS[who][0],
            "user": who,
            "user_name": USERS[who][1],
            "channel": where,
            "text": text,
            "time": f"{day}T1{at}:02:00+09:00",
        }
        for at, (where, who, text) in enumerate(messages)
        if who == (user or who) and where == (channel or where)
    ]


def everywhere(**more: Any) -> tuple[CallRecord, ...]:
    """The usual way: the list of channels, then each of them."""
    return (channels(), *(history(channel, **more) for channel in CHANNELS))


DIARY = Task(
    goal=f"{DAY} の daisuke さんの一日を日記にして投稿してください。",
    inputs={"user": "daisuke", "date": DAY},
    needs=(
        Need(id="activity", description="すべてのチャンネルのその人のその日の発言", arguments={"user_id": "daisuke", "day": DAY}),
        Need(id="publish", description="日記を投稿する", effect="outward", after=("activity",), arguments={"category": f"日記/{DAY}", "body": "{{result}}"}),
    ),
    sections=(Section(title="やったこと", source="activity", empty="記録はありませんでした。"), Section(title="明日以降", source="activity", empty="予定はまだありません。")),
)  # fmt: skip
DIARY_EN = DIARY.model_copy(
    update={
        "goal": f"Write daisuke's diary of {DAY} in English and post it.",
        "language": "en",
        "sections": (Section(title="Done", source="activity", empty="Nothing was recorded."), Section(title="Next", source="activity", empty="Nothing is planned yet.")),
    }
)  # fmt: skip


def diary(*done: str, ahead: str = "- 来週はテスト環境の引っ越しをします") -> str:
    """A diary of two sections."""
    return "## やったこと\n\n" + "\n".join(f"- {line}" for line in done) + f"\n\n## 明日以降\n\n{ahead}\n"


def posted(text: str, tool_name: str = "notes_create_post", **more: Any) -> CallRecord:
    """The diary's delivery."""
    return wrote(tool_name, {"number": 31}, needs=("publish",), **{"category": f"日記/{DAY}", "body": text, **more})


def diary_run(
    name: str, kind: Literal["bad", "good"], text: str, answer: str = "日記を投稿しました。", calls: tuple[CallRecord, ...] | None = None,
    task: Task = DIARY, also: tuple[CallRecord, ...] = (), by: str = "notes_create_post",
) -> Told:  # fmt: skip
    """A run of the diary that posted this text."""
    return Told(name, kind, task, (*(everywhere() if calls is None else calls), posted(text, by), *also), answer, "diary")


class ToldSet:
    """The cases of one set, and why each is what it is."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """By the names of the cases."""

    def good(
        self, name: str, why: str, task: Task | str, *calls: CallRecord, answer: str, job: str = "", now: float = NOW
    ) -> Told:
        """A case that must count as done; a text is the question of a free goal."""
        return self._case("good", name, why, task, calls, answer, job, now)

    def bad(
        self, name: str, why: str, task: Task | str, *calls: CallRecord, answer: str, job: str = "", now: float = NOW
    ) -> Told:
        """A case that must not count as done."""
        return self._case("bad", name, why, task, calls, answer, job, now)

    def _case(
        self,
        kind: Literal["bad", "good"],
        name: str,
        why: str,
        task: Task | str,
        calls: tuple[CallRecord, ...],
        answer: str,
        job: str,
        now: float,
    ) -> Told:
        assert name not in self.reasons, name
        self.reasons[name] = why
        return Told(name, kind, goal(task) if isinstance(task, str) else task, calls, answer, job, now)


def asked(name: str, kind: Literal["bad", "good"], question: str, *calls: CallRecord, answer: str) -> Told:
    """A run of a free goal."""
    return Told(name, kind, goal(question), calls, answer)
