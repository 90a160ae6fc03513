"""`--sample`: use the built-in sample workspace, whatever this machine's settings say."""

from typing import Any

import click


def sample_flags(language: str, models: list[str] | None) -> dict[str, Any]:
    """The settings for the sample in a language; a model that was named stays, else no language model is needed."""
    return {"sample_only": True, "language": language, "model": models or ["planner:offline"]}


def _choose(ctx: click.Context, _: click.Parameter, language: str | None) -> None:
    if language:
        flags = ctx.find_root().obj
        flags |= sample_flags(language, flags["model"])


SAMPLE = click.option(
    "--sample",
    type=click.Choice(["ja", "en"]),
    expose_value=False,
    callback=_choose,
    help="Use the built-in sample workspace and jobs, in Japanese or English.",
)
"""The option of every command that can run on the sample; it needs no key and no network."""
