"""Our connection layer as the client under test: `python -m tests.conformance.client URL`, started by the suite once per scenario.

The suite names the scenario in MCP_CONFORMANCE_SCENARIO and gives data in MCP_CONFORMANCE_CONTEXT. All goes through `open_gateway`.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import anyio
import httpx2
from mcp.client.session import ClientRequestContext
from mcp.shared.auth import AuthorizationCodeResult
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from discovery.discovery_errors import DiscoveryError
from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import OAuthSettings, ServerConfig

CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json"
ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}
NOT_SIGNED_IN = 3
"""The exit code when the server refused us, which some scenarios are about; 1 would be a crash."""
SETTINGS = GatewaySettings(startup_s=20, grace_s=20, call_timeout_s=20)


class HeadlessBrowser:
    """A person who agrees to everything at once: follows the authorization page's redirect."""

    redirect_uri = "http://localhost:3000/callback"

    async def open(self, url: str) -> None:
        async with httpx2.AsyncClient() as client:
            response = await client.get(url)
        self.query = {name: values[0] for name, values in parse_qs(urlparse(response.headers["location"]).query).items()}

    async def answer(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self.query)


async def accept_defaults(_context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Accept what a server asks for, with the defaults it proposes (SEP-1034)."""
    properties = params.requested_schema.get("properties", {}) if isinstance(params, ElicitRequestFormParams) else {}
    content = {name: schema["default"] for name, schema in properties.items() if "default" in schema}
    return ElicitResult(action="accept", content=content)


async def main(url: str, context: dict[str, Any]) -> int:
    """List the tools and call each; the exit code."""
    oauth = OAuthSettings(
        client_id=context.get("client_id", CLIENT_METADATA_URL),
        client_secret=context.get("client_secret", ""),
        redirect_uri=HeadlessBrowser.redirect_uri,
    )
    server = ServerConfig(name="suite", transport="http", url=url, oauth=oauth)
    async with open_gateway([server], settings=SETTINGS, browser=HeadlessBrowser(), elicit=accept_defaults) as gateway:
        catalog = await gateway.catalog()
        calls = context.get("toolCalls") or [
            {"name": spec.tool, "arguments": ARGUMENTS.get(spec.tool, {})} for spec in catalog.callable_tools
        ]
        names = {spec.tool: spec.name for spec in catalog.tools}
        for call in calls:
            try:
                await gateway.call(names.get(call["name"], call["name"]), call["arguments"])
            except DiscoveryError as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201 - kept by the suite
        (provider,) = gateway.status()
        print(provider.state, provider.reason, file=sys.stderr)  # noqa: T201 - kept by the suite
    return 0 if provider.available else NOT_SIGNED_IN


if __name__ == "__main__":
    code = anyio.run(main, sys.argv[1], json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")))
    Path(os.environ["CONFORMANCE_EXIT_FILE"]).write_text(str(code))  # the suite does not look at exit codes
    sys.exit(code)
