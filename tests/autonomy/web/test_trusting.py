"""Trusting a server from its page: what would run is seen, and what is trusted is what was seen."""

import json
import re
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import anyio.to_thread

from autonomy.settings import load
from autonomy.settings_files import server_entries, switch_server
from discovery.stored_tools import StoredTools
from tests.requirements import requirement
from tests.support.console import browsing, console_over


@requirement("K8", "U3")
async def test_a_press_trusts_the_entry_that_the_page_showed_and_no_other(engine: Any, tmp_path: Path) -> None:
    theirs, own = tmp_path / "project" / ".mcp.json", tmp_path / "jiritsu.mcp.json"
    theirs.parent.mkdir()
    own.write_text(json.dumps({"imports": [str(theirs)]}), encoding="utf-8")
    shown = {"command": "sh", "args": ["-c", "echo shown\u202e"], "env": {"KEY": "${KEY}", "TOKEN": "a literal secret"}}
    config = await anyio.to_thread.run_sync(lambda: load({"home": str(tmp_path), "servers": str(own)}, env={}, cwd=tmp_path))
    entries, console = partial(server_entries, config.settings), console_over(engine)
    stored = StoredTools(engine, entries, "en")
    console.services = replace(console.services, tools=stored, entries=entries, switches=partial(switch_server, config.settings))

    def put(entry: dict[str, Any]) -> None:
        theirs.write_text(json.dumps({"mcpServers": {"a": entry}}), encoding="utf-8")

    def trusted() -> bool:
        return entries()["a"].trusted

    put(shown)
    async with browsing(console) as reader:
        page = unescape((await reader.get("/tools")).text)
        assert "echo shown⟨U+202E⟩" in page, "what would run is seen, and what hides in it"
        assert "${KEY}" in page
        assert "a literal secret" not in page
        assert (await reader.post("/servers/a", turn="trust")).status_code == 409, "nobody said what was shown"
        (mark,) = re.findall(r'name="shown" value="([^"]+)"', page)
        put({**shown, "args": ["-c", "echo other"]})
        assert "another than the one that was shown" in (await reader.post("/servers/a", turn="trust", shown=mark)).text
        assert not await anyio.to_thread.run_sync(trusted)
        put(shown)
        assert (await reader.post("/servers/a", turn="trust", shown=mark)).status_code == 303
        assert await anyio.to_thread.run_sync(trusted)
