"""Failures that only their words admit, and answers that merely speak of failures."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.outcomes.classifier import classify
from discovery.catalog import Effect, ToolOutput, ToolSpec
from tests.bench.outcome_bench import count
from tests.bench.outcome_elsewhere_bench import read_written
from tests.requirements import requirement
from tests.support.always import always
from tests.support.specs import tool

READ = tool("look", properties={"thing": {"type": "string"}})
FETCH = tool("fetch", properties={"url": {"type": "string"}})
WRITE = tool("post", effect=Effect.WRITE)
SENT_AGAIN = tool("put", effect=Effect.WRITE, idempotent=True)

FAILURES: list[Any] = [
    "Error: channel_not_found",
    "Error executing tool search: connection refused",
    "Input validation error: 'path' is a required property",
    "Failed to fetch https://example.com/a - status code 404",
    "Unknown tool: excel_read",
    "Tool call timed out.",
    "Permission denied",
    "ValueError: invalid literal for int() with base 10: 'x'",
    "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
    "running a.py\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
    "Initial output:\nbash: line 1: pandoc: command not found",
    "ls: cannot access '/nowhere': No such file or directory",
    "The process exited with code 2",
    "You are not authorized to do this.",
    "API rate limit exceeded for 127.0.0.1.",
    "エラー: 指定されたチャンネルが見つかりません",
    "投稿の取得に失敗しました。",
    "指定されたユーザーは存在しません",
    "❌ Could not open the workbook",
    "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>",
    "<html><head><title>Just a moment...</title></head></html>",
    {"error": "No presentation is loaded"},
    {"ok": False, "error": "channel_not_found"},
    {"success": False, "data": None},
    {"status": "error", "message": "插入失败", "data": {"count": 0}},
    {"status": "failed", "reason": "quota"},
    {"status": 404, "message": "Not Found"},
    {"statusCode": 503, "message": "later"},
    {"message": "Bad credentials", "documentation_url": ""},
    {"detail": "Not found."},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Invalid params"}},
    {"errors": [{"message": "Field 'x' does not exist"}], "data": None},
    {"result": {"error": "nothing is open"}},
    {"result": "Error: nothing is open"},
    {"result": json.dumps({"status": "error", "message": "no file"})},
    {"content": [{"type": "text", "text": "Unknown tool: x"}], "isError": True},
    {"/notes/a.md": {"result": "error", "reason": "no such line", "content": ""}},
    [{"id": 1, "error": "gone"}, {"id": 2, "error": "gone"}],
    {"results": [{"source": "a.pdf", "success": False, "error": "no such file"}]},
    "# Search Failed\n\nError searching for 'x': no such table\n\n## What to try\n- Simplify your query",
    {"stdout": "", "stderr": "boom", "exit_code": 1},
    "=== STDERR ===\nNameError: name 'x' is not defined\n=== INFO ===\nReturn code: 1\nTimeout limit: 30 seconds",
    "python: No module named playwright\n\nCommand completed with return code: 1",
    "'NoneType' object has no attribute 'get'",
    "Unexpected token '<', \"<!doctype \"... is not valid JSON",
    "DiscordAPIError[50001]: Missing Access",
    "net::ERR_NAME_NOT_RESOLVED at https://exmple.invalid/",
    "Place search failed: ZERO_RESULTS",
    "fetch failed",
    "I'm sorry, the page could not be opened.",
    "申し訳ありません。取得中に問題が発生しました。",
    "その地域の天気予報は提供していません。",
    "❌ Event was not created: start must be before end",
    "Your request was rejected by our safety system.",
    {"tool": "search", "took_ms": 12, "result": {"error": "upstream 503"}},
    {
        "server_name": "N",
        "action_name": "a",
        "execution_result": {"error": "API error", "details": {"status": 400}, "status_code": 400},
    },
    {"request_id": "r", "response": {"status": 500, "message": "boom"}},
    {"errorMessages": ["Issue does not exist."], "errors": {}},
    {"Error Message": "Invalid API call."},
    {"cod": "404", "message": "city not found"},
    {"success": "false", "message": "Contact is locked"},
    {"ok": 0, "codeName": "NotYetInitialized"},
    {"code": "ERR_LOCKED", "message": "The ticket is locked by another agent."},
]

SUSPICIOUS: list[Any] = [
    "",
    "null",
    {"weather": None},
    {"data": {"user": {"name": "kenta"}}, "errors": [{"message": "no such field"}]},
    {"a.txt": {"result": "ok", "text": "hello"}, "b.txt": {"result": "error", "reason": "gone"}},
    {"id": 7, "name": "nightly", "status": "failed"},
    "<html><head><title>Welcome</title></head></html>",
    "Search Results:\n\n",
    "# /a/b\n\na/b | Wiki\n\nLoading...\n",
    {"results": [{"source": "a.pdf", "success": False}, {"source": "b.pdf", "success": True}]},
    "PK\x03\x04\x00\x00\ufffd\ufffd\ufffd\x00\x00[Content_Types]",
]

EMPTY: list[Any] = [
    [],
    {"query": {"q": "x"}, "results": [], "count": 0},
    {"total_count": 0, "incomplete_results": False, "items": []},
    {"object": "list", "results": [], "next_cursor": None, "has_more": False, "request_id": "r"},
    {"ok": True, "messages": {"total": 0, "matches": []}},
    {"messages": [], "next_cursor": None},
]

FINE: list[Any] = [
    "Successfully wrote to /notes/errors.md",
    "Document /notes/word/nio.docx created successfully",
    "Heading 'Error: what it means' added",
    "no errors found",
    "2.18.4",
    "Error handling in Rust\n\n" + "A result is a value. " * 30,
    "# Failure modes of distributed systems\n" + "Messages are lost. " * 40,
    "# How to read an error\n\n" + "Look at the last line. " * 30,
    "Missing Persons is a band.\n" + "They formed in Los Angeles. " * 30,
    "10:02 kenta: the deploy failed with a 502, timed out twice\n" + "10:03 yui: fixed\n" * 40,
    "今日は雨のため外出できません",
    {"error": None, "data": [1]},
    {"errors": 0, "files": 12},
    {"active": 1, "succeeded": 0, "start_time": "2026-11-21T09:00:00Z"},
    {"files": 12, "errors": 3},
    {"errors": [], "ok": True},
    {"ok": True, "message": {"text": "it failed"}, "ts": "1"},
    {"status": "success", "data": {"error_rate": 0.2}},
    {"status": "open", "title": "Error: cannot log in", "number": 12, "body": "failed"},
    [{"title": "Failed to start", "state": "closed", "number": 1}],
    {"results": [{"title": "404 Not Found explained"}], "count": 1},
    {"code": 500, "currency": "JPY"},
    {"code": "4" * 5_000, "message": "the digits of the square root"},
    {"exit_code": 0, "stdout": "Error: in the text"},
    {"builds": [{"id": 1, "status": "passed"}], "total": 1},
    {"valid": False, "errors": [{"path": "$.age", "message": "must be a number"}]},
    {"status": "ok"},
    {"exists": False},
    "Errors: 0",
    "2 failed, 41 passed in 3.1s",
    "Some tests failed: test_a, test_b",
    "=== STDOUT ===\nData loaded\n=== INFO ===\nReturn code: 0\nTimeout limit: 30 seconds",
    "caught: ValueError: not found\n[exit code 0]",
    "# TypeError: Cannot read properties of undefined\n\n**First seen**: 3 days ago\n**Events**: 214\n",
    "2025-01-04T10:00:01Z ERROR pay: connection refused\n2025-01-04T10:00:05Z INFO pay: recovered",
    "[ERROR] Request timed out after 30s\n[INFO] 200 GET /health",
    "10:02 kenta: デプロイが失敗しました\n10:03 yui: ログが見つかりません",
    "def load(path):\n    try:\n        return open(path)\n    except OSError:\n        raise SystemExit('file not found')\n",
    "/srv/app/errors.py\n/srv/app/not_found.html\n/srv/app/timeout.py",
    "src/a.py:14:    raise ValueError('not found')\nsrc/b.py:30:    # timed out",
    "-    raise ValueError('not allowed')\n+    raise PermissionError('access denied')",
    "id|status|error\n7|failed|timeout",
    "fix: return 404 when the user is not found",
    "Error handling - FastAPI\nhttps://a.example/errors/\nHow to fail.\n\nMiddleware\nhttps://a.example/middleware/",
    "Access Denied is a 2008 album by the band The Unauthorised.",
    "failure (noun): lack of success",
    "欠勤: 1日、エラー打刻: 0件、残業: 3時間",
    "エラー打刻: 0件、残業: 3時間",
]


def read(answer: Any, spec: ToolSpec = READ) -> Any:
    """The reading of an answer, in text or structured."""
    if isinstance(answer, str):
        return classify(ToolOutput(text=answer), spec)
    return classify(ToolOutput(text=json.dumps(answer), structured=answer if isinstance(answer, dict) else None), spec)


@requirement("X5")
@pytest.mark.parametrize("answer", FAILURES, ids=lambda answer: str(answer)[:40])
def test_a_failure_told_in_words_alone_is_a_failure(answer: Any) -> None:
    reading = read(answer)
    assert reading.kind in ("terminal", "retryable"), reading
    assert (reading.problem, bool(reading.reason)) == ("soft_failure", True)


@requirement("X5")
@pytest.mark.parametrize("answer", SUSPICIOUS, ids=lambda answer: str(answer)[:40])
def test_what_may_be_fine_and_may_not_is_shown_as_suspicious(answer: Any) -> None:
    reading = read(answer)
    assert (reading.kind, bool(reading.reason)) == ("suspicious", True), reading


@requirement("X5")
@pytest.mark.parametrize("answer", EMPTY, ids=lambda answer: str(answer)[:40])
def test_a_list_with_nothing_in_it_is_an_answer_and_not_suspicious(answer: Any) -> None:
    reading = read(answer)
    assert (reading.kind, reading.problem, reading.reason) == ("empty", "", "the answer holds no data"), reading


@requirement("X5")
@pytest.mark.parametrize("answer", FINE, ids=lambda answer: str(answer)[:40])
def test_an_answer_that_only_speaks_of_failures_is_fine(answer: Any) -> None:
    assert read(answer).kind == "ok", read(answer)


def test_a_page_is_what_a_tool_that_takes_an_address_is_asked_for() -> None:
    assert read("<html><head><title>Welcome</title></head></html>", FETCH).kind == "ok"
    assert read("<html><head><title>Access Denied</title></head></html>", FETCH).kind == "terminal"


@pytest.mark.parametrize(
    ("words", "kind"),
    [("Error: rate limit, try again", "retryable"), ("Error: 503", "retryable"), ("Error: no such user", "terminal")],
)
def test_a_failure_that_may_pass_is_worth_another_try(words: str, kind: str) -> None:
    assert read(words).kind == kind


@requirement("X11")
@pytest.mark.parametrize("words", ["Tool call timed out.", "Error: 502 Bad Gateway", "HTTP 504"])
def test_a_write_of_which_somebody_in_between_gave_up_may_have_happened(words: str) -> None:
    kinds = [classify(ToolOutput(text=words, is_error=flag), WRITE).kind for flag in (False, True)]
    assert kinds == ["unknown_outcome", "unknown_outcome"]
    assert classify(ToolOutput(text="Tool call timed out."), SENT_AGAIN).kind == "retryable"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["error", "status", "ok", "result", "x"]), inner),
    max_leaves=20,
)


@given(JSON)
def test_any_json_can_be_read(data: Any) -> None:
    assert read(data).kind in ("ok", "empty", "suspicious", "retryable", "terminal")


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert classify(ToolOutput(text=text), WRITE).kind in (
        "ok",
        "empty",
        "suspicious",
        "retryable",
        "terminal",
        "unknown_outcome",
    )


@requirement("X11")
@pytest.mark.parametrize("text", ["[" * 50_000, '{"a":' * 50_000, "[" * 5_000 + "]" * 5_000])
def test_an_answer_nested_beyond_reading_is_a_text(text: str) -> None:
    assert classify(ToolOutput(text=text), READ).kind == "ok"


FAILURES = (
    "not found",
    "access denied",
    "the request timed out",
    "connection refused",
    "Error: boom",
    "failed to start",
    "エラーが発生しました",
)
WORDS = st.sampled_from(FAILURES)


@pytest.mark.parametrize("form", ["2025-01-04T10:00:0{n}Z {w}", "{n}. {w}", "- {w}", "[INFO] {w}", "a.py:{n}: {w}"])
@example(said=list(FAILURES))
@given(said=st.lists(WORDS, min_size=2, max_size=6))
def test_a_list_or_a_log_of_errors_is_what_was_asked_for(form: str, said: list[str]) -> None:
    assert read("\n".join(form.format(n=number, w=words) for number, words in enumerate(said))).kind == "ok"


@pytest.mark.parametrize("field", ["title", "text", "body", "summary", "name"])
@example(said=list(FAILURES))
@given(said=st.lists(WORDS, min_size=1, max_size=5))
def test_records_that_speak_of_errors_are_data(field: str, said: list[str]) -> None:
    assert read({"items": [{"id": number, field: words} for number, words in enumerate(said)], "total": len(said)}).kind == "ok"


@pytest.mark.parametrize("line", ["[exit code {n}]", "Return code: {n}", "Command completed with return code: {n}"])
@always(FAILURES, "words", code=0)
@given(words=WORDS, code=st.integers(0, 255))
def test_how_a_program_ended_is_believed_before_its_words(line: str, words: str, code: int) -> None:
    assert (read(f"started\n{words}\n{line.format(n=code)}").kind == "ok") is (code == 0)


@always(FAILURES, "words", around=["result", "execution_result"])
@always(FAILURES, "words", around=["responseBody", "data"])
@given(words=WORDS, around=st.lists(st.sampled_from(["result", "execution_result", "responseBody", "data"]), max_size=2))
def test_a_failure_is_found_inside_what_is_wrapped_around_it(words: str, around: list[str]) -> None:
    answer: Any = {"error": words, "status_code": 500}
    for name in around:
        answer = {"tool": "a", "took_ms": 3, name: answer}
    assert read(answer).kind in ("terminal", "retryable")


@always(FAILURES, "words", length=1_500)
@given(words=WORDS, length=st.integers(700, 3_000))
def test_the_words_of_a_failure_deep_in_a_text_are_what_it_is_about(words: str, length: int) -> None:
    assert read(("A page about the sea and the ships on it. " * 80)[:length] + f" {words} and so on").kind == "ok"


def test_answers_written_to_mislead_are_read_as_well_as_was_measured() -> None:
    """The figures of `docs/outcomes.md`: whoever changes a rule sees what it costs."""
    score = count((label, kind) for label, kind, _ in read_written())
    assert (score.failed, score.good) == (65, 92)
    assert score.found >= 61
    assert score.false_alarms <= 3
