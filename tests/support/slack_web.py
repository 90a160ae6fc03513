"""A fake of Slack's Web API on loopback: real HTTP, a small workspace behind it, and able to fail on purpose.

    async with SlackWeb() as slack:
        haruka = slack.add_user("haruka", "佐藤 遥")
        general = slack.add_channel("general")
        slack.say(general, haruka, "おはよう")
        slack.lose_answer("chat.postMessage")          # carries it out, then drops the connection
        slack.rate_limit("conversations.history", 3)   # 429 with Retry-After: 3, once
        ...  # any client, with base URL slack.url and token slack.BOT_TOKEN
        assert [call.method for call in slack.calls] == [...]

Parameters are taken from the query, a form or JSON, as Slack takes them. A method `a.b` is answered by `SlackWeb.on_a_b(call)`: a subclass adds
methods by defining them, and other endpoints (a websocket, say) by extending `routes()`. A refusal is raised as `Refusal`.
"""

import itertools
import json
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from aiohttp import web

Json = dict[str, Any]


class Refusal(Exception):
    """Slack says no: HTTP 200 with `ok: false` (or another status)."""

    def __init__(self, error: str, *, status: int = 200, headers: dict[str, str] | None = None, **more: Any) -> None:
        self.error, self.status, self.headers, self.more = error, status, headers or {}, more
        super().__init__(error)


@dataclass(frozen=True)
class Call:
    """One request as it arrived."""

    method: str
    token: str
    parameters: Json
    verb: str
    content_type: str
    at: float

    def __getitem__(self, name: str) -> Any:
        if self.parameters.get(name) in (None, ""):
            raise Refusal("invalid_arguments", response_metadata={"messages": [f"[ERROR] missing required field: {name}"]})
        return self.parameters[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.parameters.get(name, default)

    def number(self, name: str, default: int) -> int:
        return int(self.parameters.get(name) or default)

    def flag(self, name: str) -> bool:
        return str(self.parameters.get(name, "")).lower() in ("1", "true")

    def structure(self, name: str) -> Any:
        """A value that is JSON inside a form, and itself inside JSON."""
        value = self.parameters.get(name)
        return json.loads(value) if isinstance(value, str) else value


@dataclass
class Fault:
    """What goes wrong the next time a method is called."""

    refusal: Refusal | None = None
    lost: bool = False
    carried_out: bool = False


@dataclass
class Channel:
    """A conversation and its messages, oldest first."""

    id: str
    name: str
    members: list[str] = field(default_factory=list)
    private: bool = False
    archived: bool = False
    with_user: str = ""
    messages: list[Json] = field(default_factory=list)

    def describe(self) -> Json:
        return {
            "id": self.id,
            "name": self.name,
            "is_channel": not self.with_user,
            "is_im": bool(self.with_user),
            "is_private": self.private,
            "is_archived": self.archived,
            "num_members": len(self.members),
            "topic": {"value": ""},
            "purpose": {"value": ""},
        } | ({"user": self.with_user} if self.with_user else {})


class SlackWeb:
    """A workspace that answers the Web API; see the module's text."""

    BOT_TOKEN = "xoxb-fake"
    USER_TOKEN = "xoxp-fake"
    BOT_USER, BOT_ID, APP_ID, TEAM_ID = "U0BOT", "B0BOT", "A0APP", "T0TEAM"
    MAX_TEXT = 40_000
    NEEDED_SCOPES: ClassVar[dict[str, str]] = {
        "chat.postMessage": "chat:write",
        "chat.update": "chat:write",
        "conversations.history": "channels:history",
        "conversations.replies": "channels:history",
        "conversations.list": "channels:read",
        "conversations.open": "im:write",
        "reactions.add": "reactions:write",
        "search.messages": "search:read",
        "usergroups.list": "usergroups:read",
        "usergroups.users.list": "usergroups:read",
        "users.list": "users:read",
        "users.info": "users:read",
    }

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.calls: list[Call] = []
        self.users: dict[str, Json] = {}
        self.channels: dict[str, Channel] = {}
        self.groups: dict[str, Json] = {}
        bot_scopes = {*self.NEEDED_SCOPES.values(), "groups:read"} - {"search:read"}
        self.scopes: dict[str, set[str]] = {self.BOT_TOKEN: bot_scopes, self.USER_TOKEN: {"search:read"}}
        self._faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._ids = itertools.count(1)
        self._last_ts = 0
        self.add_user("jiritsu", "jiritsu", user_id=self.BOT_USER, is_bot=True)

    # ---- starting and stopping

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.add_routes(self.routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port: int = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        """The base URL of the Web API."""
        return f"http://127.0.0.1:{self.port}/api/"

    def routes(self) -> list[web.RouteDef]:
        """The endpoints; a subclass adds its own."""
        return [web.route("*", "/api/{method}", self._handle)]

    # ---- the workspace

    def add_user(self, name: str, real_name: str = "", *, user_id: str = "", **more: Any) -> str:
        user_id = user_id or f"U0{next(self._ids):03}"
        profile = {"real_name": real_name or name, "display_name": "", "email": f"{name}@example.test", "title": ""}
        self.users[user_id] = {"id": user_id, "name": name, "real_name": real_name or name, "tz": "Asia/Tokyo", "deleted": False,
                               "is_bot": False, "profile": profile} | more  # fmt: skip
        return user_id

    def add_channel(
        self, name: str, *, channel_id: str = "", members: Sequence[str] = (), joined: bool = True, private: bool = False
    ) -> str:
        channel_id = channel_id or f"C0{next(self._ids):03}"
        self.channels[channel_id] = Channel(channel_id, name, [*members, *([self.BOT_USER] if joined else [])], private)
        return channel_id

    def add_group(self, handle: str, members: Sequence[str], *, name: str = "", disabled: bool = False) -> str:
        group_id = f"S0{next(self._ids):03}"
        self.groups[group_id] = {
            "id": group_id, "team_id": self.TEAM_ID, "is_usergroup": True, "is_subteam": True, "name": name or handle,
            "description": "", "handle": handle, "is_external": False, "date_create": 1446746793, "date_update": 1446746793,
            "date_delete": 1446748865 if disabled else 0, "auto_type": None, "created_by": self.BOT_USER,
            "updated_by": self.BOT_USER, "deleted_by": self.BOT_USER if disabled else None,
            "prefs": {"channels": [], "groups": []}, "users": list(members), "user_count": str(len(members)),
        }  # fmt: skip
        return group_id

    def open_dm(self, user_id: str) -> str:
        for channel in self.channels.values():
            if channel.with_user == user_id:
                return channel.id
        channel_id = f"D0{next(self._ids):03}"
        self.channels[channel_id] = Channel(channel_id, "", [user_id, self.BOT_USER], with_user=user_id)
        return channel_id

    def say(self, channel_id: str, user_id: str, text: str, **more: Any) -> str:
        """A message written by a person; returns its ts."""
        return str(self._add(channel_id, {"type": "message", "user": user_id, "text": text} | more)["ts"])

    def messages(self, channel_id: str) -> list[Json]:
        """All messages of a channel, replies too, oldest first."""
        return self.channels[channel_id].messages

    def sent(self) -> list[Json]:
        """What the bot posted, in all channels, oldest first."""
        sent = [
            message for channel in self.channels.values() for message in channel.messages if message.get("bot_id") == self.BOT_ID
        ]
        return sorted(sent, key=lambda message: message["ts"])

    # ---- faults

    def refuse(self, method: str, error: str, *, times: int = 1, status: int = 200, **more: Any) -> None:
        """The next calls of a method are refused without effect."""
        self._faults[method].extend(Fault(Refusal(error, status=status, **more)) for _ in range(times))

    def rate_limit(self, method: str, retry_after_s: int, *, times: int = 1) -> None:
        headers = {"Retry-After": str(retry_after_s)}
        self._faults[method].extend(Fault(Refusal("ratelimited", status=429, headers=headers)) for _ in range(times))

    def lose_answer(self, method: str, *, carried_out: bool = True, times: int = 1) -> None:
        """The connection drops in place of the next answers; the call is carried out before that, or not."""
        self._faults[method].extend(Fault(lost=True, carried_out=carried_out) for _ in range(times))

    # ---- answering

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = await self._read(request)
        self.calls.append(call)
        fault = self._faults[call.method].popleft() if self._faults[call.method] else None
        try:
            if fault and fault.refusal:
                raise fault.refusal
            if fault and fault.lost and not fault.carried_out:
                return self._drop(request)
            response = web.json_response({"ok": True, **self.answer(call)})
        except Refusal as refusal:
            body = {"ok": False, "error": refusal.error, **refusal.more}
            response = web.json_response(body, status=refusal.status, headers=refusal.headers)
        return self._drop(request) if fault and fault.lost else response

    def answer(self, call: Call) -> Json:
        """What a method answers, once the token may call it."""
        handler: Callable[[Call], Json] | None = getattr(self, f"on_{call.method.replace('.', '_')}", None)
        if handler is None:
            raise Refusal("unknown_method", req_method=call.method)
        self.authorize(call)
        return handler(call)

    def authorize(self, call: Call) -> None:
        if not call.token:
            raise Refusal("not_authed")
        if call.token not in self.scopes:
            raise Refusal("invalid_auth")
        needed = self.NEEDED_SCOPES.get(call.method)
        if needed and needed not in self.scopes[call.token]:
            if call.method == "search.messages" and call.token.startswith("xoxb-"):
                raise Refusal("not_allowed_token_type")
            raise Refusal("missing_scope", needed=needed, provided=",".join(sorted(self.scopes[call.token])))

    async def _read(self, request: web.Request) -> Call:
        parameters: Json = dict(request.query)
        if request.content_type == "application/json":
            parameters |= await request.json()
        elif request.can_read_body:
            parameters |= dict(await request.post())
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or str(parameters.pop("token", ""))
        return Call(request.match_info["method"], token, parameters, request.method, request.content_type, self.clock())

    @staticmethod
    def _drop(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    # ---- the methods

    def on_api_test(self, call: Call) -> Json:
        return {"args": call.parameters}

    def on_auth_test(self, call: Call) -> Json:
        return {"url": "https://fake.slack.com/", "team": "fake", "team_id": self.TEAM_ID, "user": "jiritsu", "user_id": self.BOT_USER,
                "bot_id": self.BOT_ID}  # fmt: skip

    def on_users_list(self, call: Call) -> Json:
        return self._page(call, "members", list(self.users.values()))

    def on_usergroups_list(self, call: Call) -> Json:
        groups = [one for one in self.groups.values() if call.flag("include_disabled") or not one["date_delete"]]
        hidden = {name for name, flag in (("users", "include_users"), ("user_count", "include_count")) if not call.flag(flag)}
        return {"usergroups": [{name: value for name, value in one.items() if name not in hidden} for one in groups]}

    def on_usergroups_users_list(self, call: Call) -> Json:
        group = self.groups.get(str(call["usergroup"]))
        if group is None or (group["date_delete"] and not call.flag("include_disabled")):
            raise Refusal("no_such_subteam")
        return {"users": group["users"]}

    def on_users_info(self, call: Call) -> Json:
        return {"user": self._user(call["user"])}

    def on_users_profile_get(self, call: Call) -> Json:
        return {"profile": self._user(call.get("user") or self.BOT_USER)["profile"]}

    def on_conversations_list(self, call: Call) -> Json:
        types = call.get("types", "public_channel").split(",")
        if "private_channel" in types and "groups:read" not in self.scopes[call.token]:
            raise Refusal("missing_scope", needed="groups:read")
        channels = [channel for channel in self.channels.values() if self._kind(channel) in types]
        if call.flag("exclude_archived"):
            channels = [channel for channel in channels if not channel.archived]
        return self._page(call, "channels", [channel.describe() for channel in channels])

    def on_conversations_info(self, call: Call) -> Json:
        return {"channel": self._channel(call["channel"]).describe()}

    def on_conversations_open(self, call: Call) -> Json:
        user_id = str(call["users"]).split(",")[0]
        if self._user(user_id)["is_bot"]:
            raise Refusal("cannot_dm_bot")
        return {"channel": {"id": self.open_dm(user_id)}}

    def on_conversations_history(self, call: Call) -> Json:
        channel = self._joined(call["channel"])
        top_level = [
            message
            for message in channel.messages
            if message.get("thread_ts", message["ts"]) == message["ts"] or message.get("subtype") == "thread_broadcast"
        ]
        page = self._page(call, "messages", self._within(call, top_level)[::-1])
        return self._shown(call, page | {"has_more": bool(page["response_metadata"]["next_cursor"])})

    def on_conversations_replies(self, call: Call) -> Json:
        channel = self._joined(call["channel"])
        thread = [message for message in channel.messages if call["ts"] in (message["ts"], message.get("thread_ts"))]
        if not thread:
            raise Refusal("thread_not_found")
        parent, *replies = thread
        page = self._page(call, "messages", self._within(call, replies))
        page["messages"] = [parent, *page["messages"]]  # Slack repeats the parent on every page
        return self._shown(call, page | {"has_more": bool(page["response_metadata"]["next_cursor"])})

    def on_chat_postMessage(self, call: Call) -> Json:
        target = str(call["channel"])
        channel = self._joined(self.open_dm(target) if target in self.users else target)
        self._check_text(call)
        thread_ts = call.get("thread_ts")
        if thread_ts and not any(message["ts"] == thread_ts for message in channel.messages):
            raise Refusal("thread_not_found")
        message: Json = {
            "type": "message",
            "user": self.BOT_USER,
            "bot_id": self.BOT_ID,
            "app_id": self.APP_ID,
            "text": call.get("text", ""),
        }
        message |= {key: call.structure(key) for key in ("blocks", "attachments", "metadata") if call.get(key)}
        if thread_ts:
            message["thread_ts"] = thread_ts
        posted = self._add(channel.id, message)
        return {"channel": channel.id, "ts": posted["ts"], "message": posted}

    def on_chat_update(self, call: Call) -> Json:
        message = self._message(self._joined(call["channel"]), call["ts"])
        if message.get("bot_id") != self.BOT_ID:
            raise Refusal("cant_update_message")
        self._check_text(call)
        message |= {"text": call.get("text", message["text"]), "edited": {"user": self.BOT_USER, "ts": self.new_ts()}}
        message |= {key: call.structure(key) for key in ("blocks", "attachments", "metadata") if call.get(key) is not None}
        return {"channel": call["channel"], "ts": message["ts"], "text": message["text"], "message": message}

    def on_chat_getPermalink(self, call: Call) -> Json:
        channel = self._channel(call["channel"])
        return {"channel": channel.id, "permalink": self._permalink(channel, self._message(channel, call["message_ts"]))}

    def on_reactions_add(self, call: Call) -> Json:
        message = self._message(self._joined(call["channel"]), call["timestamp"])
        reactions = message.setdefault("reactions", [])
        reaction = next((one for one in reactions if one["name"] == call["name"]), None)
        if reaction is None:
            reactions.append(reaction := {"name": call["name"], "users": [], "count": 0})
        if self.BOT_USER in reaction["users"]:
            raise Refusal("already_reacted")
        reaction["users"].append(self.BOT_USER)
        reaction["count"] += 1
        return {}

    def on_search_messages(self, call: Call) -> Json:
        count, number = call.number("count", 20), call.number("page", 1)
        matches = [
            {**message, "channel": {"id": channel.id, "name": channel.name}, "permalink": self._permalink(channel, message)}
            for channel in self.channels.values()
            for message in channel.messages
            if self._matches(call["query"], channel, message)
        ]
        matches.sort(key=lambda match: match["ts"], reverse=True)
        for match in matches:
            match.pop("thread_ts", None)  # Slack tells the thread by the permalink only
        pages = max(-(-len(matches) // count), 1)
        paging = {"count": count, "total": len(matches), "page": number, "pages": pages}
        return {"query": call["query"], "messages": {"matches": matches[(number - 1) * count : number * count], "paging": paging}}

    # ---- what the methods share

    def new_ts(self) -> str:
        """A timestamp later than every one before."""
        self._last_ts = max(int(self.clock() * 1_000_000), self._last_ts + 1)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06}"

    def _add(self, channel_id: str, message: Json) -> Json:
        channel = self.channels[channel_id]
        message.setdefault("ts", self.new_ts())
        channel.messages.append(message)
        channel.messages.sort(key=lambda one: one["ts"])
        if (thread_ts := message.get("thread_ts")) and thread_ts != message["ts"]:
            parent = self._message(channel, thread_ts)
            replies = [one["ts"] for one in channel.messages if one.get("thread_ts") == thread_ts and one["ts"] != thread_ts]
            repliers = list(dict.fromkeys(one["user"] for one in channel.messages if one["ts"] in replies))
            parent |= {"thread_ts": thread_ts, "reply_count": len(replies), "latest_reply": max(replies),
                       "reply_users": repliers[:5], "reply_users_count": len(repliers)}  # fmt: skip
        return message

    def _page(self, call: Call, key: str, items: list[Json]) -> Json:
        start = int((call.get("cursor") or "page:0").removeprefix("page:"))
        end = start + min(call.number("limit", 100), 999)
        return {key: items[start:end], "response_metadata": {"next_cursor": f"page:{end}" if end < len(items) else ""}}

    @staticmethod
    def _within(call: Call, messages: list[Json]) -> list[Json]:
        oldest, latest, inclusive = float(call.get("oldest") or 0), float(call.get("latest") or "inf"), call.flag("inclusive")
        return [
            message
            for message in messages
            if oldest < float(message["ts"]) < latest or (inclusive and float(message["ts"]) in (oldest, latest))
        ]

    @staticmethod
    def _shown(call: Call, page: Json) -> Json:
        if not call.flag("include_all_metadata"):
            page["messages"] = [{key: value for key, value in one.items() if key != "metadata"} for one in page["messages"]]
        return page

    def _check_text(self, call: Call) -> None:
        if not call.get("text") and not call.get("blocks") and not call.get("attachments"):
            raise Refusal("no_text")
        if len(call.get("text") or "") > self.MAX_TEXT:
            raise Refusal("msg_too_long")

    def _user(self, user_id: str) -> Json:
        if user_id not in self.users:
            raise Refusal("user_not_found")
        return self.users[user_id]

    def _channel(self, channel_id: str) -> Channel:
        if channel_id not in self.channels:
            raise Refusal("channel_not_found")
        return self.channels[channel_id]

    def _joined(self, channel_id: str) -> Channel:
        channel = self._channel(channel_id)
        if self.BOT_USER not in channel.members:
            raise Refusal("channel_not_found" if channel.private else "not_in_channel")
        if channel.archived:
            raise Refusal("is_archived")
        return channel

    @staticmethod
    def _message(channel: Channel, ts: str) -> Json:
        for message in channel.messages:
            if message["ts"] == ts:
                return message
        raise Refusal("message_not_found")

    @staticmethod
    def _kind(channel: Channel) -> str:
        return "im" if channel.with_user else "private_channel" if channel.private else "public_channel"

    @staticmethod
    def _permalink(channel: Channel, message: Json) -> str:
        link = f"https://fake.slack.com/archives/{channel.id}/p{message['ts'].replace('.', '')}"
        return f"{link}?thread_ts={message['thread_ts']}&cid={channel.id}" if message.get("thread_ts") else link

    @staticmethod
    def _matches(query: str, channel: Channel, message: Json) -> bool:
        day = time.strftime("%Y-%m-%d", time.gmtime(float(message["ts"]) + 9 * 3600))
        for term in query.split():
            name, _, value = term.partition(":")
            match name:
                case "from":
                    found = message.get("user") == value.strip("<@>")
                case "in":
                    found = value.strip("<#>") in (channel.id, channel.name)
                case "after":
                    found = day > value
                case "before":
                    found = day < value
                case _:
                    found = term.casefold() in message.get("text", "").casefold()
            if not found:
                return False
        return True
