"""Doubt has readable reasons, and a run that is merely short, or speaks another way, is not doubted."""

import pytest

from metrics.measures import measure
from metrics.reporting.runs_to_review import runs_to_review
from metrics.trace_import.doubt import DOUBTFUL, LONG_ORDER, RULES, signs_of
from metrics.trace_import.imported_events import events_of
from metrics.trace_import.imported_run import ImportedCall, ImportedRun
from tests.bench.doubt_bench import doubt_of

ORDER = "Create the tables, load the rows, add an index for each foreign key and write a report of what you did. " * 4
DONE = "All steps are done. " + "The table orders has 12 rows and an index, and the report lists each of them. " * 8


def run(final: str, *, goal: str = ORDER, calls: int = 12, again: bool = False) -> ImportedRun:
    made = [ImportedCall(f"call-{at}", "sql", {"query": 0 if again else at}, "ok", answered=True) for at in range(calls)]
    return ImportedRun("run-1", "test", goal=goal, calls=made, final=final)


def test_a_run_that_did_much_and_says_what_is_not_doubted() -> None:
    assert doubt_of(run(DONE)) == (0, ())


@pytest.mark.parametrize(
    ("doubted", "reason"),
    [
        (run(""), "it ends without a word"),
        (run(DONE + "Now let me create the index."), "its last words announce a next step"),
        (run(DONE + "Shall I go on?"), "it ends with a question"),
        (run(DONE + "I could not add the index. I was unable to write the report."), "it admits more than one failure"),
        (run(DONE, calls=2), "so few calls for so long an order"),
        (run("All done."), "so few words after so long an order"),
        (run(DONE + "The index has to be added manually."), "it leaves something to be done by hand"),
        (run("The table orders has 12 rows and an index. " * 20), "it nowhere says that it finished"),
    ],
)
def test_each_strong_sign_makes_a_run_doubtful_and_is_told_first(doubted: ImportedRun, reason: str) -> None:
    found = doubt_of(doubted)
    assert found.doubtful
    assert reason in found.reasons


def test_one_weak_sign_is_not_enough_and_two_are() -> None:
    assert doubt_of(run(DONE, again=True)).points == 1
    assert doubt_of(run(DONE + "Two rows are remaining.", again=True)).doubtful


def test_a_short_question_may_have_a_short_answer_from_one_call() -> None:
    assert not doubt_of(run("It rains tomorrow.", goal="Will it rain tomorrow?", calls=1)).doubtful


def test_at_most_three_reasons_are_told_the_strongest_first() -> None:
    doubted = run("However, I could not do it. I was unable to. Let me try?", calls=1, again=True)
    doubted.started_at = 1.0
    runs = measure(events_of(doubted, lambda call: ("ok", ""), tenant="imported")).runs
    (told,) = runs_to_review(runs, {runs[0].facts.run_id: signs_of(doubted)})
    assert len(told.reasons) == 3
    points = {f"sign: {rule.name}": rule.points for rule in RULES}
    assert [points[one.kind] for one in told.reasons] == sorted((points[one.kind] for one in told.reasons), reverse=True)


def test_the_thresholds_are_whole_numbers_that_a_person_can_hold_in_mind() -> None:
    assert {rule.points for rule in RULES} == {1, DOUBTFUL}
    assert LONG_ORDER % 100 == 0


NAMES = 'Put "Ann Lee", "Bo Ek", "Cy Roe" and `di.txt` into the list. ' + ORDER


def test_a_run_that_never_names_to_its_tools_what_the_goal_names_is_doubted() -> None:
    assert "hardly anything that the goal names stands in any call" in doubt_of(run(DONE, goal=NAMES)).reasons
    told = run(DONE, goal=NAMES)
    told.calls[3].arguments = {"query": '{\\"rows\\": [\\"ann  lee\\", \\"Bo Ek\\"]}'}
    assert doubt_of(told) == (0, ()), "half of them stand there, in whatever notation"


def test_few_names_say_nothing() -> None:
    assert doubt_of(run(DONE, goal='Add "Ann Lee" and "Bo Ek". ' + ORDER)) == (0, ())


@pytest.mark.parametrize(
    "final",
    [
        "I'm having difficulty accessing the current price, so here is a general estimate.",
        "Since the external tools aren't working, here is what I know.",
        "価格の取得ができなかったため、一般的な目安をお伝えします。",
    ],
)
def test_trouble_with_tools_and_a_failed_last_call_are_doubted_together(final: str) -> None:
    one = ImportedRun("r", "t", goal="What does gold cost?", calls=[ImportedCall("1", "price", {}, "Error: down", answered=True)])
    one.final = final
    assert doubt_of(one).points >= DOUBTFUL
    one.calls[-1].result = "12,000 yen. " * 60 + "no error"
    assert doubt_of(one).points < DOUBTFUL + 1


def test_hostile_words_are_read_in_bounded_time() -> None:
    for piece in ("problem ", "tools a ", '"', "`a", "**a", "取得が", "「"):
        doubt_of(run(piece * 20_000, goal=piece * 20_000))
