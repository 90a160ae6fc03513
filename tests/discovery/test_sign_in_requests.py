"""Where a remote server may lead a sign-in, and how much may come back from there."""

import gzip
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import anyio.abc
import pytest
import sqlalchemy as sa
from mcp.client.auth import OAuthFlowError

from discovery import discovery_tables
from discovery.gateway import open_gateway
from discovery.servers.server_config import OAuthSettings, ServerConfig
from discovery.transport.authorization.sign_in_requests import LARGEST_ANSWER, SignInRequests
from tests.discovery.test_oauth import SETTINGS
from tests.requirements import requirement
from tests.support.servers.http_server import Request, listening, reply
from tests.support.servers.oauth_server import AgreeingBrowser, OAuthServer

FAR = "https://8.8.8.8/mcp"


@requirement("D4", "S7")
async def test_a_server_on_the_internet_leads_no_sign_in_into_this_network_or_into_the_clear() -> None:
    refused = ["http://1.1.1.1/", "https://127.0.0.1/x?delete=1", "https://169.254.169.254/latest", "https://[::1]/"]
    refused += ["https://[::ffff:127.0.0.1]/", "https://10.0.0.1/", "https://localhost:8484/", "https://a.localhost/"]
    refused += ["https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://0.0.0.0/", "https://[fe80::1%25eth0]/"]
    refused += ["file:///etc/passwd", "ftp://1.1.1.1/"]
    for address in refused:
        with pytest.raises(OAuthFlowError):
            await SignInRequests(FAR).check(address)
    for endpoint, address in (
        (FAR, "https://1.1.1.1/"),
        (FAR, "https://8.8.8.8/token"),
        ("http://127.0.0.1:1/", "http://[::1]/"),
    ):
        await SignInRequests(endpoint).check(address)


@dataclass
class Bloated(OAuthServer):
    """Whose metadata is too long, or a bomb."""

    packed: bool = False

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if not urlsplit(request.path).path.startswith("/.well-known/oauth-protected-resource"):
            return await super().respond(request, stream)
        body, headers = b" " * (2 * LARGEST_ANSWER), {"content-type": "application/json"}
        if self.packed:
            return await reply(stream, 200, gzip.compress(body, 1), headers | {"content-encoding": "gzip"})
        return await reply(stream, 200, body, headers)


@requirement("D4")
@pytest.mark.parametrize(("packed", "why"), [(False, "more than 1048576 bytes"), (True, "compressed its answer to a sign-in")])
async def test_an_answer_to_a_sign_in_is_bounded(tmp_path: Path, packed: bool, why: str) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'state.db'}")
    discovery_tables.metadata.create_all(engine)
    async with listening(Bloated({}, packed=packed)) as server:
        far = ServerConfig(name="far", transport="http", url=server.url, oauth=OAuthSettings())
        async with open_gateway([far], engine=engine, settings=SETTINGS, browser=AgreeingBrowser()) as gateway:
            await gateway.catalog()
            assert why in gateway.status()[0].reason
    engine.dispose()
