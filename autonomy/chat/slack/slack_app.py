"""The Slack app: listeners for mentions, messages, buttons and Stop; the only file that imports Bolt.

Each listener stores what is to be done before Slack is acknowledged (`process_before_response`); `inbox_worker` answers, and
`approval_notifier` shows questions. Socket Mode is the default; over HTTP Slack's signature is checked.
"""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from copy import copy
from dataclasses import dataclass
from typing import Any

import anyio
import sqlalchemy as sa
from cachetools import LRUCache
from mcp.server.transport_security import RequestBodyLimitMiddleware
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.adapter.starlette.async_handler import AsyncSlackRequestHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from autonomy.chat.chat_service import ChatService
from autonomy.chat.slack import blocks
from autonomy.chat.slack.approval_cards import ApprovalCards
from autonomy.chat.slack.approval_notifier import ApprovalNotifier
from autonomy.chat.slack.authorization import Authorization, NotTakenOn, SlackSettings
from autonomy.chat.slack.edit_view import EDITED
from autonomy.chat.slack.events.request_form import Editing, is_in_form
from autonomy.chat.slack.events.slack_event import BotIdentity, MessageChange, SlackMessage, read_change, read_event
from autonomy.chat.slack.home import SWITCH, HomeTab
from autonomy.chat.slack.inbox import OPEN, Inbox
from autonomy.chat.slack.inbox_worker import InboxWorker
from autonomy.chat.slack.live_answer import LiveAnswers
from autonomy.chat.slack.people import People
from autonomy.chat.slack.posts import Posts
from autonomy.chat.slack.slack_api import SlackApi, SlackAway, SlackRequestFailed, socket_address, web_client, who_am_i
from autonomy.durable.approval_store import Approvals
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from discovery.servers.network import proxy_of
from metrics.events import EventSink, FeedbackGiven

log = logging.getLogger(__name__)


LOOP_WINDOW_S = 600.0

LARGEST_EVENT = 4_000_000
"""Bytes of an event over HTTP; Slack's own are below one megabyte."""

LONGEST_STAMP = 12
"""Digits of the time at which Slack signed a request."""

CONNECTED_S = 30.0
"""How long connecting may take once Slack has said where."""

LOOKED_AFTER_S = 60.0
"""How often it is asked whether the connection stands: Slack gives a new one in seconds, and counts how often it is asked."""

COMMAND = "/jiritsu"

Json = dict[str, Any]
Sleep = Callable[[float], Awaitable[None]]
OnMessage = Callable[[str, str, str, str], Awaitable[object]]
"""Takes the channel, the time stamp, who wrote it and the text."""


@dataclass(frozen=True)
class SlackServices:
    """The services that the Slack app works with."""

    service: ChatService
    engine: sa.Engine
    approvals: Approvals
    records: RunRecords
    live_answers: LiveAnswers
    journal: EventSink
    on_other_message: OnMessage | None = None
    """Called with messages in channels that are not for us: some start a job."""


@asynccontextmanager
async def open_slack(
    settings: SlackSettings, services: SlackServices, *, sleep: Sleep = anyio.sleep
) -> AsyncIterator["SlackApp"]:
    """Open the app, connected to the Web API and answering requests.

    Raises `ConfigError` when the token is refused, `SlackAway` when Slack cannot be reached.
    """
    async with web_client(settings.api_url, settings.bot_token.get_secret_value()) as client:
        api = SlackApi(client, sleep=sleep)
        me = await who_am_i(api)
        away: SlackAway | None = None
        async with anyio.create_task_group() as group:
            app = SlackApp(settings, services, client, api, me, sleep)
            group.start_soon(app.worker.work)
            group.start_soon(app.notifier.work)
            try:
                yield app
            except SlackAway as error:  # raised again outside of the task group, which would wrap it
                away = error
            group.cancel_scope.cancel()
        if away is not None:
            raise away


class SlackApp:
    """Bolt's listeners, and the two ways in which Slack reaches them."""

    def __init__(
        self,
        settings: SlackSettings,
        services: SlackServices,
        client: AsyncWebClient,
        api: SlackApi,
        me: BotIdentity,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self._settings, self._services, self._client, self._api, self._me = settings, services, client, api, me
        self._sleep = sleep
        store, config = Store(services.engine), services.service.config
        self._tenant = config.tenant
        self._inbox, self._authorization = Inbox(store), Authorization(settings, me)
        posts, self._people = Posts(api, store, bot_id=me.bot_id, sleep=sleep), People(api)
        cards = ApprovalCards(services.records, self._people, settings.console_url)
        self.worker = InboxWorker(
            services.service,
            self._inbox,
            posts,
            services.live_answers,
            self._people,
            self._authorization,
            self._tell_refused,
            settings.lanes,
            sleep,
        )
        self.notifier = ApprovalNotifier(
            posts=posts,
            inbox=self._inbox,
            approvals=services.approvals,
            records=services.records,
            authorization=self._authorization,
            config=config,
            cards=cards,
            sleep=sleep,
        )
        self.home = HomeTab(
            api=api,
            approvals=services.approvals,
            records=services.records,
            schedules=Schedules(store),
            authorization=self._authorization,
            config=config,
            cards=cards,
        )
        self._taking = anyio.Lock()
        self._deleted: LRUCache[str, bool] = LRUCache(1_000)
        """Messages that were deleted before they were taken on."""
        self.bolt = self._listening()

    # ---- how Slack reaches us

    async def listen(self) -> None:
        """Socket Mode, until cancelled: no address of ours has to be reachable.

        Raises `ConfigError` when the token is refused, `SlackAway` when there is no connection. A broken one is made again.
        """
        address = await socket_address(self._client, self._settings.app_token.get_secret_value())
        handler = AsyncSocketModeHandler(
            self.bolt,
            self._settings.app_token.get_secret_value(),
            web_client=self._client,
            ping_interval=self._settings.ping_interval_s,
        )
        handler.client.wss_uri = address
        handler.client.proxy = proxy_of(address) or None  # see `web_client`
        try:
            with anyio.fail_after(CONNECTED_S):  # by itself Bolt would try an address that has expired for ever
                await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt leaves it untyped
            while True:  # a line that breaks Bolt mends by itself, but says nowhere that Slack no longer takes the token
                await self._sleep(LOOKED_AFTER_S)
                if not await handler.client.is_connected():
                    with suppress(SlackAway):
                        await socket_address(self._client, self._settings.app_token.get_secret_value())
        except TimeoutError as error:
            raise SlackAway(f"no websocket within {CONNECTED_S:.0f} s from {address.partition('?')[0]}") from error
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                await handler.close_async()  # type: ignore[no-untyped-call]  # as above

    def web_app(self) -> Starlette:
        """HTTP mode: `POST /slack/events` takes events and interactions, signed by Slack."""
        handler, verifier = (
            AsyncSlackRequestHandler(self.bolt),
            SignatureVerifier(self._settings.signing_secret.get_secret_value()),
        )

        async def handle(request: Request) -> Response:
            # Bolt reads what a stranger sent before it looks who did, and fails in place of refusing
            stamp, signature = (request.headers.get(f"x-slack-{name}", "") for name in ("request-timestamp", "signature"))
            is_readable = stamp.isascii() and stamp.isdigit() and len(stamp) <= LONGEST_STAMP and signature.isascii()
            if not is_readable:
                return Response(status_code=401)
            try:
                sent = await request.body()
                if not verifier.is_valid(sent, stamp, signature):
                    return Response(status_code=401)
                if is_in_form(AsyncBoltRequest(body=sent.decode(), headers=dict(request.headers)).body):
                    return await handler.handle(request)
                log.warning("a request over HTTP has not the form of Slack's")
                return Response(status_code=400)
            except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
                # what a listener raises Bolt answers by itself, so it was the body that could not be read
                log.warning("a request over HTTP is none of Slack's: %s", type(error).__name__)
                return Response(status_code=400)

        # Bolt reads all of a body before it looks who sent it
        bounded = Middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_EVENT)
        return Starlette(routes=[Route("/slack/events", handle, methods=["POST"])], middleware=[bounded])

    # ---- what we listen to

    def _listening(self) -> AsyncApp:
        """Bolt's app with our listeners. The bot's identity is known, so that no event asks Slack for it."""
        identity = AuthorizeResult(
            enterprise_id=None,
            team_id=self._me.team_id,
            bot_user_id=self._me.user_id,
            bot_id=self._me.bot_id,
            bot_token=self._client.token,
        )

        async def authorize() -> AuthorizeResult:
            return identity

        client = copy(self._client)
        client.token = None
        bolt = AsyncApp(
            name="jiritsu",
            client=client,
            authorize=authorize,
            signing_secret=self._settings.signing_secret.get_secret_value(),
            process_before_response=True,
            attaching_function_token_enabled=False,
            attaching_conversation_kwargs_enabled=False,
            logger=_bolt_log(),
        )
        for name in ("message", "app_mention"):
            bolt.event(name)(self._on_message)
        bolt.event("app_home_opened")(self._on_home)
        bolt.event("agent_session_stopped")(self._on_stop)
        bolt.action(blocks.APPROVE)(self._on_button)
        bolt.action(blocks.DENY)(self._on_button)
        bolt.action(blocks.EDIT)(self._on_edit)
        bolt.view(EDITED)(self._on_edited)
        bolt.action(blocks.FEEDBACK)(self._on_feedback)
        bolt.action(SWITCH)(self._on_switch)
        bolt.command(COMMAND)(self._on_command)
        return bolt

    async def _on_message(self, body: Json) -> None:
        if (change := read_change(body)) is not None:
            await self._on_change(change)
            return
        message = read_event(body, self._me)
        if message is None:
            return
        is_for_us, on_other = await self._is_for_us(message), self._services.on_other_message
        if not is_for_us and on_other is None:
            return
        is_guest = not message.bot and (await self._people.reader(message.user_id)).is_guest
        if not is_for_us:
            if on_other is not None and not self._authorization.refusal(message, is_guest=is_guest):
                await on_other(message.channel, message.ts, message.user_id, message.text)
            return
        async with self._taking:  # of two that come at once, the second counts the first
            refused = self._authorization.refusal(message, is_guest=is_guest) or await self._too_many(message)
            if message.run_id in self._deleted or not await self._inbox.take(message, refused=refused.why if refused else ""):
                return
        if refused is None:
            self.worker.begin(message)
            return
        await self._tell_refused(message, refused)

    async def _tell_refused(self, message: SlackMessage, refused: NotTakenOn) -> None:
        log.warning("%s is not taken on: %s", message.run_id, refused.why)
        if not message.bot and (message.addressed or refused.phrase == "too_many"):  # whoever talks to others asked us nothing
            thread = message.thread_ts if message.follows_up else None  # in a thread that is none yet, Slack would show nothing
            language = await self.notifier.language_of(message.user_id)
            await self._post_ephemeral(message.user_id, blocks.word(refused.phrase, language), message.channel, thread)

    async def _on_change(self, change: MessageChange) -> None:
        """Cancel the run of a request that is deleted; one that is edited goes on, and its author is told so."""
        async with self._taking:
            entry = await self._inbox.get(change.run_id)
            if entry is None and change.deleted:  # after a lost connection Slack tells of both at once
                self._deleted[change.run_id] = True
        if entry is None or entry.state not in OPEN:
            return
        message = entry.message
        if change.deleted:
            await self.worker.take_back(entry)
            return
        thread = message.thread_ts if message.follows_up else None
        text = blocks.word("edited_too_late", await self.notifier.language_of(message.user_id))
        await self._post_ephemeral(message.user_id, text, message.channel, thread)

    async def _is_for_us(self, message: SlackMessage) -> bool:
        """Whether a message is addressed to us, or follows up in one of our threads and is not addressed to somebody else."""
        if message.addressed:
            return True
        to_another = message.text.startswith("<@")
        return message.follows_up and not to_another and await self._inbox.knows(message.channel, message.thread_ts)

    async def _too_many(self, message: SlackMessage) -> NotTakenOn | None:
        since = time.time() - LOOP_WINDOW_S
        recent = await self._inbox.count_since(message.channel, message.thread_ts, since) if message.follows_up else 0
        if recent < self._settings.runs_per_thread:
            return None
        return NotTakenOn(phrase="too_many", why=f"{recent} requests in one thread within ten minutes")

    async def _on_stop(self, event: Json) -> None:
        """The Stop button beside an agent that is working."""
        channel, thread_ts, user_id = str(event["channel"]), str(event["thread_ts"]), str(event["user"])
        going = await self._inbox.open_in(channel, thread_ts)
        if any(self._authorization.may_stop(user_id, entry.message.user_id) for entry in going):
            await self.worker.stop(channel, thread_ts, by=user_id)

    async def _on_button(self, ack: Any, body: Json, action: Json) -> None:
        user_id, team = _who_pressed(body)
        problem = await self.notifier.press(str(action["value"]), user_id, team, granted=action["action_id"] == blocks.APPROVE)
        await ack()
        await self._show_outcome(body, user_id, team, problem)

    async def _on_edit(self, ack: Any, body: Json, action: Json) -> None:
        """Open the arguments in a modal, within the three seconds for which its trigger is valid."""
        user_id, team = _who_pressed(body)
        view, problem = await self.notifier.form(str(action["value"]), user_id, team, at_home=_is_at_home(body))
        if view is not None:
            try:
                await self._api.write("views.open", trigger_id=str(body["trigger_id"]), view=view)
            except SlackRequestFailed as error:
                log.info("the form for %s was not opened: %s", user_id, error)
                problem = blocks.word("too_slow", await self.notifier.language_of(user_id))
        await ack()
        await self._show_outcome(body, user_id, team, problem)

    async def _on_edited(self, ack: Any, body: Json, view: Json) -> None:
        """Submit a filled modal: it closes when the question is answered, else it stays and shows the errors."""
        user_id, team = _who_pressed(body)
        editing = Editing.model_validate_json(view["private_metadata"])
        if errors := await self.notifier.submit(editing, view["state"]["values"], user_id, team):
            await ack(response_action="errors", errors=errors)
            return
        await ack()
        if editing.at_home:
            await self._show_home(user_id, team)

    async def _on_switch(self, ack: Any, body: Json, action: Json) -> None:
        """A job's switch in the Home tab; pressing it twice changes nothing."""
        user_id, team = _who_pressed(body)
        state, _, job = str(action["value"]).partition(":")
        message = await (await self.home.read_by(user_id)).switch(job, user_id, team, on=state == "on")
        await ack()
        log.info("%s: %s", user_id, message)
        await self._show_home(user_id, team)

    async def _on_command(self, ack: Any, body: Json) -> None:
        """`/jiritsu …`: answered to whoever typed it."""
        user_id = str(body["user_id"])
        home = await self.home.read_by(user_id)
        message = await home.command(str(body.get("text") or ""), user_id, str(body.get("team_id") or ""))
        await ack(text=message, response_type="ephemeral")

    async def _show_outcome(self, body: Json, user_id: str, team: str, problem: str) -> None:
        """Redraw the Home tab after a press in it; after one elsewhere, tell whoever pressed what went wrong."""
        if _is_at_home(body):
            await self._show_home(user_id, team)
        elif problem:
            await self._reply_ephemeral(body, user_id, problem)

    async def _show_home(self, user_id: str, team: str) -> None:
        try:
            await (await self.home.read_by(user_id)).publish(user_id, team)
        except SlackRequestFailed as error:
            log.info("the Home tab of %s was not shown: %s", user_id, error)

    async def _on_feedback(self, ack: Any, body: Json, action: Json) -> None:
        """Record a thumb of somebody who may ask as an event of the run; the last one of each person counts."""
        kind, _, run_id = str(action["value"]).partition(":")
        by, team = _who_pressed(body)
        is_guest = (await self._people.reader(by)).is_guest
        if not self._authorization.may_ask(by, team, is_guest=is_guest):
            await ack()
            await self._reply_ephemeral(body, by, blocks.word("no_rating", await self.notifier.language_of(by)))
            return
        at = time.time()
        key = f"feedback/{by}/{action.get('action_ts') or at}"
        feedback = FeedbackGiven(run_id=run_id, key=key, at=at, tenant=self._tenant, by=by, good=kind == "good")
        await self._services.journal.write([feedback])
        await ack()
        await self._reply_ephemeral(body, by, blocks.word("thanks", await self.notifier.language_of(by)))

    async def _on_home(self, body: Json, event: Json) -> None:
        """Show the Home tab, or suggest prompts in a new conversation."""
        if event.get("tab") == "home":
            await self._show_home(str(event["user"]), str(body.get("team_id") or ""))
        if event.get("tab") != "messages":
            return
        try:
            await self._api.repeat(
                "assistant.threads.setSuggestedPrompts",
                channel_id=event["channel"],
                prompts=suggestions(await self.notifier.language_of(str(event["user"]))),
            )
        except SlackRequestFailed as error:
            log.info("no suggestions: %s", error)

    async def _reply_ephemeral(self, body: Json, user_id: str, text: str) -> None:
        """Tell whoever pressed, and nobody else."""
        message, channel = body.get("message") or {}, body.get("channel") or {}
        await self._post_ephemeral(user_id, text, channel.get("id"), message.get("thread_ts"))

    async def _post_ephemeral(self, user_id: str, text: str, channel: str | None, thread_ts: str | None) -> None:
        """Tell one person, without leaving a trace in the channel."""
        try:
            await self._api.write("chat.postEphemeral", user=user_id, text=text, channel=channel, thread_ts=thread_ts)
        except SlackRequestFailed as error:
            log.info("%s was not told: %s", user_id, error)


def _is_at_home(body: Json) -> bool:
    return bool((body.get("view") or {}).get("type") == "home")


def _who_pressed(body: Json) -> tuple[str, str]:
    """The person and the team of a press."""
    team = str((body.get("user") or {}).get("team_id") or (body.get("team") or {}).get("id") or "")
    return str(body["user"]["id"]), team


def _bolt_log() -> logging.Logger:
    """Bolt's logger at ERROR: it warns of tokens in the environment, and of every event without a listener."""
    bolt = logging.getLogger("slack_bolt.jiritsu")
    bolt.setLevel(logging.ERROR)
    return bolt


def suggestions(language: str) -> list[dict[str, str]]:
    """The suggested prompts of a new conversation; the manifest has the same."""
    names = ("weather", "messages", "diary")
    return [{key: blocks.word(f"suggested_{name}_{key}", language) for key in ("title", "message")} for name in names]
