"""Reasons in the form in which they are grouped: values go, what tells one cause from another stays."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.measures import measure
from metrics.reporting.causes import causes
from metrics.reporting.reasons import LONGEST, parts, template
from tests.metrics.story import Story

SAME = {
    "channel '…' not found (request …)": [
        "channel 'C0AB12' not found (request 7f3a01)",
        'channel "C0ZZ99" not found (request 19bc22cd)',
        "channel “times-haruka” not found (request 0)",
    ],
    "HTTP 503: upstream at … timed out after … s": [
        "HTTP 503: upstream at https://a.example/c?d=1 timed out after 30.5 s",
        "HTTP 503: upstream at http://10.0.0.7:8080 timed out after 9 s.",
    ],
    "user … is not in channel …": ["user U012AB3CD is not in channel #dev-2", "user U9XYZ is not in channel #dev-31"],
    "record … is locked by …": [
        "record 8f14e45f-ceea-467a-9575-6f3d1a2b3c4d is locked by haruka@example.com",
        "record 1b4e28ba-2fa1-11d2-883f-0016d3cca427 is locked by ryo.tanaka@corp.example",
    ],
    "ENOENT: no such file …": ["ENOENT: no such file /home/haruka/notes/a.md", "ENOENT: no such file ../tmp/b.md"],
    "… より前のデータはありません": [
        "2025-11-14T09:30:00+09:00 より前のデータはありません",
        "2025年11月3日 より前のデータはありません",
    ],
    "メッセージ … が見つかりません": ["メッセージ 1763342666.431 が見つかりません", "メッセージ 17 が見つかりません"],
    "Expecting value: line … column … (char …)": [
        "Expecting value: line 1 column 2 (char 1)",
        "Expecting value: line 33 column 12 (char 901)",
    ],
    "the text has … characters and needs …": [
        "the text has 120 characters and needs 200",
        "the text has 1,999 characters and needs 2000",
    ],
    "the answer is …, not a list": ['the answer is {"id": 3}, not a list', "the answer is [], not a list"],
}

APART = [
    "HTTP 404: not found",
    "HTTP 503: not found",
    "exit code 1",
    "exit code 137",
    "the answer says 'channel_not_found'",
    "the answer says 'not_in_channel'",
    "ModelUnavailable: 429 Too Many Requests",
    "ModelUnavailable: 500 Internal Server Error",
    "no model gpt-5 here",
    "no model gpt-6 here",
    "the limit of 10 steps is reached",
    "the limit of 300 seconds is reached",
    "CallTimedOut",
    "ConnectionLost",
    "it's not the user's file",
    "it's not the owner's file",
]


@pytest.mark.parametrize(("form", "reasons"), SAME.items())
def test_reasons_that_differ_in_values_alone_have_one_form(form: str, reasons: list[str]) -> None:
    assert {template(reason) for reason in reasons} == {form}


def test_what_tells_causes_apart_stays() -> None:
    assert len({template(reason) for reason in APART}) == len(APART)


@given(st.text(max_size=400))
def test_any_text_has_a_short_form_that_is_its_own(text: str) -> None:
    form = template(text)
    assert len(form) <= LONGEST + 1
    assert template(form) == form or len(form) > LONGEST - 20


def test_of_a_page_of_words_only_the_beginning_is_read_for_values() -> None:
    assert len(template("a-" * 100_000)) <= LONGEST + 1  # took minutes
    assert template("a@" + "b" * 100_000)


def test_a_detail_that_is_a_list_names_several_causes_whatever_item_they_are_about() -> None:
    assert list(parts("invalid_arguments", "rows[3].name, limit, rows[4].name")) == ["rows[].name", "limit"]
    assert dict(parts("not_completed", "a rule; the text has 3 characters")) == {
        "the text has … characters": "the text has 3 characters",
        "a rule": "a rule",
    }
    assert parts("denied", "rule 3") == {"rule 3": "rule 3"}


def month(seed: int) -> list[Story]:
    """Three hundred runs with four things that go wrong, each told with other values every time."""
    rng, stories = random.Random(seed), list[Story]()
    for number in range(300):
        story = Story(f"run-{number}", at=1_763_340_000.0 + number * 60).start().turn()
        some_id = f"C0{rng.randrange(16**6):06X}"
        match rng.randrange(5):
            case 0:
                error = f"the answer says: channel '{some_id}' not found, request {rng.randrange(16**8):08x}"
                story.call("slack_get_channel_history", outcome="terminal", problem="tool_error", errors=(error,))
            case 1:
                path = f"blocks[{rng.randrange(9)}].text"
                story.call("slack_post_message", outcome="terminal", problem="invalid_arguments", at_fault=(path,))
            case 2:
                story.finish(
                    "blocked",
                    f"no tool worked: esa_list_posts: HTTP 502 after {rng.uniform(1, 30):.1f} s at https://esa.example/{some_id}",
                )
                stories.append(story)
                continue
            case 3:
                story.finish(
                    "exhausted",
                    f"the text has {rng.randrange(199)} characters and needs 200; the text does not name the day 2025-11-{rng.randint(10, 30)}",
                )
                stories.append(story)
                continue
        stories.append(story.judge().finish())
    return stories


def test_the_few_causes_of_a_month_are_few_and_add_up_and_name_their_runs() -> None:
    stories = month(7)
    runs = measure(event for story in stories for event in story.events).runs
    found = causes(runs)
    assert len(found) == 6, [one.detail for one in found]
    assert sum(one.points for one in found) == pytest.approx(sum(1 - (run.autonomy.overall or 0.0) for run in runs) / len(runs))
    known = {story.run_id for story in stories}
    assert all(set(one.examples) <= known and len(one.examples) == 3 and one.runs == one.times for one in found)
    assert {one.detail for one in found} == {
        "the answer says: channel '…' not found, request …",
        "blocks[].text",
        "no tool worked: esa_list_posts: HTTP 502 after … s at …",
        "the text has … characters and needs …",
        "the text does not name the day …",
    }


def test_a_cause_that_was_always_told_in_the_same_words_keeps_them() -> None:
    stories = [
        Story(f"run-{number}").start().turn().finish("exhausted", "the limit of 10 steps is reached") for number in range(3)
    ]
    (found,) = causes(measure(event for story in stories for event in story.events).runs)
    assert (found.detail, found.change) == ("the limit of 10 steps is reached", "# job file\nlimits:\n  turns: 15")
    other = Story("run-9").start().turn().finish("exhausted", "the limit of 20 steps is reached")
    (merged,) = causes(measure(event for story in [*stories, other] for event in story.events).runs)
    assert (merged.detail, merged.times) == ("the limit of … steps is reached", 4)
    assert merged.change.endswith("turns: 30")
