"""An answer that denies what a receipt shows goes back, in each form of a verb; one that tells of it may deny something else."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.provenance.action_claims import ActionReceipt, denied_in_vain
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_values import CallRecord
from metrics.text.verb_forms import base_of_joining, bases_of_past, denials
from tests.gaming.told import DIARY, Told, asked, diary, everywhere, lost, posted, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
KINDS = load_words("claims")["kinds"]
RUNS = read("ci_runs", {"runs": [{"id": 7, "suite": "nightly"}]})
POSTED = wrote("slack_post_message", {"ts": "1.2", "sent_to": "#dev"}, channel="#dev", text="The release is out, all tests pass.")
DRAFTED = wrote("esa_create_post", {"number": 8, "wip": True}, title="Release", body_md="The release is out.", wip=True)
ORDER, ORDER_JA = "Post in #dev that the release is out.", "#dev に、リリースが出たと投稿してください"


def denies(text: str, kind: str) -> bool:
    """Whether a text denies the only write that was made, which was of this kind."""
    receipt = ActionReceipt(frozenset(KINDS[kind]["proved_by"]), ("tool", "#dev"))
    return kind in {claim.kind for claim in denied_in_vain(text, [receipt], Sources())}


@pytest.mark.parametrize("kind", KINDS)
def test_each_noun_of_a_deed_is_denied_in_each_form(kind: str) -> None:
    for noun in KINDS[kind]["ja"]:
        for form in (*denials("する"), "に失敗しました"):
            assert denies(f"{noun}{form}。", kind), (noun, form)
        assert not denies(f"{noun}しました。", kind)


@pytest.mark.parametrize("kind", KINDS)
def test_each_japanese_verb_of_a_deed_is_denied_in_each_form(kind: str) -> None:
    for told in KINDS[kind]["ja_verbs"]:
        for form in denials(base_of_joining(told.removesuffix("ました"))) if not told.endswith("いたしました") else ():
            assert denies(f"{form}。", kind), form
        assert not denies(f"{told}。", kind)


@pytest.mark.parametrize("kind", KINDS)
def test_each_english_verb_of_a_deed_is_denied_in_each_form(kind: str) -> None:
    for told in KINDS[kind]["en"]:
        past, _, rest = told.partition(" ")
        base = f"{next(bases_of_past(past))} {rest}".strip()
        forms = (f"I could not {base} it", f"I was unable to {base} it", f"I didn't {base} it", f"I haven't {told} it")
        for form in (*forms, f"It could not be {told}", f"It was not {told} yet"):
            assert denies(f"{form}.", kind), form
        assert not denies(f"I have {told} it.", kind)
        assert not denies(f"I did not {base} anything else.", kind)


def verdict(question: str, answer: str, *calls: CallRecord) -> Verdict:
    """What the judge says of an answer after these calls."""
    told = asked("told", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=told.answer), told.context())


@pytest.mark.parametrize(
    ("question", "false", "honest"),
    [
        (ORDER, "I could not post it in #dev.", "I could not post it to #general, so it stands in #dev."),
        (ORDER, "I was not able to post the note.", "I posted the note in #dev, but could not post the chart."),
        (ORDER, "Posting the note failed.", "The note is posted in #dev. Nothing else was posted."),
        (ORDER_JA, "リリースのお知らせを投稿できませんでした。", "#dev に投稿しました。図は投稿できませんでした。"),
        (ORDER_JA, "まだ投稿していません。", "#dev に投稿しました。#ops には投稿していません。"),
    ],
)
def test_who_denies_what_a_receipt_shows_is_sent_back_and_who_denies_something_else_is_not(
    question: str, false: str, honest: str
) -> None:
    found = verdict(question, false, RUNS, POSTED)
    assert (found.verdict, found.ending) == ("continue", "exhausted")
    assert "slack_post_message has given a receipt for it" in found.reason
    assert verdict(question, honest, RUNS, POSTED).verdict == "complete"


def test_what_only_stands_as_a_draft_or_failed_beside_another_write_may_be_denied() -> None:
    order = "Create a post about the release and publish it."
    assert verdict(order, "The post is still a draft: I could not publish it.", RUNS, DRAFTED).verdict == "complete"
    refused = lost("slack_post_message", "channel is archived", effect="outward", channel="#ops", text="The release is out.")
    found = verdict(ORDER, "I could not post it in #ops, which is archived.", RUNS, POSTED, refused)
    assert not any("has given a receipt" in one for one in found.findings)


def test_a_job_denies_no_delivery_that_was_made() -> None:
    text = diary("決済画面の文言を直して PR #512 を出しました")
    for answer, is_denied in (
        ("日記を投稿できませんでした。", True),
        ("日記を投稿しました。", False),
        (f"{text}\n日記は投稿されていません。", True),
    ):
        told = Told("diary", "bad", DIARY, (*everywhere(), posted(text)), answer, "diary")
        found = judge(AssistantMessage(text=answer), told.context()).findings
        assert any("has given a receipt" in one for one in found) is is_denied
