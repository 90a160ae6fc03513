"""The plain text of an address book is read as records, and no other text is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.sources.tabular.mailbox_lists import with_mailboxes
from tests.requirements import requirement

NAMES = st.sampled_from(["Priya Shah", "Tom O'Neil-Berg", "佐藤 美咲", "Dr. Ana Sá", "木村"])


@requirement("V1")
@given(
    st.lists(st.tuples(NAMES, st.sampled_from(["{} <{}>", "- {} <{}> (Sales)", "{}: {}", "{}（{}）", "3. {} – {}"])), min_size=1)
)
def test_every_person_of_a_list_is_a_record(lines: list[tuple[str, str]]) -> None:
    text = "\n".join(form.format(name, f"p{at}@acme.example") for at, (name, form) in enumerate(lines))
    found = with_mailboxes("mail_list_contacts", f"Contacts:\n{text}\n")
    assert [(one["name"], one["email"]) for one in found or ()] == [
        (name, f"p{at}@acme.example") for at, (name, _) in enumerate(lines)
    ]


@requirement("V1")
@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("files_read_text_file", "- Priya Shah <priya@acme.example>"),
        ("mail_list_contacts", "No contacts found."),
        ("mail_list_contacts", "- Priya Shah <priya@acme.example>\nShe has left."),
        ("mail_list_contacts", "- Priya Shah <priya@acme.example> or <priya@other.example>"),
    ],
)
def test_a_text_of_another_tool_or_with_any_other_line_is_none(tool: str, text: str) -> None:
    assert with_mailboxes(tool, text) is None
