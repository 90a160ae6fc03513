"""The MCP server `common`; `python server.py` runs it alone, from anywhere."""

import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

if __spec__ is None:  # run as a file: make the package importable by its name, wherever the folder is
    here = Path(__file__).resolve().parent
    for name, folder in (("mcp_servers", here.parent), ("mcp_servers.common", here)):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]

from mcp_servers.common import direct_messages, spreadsheets
from mcp_servers.common.direct_messages import Messenger, Sent, send_once
from mcp_servers.common.google_credentials import GoogleCredentials
from mcp_servers.common.message_outbox import LocalMessenger, LocalSheets, Outbox
from mcp_servers.common.one_writer import OneWriter
from mcp_servers.common.rows import Cell, ValueInput
from mcp_servers.common.service_requests import HttpClient
from mcp_servers.common.write_ledger import Ledger
from mcp_servers.common.writing import Order, Sheets, SheetWriter, Written

VERSION = "0.1.0"
IDEMPOTENCY_KEY = "jiritsu/idempotency-key"
"""Key in the `_meta` of a request. Two requests with the same value are the same request, sent again."""
KEYED = {"jiritsu/keyed": True}
"""In the `_meta` of a tool: it honours the idempotency key."""

INSTRUCTIONS = (
    "Delivers results. Both tools act on the world outside: rows that others read, a message that someone gets. "
    "When a tool says that the outcome is unknown, look before you repeat it."
)

SpreadsheetId = Annotated[
    str, Field(pattern=r"^[\w-]+$", description="ID of the spreadsheet: the part of its address between /d/ and /edit")
]
Range = Annotated[
    str, Field(description="Where the table is, in A1 notation with the sheet's name, e.g. シート1!A1; new rows go below it")
]
Rows = Annotated[
    list[list[Cell]],
    Field(min_length=1, description="The rows; each a list of cells: text, number, true/false, or null for none"),
]
KeyColumn = Annotated[
    int | None,
    Field(
        ge=1,
        description="Number (from 1) of the column that names a row; rows whose name is in the sheet already are not written again",
    ),
]
Input = Annotated[
    ValueInput, Field(description="RAW: cells are stored as they are. USER_ENTERED: the sheet reads dates and numbers in texts")
]
UserId = Annotated[str, Field(pattern=r"^[UW][A-Z0-9]{2,}$", description="Member ID of the Slack user, such as U0123ABCD")]
Message = Annotated[str, Field(min_length=1, description="Text of the message; mentions and links in it are shown as plain text")]


@dataclass(frozen=True)
class Outlets:
    """The destinations of rows and messages."""

    sheets: Sheets
    messenger: Messenger
    ledger: Ledger
    rows_turn: OneWriter
    """Held while rows are written …"""
    message_turn: OneWriter
    """… and while a message is sent."""


class CommonTools:
    """The tools. Each raises NotDone or ServiceOutcomeUnknown (both ToolError), which say what to do next."""

    def __init__(self, outlets: Outlets) -> None:
        self._messenger, self._sending = outlets.messenger, outlets.message_turn
        self._writer = SheetWriter(outlets.sheets, outlets.ledger, outlets.rows_turn)

    async def write_rows_to_google_sheet(
        self,
        spreadsheet_id: SpreadsheetId,
        range: Range,  # noqa: A002 - the promised name
        rows: Rows,
        ctx: Context[Any, Any],
        key_column: KeyColumn = None,
        value_input: Input = "RAW",
    ) -> Written:
        """Add rows below a table of a Google spreadsheet (Googleスプレッドシートに行を追加). Existing cells are never changed.

        Give key_column when each row has a name of its own (a date, an ID): then writing the same rows again adds nothing.
        Texts that begin like a formula are refused.
        """
        return await self._writer.write(Order(spreadsheet_id, range, rows, key_column, value_input), _key(ctx))

    async def send_slack_dm(self, user_id: UserId, message: Message, ctx: Context[Any, Any]) -> Sent:
        """Send a direct message to one Slack user (SlackのDMを送信)."""
        async with self._sending.turn():  # so that the same request sent twice finds what the first has sent
            return await send_once(self._messenger, user_id, message, _key(ctx))


def _key(ctx: Context[Any, Any]) -> str | None:
    key = (ctx.request_context.meta or {}).get(IDEMPOTENCY_KEY)
    return key if isinstance(key, str) and key else None


def build_server(outlets: Outlets, http: HttpClient) -> MCPServer[None]:
    """Build the server. It closes the HTTP client when it ends."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
        async with aclosing(http):
            yield None

    server = MCPServer[None]("common", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING", lifespan=lifespan)
    tools = CommonTools(outlets)
    for tool, title in (
        (tools.write_rows_to_google_sheet, "Write rows to a Google sheet"),
        (tools.send_slack_dm, "Send a Slack direct message"),
    ):
        annotations = ToolAnnotations(
            title=title, read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True
        )
        server.add_tool(tool, title=title, annotations=annotations, meta=KEYED)
    return server


def server_from_environment(environment: Mapping[str, str]) -> MCPServer[None]:
    """Build the server that the variables describe. Raises ValueError naming a wrong variable."""
    http = HttpClient()
    directory = Path(environment.get("JIRITSU_COMMON_DIR") or Path.home() / ".local" / "state" / "jiritsu-common").expanduser()

    def now() -> datetime:
        return datetime.now(UTC)

    outlets = Outlets(
        _sheets(environment, http, directory, now),
        _messenger(environment, http, directory, now),
        Ledger(directory / "ledger.sqlite3"),
        OneWriter(directory / "rows.lock"),
        OneWriter(directory / "messages.lock"),
    )
    return build_server(outlets, http)


def _sheets(environment: Mapping[str, str], http: HttpClient, directory: Path, now: Callable[[], datetime]) -> Sheets:
    file = environment.get("GOOGLE_APPLICATION_CREDENTIALS")
    if not file:
        return LocalSheets(Outbox(directory / "sheets.jsonl"), now)
    base_url = environment.get("GOOGLE_SHEETS_BASE_URL") or spreadsheets.BASE_URL
    return spreadsheets.GoogleSheets(http, GoogleCredentials(Path(file).expanduser()), base_url)


def _messenger(environment: Mapping[str, str], http: HttpClient, directory: Path, now: Callable[[], datetime]) -> Messenger:
    token = environment.get("SLACK_BOT_TOKEN")
    if not token:
        return LocalMessenger(Outbox(directory / "slack_dm.jsonl"), now)
    return direct_messages.Slack(http, token, environment.get("SLACK_API_BASE_URL") or direct_messages.BASE_URL)


def main() -> None:
    """Serve over stdio. A wrong setting ends the program with one sentence on stderr and exit code 2."""
    # before the server is made, because its constructor would set up the root logger to print framed tracebacks
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="common: %(levelname)s %(name)s: %(message)s")
    try:
        server = server_from_environment(os.environ)
    except ValueError as problem:
        sys.stderr.write(f"common: {problem}\n")
        sys.exit(2)
    server.run("stdio")


if __name__ == "__main__":
    main()
