"""A remote server is signed in to from a page: the real gateway, and an authorization server beside the MCP server."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import anyio
import anyio.to_thread
import httpx2
import pytest

from autonomy.app import App, open_app
from autonomy.app_services import console
from autonomy.settings import load
from tests.requirements import requirement
from tests.support.console import PASSWORD, VIEWER, Browser, browsing
from tests.support.servers.http_server import listening
from tests.support.servers.oauth_server import OAuthServer

PAGE = "/servers/remote/sign-in"


@pytest.fixture(autouse=True)
def blocked_loop(unguarded_loop: None) -> None:
    """A command reads its files when it opens the app, before it serves anybody."""


@asynccontextmanager
async def signing_in(
    home: Path, server: OAuthServer, key: str = "a secret of the operator"
) -> AsyncIterator[tuple[App, Browser, Browser]]:
    """The console of a worker whose only server is that one; an operator and a viewer are at it."""
    file = home / "jiritsu.mcp.json"
    file.write_text(json.dumps({"mcpServers": {"remote": {"url": server.url}, "near": {"command": "true"}}}))
    given = {"home": str(home), "servers": str(file), "language": "en", "web": {"password": PASSWORD, "viewer_password": VIEWER}}
    config = await anyio.to_thread.run_sync(lambda: load(given, env={"JIRITSU_KEY": key} if key else {}, cwd=home))
    async with open_app(config, approver=None) as app:
        opened = await anyio.to_thread.run_sync(lambda: console(app, owner="haruka"))
        async with browsing(opened) as operator, browsing(opened, password=VIEWER) as viewer:
            yield app, operator, viewer


async def shown(reader: Browser, words: str) -> str:
    """The page, once it says so."""
    with anyio.fail_after(240):
        while words not in (page := (await reader.get(PAGE)).text):
            await anyio.sleep(0.02)
    return page


@requirement("U2", "U6", "S7")
async def test_a_server_is_signed_in_to_from_the_page_and_is_there_at_once(home: Path) -> None:
    async with listening(OAuthServer({})) as server, signing_in(home, server) as (app, operator, viewer):
        with anyio.fail_after(240):
            while PAGE not in (await operator.get("/inbox")).text:
                await anyio.sleep(0.02)
        assert PAGE in (await operator.get("/tools")).text
        assert "jiritsu servers sign-in remote" in (await viewer.get(PAGE)).text
        assert (await viewer.post(PAGE)).status_code == 403
        async with anyio.create_task_group() as group:
            group.start_soon(operator.post, PAGE)
            page = await shown(operator, "You sign in at")
            address = unescape(re.search(r'href="(http[^"]+)"', page)[1])  # type: ignore[index]
            assert address.startswith(f"{server.origin}/authorize?")
            assert f"<b>127.0.0.1:{server.port}</b>" in page, "one sees where one is sent"
            again = await operator.post(PAGE)
            assert again.status_code == 303, "one that is under way goes on"
            async with httpx2.AsyncClient() as person:
                back = (await person.get(address)).headers["location"]
            stranger = httpx2.URL(back).copy_merge_params({"state": "guessed"})
            foreign = {"sec-fetch-site": "cross-site"}
            assert (await operator.client.get(str(stranger), headers=foreign)).status_code == 404
            landed = await operator.client.get(back, headers=foreign)
            assert landed.status_code == 200
            assert PAGE in landed.text, "the page opens itself once more, with the cookie"
            assert "Signed in to remote: 1 tools." in await shown(operator, "Signed in")
        with anyio.fail_after(240):
            while "remote_echo" not in {spec.name for spec in (await app.gateway.catalog()).tools}:
                await anyio.sleep(0.02)
        told = [(event.by, event.key) for event in await app.journal.read(run_id="by-hand") if event.type == "intervention"]
        assert [(by, key.rpartition("-")[0]) for by, key in told] == [("operator", "sign-in-remote")]
        assert (server.registered, server.issued) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "words"), [({"code": "", "error": "access_denied"}, "access_denied"), ({"iss": "https://evil.example"}, "iss")]
)
@requirement("U2", "S7")
async def test_a_sign_in_that_is_refused_says_why_and_can_be_begun_again(home: Path, answer: dict[str, str], words: str) -> None:
    async with listening(OAuthServer({}, person=answer)) as server, signing_in(home, server) as (_, operator, _viewer):
        async with anyio.create_task_group() as group:
            group.start_soon(operator.post, PAGE)
            page = await shown(operator, "You sign in at")
            async with httpx2.AsyncClient() as person:
                back = (await person.get(unescape(re.search(r'href="(http[^"]+)"', page)[1]))).headers["location"]  # type: ignore[index]
            await operator.client.get(back)
            page = await shown(operator, "That did not succeed")
        assert words in page
        assert "<button" in page.split("<main")[1], "it can be begun again"
        assert server.issued == 0


async def test_without_a_key_nothing_is_begun_and_a_server_of_this_machine_has_no_sign_in(home: Path) -> None:
    async with listening(OAuthServer({})) as server, signing_in(home, server, key="") as (_, operator, _viewer):
        await operator.post(PAGE)
        page = (await operator.get(PAGE)).text
        assert "without it a sign-in cannot be kept" in page
        assert (await operator.get("/servers/near/sign-in")).status_code == 404
        assert (await operator.get("/servers/nobody/sign-in")).status_code == 404
        assert server.registered == 0
