"""A told row bears what its own row has, or what follows from that, and a share is that of the figures beside it."""

import time

import pytest

from autonomy.provenance import About, Sources, attribute
from autonomy.provenance.alignment import record_lists
from autonomy.provenance.contradictions import contradictions
from autonomy.provenance.records.exchanged_cells import WordCells, exchanged_columns, exchanged_results
from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.tabular.tables import tables_of
from autonomy.provenance.sources.tabular.text_tables import with_rows
from tests.requirements import requirement

LEAVE = {"people": [{"name": "Mina", "granted": 20, "used": 13.5}, {"name": "Otto", "granted": 18, "used": 16}, {"name": "Aya", "granted": 12, "used": 4}]}  # fmt: skip
LOAD = "# 結果 | 毎秒の件数 | 応答（なし） | 応答（あり） | | --- | --- | --- | | 12 | 0.1秒 | 0.1秒 | | 40 | 0.2秒 | 0.1秒 | | 60 | 1.1秒 | 0.3秒 | 索引を足すと速い。"


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ("- Mina: 6.5 days\n- Otto: 2 days\n- Aya: 8 days", True),
        ("- Mina: 6.5 days\n- Otto: 8 days\n- Aya: 2 days", False),
        ("| Name | Left |\n| --- | --- |\n| Mina | 6.5 |\n| Aya | 2 |\n| Otto | 8 |", False),
        ("- Otto: 2 days of 18\n- Aya: 8 days of 12", True),
        ("- Otto has 8 days left", True),  # one line alone may tell anything
        ("- Otto and Aya: 8 days\n- Mina: 6.5 days", True),  # two rows share a line
        ("- Otto: 5 days\n- Aya: 8 days", True),  # nobody's result: what has no source, another check says
    ],
)
def test_what_follows_from_a_row_is_told_of_that_row(told: str, right: bool) -> None:
    assert (not list(exchanged_results(told, tables_of(rows_of("call-1", LEAVE))))) is right


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (("0.1 s", "0.2 s", "1.1 s"), True),
        (("0.2 s", "0.1 s", "1.1 s"), False),
        (("0.1 s", "0.1 s", "0.3 s"), True),  # the other column
        (("0.1 s", "0.2 s", "1.2 s"), True),  # altered, and not exchanged
    ],
)
def test_a_column_of_a_told_table_is_not_mixed_up_with_its_rows(cells: tuple[str, str, str], right: bool) -> None:
    told = "| Requests | Response |\n|---|---|\n" + "".join(
        f"| {label} | {cell} |\n" for label, cell in zip((12, 40, 60), cells, strict=True)
    )
    read = [one.objects for one in record_lists("call-1", {"posts": [{"excerpt": LOAD}]}, None, None)]
    assert (not list(exchanged_columns(told, read))) is right


TICKETS = [
    {"id": 9031, "from": "Hollis Bakery", "state": "open", "assignee": "Priya"},
    {"id": 9044, "from": "Tern Cycles", "state": "waiting", "assignee": "Magnus"},
    {"id": 9052, "from": "Hollis Bakery", "state": "solved", "assignee": "Priya"},
]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("9031, Hollis Bakery: Magnus", ("Magnus", "assignee: Priya")),
        ("9044 is with Priya", ("Priya", "assignee: Magnus")),
        ("9031, Hollis Bakery: Priya", None),
        ("9031 is with Priya, 9044 with Magnus", None),  # two rows in one sentence
        ("9031 went from Priya to Magnus", None),  # what the row says is told as well
        ("Magnus has 9031", ("9031", "id: 9044")),
        ("Magnus will look at 9031", None),  # what is to be is in no row
        ("9031 is not for Magnus", None),
        ("9031 is for Yuki", None),  # nobody's: whether it has a source, another check says
        ("#90310 went to Magnus", None),
    ],
)
def test_a_word_of_another_row_is_not_told_of_the_row_that_a_sentence_begins_with(
    told: str, found: tuple[str, str] | None
) -> None:
    assert WordCells(TICKETS).exchanged(told) == found


def test_a_cause_in_japanese_is_not_told_of_another_line() -> None:
    lines = WordCells(
        [{"line": "山手筋線", "state": "遅延", "cause": "信号点検"}, {"line": "空港線", "state": "運転見合わせ", "cause": "強風"}]
    )
    assert lines.exchanged("空港線は信号点検のため運転を見合わせています。") == ("信号点検", "cause: 強風")
    assert lines.exchanged("空港線は強風のため運転を見合わせています。") is None


@requirement("K10")
def test_a_long_told_table_beside_many_lists_costs_no_more_than_reading_both() -> None:
    def work(rows: int) -> float:
        told = "| Name | Size |\n|---|---|\n" + "".join(f"| r{at} | {at} |\n" for at in range(rows))
        read = [[{"name": f"r{at}", "size": at} for at in range(40)]] * rows
        began = time.process_time()
        assert not list(exchanged_columns(told, read))
        return time.process_time() - began

    work(10)
    assert work(400) < 0.3 + 8 * work(100)


def test_a_table_in_one_line_is_read_with_the_text_around_it() -> None:
    rows = with_rows(LOAD)
    assert rows is not None
    assert [list(row.values()) for row in rows] == [[12, "0.1秒", "0.1秒"], [40, "0.2秒", "0.1秒"], [60, "1.1秒", "0.3秒"]]
    assert with_rows("a | b | --- | c") is None


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("Sign-ups rose from 306 to 357, by about 17 %.", True),
        ("Sign-ups rose from 306 in week 8 to 357 in week 9, by about 24 %.", False),  # 24 % is against week 7
        ("回答した48人のうち29人が満足で、約6割です。", True),
        ("回答した48人のうち29人が満足で、約8割です。", False),  # 48 of the 60 who were asked
        ("48人が回答し（回収率80%）、29人が満足でした。", True),  # of the 60 who were asked
        ("60人のうち48人が回答し、29人が満足で、80%の回収率です。", True),  # three figures: any two may be meant
    ],
)
def test_a_share_is_that_of_the_two_figures_beside_it(said: str, right: bool) -> None:
    sources = Sources()
    sources.add_result(
        "call-1", "series", {"weeks": [{"n": 288}, {"n": 306}, {"n": 357}], "answers": 48, "asked": 60, "満足": 29}
    )
    shown = [
        found for found in contradictions(attribute(said, sources, About()), sources) if "%" in found.said or "割" in found.said
    ]
    assert (not shown) is right
