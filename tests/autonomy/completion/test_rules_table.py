"""The page of the completion rules is what the rules say of themselves."""

from pathlib import Path

from click.testing import CliRunner

from autonomy.cli.commands.jobs import show_rules
from autonomy.completion.rules.registry import OF_SHORT_ANSWERS, REFUSING, REMARKS, REMARKS_OF, RULES
from autonomy.completion.rules.rules_table import name_of, rules_table
from autonomy.run_state.completion_rules import Grounded

PAGE = Path(__file__).parents[3] / "docs" / "completion-rules.md"


def test_the_page_holds_what_the_command_prints():
    printed = CliRunner().invoke(show_rules).output.strip()
    assert printed == rules_table()
    page = PAGE.read_text(encoding="utf-8")
    assert page.partition("<!-- rules -->\n")[2].partition("\n<!-- end of rules -->")[0] == printed


def test_every_rule_and_check_is_told_with_its_settings():
    rows = [line.split(" | ") for line in rules_table().splitlines() if line.startswith("| `")]
    assert [row[0].strip("| `") for row in rows] == [name_of(form) for form in RULES] + [
        check.ask.__name__
        for check in (*REFUSING, *OF_SHORT_ANSWERS, *REMARKS, *(one for checks in REMARKS_OF.values() for one in checks))
    ]
    assert all(len(row[1]) > 20 for row in rows), "each says what it asks"
    (grounded,) = (row for row in rows if row[0] == f"| `{name_of(Grounded)}`")
    assert grounded[2] == "jobs with needs"
    assert grounded[3].startswith("`most_unsupported: 0.34`: The share of sentences")
