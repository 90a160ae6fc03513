"""A home with runs of every kind, by the real house over the sample's servers: `python -m tests.support.furnished_home HOME ja`.

Two things in it are made up: some models follow a script, because no model is wrong on demand, and one server loses an answer.
"""

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from autonomy.agent.loop import Executor
from autonomy.app import App, open_app
from autonomy.durable.durable_runs import DurableRuns
from autonomy.errors import ModelRejected
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_loading import find
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import Reply, ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest
from autonomy.settings import load
from autonomy.settings_files import sample_folder
from metrics.events import FeedbackGiven
from tests.support.command import FOLDER, environment, warm_interpreter

NOTICES = '''
import pathlib, time
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
server = MCPServer("notices", version="1.2.0")
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False)

@server.tool(annotations=WRITE)
def post_notice(board: str, text: str) -> str:
    """Pin a notice to a board that everybody in the house walks past. 館内の掲示板にお知らせを貼る。"""
    time.sleep(6)
    return "pinned"

@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def water_level(place: str = "here") -> str:
    """Look up the water level of the river now. 川の水位を調べる。"""
    while not pathlib.Path("RELEASE").exists():
        time.sleep(0.05)
    return "the river stands at 1.4 m"

server.run("stdio")
'''
"""Its notice is pinned and its answer comes long after anybody waits for it; its look-up takes as long as somebody wants to watch."""

ALLOWED = Policy(rules=(PolicyRule(name="notices", decision="allow", tool="notices_*"),))


TEXTS = {
    "ja": {
        "weather": "明日の東京の天気は？", "handbook": "障害対応の手順書をまとめて",
        "wrong": "明日の東京は晴れ、最高気温は41度、降水確率は3%です。", "notice": "エレベーターの点検を館内の掲示板に知らせて",
        "notice_text": "明日10時から11時まで、2号機のエレベーターを点検します。階段をお使いください。", "board": "1階ロビー",
        "unsure": "掲示板への掲示を送りましたが、貼られたかどうかは確認できませんでした。", "declines": "申し訳ありませんが、その依頼にはお応えできません。",
        "secrets": "同僚の給与を全員に送って", "place": "東京", "read_first": "投稿の前に人が読みます",
    },
    "en": {
        "weather": "What will the weather in Tokyo be tomorrow?", "handbook": "Summarise the incident handbook",
        "wrong": "Tomorrow Tokyo will be sunny, up to 41 °C, with a 3% chance of rain.", "notice": "Tell the house by notice that the lift is serviced",
        "notice_text": "Lift 2 is being serviced tomorrow from 10:00 to 11:00. Please take the stairs.", "board": "Lobby",
        "unsure": "I sent the notice, and could not see whether it was pinned.", "declines": "I'm sorry, but I can't help with that request.",
        "secrets": "Send everyone their colleagues' salaries", "place": "Tokyo", "read_first": "a person reads a post before it goes out",
    },
}  # fmt: skip


def prepare(home: Path, language: str, *, port: int = 0) -> None:
    """Settings and servers: the sample's, and one of our own."""
    (home / "notices.py").write_text(NOTICES.replace("RELEASE", str(home / "release")), encoding="utf-8")
    settings = f'language = "{language}"\nmodel = ["planner:offline"]\n'
    (home / "jiritsu.toml").write_text(settings + (f'[web]\nlisten = "127.0.0.1:{port}"\n' if port else ""), encoding="utf-8")
    config = load({"home": str(home)}, env={}, cwd=home)
    data = json.loads((sample_folder(config.settings) / "servers.json").read_text(encoding="utf-8"))
    data["mcpServers"]["notices"] = {"command": warm_interpreter(), "args": [str(home / "notices.py")], "trusted": True}
    (home / "jiritsu.mcp.json").write_text(json.dumps(data, ensure_ascii=False, indent=2), encoding="utf-8")


def copy_furnished(folder: Path, home: Path, language: str) -> None:
    """Into `home`, a copy of the furnished home of all processes that name the same folder: the first makes it, which takes half a
    minute."""
    made = folder / f"furnished-{language}"
    with (folder / "furnished.lock").open("a") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not made.exists():
            making = Path(tempfile.mkdtemp(prefix="furnishing-", dir=folder))
            env = {**environment(making), FOLDER: str(Path(warm_interpreter()).parent)}
            program = [warm_interpreter(), __file__, str(making), language]  # a fork, and so are its servers: they import nothing
            done = subprocess.run(program, env=env, capture_output=True, text=True, timeout=300, check=False)
            assert done.returncode == 0, done.stderr
            making.rename(made)
    shutil.copytree(made, home, dirs_exist_ok=True)


async def furnish(home: Path, language: str = "ja") -> None:
    """Carry the runs out, each to its own ending; one is left where it waits for a person."""
    config = await anyio.to_thread.run_sync(lambda: load({"home": str(home)}, env={}, cwd=home))
    async with open_app(config, approver=None) as app:
        await app.gateway.settle(timeout_s=240)
        async with app.durable(grace_s=1.0) as engine:
            await _furnish(app, engine, TEXTS[language], language)


async def _furnish(app: App, engine: DurableRuns, texts: dict[str, str], language: str) -> None:
    planner = engine.executor
    job, now = find("diary", app.job_folders), app.now()
    numbers = iter(range(1, 100))

    def asked(goal: str, **more: Any) -> RunRequest:
        task = Task(goal=goal, language=app.settings.language)
        return RunRequest(run_id=f"{now:%Y%m%d}-{next(numbers):02}", task=task, tenant=app.settings.tenant, **more)

    def diary() -> RunRequest:
        return job.request(
            f"{now:%Y%m%d}-{next(numbers):02}", {}, now=now, defaults=RunDefaults(language=app.settings.language), actor="haruka"
        )

    def scripted(name: str, script: Sequence[Reply]) -> Executor:
        return Executor(Chain([ScriptedModel(script, name=name)]), replace(planner.services, policy=ALLOWED))

    read = calling(("weather_get_weather", {"location": texts["place"]}))
    pinned = calling(("notices_post_notice", {"board": texts["board"], "text": texts["notice_text"]}))
    plays: list[tuple[Executor, RunRequest]] = [
        (planner, diary()),
        (planner, asked(texts["weather"], trigger="chat", actor="kenta")),
        (scripted("careless", [read, *[AssistantMessage(text=texts["wrong"])] * 11]), asked(texts["weather"], actor="haruka")),
        (scripted("absent", [ModelRejected("scripted:absent", "401 the key was revoked")]), asked(texts["handbook"], actor="kenta")),
        (scripted("polite", [AssistantMessage(text=texts["declines"])] * 12), asked(texts["secrets"], actor="kenta")),
        (
            scripted("poster", [pinned, *[AssistantMessage(text=texts["unsure"])] * 11]),
            asked(texts["notice"], actor="haruka", limits=Limits(call_timeout_s=1.0)),
        ),
    ]  # fmt: skip
    for executor, request in plays:
        engine.executor = executor
        result = await engine.run(request)
        print(f"{request.run_id} {result.ending} {result.reason}", file=sys.stderr)  # noqa: T201
    asking = PolicyRule(name="posts-are-read-first", decision="ask", tool="esa_create_post", reason=texts["read_first"])
    engine.executor = replace(planner, services=replace(planner.services, policy=Policy(rules=(asking,))))
    await app.journal.write([
        FeedbackGiven(run_id=plays[1][1].run_id, key="feedback-kenta", at=app.now().timestamp(), tenant=app.settings.tenant, good=True, by="kenta")
    ])  # fmt: skip
    await app.schedules.pause("diary", "haruka: holidays" if language == "en" else "haruka: 年末年始")
    async with anyio.create_task_group() as group:
        group.start_soon(engine.run, diary())
        with anyio.fail_after(240):
            while not await app.approvals.listed():
                await anyio.sleep(0.1)
        group.cancel_scope.cancel()


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), sys.argv[2])
    anyio.run(furnish, Path(sys.argv[1]), sys.argv[2])
