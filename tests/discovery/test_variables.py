"""Placeholders: filled in every spelling, never half, and what has no value is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.servers.variables import Expander, read_env_file

ENV = {"A": "1", "B": "two", "EMPTY": "", "HOME": "/home/me", "JIRITSU_INPUT_MY_KEY": "k"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("${A}-${B}", "1-two"),
        ("${env:A}", "1"),
        ("$env:A/x", "1/x"),
        ("${GONE:-default}", "default"),
        ("${EMPTY:-default}", "default"),
        ("${EMPTY}", ""),
        ("${GONE:-${B}/${ALSO:-x}}", "two/x"),
        ("${A:-${UNUSED}}", "1"),
        ("${GONE:-}", ""),
        ("${input:my-key}", "k"),
        ("$${A}", "${A}"),
        ("$A stays", "$A stays"),
        ("cost: 5$", "cost: 5$"),
        ("${unclosed", "${unclosed"),
        ("${userHome}${/}x", "/home/me/x"),
    ],
)
def test_spellings(text: str, expected: str) -> None:
    expander = Expander(ENV)
    assert (expander.expand(text), expander.missing) == (expected, [])


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("${GONE}", ["GONE"]),
        ("${GONE:-${ALSO}}", ["ALSO"]),
        ("${input:Team Id}", ["JIRITSU_INPUT_TEAM_ID"]),
        ("${a b}", ["${a b}"]),
    ],
)
def test_what_has_no_value_is_named(text: str, missing: list[str]) -> None:
    expander = Expander(ENV)
    expander.expand(text)
    assert expander.missing == missing


def test_the_workspace_is_the_projects_folder(tmp_path: Path) -> None:
    assert Expander(ENV, source=tmp_path / ".cursor" / "mcp.json").expand("${workspaceFolder}") == str(tmp_path)
    assert Expander(ENV, source=tmp_path / ".mcp.json").expand("${workspaceFolderBasename}") == tmp_path.name


@given(st.text())
def test_text_without_a_dollar_is_left_alone(text: str) -> None:
    plain = text.replace("$", "")
    assert Expander(ENV, bare=True).expand(plain) == plain


@given(st.lists(st.sampled_from(["${", "}", "$", "A", ":-", "$$", "env:", "x", "GONE"]), max_size=12).map("".join))
def test_no_placeholder_text_raises_or_leaks_a_name_that_has_no_value(text: str) -> None:
    expander = Expander(ENV)
    filled = expander.expand(text)
    assert isinstance(filled, str)
    assert "${GONE}" not in filled or "$${GONE}" in text


@given(st.text())
def test_a_value_is_never_expanded_again(value: str) -> None:
    assert Expander({"A": value + "${B}", "B": "no"}).expand("${A}") == value + "${B}"


def test_an_env_file_as_people_write_it(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "\ufeffA=1\nexport B=\"two words\" \n# C=3\nD='x # y'\nE=5 # five\nnot a line\n=x\nF=\nG==\n", encoding="utf-8"
    )
    assert read_env_file(file) == {"A": "1", "B": "two words", "D": "x # y", "E": "5", "F": "", "G": "="}


def test_a_brace_that_is_never_closed_hides_no_placeholder_behind_it() -> None:
    expander = Expander({"A": "a"})
    assert expander.expand("${${A} ${GONE}") == "${a "
    assert expander.missing == ["GONE"]


@pytest.mark.parametrize("text", ["${A:-" * 100_000, "${A:-" * 100_000 + "}" * 100_000, "${A:-" * 40_000 + "x" + "}" * 39_999])
def test_placeholders_within_each_other_are_read_in_one_pass_and_not_without_end(text: str) -> None:
    expander = Expander({})
    assert "x" not in expander.expand(text)
    assert all(len(one) < 100 for one in expander.missing)


def test_a_default_may_hold_a_few_placeholders() -> None:
    assert Expander({"C": "c"}).expand("${A:-${B:-${C}}/x}") == "c/x"
