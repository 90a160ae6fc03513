"""`--sample`: use the built-in sample workspace, whatever this machine's settings say."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from autonomy.settings import Config


ON_SAMPLE = "No servers file yet: using the built-in sample workspace (`jiritsu init` writes one)."
"""What a command says that would otherwise let the sample be taken for the person's own workspace."""

CHOSEN_SAMPLE = "Using the built-in sample workspace, as `--sample` says."
"""The same where a person asked for it, who may well have a servers file."""


def sample_flags(language: str, models: list[str] | None) -> dict[str, Any]:
    """The settings for the sample in a language; a model that was named stays, else no language model is needed."""
    return {"sample_only": True, "language": language, "model": models or ["planner:offline"]}


def with_company(config: "Config", goal: str) -> "Config":
    """The same settings; on the sample with the made-up company, where the job asks HR tools. Raises `ConfigError` for a bad file."""
    if not config.settings.sample_only:
        return config
    from autonomy.hr import PROVIDER
    from autonomy.jobs.job_folders import job_files, job_folders, name_of
    from autonomy.jobs.job_loading import find, is_job_file

    folders = job_folders(config.settings)
    if not is_job_file(goal) and goal not in map(name_of, job_files(folders)):
        return config
    job = find(goal, folders)
    named = [*(tool for need in job.needs for tool in need.tools), job.when.tool if job.when else ""]
    is_used = any(tool.startswith(f"{PROVIDER}_") for tool in named)
    return replace(config, settings=config.settings.model_copy(update={"sample_company": is_used}))


def _choose(ctx: click.Context, _: click.Parameter, language: str | None) -> None:
    if language:
        flags = ctx.find_root().obj
        flags |= sample_flags(language, flags["model"])


SAMPLE = click.option(
    "--sample",
    type=click.Choice(["ja", "en"]),
    expose_value=False,
    callback=_choose,
    help="Use the built-in sample workspace and jobs, in Japanese or English; with the offline planner unless --model names a model.",
)
"""The option of every command that can run on the sample; it needs no key and no network."""
