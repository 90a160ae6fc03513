"""A burst of mentions while everything goes wrong: each is answered exactly once or visibly unknown, and soon seen to have arrived."""

import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.llm.messages import ToolResult
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from tests.requirements import requirement
from tests.support.command import HANG_S
from tests.support.house import READ
from tests.support.slack import Slack
from tests.support.slack_house import SlackHouse, slack_house
from tests.support.slack_web import Call, Json


@dataclass(frozen=True)
class Figures:
    """What a burst came to."""

    answered: int
    unknown: int
    wrong: int
    """Threads with no answer, two answers or another thread's, and nothing that says so."""
    first_sign_p50_s: float
    first_sign_p95_s: float
    first_sign_p95_cpu_s: float
    """The same in this process's own time, app and fake together: what it is where nothing else runs."""
    ack_p95_s: float
    ack_most_s: float
    all_answered_s: float
    connections: int
    calls: int


class TimedSlack(Slack):
    """A fake that also notes how much time this process had used at each sign of life."""

    def __init__(self) -> None:
        super().__init__()
        self.cpu_at: dict[tuple[str, str], float] = {}

    def on_assistant_threads_setStatus(self, call: Call) -> Json:
        self.cpu_at.setdefault((call["channel_id"], call["thread_ts"]), time.process_time())
        return super().on_assistant_threads_setStatus(call)


def numbers() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("numbers")

    @server.tool(annotations=READ)
    async def look_up(number: str) -> str:
        """Look a number up."""
        return f"第{number}号"

    return server


def reply(request: ModelRequest) -> Any:
    """Every other question is looked up first, and else told as known."""
    last = request.messages[-1]
    if isinstance(last, ToolResult):
        return f"{last.text}です。"
    number = last.text.split()[0].rstrip("番")
    return calling(("numbers_look_up", {"number": number})) if int(number) % 2 else f"私の知識では第{number}号です。"


async def burst(slack: TimedSlack, folder: Path, mentions: int) -> Figures:
    people = [slack.add_user(f"user{number}") for number in range(10)]
    channels = [slack.add_channel(f"channel{number}") for number in range(10)]
    make_trouble(slack, mentions)
    async with slack_house(folder, slack, numbers(), script=reply, lanes=8) as here:
        asked = dict[int, tuple[str, str]]()
        began = slack.clock()
        cpu_said = dict[tuple[str, str], float]()
        for number in range(mentions):
            channel, cpu = channels[number % 10], time.process_time()
            ts = await slack.mention(channel, people[number % 10], f"{number}番 は？", twice=number % 2 == 0)
            asked[number] = (channel, ts)
            cpu_said[channel, ts] = cpu
            await anyio.sleep(0)  # Slack would be a process of its own
            if number in (mentions // 4, mentions // 2, 3 * mentions // 4):
                await slack.until(lambda: slack._sockets)
                await slack.drop_sockets(politely=number == mentions // 2)
        waiting = dict(asked)
        while waiting or not all(one.acknowledged_at for one in slack.envelopes):
            await anyio.sleep(0.1)
            waiting = {number: where for number, where in waiting.items() if not settled(slack, *where)}
        ended = slack.clock()
        await anyio.sleep(0.5)  # what would be answered twice has time to be
        return await figures(slack, here, asked, cpu_said, ended - began)


def make_trouble(slack: Slack, mentions: int) -> None:
    """429s and lost answers, before and after Slack has carried the call out, on every method an answer needs."""
    some = max(1, mentions // 20)
    for method in ("chat.postMessage", "chat.startStream", "chat.stopStream"):
        for _ in range(some):
            slack.lose_answer(method)
            slack.rate_limit(method, 1)
            slack.lose_answer(method, carried_out=False)
    slack.rate_limit("assistant.threads.setStatus", 1, times=some // 2)
    slack.lose_answer("assistant.threads.setStatus", times=some // 2)
    slack.refuse("conversations.replies", "missing_scope", times=max(1, some // 5))


def settled(slack: Slack, channel: str, ts: str) -> bool:
    said = next(one for one in slack.messages(channel) if one["ts"] == ts)
    return bool(slack.answered(channel, ts)) or any(one["name"] == "warning" for one in said.get("reactions", []))


async def figures(
    slack: TimedSlack,
    here: SlackHouse,
    asked: dict[int, tuple[str, str]],
    cpu_said: dict[tuple[str, str], float],
    all_answered_s: float,
) -> Figures:
    answered = unknown = wrong = 0
    signs = []
    for number, (channel, ts) in asked.items():
        answers = [slack.words(one) for one in slack.answered(channel, ts)]
        entry = await here.app._inbox.get(f"slack-{channel}-{ts}")
        assert entry is not None
        if entry.state == "unknown" and len(answers) <= 1:
            unknown += 1
        elif len(answers) == 1 and answers[0].strip().removeprefix("私の知識では") == f"第{number}号です。":
            answered += 1
        else:
            wrong += 1
        seen = [at for at, *where, _ in slack.statuses if where == [channel, ts]]
        seen += [float(one["ts"]) for one in slack.thread(channel, ts)]
        signs.append(min(seen) - float(ts))
    cpu = [at - cpu_said[where] for where, at in slack.cpu_at.items()]
    acks = [one.acknowledged_at - one.sent_at[0] for one in slack.envelopes if one.acknowledged_at]
    return Figures(
        answered,
        unknown,
        wrong,
        statistics.median(signs),
        statistics.quantiles(signs, n=20)[-1],
        statistics.quantiles(cpu, n=20)[-1],
        statistics.quantiles(acks, n=20)[-1],
        max(acks),
        all_answered_s,
        slack.connections,
        len(slack.calls),
    )


@requirement("C6")
async def test_a_small_burst_is_answered_exactly_once_or_visibly_unknown(tmp_path: Path) -> None:
    with anyio.fail_after(HANG_S):
        async with TimedSlack() as slack:
            found = await burst(slack, tmp_path, 10)
    assert found.wrong == 0
    assert found.answered + found.unknown == 10
    assert found.unknown <= 2
    assert found.connections >= 4


@requirement("C6")
@pytest.mark.sweep
@pytest.mark.timeout(400)
async def test_two_hundred_mentions_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with anyio.fail_after(300):
        async with TimedSlack() as slack:
            found = await burst(slack, tmp_path, 200)
    with capsys.disabled():
        sys.stdout.write(f"\n{found}\n")
    assert found.wrong == 0
    assert found.answered + found.unknown == 200
    assert found.connections >= 4
    # how long it takes is the machine's; done for the work that stands behind, neither would be early
    assert found.ack_most_s < 0.75 * found.all_answered_s
    assert found.first_sign_p95_s < 0.75 * found.all_answered_s
