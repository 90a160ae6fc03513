"""Secrets stay where they are used: planted in settings, environment, headers and servers, then looked for in all that is written or sent."""

import json
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.openai_chat import OpenAIChat, call, failure, reply

SERVER = Path(__file__).parents[1] / "support" / "servers" / "stdio_server.py"
CANARIES = {
    "model_key": "sk-canary-model-51c7",
    "sealing_key": "canary-sealing-8d20",
    "server_token": "xoxb-canary-server-e4a9",
    "literal_token": "canary-literal-77f1",
    "header": "canary-header-0b6e",
    "bystander": "canary-bystander-39aa",
}


@pytest.fixture
def home(empty_home: Path) -> Path:
    """Without a database: who makes it makes it its own."""
    return empty_home


def prepare(home: Path, url: str, *, broken: bool = False) -> dict[str, str]:
    """Settings and a servers file that use the secrets in every way they may be used; gives the environment."""
    settings = (
        f'model = ["compatible:m"]\n[models.compatible]\nbase_url = "{url}"\napi_key = "{CANARIES["model_key"]}"\nstream = false\n'
        f'headers = {{ "X-Team" = "{CANARIES["header"]}" }}\n'
    )
    (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
    server = {
        "command": sys.executable,
        "args": [str(SERVER), json.dumps({"tools": 2})],
        "env": {"API_TOKEN": "${SERVER_TOKEN}", "OTHER_TOKEN": CANARIES["literal_token"]},
    }
    servers = {"desk": server}
    if broken:
        servers["broken"] = {**server, "args": ["-c", "import os; raise SystemExit(os.environ['API_TOKEN'])"]}
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return {
        "SERVER_TOKEN": CANARIES["server_token"],
        "JIRITSU_KEY": CANARIES["sealing_key"],
        "UNRELATED_PASSWORD": CANARIES["bystander"],
    }


def found_in(text: str) -> list[str]:
    """Which secrets stand in a text."""
    return [name for name, secret in CANARIES.items() if secret in text]


def kept(home: Path) -> dict[str, list[str]]:
    """Which secrets stand in what the program itself wrote to the data directory: database, logs, anything."""
    written = [file for file in home.rglob("*") if file.is_file() and file.name not in ("jiritsu.toml", "jiritsu.mcp.json")]
    assert any(file.suffix in (".db", ".sqlite", ".sqlite3") for file in written), "the journal and the records are there"
    found = {file.name: found_in(file.read_bytes().decode("utf-8", "replace")) for file in written}
    return {name: secrets for name, secrets in found.items() if secrets}


@requirement("S7")
@pytest.mark.parametrize("fails", [False, True], ids=["a run that works", "a run that fails"])
def test_no_secret_reaches_a_prompt_the_journal_the_records_or_the_log(tmp_path: Path, fails: bool) -> None:
    with OpenAIChat() as fake:
        env = prepare(tmp_path, fake.url)
        if fails:
            fake.script(failure(401, f"Incorrect API key provided: {CANARIES['model_key']}", code="invalid_api_key"))
        else:
            fake.script(reply(calls=[call("desk_tool_0", {"text": "hello"})]), reply("It is done."))
        done = jiritsu("-vv", "run", "use the desk's tool", "--yes", home=tmp_path, **env)
        prompts = "".join(json.dumps(request.body, ensure_ascii=False) for request in fake.requests)
    assert CANARIES["model_key"] in fake.requests[0].headers["authorization"], "it was used where it belongs"
    assert found_in(prompts) == []
    assert found_in(done.stdout + done.stderr) == []
    assert kept(tmp_path) == {}
    assert ("failed" if fails else "It is done.") in done.stdout + done.stderr


@requirement("S7")
@pytest.mark.parametrize("command", [("config",), ("doctor",), ("servers", "list")])
def test_no_command_that_shows_things_shows_a_secret(tmp_path: Path, command: tuple[str, ...]) -> None:
    with OpenAIChat() as fake:
        env = prepare(tmp_path, fake.url, broken=True)
        shown = jiritsu(*command, home=tmp_path, **env)
    assert found_in(shown.stdout + shown.stderr) == []


@requirement("K9")
@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_data_directory_is_its_owners_and_doctor_tells_of_one_that_is_left_open(tmp_path: Path) -> None:
    made, opened, shared, repository = (tmp_path / name for name in ("made", "opened", "shared", "repository"))
    for home, mode in ((opened, 0o755), (shared, 0o2775), (repository, 0o755)):
        home.mkdir()
        home.chmod(mode)
    (repository / ".git").mkdir()
    shown = {
        home: jiritsu("doctor", "--no-call", home=home, cwd=tmp_path, HOME="/nowhere", MCP_ENABLED="false").stdout
        for home in (made, opened, shared, repository)
    }
    modes = [home.stat().st_mode & 0o7777 for home in shown]
    assert modes == [0o700, 0o700, 0o2775, 0o755]
    for home, told in shown.items():
        assert (f"others on this machine can look into {home}" in told) is (home in (shared, repository))
        assert (f"chmod 700 {home}" in told) is (home in (shared, repository))
        assert (home / "jiritsu.db").stat().st_mode & 0o777 == 0o600


@requirement("K9")
@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_the_folder_one_works_in_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    jiritsu("runs", "list", home=tmp_path, cwd=tmp_path, HOME="/nowhere")
    assert tmp_path.stat().st_mode & 0o777 == 0o755
