"""Resolves base URL and key with OpenAI's SDK; the only file that imports `openai`.

Its typed `create` stays aside, because it walks every tool schema at every request, and so does its transport, which takes
address and headers apart anew each time: what the SDK makes of its settings is asked once, and `http_transport` sends
(docs/decisions/openai-sdk.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
import openai

from autonomy.llm.vendors.http_transport import Address, HttpTransport

BASE_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""The SDK insists on a key when it is made; where there is none, it is never sent."""
SDK_HEADERS = ("accept", "content-type", "user-agent", "x-stainless-")


@dataclass(eq=False, kw_only=True)
class OpenAITransport(HttpTransport):
    """To the SDK's address, with the SDK's headers, over the HTTP client that all models share."""

    base_url: str
    path: str
    """Under the base URL: `/chat/completions`, `/responses`."""

    def _address(self) -> Address:
        """As the SDK's client has it. It looks up the platform in a subprocess, so this blocks."""
        try:
            client = openai.AsyncOpenAI(
                api_key=self.options.api_key or NO_KEY,
                base_url=self.base_url,
                default_headers=self.options.headers,
                max_retries=0,
                http_client=httpx2.AsyncClient(transport=httpx2.AsyncBaseTransport()),  # it never sends anything
            )
        except httpx2.InvalidURL as error:
            raise ValueError(str(error)) from error
        return Address.of(f"{str(client.base_url).rstrip('/')}{self.path}", self._headers(client))

    def _headers(self, client: openai.AsyncOpenAI) -> Mapping[str, str]:
        """The SDK's, save what it reads from OPENAI_* variables: organisation, project and more are for OpenAI, and go to nobody
        else."""
        names = {name.lower() for name in self.options.headers}
        headers = httpx2.Headers()
        for name, value in client.default_headers.items():
            own = name.lower().startswith(SDK_HEADERS) or name.lower() in names
            if isinstance(value, str) and (own or self.base_url == BASE_URL):
                headers[name] = value
        if "authorization" not in names:
            headers.pop("authorization", None)
            headers.update(client.auth_headers if self.options.api_key else {})
        return headers
