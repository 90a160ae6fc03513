"""What hangs on a word in a job's text is shown as a remark; figures, ids, names and days without a source are refused."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.completion_rules import Grounded
from tests.gaming.told import DIARY_EN, diary, diary_run, everywhere
from tests.requirements import requirement

pytestmark = requirement("V4")
BATCH = "夜間バッチが2回続けて落ちていた原因は、証明書の期限切れでした"
SERVERS = "サーバーの台数を8台から5台に減らしました"


ENGLISH = (
    ("dev", "daisuke", "Opened PR #512 with the new wording of the payment page; Misaki reviews it"),
    ("dev", "daisuke", "The nightly batch had failed twice because a certificate had expired; it is replaced"),
    ("ops", "daisuke", "Cut the servers from 8 to 5"),
    ("dev", "daisuke", "Next week I move the test environment"),
)


def judged_in_english(line: str) -> Verdict:
    """The verdict on an English diary of English messages with this line."""
    done = "The nightly batch had failed twice because a certificate had expired"
    text = f"## Done\n\n- {done}\n- {line}\n\n## Next\n\n- Move the test environment next week\n"
    case = diary_run("case", "good", text, "The diary is posted.", calls=everywhere(messages=ENGLISH), task=DIARY_EN)
    return judge(AssistantMessage(text=case.answer), case.context())


def judged(*done: str, off: bool = False) -> Verdict:
    """The verdict on a diary with these lines, with or without its rule about sources."""
    case = diary_run("case", "good", diary(*done))
    ctx = case.context()
    ctx.request = ctx.request.model_copy(update={"rules": (Grounded(off=off),)})
    return judge(AssistantMessage(text=case.answer), ctx)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("PR #512 の文言が社内の賞を受賞しました", "受賞"),
    ],
)
def test_a_word_of_its_own_is_remarked_and_the_run_completes(line: str, word: str) -> None:
    verdict = judged(BATCH, SERVERS, line)
    assert verdict.verdict == "complete", verdict.reason
    assert any(word in remark for remark in verdict.remarks), verdict.remarks
    traced = next(part for part in verdict.parts if part.name == "traced")
    assert traced.held < traced.of


def test_a_true_text_has_no_remark() -> None:
    verdict = judged(BATCH, SERVERS)
    assert (verdict.verdict, verdict.remarks) == ("complete", ())


def test_an_address_that_the_answer_gives_says_nothing_of_what_happened() -> None:
    case = diary_run("case", "good", diary(BATCH, SERVERS), "日記を投稿しました: file:///home/postponed/esa/harukaの日記.md")
    verdict = judge(AssistantMessage(text=case.answer), case.context())
    assert "put off" not in verdict.reason


@pytest.mark.parametrize(
    "line",
    [
        "サーバーの台数を8台から7台に減らしました",
        "決済画面の文言を直して PR #521 を出しました",
        "障害の連絡は3月11日に届きました",
        "PR #512 のレビューは健司さんにお願いしています",
    ],
)
def test_a_figure_id_day_or_name_without_a_source_is_refused(line: str) -> None:
    verdict = judged(BATCH, line)
    assert (verdict.verdict, verdict.missing) == ("continue", ("grounded",))


def test_a_job_that_turns_the_rule_about_sources_off_gets_no_remark_of_it() -> None:
    assert judged(BATCH, "PR #512 は美咲さんに断られました", off=True).remarks == ()


@pytest.mark.parametrize(
    ("line", "invented"),
    [
        ("Opened PR #512; Kenji reviews it", "Kenji"),
        ("Kenji approved PR #512", "Kenji"),
        ("Opened PR #512, which was approved by Kenji Sato", "Kenji Sato"),
        ("Opened PR #512 on March 11", "March 11"),
    ],
)
def test_an_invented_name_or_day_in_an_english_text_is_refused(line: str, invented: str) -> None:
    verdict = judged_in_english(line)
    assert (verdict.verdict, verdict.ending, verdict.missing[0]) == ("continue", "doubtful", "grounded")
    assert f"『{invented}』 has no source" in verdict.findings[0]


@pytest.mark.parametrize(
    ("line", "invented"),
    [
        ("Opened PR #512; Ms. Sato reviews it", "Ms. Sato"),
        ("Opened PR #512 and asked @kenji for a review", "@kenji"),
        ('Opened PR #512: "the words read better now"', '"the words read better now"'),
    ],
)
def test_a_name_or_quotation_that_nothing_read_has_is_remarked_on(line: str, invented: str) -> None:
    verdict = judged_in_english(line)
    assert verdict.verdict == "complete", verdict.findings
    assert any(f"『{invented}』 has no source" in remark for remark in verdict.remarks), verdict.remarks


@pytest.mark.parametrize(
    "line",
    [
        "Opened PR #512, which Misaki reviews",
        "Misaki reviews PR #512",
        "The servers were cut from 8 to 5 by Daisuke",
        "Servers were cut from 8 to 5",
        "Everyone asked for it; then cut the servers from 8 to 5",
    ],
)
def test_a_name_that_was_read_and_a_word_that_is_no_name_are_let_pass(line: str) -> None:
    verdict = judged_in_english(line)
    assert (verdict.verdict, verdict.findings) == ("complete", ())


def test_a_translation_may_write_a_name_in_letters_of_its_own() -> None:
    text = "## Done\n\n- Opened PR #512; Misaki is asked to review it\n\n## Next\n\n- Move the test environment next week\n"
    case = diary_run("case", "good", text, "The diary is posted.", task=DIARY_EN)
    assert judge(AssistantMessage(text=case.answer), case.context()).findings == ()
