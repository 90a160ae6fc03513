"""`jiritsu chat`: the conversation service in a terminal, the same that answers in Slack."""

import sys
from typing import TYPE_CHECKING

import click

from autonomy.cli.terminal import say, show

if TYPE_CHECKING:
    from autonomy.chat.chat_service import ChatService

LEAVE = ("exit", "quit", "bye")


@click.command()
@click.argument("words", nargs=-1)
@click.option("--thread", default="", help="A conversation to carry on; without it a new one begins.")
@click.option("--yes", is_flag=True, help="Approve every write that policy would ask about.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, only the answers.")
@click.pass_context
def chat(ctx: click.Context, words: tuple[str, ...], thread: str, yes: bool, quiet: bool) -> None:
    """Talk with Jiritsu. WORDS are answered once; without any, lines are read until the end of input.

    \b
    jiritsu chat 東京の天気を教えて
    jiritsu chat --thread trip
    """
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.app import chat_service, open_app
        from autonomy.chat.local_runs import LocalRuns
        from autonomy.cli.console import SafeConsole
        from autonomy.cli.run_progress import Progress
        from autonomy.cli.terminal_approver import TerminalApprover

        watchers = () if quiet else (Progress(SafeConsole(stderr=True)),)
        async with open_app(config, watchers=watchers, approver=TerminalApprover(approve_all=yes)) as app:
            service = chat_service(app, LocalRuns(app.executor, app.runs, app.journal))
            await _converse(service, " ".join(words), thread or f"terminal-{app.now():%Y%m%d-%H%M%S}")
        return 0

    run_async(command)


async def _converse(service: "ChatService", words: str, thread: str) -> None:
    """Answer the words, or every line until the end."""
    import anyio.to_thread

    if words:
        show(await service.respond("terminal", words, thread))
        return
    while True:
        line = await anyio.to_thread.run_sync(_next_line, abandon_on_cancel=True)
        if line is None or line in LEAVE:
            return
        if line:
            show(await service.respond("terminal", line, thread))


def _next_line() -> str | None:
    if sys.stdin.isatty():
        say("> ", nl=False, err=True)
    line = sys.stdin.readline()
    return line.strip() if line else None
