"""`jiritsu serve` as it is started: a process of its own, Slack and esa behind their web APIs, the offline planner for a model."""

import json
import re
import signal
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from anyio.abc import Process
from click.testing import CliRunner, Result

from autonomy.cli import main
from autonomy.jobs.job_folders import BUILT_IN
from tests.requirements import requirement
from tests.support.coming_due import comes_due
from tests.support.command import environment, forked_command_line, jiritsu
from tests.support.esa import EsaApi
from tests.support.openai_chat import OpenAIChat, call, reply
from tests.support.ports import free_port
from tests.support.slack import Slack

PYTHON = "${JIRITSU_PYTHON}"
DOOR = Path(__file__).parents[2] / "support/servers/door_server.py"


@asynccontextmanager
async def serving(home: Path, slack: Slack, *options: str, schedules: bool = False, **env: str) -> AsyncIterator[Process]:
    """The command, connected unless it listens; whatever happens, it is gone afterwards."""
    tokens = {"SLACK_BOT_TOKEN": slack.BOT_TOKEN, "SLACK_APP_TOKEN": slack.APP_TOKEN, "SLACK_API_URL": slack.url}
    log = await anyio.to_thread.run_sync(lambda: (home / "serve.log").open("ab"))
    try:
        process = await anyio.open_process(
            forked_command_line("serve", *options, *(() if schedules else ("--no-schedules",))),
            cwd=home,
            env=environment(home, **tokens, **env),
            stdout=log,
            stderr=log,
        )
    finally:
        log.close()
    try:
        with anyio.fail_after(240):
            await slack.until(lambda: slack._sockets or "--http" in options)
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        with anyio.move_on_after(120, shield=True):
            await process.wait()
        if process.returncode is None:
            process.kill()
        slack._sockets.clear()


def servers_over_apis(home: Path, slack: Slack, esa: EsaApi) -> None:
    """A servers file in which both servers speak to the web."""
    servers: dict[str, Any] = {
        "slack": {
            "command": PYTHON,
            "args": ["-P", "-m", "mcp_servers.slack"],
            "env": {"SLACK_BOT_TOKEN": slack.BOT_TOKEN, "SLACK_API_URL": slack.url},
        },
        "esa": {
            "command": PYTHON,
            "args": ["-P", "-m", "mcp_servers.esa"],
            "env": {"ESA_ACCESS_TOKEN": esa.TOKEN, "ESA_TEAM": esa.TEAM, "ESA_API_BASE_URL": esa.url},
        },
    }
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers}))


@requirement("C6", "J3")
async def test_somebody_asks_for_the_diary_in_a_thread_and_has_it_in_esa_over_the_real_apis(home: Path) -> None:
    async with Slack() as slack, EsaApi() as esa:
        haruka, kenta = slack.add_user("haruka", "佐藤 遥"), slack.add_user("kenta", "山田 健太")
        dev, general = slack.add_channel("dev"), slack.add_channel("general")
        slack.say(dev, haruka, "予約変更の修正をリリースしました。エラーは0件です")
        slack.say(dev, kenta, "請求書の締めを確認しました")
        slack.say(dev, haruka, "時間切れは失敗ではないと学びました。届いたか分からないときは確かめます")
        slack.say(dev, haruka, "問い合わせ3件に対応しました。みんなのおかげで落ち着いて動けて、うれしい一日でした")
        slack.say(dev, haruka, "明日は再送の仕組みを共通部品にまとめます。テストの環境も直して、誰でも動かせるようにする予定です")
        slack.say(general, haruka, "レビューの順番の決め方を文書にまとめて公開しました。次の当番の人はここから始められます")
        servers_over_apis(home, slack, esa)
        async with serving(home, slack):
            with anyio.fail_after(240):
                ts = await slack.mention(general, haruka, "今日の日記を書いて", twice=True)
                answer = slack.words(await slack.answer_in(general, ts))
                again = await slack.mention(general, haruka, "今日の日記を書いて")
                await slack.answer_in(general, again)
        (post,) = esa.posts.values()
    assert "予約変更の修正をリリースしました" in answer
    assert "請求書" not in answer
    assert post["category"].startswith("AI代筆日記/")
    assert post["name"] == "harukaの日記"
    assert "予約変更の修正をリリースしました" in post["body_md"]


@requirement("J2", "J3")
async def test_the_diary_is_written_on_its_schedule_and_reported_in_the_channel_of_its_choice(home: Path) -> None:
    job = await anyio.to_thread.run_sync((BUILT_IN / "diary" / "job.md").read_text, "utf-8")
    async with Slack() as slack, EsaApi() as esa:
        haruka, dev, team = slack.add_user("haruka", "佐藤 遥"), slack.add_channel("dev"), slack.add_channel("team")
        slack.say(dev, haruka, "予約変更の修正をリリースしました。エラーは0件です。問い合わせ3件にも対応しました")
        slack.say(
            dev, haruka, "時間切れは失敗ではないと学びました。届いたか分からないときは、もう一度送る前に確かめるようにします"
        )
        slack.say(dev, haruka, "みんなのおかげで落ち着いて動けて、うれしい一日でした。通知メールの二重送信も直しました")
        slack.say(dev, haruka, "明日は再送の仕組みを共通部品にまとめます。テストの環境も直して、誰でも動かせるようにする予定です")
        servers_over_apis(home, slack, esa)
        (home / "jobs").mkdir()

        def write(cron: str) -> None:
            timed = re.sub(r'cron: ".*"', f'cron: "{cron}"', job).replace("holidays: skip", "holidays: run")
            (home / "jobs" / "diary.md").write_text(timed, encoding="utf-8")

        await anyio.to_thread.run_sync(lambda: comes_due("diary", write, home=home))
        (home / "jiritsu.toml").write_text(f'[slack]\nreports = {{diary = "{team}"}}\n', encoding="utf-8")
        async with serving(home, slack, schedules=True):
            with anyio.fail_after(240):
                await slack.until(lambda: slack.messages(team))
        (post,) = esa.posts.values()
        (report,) = slack.messages(team)
    assert "予約変更の修正をリリースしました" in post["body_md"]
    assert slack.words(report).startswith("**diary の結果**")


@requirement("C6", "J4")
@pytest.mark.sweep
async def test_killed_on_the_way_it_answers_after_the_next_start_once(home: Path) -> None:
    async with Slack() as slack:
        haruka, general = slack.add_user("haruka"), slack.add_channel("general")
        slack.rate_limit("chat.postMessage", 100, times=20)
        slack.rate_limit("chat.startStream", 100, times=20)
        async with serving(home, slack) as process:
            ts = await slack.mention(general, haruka, "東京の天気を教えて")
            with anyio.fail_after(240):
                await slack.until(lambda: any(call.method in ("chat.postMessage", "chat.startStream") for call in slack.calls))
            process.send_signal(signal.SIGKILL)
        slack._faults.clear()
        async with serving(home, slack):
            with anyio.fail_after(240):
                answer = await slack.answer_in(general, ts)
        assert "東京" in slack.words(answer)
        assert len(slack.thread(general, ts)) == 1


@requirement("S4", "J4")
@pytest.mark.sweep
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_what_a_tools_server_asks_is_filled_in_in_slack_also_after_the_worker_was_killed(home: Path, revision: str) -> None:
    door = {"command": PYTHON, "args": [str(DOOR), str(home), revision]}
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"door": door}}), encoding="utf-8")
    with OpenAIChat() as model:
        model.script(reply(calls=[call("door_seat", {})]), reply("The seat is of size L."))
        env = {"JIRITSU_MODEL": "compatible:any", "COMPATIBLE_BASE_URL": model.url}
        async with Slack() as slack:
            haruka, general = slack.add_user("haruka"), slack.add_channel("general")
            (home / "jiritsu.toml").write_text(f'[slack]\napprovers = ["{haruka}"]\n', encoding="utf-8")

            def asked() -> list[Any]:
                return [one for one in slack.messages(general) if "Which size?" in json.dumps(one)]

            async with serving(home, slack, **env) as process:
                with anyio.fail_after(240):
                    ts = await slack.mention(general, haruka, "Which size is the seat?")
                    await slack.until(asked)
                process.send_signal(signal.SIGKILL)
                await process.wait()
            async with serving(home, slack, **env):
                with anyio.fail_after(240):
                    (question,) = asked()
                    await slack.press(general, question, "jiritsu_edit", haruka)
                    assert await slack.submit(haruka, {"size": '"L"'}) == {}
                    await slack.until(
                        lambda: any("The seat is of size L." in slack.words(one) for one in slack.thread(general, ts))
                    )
            results = [one["content"] for one in model.bodies[-1]["messages"] if one["role"] == "tool"]
            assert json.loads(results[0]) == {"action": "accept", "content": {"size": "L"}}
            assert len(asked()) == 1
    assert len(model.bodies) == 2
    assert (home / "calls.txt").read_text(encoding="utf-8").split() == ["seat"] * (2 if revision == "2025-11-25" else 3)


def ticks(home: Path) -> int:
    """How many times a schedule came due and was handled."""
    with closing(sqlite3.connect(home / "jiritsu.db")) as database:
        (count,) = database.execute("select count(*) from durable_ticks where did = 'run'").fetchone()
    return int(count)


@requirement("R7")
async def test_without_slack_it_says_why_at_once_and_serves_schedules_and_metrics(home: Path) -> None:
    """Told before the servers are up: what is said and what is served does not wait for Slack, or for one another."""
    (home / "jobs").mkdir()
    (home / "jobs" / "ping.md").write_text('---\ntitle: ping\nschedule: {cron: "* * * * * */2"}\n---\nsay hello\n', "utf-8")
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "http://127.0.0.1:9/api/"}
    where = f"127.0.0.1:{free_port()}"
    process = await anyio.open_process(
        forked_command_line("serve", "--metrics", where), cwd=home, env=environment(home, **tokens), stderr=subprocess.PIPE
    )
    said = b""
    try:
        with anyio.fail_after(240):
            async with httpx2.AsyncClient() as client:
                while b"Slack cannot be reached" not in said:
                    assert process.stderr is not None
                    said += await process.stderr.receive()
                while True:
                    with suppress(httpx2.TransportError):
                        if "jiritsu_run" in (await client.get(f"http://{where}/metrics")).text and ticks(home):
                            break
                    await anyio.sleep(0.1)
        process.terminate()
        with anyio.fail_after(240):
            assert await process.wait() == 130
    finally:
        if process.returncode is None:
            process.kill()
        await process.aclose()
    assert said.decode().count("Slack cannot be reached") == 1
    assert "127.0.0.1:9" in said.decode()
    assert "Traceback" not in said.decode()


@requirement("C6")
async def test_over_http_slack_has_its_challenge_back_and_an_event_that_it_sends_again_is_answered_once(home: Path) -> None:
    """As Slack does it: over a socket, with what it sends when an answer came too late (`X-Slack-Retry-Num`)."""
    where = f"127.0.0.1:{free_port()}"
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    asks = json.dumps({"token": "old", "challenge": "3eZbrw1aBm2r", "type": "url_verification"})
    async with Slack() as slack, serving(home, slack, "--http", where, SLACK_SIGNING_SECRET=slack.SIGNING_SECRET):
        haruka, general = slack.add_user("haruka"), slack.add_channel("general")
        ts = slack.say(general, haruka, "<@U0BOT> hello")
        said = {"type": "app_mention", "user": haruka, "text": "<@U0BOT> hello", "ts": ts, "channel": general}
        body = json.dumps({"type": "event_callback", "team_id": slack.TEAM_ID, "event_id": "Ev1", "event": said})
        async with httpx2.AsyncClient(base_url=f"http://{where}", timeout=120) as client:

            async def sends(content: str, **headers: str) -> tuple[int, str]:
                answer = await client.post("/slack/events", content=content, headers=headers)
                return answer.status_code, answer.text

            with anyio.fail_after(240):
                while True:
                    with suppress(httpx2.TransportError):
                        assert await sends(asks, **{"Content-Type": "application/json"}) == (401, "")
                        break
                    await anyio.sleep(0.1)
            assert json.loads((await sends(asks, **slack.signed(asks)))[1]) == {"challenge": "3eZbrw1aBm2r"}
            assert (await sends(body, **slack.signed(body, at=slack.clock() - 400)))[0] == 401
            for number in range(4):
                again = {"X-Slack-Retry-Num": str(number), "X-Slack-Retry-Reason": "http_timeout"} if number else {}
                assert await sends(body, **slack.signed(body), **again) == (200, "")
        with anyio.fail_after(240):
            await slack.answer_in(general, ts)
        assert len(slack.thread(general, ts)) == 1


@requirement("R7")
async def test_told_to_stop_it_goes_quietly(home: Path) -> None:
    async with Slack() as slack, serving(home, slack) as process:
        process.terminate()
        with anyio.fail_after(240):
            assert await process.wait() == 130
    told = await anyio.Path(home / "serve.log").read_text()
    assert "Traceback" not in told
    assert "No servers file yet: using the built-in sample workspace" in told, "its people are not the team's"


def command(*arguments: str, **env: str) -> Result:
    """A command that needs no loop, in this process."""
    return CliRunner().invoke(main, arguments, env=env)


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({}, "SLACK_BOT_TOKEN: is not set"),
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_APP_TOKEN: is not set"),
        ({"LC_ALL": "ja_JP.UTF-8"}, "SLACK_BOT_TOKEN: 設定されていません（xoxb-…）。"),
    ],
)
def test_a_missing_token_is_named_in_one_line(env: dict[str, str], named: str) -> None:
    done = command("serve", **env)
    assert done.exit_code == 3
    assert named in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_over_http_it_is_the_signing_secret_that_is_needed() -> None:
    done = command("serve", "--http", "127.0.0.1:3000", SLACK_BOT_TOKEN="xoxb-1")
    assert "SLACK_SIGNING_SECRET: is not set" in done.stderr


def test_a_setting_that_does_not_fit_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    (home / "jiritsu.toml").write_text("[slack]\nlanes = 0\n")
    done = command("serve", SLACK_BOT_TOKEN="xoxb-1", SLACK_APP_TOKEN="xapp-1")
    assert done.exit_code == 3
    assert "slack.lanes" in done.stderr


def test_the_manifest_is_printed_as_json_and_the_scopes_with_their_reasons() -> None:
    printed = json.loads(command("slack", "manifest", "--stop-button").stdout)
    assert "agent_session_stopped" in printed["settings"]["event_subscriptions"]["bot_events"]
    assert "chat:write" in command("slack", "scopes").stdout
    for no_address in ("http://bot.example/slack/events", "https://", "https://bot example/"):
        assert command("slack", "manifest", "--url", no_address).exit_code == 2, no_address


@requirement("C1", "C2")
def test_the_terminal_speaks_with_the_same_service(home: Path) -> None:
    answer = jiritsu("chat", "-q", "--thread", "t", "大阪の明日の天気は？", home=home)
    assert "大阪" in answer.stdout
    assert answer.returncode == 0
