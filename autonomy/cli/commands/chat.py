"""`jiritsu chat`: the chat service in a terminal; the same service answers in Slack."""

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import APPROVE_ALL, pass_config
from autonomy.cli.terminal import say, show

if TYPE_CHECKING:
    from autonomy.chat.chat_service import ChatService
    from autonomy.settings import Config

LEAVE = ("exit", "quit", "bye")


@click.command()
@click.argument("words", nargs=-1)
@click.option("--thread", default="", help="The conversation to continue. Default: a new one.")
@APPROVE_ALL
@click.option("-q", "--quiet", is_flag=True, help="Print only the answers, without progress.")
@pass_config(calls_tools=True)
async def chat(config: "Config", words: tuple[str, ...], thread: str, yes: bool, quiet: bool) -> int:
    """Talk with Jiritsu. WORDS are answered once; without any, lines are read until the end of input.

    \b
    jiritsu chat 東京の天気を教えて
    jiritsu chat --thread trip
    """
    from autonomy.app import open_app
    from autonomy.app_services import chat_service
    from autonomy.chat.local_runs import LocalRuns
    from autonomy.cli.reports.run_progress import Progress, causes_in
    from autonomy.cli.rich_console import SafeConsole
    from autonomy.cli.terminal_approver import TerminalApprover

    progress = Progress(SafeConsole(stderr=True))
    watchers = () if quiet else (progress,)
    async with open_app(config, watchers=watchers, approver=TerminalApprover(approve_all=yes)) as app:
        progress.causes = partial(causes_in, app.gateway)
        service = chat_service(app, LocalRuns(app.executor, app.runs, app.journal))
        return await _converse(service, " ".join(words), thread or f"terminal-{app.now():%Y%m%d-%H%M%S}")


async def _converse(service: "ChatService", words: str, thread: str) -> int:
    """Answer the words, or every line until the end; gives the exit code. Raises `ConfigError` for lines that are no text."""
    from autonomy.chat.chat_service import AT_THE_TERMINAL, IncomingMessage
    from autonomy.cli.entry import EXIT_OF
    from autonomy.daemon_threads import run_in_daemon_thread

    if words:
        message = IncomingMessage(thread=thread, user_id=AT_THE_TERMINAL, text=words)
        result = await service.answer(message)
        show(service.render(message, result))
        return EXIT_OF[result.ending]
    while True:
        line = await run_in_daemon_thread(_next_line)
        if line is None or line in LEAVE:
            return 0
        if line:
            show(await service.respond(AT_THE_TERMINAL, line, thread))


def _next_line() -> str | None:
    from autonomy.errors import ConfigError

    if sys.stdin is None:
        raise ConfigError("stdin", "", "is closed; say what you want to know as words, or on stdin")
    if sys.stdin.isatty():
        say("> ", nl=False, err=True)
    try:
        line = sys.stdin.readline()
        line.encode()  # what was no UTF-8 may have come through as halves of characters
    except UnicodeError as error:
        raise ConfigError("stdin", "", "is not text in UTF-8") from error
    if "\0" in line:
        raise ConfigError("stdin", "", "is not text: it holds NUL")
    return line.strip() if line else None
