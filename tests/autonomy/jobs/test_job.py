"""Job files: what they declare, and how they say no."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.errors import MOST_TOLD, ConfigError
from autonomy.jobs.inputs import read_input
from autonomy.jobs.job import Job, RunDefaults
from autonomy.jobs.job_folders import BUILT_IN, job_files
from autonomy.jobs.job_loading import find, load, read_all
from autonomy.run_state.completion_rules import Evidence
from tests.requirements import requirement

NOW = datetime(2026, 11, 21, 23, 30, tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo("Asia/Tokyo"))
"""Already the 22nd there."""

HEAD = """title: テスト
inputs:
  day: {type: date, default: today}
  who: {default: haruka}
needs:
  - id: look
    description: messages of a day
    arguments: {day: "{{inputs.day}}"}
  - id: post
    description: create a post
    effect: outward
    arguments: {category: "日記/{{inputs.day:%Y/%m/%d}}", body: "{{result}}"}
delivery: [post]
"""


def write(folder: Path, head: str = HEAD, text: str = "{{inputs.who}} の {{inputs.day}}", name: str = "notes") -> Path:
    file = folder / f"{name}.md"
    file.write_text(f"---\n{head}---\n{text}\n", encoding="utf-8")
    return file


@requirement("J1")
def test_a_job_fills_its_inputs_and_leaves_the_runs_own_references_to_the_run(tmp_path: Path) -> None:
    request = load(write(tmp_path)).request("r", {}, now=NOW)
    assert request.task.goal == "haruka の 2026-11-22"
    look, post = request.task.needs
    assert look.arguments == {"day": "2026-11-22"}
    assert post.arguments == {"category": "日記/2026/11/22", "body": "{{result}}"}
    assert request.rules == (Evidence(need="post", read_back="if_possible"),)
    assert request.job == "notes"


@requirement("J1")
def test_the_diary_that_ships_reads_and_declares_its_schedule_limits_rules_and_delivery() -> None:
    job = find("diary", (BUILT_IN,))
    assert job.schedule is not None
    assert (job.schedule.cron, job.schedule.timezone) == ("30 18 * * 1-5", None)
    assert job.delivery == ("publish",)
    publish = job.request("r", {"date": "2026-11-20"}, now=NOW).task.needs[-1]
    assert publish.arguments["category"] == "AI代筆日記/2026/11/20"


def test_a_job_of_the_operator_hides_a_built_in_one_of_the_same_name(tmp_path: Path) -> None:
    own = write(tmp_path, name="diary")
    assert find("diary", (tmp_path, BUILT_IN)).file == own
    assert [file for file in job_files((tmp_path, BUILT_IN)) if "diary" in str(file)] == [own]


@pytest.mark.parametrize(
    ("head", "text", "told"),
    [
        ("title: [\n", "goal", "front matter: is not YAML"),
        ("- a list\n", "goal", "front matter: is a list"),
        ("title: a\nplan: true\ntitle: b\n", "goal", "title: stands twice, in lines 2 and 4"),
        ("limits:\n  turns: 3\n  usd: 1\n  turns: 30\n", "goal", "turns: stands twice, in lines 3 and 5"),
        ("limits: {turns: 3, turns: 30}\n", "goal", "turns: stands twice, in lines 2 and 2"),
        ("title: a\n  plan: true\n", "goal", "is not YAML: its indentation does not fit the lines above, line 3"),
        ("title: a\nschedule:\n  cron: x\n timezone: y\n", "goal", "its indentation does not fit the lines above, line 5"),
        ("plan: true\ntitle: Diary: daily\n", "goal", "is not YAML: a text with a colon must stand in quotes, line 3"),
        ("title: {{inputs.day}}\n", "goal", "is not YAML: what holds {{…}} must stand in quotes, line 2"),
        ("title: {{inputs.day}}'s diary\n", "goal", "is not YAML: what holds {{…}} must stand in quotes, line 2"),
        ("plan: true\ntitle: @maya\n", "goal", "is not YAML: a text that begins with '@' must stand in quotes, line 3"),
        ("tools: [a, b\nplan: true\n", "goal", "is not YAML: a bracket is not closed, line 2"),
        ("title: 'it's'\n", "goal", "is not YAML: text stands behind a closing quote, line 2"),
        ("title: a\nplan\nlanguage: ja\n", "goal", "is not YAML: "),
        ("needs: [{id: a, description: x}, {id: b, description: y, after: [c]}]\n", "goal", "needs.b.after: 'c' is no need"),
        (
            HEAD.replace("{{result}}", "{{reslt}}"),
            "goal",
            "arguments: refers to reslt, which is neither `result` nor a need; did",
        ),
        ("complete: [{rule: evidence, need: a}]\n", "goal", "complete.1.need: 'a' is no need"),
        (
            "sections: [{title: Done}]\ncomplete: [{rule: sections, titles: [Doen]}]\n",
            "goal",
            "complete.1.titles: there is no section 'Doen'; did you mean Done?",
        ),
        ("name: other\n", "goal", "name: is no key: a job is named after its file"),
        ("goal: other\n", "goal", "goal: is no key"),
        ("? [a, b]\n: c\n", "goal", "is not YAML"),
        ("yes: 1\n", "goal", "keys should be strings, not True"),
        ("titel: x\n", "goal", "titel: there is no such key"),
        (HEAD, "", "goal: the text under the front matter is empty"),
        (HEAD.replace("post]", "look]"), "goal", "delivery: 'look' is no need with a write effect; those are post"),
        ("limits: {turns: 0}\n", "goal", "limits.turns: must be greater than or equal to 1, not 0"),
        ("budget: 5\n", "goal", "budget: must be a table of keys, not 5; there are usd_per_day, calls_per_day, runs_per_day"),
        ("quiet_hours: 22-7\n", "goal", "quiet_hours: must be a table of keys, not '22-7'; there are start, end, timezone"),
        ("quiet_hours: {from: '22:00', to: '7:00'}\n", "goal", "quiet_hours.from: there is no such key; there are start"),
        ("quiet_hours: {start: '7:00', end: '25:00'}\n", "goal", "quiet_hours.end: hour value is outside"),
        ("schedule: {cron: '0 9 30 2 *'}\n", "goal", "schedule.cron: '0 9 30 2 *' comes on no day within 5 years"),
        ("schedule: {cron: '0 9 * * *', timezone: Asia/Edo}\n", "goal", "'Asia/Edo' is no time zone"),
        ("schedule: {cron: '0 9 * * *', timezone: JST}\n", "goal", "'JST' is no time zone; did you mean Asia/Tokyo?"),
        ("schedule: {cron: '0 9 * * *', timezone: UTC+9}\n", "goal", "'UTC+9' is no time zone; did you mean Etc/GMT-9?"),
        ("complete: [{rule: lenght}]\n", "goal", "complete.1: 'lenght' is no rule; those are sections, length, language, "),
        ("complete: [{rule: lenght}]\n", "goal", "; did you mean length?"),
        ("complete: [{min_chars: 3}]\n", "goal", "complete.1: rule must be given"),
        ("title: no\n", "goal", "title: must be text, not False: put it in quotes"),
        ("title: 2026-11-30\n", "goal", "title: must be text, not 2026-11-30: put it in quotes"),
        ("title: a\n\tplan: true\n", "goal", "front matter: is not YAML: a tab stands where YAML takes only blanks, line 3"),
        ('plan: true\ntitle: "a\n', "goal", "front matter: is not YAML: a quote is not closed, line 3"),
        ("sections: [{title: A, source: nowhere}]\n", "goal", "'A' draws on 'nowhere', which is no need"),
        ("needs: [{id: a, description: x}, {id: a, description: y}]\n", "goal", "two needs are called 'a'"),
        ("needs: [{id: a, description: x}, {id: b}]\n", "goal", "needs.2.description: must be given"),
        (
            "needs: [{id: a, description: x, effect: wrte}]\n",
            "goal",
            "needs.a.effect: 'wrte' is no effect; those are read, write,",
        ),
        ("title: まとめを #general に\n", "goal", "title: line 2: '#general に' would be lost, since YAML reads it as a comment"),
        (
            "needs:\n  - id: a\n    description: Post\n      it to #dev\n",
            "goal",
            "needs.description: line 5: '#dev' would be lost",
        ),
        (
            "needs:\n  - id: a\n    arguments:\n      channel: #dev\n",
            "goal",
            "needs.arguments.channel: line 5: '#dev' would be lost",
        ),
        ("sections:\n  - title: A\n    cues:\n      - #42\n", "goal", "sections.cues: line 5: '#42' would be lost"),
        ("needs:\n  - { id: a, description: to #dev, effect: read }\n", "goal", "line 3: '#dev, effect: read }' would be lost"),
        ("tools: [a]\nsections: [{title: A, cues: [#dev, b]}]\n", "goal", "line 3: '#dev, b]}]' would be lost"),
        ("title: Ask in #dev\n  or #ops\n", "goal", "line 2: '#dev' would be lost"),
    ],
)
def test_a_faulty_job_file_is_one_sentence_that_names_file_key_and_value(tmp_path: Path, head: str, text: str, told: str) -> None:
    file = write(tmp_path, head, text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("title: a  # ours\nschedule: {cron: '0 9 * * *', timezone: Asia/Tokyo}  #ours\n", "a"),
        ("# of the team\ntitle: a\nschedule:\n  cron: 0 9 * * *\n  timezone: Asia/Tokyo #ours\n", "a"),
        ("title: 'to #dev' #ours\n", "to #dev"),
        ('title: "to #dev"  # ours\n', "to #dev"),
        ("title: C#\n", "C#"),
        ("title: a#b\nplan: true #ours\n", "a#b"),
        ("title: |-\n  to #dev\n", "to #dev"),
    ],
)
def test_a_comment_that_is_no_part_of_a_text_is_legal(tmp_path: Path, head: str, title: str) -> None:
    assert load(write(tmp_path, head, "goal")).title == title


def test_the_base_of_a_job_is_named_where_words_of_it_would_be_lost(tmp_path: Path) -> None:
    base = write(tmp_path, "title: to #dev\n", name="base")
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, "extends: base\n"))
    assert str(caught.value).startswith(f"{base}: title: line 2: '#dev' would be lost")


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    by_types = "titel: a\nneeds: [{id: a}, {id: b, descripton: x}]\nschedule: {cron: never}\nplan: perhaps\nquiet_hours: 22-7\n"
    by_meaning = "needs: [{id: a, description: x, effect: wrte}]\nsections: [{title: A, source: b}]\ndelivery: [c]\n"
    keys = []
    for number, head in enumerate((by_types, by_meaning, by_meaning.replace("[c]", str(list("cdefghijklmno"))))):
        with pytest.raises(ConfigError) as caught:
            load(write(tmp_path, head, "goal", name=f"job-{number}"))
        keys.append([one.key for one in (caught.value, *caught.value.others)])
    assert sorted(keys[0]) == ["needs.1.description", "needs.2.descripton", "plan", "quiet_hours", "schedule.cron", "titel"]
    assert sorted(keys[1]) == ["delivery", "needs.a.effect", "sections"]
    assert len(keys[2]) == MOST_TOLD


def test_a_file_as_windows_writes_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_bytes("\ufeff---\r\ntitle: 日報\r\n---\r\nThe goal.\r\n".encode())
    assert (load(file).title, load(file).goal) == ("日報", "The goal.")


def test_a_file_without_front_matter_is_no_job(tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_text("just words")
    with pytest.raises(ConfigError, match="has no front matter"):
        load(file)


def test_an_unknown_job_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="jobs: dairy: there is no such job; there are diary"):
        find("dairy", (tmp_path, BUILT_IN))


def test_a_day_is_read_as_people_write_it() -> None:
    for text, day in {
        "3 days ago": "2026-01-28",
        "２週間後": "2026-02-14",
        "2026/11/28": "2026-11-28",
        "2026年2月8日": "2026-02-08",
        "End-of-month": "2026-01-31",
        "先月末": "2025-12-31",
        "2026-W48-5": "2026-11-27",
    }.items():
        assert str(read_input("date", text, date(2026, 1, 31))) == day, text
    for text in ("2026/02/30", "3日", "9 days", "月"):
        with pytest.raises(ValueError, match="is no date"):
            read_input("date", text, date(2026, 1, 31))
    assert str(read_input("month", "2026年3月", date(2026, 1, 31))) == "2026-03"


@pytest.mark.parametrize(
    ("given_inputs", "told"),
    [
        ({"day": "2026-02-30"}, "inputs.day: '2026-02-30' is no date"),
        ({"day": "someday"}, "inputs.day: 'someday' is no date"),
        ({"dai": "x"}, "inputs.dai: the job has no such input; it has day, who"),
    ],
)
def test_a_faulty_input_is_named(tmp_path: Path, given_inputs: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path)).request("r", given_inputs, now=NOW)
    assert told in str(caught.value)


def test_a_reference_to_an_undeclared_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"goal: refers to inputs\.whom"):
        load(write(tmp_path, text="{{inputs.whom}}")).request("r", {}, now=NOW)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_every_date_is_taken_as_written(day: date) -> None:
    job = find("diary", (BUILT_IN,))
    publish = job.request("r", {"date": day.isoformat()}, now=NOW).task.needs[-1]
    assert publish.arguments["category"] == f"AI代筆日記/{day:%Y/%m/%d}"


def test_yesterday_is_the_day_before_today_in_the_jobs_time_zone(tmp_path: Path) -> None:
    request = load(write(tmp_path)).request("r", {"day": "yesterday"}, now=NOW)
    assert request.task.inputs["day"] == str(NOW.date() - timedelta(days=1))


def test_a_job_is_read_once_more_as_the_settings_say_unless_it_says_otherwise(tmp_path: Path) -> None:
    on = RunDefaults(second_opinion=True)
    silent, never, always = (
        load(write(tmp_path, HEAD + more)) for more in ("", "second_opinion: false\n", "second_opinion: true\n")
    )
    told = [job.request("r", {}, now=NOW, defaults=on).second_opinion for job in (silent, never)]
    assert (told, always.request("r", {}, now=NOW).second_opinion) == ([True, False], True)


def test_a_job_in_words_alone_knows_where_the_operator_is_and_one_with_needs_says_what_it_wants(tmp_path: Path) -> None:
    job = tmp_path / "rain.md"
    job.write_text("---\ntitle: Rain\n---\nDo I need an umbrella today?\n", encoding="utf-8")
    assert load(job).request("r", {}, now=NOW, defaults=RunDefaults(location="Tokyo")).task.inputs == {"location": "Tokyo"}
    assert "location" not in load(write(tmp_path)).request("r", {}, now=NOW, defaults=RunDefaults(location="Tokyo")).task.inputs


@requirement("Y1")
def test_a_job_extends_the_built_in_one_in_the_language_of_the_settings_unless_it_names_one(tmp_path: Path) -> None:
    (tmp_path / "team.md").write_text("---\nextends: diary\ntitle: Team\n---\n", encoding="utf-8")
    (tmp_path / "nihon.md").write_text("---\nextends: diary\nlanguage: ja\n---\n", encoding="utf-8")
    english, japanese = (tmp_path, BUILT_IN / "en", BUILT_IN), (tmp_path, BUILT_IN)
    found = {
        folders: {job.name: job.sections[0].title for job in read_all(folders)[0] if job.sections}
        for folders in (english, japanese)
    }
    assert (found[english]["team"], found[english]["nihon"]) == ("Done", "やったこと")
    assert (found[japanese]["team"], found[japanese]["nihon"]) == ("やったこと", "やったこと")
    assert find("team", english).language == "en"


def test_a_job_in_a_folder_of_its_own_extends_one_beside_that_folder(tmp_path: Path) -> None:
    (tmp_path / "sales").mkdir()
    (tmp_path / "sales" / "job.md").write_text("---\nextends: base\n---\n", encoding="utf-8")
    for title in ("Base", "Basis"):
        (tmp_path / "base.md").write_text(f"---\ntitle: {title}\n---\nDo it.\n", encoding="utf-8")
        assert {(job.name, job.title) for job in read_all([tmp_path])[0]} == {("base", title), ("sales", title)}


@requirement("Y3")
def test_a_job_is_scheduled_without_a_copy_by_a_file_that_extends_it(tmp_path: Path) -> None:
    file = tmp_path / "overtime-sales.md"
    file.write_text(
        "---\nextends: overtime\ntitle: 営業部の残業\nschedule:\n  cron: '0 9 1 * *'\n  inputs: {month: last month, department: 営業部,"
        " spreadsheet: S1, manager: U07}\n---\n",
        encoding="utf-8",
    )
    job, base = load(file), load(BUILT_IN / "overtime" / "job.md")
    assert (job.name, job.title, job.built_in) == ("overtime-sales", "営業部の残業", False)
    assert (job.needs, job.goal, job.delivery) == (base.needs, base.goal, base.delivery)
    asked = job.request("run-1", job.schedule.inputs if job.schedule else {}, now=datetime(2026, 11, 1, 9, tzinfo=UTC))
    assert asked.task.needs[0].arguments == {"month": "2026-10", "department": "営業部"}


@requirement("Y3")
@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ("extends: overtme", "extends: there is no job 'overtme'; there are diary, overtime"),
        ("extends: [overtime]", "there is no job"),
        ("extends: middle", "extends: middle extends another job itself; name that one"),
        ("extends: leaf", "there is no job 'leaf'"),
    ],
)
def test_a_base_that_cannot_be_extended_is_named(tmp_path: Path, base: str, problem: str) -> None:
    (tmp_path / "leaf.md").write_text(f"---\n{base}\n---\n")
    if "middle" in base:
        (tmp_path / "middle.md").write_text("---\nextends: overtime\n---\n")
    with pytest.raises(ConfigError, match=re.escape(problem)):
        load(tmp_path / "leaf.md")


@requirement("J2")
def test_a_run_of_a_job_lives_where_its_schedule_does_else_where_the_operator_is(tmp_path: Path) -> None:
    now = datetime(2026, 11, 23, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    zones = []
    for header in ("", "schedule: {cron: '0 9 * * *', timezone: Asia/Tokyo}\n"):
        (tmp_path / "tea.md").write_text(f"---\ntitle: Tea\n{header}---\nMake tea.\n", encoding="utf-8")
        zones.append(load(tmp_path / "tea.md").request("run-1", {}, now=now).timezone)
    assert zones == ["Europe/Berlin", "Asia/Tokyo"]


def test_job_files_are_read_again_only_when_one_of_them_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def noted(file: Path, language: str) -> Job:
        read.append(file)
        return load(file, language)

    monkeypatch.setattr("autonomy.jobs.job_loading.load", noted)
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\nTidy up.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("---\nextends: a\n---\n", encoding="utf-8")
    assert [job.goal for job in read_all([tmp_path])[0]] == ["Tidy up."] * 2
    read_all([tmp_path])[0].clear()
    assert [job.goal for job in read_all([tmp_path])[0]] == ["Tidy up."] * 2, "what one caller does with its list is its own"
    assert len(read) == 2
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\nTidy up well.\n", encoding="utf-8")
    assert [job.goal for job in read_all([tmp_path])[0]] == ["Tidy up well."] * 2, "also the one that extends it"
    (tmp_path / "b.md").unlink()
    assert [job.name for job in read_all([tmp_path])[0]] == ["a"]
