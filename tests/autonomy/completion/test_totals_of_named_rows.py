"""A total of the rows that a sentence names, or of several reads together, needs no figure of its own; another total does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.tabular.tables import tables_of
from tests.gaming.told import Told, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
NEEDS = (
    Need(id="stock", description="the stock and the incidents"),
    Need(id="publish", description="post the note", effect="outward", after=("stock",), arguments={"body": "{{result}}"}),
)
NOTE = Task(goal="Write the note of the depot and post it.", needs=NEEDS, language="en")
STOCK = read(
    "depot_stock",
    "sku,name,on_hand,reserved,price,best_before\nTB-1,Assam 250g,1150,900,GBP 89,23/11/2026\n"
    "TB-2,Darjeeling 100g,85,108,GBP 12,04/12/2026\nTB-3,Earl Grey 250g,640,64,GBP 41,2026-12-01\n",
    needs=("stock",),
)
ORDERS = read("depot_orders", "order,sku,bags\nSO-1,TB-2,60\nSO-2,TB-2,48\nSO-3,TB-1,200\nSO-4,TB-3,15\n", needs=("stock",))
DAYS = tuple(
    read(
        "lab_day",
        {"incidents": [{"id": f"{day}-{team}", "minutes": many, "team": team} for team, many in found.items()]},
        needs=("stock",),
        day=f"2027-03-0{day}",
    )
    for day, found in ((4, {"web": 18, "db": 6}), (5, {"web": 41, "db": 12}))
)


def doubts(line: str) -> tuple[str, ...]:
    """What is found of a job that posts a line."""
    text = f"# Depot\n\n- {line}\n"
    calls = (STOCK, ORDERS, *DAYS, wrote("notes_create", {"number": 3}, needs=("publish",), body=text))
    told = Told("note", "good", NOTE, calls, "I posted the note.", "note")
    return judge(AssistantMessage(text=told.answer), told.context()).findings


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("The two 250g teas come to 1,790 on hand.", "The two 250g teas come to 1,970 on hand."),
        ("The 250 g teas: 1,790 on hand, 964 reserved.", "The 250 g teas: 1,790 on hand, 946 reserved."),
        ("Assam 250g and Earl Grey 250g have 1,790 on hand.", "Assam 250g and Darjeeling 100g have 1,790 on hand."),
        ("Both days together had 77 minutes of incidents.", "Both days together had 87 minutes of incidents."),
        ("The web team had 59 minutes over both days.", "The web team had 63 minutes over both days."),
    ],
)
def test_a_total_of_what_a_sentence_names_follows_and_another_does_not(true: str, false: str) -> None:
    assert doubts(true) == ()
    assert any("has no source" in one for one in doubts(false))


@given(st.lists(st.tuples(st.sampled_from(["red", "blue", "green"]), st.integers(10, 10_000)), min_size=2, max_size=12))
def test_what_is_summed_is_each_column_over_the_rows_that_are_named(rows: list[tuple[str, int]]) -> None:
    listed = [{"sku": f"S-{at:02}", "name": f"{color} cup {at}", "on_hand": many} for at, (color, many) in enumerate(rows)]
    (table,) = tables_of(rows_of("call", listed))
    reds = [many for color, many in rows if color == "red"]
    sums = table.sums_of_named("the red ones")
    assert (sum(reds) in sums) is (1 < len(reds) < len(rows))
    assert not table.sums_of_named("the yellow ones")
    assert sum(many for _, many in rows[:2]) in table.sums_of_named("s-00 and s-01")
