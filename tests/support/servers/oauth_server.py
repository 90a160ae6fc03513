"""A remote MCP server that wants a sign-in, with its authorization server beside it: refresh tokens are valid once, as with freee."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import anyio
import anyio.abc
import httpx2
from mcp.shared.auth import AuthorizationCodeResult

from tests.support.servers.http_server import HttpServer, Request, reply


@dataclass
class OAuthServer(HttpServer):
    """Takes `Bearer access-N` where N is the latest token it gave out."""

    issued: int = 0
    refreshed: int = 0
    registered: int = 0
    lives_s: int = 3600
    call_takes_s: float = 0.0
    refused: list[str] = field(default_factory=list)
    """Refresh tokens that were used twice."""
    revoked: set[str] = field(default_factory=set)
    """Access tokens that are not taken although they should be."""
    call_scope: str = ""
    """What a call needs; who signed in without asking for it is told so with 403 (RFC 6750, 3.1)."""
    scopes_asked: list[str] = field(default_factory=list)
    """By each person at the authorization page."""
    person: dict[str, str] = field(default_factory=dict)
    """What the person's answer says in place of the code, the state or the issuer; a value that is empty is left out."""

    signs_in_at: str = ""
    """The authorization server that it names; empty is itself."""
    refuses_refresh: bool = False
    under_way: int = 0
    most_at_once: int = 0
    """Calls that were under way together."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        path = urlsplit(request.path).path
        if path == "/mcp":
            return await self.resource(request, stream)
        if path.startswith("/.well-known/oauth-protected-resource"):
            return await _json(stream, {"resource": self.url, "authorization_servers": [self.signs_in_at or self.origin]})
        if path.startswith("/.well-known/oauth-authorization-server"):
            return await _json(stream, self.metadata())
        if path == "/register":
            self.registered += 1
            return await _json(stream, request.message | {"client_id": "made-up", "token_endpoint_auth_method": "none"}, 201)
        if path == "/authorize":
            asked = dict(parse_qsl(urlsplit(request.path).query))
            self.scopes_asked.append(asked.get("scope", ""))
            said = {"code": "the-code", "state": asked["state"], "iss": self.origin} | self.person
            answer = urlencode({name: value for name, value in said.items() if value})
            return await reply(stream, 302, headers={"location": f"{asked['redirect_uri']}?{answer}"})
        if path == "/token":
            return await self.token(request, stream)
        return await reply(stream, 404)

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.origin,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }

    async def resource(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token != f"access-{self.issued}" or token in self.revoked:
            where = f'Bearer resource_metadata="{self.origin}/.well-known/oauth-protected-resource/mcp"'
            return await reply(stream, 401, headers={"www-authenticate": where})
        if request.message.get("method") == "tools/call":
            if self.call_scope not in " ".join(self.scopes_asked[-1:]):
                wanted = f'Bearer error="insufficient_scope", scope="{self.call_scope}"'
                return await reply(stream, 403, headers={"www-authenticate": wanted})
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
            await anyio.sleep(self.call_takes_s)
            self.under_way -= 1
        return await super().respond(request, stream)

    async def token(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if request.form["grant_type"] == "refresh_token":
            await anyio.sleep(0.05)  # long enough for others to want one too
            if self.refuses_refresh or request.form["refresh_token"] != f"refresh-{self.issued}":
                self.refused.append(request.form["refresh_token"])
                return await _json(stream, {"error": "invalid_grant"}, 400)
            self.refreshed += 1
        self.issued += 1
        tokens = {"access_token": f"access-{self.issued}", "refresh_token": f"refresh-{self.issued}", "token_type": "Bearer"}
        return await _json(stream, tokens | {"expires_in": self.lives_s})


class AgreeingBrowser:
    """A person who signs in at once."""

    redirect_uri = "http://127.0.0.1:3333/callback"
    opened = 0

    async def open(self, url: str) -> None:
        self.opened += 1
        async with httpx2.AsyncClient() as client:
            response = await client.get(url)
        self.query = dict(parse_qsl(urlsplit(response.headers["location"]).query))

    async def answer(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self.query)


async def _json(stream: anyio.abc.SocketStream, value: dict[str, Any], status: int = 200) -> None:
    await reply(stream, status, json.dumps(value).encode(), {"content-type": "application/json"})
