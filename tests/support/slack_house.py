"""The Slack app over a fake Slack and a house of test servers, all in this process, over real HTTP and websockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer

from autonomy.chat.chat_service import ChatConfig, ChatService
from autonomy.chat.conversation_history import ConversationHistory
from autonomy.chat.local_runs import LocalRuns
from autonomy.chat.slack.authorization import SlackSettings
from autonomy.chat.slack.live_answer import LiveAnswers
from autonomy.chat.slack.slack_app import OnMessage, SlackApp, SlackServices, open_slack
from autonomy.durable.approval_store import Approvals
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from tests.support.conversation import database
from tests.support.house import House, Listener, house
from tests.support.slack import Slack


async def hurried(seconds: float) -> None:
    """The longer waits in a twentieth of their time."""
    await anyio.sleep(seconds if seconds < 1 else seconds / 20)


@dataclass
class SlackHouse:
    """What a test looks at."""

    slack: Slack
    app: SlackApp
    house: House
    records: RunRecords
    approvals: Approvals


@asynccontextmanager
async def slack_house(
    folder: Path,
    slack: Slack,
    *servers: MCPServer,
    ways: ChatConfig = ChatConfig(),  # noqa: B008 - frozen
    listen: bool = True,
    heard_elsewhere: OnMessage | None = None,
    **given: Any,
) -> AsyncIterator[SlackHouse]:
    """Open the app; `given` are fields of `SlackSettings` or of `Services`, `script` and `model` are the house's."""
    own = {name: given.pop(name) for name in list(given) if name in SlackSettings.model_fields}
    settings = SlackSettings.model_validate(
        {
            "bot_token": slack.BOT_TOKEN,
            "app_token": slack.APP_TOKEN,
            "signing_secret": slack.SIGNING_SECRET,
            "api_url": slack.url,
            "ping_interval_s": 0.2,
            **own,
        }
    )
    stage = LiveAnswers()
    async with database(folder) as engine:
        store = Store(engine)
        approvals, records = Approvals(store, poll_s=0.02), RunRecords(engine)
        heard = Listener()
        means = {"approver": approvals, "watchers": (heard, stage), "listeners": (stage.listener,), **given}
        async with house(*servers, **means) as home:
            service = ChatService(
                LocalRuns(home.executor, records, home.written), ConversationHistory(Store(engine), ways.tenant), ways
            )
            services = SlackServices(service, engine, approvals, records, stage, home.written, heard_elsewhere)
            async with open_slack(settings, services, sleep=hurried) as app, anyio.create_task_group() as group:
                if listen:
                    group.start_soon(app.listen)
                    await slack.until(lambda: slack._sockets)
                yield SlackHouse(slack, app, home, records, approvals)
                group.cancel_scope.cancel()
