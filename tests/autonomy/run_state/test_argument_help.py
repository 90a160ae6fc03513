"""What the edit form says about an argument is in the reader's language, for every tool of ours that changes something."""

import json
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from mcp import Client

from autonomy.chat.slack.edit_view import edit_view
from autonomy.durable.approval_store import Approval
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.argument_form import form_of
from mcp_servers.common import server as common
from mcp_servers.esa import server as esa
from mcp_servers.slack import server as slack
from tests.requirements import requirement

SAMPLE = Path(__file__).parents[3] / "autonomy" / "jobs" / "diary" / "sample" / "slack"


def asked(schema: dict[str, Any], **more: Any) -> ApprovalQuestion:
    return ApprovalQuestion(
        run_id="r", key="k", tenant="t", job="", tool="tool", effect="outward", arguments={"x": 1}, arguments_sha256="ab" * 32,
        reason="a write", asked_for_by="U1", input_schema=schema, **more,
    )  # fmt: skip


@requirement("K6")
@pytest.mark.parametrize("room", [esa, slack, common], ids=lambda room: room.__name__.split(".")[1])
async def test_every_argument_of_a_writing_tool_of_ours_is_explained_in_japanese(tmp_path: Path, room: Any) -> None:
    folders = {"ESA_LOCAL_DIR": tmp_path / "esa", "SLACK_EXPORT_DIR": SAMPLE, "SLACK_OUTBOX": tmp_path / "outbox"}
    environ = {name: str(value) for name, value in {**folders, "JIRITSU_COMMON_DIR": tmp_path / "common"}.items()}
    server = await anyio.to_thread.run_sync(room.server_from_environment, environ)
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
    fields = [
        field
        for tool in tools
        if not (tool.annotations and tool.annotations.read_only_hint)
        for field in form_of(asked(tool.input_schema), "ja")
        if field.name != "x"
    ]
    assert fields
    assert [field for field in fields if not any("ぁ" <= sign <= "ヿ" for sign in field.about)] == []


def test_another_servers_words_stand_as_they_are_and_english_readers_keep_theirs() -> None:
    schema = {"properties": {"a": {"type": "string", "description": "Who gets it"}, "n": {"description": "New title"}}}
    assert [field.about for field in form_of(asked(schema), "ja") if field.name in "an"] == ["Who gets it", "新しいタイトル"]
    assert [field.about for field in form_of(asked(schema), "en") if field.name in "an"] == ["Who gets it", "New title"]


def test_what_a_call_of_a_list_does_is_said_in_japanese_in_the_form() -> None:
    listed = asked({}, calls=(asked({}),))
    view = edit_view(Approval(id="a", question=listed, state="pending", asked_at=0, expires_at=1), "ja", at_home=False)
    assert "外部への送信" in json.dumps(view, ensure_ascii=False)
    assert "outward" not in json.dumps(view, ensure_ascii=False)
