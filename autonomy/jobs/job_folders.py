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
    """Where job files are looked for: the operator's folder, `jobs` in the data directory, the built-in ones. Raises
    `ConfigError`."""
    built_in = (BUILT_IN,) if settings.language == "ja" else (BUILT_IN / settings.language, BUILT_IN)
    if settings.sample_only:
        return built_in
    if settings.jobs and not settings.jobs.is_dir():
        raise ConfigError(settings.jobs, "", "there is no such folder of jobs")
    own = (settings.jobs,) if settings.jobs else ()
    return (*own, settings.home / "jobs", *built_in)


def job_files(folders: Sequence[Path]) -> tuple[Path, ...]:
    """All job files; one in an earlier folder hides one of the same name in a later."""
    by_name: dict[str, Path] = {}
    for folder in folders:
        for file in sorted({*folder.glob("*.md"), *folder.glob("*/job.md")}):
            by_name.setdefault(name_of(file), file)
    return tuple(by_name.values())


def name_of(file: Path) -> str:
    """A job is named after its file, or after its folder when the file is called `job.md`."""
    return file.parent.name if file.name == "job.md" else file.stem
