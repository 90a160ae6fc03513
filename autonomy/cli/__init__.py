"""The command group: imports each command when it is used, so that `--help` stays fast.

Exit codes: 0 done · 1 failed · 2 wrong usage · 3 something to configure · 4 blocked or not allowed · 5 ended at a limit · 130
interrupted.
"""

import codecs
import gc
import importlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import click

from autonomy.cli.words.help_pages import HelpContext, show_in_words

gc.set_threshold(200_000, 5, 50)
"""Python's 700 has the collector walk through the modules a hundred times while they are imported: a sixth of a command's start.
Who stays has it look more often again (`run_async`)."""

sys.modules.setdefault("pydantic.plugin._loader", SimpleNamespace(get_plugins=tuple))  # type: ignore[arg-type]
"""Pydantic would search all installed packages for programs that watch it, and import a parser of mails for that: a tenth of a
command that reads settings, and a thirtieth of one that reads the database."""

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("autonomy.cli.commands.init:init", "Set up with at most five questions, or flags; ends with a first run."),
    "doctor": ("autonomy.cli.commands.doctor:doctor", "Check that everything is in place."),
    "run": ("autonomy.cli.commands.run:run", "Run a job, or a goal in your own words."),
    "chat": ("autonomy.cli.commands.chat:chat", "Talk with Jiritsu in the terminal."),
    "serve": ("autonomy.cli.commands.serve:serve", "Answer in Slack, and run scheduled jobs."),
    "web": ("autonomy.cli.commands.web:web", "See runs live, and decide what waits, in a browser."),
    "gateway": ("autonomy.cli.commands.gateway:gateway", "Put every server behind one MCP entry, for other agents."),
    "slack": ("autonomy.cli.commands.slack:slack", "Set up the Slack app: its manifest, and its tokens' scopes."),
    "discover": ("autonomy.cli.commands.discover:discover", "Show the available tools, with hints."),
    "tools": ("autonomy.cli.commands.tools:tools", "Call a tool by hand."),
    "runs": ("autonomy.cli.commands.runs:runs", "List runs, show what they did, cancel, pause, resume and retry them."),
    "replay": ("autonomy.cli.commands.replay:replay", "Replay a run offline, step by step."),
    "jobs": ("autonomy.cli.commands.jobs:jobs", "List, create and check jobs; pause and resume their schedules."),
    "demo": ("autonomy.cli.commands.demo:demo", "Demonstrate a promise: crash, injection, fabrication."),
    "worker": ("autonomy.cli.commands.worker:worker", "Run queued and due runs."),
    "approvals": ("autonomy.cli.commands.approvals:approvals", "List what waits for a person, approve it or deny it."),
    "effects": ("autonomy.cli.commands.effects:effects", "List writes whose outcome is unknown, and resolve them."),
    "report": ("autonomy.cli.commands.report:report", "Report how autonomous runs were: measures over a period."),
    "audit": ("autonomy.cli.commands.audit:audit", "Verify and show the append-only log."),
    "servers": ("autonomy.cli.commands.servers:servers", "List, add, trust and probe MCP servers."),
    "tenants": ("autonomy.cli.commands.hr:tenants", "Manage tenants: their HR vendor, and what their runs may do."),
    "connect": ("autonomy.cli.commands.hr:connect", "Sign a tenant in to its HR vendor."),
    "keys": ("autonomy.cli.commands.hr:keys", "Rotate the key that encrypts credentials."),
    "mcp": ("autonomy.cli.commands.hr:mcp", "Serve tools of the backend as an MCP server, for development."),
    "backup": ("autonomy.cli.commands.backup:backup", "Copy the database while it is in use."),
    "restore": ("autonomy.cli.commands.restore:restore", "Put a backup in place of the database."),
    "service": ("autonomy.cli.commands.service:service", "Install a worker as a service: systemd, launchd."),
    "warm": ("autonomy.cli.commands.warm:warm", "Keep a process ready that starts commands faster."),
    "completion": ("autonomy.cli.commands.completion:completion", "Print the completion script of a shell."),
    "config": (
        "autonomy.cli.commands.config:config",
        "Show the settings in force and where each came from; trust a settings file.",
    ),
}
"""Name → where the command is, and its line in the help."""


READABLE = "jiritsu-readable"
"""How text is written to a terminal or file of another encoding."""

_PLAIN = {
    **dict(zip("✓✗⊘◇◆●○·•─═│┃▏▎▍▌▋▊▉■□", "+xxo*#o.---||########.", strict=True)),
    **dict(zip("━┄", "#.", strict=True)),  # a bar that is full, and one without a value, are told apart
    **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),
    **dict(zip("╳↷▒▲†", "x>%^+", strict=True)),
    **dict(zip("“”‘’\u00a0", "\"\"'' ", strict=True)),
    "°": "",
    "→": "->",
    "⇒": "=>",
    "←": "<-",
    "↻": "~",
    "⇄": "<>",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
}
"""What stands for the signs of ours that an encoding lacks; letters are spelled out, since they are what was meant."""


def _readable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    replaced = "".join(_PLAIN.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in lost)
    return replaced, error.end


codecs.register_error(READABLE, _readable)

PLAIN_ASCII = "jiritsu_ascii"
"""ASCII by another name: a stream that says it is ASCII is taken by click for one set up wrongly, and written to in UTF-8."""


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    if name != PLAIN_ASCII:
        return None
    of = codecs.lookup("ascii")
    incremental = of.incrementalencoder, of.incrementaldecoder
    return codecs.CodecInfo(of.encode, of.decode, of.streamreader, of.streamwriter, *incremental, name=name)


codecs.register(_plain_ascii)


def _make_readable() -> None:
    """Have what is printed be readable in whatever encoding this terminal or file has."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # whoever started us closed it: what is said goes nowhere, and no file takes its number
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123 - for as long as we live
        elif isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=PLAIN_ASCII if is_ascii else stream.encoding, errors=READABLE)


if os.environ.get("_JIRITSU_COMPLETE", "").startswith("powershell"):  # click asks for the class before any command is loaded
    import autonomy.cli.commands.completion  # noqa: F401


class WrongUsage(click.UsageError):
    """Wrong usage in the terminal's language, in one line: what it says may quote words from outside."""

    def show(self, file: Any = None) -> None:
        """Print how the command is used, where its help is, and what was wrong."""
        from autonomy.cli.terminal import say
        from autonomy.cli.words.terminal_words import choose_written_language, translate

        choose_written_language()
        if self.ctx is not None:
            for line in self.ctx.get_usage().splitlines():
                say(line, err=True)
            say(f"Try '{self.ctx.command_path} --help' for help.", err=True)
            say(err=True)
        where, colon, why = self.message.partition(": ") if self.message.startswith("Invalid value") else ("", "", self.message)
        say(f"{translate('Error:')} {translate(where)}{colon}{translate(why)}", err=True)


@contextmanager
def _wrong_usage_told() -> Iterator[None]:
    """Raise click's errors again as ours."""
    try:
        yield
    except (click.exceptions.NoArgsIsHelpError, WrongUsage):
        raise  # the help of a group is of our own words, and has many lines
    except click.ClickException as error:
        from autonomy.cli.terminal import in_a_line

        message = in_a_line(error.format_message().replace("\n\t", " "))  # click puts each choice on a line of its own
        if isinstance(error, click.UsageError):
            raise WrongUsage(message, error.ctx or click.get_current_context(silent=True)) from None
        if message == error.format_message():
            raise
        raise click.ClickException(message) from None


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        show_in_words(command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever is wrong with its usage, the settings or a server is told in one line."""
        try:
            with _wrong_usage_told():
                return super().invoke(ctx)
        except click.Abort:  # Ctrl-C at a question, or nobody there to answer it
            from autonomy.cli.terminal import say

            say("interrupted", err=True)
            ctx.exit(130)
        except (click.ClickException, click.exceptions.Exit, SystemExit):
            raise
        except BaseException as error:
            from autonomy.cli.entry import end_if_expected

            end_if_expected(error)
            raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what is no text: it could neither be kept nor sent."""
        _make_readable()  # before a page of help or a refusal is printed
        with _wrong_usage_told():
            for text in args:
                try:
                    text.encode()
                except UnicodeEncodeError:
                    raise click.UsageError(f"{text!r} is not UTF-8") from None
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the nearest is named for one that is not there."""
        if args and args[0] not in COMMANDS:
            from discovery.text.near_names import near_names

            if near := near_names(args[0], COMMANDS):
                raise click.UsageError(f"No such command {args[0]!r}. Did you mean {near[0]}?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


EPILOG = """\b
jiritsu run diary
jiritsu run "What did Maya say today?"
jiritsu --model openai:MODEL-ID chat

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something to configure, 4 blocked or not allowed, 5 ended at a limit, 130 interrupted.
"""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(package_name="jiritsu", prog_name="jiritsu")
@click.option("--servers", type=click.Path(), help="The servers file to use.")
@click.option("--model", multiple=True, help="The model (vendor:model-id); repeat it to name fallbacks.")
@click.option("--home", type=click.Path(), help="The data directory.")
@click.option(
    "--config", "settings_file", type=click.Path(), help="The settings file to use, in place of the one found here or above."
)
@click.option("--no-warm", is_flag=True, expose_value=False, help="Do not use the warm process.")
@click.option("-v", "--verbose", count=True, help="Log more on stderr; repeat it for everything.")
@click.pass_context
def main(
    ctx: click.Context, servers: str | None, model: tuple[str, ...], home: str | None, settings_file: str | None, verbose: int
) -> None:
    """Jiritsu: runs a goal with tools to the end, safely, and reports honestly how autonomous the run was."""
    flags: dict[str, Any] = {"servers": servers, "model": list(model) or None, "home": home, "config": settings_file}
    flags["log_level"] = {0: None, 1: "info"}.get(verbose, "debug")
    ctx.obj = flags
