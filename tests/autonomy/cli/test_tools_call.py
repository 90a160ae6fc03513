"""What `jiritsu tools call` prints of an answer."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from autonomy.cli import main
from autonomy.cli.commands.tools import answer_lines
from discovery.catalog import ContentPart, JsonObject, ToolOutput
from tests.requirements import requirement
from tests.support.command import jiritsu

PICTURE = ContentPart(kind="image", mime_type="image/png", data="aGk=")


@requirement("N6")
@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ({"text": "two rooms"}, ["two rooms"]),
        ({"structured": {"rooms": ["青"]}}, ['{"rooms": ["青"]}']),
        ({"text": "rooms:", "structured": {"rooms": ["青"]}}, ['rooms:\n{"rooms": ["青"]}']),
        ({"parts": (PICTURE,)}, ["[image image/png: --json]"]),
        ({"text": "noon", "parts": (PICTURE,)}, ["noon", "[image image/png: --json]"]),
        ({}, [""]),
    ],
)
def test_all_that_a_tool_answered_is_printed_or_named(output: JsonObject, printed: list[str]) -> None:
    assert list(answer_lines(ToolOutput.model_validate({"text": "", **output}))) == printed


@requirement("N6")
def test_where_there_are_no_servers_the_sample_is_named_and_a_period_without_questions_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def said(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["--home", str(tmp_path), *arguments], env={"JIRITSU_LANGUAGE": "en"})
        return done.exit_code, done.output

    code, told = said("tools", "call", "slack_get_users")
    assert code == 3
    assert "servers: none are configured: `jiritsu servers add` adds one, `--sample en`" in told
    (tmp_path / "jiritsu.mcp.json").write_text('{"mcpServers": {"files": {"command": "nothing"}}}', encoding="utf-8")
    assert "there is no tool named 'slack_get_users'" in said("tools", "call", "slack_get_users")[1], "none of its server's"
    (tmp_path / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    assert said("approvals", "list", "--all", "--since", "2026-09-01") == (0, "nobody was asked anything in that time\n")
    assert said("servers", "probe")[1].startswith("no servers are configured\n")


@requirement("N6")
def test_a_tool_is_called_where_the_key_of_the_model_is_missing(tmp_path: Path) -> None:
    called = jiritsu(
        "tools", "call", "weather_get_weather", '{"location": "Tokyo"}', home=tmp_path, JIRITSU_MODEL="openai:gpt-6.1-sol"
    )
    assert called.returncode == 0, called.stderr
    assert "Tokyo" in called.stdout
