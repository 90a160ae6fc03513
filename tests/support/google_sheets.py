"""Google Sheets on loopback: its token endpoint, reading and appending values over real HTTP, and faults on demand."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.loopback_server import LoopbackHandler, LoopbackServer

Cells = list[Any]


@dataclass
class FakeGoogleSheets:
    """One spreadsheet's sheets by name, and the requests that came.

    `lose_answers`: that many appends are carried out (or, with `lost_before_done`, not) and the connection dropped.
    `refusals`: answered in their order, as (status, message), before anything is done; `append_refusals` to appends only.
    """

    base_url: str = ""
    sheets: dict[str, list[Cells]] = field(default_factory=lambda: {"Sheet1": []})
    appends: list[dict[str, Any]] = field(default_factory=list)
    token_requests: list[dict[str, str]] = field(default_factory=list)
    lose_answers: int = 0
    lost_before_done: bool = False
    refusals: list[tuple[int, str]] = field(default_factory=list)
    append_refusals: list[tuple[int, str]] = field(default_factory=list)

    @property
    def token_url(self) -> str:
        """Where access tokens come from."""
        return f"{self.base_url}/token"

    def claims(self) -> dict[str, Any]:
        """What the last service account's signed assertion says."""
        payload = self.token_requests[-1]["assertion"].split(".")[1]
        return dict(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))

    def read(self, range_: str) -> dict[str, Any] | None:
        """The values of a sheet or of a block of it, as Google sends them: without what is empty at the end."""
        name, first, last, column = _parse(range_)
        if name not in self.sheets:
            return None
        rows = [_trimmed(row[column:]) for row in self.sheets[name][first - 1 : last]]
        while rows and not rows[-1]:
            rows.pop()
        return {"range": range_, "majorDimension": "ROWS"} | ({"values": rows} if rows else {})

    def append(self, range_: str, rows: list[Cells], value_input: str) -> dict[str, Any] | None:
        """Insert rows below the table that begins at the range: it ends at the first empty row."""
        name, first, _, column = _parse(range_)
        if name not in self.sheets:
            return None
        sheet = self.sheets[name]
        end = next((at for at in range(first - 1, len(sheet)) if not _trimmed(sheet[at])), max(len(sheet), first - 1))
        sheet[end:end] = [[""] * column + [_stored(cell, value_input) for cell in row] for row in rows]
        left, right = chr(65 + column), chr(64 + column + max(map(len, rows)))
        return {"updates": {"updatedRange": f"{name}!{left}{end + 1}:{right}{end + len(rows)}", "updatedRows": len(rows)}}


def _parse(range_: str) -> tuple[str, int, int | None, int]:
    name, _, cells = range_.partition("!")
    found = re.fullmatch(r"([A-Z]?)(\d*)(?::[A-Z]*(\d*))?", cells)
    assert found, range_
    return name.strip("'"), int(found[2] or 1), int(found[3]) if found[3] else None, ord(found[1] or "A") - 65


def _stored(cell: Any, value_input: str) -> Any:
    if value_input == "USER_ENTERED" and re.fullmatch(r"\d{4}/\d\d/\d\d", str(cell)):
        return (date.fromisoformat(cell.replace("/", "-")) - date(1899, 12, 30)).days
    return "" if cell is None else cell


def _trimmed(row: Cells) -> Cells:
    row = list(row)
    while row and row[-1] == "":
        row.pop()
    return row


@contextmanager
def running_google_sheets() -> Iterator[FakeGoogleSheets]:
    """Google, for the length of a `with` block."""
    google = FakeGoogleSheets()
    with LoopbackServer(_handler(google)) as server:
        google.base_url = server.origin
        yield google


def _handler(google: FakeGoogleSheets) -> type[BaseHTTPRequestHandler]:
    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            if not self._refused():
                self._answer_or_400(google.read(self._range()))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/token":
                google.token_requests.append({name: values[0] for name, values in parse_qs(body.decode()).items()})
                return self._answer(200, {"access_token": "ya29.fake", "expires_in": 3600, "token_type": "Bearer"})
            if self._refused():
                return None
            if google.lose_answers and google.lost_before_done:
                return self._drop()
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            google.appends.append(query)
            done = google.append(self._range().removesuffix(":append"), json.loads(body)["values"], query["valueInputOption"])
            return self._drop() if google.lose_answers else self._answer_or_400(done)

        def _range(self) -> str:
            return unquote(urlsplit(self.path).path.split("/values/")[1])

        def _refused(self) -> bool:
            if self.headers["Authorization"] != "Bearer ya29.fake":
                self._answer(401, {"error": {"code": 401, "message": "Invalid Credentials"}})
                return True
            refusals = google.refusals or (google.append_refusals if self.command == "POST" else [])
            if refusals:
                status, message = refusals.pop(0)
                self._answer(status, {"error": {"code": status, "message": message}})
                return True
            return False

        def _drop(self) -> None:
            google.lose_answers -= 1
            self.close_connection = True

        def _answer_or_400(self, content: dict[str, Any] | None) -> None:
            unable = {"error": {"code": 400, "message": "Unable to parse range"}}
            self._answer(400, unable) if content is None else self._answer(200, content)

        def _answer(self, status: int, content: dict[str, Any]) -> None:
            wait = {"Retry-After": "7"} if status == 429 else {}
            self.answer(status, json.dumps(content).encode(), {"Content-Type": "application/json", **wait})

    return Handler
