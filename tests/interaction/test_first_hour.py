"""The way in: init, templates, checks, completion, doctor, demonstrations, and a worker that answers and is started from outside."""

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx2
import pytest

from autonomy.cli.commands.init import _names_in
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.webhook import signature_of, signature_without_job
from tests.requirements import requirement
from tests.support.command import HANG_S, command_line, environment, forked_command_line, from_the_start, jiritsu
from tests.support.openai_chat import OpenAIChat, call, failure, reply
from tests.support.ports import free_port
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
ON_THE_SAMPLE = ["standup", "weekly-digest", "watch-and-tell", "answer-in-channel", "inbox-triage"]
EVERY_DAY = {("weekly-digest", "en"), ("answer-in-channel", "ja")}
"""The others are rehearsed every day in `tests/autonomy/jobs/test_without_encoder.py`."""


@requirement("Y2")
def test_init_with_flags_asks_nothing_writes_what_was_said_and_runs_the_goal(home: Path) -> None:
    with OpenAIChat() as vendor:
        vendor.script(reply(calls=[call("report_ready", {"word": "ready"})]), reply("Hello."))
        given = ("--language", "en", "--model", "compatible:small", "--base-url", vendor.url, "--goal", "Say hello")
        done = jiritsu("init", *given, home=home)
        assert "Hello." in done.stdout, done.stderr
        settings = (home / "jiritsu.toml").read_text(encoding="utf-8")
        assert 'language = "en"' in settings
        assert 'model = ["compatible:small"]' in settings
        assert (home / "jiritsu.toml").stat().st_mode & 0o077 == 0, "it may hold a key"
        again = jiritsu("init", "--language", "ja", home=home)
        assert again.returncode == 0, again.stderr
        assert (home / "jiritsu.toml").read_text(encoding="utf-8") == settings
        assert '--language: language = "ja"' in again.stdout, "a flag that a file kept out is told with what to write"
        assert "--model" not in again.stdout


@requirement("Y2")
def test_init_names_the_servers_of_a_file_it_found(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text(
        '{"mcpServers": {"notes": {"command": "x"}, "mail": {"url": "https://mail.example"}}}', "utf-8"
    )
    (tmp_path / "broken.json").write_text("{", "utf-8")
    assert _names_in(tmp_path / "mcp.json") == ["notes", "mail"]
    assert _names_in(tmp_path / "broken.json") == []


@requirement("Y2")
def test_init_writes_nothing_for_a_model_that_does_not_answer(home: Path) -> None:
    with OpenAIChat() as vendor:
        vendor.script(failure(401, "no such key"))
        done = jiritsu("init", "--model", "compatible:small", "--base-url", vendor.url, home=home)
    assert done.returncode == 3
    assert "no such key" in done.stderr
    assert re.search(r"^ +→ ", done.stderr, re.MULTILINE), "what to do stands in a line of its own"
    assert not (home / "jiritsu.toml").exists()
    keyless = jiritsu("init", "--model", "openai:some-model", home=home, JIRITSU_LANGUAGE="ja", LANG="ja_JP.UTF-8")
    assert "OPENAI_API_KEY: 設定されていません。openai:some-model に必要です" in keyless.stderr


@requirement("Y2")
def test_doctor_shows_address_answer_tools_and_goes_on_past_a_missing_key(home: Path) -> None:
    with OpenAIChat() as vendor:
        vendor.script(reply(calls=[call("report_ready", {"word": "ready"})]), reply("I am ready."))
        toml = f'model = ["openai:some-model", "vllm:a", "vllm:b"]\n[models.vllm]\nbase_url = "{vendor.url}"\n'
        (home / "jiritsu.toml").write_text(toml, encoding="utf-8")
        done = jiritsu("doctor", home=home)
    assert done.returncode == 3
    assert "✗ model openai:some-model: environment: OPENAI_API_KEY: is not set" in done.stdout
    assert "→ set OPENAI_API_KEY to a key of https://api.openai.com/v1" in done.stdout
    assert f"✓ model vllm:a: {vendor.url} answered in" in done.stdout
    assert "! model vllm:b" in done.stdout, "it talks, and calls no tool"
    assert "✓ server slack" in done.stdout, "a missing key hides nothing else"


@requirement("Y2")
def test_doctor_names_a_slip_in_the_servers_file_and_goes_on_to_all_else(home: Path) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {"notes" {}}}', encoding="utf-8")
    done = jiritsu("doctor", home=home)
    assert done.returncode == 3
    assert "✓ model planner:offline" in done.stdout, "a file that cannot be read hides nothing else"
    assert re.search(r"^✗ servers file: .*jiritsu\.mcp\.json: line 1, column 25: ", done.stdout, re.MULTILINE)


@requirement("Y2")
def test_the_address_of_openai_is_taken_from_its_usual_variable(home: Path) -> None:
    with OpenAIChat() as vendor:
        vendor.script(reply("Hello."))
        env = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": vendor.url, "MCP_ENABLED": "false"}
        done = jiritsu("--model", "openai:any", "run", "Say hello", "-q", home=home, **env)
    assert "Hello." in done.stdout, done.stderr


@requirement("Y2")
@pytest.mark.parametrize("flags", [("-q",), pytest.param((), marks=pytest.mark.sweep)])
def test_a_run_whose_model_refuses_points_to_the_command_that_says_why(home: Path, flags: tuple[str, ...]) -> None:
    with OpenAIChat() as vendor:
        vendor.script(failure(401, "no such key"))
        env = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": vendor.url, "MCP_ENABLED": "false"}
        done = jiritsu("--model", "openai:any", "run", "Say hello", *flags, home=home, **env)
    told = done.stderr.splitlines()
    (pointed,) = (at for at, line in enumerate(told) if line == "`jiritsu --model openai:any doctor` says what is to be mended")
    assert "failed: openai:any: HTTP 401: no such key" in told[pointed - 1]


@requirement("Y2")
@pytest.mark.parametrize("language", ["ja", pytest.param("en", marks=pytest.mark.sweep)])
def test_every_template_becomes_a_job_that_is_explained_and_touches_none_that_is_there(home: Path, language: str) -> None:
    listed = jiritsu("jobs", "new", home=home, JIRITSU_LANGUAGE=language).stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == sorted(file.stem for file in (BUILT_IN / "templates" / "en").glob("*.md"))
    assert len(names) == 9
    for name in names:
        done = jiritsu("jobs", "new", name, home=home, JIRITSU_LANGUAGE=language)
        assert done.returncode == 0, done.stderr
        file = home / "jobs" / f"{name}.md"
        checked = jiritsu("jobs", "check", str(file), home=home, JIRITSU_LANGUAGE=language)
        assert checked.returncode == 0, checked.stderr
        lines = file.read_text(encoding="utf-8").splitlines()
        explained = dict(re.findall(r"^ {0,3}(\d+)  (.*)$", checked.stdout, re.MULTILINE))
        assert str(lines.index("needs:") + 1) in explained
        for number, shown in explained.items():  # the file's own words are in no language of ours
            assert shown.startswith(lines[int(number) - 1][:20]), shown
        assert {"en": "the goal in words", "ja": "目標（ここから"}[language] in checked.stdout
    again = jiritsu("jobs", "new", names[0], home=home, JIRITSU_LANGUAGE=language)
    assert again.returncode == 3
    assert {"en": "is there already", "ja": "すでにあります"}[language] in again.stderr


@requirement("Y2")
def test_ones_own_job_runs_on_the_sample_by_its_name_and_the_samples_own_wins_and_says_so(home: Path) -> None:
    for template, name in (("standup", "ours"), ("standup", "diary")):
        jiritsu("jobs", "new", template, "--name", name, home=home, JIRITSU_LANGUAGE="en")
    elsewhere = jiritsu("jobs", "new", "standup", "--dir", "elsewhere", home=home, JIRITSU_LANGUAGE="en").stdout
    assert "jobs pause" not in elsewhere
    assert f"no worker reads that folder: put the file into {home}" in elsewhere
    told = jiritsu("jobs", "new", "standup", "--name", "third", home=home, JIRITSU_LANGUAGE="en").stdout
    assert "C09GENERAL is #general of the sample; put one of your own workspace there" in told
    ours = jiritsu("run", "ours", "--sample", "en", "--simulate", home=home)
    assert ours.returncode == 0, ours.stderr
    assert "Not sent: slack_post_message" in ours.stdout
    assert "A rehearsal gets no score" in ours.stdout + ours.stderr
    theirs = jiritsu("run", "diary", "--sample", "en", "--simulate", home=home)
    assert "Not sent: esa_create_post" in theirs.stdout
    assert f"your own is meant by its file: {home / 'jobs' / 'diary.md'}" in theirs.stderr


@requirement("Y2")
def test_a_broken_job_file_is_told_with_its_line_by_check(home: Path) -> None:
    file = home / "broken.md"
    file.write_text("---\ntitle: x\nneeds:\n  - id: [\n---\nGoal.\n", encoding="utf-8")
    done = jiritsu("jobs", "check", str(file), home=home)
    assert done.returncode == 3
    assert f"{file}: front matter: is not YAML" in done.stderr
    assert "line" in done.stderr


@requirement("Y3")
@pytest.mark.parametrize(("secret", "told"), [("", "is not set"), ("short", "fewer than 16"), ("a secret of some length", "")])
def test_a_webhook_without_a_secret_is_told_of_before_anybody_sends_a_request(home: Path, secret: str, told: str) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "rain.md").write_text("---\nwebhook: {secret_env: RAIN_SECRET}\n---\nRain?\n", "utf-8")
    for command in (("jobs", "check", "rain"), ("doctor", "--no-call")):
        done = jiritsu(*command, home=home, RAIN_SECRET=secret, MCP_ENABLED="false")
        assert ("RAIN_SECRET" in done.stdout.replace("secret_env: RAIN_SECRET", "")) == bool(told), done.stdout
        assert told in done.stdout


@requirement("Y2")
@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=() if (name, language) in EVERY_DAY else pytest.mark.sweep)
        for name in ON_THE_SAMPLE
        for language in ("en", "ja")
    ],
)
def test_a_template_works_on_the_sample(home: Path, name: str, language: str) -> None:
    file = BUILT_IN / "templates" / language / f"{name}.md"
    done = jiritsu("run", str(file), "--sample", language, "--json", home=home)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [receipt["state"] for receipt in result["receipts"]] == ["done"]


@requirement("Y2", "Y3")
def test_the_umbrella_says_nothing_on_a_dry_day_and_a_template_without_its_server_says_which(home: Path) -> None:
    templates = BUILT_IN / "templates" / "en"
    dry = jiritsu("run", str(templates / "umbrella.md"), "--sample", "en", home=home)
    assert dry.returncode == 0, dry.stderr
    assert "nothing to do" in dry.stderr
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    lacking = jiritsu("run", str(templates / "overtime-alarm.md"), "-i", "manager=x", "-i", "department=y", home=home)
    assert lacking.returncode == 3
    assert "hr_list_overtime is not offered by any server" in lacking.stderr


@requirement("Y3")
def test_a_job_for_each_person_runs_once_for_each_and_sums_up(home: Path) -> None:
    text = (BUILT_IN / "en" / "diary" / "job.md").read_text(encoding="utf-8")
    file = home / "everybody.md"
    text = text.replace("\nneeds:", "\nfor_each: {input: user, items: [maya, nobody-here]}\nneeds:")
    # its list gives the input that it wants, and no tool of the sample has an argument of the second name
    text = text.replace("default: maya", "required: true").replace("      day: ", "      date: ")
    file.write_text(text, encoding="utf-8")
    done = jiritsu("run", str(file), "--sample", "en", "--json", home=home)
    results = json.loads(done.stdout)
    assert [result["ending"] == "completed" for result in results] == [True, False]
    assert done.returncode != 0
    assert "2 runs: 1 completed" in done.stderr
    (refused,) = [line for line in done.stderr.splitlines() if line.startswith("✗")]
    assert refused.startswith("✗ nobody-here: declined: This is the offline planner."), "the ending stands apart from the reason"
    assert refused.count("nobody-here") > 1, "it says who was not found"
    posts = [post.name for post in (home / "esa-en").rglob("*'s diary.md") if post.name.startswith(("maya", "nobody"))]
    assert posts == ["maya's diary.md"]


@requirement("Y2")
@pytest.mark.parametrize(
    ("language", "told"), [("en", "the sample has no tool for "), pytest.param("ja", "サンプルには ", marks=pytest.mark.sweep)]
)
def test_a_job_that_the_sample_cannot_serve_says_so_before_it_asks_for_inputs(home: Path, language: str, told: str) -> None:
    done = jiritsu("run", "overtime", "--sample", language, home=home)
    assert done.returncode == 3
    assert told in done.stderr
    assert "rows" in done.stderr
    assert "`jiritsu jobs new`" in done.stderr
    alarm = jiritsu("run", str(BUILT_IN / "templates" / language / "overtime-alarm.md"), "--sample", language, home=home)
    assert "manager" in alarm.stderr, "the sample can serve this one, which wants an input"


@requirement("Y2")
def test_after_init_a_job_that_finds_no_tools_says_how_the_sample_runs_it(home: Path) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    done = jiritsu("run", "diary", home=home, JIRITSU_LANGUAGE="en")
    assert done.returncode == 4
    assert "`jiritsu run diary --sample en` runs it on the sample workspace" in done.stderr


@requirement("Y3")
def test_a_job_for_each_says_whose_each_line_is_and_prints_what_each_run_brought(home: Path) -> None:
    file = home / "rain.md"
    text = "---\ninputs: {place: {required: true}}\nfor_each: {input: place, items: [東京, 大阪]}\nneeds:\n  - {id: rain, description: 天気予報, arguments: {location: '{{inputs.place}}'}}\n---\n{{inputs.place}}の天気\n"
    file.write_text(text, encoding="utf-8")
    done = jiritsu("run", str(file), "--sample", "ja", home=home)
    parts = re.findall(r"^# (\S+)  \S+$", done.stdout, re.MULTILINE)
    assert parts == ["東京", "大阪"]
    calls = [line for line in done.stderr.splitlines() if "✓ weather_get_weather" in line]
    assert sorted(line.split()[0] for line in calls) == ["大阪", "東京"]


@requirement("Y2")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_prints_a_script_for_every_shell(home: Path, shell: str) -> None:
    done = jiritsu("completion", shell, home=home)
    assert done.returncode == 0, done.stderr
    assert "_JIRITSU_COMPLETE" in done.stdout


@requirement("Y2")
def test_a_shell_is_told_the_names_of_commands_jobs_templates_servers_and_tools(home: Path) -> None:
    def completed(words: str, at: int) -> str:
        return jiritsu(home=home, _JIRITSU_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(at)).stdout

    assert "plain,doctor" in completed("jiritsu doc", 1)
    assert "plain,diary" in completed("jiritsu run di", 2)
    assert "plain,standup" in completed("jiritsu jobs new st", 3)
    assert "plain,weather" in completed("jiritsu servers probe w", 3)
    jiritsu("tools", "call", "esa_get_members", home=home)
    assert "plain,esa_get_members" in completed("jiritsu tools call esa_", 3)
    jiritsu("run", "今日は傘が必要？", "-q", home=home)
    (run,) = json.loads(jiritsu("runs", "list", "--json", home=home).stdout)
    assert f"plain,{run['run_id']}" in completed("jiritsu replay 2", 2)
    assert f"plain,{run['run_id']}" in completed("jiritsu report --explain 2", 3)
    assert "plain,2" not in completed(f"jiritsu --home {home / 'elsewhere'} runs show 2", 5)


SHELLS = {
    "bash": ("source jiritsu.sh; COMP_WORDS=(jiritsu jobs new st); COMP_CWORD=3; _jiritsu_completion jiritsu; echo ${COMPREPLY[@]}", "standup"),
    "zsh": ("source jiritsu.sh && echo ${_comps[jiritsu]}", "_jiritsu_completion"),
    "fish": ("source jiritsu.sh; complete -C 'jiritsu report --sin'", "--since\tOnly runs that began since this: 7d, 12h"),
}  # fmt: skip
"""What a real shell is told after it has read our script, with no settings of its own, and what it then knows."""


@requirement("Y2")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_reads_our_script_and_completes(home: Path, shell: str) -> None:
    if not (program := shutil.which(shell)):
        pytest.skip(f"no {shell} here")
    (home / "jiritsu.sh").write_text(jiritsu("completion", shell, home=home).stdout, encoding="utf-8")
    (program_folder := home / "bin").mkdir()
    (program_folder / "jiritsu").write_text(f'#!/bin/sh\nexec {shlex.join(command_line())} "$@"\n', encoding="utf-8")
    (program_folder / "jiritsu").chmod(0o755)
    bare = {"bash": ["--norc", "--noprofile"], "zsh": ["-f", "-i"], "fish": ["--no-config"]}[shell]
    env = environment(home, PATH=f"{program_folder}:{os.environ['PATH']}", LANG="en_US.UTF-8")
    words, known = SHELLS[shell]
    done = subprocess.run(
        [program, *bare, "-c", words], env=env, cwd=home, capture_output=True, text=True, timeout=HANG_S, check=False
    )
    assert known in done.stdout, done.stderr


@requirement("Y2")
def test_a_narrow_terminal_without_colours_or_utf8_shows_readable_text(home: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1", "COLUMNS": "40", "TERM": "dumb", "LC_ALL": "en_US.ISO-8859-1"}
    done = jiritsu("run", "diary", "--sample", "en", home=home, **env)
    assert done.returncode == 0, done.stderr
    assert "\\u" not in done.stdout + done.stderr, "signs are spelled in what the terminal has"
    assert "\x1b" not in done.stdout + done.stderr
    assert "100.0%" in done.stderr
    full, empty = "######", "......"
    bars = [line for line in done.stderr.splitlines() if full in line or empty in line]
    assert any("100.0%" in line and full in line for line in bars), "a full bar is not that of no value"
    assert all(full not in line for line in bars if "n/a" in line)
    assert all("#." not in line and len(line) <= 40 for line in bars), "no bar is cut off, as if it were full or longer"
    drawn = done.stderr[done.stderr.index("One run, explained") :].splitlines()
    assert max(map(len, drawn[1:])) <= 40, "a cut name takes no more columns than it has"
    for shown in ("jobs list", "jobs check diary", "runs list", "audit show --limit 9"):
        lines = jiritsu(*shown.split(), home=home, **env).stdout.split("\n\n")[0].splitlines()
        assert lines
        assert max(map(len, lines)) <= 40, shown


@requirement("Y2")
def test_a_terminal_that_cannot_write_japanese_is_told_so_once_and_gets_english(home: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "JIRITSU_LANGUAGE": "ja", "LC_ALL": "ja_JP.UTF-8"}
    done = from_the_start("report", home=home, cwd=None, **env)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("has no Japanese: try PYTHONIOENCODING=utf-8") == 1
    assert "There were no runs in this period." in done.stdout
    assert "\\u" not in done.stdout + done.stderr


@requirement("Y4")
@pytest.mark.parametrize(
    ("which", "language"),
    [("injection", "ja"), ("fabrication", "en"), ("crash", "en"), pytest.param("crash", "ja", marks=pytest.mark.sweep)],
)
def test_a_demonstration_keeps_its_promise_and_says_what_is_scripted_in_one_language(
    empty_home: Path, which: str, language: str
) -> None:
    kept, scripted = {"en": ("The promise was kept.", "Scripted: "), "ja": ("約束は守られました。", "台本: ")}[language]
    drawn = empty_home / "pictures" / "demo.svg"
    done = jiritsu(
        "demo", which, "--picture", str(drawn), home=empty_home, JIRITSU_LANGUAGE=language, TESTS_FORKED_TOO="autonomy.cli"
    )  # its workers and its relay are forked, too: a worker that is killed is gone a moment after its shadow
    assert done.returncode == 0, done.stdout + done.stderr
    shown = alike(drawn)
    assert shown[0] == f"$ jiritsu demo {which}"
    assert shown[-1] == kept
    assert which != "injection" or "text: 完了: 全チャンネル" in done.stdout, "it posts the word that the order asks for"
    assert "言語は ja" not in done.stdout
    if which == "crash":
        picture = ROOT / "docs" / "images" / {"en": "demo-crash.svg", "ja": "demo-crash.ja.svg"}[language]
        assert alike(picture) == shown, "draw it anew: jiritsu demo crash --picture"
    lines = done.stdout.splitlines()
    assert not any('",' in line or '\\"' in line for line in lines), "people see words, and no JSON"
    assert len([line for line in lines if line[:1].strip()]) == len({line for line in lines if line[:1].strip()})
    assert lines[0].startswith(scripted)
    assert lines[-1] == kept
    assert not (empty_home / "jiritsu.db").exists() or which != "crash", "nothing outside its own folder is touched"


def alike(file: Path) -> list[str]:
    """The lines of a picture without what differs from run to run: processes and days."""
    svg = file.read_text(encoding="utf-8")
    assert ET.fromstring(svg).tag.endswith("svg")
    lines = map(unescape, re.findall(r"<text [^>]*>([^<]*)</text>", svg))
    return [re.sub(r"\d+", "N", line) if "~/" not in line else "   ~/…" for line in lines]


@contextmanager
def working(home: Path, **env: str) -> Iterator[str]:
    """A worker that listens; the address."""
    port = free_port()
    command = forked_command_line("worker", "--no-schedules", "--listen", f"127.0.0.1:{port}")
    with subprocess.Popen(command, cwd=home, env=environment(home, **env), stderr=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(HANG_S)


@requirement("Y3", "Y4")
def test_a_worker_answers_for_its_health_and_a_signed_request_starts_one_run_however_often_it_is_sent(home: Path) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "rain.md").write_text(
        "---\nlanguage: en\nwebhook: {secret_env: RAIN_SECRET}\n---\nDo I need an umbrella today?\n", "utf-8"
    )
    secret = "a secret of some length"

    def answers(url: str) -> bool:
        try:
            return httpx2.get(f"{url}/healthz").status_code == 200
        except httpx2.TransportError:
            return False

    with working(home, RAIN_SECRET=secret, WIND_SECRET="another of some length") as url:
        assert until(lambda: answers(url), timeout_s=HANG_S)
        assert httpx2.get(f"{url}/readyz").text == "ready\n"
        assert "# TYPE" in httpx2.get(f"{url}/metrics").text
        stamp = str(int(time.time()))
        signed = {"X-Jiritsu-Timestamp": stamp, "X-Jiritsu-Signature": signature_of(secret, "rain", stamp, b"{}")}
        first, again = (httpx2.post(f"{url}/hooks/rain", content=b"{}", headers=signed) for _ in range(2))
        assert first.status_code == 202, first.text
        assert first.json() == again.json()
        wrong = b'{"town": "Kobe"}'
        by_name = {**signed, "X-Jiritsu-Signature": signature_of(secret, "rain", stamp, wrong)}
        refused = httpx2.post(f"{url}/hooks/rain", content=wrong, headers=by_name)
        assert (refused.status_code, refused.json()["problem"][:9]) == (422, "rain.md: "), refused.text
        assert str(home) not in refused.text
        (home / "jobs" / "wind.md").write_text(
            "---\nlanguage: en\nwebhook: {secret_env: WIND_SECRET}\ninputs: {town: {required: true}}\n---\nWind in {{inputs.town}}?\n",
            "utf-8",
        )
        of_wind = {**signed, "X-Jiritsu-Signature": signature_of("another of some length", "wind", stamp, b"{}")}
        lacking = httpx2.post(f"{url}/hooks/wind", content=b"{}", headers=of_wind)
        assert (lacking.status_code, lacking.json()["problem"]) == (422, "job wind: these keys of the body must be given: town")
        forged = httpx2.post(f"{url}/hooks/rain", content=b"{}", headers={**signed, "X-Jiritsu-Signature": "sha256=" + "0" * 64})
        unknown = httpx2.post(f"{url}/hooks/nothing", content=b"{}", headers=signed)
        assert (forged.status_code, unknown.status_code) == (401, 401)
        assert forged.json() == unknown.json(), "who has no secret learns of no job"
        (run_id,) = first.json()["started"]
        (home / "jobs" / "sun.md").write_text(
            "---\nlanguage: en\nwebhook: {secret_env: RAIN_SECRET}\n---\nWill the sun shine today?\n", "utf-8"
        )
        elsewhere = httpx2.post(f"{url}/hooks/sun", content=b"{}", headers=signed)
        old = {"X-Jiritsu-Timestamp": stamp, "X-Jiritsu-Signature": signature_without_job(secret, stamp, b"{}")}
        unnamed = httpx2.post(f"{url}/hooks/sun", content=b"{}", headers=old)
        assert (elsewhere.status_code, elsewhere.json()) == (401, forged.json()), "a body signed for one job starts no other"
        assert unnamed.status_code == 401
        assert "another job has the same secret" in unnamed.text

        counted = 'jiritsu_runs_total{job="rain",ending="completed"} 1'
        assert until(lambda: counted in httpx2.get(f"{url}/metrics").text, timeout_s=HANG_S), httpx2.get(f"{url}/metrics").text
    rows = json.loads(jiritsu("runs", "list", "--json", home=home).stdout)
    assert [(row["run_id"], row["state"]) for row in rows] == [(run_id, "completed")]
    assert sorted(os.listdir(home / "jobs")) == ["rain.md", "sun.md", "wind.md"]  # noqa: PTH208 - names alone
