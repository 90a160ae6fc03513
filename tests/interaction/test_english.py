"""An English reader meets English from the first line: sample, job, answer, report and hints."""

import json
import re
from pathlib import Path

import pytest

from autonomy.jobs.job_folders import job_folders
from autonomy.jobs.job_loading import load
from autonomy.settings import load as load_settings
from tests.requirements import requirement
from tests.support.command import jiritsu

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
SAMPLES = {"ja": ("AI代筆日記", "esa"), "en": ("AI Diary", "esa-en")}


@requirement("Y1")
def test_the_english_sample_completes_with_everything_measured_at_the_top_and_no_japanese_in_sight(home: Path) -> None:
    (home / "jiritsu.toml").write_text('model = ["openai:not-there"]\nservers = "not-there.json"\njobs = "not-there"\n')
    # the furthest from the zone of the posts on esa that the sample has beside the messages
    done = jiritsu("run", "diary", "--sample", "en", home=home, LC_ALL="ja_JP.UTF-8", TZ="America/Los_Angeles")
    assert done.returncode == 0, done.stderr
    assert "Overall 100.0%" in done.stderr
    assert "v3.4.1" in done.stdout
    for section in ("Done", "TIL", "Thoughts", "Tomorrow"):
        assert re.search(rf"^## {section}\n\n- (?!No |Nothing )", done.stdout, re.MULTILINE), f"{section} has lines of its own"
    assert JAPANESE.findall(done.stdout + done.stderr) == []
    (post,) = (home / "esa-en" / "AI Diary").rglob("maya's diary.md")
    assert "v3.4.1" in post.read_text(encoding="utf-8")
    assert "quickpoll.example" not in post.read_text(encoding="utf-8"), "what a message orders is no part of a diary"


@requirement("Y1")
def test_the_japanese_sample_can_be_asked_for_in_an_english_locale(home: Path) -> None:
    done = jiritsu("run", "diary", "--sample", "ja", "-q", home=home, LC_ALL="en_GB.UTF-8")
    assert done.returncode == 0, done.stderr
    assert "## やったこと" in done.stdout


@requirement("Y1")
@pytest.mark.parametrize("locale", ["ja_JP.UTF-8", pytest.param("", marks=pytest.mark.sweep)])
def test_a_question_in_english_is_answered_refused_and_explained_in_english_whatever_the_locale(home: Path, locale: str) -> None:
    asked = jiritsu("run", "Do I need an umbrella in Tokyo today?", home=home, LC_ALL=locale)
    refused = jiritsu("run", "What did Maya say today?", home=home, LC_ALL=locale)
    for done in (asked, refused):
        assert JAPANESE.findall(done.stdout + done.stderr) == []
    assert "Overall 100.0%" in asked.stderr
    assert "`--sample en` asks the sample in this language" in refused.stderr
    turned = jiritsu("run", "今日の東京に傘は必要？", "--sample", "en", home=home, LC_ALL="en_US.UTF-8")
    assert "傘は" in turned.stdout
    assert "総合" in turned.stderr


@requirement("Y1")
@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({}, "ja"),
        ({"LANG": "C.UTF-8"}, "ja"),
        ({"LANG": "POSIX"}, "ja"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "en_US.UTF-8", "JIRITSU_LANGUAGE": "ja"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "JIRITSU_LANGUAGE": "auto"}, "ja"),
    ],
)
def test_the_language_is_the_locales_unless_a_setting_says_which(env: dict[str, str], language: str, tmp_path: Path) -> None:
    found = load_settings(env={"JIRITSU_HOME": str(tmp_path), **env}, cwd=tmp_path)
    assert found.settings.language == language
    assert found.settings.location == ("東京" if language == "ja" else "Tokyo")


@requirement("Y1")
def test_both_languages_have_the_same_jobs_with_the_same_needs_and_inputs(tmp_path: Path) -> None:
    shapes = {}
    for language in ("ja", "en"):
        settings = load_settings({"language": language, "sample_only": True}, env={"JIRITSU_HOME": str(tmp_path)}, cwd=tmp_path)
        jobs = {file.parent.name: load(file) for file in sorted(job_folders(settings.settings)[0].glob("*/job.md"))}
        assert {job.language for job in jobs.values()} == {language}
        shapes[language] = {
            name: (list(job.inputs), [(need.id, need.effect, need.after) for need in job.needs], job.schedule, job.delivery)
            for name, job in jobs.items()
        }
    assert shapes["ja"] == shapes["en"]


@requirement("Y1")
def test_a_job_file_that_names_no_language_answers_in_that_of_the_settings(home: Path) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "rain.md").write_text("---\ntitle: Rain\n---\nDo I need an umbrella today?\n", encoding="utf-8")
    answers = [jiritsu("run", "rain", "--json", home=home, LC_ALL=locale) for locale in ("en_US.UTF-8", "ja_JP.UTF-8")]
    first_lines = [json.loads(done.stdout)["text"].splitlines()[0] for done in answers]
    assert [bool(re.search("[\u3040-\u309f]", line)) for line in first_lines] == [False, True]


@requirement("Y1")
def test_hints_are_english_in_an_english_locale(home: Path) -> None:
    done = jiritsu("discover", home=home, LC_ALL="en_US.UTF-8")
    slack = done.stdout.partition("esa  ready")[0]
    assert "reads only" in slack
    assert JAPANESE.findall(slack) == []
