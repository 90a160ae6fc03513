"""What the README says first is what the guard of main runs, and every page it points to is there."""

import re
import tomllib
from pathlib import Path

import pytest

from autonomy.jobs.job_loading import load
from autonomy.policy.operator_rules import PolicyRule

ROOT = Path(__file__).parents[2]
RUN = "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt . && .venv/bin/jiritsu run diary"
TEST = "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[test]' && .venv/bin/python -m pytest"
ROOMS = ("autonomy", "discovery", "metrics", "mcp_servers", "tests")
NAMED = re.compile(rf"`((?:[\w.-]+/)*[\w.-]+\.py|(?:{'|'.join(ROOMS)})/[\w/.-]*)`")
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_both_commands_stand_at_the_top(name: str) -> None:
    first_screen = "\n".join((ROOT / name).read_text(encoding="utf-8").splitlines()[:20])
    assert RUN in first_screen
    assert TEST in first_screen


def test_the_guard_of_main_runs_the_test_command_word_for_word() -> None:
    assert TEST in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_no_address_of_a_registry_no_path_of_a_machine_and_no_secret_stands_in_the_pins() -> None:
    for name in ("constraints.txt", "requirements.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"://|--index-url|--extra-index-url|--find-links|/home/|/root/", text)


def test_every_file_and_bench_a_page_names_is_there() -> None:
    files = [str(file.relative_to(ROOT)) for room in ROOMS for file in (ROOT / room).rglob("*")]
    there = {tail for file in files for tail in ends_of(file)} | set(files)
    lost = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = {name.rstrip("/") for name in re.findall(NAMED, text)}
        named |= {name.replace(".", "/") for name in re.findall(r"python -m (tests(?:\.\w+)+)", text)}
        if gone := [name for name in named if name not in there and f"{name}.py" not in files]:
            lost[str(page)] = gone
    assert lost == {}


def ends_of(file: str) -> list[str]:
    """What a page may call a file: `a/b/c.py` is also `b/c.py` and `c.py`."""
    parts = file.split("/")
    return ["/".join(parts[at:]) for at in range(1, len(parts))]


def test_the_job_and_the_rules_of_the_recipes_can_be_used(tmp_path: Path) -> None:
    recipes = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    for number, job in enumerate(re.findall(r"```markdown\n(---.*?)```", recipes, re.DOTALL)):
        file = tmp_path / ("diaries.md" if "title: Diaries of everybody\n" in job else f"recipe-{number}.md")  # one extends it
        file.write_text(job, encoding="utf-8")
        load(file)
    tables = re.findall(r"```toml\n(.*?)```", recipes, re.DOTALL)
    rules = [rule for table in tables for rule in tomllib.loads(table).get("policy", ())]
    assert {PolicyRule.model_validate(rule).decision for rule in rules} >= {"allow", "deny"}
