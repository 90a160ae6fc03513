"""Which records of a list are versions of one thing, and what leads the items of a list."""

from autonomy.provenance.alignment import _with_leads, record_lists
from autonomy.provenance.support import SentenceSupport


def test_records_that_were_each_written_once_are_no_versions_of_one_thing() -> None:
    once = [{"number": 1, "name": "Runbook", "revision_number": 1}, {"number": 2, "name": "Minutes", "revision_number": 1}]
    again = [{"name": "Runbook", "revision_number": 1}, {"name": "Runbook", "revision_number": 2}]
    assert [one.newest_version for one in record_lists("c", once, None, None)] == [None]
    newest = [one.newest_version for one in record_lists("c", again, None, None)]
    assert [one.text for one in newest if one] == ["name: Runbook, revision_number: 2"]


def _leads(text: str) -> list[list[str]]:
    lines = text.splitlines()
    sentences = [SentenceSupport(line, text.index(line), text.index(line) + len(line), (), 0.0, ()) for line in lines]
    return [[one.text for one in lead] for _, lead in _with_leads(text, sentences)]


def test_no_item_of_a_list_leads_the_next_one_and_what_stands_before_the_list_does() -> None:
    assert _leads("- 10:52 Maya: a note\n- 11:15 Tom: good") == [[], []]
    assert _leads("Of the dev channel:\n- 11:15 Tom: good") == [["Of the dev channel:"]] * 2
