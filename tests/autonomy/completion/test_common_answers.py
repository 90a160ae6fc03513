"""What true answers about a shop, a help desk, a rota or a laboratory commonly hold is not doubted, and its false twin is."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")

ORDERS = read("shop_orders", "order,customer,units,due\nSO-41,Mill Café,40,23/11/2026\nSO-42,Quay Deli,18,01/12/2026\n")
SHIFTS = read(
    "rota_shifts",
    {
        "shifts": [
            {"day": "Tue 1 Dec", "post": "Shop", "who": "Nora Blake"},
            {"day": "Wed 2 Dec", "post": "Shop", "who": "Ida Voss"},
        ]
    },
)
LEAVE = read("rota_leave", {"leave": [{"who": "Ida Voss", "from": "2026-12-01"}, {"who": "Nora Blake", "from": "2026-12-04"}]})
SHIPPED = lost("shop_cancel", "SO-42 is shipped since 09:40; a return costs GBP 15.00", effect="write", order="SO-42")
CASES = read(
    "desk_list",
    {
        "cases": [
            {"case": "HL-47", "customer": "Mill Café", "opened": "2026-11-23 08:15"},
            {"case": "HL-48", "customer": "Quay Deli", "opened": "2026-11-25 13:00"},
        ]
    },
)
TALK = read("desk_case", "Case: HL-47\nCustomer: Mill Café\n\n[2026-11-26 09:00] customer:\nAny news?", case="HL-47")
PAGES = read("wiki_list", "- `a` — Deploying\n- `b` — On call\n- `c` — Glossary\n- `d` — Roll back\n- `e` — Search")
PAGE = wrote("wiki_create_page", "Created `notes/sync`", path="notes/sync", title="Sync")
CHAT = read("chat_history", {"messages": [{"user": "Nora", "time": "2026-11-26T10:44:00", "text": "The boiler is mended"}]})
BILLS = read(
    "bills",
    {
        "bills": [
            {"month": "2030-03", "power": 9120, "gas": 7480, "water": 0},
            {"month": "2030-04", "power": 7310, "gas": 6050, "water": 5620},
        ]
    },
)
BUILD = read("ci_last_run", {"run": 2207, "result": "failed", "error": "timeout waiting for postgres after 120 s"})
WAITING = read("ci_last_run", {"run": 2207, "result": "queued", "error": "timeout waiting for postgres after 120 s"})
REPLY = wrote("desk_reply", '{"sent": true, "case": "HL-47", "to": "Harbour Kitchens"}', case="HL-47", text="We look into it.")


def doubts(question: str, answer: str, *calls: CallRecord) -> tuple[str, ...]:
    """What the judge says against an answer, refusals and remarks."""
    case = asked("a run", "good", question, *calls, answer=answer)
    verdict = judge(AssistantMessage(text=answer), case.context())
    return (*verdict.findings, *verdict.remarks)


@pytest.mark.parametrize(
    ("question", "right", "wrong", "calls"),
    [
        (
            "When was the boiler mended?",
            "Nora wrote in the 10 am hour that the boiler is mended.",
            "Nora wrote in the 11 am hour that the boiler is mended.",
            (CHAT,),
        ),
        ("ボイラーはいつ直った？", "10時台に Nora さんが書いています。", "12時台に Nora さんが書いています。", (CHAT,)),
        (
            "3月と4月の光熱費の合計は？",
            "合計は35,580円です（3月 16,600円、4月 18,980円）。",
            "合計は27,580円です（3月 16,600円、4月 10,980円）。",
            (BILLS,),
        ),
        (
            "When are the orders due?",
            "SO-41 is due on 23 November, SO-42 on 1 December.",
            "SO-41 is due on 24 November, SO-42 on 1 December.",
            (ORDERS,),
        ),
        (
            "Who is away on Tuesday?",
            "Ida Voss is away on 1 December; Nora Blake is at the shop that day.",
            "Ida Voss is away on 4 December.",
            (SHIFTS, LEAVE),
        ),
        (
            "Cancel SO-42",
            "SO-42 could not be cancelled: the shop refused, as it is shipped since 09:40. A return costs £15.",
            "SO-42 could not be cancelled: the shop refused, as it is shipped since 08:15. A return costs £35.",
            (SHIPPED,),
        ),
        (
            "Since when does Mill Café wait?",
            "Mill Café (HL-47) has been waiting since 26 November, 09:00.",
            "Mill Café (HL-47) has been waiting since 25 November, 13:00.",
            (CASES, TALK),
        ),
        ("How many pages does the wiki have?", "The wiki has 5 pages.", "The wiki has 12 pages.", (PAGES,)),
        (
            "Create the page notes/sync",
            "I created the page with the three open actions.",
            "I created the page in **Drafts**.",
            (PAGE,),
        ),
        (
            "Tell the customer of HL-47 that we look into it",
            "I replied to **Harbour Kitchens** that we look into the case.",
            "I replied to **Mill Café** that we look into the case.",
            (REPLY,),
        ),
    ],
    ids=[
        "an hour as a whole",
        "in Japanese",
        "sums of rows",
        "day first",
        "a day without its year",
        "why it failed",
        "of a case at length",
        "items of a list",
        "made with",
        "told in bold",
    ],
)
def test_a_true_answer_is_not_doubted_and_a_false_one_is(
    question: str, right: str, wrong: str, calls: tuple[CallRecord, ...]
) -> None:
    given_up = [doubt for doubt in doubts(question, right, *calls) if "did not happen" not in doubt]
    assert not given_up
    assert [doubt for doubt in doubts(question, wrong, *calls) if "did not happen" not in doubt]


def test_a_question_what_something_would_do_for_asks_for_nothing_to_be_done() -> None:
    answer = "SO-41 is due first, and 40 units are in stock."
    assert not any("receipt" in doubt for doubt in doubts("Which is due first, and have we enough to send it?", answer, ORDERS))
    assert any("receipt" in doubt for doubt in doubts("See which is due first. Then please send it to Tom.", answer, ORDERS))


def test_whom_a_row_is_given_to_does_not_say_which_row_is_meant() -> None:
    open_shift = {"shift": "S15", "day": "Fri 4 Dec", "post": "Shop", "person": None}
    taken = {"shift": "S14", "day": "Fri 4 Dec", "post": "Gallery", "person": "Ida Voss"}
    shifts = read("rota_shifts", {"shifts": [open_shift, taken]})
    given = wrote("rota_assign", {"shift": "S15", "person": "Ida Voss"}, shift="S15", person="Ida Voss")
    assert not doubts("Give the open shop shift to Ida Voss", "Ida Voss has the open shop shift (S15) now.", shifts, given)
    other = wrote("rota_cancel", {"shift": "S15"}, shift="S15")
    assert any(
        "what was written is" in doubt for doubt in doubts("Cancel the shift of Ida Voss", "It is cancelled.", shifts, other)
    )


def test_an_id_whose_write_was_refused_is_told_of_once() -> None:
    cancelled = wrote("shop_cancel", {"order": "SO-41"}, order="SO-41")
    told = doubts("Cancel SO-41 and SO-42", "SO-41 is cancelled, SO-42 is not: it is shipped.", cancelled, SHIPPED)
    assert ["did not happen" in doubt for doubt in told] == [True]
    of_tool = SHIPPED.model_copy(update={"problem": "tool_error", "reason": "the tool says that it failed"})
    assert (
        "the tool says 'SO-42 is shipped since 09:40, a return" in doubts("Cancel SO-42", "SO-42 is not cancelled.", of_tool)[0]
    )
    silent = doubts("Cancel SO-41 and SO-42", "SO-41 is cancelled.", cancelled)
    assert any("SO-42" in doubt for doubt in silent)


def test_what_was_only_opened_or_not_done_is_no_deed() -> None:
    case = read("desk_case", "Case: HL-47\nStatus: waiting\n\n[25 Nov] Dan: Please send a photo.", case="HL-47")
    assert not doubts("Close HL-47 if they have answered", "I closed neither case: I opened HL-47, and Dan wrote last.", case)
    assert doubts("Has HL-47 been answered?", "No. I opened HL-48 for it and closed it.", case)


def test_how_far_a_value_is_beyond_a_limit_around_its_list_is_reckoned() -> None:
    measured = read(
        "lab_values",
        {"quantities": {"E. coli": {"limit": 900, "points": [{"value": 1150, "by": "Ida"}, {"value": 310, "by": "Per"}]}}},
    )
    assert not doubts("Is a limit exceeded?", "Yes, by 250: 1,150 of 900.", measured)
    assert not doubts("Is a limit exceeded?", "E. coli is above its limit of 900 by 250.", measured)
    assert doubts("Is a limit exceeded?", "E. coli is above its limit of 900 by 270.", measured)


def test_the_minimum_of_each_row_asks_for_no_outermost_row() -> None:
    stock = read("shop_stock", {"rows": [{"name": "tea", "held": 9, "minimum": 12}, {"name": "salt", "held": 40, "minimum": 8}]})
    assert not doubts("Is anything below its minimum?", "Tea: 9 of 12.", stock)


def test_a_state_that_a_field_has_is_no_mere_fear() -> None:
    answer = "Run 2207 failed: Postgres did not come up within two minutes."
    finding = "is told in nothing that it rests on"
    assert not any(finding in one for one in doubts("Why did the last build fail?", answer, BUILD))
    assert any(finding in one for one in doubts("Why did the last build fail?", answer, WAITING))
