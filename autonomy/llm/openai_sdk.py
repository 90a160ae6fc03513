"""Where OpenAI's SDK is at home: the way to every server that speaks its dialect. No other file imports `openai`.

The SDK's client makes the request: address, key, headers, errors. Its typed `create` stays aside, because it walks every tool schema
at every request; its `post` takes a body that is JSON already (docs/decisions/openai-sdk.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import anyio.to_thread
import httpx2
import openai

from autonomy.llm.wire import Wire

BASE_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""The SDK insists on a key when it is made; where there is none, it is never sent."""
SDK_HEADERS = ("accept", "content-type", "user-agent", "x-stainless-")

Headers = Mapping[str, str | openai.Omit]


class Opened(NamedTuple):
    """The SDK's client, and what it was made with and for."""

    http: httpx2.AsyncClient
    client: openai.AsyncOpenAI
    headers: Headers
    """What each request changes of the client's own."""


@dataclass(eq=False, kw_only=True)
class OpenAIWire(Wire):
    """Through one SDK client per model, over the HTTP client that all models share."""

    base_url: str
    path: str
    """Under the base URL: `/chat/completions`, `/responses`."""
    _opened: Opened | None = field(default=None, init=False)

    async def _post(self, http: httpx2.AsyncClient, body: bytes, timeout_s: float) -> httpx2.Response:
        """One request, never repeated by the SDK. Raises as `Wire.send` does, and `httpx2.InvalidURL`."""
        if self._opened is None or self._opened.http is not http:  # the shared client is another after all models were closed
            self._opened = await anyio.to_thread.run_sync(self._open, http)
        try:
            return await self._opened.client.post(
                self.path,
                cast_to=httpx2.Response,
                content=body,
                options={"timeout": timeout_s, "headers": self._opened.headers, "security": {"bearer_auth": True}},
                stream=True,
            )
        except openai.APIStatusError as error:
            raise self._failed(error.response, error.response.content) from error
        except openai.APITimeoutError as error:
            raise self._late(timeout_s) from error
        except openai.APIConnectionError as error:
            raise self._unreached(error.__cause__ or error) from error

    def _open(self, http: httpx2.AsyncClient) -> Opened:
        """Make the client. It looks up the platform in a subprocess, so this blocks."""
        client = openai.AsyncOpenAI(
            api_key=self.options.api_key or NO_KEY,
            base_url=self.base_url,
            default_headers=self.options.headers,
            max_retries=0,
            http_client=http,
        )
        return Opened(http, client, self._corrections(client))

    def _corrections(self, client: openai.AsyncOpenAI) -> Headers:
        """The SDK reads organisation, project and more headers from OPENAI_* variables; those are for OpenAI, and go to nobody else."""
        given = {name.lower() for name in self.options.headers}
        corrections: dict[str, str | openai.Omit] = {}
        if self.base_url != BASE_URL:
            names = [name for name in client.default_headers if not name.lower().startswith(SDK_HEADERS)]
            corrections |= {name: openai.omit for name in names if name.lower() not in given}
        if "authorization" not in given:
            corrections["Authorization"] = client.auth_headers["Authorization"] if self.options.api_key else openai.omit
        return corrections
