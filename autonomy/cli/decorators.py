"""Decorators of commands: the settings and the event loop, and the options that several have."""

import inspect
import sys
from collections.abc import Awaitable, Callable
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    from autonomy.settings import Config
    from autonomy.stores import Stores

P = ParamSpec("P")
Command = TypeVar("Command", bound=Callable[..., Any])


def pass_config(
    *, calls_tools: bool = False, stays: bool = False
) -> "Callable[[Callable[Concatenate[Config, P], Awaitable[int | None] | None]], Callable[P, None]]":
    """Pass the settings in force as the first argument, as `click.pass_context` passes the context.

    A coroutine function runs on the event loop; what it returns is the exit code, and None is 0. `calls_tools`: it starts servers.
    `stays`: it serves until it is told to stop.
    """

    def decorate(function: "Callable[Concatenate[Config, P], Awaitable[int | None] | None]") -> Callable[P, None]:
        def command(*args: P.args, **kwargs: P.kwargs) -> None:
            from autonomy.cli.entry import run_async, settings_of

            call: Callable[[], Any] = partial(
                function, settings_of(click.get_current_context(), calls_tools=calls_tools), *args, **kwargs
            )
            if inspect.iscoroutinefunction(function):
                if calls_tools:
                    import autonomy.app  # noqa: F401 - it reads some hundred files, so not on the event loop
                run_async(call, stays=stays)
            call()

        return update_wrapper(command, function)

    return decorate


def pass_stores(function: "Callable[Concatenate[Stores, P], Awaitable[int | None]]") -> Callable[P, None]:
    """Pass the stores of the data directory, open, as the first argument of a coroutine function; they know the settings in force."""

    async def command(config: "Config", /, *args: P.args, **kwargs: P.kwargs) -> int | None:
        from autonomy.stores import open_stores

        async with open_stores(config) as stores:
            return await function(stores, *args, **kwargs)

    return update_wrapper(pass_config()(command), function)


AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON, for other programs.")
"""The option of every command that shows something."""

APPROVE_ALL = click.option("--yes", is_flag=True, help="Approve every write that policy would ask about.")


def confirmation(question: str) -> Callable[[Command], Command]:
    """The option `--yes` of a command that asks before it does what cannot be undone."""

    def ask(ctx: click.Context, parameter: click.Parameter, yes: bool) -> None:
        from autonomy.cli.terminal import say, says_yes

        try:
            if yes or ctx.resilient_parsing or says_yes(question):
                return
            outcome = "Nothing was done."
        except click.Abort:
            if sys.stdin is not None and sys.stdin.isatty():
                raise
            say()
            outcome = "Nothing was done: nobody is there to ask, and `--yes` does not ask."
        say(outcome, err=True)
        ctx.exit(1)

    return click.option("--yes", is_flag=True, expose_value=False, callback=ask, help="Do not ask.")
