"""A fake of esa's API v1 on loopback: real HTTP, one team's posts behind it, and able to fail on purpose.

    async with EsaApi() as esa:
        esa.add_post("日報", category="日報/2026/11/21", body_md="…", user="haruka")
        esa.lose_answer("POST", "/posts")        # carries it out, then drops the connection
        esa.rate_limit(retry_after_s=60)         # 429 once
        esa.remaining = 0                        # the headers say that the limit is used up
        ...  # a client with base URL esa.url, team esa.TEAM, token esa.TOKEN

Search knows words, `user: in: on: title: tag:` and quotes. Merging is the crude one of a fake: a text that others changed is `overlapped`.
"""

import json
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import PurePosixPath
from typing import Any, Self

from aiohttp import web

Json = dict[str, Any]
JST = timezone(timedelta(hours=9))
_TERM = re.compile(r'(?:([a-z]+):)?("[^"]*"|\S+)')


class Refusal(Exception):
    """esa says no."""

    def __init__(self, status: int, error: str, message: str, headers: dict[str, str] | None = None) -> None:
        self.status, self.body, self.headers = status, {"error": error, "message": message}, headers or {}
        super().__init__(message)


@dataclass(frozen=True)
class Call:
    """One request as it arrived."""

    verb: str
    path: str
    query: dict[str, str]
    body: Json


@dataclass(frozen=True)
class Fault:
    """What goes wrong the next time such a request comes."""

    verb: str
    path: str
    refusal: Refusal | None = None
    carried_out: bool = False


class EsaApi:
    """A team that answers the API; see the module's text."""

    TOKEN, TEAM, OWNER = "esa-token", "komorebi", "jiritsu"

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.calls: list[Call] = []
        self.posts: dict[int, Json] = {}
        self.members: dict[str, str] = {self.OWNER: "Jiritsu"}
        self.limit, self.remaining, self.reset_at = 75, 75, int(clock()) + 900
        self._faults: deque[Fault] = deque()

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/v1/teams/{team}/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    # ---- the team

    def add_post(
        self, name: str, *, category: str = "", body_md: str = "", user: str = "haruka", number: int = 0, **more: Any
    ) -> Json:
        self.members.setdefault(user, user)
        now = datetime.fromtimestamp(self.clock(), JST).isoformat()
        number = number or max(self.posts, default=0) + 1
        self.posts[number] = {
            "number": number, "name": name, "category": category or None, "tags": [], "wip": True, "body_md": body_md, "body_html": "",
            "created_at": now, "updated_at": now, "message": "", "url": f"https://{self.TEAM}.esa.io/posts/{number}", "revision_number": 1,
            "created_by": self._person(user), "updated_by": self._person(user),
        } | more  # fmt: skip
        return self.posts[number]

    def edit(self, number: int, body_md: str, user: str = "haruka") -> None:
        """A person changes a post's text."""
        self._change(self.posts[number], {"body_md": body_md}, user)

    # ---- faults

    def refuse(self, verb: str, path: str, status: int, error: str, message: str) -> None:
        self._faults.append(Fault(verb, path, Refusal(status, error, message)))

    def rate_limit(self, retry_after_s: int, verb: str = "GET", path: str = "/posts") -> None:
        message = f"Retry after {retry_after_s} seconds."
        self._faults.append(Fault(verb, path, Refusal(429, "too_many_requests", message, {"Retry-After": str(retry_after_s)})))

    def lose_answer(self, verb: str, path: str, *, carried_out: bool = True) -> None:
        self._faults.append(Fault(verb, path, carried_out=carried_out))

    # ---- answering

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["path"]
        call = Call(request.method, path, dict(request.query), await request.json() if request.can_read_body else {})
        self.calls.append(call)
        fault = next((one for one in self._faults if call.verb == one.verb and PurePosixPath(path).match(one.path)), None)
        lost = False
        try:
            if fault:
                self._faults.remove(fault)
                if fault.refusal:
                    raise fault.refusal
                lost = True
                if not fault.carried_out:
                    return self._drop(request)
            self._authorize(request)
            status, answer = self._answer(call)
            response = web.json_response(answer, status=status, headers=self._headers())
        except Refusal as refusal:
            response = web.json_response(refusal.body, status=refusal.status, headers=self._headers() | refusal.headers)
        return self._drop(request) if lost else response

    def _answer(self, call: Call) -> tuple[int, Json]:
        match [call.verb, *call.path.strip("/").split("/")]:
            case ["GET", "posts"]:
                return 200, self._page(call, "posts", self._found(call))
            case ["POST", "posts"]:
                return 201, self._create(self._sent(call))
            case ["GET", "posts", number]:
                return 200, self._post(number)
            case ["PATCH", "posts", number]:
                return 200, self._update(self._post(number), self._sent(call))
            case ["POST", "posts", number, "append"]:
                post = self._post(number)
                added = {"body_md": f"{post['body_md']}\n{self._sent(call)['content']}", "message": "Updated via API."}
                return 200, self._change(post, added, self.OWNER)
            case ["GET", "members"]:
                counts = Counter(post["created_by"]["screen_name"] for post in self.posts.values())
                members = [
                    self._person(name) | {"email": "", "role": "member", "posts_count": counts[name]} for name in self.members
                ]
                return 200, self._page(call, "members", members)
            case ["GET", "tags"]:
                tags = Counter(tag for post in self.posts.values() for tag in post["tags"])
                return 200, self._page(call, "tags", [{"name": name, "posts_count": count} for name, count in tags.items()])
        raise Refusal(404, "not_found", "Not Found")

    def _create(self, sent: Json) -> Json:
        if not sent.get("name"):
            raise Refusal(400, "bad_request", "Bad Request: name")
        path, *tags = sent["name"].split(" #")  # esa reads what is not escaped as category and tags
        *folders, name = path.split("/")
        category = "/".join([*filter(None, [sent.get("category")]), *folders])
        fields = {"tags": [*sent.get("tags", []), *tags], "wip": sent.get("wip", True), "message": sent.get("message", "")}
        return self.add_post(name, category=category, body_md=sent.get("body_md", ""), user=self.OWNER, **fields)

    def _update(self, post: Json, sent: Json) -> Json:
        original = sent.pop("original_revision", None)
        overlapped = original is not None and "body_md" in sent and original["body_md"] != post["body_md"]
        if overlapped:
            sent["body_md"] = f"{post['body_md']}\n======\n{sent['body_md']}"
        return self._change(post, sent, self.OWNER) | {"overlapped": overlapped}

    def _change(self, post: Json, sent: Json, user: str) -> Json:
        if any(post[key] != value for key, value in sent.items() if key != "message"):
            now = datetime.fromtimestamp(self.clock(), JST).isoformat()
            post |= sent | {"revision_number": post["revision_number"] + 1, "updated_by": self._person(user), "updated_at": now}
        return post

    def _found(self, call: Call) -> list[Json]:
        posts = [post for post in self.posts.values() if self._matches(call.query.get("q", ""), post)]
        key = {"updated": "updated_at", "created": "created_at", "number": "number"}[call.query.get("sort", "updated")]
        return sorted(posts, key=lambda post: post[key], reverse=call.query.get("order", "desc") == "desc")

    @staticmethod
    def _matches(q: str, post: Json) -> bool:
        category = post["category"] or ""
        for field, quoted in _TERM.findall(q):
            value = quoted.strip('"')
            found = {
                "user": post["created_by"]["screen_name"] == value,
                "on": category == value,
                "in": f"{category}/".startswith(f"{value}/"),
                "title": value in post["name"],
                "tag": value in post["tags"],
                "": value in f"{category}/{post['name']}\n{post['body_md']}",
            }
            if not found[field]:
                return False
        return True

    @staticmethod
    def _page(call: Call, key: str, items: list[Json]) -> Json:
        page, per_page = int(call.query.get("page", 1)), int(call.query.get("per_page", 20))
        if per_page > 100:
            raise Refusal(400, "bad_request", "Bad Request: per_page")
        start, end = (page - 1) * per_page, page * per_page
        return {
            key: items[start:end], "prev_page": page - 1 or None, "next_page": page + 1 if end < len(items) else None,
            "total_count": len(items), "page": page, "per_page": per_page, "max_per_page": 100,
        }  # fmt: skip

    def _authorize(self, request: web.Request) -> None:
        if request.headers.get("Authorization") != f"Bearer {self.TOKEN}":
            raise Refusal(401, "unauthorized", "Unauthorized")
        if request.match_info["team"] != self.TEAM:
            raise Refusal(404, "not_found", "Not Found")
        if self.remaining <= 0:
            wait_s = max(self.reset_at - int(self.clock()), 1)
            raise Refusal(429, "too_many_requests", f"Retry after {wait_s} seconds.", {"Retry-After": str(wait_s)})
        self.remaining -= 1

    def _headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(self.remaining, 0)),
            "X-RateLimit-Reset": str(self.reset_at),
        }

    @staticmethod
    def _sent(call: Call) -> Json:
        if not isinstance(call.body.get("post"), dict):
            raise Refusal(400, "bad_request", "Bad Request: param is missing or the value is empty or invalid: post")
        return json.loads(json.dumps(call.body["post"]))

    def _post(self, number: str) -> Json:
        if not number.isdecimal() or int(number) not in self.posts:
            raise Refusal(404, "not_found", "Not Found")
        return self.posts[int(number)]

    def _person(self, name: str) -> Json:
        return {"myself": name == self.OWNER, "name": self.members.get(name, name), "screen_name": name, "icon": ""}

    @staticmethod
    def _drop(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()
