"""Short runs in words of their own: bad ones do not count as done, and good ones do, however they are told.

Eighteen sets by eleven hands, the last of jobs as well. What was seen of each at first sight, and what the judge's findings were worth there, is in docs/gaming.md; the
lists below say what is judged wrongly today, after the rules were mended for all of them. One case in eight of each kind and job runs always, and all of them with
`pytest -m "sweep or not sweep" tests/gaming`: whoever changes the judge runs all.
"""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from tests.gaming import (
    told_eighteenth,
    told_eighth,
    told_eleventh,
    told_fifteenth,
    told_fifth,
    told_fourteenth,
    told_fourth,
    told_jobs_eighteenth,
    told_later,
    told_ninth,
    told_seventeenth,
    told_seventh,
    told_sixteenth,
    told_sixth,
    told_tenth,
    told_third,
    told_thirteenth,
    told_twelfth,
)
from tests.gaming.told import Told
from tests.gaming.told_bad import BAD as FIRST_BAD
from tests.gaming.told_good import GOOD as FIRST_GOOD
from tests.support.sampling import in_part

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
    *told_sixteenth.BAD,
    *told_seventeenth.BAD,
    *told_eighteenth.BAD,
    *told_jobs_eighteenth.BAD,
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
    *told_sixteenth.GOOD,
    *told_seventeenth.GOOD,
    *told_eighteenth.GOOD,
    *told_jobs_eighteenth.GOOD,
)

COMPLETING = frozenset(
    {
        "12-en-bad-canceled-counted",
        "12-en-bad-currency-sum",
        "12-en-bad-delivered",
        "12-en-bad-flight-bag",
        "12-en-bad-longest-songs",
        "12-en-bad-note-not-sent",
        "12-en-bad-oncall-swap",
        "12-en-bad-reopen-reason",
        "12-en-bad-stale-quote",
        "12-en-bad-window-open",
        "12-ja-bad-card-done",
        "12-ja-bad-digest-done",
        "12-ja-bad-dinner-time",
        "12-ja-bad-fare-of-next",
        "12-ja-bad-hours-decimal",
        "12-ja-bad-log-cause",
        "12-ja-bad-meeting-weekday",
        "12-ja-bad-parking",
        "12-ja-bad-promise",
        "12-ja-bad-refund-reversed",
        "12-ja-bad-second-expense",
        "12-ja-bad-stock-sum",
        "12-ja-bad-task-left-out",
        "13-bad-flats-per-metre",
        "13-bad-inbox-stale-price",
        "13-bad-inbox-who-covers",
        "13-bad-logs-orders",
        "13-bad-mrr-total",
        "13-bad-pods-volume",
        "13-bad-policy-approval",
        "13-bad-pr-stale-review",
        "13-bad-refund-arrived",
        "13-bad-route-traffic",
        "13-bad-sentry-fixed",
        "13-bad-sentry-most-users",
        "13-bad-sleep-sign",
        "13-bad-weather-unit",
        "13-ja-bad-calendar-one",
        "13-ja-bad-chat-chosen",
        "13-ja-bad-deals-april",
        "13-ja-bad-deals-won",
        "13-ja-bad-expenses-rejected",
        "13-ja-bad-leave-approved",
        "13-ja-bad-recipe-kcal",
        "13-ja-bad-school-day",
        "13-ja-bad-school-stale",
        "14-bad-calendar-zone",
        "14-bad-digest-answered",
        "14-bad-event-invited",
        "14-bad-inbox-passed-over",
        "14-bad-inbox-promise",
        "14-bad-issues-closed",
        "14-bad-overtime-condition",
        "14-bad-pr-checks",
        "14-bad-pr-duration",
        "14-bad-standup-blockers",
        "14-bad-standup-credit",
        "14-bad-weather-best",
        "14-bad-wiki-quote",
        "14-ja-bad-hours-breaks",
        "14-ja-bad-inquiries-count",
        "14-ja-bad-overtime-most",
        "14-ja-bad-standup-turned",
        "14-ja-bad-stock-condition",
        "14-ja-bad-umbrella-place",
        "15-cents-told-as-dollars",
        "15-deal-of-somebody-else",
        "15-diary-padded-with-a-busy-day",
        "15-diary-with-a-faster-test",
        "15-fewer-trips-told-as-more",
        "15-finished-slides-told-as-open",
        "15-latency-told-from-before-the-rollback",
        "15-log-line-misquoted",
        "15-minutes-posted-as-hours",
        "15-one-unassigned-issue-is-missing",
        "15-requested-changes-told-as-approval",
        "15-room-before-it-changed",
        "15-second-best-cafe-told-as-best",
        "15-southern-total-is-off",
        "15-standup-with-a-colleagues-merge",
        "15-thursday-told-as-wednesday",
        "15-tokyo-told-as-osaka",
        "15-trial-nobody-offers",
        "a cancelled fair is looked forward to",
        "a decision that was none",
        "a draft as ready",
        "a feature told as a bug",
        "a growth nobody has figures for",
        "a mail that needs no answer",
        "a meeting too many",
        "a month is read and another is told",
        "a page that was not opened",
        "a row left out of a count",
        "a shorter notice",
        "a tracking number of its own",
        "a translation loses the not",
        "an English diary with a meeting that never was",
        "an English digest sends mail to three customers too many",
        "an action for somebody else",
        "an engine too old",
        "an issue too many in a table",
        "an old error told as new",
        "an overspender too many",
        "another law",
        "assigned told as free",
        "author and reviewer change places",
        "backups_without_a_gap",
        "booked over a meeting",
        "bus_of_a_weekday",
        "cents told as dollars",
        "closed ones were not looked at",
        "disks_the_other_way_round",
        "done told as overdue",
        "drive_ten_minutes_short",
        "estimate_meeting_at_midnight",
        "euros become dollars in a translation",
        "every_bug_has_an_owner",
        "exactly_fortyfive_hours",
        "expected_and_actual_swapped",
        "fastest_growing_service",
        "first_seen_left_in_utc",
        "go_no_go_in_warsaw",
        "growth from nowhere",
        "hour_that_is_not_free",
        "house_said_locked",
        "inn_before_the_change",
        "launch_digest_wrong_voice",
        "lease_draft_never_opened",
        "leaving too late",
        "minutes_taken_for_decimals",
        "misaki's review is daisuke's",
        "one error too few",
        "one of two low parts is left out as if it were all",
        "paid_orders_ten_times",
        "playlist_ten_minutes_short",
        "pods_counted_as_failing",
        "praise that nobody gave",
        "snow becomes fine weather with the right figures",
        "somebody who is not invited",
        "soup_for_six_heavy_on_cumin",
        "tax told as included",
        "the failing batch is another system's",
        "the front door after eight",
        "the lesson is turned round",
        "the other server",
        "the wrong one on call",
        "ticket_given_to_somebody",
        "two towns change their weather",
        "unsafe told as safe",
        "what is low is told as full",
        "yes instead of the reason",
        "そろっていると言う",
        "一度もないと言う",
        "作者が違う",
        "入稿の締切が違う",
        "円を百で割る",
        "別の人のタスク",
        "効果を取り違える",
        "半分にし損ねる",
        "回数を人数と言う",
        "多数決が違う",
        "対象と言う",
        "担当がある",
        "担当が違う",
        "残りが違う",
        "減った店がない",
        "無料なのに取る",
        "発注が要らない物",
        "知らせた数が違う",
        "空いていない時間",
        "選んだ人が違う",
        "雨の時間が逆",
        "sleep-stages-made-up",
        "minutes-next-date-made-up",
        "bus-weekday-for-saturday",
        "backlog-eight-of-fiftythree",
        "latency-alert-told-ok",
        "lost-deal-told-won",
        "stock-fall-told-as-rise",
        "train-asked-car-answered",
        "reporter-asked-assignee-answered",
        "last-train-asked-next-answered",
        "vpn-outdated-left-out",
        "failed-dumps-left-out",
        "library_due_date_altered",
        "train_not_on_saturdays",
        "clinic_takes_no_new_patients",
        "audit_is_not_clean",
        "calendar_does_overlap",
        "refund_never_made",
        "survey_share_wrong",
        "match_winner_swapped",
        "minutes_with_a_decision_more",
        "incident_cause_invented",
        "sitter_note_turned_round",
        "museum_like_most_museums",
        "jobs18-diary-on-a-colleagues-page",
        "jobs18-hive-forbidden-room-told-as-quiet",
        "jobs18-ja-週報-理由の捏造",
        "jobs18-overtime-one-above-left-out",
        "jobs18-triage-final-notice-left-out",
        "jobs18-triage-who-sends-the-samples",
        "jobs18-watch-outage-first-count",
        "told18-commit-of-the-other-one",
        "told18-errors-because-of-the-release",
        "told18-invitation-declined-told-as-accepted",
        "told18-ja-アレルギーの有無",
        "told18-ja-四つの倉庫の一つだけ",
        "told18-ja-朝と夜の血圧",
        "told18-ja-未返却の数",
        "told18-pods-that-restarted-miscounted",
    }
)
"""Bad ones that count as done today, most of them with remarks that people see: each has to leave this list once it does not."""

REFUSED = frozenset(
    {
        "14-ja-good-diary-grouped",
        "15-diary-in-english",
        "takahashi_diary_posted",
        "割り当てとコメント",
        "free-on-monday",
        "two_renewed_one_not",
        "jobs18-ja-当番-今週の当番に送る",
        "jobs18-ja-英語の議事録から曜日で",
        "told18-first-page-called-a-first-page",
    }
)
"""Good ones that are refused today: each has to leave this list once it is not."""


def marked(case: Told) -> object:
    """The case as a parameter; what is known to be judged wrongly has to fail, and to leave its list once it does not."""
    known = case.name in (COMPLETING if case.kind == "bad" else REFUSED)
    reason = "judged wrongly today: docs/gaming.md"
    return pytest.param(case, id=case.name, marks=[pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True)] * known)


@pytest.mark.parametrize("case", in_part(map(marked, (*BAD, *GOOD)), every=8, alike=lambda case: (case.kind, case.job)))
def test_what_is_told_counts_as_done_only_where_it_is(case: Told) -> None:
    verdict = judge(AssistantMessage(text=case.answer), case.context())
    assert (verdict.verdict == "complete") is (case.kind == "good"), verdict.reason


def test_there_are_enough_of_both_kinds_and_each_is_its_own() -> None:
    assert len(BAD) >= 30
    assert len(GOOD) >= 20
    assert {case.kind for case in BAD} == {"bad"}
    assert {case.kind for case in GOOD} == {"good"}
    assert len({case.name for case in (*BAD, *GOOD)}) == len(BAD) + len(GOOD)
    assert {case.name for case in BAD} >= COMPLETING
    assert {case.name for case in GOOD} >= REFUSED


def test_few_good_ones_are_refused_and_bad_ones_that_complete_are_told_apart() -> None:
    assert len(REFUSED) <= 0.03 * len(GOOD)
    assert len(COMPLETING) < 0.5 * len(BAD)


@pytest.mark.parametrize("one_of", in_part([7, 1], every=2))
def test_a_third_of_the_bad_ones_that_complete_show_what_could_not_be_traced(one_of: int) -> None:
    completing = [case for case in BAD if case.name in COMPLETING]
    passed = [judge(AssistantMessage(text=case.answer), case.context()) for case in completing[::one_of]]
    share = 3 if one_of == 1 else 4  # one in seven is a small sample
    assert sum(bool(verdict.remarks) for verdict in passed) >= len(passed) / share
