"""The report reaches its channel from a real worker and by hand, and the commands for jobs know it."""

import json
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

from tests.requirements import requirement
from tests.support.coming_due import comes_due
from tests.support.command import HANG_S, environment, forked_command_line, jiritsu
from tests.support.waiting import until


def turn_on(home: Path, cron: str) -> None:
    """What a user writes."""
    (home / "config.toml").write_text(f'[report]\nchannel = "#general"\nschedule = {{ cron = "{cron}" }}\n', encoding="utf-8")


def posts(home: Path) -> list[dict[str, Any]]:
    file = home / "outbox" / "slack.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


@requirement("M3", "J2")
def test_a_worker_posts_the_report_once_and_it_is_no_run(home: Path) -> None:
    assert jiritsu("run", "diary", "-q", home=home).returncode == 0
    comes_due("report", partial(turn_on, home), home=home)
    worker = subprocess.Popen(forked_command_line("worker"), cwd=home, env=environment(home), stderr=subprocess.PIPE, text=True)
    until(lambda: bool(posts(home)) or worker.poll() is not None, timeout_s=HANG_S)
    worker.terminate()
    _, told = worker.communicate(timeout=HANG_S)
    (post,) = posts(home)
    assert "自律性レポート" in post["text"], told
    assert "1 件の実行" in post["text"]
    assert "run" in jiritsu("jobs", "history", "report", home=home).stdout
    report = json.loads(jiritsu("report", "--json", home=home).stdout)
    assert (report["runs"], report["ticks"]) == (1, {})
    assert "receipt_recorded" in jiritsu("audit", "show", "--limit", "200", home=home).stdout
    assert jiritsu("effects", "list", home=home).returncode == 0


@requirement("M3")
def test_the_commands_for_jobs_know_the_report(home: Path) -> None:
    off = jiritsu("jobs", "next", "report", home=home)
    assert off.returncode != 0
    assert "naming a channel turns the report on" in off.stderr
    turn_on(home, "0 9 * * 1")
    (row,) = [line for line in jiritsu("jobs", "list", home=home).stdout.splitlines() if line.startswith("report")]
    assert "→ #general" in row
    assert len(jiritsu("jobs", "next", "report", "--count", "3", home=home).stdout.splitlines()) == 3
    assert jiritsu("jobs", "pause", "report", home=home).returncode == 0
    assert json.loads(jiritsu("jobs", "show", "report", home=home).stdout)["standing"]["paused"]
    assert jiritsu("jobs", "resume", "report", home=home).returncode == 0
    turn_on(home, "61 * * * *")
    wrong = jiritsu("jobs", "list", home=home)
    assert wrong.returncode != 0
    assert "report.schedule.cron" in wrong.stderr


@requirement("M3", "S1")
def test_the_report_is_posted_by_hand_unless_a_rule_forbids_it(home: Path) -> None:
    posted = jiritsu("report", "--since", "2d", "--lang", "en", "--post", "#general", home=home)
    assert posted.returncode == 0, posted.stderr
    assert "posted in #general" in posted.stderr
    (post,) = posts(home)
    assert "There were no runs in this period." in post["text"]
    lost = jiritsu("report", "--post", "#nowhere", home=home)
    assert lost.returncode != 0
    assert "Traceback" not in lost.stderr
    (home / "config.toml").write_text('[[policy]]\nname = "quiet"\ndecision = "deny"\ntool = "slack_*"\n')
    denied = jiritsu("report", "--post", "#general", home=home)
    assert denied.returncode == 1
    assert "'quiet' says deny" in denied.stderr
    assert len(posts(home)) == 1
