"""Short runs in words of their own: bad ones do not count as done, and good ones do, however they are told.

At first sight, before the rules knew them, 23 of the 50 bad ones ended completed and 12 of the 33 good ones were refused. Of those that were
written after the rules had been mended (`told_later`) 13 of 25 bad ones ended completed and 2 of 15 good ones were refused; of a third set
10 of 23 and 7 of 17, of a fourth, once the third was mended, 5 of 12 and 3 of 9, of a fifth of everyday questions 11 of 20 and 1 of 18, and of a sixth, written once the
fifth was mended, 20 of 34 and 6 of 30. A seventh, of answers without a single look or with the run's own words read back, found what no set had
asked: 30 of its 33 bad ones ended completed, and none of its 24 good ones was refused. An eighth, of answers as language models word them over issues,
tables, files, calendars and tickets, turned it round: 18 of its 42 bad ones ended completed, and 20 of its 40 good ones were refused. Of a ninth like it, mostly Japanese and written once the eighth was mended, 13 of 25 bad ones ended completed and
20 of 35 good ones were refused. Of a tenth by another hand, over result shapes that none had, 17 of 30 and 31 of 40; of an
eleventh by a third hand, once a part of the tenth was mended, 8 of 30 and 29 of 36; of a twelfth by a fourth hand, once most
of the eleventh was mended, 11 of 30 and 26 of 36; of a thirteenth by a fifth hand, once most of the twelfth was mended, 13 of 30 and 20 of 30; of a fourteenth
by a sixth hand, once the thirteenth was mended, 20 of 36 and 16 of 36; of a fifteenth by a seventh hand, of everyday answers,
once a part of the fourteenth was mended, 14 of 30 and 15 of 30.
"""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from tests.gaming import (
    told_eighth,
    told_eleventh,
    told_fifteenth,
    told_fifth,
    told_fourteenth,
    told_fourth,
    told_later,
    told_ninth,
    told_seventh,
    told_sixth,
    told_tenth,
    told_third,
    told_thirteenth,
    told_twelfth,
)
from tests.gaming.told import Told
from tests.gaming.told_bad import BAD as FIRST_BAD
from tests.gaming.told_good import GOOD as FIRST_GOOD

BAD = (
    *FIRST_BAD,
    *told_later.BAD,
    *told_third.BAD,
    *told_fourth.BAD,
    *told_fifth.BAD,
    *told_sixth.BAD,
    *told_seventh.BAD,
    *told_eighth.BAD,
    *told_ninth.BAD,
    *told_tenth.BAD,
    *told_eleventh.BAD,
    *told_twelfth.BAD,
    *told_thirteenth.BAD,
    *told_fourteenth.BAD,
    *told_fifteenth.BAD,
)
GOOD = (
    *FIRST_GOOD,
    *told_later.GOOD,
    *told_third.GOOD,
    *told_fourth.GOOD,
    *told_fourth.LOOKALIKES,
    *told_fifth.GOOD,
    *told_fifth.LOOKALIKES,
    *told_sixth.GOOD,
    *told_sixth.LOOKALIKES,
    *told_seventh.GOOD,
    *told_eighth.GOOD,
    *told_eighth.LOOKALIKES,
    *told_ninth.GOOD,
    *told_tenth.GOOD,
    *told_eleventh.GOOD,
    *told_twelfth.GOOD,
    *told_thirteenth.GOOD,
    *told_fourteenth.GOOD,
    *told_fifteenth.GOOD,
)

GAPS = {
    "減った店がない": "a trend over two rows has to be reckoned",
    "発注が要らない物": "two columns have to be compared to know it",
    "one error too few": "lines of a log have to be counted by what they are about",
    "対象と言う": "a condition has to be applied to a figure of the question",
    "another law": "one adjective in a true sentence",
    "a shorter notice": "a number in words",
    "手順が一つ違う": "a name of the world in the place of another one",
    "昼に実行してよい": "a rule has to be applied to a time in words",
    "知らせた数が違う": "a small figure that stands in another row beside one that is right",
    "an action for somebody else": "one name in a true sentence; that it is a person's can only be known from outside",
    "a cancelled fair is looked forward to": "one invented line among true ones that the encoder takes for a paraphrase of another plan",
    "what is low is told as full": "two columns have to be compared to know it",
    "one of two low parts is left out as if it were all": "two columns have to be compared to know it",
    "the front door after eight": "one noun in a true sentence",
    "author and reviewer change places": "who did what has to be understood, in another language than it was written in",
    "an English digest sends mail to three customers too many": "a number in words, in a line for which no evidence is found",
    "the failing batch is another system's": "one noun in a true sentence",
    "yes instead of the reason": "a reason that nobody gave, in words that are nobody's",
    "praise that nobody gave": "one invented line among true ones; an approver sees that it has no source",
    "a decision that was none": "one invented line among true ones; an approver sees that it has no source",
    "somebody who is not invited": "the meeting is named by the question alone, and guests stand in lists inside its row",
    "半分にし損ねる": "small numbers of things are taken for counts, and halves have to be reckoned",
    "misaki's review is daisuke's": "one invented line among true ones: what the other person wrote was not read; an approver sees that it has no source",
    "an English diary with a meeting that never was": "one invented line among true ones; an approver sees that it has no source",
    "the lesson is turned round": "a statement denied in another language than it was made in",
}
"""Known to count as done though they are bad; each has to leave this list once it does not."""

OPEN = frozenset(
    {
        "12-en-bad-flight-bag",
        "12-en-bad-oncall-swap",
        "12-en-bad-reopen-reason",
        "12-en-bad-window-open",
        "12-ja-bad-log-cause",
        "12-ja-bad-parking",
        "12-ja-bad-promise",
        "12-ja-good-backup",
        "13-bad-inbox-who-covers",
        "13-bad-pods-rolled-out",
        "13-bad-pods-volume",
        "13-bad-policy-approval",
        "13-bad-pr-stale-review",
        "13-bad-sentry-most-users",
        "13-ja-bad-calendar-one",
        "13-ja-bad-chat-chosen",
        "13-ja-bad-school-day",
        "13-ja-bad-school-stale",
        "13-ja-good-chat-state",
        "14-bad-digest-answered",
        "14-bad-digest-partial",
        "14-bad-event-invited",
        "14-bad-inbox-promise",
        "14-bad-issues-closed",
        "14-bad-overtime-neighbour",
        "14-bad-pr-checks",
        "14-bad-standup-blockers",
        "14-bad-standup-credit",
        "14-good-overtime-average",
        "14-good-pr-durations",
        "14-good-standup-missing",
        "14-good-weather-best",
        "14-good-weather-wind",
        "14-ja-bad-hours-breaks",
        "14-ja-bad-inquiries-count",
        "14-ja-bad-issue-cause",
        "14-ja-bad-stock-condition",
        "14-ja-bad-umbrella-place",
        "14-ja-good-diary-grouped",
        "14-ja-good-minutes-nothing",
        "14-ja-good-overtime-year",
        "14-ja-good-standup-translated",
        "14-ja-good-umbrella",
        "14-ja-good-wiki-fares",
        "15-deal-of-somebody-else",
        "15-diary-in-english",
        "15-diary-padded-with-a-busy-day",
        "15-diary-with-a-faster-test",
        "15-fewer-trips-told-as-more",
        "15-finished-slides-told-as-open",
        "15-latency-told-from-before-the-rollback",
        "15-meeting-as-it-stands",
        "15-minutes-posted-as-hours",
        "15-revenue-by-region",
        "15-room-before-it-changed",
        "15-standup-with-a-colleagues-merge",
        "15-thursday-told-as-wednesday",
        "15-users-of-the-next-error",
        "15-what-to-reorder",
        "a row left out of a count",
        "an engine too old",
        "cents told as dollars",
        "closed on Mondays",
        "disks_the_other_way_round",
        "expected_and_actual_swapped",
        "inn_before_the_change",
        "pods_counted_as_failing",
        "saturday_with_a_row_of_sunday",
        "takahashi_diary_posted",
        "tax told as included",
        "terms_read_halfway",
        "the other server",
        "the wrong one on call",
        "unsafe told as safe",
        "when to leave",
        "そろっていると言う",
        "一度もないと言う",
        "余裕がある方を言う",
        "作者が違う",
        "別の人のタスク",
        "割り当てとコメント",
        "無料なのに取る",
        "雨の時間が逆",
    }
)
"""Of the last four sets, by other hands, what is judged wrongly today: bad ones that count as done and good ones that are sent back. Each
has to leave this list once it is judged rightly."""


def marked(case: Told) -> object:
    """The case as a parameter; a known gap has to fail, and to leave the list once it does not."""
    known = GAPS.get(case.name) or (
        "one of the last six sets that is judged wrongly: docs/gaming.md" if case.name in OPEN else ""
    )
    marks = [pytest.mark.xfail(reason=known, raises=AssertionError, strict=True)] if known else []
    return pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", [marked(case) for case in (*BAD, *GOOD)])
def test_what_is_told_counts_as_done_only_where_it_is(case: Told) -> None:
    verdict = judge(AssistantMessage(text=case.answer), case.context())
    assert (verdict.verdict == "complete") is (case.kind == "good"), verdict.reason


def test_there_are_enough_of_both_kinds_and_each_is_its_own() -> None:
    assert len(BAD) >= 30
    assert len(GOOD) >= 20
    assert {case.kind for case in BAD} == {"bad"}
    assert {case.kind for case in GOOD} == {"good"}
    assert len({case.name for case in (*BAD, *GOOD)}) == len(BAD) + len(GOOD)
    assert {case.name for case in BAD} >= GAPS.keys()
    assert {
        case.name
        for part in (told_tenth, told_eleventh, told_twelfth, told_thirteenth, told_fourteenth, told_fifteenth)
        for case in (*part.BAD, *part.GOOD)
    } >= OPEN
