"""Finds job files by their names, without reading them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autonomy.errors import ConfigError

if TYPE_CHECKING:
    from autonomy.settings import Settings

BUILT_IN = Path(__file__).parent
"""The folder of the jobs that ship with Jiritsu."""


def job_folders(settings: "Settings") -> tuple[Path, ...]:
    """The folders that are searched for job files: the operator's, `jobs` in the data directory, the built-in ones; on the sample
    the built-in ones first, which were written for it. Raises `ConfigError`."""
    built_in = (BUILT_IN,) if settings.language == "ja" else (BUILT_IN / settings.language, BUILT_IN)
    if settings.sample_only:
        return (*built_in, *own_folders(settings))
    if settings.jobs and not settings.jobs.is_dir():
        raise ConfigError(settings.jobs, "", "there is no such folder of jobs")
    return (*own_folders(settings), *built_in)


def language_in(folders: Sequence[Path]) -> str:
    """The language whose built-in jobs are searched first there (`job_folders`)."""
    return "en" if BUILT_IN / "en" in folders else "ja"


def own_folders(settings: "Settings") -> tuple[Path, ...]:
    """The folders of the operator's own job files: the configured one, and `jobs` in the data directory."""
    return (*((settings.jobs,) if settings.jobs else ()), settings.home / "jobs")


def hidden_by_sample(settings: "Settings", name: str) -> Path | None:
    """The operator's own job of that name, where a run on the sample takes the built-in one in its place."""
    if not settings.sample_only or name not in map(name_of, job_files((BUILT_IN,))):
        return None
    return next((file for file in job_files(own_folders(settings)) if name_of(file) == name), None)


def job_files(folders: Sequence[Path]) -> tuple[Path, ...]:
    """All job files; one in an earlier folder hides one of the same name in a later."""
    by_name: dict[str, Path] = {}
    for folder in folders:
        for file in sorted({*folder.glob("*.md"), *folder.glob("*/job.md")}):
            by_name.setdefault(name_of(file), file)
    return tuple(by_name.values())


def job_names(folders: Sequence[Path]) -> tuple[str, ...]:
    """The names of all jobs, in order."""
    return tuple(sorted(map(name_of, job_files(folders))))


def name_of(file: Path) -> str:
    """A job is named after its file, or after its folder when the file is called `job.md`."""
    return file.parent.name if file.name == "job.md" else file.stem
