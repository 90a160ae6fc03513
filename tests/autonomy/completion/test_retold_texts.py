"""What retells one text adds no sum or count to it, and the cause that is asked for stands in what was read."""

from typing import Any

from autonomy.completion.rules.agreement_rules import in_the_one_text
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.unread_answers import cause_from_nowhere
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, read
from tests.requirements import requirement

pytestmark = requirement("V4")
MINUTES = read(
    "files_read",
    "# 議事録\n- 12月5日から12日まで急須を15%引きにする。\n- 袋を2種類試し、12月9日に報告する。\n",
    path="minutes.md",
)


def findings(check: Any, question: str, answer: str, *calls: CallRecord) -> list[tuple[str, str]]:
    return [*check(Case(asked("a run", "good", question, *calls, answer=answer).context(), answer))]


def test_a_summary_of_one_text_has_no_sum_that_stands_nowhere_in_it() -> None:
    wrong = "- 12月5日から12日まで急須を15%引きにし、売上120万円を目指す。\n- 袋を2種類試す。"
    right = "- 12月5日から12日まで急須を15%引きにする(8日間)。\n- 袋を2種類試し、12月9日に報告する。"
    question = "議事録を要約して。"
    assert findings(in_the_one_text, question, wrong, MINUTES) != []
    assert findings(in_the_one_text, question, right, MINUTES) == []
    assert findings(in_the_one_text, "セールについて教えて。", wrong, MINUTES) == []  # a remark, as of any other question
    others = (read("files_read", f"note {n}", path=f"{n}.md") for n in range(2))
    assert findings(in_the_one_text, question, wrong, MINUTES, *others) == []


def test_the_cause_that_is_asked_for_was_read() -> None:
    log = read("ci_get_log", "run 881 failed: step integration-tests exited with 1, database did not start in time", run=881)
    question = "Why did run 881 fail?"
    wrong = "Run 881 failed because somebody revoked the deploy token last weekend."
    right = "Run 881 failed because the database for the integration tests did not start in time."
    assert findings(cause_from_nowhere, question, wrong, log) != []
    assert findings(cause_from_nowhere, question, right, log) == []
    assert findings(cause_from_nowhere, "Did run 881 fail?", wrong, log) == []
    assert (
        findings(cause_from_nowhere, "実行881はなぜ失敗した？", "原因は、証明書の期限切れとトークンの失効です。", log) == []
    )  # another language
