"""Sends one request to another service (Google, Slack), and distinguishes a refusal from an unknown outcome."""

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver.exceptions import ToolError

if TYPE_CHECKING:
    import httpx2

TIMEOUT_S = 20.0


class NotDone(ToolError):
    """Nothing was changed; the message says why and what to do."""


class ServiceOutcomeUnknown(ToolError):
    """The request was sent but no usable answer came back, so the change may have happened."""


class HttpClient:
    """An HTTP client that is made at its first request: it takes 190 modules and all certificates, 0.1 s of CPU and 9 MB."""

    def __init__(self) -> None:
        self._made: httpx2.AsyncClient | None = None

    async def request(self, method: str, url: str, **request: Any) -> "httpx2.Response":
        """Send one request. Raises httpx2's errors."""
        import httpx2

        if self._made is None:
            self._made = httpx2.AsyncClient(timeout=TIMEOUT_S)
        return await self._made.request(method, url, **request)

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._made is not None:
            closing, self._made = self._made, None
            await closing.aclose()


async def send(http: HttpClient, service: str, method: str, url: str, **request: Any) -> "httpx2.Response":
    """Send one request and return the answer. Raises NotDone or ServiceOutcomeUnknown."""
    import httpx2

    try:
        answer = await http.request(method, url, **request)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as problem:
        raise NotDone(f"Nothing was sent: {service} cannot be reached. Check the network, then try again.") from problem
    except httpx2.TransportError as problem:
        raise ServiceOutcomeUnknown(_unknown(service, type(problem).__name__)) from problem
    if answer.status_code == 429:
        asked = answer.headers.get("Retry-After", "")
        wait_s = asked if asked.isdecimal() else "60"
        raise NotDone(f"Nothing was done: {service} asks to wait (HTTP 429). Try again in {wait_s} s.")
    if answer.status_code >= 500:
        raise ServiceOutcomeUnknown(_unknown(service, f"HTTP {answer.status_code}"))
    return answer


def content_of(answer: "httpx2.Response", service: str) -> dict[str, Any]:
    """Return the JSON object of an answer. If it is none, as of a proxy, raises NotDone for a refusal, else
    ServiceOutcomeUnknown."""
    try:
        content = answer.json()
    except ValueError:
        content = None
    if not isinstance(content, dict) and answer.is_client_error:
        raise NotDone(f"Nothing was done: {service} refused (HTTP {answer.status_code}) without a reason. Try again later.")
    if not isinstance(content, dict):
        raise ServiceOutcomeUnknown(_unknown(service, "an answer that cannot be read"))
    return content


def _unknown(service: str, cause: str) -> str:
    return (
        f"The outcome is unknown: {service} gave no usable answer ({cause}); it may have happened all the same. "
        "Look there before you repeat it."
    )
