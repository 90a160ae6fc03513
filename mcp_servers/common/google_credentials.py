"""Gets access tokens for Google from a credentials file, with google-auth."""

import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from mcp_servers.common.service_requests import NotDone

if TYPE_CHECKING:
    import httpx2

TOKEN_URL = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
SCOPE = "https://www.googleapis.com/auth/spreadsheets"


class GoogleCredentials:
    """Credentials from a file of type `service_account` or `authorized_user` (OAuth with a refresh token)."""

    def __init__(self, file: Path) -> None:
        """Read the file. Raises ValueError naming `GOOGLE_APPLICATION_CREDENTIALS` if it cannot be used."""
        # imported here because the outbox works without google-auth
        try:
            credentials: Any = importlib.import_module("google.oauth2.credentials")
            service_account: Any = importlib.import_module("google.oauth2.service_account")
        except ModuleNotFoundError:
            raise ValueError("GOOGLE_APPLICATION_CREDENTIALS: install the package google-auth to use it") from None
        try:
            info = json.loads(file.read_text(encoding="utf-8"))
            if info["type"] == "service_account":
                self._credentials: Any = service_account.Credentials.from_service_account_info(info, scopes=[SCOPE])
            else:
                self._credentials = credentials.Credentials(
                    token=None,
                    refresh_token=info["refresh_token"],
                    client_id=info["client_id"],
                    client_secret=info["client_secret"],
                    token_uri=info.get("token_uri", TOKEN_URL),
                    scopes=[SCOPE],
                )
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise ValueError(f"GOOGLE_APPLICATION_CREDENTIALS: {file} is no credentials file: {problem!r}") from None
        self.account = str(info.get("client_email", "the account of these credentials"))

    async def token(self) -> str:
        """Return a valid token, refreshed if necessary. Raises NotDone if Google gives none."""
        if not self._credentials.valid:
            await anyio.to_thread.run_sync(self._refresh)
        return str(self._credentials.token)

    def _refresh(self) -> None:
        import httpx2

        errors: Any = importlib.import_module("google.auth.exceptions")
        try:
            with httpx2.Client(timeout=20.0) as http:
                self._credentials.refresh(_TokenRequest(http))
        except errors.GoogleAuthError as problem:
            raise NotDone(
                f"Nothing was written: Google gave no access token for {self.account}. Check the credentials."
            ) from problem


class _TokenRequest:
    """Implements `google.auth.transport.Request` with httpx2, so that google-auth needs no other HTTP library."""

    def __init__(self, http: "httpx2.Client") -> None:
        self._http = http

    def __call__(self, url: str, method: str = "GET", body: Any = None, headers: Any = None, **_: Any) -> "_TokenAnswer":
        import httpx2

        errors: Any = importlib.import_module("google.auth.exceptions")
        try:
            return _TokenAnswer(self._http.request(method, url, content=body, headers=headers))
        except httpx2.TransportError as problem:
            raise errors.TransportError(problem) from problem


class _TokenAnswer:
    def __init__(self, answer: "httpx2.Response") -> None:
        self.status, self.headers, self.data = answer.status_code, answer.headers, answer.content
