"""`jiritsu replay`: replays a run offline, step by step."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.completion_names import runs_or_files
from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from autonomy.agent.replay import Recording
    from autonomy.settings import Config


@click.command()
@click.argument("run", shell_complete=runs_or_files)
@click.option("--save", type=click.Path(path_type=Path), help="Write the run to this file, to replay it elsewhere or in a test.")
@click.option("-q", "--quiet", is_flag=True, help="Say only whether the replay matched.")
@pass_config()
async def replay(config: "Config", run: str, save: Path | None, quiet: bool) -> None:
    """Replay RUN offline: a run's id or the beginning of it, or a file that --save wrote.

    Nothing is reached: no model, no tool, no network. What the program does with what it was told then is held against what it
    did then; where it departs, the step is named and the exit code is 1. A saved run holds what model and tools said: keep it
    private.

    \b
    jiritsu replay 20251121-09
    jiritsu replay 20251121-09 --save diary.jsonl
    jiritsu replay diary.jsonl
    """
    import anyio

    from autonomy.agent.replay import ReplayDivergence, read_recording
    from autonomy.agent.replay import replay as play
    from autonomy.cli.reports.run_progress import Progress
    from autonomy.cli.rich_console import SafeConsole
    from autonomy.cli.words.terminal_words import terminal_language
    from metrics.reporting.report_words import ending_in

    is_file = await anyio.Path(run).is_file()
    recording = await read_recording(Path(run)) if is_file else await _stored_recording(config, run)
    watchers = () if quiet else (Progress(SafeConsole(stderr=True)),)
    try:
        played = await play(recording, watchers=watchers)
    except ReplayDivergence:
        if save is not None:  # what was recorded is as it was, whatever the program does now
            await _write(recording, save)
        raise
    if save is not None:
        await _write(played, save)
    ending = ending_in(played.result.ending if played.result else "unfinished", terminal_language())
    several = f"{number} steps as they were" if (number := len(played.steps)) != 1 else "1 step as it was"
    say(f"{played.request.run_id}: {several}, {ending}")


async def _write(recording: "Recording", file: Path) -> None:
    from autonomy.agent.replay import write_recording

    await write_recording(recording, file)
    say(f"written to {file}", err=True)


async def _stored_recording(config: "Config", run_id: str) -> "Recording":
    """A run of this data directory. Raises `UnknownRun` or `RunConflict`."""
    from autonomy.durable.records.run_recordings import recording_of
    from autonomy.stores import open_stores
    from metrics.events import RunStarted

    async with open_stores(config) as stores:
        record = await stores.runs.get(run_id, tenant=config.settings.tenant)
        started = [event for event in await stores.journal.read(run_id=record.run_id) if isinstance(event, RunStarted)]
        model = started[0].model if started else ""
        return await recording_of(record, model, stores.engine, keys=config.settings.keys)
