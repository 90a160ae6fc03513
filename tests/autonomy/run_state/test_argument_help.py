"""What forms say about an argument is in the reader's language, for every tool of ours."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from mcp import Client

from autonomy.chat.slack.edit_view import edit_view
from autonomy.durable.approval_store import Approval
from autonomy.hr.hr_tools import TOOLS
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.argument_form import PREFIX, explained_in, fields_of, form_of, read_form
from mcp_servers.common import server as common
from mcp_servers.esa import server as esa
from mcp_servers.slack import server as slack
from mcp_servers.weather import agency
from mcp_servers.weather import server as weather
from tests.requirements import requirement

KANA = re.compile("[ぁ-ゖ]|対象月")
"""Hiragana: hardly a Japanese phrase does without it, and no name in an example needs it."""

EXAMPLE = re.compile(r"such as .*|e\.g\. .*")

SAMPLE = Path(__file__).parents[3] / "autonomy" / "jobs" / "diary" / "sample" / "slack"


def asked(schema: dict[str, Any], **more: Any) -> ApprovalQuestion:
    return ApprovalQuestion(
        run_id="r", key="k", tenant="t", job="", tool="tool", effect="outward", arguments={"x": 1}, arguments_sha256="ab" * 32,
        reason="a write", asked_for_by="U1", input_schema=schema, **more,
    )  # fmt: skip


async def schemas_of(server: Any) -> list[dict[str, Any]]:
    async with Client(server) as client:
        return [tool.input_schema for tool in (await client.list_tools()).tools]


async def ours(room: str, folder: Path) -> list[dict[str, Any]]:
    """The schemas of all tools of a server of ours."""
    if room == "hr":
        return [tool.parameters for tool in TOOLS.values()]
    if room == "weather":
        return await schemas_of(weather.create_server(agency.Agency("http://127.0.0.1:9"), now=lambda: datetime.now(UTC)))
    folders = {"ESA_LOCAL_DIR": folder / "esa", "SLACK_EXPORT_DIR": SAMPLE, "SLACK_OUTBOX": folder / "outbox"}
    environ = {name: str(value) for name, value in {**folders, "JIRITSU_COMMON_DIR": folder / "common"}.items()}
    made = {"esa": esa, "slack": slack, "common": common}[room].server_from_environment
    return await schemas_of(await anyio.to_thread.run_sync(made, environ))


@requirement("K6")
@pytest.mark.parametrize("room", ["esa", "slack", "common", "weather", "hr"])
async def test_every_argument_of_every_tool_of_ours_is_explained_in_either_language(tmp_path: Path, room: str) -> None:
    fields = [field for schema in await ours(room, tmp_path) for field in fields_of({}, schema)]
    assert fields
    japanese = [field.about for field in explained_in(fields, "ja") if field.about]
    english = [field.about for field in explained_in(fields, "en") if field.about]
    assert [about for about in japanese if not KANA.search(about)] == []
    assert [about for about in english if KANA.search(EXAMPLE.sub("", about))] == []


def test_another_servers_words_stand_as_they_are_and_english_readers_keep_theirs() -> None:
    schema = {"properties": {"a": {"type": "string", "description": "Who gets it"}, "n": {"description": "New title"}}}
    assert [field.about for field in form_of(asked(schema), "ja") if field.name in "an"] == ["Who gets it", "新しいタイトル"]
    assert [field.about for field in form_of(asked(schema), "en") if field.name in "an"] == ["Who gets it", "New title"]


def test_what_a_call_of_a_list_does_is_said_in_japanese_in_the_form() -> None:
    listed = asked({}, calls=(asked({}),))
    view = edit_view(Approval(id="a", question=listed, state="pending", asked_at=0, expires_at=1), "ja", at_home=False)
    assert "外部への送信" in json.dumps(view, ensure_ascii=False)
    assert "outward" not in json.dumps(view, ensure_ascii=False)


@requirement("C7")
def test_a_text_that_may_be_left_out_is_filled_in_without_quotes() -> None:
    nullable = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    kinds = {
        "name": nullable,
        "note": {"type": ["string", "null"]},
        "tags": {"anyOf": [{"type": "array"}, {"type": "null"}]},
        "any": {},
    }
    question = asked({"properties": {"x": {"type": "integer"}, **kinds}})
    assert [(field.name, field.kind) for field in form_of(question)] == [
        ("x", "json"), ("name", "text"), ("note", "text"), ("tags", "json"), ("any", "json"),
    ]  # fmt: skip
    untouched = {PREFIX + name: "" for name in kinds} | {PREFIX + "x": "1"}
    assert read_form(untouched, question) is None
    assert read_form(untouched | {PREFIX + "name": "第48週"}, question) == {"x": 1, "name": "第48週"}
