"""`jobs check` says what each line of a job file does, and which values are the sample's."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from autonomy.cli import main
from autonomy.jobs.explaining import (
    FIXED,
    GIVEN,
    GOES_ON,
    ITEM,
    MERGED,
    OF_KEYS,
    OF_RULES,
    REMARK,
    explained,
    inputs_left_open,
    values_of_sample,
)
from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_runner import plan_of
from autonomy.jobs.job_templates import in_timezone, templates
from autonomy.run_state.completion_rules import Postcondition, Rule
from autonomy.settings import load as load_settings
from autonomy.stores import in_zone_of_schedules, open_store
from tests.requirements import requirement
from tests.support.command import jiritsu

HEAD = """---
needs:
  - { id: publish, description: publish the post, effect: outward }
  - { id: tell, description: post a message to a channel, effect: outward, arguments: { channel_id: C09GENERAL } }
approval: { drafts: [publish], wait_s: 60 }
# C09DEV in a remark is no value
schedule: { cron: "0 9 * * 1" }
---
Publish it.
"""


def meanings(text: str, tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "job.md"
    file.write_text(text, encoding="utf-8")
    return {line.text.strip(): line.meaning for line in explained(load(file))}


@requirement("Y2")
def test_each_key_of_a_line_is_explained_where_it_comes_first(tmp_path: Path) -> None:
    told = meanings(HEAD, tmp_path)
    assert told["approval: { drafts: [publish], wait_s: 60 }"] == "its questions to people, and how long they wait"
    assert told["drafts"] == "a person reads these first, may edit them, and only then they go out"
    assert told["wait_s"] == "how many seconds a question waits"
    assert told["cron"] == "minute hour day month weekday"
    assert list(told).count("effect") == 1


@requirement("Y2")
def test_a_zone_without_the_summer_time_that_people_expect_of_it_says_so(tmp_path: Path) -> None:
    told = meanings(HEAD.replace('cron: "0 9 * * 1"', 'cron: "0 9 * * 1", timezone: EST'), tmp_path)
    assert told["timezone"].endswith("always 5 hours behind UTC; America/New_York has summer time")


EVERY_KIND_OF_LINE = """---
title: All keys
instructions: |
  Be short.

  # no remark
inputs:
  day: &day { type: date, default: today }
  until:
    <<: *day
needs:
  - id: posts
    description: list the posts
    arguments:
      # a remark
      q: "created:>={{inputs.day}} created:<={{ inputs.until:%Y }}"
      filter:
        states:
          - open
        by: [maya,
             tom]
  - id: publish
    description: create a post
    effect: outward
    arguments:
      body_md: "{{result}}"
      rows: "{{posts[name]}}"
when:
  tool: weather_get_weather
  arguments: { location: Oslo,
    date: today }
  value: "days[].rain"
  where:
    old: false
schedule:
  cron: "0 9 * * *"
  inputs:
    day: yesterday
complete:
  - rule: json
    json_schema:
      properties:
        a: { type: string }
  - { rule: length, min_chars: 3 }
delivery: [publish]
---

Write it.
And well.
"""


@requirement("Y2")
def test_every_line_is_explained_up_to_the_goal_in_files_of_every_form(tmp_path: Path) -> None:
    told = meanings(EVERY_KIND_OF_LINE, tmp_path)
    assert [told[line] for line in ("# a remark", "# no remark", "- open", "tom]")] == [REMARK, GOES_ON, ITEM, ITEM]
    assert told['q: "created:>={{inputs.day}} created:<={{ inputs.until:%Y }}"'] == "filled in with the input day, until"
    assert told['rows: "{{posts[name]}}"'] == "filled in with what posts found"
    assert told['body_md: "{{result}}"'] == "left open: the text of the run"
    assert (told["location"], told["date: today }"], told["day: yesterday"]) == (FIXED, FIXED, GIVEN)
    assert (told["<<: *day"], told["- rule: json"], told["min_chars"]) == (MERGED, OF_RULES["json"], "the fewest characters")
    for file in (tmp_path / "job.md", *(BUILT_IN / "templates").rglob("*.md"), *BUILT_IN.glob("*/job.md")):
        numbers = [line.number for line in explained(load(file)) if line.number]
        filled = [number for number, line in enumerate(lines(file), 1) if line.strip() and number <= numbers[-1]]
        assert numbers == filled, file
        assert lines(file)[: numbers[-1] - 1][-1].strip() in ("---", ""), "the last one is the goal"


def test_every_rule_has_a_meaning() -> None:
    assert {get_args(kind.model_fields["rule"].annotation)[0] for kind in get_args(get_args(Rule)[0])} == OF_RULES.keys()


def keys_of(model: Any, path: str) -> Iterator[str]:
    """Every key of a table and of the tables in it, as paths."""
    for name, field in model.model_fields.items():
        at = f"{path}.{name}".lstrip(".")
        yield at
        for inner in tables_in(field.annotation):
            yield from keys_of(inner, f"{at}.*" if at == "inputs" else at)


def tables_in(annotation: Any) -> Iterator[Any]:
    if hasattr(annotation, "model_fields"):
        yield annotation
    for part in get_args(annotation):
        yield from tables_in(part)


def test_every_key_that_a_job_file_can_have_has_a_meaning() -> None:
    of_the_file = {"name", "file", "goal"}
    of_checks = {f"complete.{name}" for name in Postcondition.model_fields} - {"complete.rule"}
    assert {key for key in keys_of(Job, "") if key not in OF_KEYS} - of_the_file - of_checks == set()


@requirement("Y2")
def test_values_of_the_sample_are_named_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "job.md"
    file.write_text(HEAD, encoding="utf-8")
    assert values_of_sample(load(file)) == [(4, "C09GENERAL", "#general")]


@requirement("Y2")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_input_that_a_goal_names_without_its_prefix_is_told_with_its_line(language: str, tmp_path: Path) -> None:
    file = tmp_path / "job.md"
    head = "---\ntitle: Books\ninputs:\n  user: { description: who, default: x }\n---\n"
    file.write_text(f"{head}Tell {{{{inputs.user}}}}.\nAsk {{{{user}}}}, and write {{{{name}}}}.\n", encoding="utf-8")
    assert inputs_left_open(load(file)) == [(7, "user")]
    told = jiritsu("jobs", "check", str(file), home=tmp_path, LANG="en_US.UTF-8" if language == "en" else "ja_JP.UTF-8")
    words = (
        "? line 7: {{user}} stays as it is; {{inputs.user}} inserts"
        if language == "en"
        else "? 7 行目: {{user}} はそのまま残ります"
    )
    assert (told.returncode, words in told.stdout) == (0, True), told.stdout


@requirement("Y2")
@pytest.mark.parametrize(("language", "person"), [("en", "maya"), ("ja", "haruka")])
def test_a_new_diary_says_whose_it_would_be_and_a_namesake_is_nobodys_mistake(language: str, person: str, tmp_path: Path) -> None:
    template = templates(language)["diary"]
    assert [(one.value, one.name) for one in values_of_sample(load(template), people=True)] == [(person, f"@{person}")]
    assert values_of_sample(load(template)) == []
    made = jiritsu("jobs", "new", "diary", home=tmp_path, LANG="en_US.UTF-8" if language == "en" else "ja_JP.UTF-8")
    assert made.returncode == 0
    assert f"{person} is @{person} of the sample" in made.stdout or f"{person} はサンプルの @{person} です" in made.stdout


@requirement("Y2")
def test_a_template_says_beside_each_of_the_samples_values_what_is_to_be_put_there() -> None:
    templates = sorted((BUILT_IN / "templates").rglob("*.md"))
    found = [(file, one) for file in templates for one in values_of_sample(load(file), people=True)]
    assert len(found) == 14
    for file, one in found:
        assert lines(file)[one.line - 2].strip().startswith(f"# {one.value} "), file


@requirement("Y2")
def test_a_template_about_a_day_comes_once_a_day_and_its_condition_reads_what_the_run_reads() -> None:
    for file in sorted((BUILT_IN / "templates").rglob("*.md")):
        job = load(file)
        if job.schedule and "date" in job.inputs:
            plan = plan_of(job, "Asia/Tokyo")
            days = [plan.day(tick) for tick in plan.next(0, 10)]
            assert len(set(days)) == len(days), file
        if job.when:
            assert job.when.arguments == job.needs[0].arguments, f"{file}: else another day has it begin"


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


@requirement("Y2")
def test_a_new_job_names_the_time_zone_of_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "job.md"
    for language in ("en", "ja"):
        for template in templates(language).values():
            file.write_text(in_timezone(template.read_text(encoding="utf-8"), "Europe/Berlin"), encoding="utf-8")
            job = load(file)
            assert job.schedule is None or job.schedule.timezone == "Europe/Berlin", template


@requirement("Y2")
def test_the_commands_that_a_new_job_proposes_can_be_pasted_where_its_folder_has_a_blank(tmp_path: Path) -> None:
    home = tmp_path / "Application Support"
    output = CliRunner().invoke(main, ["--home", str(home), "jobs", "new", "standup"], env={"JIRITSU_LANGUAGE": "en"}).output
    proposed = [shlex.split(line, comments=True) for line in output.splitlines() if line.startswith("jiritsu ")]
    assert [str(home / "jobs" / "standup.md") in words for words in proposed] == [True, True], output


@requirement("Y2")
def test_a_check_says_by_which_time_zone_a_schedule_goes_that_names_none(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    for name, text in (("nameless", HEAD), ("named", HEAD.replace("}\n---", ", timezone: Asia/Tokyo }\n---"))):
        (tmp_path / "jobs" / f"{name}.md").write_text(text, encoding="utf-8")
    environment = {"JIRITSU_LANGUAGE": "en", "JIRITSU_TIMEZONE": "Europe/Berlin"}
    told = {
        name: CliRunner().invoke(main, ["--home", str(tmp_path), "jobs", "check", name], env=environment).output
        for name in ("nameless", "named")
    }
    line = "its times are those of Europe/Berlin, the time zone of the settings"
    assert [name for name, output in told.items() if line in output] == ["nameless"], told


@requirement("J1", "Y2")
def test_a_laptop_that_travels_is_told_by_which_time_zone_its_schedules_go(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "nameless.md").write_text(HEAD, encoding="utf-8")

    def checked(zone: str, timezone: str | None = None) -> str:
        environment = {"JIRITSU_LANGUAGE": "en", "TZ": zone, "JIRITSU_TIMEZONE": timezone}
        return CliRunner().invoke(main, ["--home", str(tmp_path), "jobs", "check", "nameless"], env=environment).output

    home = load_settings({"home": str(tmp_path)}, env={"TZ": "Europe/Berlin"}, cwd=tmp_path)
    engine = open_store(home)
    in_zone_of_schedules(home, engine, runs_schedules=True)
    engine.dispose()
    both = "those of Europe/Berlin, the time zone of the schedules on this database; this machine is in Asia/Tokyo"
    assert both in checked("Asia/Tokyo")
    assert "those of Europe/Berlin, the time zone of the settings" in checked("Europe/Berlin")
    assert "those of Asia/Tokyo, the time zone of the settings" in checked("Asia/Tokyo", timezone="Asia/Tokyo")
