"""Where a value comes from, as the card of a question shows it."""

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from autonomy.durable.records.transcripts import CallTranscript, Transcript, TurnTranscript
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Task
from autonomy.provenance import Sources
from autonomy.run_state.run_values import CallRecord, RunRequest
from autonomy.web.annotations import diff, origin_of, origins_of
from tests.requirements import requirement


@requirement("U2")
@pytest.mark.parametrize(
    ("value", "origin", "quote"),
    [
        ("Next week: move 20 transfers, see PR #523", "asker", None),
        ("来週: 20 transfers, PR #523", "asker", None),
        ("Next week: move 97 transfers, see PR #523", "none", "97"),
        ("next week", "none", "next week"),
    ],
)
def test_a_relative_word_in_a_text_is_wording_and_alone_a_value_that_somebody_has_to_have_given(
    value: str, origin: str, quote: str | None
) -> None:
    sources = Sources(date(2026, 11, 23))
    sources.add_words("Tell of PR #523 and of the 20 transfers")
    found = origin_of(sources, value)
    assert found.origin == origin
    assert quote is None or quote in found.quote


@requirement("U2")
@pytest.mark.parametrize(("name", "origin"), [("wip", "field"), ("notify", "choice")])
def test_a_yes_or_no_comes_from_what_is_called_the_same_and_else_is_the_models_choice(name: str, origin: str) -> None:
    sources = Sources(date(2026, 11, 23))
    sources.add_result("turn-1/call-1", "esa_list_posts", {"posts": [{"wip": False, "name": "Diary"}]})
    assert origin_of(sources, False, name).origin == origin


def call_of(key: str, outcome: str = "ok", **arguments: Any) -> CallTranscript:
    """A read that brought a name, or a write of these arguments."""
    answer = ToolResult(call_id=key, name="chat_users", text=f'{{"user": "U{key[-1]}77"}}')
    record = CallRecord(call_id=key, turn=1, tool="chat_users", asked="chat_users", effect="read", result=answer)
    return CallTranscript(key=key, call_id=key, tool="chat_users", outcome=outcome, arguments=arguments, record=record)


@requirement("U2")
def test_a_value_comes_from_what_was_read_before_its_reply_and_from_no_call_that_was_not_made() -> None:
    request = RunRequest(run_id="r", task=Task(goal="tell them"))
    turns = (
        TurnTranscript(key="turn-1", number=1, calls=(call_of("turn-1/call-1"), call_of("turn-1/call-2", "denied"))),
        TurnTranscript(key="turn-2", number=2, calls=(call_of("turn-2/call-3"), call_of("turn-2/call-4"))),
    )
    record = SimpleNamespace(asked_at=0.0, request=request, job="", result=None)
    transcript = Transcript.model_construct(record=record, turns=turns, offer=None)
    call = call_of("turn-2/call-4", first="U177", denied="U277", beside="U377")
    found = {name: (one.origin, one.call) for name, one in origins_of(transcript, call, "Asia/Tokyo").items()}
    assert found == {"first": ("field", "turn-1/call-1"), "denied": ("none", ""), "beside": ("none", "")}


def test_two_versions_are_compared_line_by_line_and_many_changed_lines_are_not_each_held_against_each_other() -> None:
    kinds = {"same": " ", "removed": "-", "added": "+"}
    lines = [kinds[line.kind] + line.text for line in diff("a\nb\nc\nd", "a\nB\nC\nd\ne")]
    assert lines == [" a", "-b", "+B", "-c", "+C", " d", "+e"]
    old, new = ("\n".join(f"line {number} of {version}" for number in range(3_000)) for version in ("one", "the other"))
    assert len(diff(old, new)) == 6_000
