"""Reads and appends rows of Google Sheets over its REST API v4."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mcp_servers.common.google_credentials import GoogleCredentials
from mcp_servers.common.rows import Cell, Row, ValueInput
from mcp_servers.common.service_requests import HttpClient, NotDone, ServiceOutcomeUnknown, content_of, send

BASE_URL = "https://sheets.googleapis.com"
SERVICE = "Google Sheets"


class GoogleSheets:
    """Implements `writing.Sheets` for the spreadsheets that the credentials may open."""

    outbox: str | None = None

    def __init__(self, http: HttpClient, credentials: GoogleCredentials, base_url: str = BASE_URL) -> None:
        self._http, self._credentials, self._base_url = http, credentials, base_url.rstrip("/")

    async def values(self, spreadsheet_id: str, range_: str) -> list[list[Cell]]:
        """Return the content of a range or a whole sheet, from A1 on, with numbers as numbers."""
        url = self._url(spreadsheet_id, range_)
        try:
            answer = await self._send("GET", url, params={"valueRenderOption": "UNFORMATTED_VALUE"})
        except ServiceOutcomeUnknown as problem:
            raise NotDone(f"Nothing was written: {SERVICE} could not be read. Try again.") from problem
        return list(answer.get("values", []))

    async def append(self, spreadsheet_id: str, range_: str, rows: Sequence[Row], value_input: ValueInput) -> str:
        """Insert rows below the table at the range, and return where they are (`updates.updatedRange`)."""
        answer = await self._send(
            "POST",
            self._url(spreadsheet_id, range_) + ":append",
            params={"valueInputOption": value_input, "insertDataOption": "INSERT_ROWS"},
            json={"values": rows},
        )
        try:
            return str(answer["updates"]["updatedRange"])
        except KeyError as problem:
            raise ServiceOutcomeUnknown(
                f"The outcome is unknown: {SERVICE} did not say where the rows are. Look there before you repeat it."
            ) from problem

    def _url(self, spreadsheet_id: str, range_: str) -> str:
        return f"{self._base_url}/v4/spreadsheets/{quote(spreadsheet_id, safe='')}/values/{quote(range_, safe='')}"

    async def _send(self, method: str, url: str, **request: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {await self._credentials.token()}"}
        answer = await send(self._http, SERVICE, method, url, headers=headers, **request)
        content = content_of(answer, SERVICE)
        if answer.status_code != 200:
            raise NotDone(self._refusal(answer.status_code, content))
        return content

    def _refusal(self, status: int, content: Mapping[str, Any]) -> str:
        error = content.get("error")
        message = error.get("message", "") if isinstance(error, dict) else ""
        advice = {
            400: "Check the range and the name of the sheet.",
            401: "Check the credentials in GOOGLE_APPLICATION_CREDENTIALS.",
            403: f"Share the spreadsheet with {self._credentials.account} as an editor.",
            404: "Check spreadsheet_id: it is the part of the address between /d/ and /edit.",
        }
        return f"Nothing was written: {SERVICE} refused (HTTP {status}: {message}). {advice.get(status, '')}".rstrip()
