"""`jiritsu warm`: keeps a process that has everything imported and runs commands by fork."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click

from autonomy.cli.terminal import say
from autonomy.warm import warm_home
from autonomy.warm.warm_socket import STATUS, STOP, connect, supported

ANSWER_WITHIN_S = 5.0
KEPT = ("HOME", "JIRITSU_CONFIG", "JIRITSU_HOME", "LANG", "LC_", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER", "XDG_")
"""Beginnings of the names of variables that a process in the background is started with: no secret is among them."""


@click.group(invoke_without_command=True)
@click.option("--background", is_flag=True, help="Run in the background; return when it is ready.")
@click.pass_context
def warm(ctx: click.Context, background: bool) -> None:
    """Keep a process ready that starts commands at once, with servers that are started already.

    It carries out `run`, `chat`, `tools call`, `discover` and what only reads the database.

    It ends by itself after half an hour without a command (`[warm] idle_minutes`). `--no-warm` and `JIRITSU_WARM=0` pass it by.
    """
    if ctx.invoked_subcommand is not None:
        return
    from autonomy.cli.entry import EXIT_FAILED, settings_of
    from autonomy.errors import ConfigError

    if not supported():
        raise ConfigError("warm", "", f"{sys.platform} lacks what warm starts need: Linux has it")
    config = settings_of(ctx, calls_tools=not background)
    if background:
        sys.exit(0 if _in_background() else EXIT_FAILED)
    from autonomy.warm.warm_process import serve
    from autonomy.warm.warm_settings import warm_settings

    if serve(Path(warm_home()), warm_settings(config), lambda: say(f"warm in {warm_home()}: Ctrl-C ends it", err=True)):
        from autonomy.cli import main
        from autonomy.warm.fresh_process import carry_out

        carry_out(lambda: main(prog_name="jiritsu"))


@warm.command()
def stop() -> None:
    """Stop the warm process and its spare servers; running commands keep theirs until they end."""
    answer = ask(STOP)
    if answer is None:
        say("no warm process is there")
    else:
        say("stopped" + (f"; {answer['commands']} commands under way end as they would" if answer["commands"] else ""))


@warm.command()
def status() -> None:
    """Show whether the warm process runs, and its spare servers."""
    answer = ask(STATUS)
    say(
        "off: commands start from scratch (`jiritsu warm --background` starts it)"
        if answer is None
        else f"on: process {answer['pid']}, {answer['commands']} commands under way, {answer['spares']} spare servers"
    )


def ask(question: bytes) -> dict[str, int] | None:
    """What the warm process answers to a question; None when there is none, or it does not answer."""
    if not supported():
        return None
    try:
        with connect(warm_home(), ANSWER_WITHIN_S) as line:
            line.send(question)
            return {str(name): int(value) for name, value in json.loads(line.recv(4096)).items()}
    except (OSError, ValueError, AttributeError):
        return None


def _in_background() -> bool:
    """Start a warm process in the background, and wait until it answers or has ended."""
    from autonomy.warm.installation import READ_AT_IMPORT

    if ask(STATUS) is not None:
        say("a warm process is there already")
        return True
    env = {name: value for name, value in os.environ.items() if name.startswith((*KEPT, *READ_AT_IMPORT))}
    reads, writes = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "autonomy", "warm"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=writes,
        env=env,
        start_new_session=True,
    )
    os.close(writes)
    with os.fdopen(reads, encoding="utf-8", errors="replace") as output:
        for line in output:
            if ask(STATUS) is not None:
                say(f"warm: process {process.pid}")
                return True
            say(line.strip(), err=True)
    return False
