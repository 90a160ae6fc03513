"""What a run has said itself is no evidence when it comes back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import About, Sources, attribute
from autonomy.provenance.sources.echoes import Echoes
from discovery.catalog import Effect
from tests.requirements import requirement

OWN = "The customer Acme cancelled its contract over 4,200 EUR"
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


def after(*results: Any, wrote: Any = None, asked: Any = None) -> Any:
    """The last of some results, as it counts once the write was made."""
    echoes = Echoes()
    echoes.wrote(wrote)
    return [echoes.without(result, asked) for result in results][-1]


@requirement("V1")
@given(DATA, st.dictionaries(st.text(max_size=5), st.text(max_size=12), max_size=3))
def test_where_nothing_was_written_or_asked_everything_stays(data: Any, asked: dict[str, str]) -> None:
    short = {name: value for name, value in asked.items() if " " not in value}
    assert after(data, asked=short) == data


@requirement("V1")
@pytest.mark.parametrize(
    ("result", "left"),
    [
        (OWN, ""),
        ({"body": OWN}, {"body": ""}),
        ({"rows": [{"text": f"- **{OWN}**."}, {"text": "Ines will call them"}]}, {"rows": [{"text": ""}, {"text": "Ines will call them"}]}),
        ({"body": f"Before it was calm.\n<li>{OWN}</li>\n"}, {"body": "Before it was calm.\n"}),
        ({"excerpt": OWN[:40] + "…"}, {"excerpt": ""}),
        ({"text": "Acme sent a cake"}, {"text": "Acme sent a cake"}),
        ({"text": f"Tom, at length and in his own words, told everybody why: {OWN}, and what follows from it"}, None),
    ],
)  # fmt: skip
def test_what_was_written_is_taken_out_wherever_it_is_read(result: Any, left: Any) -> None:
    assert after(result, wrote={"body_md": f"## Today\n\n- {OWN}\n"}) == (result if left is None else left)


@requirement("V1")
@pytest.mark.parametrize(
    ("result", "left"),
    [
        ({"query": OWN, "hits": []}, {"query": "", "hits": []}),
        ({"searched_for": OWN}, {"searched_for": ""}),
        (f'No results for "{OWN}"', 'No results for ""'),
        ({"hits": [{"title": OWN}]}, {"hits": [{"title": OWN}]}),
        ({"city": "New York City", "temperature": 6}, {"city": "New York City", "temperature": 6}),
    ],
)
def test_the_words_of_a_question_are_no_answer_to_it(result: Any, left: Any) -> None:
    assert after(result, asked={"query": OWN, "city": "New York City"}) == left


@requirement("V1")
def test_what_was_read_before_it_was_written_keeps_its_source() -> None:
    sources = Sources()
    for number in (1, 2):
        sources.add_result(f"call-{number}", "slack_read", {"messages": [{"user": "tom", "text": OWN}]})
        sources.add_result("call-3", "slack_post", {"ok": True}, arguments={"text": OWN}, effect=Effect.OUTWARD)
    (sentence,) = attribute(OWN, sources).sentences
    assert {unit.call_id for unit in sentence.units} == {"call-1"}
    assert not [found for found in sentence.facts if not found.supported]


@requirement("V1")
def test_an_earlier_delivery_at_the_same_place_is_not_what_a_text_rests_on() -> None:
    sources = Sources()
    said = "Fixed the double mail in PR #525, with a test that replays the late answer"
    told = "Fixed the double mail (PR #525) with a test replaying late answers"
    sources.add_result("call-1", "slack_read", {"messages": [{"user": "maya", "text": said}]})
    post = {"category": "Diary/2026/11/24", "created_by": "jiritsu", "body": told}
    sources.add_result("call-2", "esa_list", {"posts": [post]})
    (sentence,) = attribute(told, sources, About(("maya",), delivered_to=("Diary/2026/11/24",))).sentences
    assert {unit.call_id for unit in sentence.units} == {"call-1"}
    assert not sentence.elsewhere


@requirement("V1")
def test_a_path_that_was_written_is_known_once_it_is_listed() -> None:
    path = "reports/2026-11-summary-of-leeds.md"
    assert after({"files": [path]}, wrote={"path": path, "content": OWN}) == {"files": [path]}


@requirement("V1")
def test_a_nested_bomb_of_data_is_bounded() -> None:
    data: Any = OWN
    for _ in range(5_000):
        data = {"in": data}
    assert after(data, wrote={"text": OWN}) is not None
