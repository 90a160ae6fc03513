"""The whole of Slack that an app meets, on loopback: the Web API of `slack_web`, Socket Mode, streams, sessions, people who press.

    async with Slack() as slack:
        haruka, general = slack.add_user("haruka"), slack.add_channel("general")
        ...                                            # the app connects with Slack.APP_TOKEN
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        answer = await slack.answer_in(general, ts)    # waits for the bot's words in that thread
        await slack.press(general, message, "jiritsu_approve", haruka)
        await slack.press(general, message, "jiritsu_edit", haruka)
        await slack.submit(haruka, {"text": "雨です"})  # fills the modal that the press opened, and sends it off
        await slack.drop_sockets()                     # unacknowledged events come again on the next connection

An event is delivered until it is acknowledged, over whichever socket is open; `twice=True` delivers it two times from the start.
"""

import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import anyio
from aiohttp import WSMsgType, web

from autonomy.chat.slack.setup.manifest import BOT_SCOPES
from tests.support.slack_web import Call, Channel, Json, Refusal, SlackWeb


@dataclass
class Envelope:
    """One thing Slack tells the app, until the app has said that it arrived."""

    id: str
    body: Json
    sent_at: list[float] = field(default_factory=list)
    acknowledged_at: float | None = None
    answer: Json | None = None


class Slack(SlackWeb):
    """A workspace with an app in it; see the module's text."""

    APP_TOKEN = "xapp-fake"
    SIGNING_SECRET = "shhh"
    STREAM_LIMIT = 12_000
    TRIGGER_S = 3.0
    NEEDED_SCOPES: ClassVar[dict[str, str]] = {
        **SlackWeb.NEEDED_SCOPES,
        "chat.startStream": "chat:write",
        "chat.appendStream": "chat:write",
        "chat.stopStream": "chat:write",
        "chat.postEphemeral": "chat:write",
        "assistant.threads.setStatus": "assistant:write",
        "assistant.threads.setSuggestedPrompts": "assistant:write",
        "agents.sessions.setStatus": "assistant:write",
    }

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self.scopes[self.BOT_TOKEN] |= set(BOT_SCOPES)
        self.scopes[self.APP_TOKEN] = {"connections:write"}
        self.envelopes: list[Envelope] = []
        self.statuses: list[tuple[float, str, str, str]] = []
        """When, channel, thread, status."""
        self.whispers: list[Json] = []
        self.prompts: list[Json] = []
        self.homes: dict[str, Json] = {}
        """The Home tab of each person."""
        self.modals: dict[str, Json] = {}
        """The modal that each person has open."""
        self._triggers: dict[str, tuple[str, float]] = {}
        """What may open a modal, for whom, and since when."""
        self.streaming: set[tuple[str, str]] = set()
        self.connections = 0
        self._sockets: list[web.WebSocketResponse] = []
        self._events = itertools.count(1)
        self._changed = anyio.Event()

    def routes(self) -> list[web.RouteDef]:
        """The Web API, and the socket."""
        return [*super().routes(), web.get("/link", self._link)]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        """As in the Web API; every answer tells the scopes of the token, and whoever waits looks again."""
        try:
            response = await super()._handle(request)
        finally:
            self._tell()
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        response.headers["X-OAuth-Scopes"] = ",".join(sorted(self.scopes.get(token, ())))
        return response

    # ---- Socket Mode

    def on_apps_connections_open(self, call: Call) -> Json:
        if call.token != self.APP_TOKEN:
            raise Refusal("not_allowed_token_type")
        return {"url": f"ws://127.0.0.1:{self.port}/link?ticket={next(self._ids)}"}

    async def _link(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        self.connections += 1
        await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {"app_id": self.APP_ID}})
        self._sockets.append(socket)
        self._tell()
        for envelope in [one for one in self.envelopes if one.acknowledged_at is None]:
            await self._send(socket, envelope)
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                self._take_answer(json.loads(message.data))
        if socket in self._sockets:
            self._sockets.remove(socket)
        return socket

    def _take_answer(self, data: Json) -> None:
        for envelope in self.envelopes:
            if envelope.id == data.get("envelope_id") and envelope.acknowledged_at is None:
                envelope.acknowledged_at = self.clock()
                envelope.answer = data.get("payload")
        self._tell()

    async def _send(self, socket: web.WebSocketResponse, envelope: Envelope) -> None:
        attempt = len(envelope.sent_at)
        envelope.sent_at.append(self.clock())
        more = {"retry_attempt": attempt, "retry_reason": "timeout"} if attempt else {}
        try:
            await socket.send_json({"envelope_id": envelope.id, "accepts_response_payload": False, **envelope.body, **more})
        except (ConnectionError, RuntimeError):
            envelope.sent_at.pop()

    async def deliver(self, kind: str, payload: Json, *, twice: bool = False) -> Envelope:
        """Tell the app something, over the socket that is open or the next one."""
        envelope = Envelope(f"env-{next(self._events)}", {"type": kind, "payload": payload})
        self.envelopes.append(envelope)
        for _ in range(2 if twice else 1):
            if self._sockets:
                await self._send(self._sockets[-1], envelope)
        return envelope

    async def drop_sockets(self, *, politely: bool = False) -> None:
        """Close every connection: with the notice Slack gives before it refreshes one, or as a broken line."""
        for socket in list(self._sockets):
            self._sockets.remove(socket)
            if politely:
                await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})
            else:
                await socket.close()

    # ---- what people do

    async def event(self, event: Json, *, twice: bool = False, **more: Any) -> Envelope:
        """An event of the Events API."""
        body = {"type": "event_callback", "team_id": self.TEAM_ID, "api_app_id": self.APP_ID, "event_time": int(self.clock())}
        return await self.deliver(
            "events_api", {**body, "event_id": f"Ev{next(self._events):06}", "event": event, **more}, twice=twice
        )

    async def mention(self, channel: str, user: str, text: str, *, twice: bool = False, **more: Any) -> str:
        """Somebody mentions the bot: Slack tells it as two events."""
        said = f"<@{self.BOT_USER}> {text}"
        ts = self.say(channel, user, said, **more)
        event = {"user": user, "text": said, "ts": ts, "channel": channel, "team": self.TEAM_ID, **more}
        await self.event({**event, "type": "app_mention"}, twice=twice)
        await self.event({**event, "type": "message", "channel_type": "channel"}, twice=twice)
        return ts

    async def message(self, channel: str, user: str, text: str, **more: Any) -> str:
        """Somebody says something, in a channel, a thread (`thread_ts`) or a direct message."""
        ts = self.say(channel, user, text, **{key: value for key, value in more.items() if key == "thread_ts"})
        kind = "im" if self.channels[channel].with_user else "channel"
        event = {"type": "message", "channel_type": kind, "user": user, "text": text, "ts": ts, "channel": channel}
        await self.event({**event, "team": self.TEAM_ID, **more})
        return ts

    async def edit(self, channel: str, ts: str, text: str) -> Envelope:
        """Somebody gives a message other words; with the same ones it is Slack, which adds a preview."""
        message = self._message(self.channels[channel], ts)
        before = dict(message)
        message["text"] = text
        return await self.event(
            {"type": "message", "subtype": "message_changed", "channel": channel, "channel_type": "channel", "hidden": True,
             "ts": self.new_ts(), "message": message, "previous_message": before}
        )  # fmt: skip

    async def delete(self, channel: str, ts: str) -> Envelope:
        """Somebody deletes a message; in a thread Slack keeps its place."""
        message = self._message(self.channels[channel], ts)
        return await self.event(
            {"type": "message", "subtype": "message_deleted", "channel": channel, "channel_type": "channel", "hidden": True,
             "ts": self.new_ts(), "deleted_ts": ts, "previous_message": dict(message)}
        )  # fmt: skip

    async def press(self, channel: str, message: Json, action_id: str, user: str, *, value: str = "", team: str = "") -> Envelope:
        """Somebody presses a button of a message."""
        value = value or self._button(message, action_id)["value"]
        team = team or self.TEAM_ID
        payload = {
            "type": "block_actions",
            "user": {"id": user, "team_id": team},
            "team": {"id": team},
            "api_app_id": self.APP_ID,
            "trigger_id": self._trigger(user),
            "channel": {"id": channel},
            "message": message,
            "container": {"type": "message", "channel_id": channel, "message_ts": message["ts"]},
            "actions": [{"action_id": action_id, "block_id": "b", "type": "button", "value": value}],
        }
        return await self.deliver("interactive", payload)

    async def open_home(self, user: str, tab: str = "home") -> Json:
        """Somebody opens the app; gives the tab as it is then shown."""
        self.homes.pop(user, None)
        await self.event({"type": "app_home_opened", "user": user, "channel": "D1", "tab": tab, "event_ts": self.new_ts()})
        view: Json = await self.until(lambda: self.homes.get(user))
        return view

    async def press_at_home(
        self, action_id: str, value: str, user: str, *, shows: Callable[[Json], bool] = lambda _tab: True
    ) -> Json:
        """Somebody presses a button of his Home tab; gives the tab as it is then shown.

        `shows`: what to wait for, since on a slow machine an event that Slack sends again publishes the tab of before once more.
        """
        view = self.homes.pop(user)
        payload = {
            "type": "block_actions",
            "user": {"id": user, "team_id": self.TEAM_ID},
            "team": {"id": self.TEAM_ID},
            "api_app_id": self.APP_ID,
            "trigger_id": self._trigger(user),
            "view": {**view, "id": "V1"},
            "container": {"type": "view", "view_id": "V1"},
            "actions": [{"action_id": action_id, "block_id": "b", "type": "button", "value": value}],
        }
        await self.deliver("interactive", payload)
        shown: Json = await self.until(lambda: (tab := self.homes.get(user)) and shows(tab) and tab)
        return shown

    async def modal_of(self, user: str) -> Json:
        """Wait for the modal that a press opens."""
        view: Json = await self.until(lambda: self.modals.get(user))
        return view

    async def submit(self, user: str, changes: dict[str, str], *, team: str = "") -> dict[str, str]:
        """Somebody changes fields of his modal, by their labels, and sends it off; gives what Slack shows beside the fields, by
        label, and closes the modal when there is nothing."""
        view = await self.modal_of(user)
        inputs = {block["block_id"]: block for block in view["blocks"] if block["type"] == "input"}
        labels = {block_id: block["label"]["text"] for block_id, block in inputs.items()}
        assert set(changes) <= set(labels.values()), f"the modal has {sorted(labels.values())}"
        values = {one: {"value": _filled(block["element"], changes.get(labels[one]))} for one, block in inputs.items()}
        payload = {
            "type": "view_submission",
            "user": {"id": user, "team_id": team or self.TEAM_ID},
            "team": {"id": team or self.TEAM_ID},
            "api_app_id": self.APP_ID,
            "view": {**view, "state": {"values": values}},
        }
        envelope = await self.deliver("interactive", payload)
        await self.until(lambda: envelope.acknowledged_at)
        answer = envelope.answer or {}
        if answer.get("response_action") == "errors":
            assert set(answer["errors"]) <= set(inputs), "Slack shows errors beside inputs only"
            return {labels[block_id]: problem for block_id, problem in answer["errors"].items()}
        assert not answer, f"Slack knows no such answer to a view: {answer}"
        del self.modals[user]
        return {}

    async def slash(self, user: str, text: str, *, team: str = "") -> str:
        """Somebody types `/jiritsu TEXT`; gives what he alone is shown."""
        payload = {"command": "/jiritsu", "text": text, "user_id": user, "team_id": team or self.TEAM_ID, "channel_id": "C1"}
        envelope = await self.deliver("slash_commands", payload)
        answer: Json = await self.until(lambda: envelope.answer)
        assert answer["response_type"] == "ephemeral"
        return str(answer["text"])

    async def stop_agent(self, channel: str, thread_ts: str, user: str) -> Envelope:
        """Somebody presses Stop."""
        event = {"type": "agent_session_stopped", "channel": channel, "user": user, "thread_ts": thread_ts}
        return await self.event({**event, "streaming_message_ts": [], "event_ts": self.new_ts()})

    def signed(self, body: str, *, secret: str = "", at: float | None = None) -> dict[str, str]:
        """The headers that Slack sends with an HTTP request."""
        stamp = str(int(self.clock() if at is None else at))
        digest = hmac.new((secret or self.SIGNING_SECRET).encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256)
        signature = f"v0={digest.hexdigest()}"
        return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature, "Content-Type": "application/json"}

    # ---- what people see

    def thread(self, channel: str, thread_ts: str) -> list[Json]:
        """What the bot wrote in a thread, oldest first."""
        return [one for one in self.messages(channel) if one.get("thread_ts") == thread_ts and one.get("bot_id")]

    def answered(self, channel: str, thread_ts: str) -> list[Json]:
        """The bot's finished answers in a thread: those with the two thumbs under them."""
        return [one for one in self.thread(channel, thread_ts) if "feedback_buttons" in json.dumps(one.get("blocks", []))]

    async def until(self, seen: Callable[[], Any]) -> Any:
        """Wait until something is to be seen."""
        while not (found := seen()):
            changed = self._changed
            await changed.wait()
        return found

    async def answer_in(self, channel: str, thread_ts: str) -> Json:
        """Wait for the bot's finished answer in a thread."""
        found: list[Json] = await self.until(lambda: self.answered(channel, thread_ts))
        return found[-1]

    @staticmethod
    def words(message: Json) -> str:
        """All that a person reads in a message, streamed text and blocks together."""
        texts = [message.get("streamed", "")]
        for block in message.get("blocks", []):
            text = block.get("text", "")
            texts.append(text if isinstance(text, str) else text.get("text", ""))
            texts += [str(element.get("text", "")) for element in block.get("elements", []) if block["type"] == "context"]
        return "\n".join(text for text in texts if text)

    def _trigger(self, user: str) -> str:
        trigger = f"trigger-{next(self._ids)}"
        self._triggers[trigger] = (user, self.clock())
        return trigger

    def _tell(self) -> None:
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    @staticmethod
    def _button(message: Json, action_id: str) -> Json:
        for block in message.get("blocks", []):
            for element in block.get("elements", []):
                if element.get("action_id") == action_id:
                    return dict(element)
        raise AssertionError(f"the message has no button {action_id}: {message}")

    # ---- streams, sessions, whispers

    def on_chat_startStream(self, call: Call) -> Json:
        channel = self._joined(call["channel"])
        if not call.get("thread_ts"):
            raise Refusal("invalid_arguments")
        if not channel.with_user and not (call.get("recipient_user_id") and call.get("recipient_team_id")):
            raise Refusal("missing_recipient_user_id")
        message = self._add(
            channel.id,
            {"type": "message", "user": self.BOT_USER, "bot_id": self.BOT_ID, "text": "", "thread_ts": call["thread_ts"]},
        )
        message |= {"streamed": "", "tasks": {}}
        self._pour(message, call)
        self.streaming.add((channel.id, message["ts"]))
        return {"channel": channel.id, "ts": message["ts"]}

    def on_chat_appendStream(self, call: Call) -> Json:
        message = self._stream(call)
        if not call.get("chunks") and not call.get("markdown_text"):
            raise Refusal("no_text")
        self._pour(message, call)
        return {"channel": call["channel"], "ts": message["ts"]}

    def on_chat_stopStream(self, call: Call) -> Json:
        message = self._stream(call)
        self._pour(message, call)
        self.streaming.discard((call["channel"], message["ts"]))
        message["blocks"] = call.structure("blocks") or []
        message |= {"metadata": call.structure("metadata")} if call.get("metadata") else {}
        message["text"] = message["streamed"]
        return {"channel": call["channel"], "ts": message["ts"], "message": message}

    def on_chat_update(self, call: Call) -> Json:
        if (call["channel"], call["ts"]) in self.streaming:
            raise Refusal("streaming_state_conflict")
        answer = super().on_chat_update(call)
        if call.get("blocks") is not None:
            answer["message"] |= {"streamed": ""}
        return answer

    def on_chat_postEphemeral(self, call: Call) -> Json:
        self.whispers.append(call.parameters)
        return {"message_ts": self.new_ts()}

    def on_assistant_threads_setStatus(self, call: Call) -> Json:
        self._channel(call["channel_id"])
        self.statuses.append((self.clock(), call["channel_id"], call["thread_ts"], str(call.get("status", ""))))
        return {}

    def on_assistant_threads_setSuggestedPrompts(self, call: Call) -> Json:
        self.prompts.append(call.parameters)
        return {}

    def on_views_publish(self, call: Call) -> Json:
        view = call.structure("view")
        if call["user_id"] not in self.users or view["type"] != "home" or not 0 < len(view["blocks"]) <= 100:
            raise Refusal("invalid_arguments")
        ids = [block["block_id"] for block in view["blocks"] if "block_id" in block]
        if len(ids) != len(set(ids)):
            raise Refusal("invalid_arguments", response_metadata={"messages": ["block_id is not unique"]})
        self.homes[call["user_id"]] = view
        return {"view": view}

    def on_views_open(self, call: Call) -> Json:
        """A modal for whoever pressed within three seconds; a trigger opens one."""
        user, at = self._triggers.pop(call["trigger_id"], ("", 0.0))
        if not user:
            raise Refusal("invalid_trigger_id")
        if self.clock() - at > self.TRIGGER_S:
            raise Refusal("expired_trigger_id")
        view = call.structure("view")
        if problems := _problems_of_modal(view):
            raise Refusal("invalid_arguments", response_metadata={"messages": problems})
        self.modals[user] = {**view, "id": f"V{next(self._ids)}", "team_id": self.TEAM_ID}
        return {"view": self.modals[user]}

    def on_agents_sessions_setStatus(self, call: Call) -> Json:
        if call["status"] not in ("active", "processing", "suspended", "closed"):
            raise Refusal("invalid_arguments")
        return {}

    def expire_streams(self) -> None:
        """Close every stream as Slack does after a silence."""
        self.streaming.clear()

    def _stream(self, call: Call) -> Json:
        message = self._message(self._joined(call["channel"]), call["ts"])
        if (call["channel"], call["ts"]) not in self.streaming:
            raise Refusal("message_not_in_streaming_state")
        return message

    def _pour(self, message: Json, call: Call) -> None:
        for chunk in call.structure("chunks") or []:
            match chunk["type"]:
                case "markdown_text":
                    message["streamed"] += chunk["text"]
                case "task_update":
                    if chunk["status"] not in ("pending", "in_progress", "complete", "error"):
                        raise Refusal("invalid_arguments")
                    message["tasks"][chunk["id"]] = {**message["tasks"].get(chunk["id"], {}), **chunk}
                case other:
                    raise Refusal("invalid_arguments", response_metadata={"messages": [f"chunk {other}"]})
        if len(message["streamed"]) > self.STREAM_LIMIT:
            raise Refusal("msg_too_long")


def _problems_of_modal(view: Json) -> list[str]:
    """What Slack would not take of a modal (docs.slack.dev/reference/views, /reference/block-kit)."""
    ids = [block["block_id"] for block in view["blocks"] if "block_id" in block]
    inputs = [block for block in view["blocks"] if block["type"] == "input"]
    texts = [(view["title"], 24), (view["close"], 24), (view.get("submit"), 24), *((one["label"], 2_000) for one in inputs)]
    texts += [(one["hint"], 2_000) for one in inputs if "hint" in one]
    wrong = {
        "type": view["type"] != "modal",
        "blocks": not 0 < len(view["blocks"]) <= 100 or len(ids) != len(set(ids)),
        "block_id": any(len(one) > 255 for one in ids),
        "submit": bool(inputs) and "submit" not in view,
        "private_metadata": len(view.get("private_metadata", "")) > 3_000,
        "text": any(text["type"] != "plain_text" or not 0 < len(text["text"]) <= most for text, most in texts if text),
        "element": not all(_is_taken(block["element"]) for block in inputs),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def _is_taken(element: Json) -> bool:
    if element["type"] == "plain_text_input":
        return 0 < len(element.get("initial_value", "x")) <= 3_000
    options = element["options"]
    sizes = all(0 < len(one["text"]["text"]) <= 75 and 0 < len(one["value"]) <= 150 for one in options)
    return 0 < len(options) <= 100 and sizes and element.get("initial_option", options[0]) in options


def _filled(element: Json, change: str | None) -> Json:
    """What the state of a view says of an input: nothing typed is null, as Slack has it."""
    if element["type"] == "plain_text_input":
        return {"type": "plain_text_input", "value": (element.get("initial_value") if change is None else change) or None}
    if element["type"] == "checkboxes":
        ticked = element.get("initial_options", []) if change is None else [o for o in element["options"] if o["value"] == change]
        return {"type": "checkboxes", "selected_options": ticked}
    chosen = element.get("initial_option") if change is None else next(o for o in element["options"] if o["value"] == change)
    return {"type": "static_select", "selected_option": chosen}


def log_of(slack: Slack, channel: Channel) -> str:
    """A conversation as a person would retell it: who said what, cards, buttons and all."""
    names = {user_id: user["name"] for user_id, user in slack.users.items()}
    lines = []
    for message in channel.messages:
        who = names.get(message["user"], message["user"])
        indent = "    " if message.get("thread_ts") and message["thread_ts"] != message["ts"] else ""
        lines.append(f"{indent}**{who}**")
        for task in message.get("tasks", {}).values():
            mark = {"complete": "✓", "error": "✗"}.get(task["status"], "…")
            lines.append(f"{indent}  [{mark} {task['title']}{': ' + task['details'] if task.get('details') else ''}]")
        body = slack.words(message) if message.get("bot_id") else message["text"]
        for line in body.splitlines():
            lines.append(f"{indent}  {line}")
        for block in message.get("blocks", []):
            if block["type"] == "actions":
                lines.append(indent + "  " + " ".join(f"[{one['text']['text']}]" for one in block["elements"]))
            if block["type"] == "context_actions":
                lines.append(indent + "  [👍] [👎]")
        lines.append("")
    return "\n".join(lines)
