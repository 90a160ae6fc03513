"""The inbox: one request each, however an event comes."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
import sqlalchemy as sa
from slack_sdk.web.async_client import AsyncWebClient

from autonomy.chat.conversation_history import ConversationHistory
from autonomy.chat.slack.events.slack_event import SlackMessage
from autonomy.chat.slack.inbox import Inbox
from autonomy.chat.slack.posts import PostLocation, Posts, SlackPost
from autonomy.chat.slack.slack_api import SlackApi
from autonomy.database import migrate, open_engine
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from autonomy.llm.messages import AssistantMessage, UserMessage
from tests.requirements import requirement
from tests.support.conversation import ROOMS, database
from tests.support.postgres import NEEDED, Server


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[sa.Engine]:
    async with database(tmp_path) as opened:
        yield opened


def message(number: int, *, event: str = "", ts: str = "") -> SlackMessage:
    ts = ts or f"{number}.0"
    return SlackMessage(
        event_id=event or f"Ev{number}", team="T1", channel="C1", ts=ts, thread_ts=ts, user_id="U1", text="やあ", mentioned=True
    )


@requirement("C6")
async def test_the_same_event_and_the_same_message_are_taken_once_also_after_a_restart(engine: sa.Engine) -> None:
    first = Inbox(Store(engine))
    assert await first.take(message(1))
    assert not await first.take(message(1))
    assert not await first.take(message(2, ts="1.0"))  # another event about the same message
    restarted = Inbox(Store(engine))
    assert not await restarted.take(message(1))
    assert not await restarted.take(message(3, event="Ev1"))  # the same event about another: Slack never does that
    assert await restarted.take(message(4))
    assert [entry.message.ts for entry in await restarted.open()] == ["1.0", "4.0"]


@requirement("C6")
async def test_a_burst_is_written_in_few_transactions_and_everybody_is_told_their_own_result(engine: sa.Engine) -> None:
    inbox, transactions, results = Inbox(Store(engine)), list[int](), dict[int, bool]()
    sa.event.listen(engine, "commit", lambda _connection: transactions.append(1))
    assert await inbox.take(message(7))

    async def take(number: int) -> None:
        results[number] = await Inbox.take(inbox, message(number))

    async with anyio.create_task_group() as group:
        for number in range(100):
            group.start_soon(take, number)
    assert [number for number, taken in results.items() if not taken] == [7]
    assert len(transactions) < 20


async def test_when_the_database_fails_everybody_who_waits_is_told_and_may_come_again(engine: sa.Engine) -> None:
    broken, errors = [True], list[str]()
    store = Store(engine, patience_s=0.0)

    def fail(*_: object) -> None:
        if broken[0]:
            raise sa.exc.OperationalError("insert", None, Exception("the disk is full"))

    sa.event.listen(engine, "before_cursor_execute", fail)
    inbox = Inbox(store)

    async def take(number: int) -> None:
        try:
            await inbox.take(message(number))
        except StoreError as error:
            errors.append(str(error))

    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(take, number)
    assert len(errors) == 3
    broken[0] = False
    assert [await inbox.take(message(number)) for number in range(3)] == [True, True, True]


async def test_requests_move_and_are_counted_by_thread(engine: sa.Engine) -> None:
    inbox = Inbox(Store(engine), clock=lambda: 100.0)
    await inbox.take(message(1))
    await inbox.take(message(2), refused="not on the list")
    await inbox.move("slack-C1-1.0", "answered")
    assert await inbox.open() == []
    assert await inbox.knows("C1", "1.0")
    assert not await inbox.knows("C1", "2.0")
    assert await inbox.count_since("C1", "1.0", 99.0) == 1
    assert await inbox.count_since("C1", "1.0", 101.0) == 0
    refused = await inbox.get("slack-C1-2.0")
    assert refused is not None
    assert refused.note == "not on the list"


@pytest.mark.postgres
@NEEDED
def test_on_postgresql_it_is_the_same(postgres_server: Server) -> None:
    async def use(engine: sa.Engine) -> None:
        store = Store(engine)
        inbox, history = Inbox(store), ConversationHistory(store, "default")
        assert [await inbox.take(message(1)), await Inbox(store).take(message(2, ts="1.0")), await inbox.take(message(4))] == [
            True,
            False,
            True,
        ]
        posts = Posts(SlackApi(AsyncWebClient(retry_handlers=[])), store, bot_id="B1")
        await posts.note("run-1/answer", PostLocation(channel="C1"), "sending")
        await posts.note("run-1/answer", PostLocation(channel="C1"), "sent", "2.0")
        assert await posts.known("run-1/answer") == SlackPost(key="run-1/answer", channel="C1", ts="2.0", state="sent")
        await history.add("C1/1.0", "run-1", user_id="U1", asked="やあ", answered="はい")
        assert await history.of("C1/1.0") == (UserMessage(text="やあ"), AssistantMessage(text="はい"))

    engine = open_engine(postgres_server.create("chat"))
    migrate(engine, ROOMS)
    anyio.run(use, engine)
    engine.dispose()
