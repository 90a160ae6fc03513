"""What hangs on a word in a job's text is shown as a remark; figures, ids, names and days without a source are refused."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.completion_rules import Grounded
from tests.gaming.told import diary, diary_run
from tests.requirements import requirement

pytestmark = requirement("V4")
BATCH = "夜間バッチが2回続けて落ちていた原因は、証明書の期限切れでした"
SERVERS = "サーバーの台数を8台から5台に減らしました"


def judged(*done: str, off: bool = False) -> Verdict:
    """The verdict on a diary with these lines, with or without its rule about sources."""
    case = diary_run("case", "good", diary(*done))
    ctx = case.context()
    ctx.request = ctx.request.model_copy(update={"rules": (Grounded(off=off),)})
    return judge(AssistantMessage(text=case.answer), ctx)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("PR #512 は美咲さんに断られました", "断られ"),
        ("テスト環境の引っ越しをしました", "テスト環境の引っ越しをしました"),
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
