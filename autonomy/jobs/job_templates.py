"""The templates for new jobs, and the path of a new job's file."""

import re
from collections.abc import Mapping
from pathlib import Path

from autonomy.errors import ConfigError
from autonomy.jobs.job_folders import BUILT_IN, job_files, name_of
from autonomy.new_files import write_new_file

NAME = re.compile(r"[\w-]{1,64}")
"""What a job may be called, since that names its file."""


def templates(language: str) -> Mapping[str, Path]:
    """The templates there are, by name."""
    return {file.stem: file for file in sorted((BUILT_IN / "templates" / language).glob("*.md"))}


def in_timezone(template: str, timezone: str) -> str:
    """The text of a template whose schedule names this time zone: another installation may read the file."""
    named = _TIMEZONE.sub(rf"\g<1>{timezone}", template)
    return named if named != template else _INLINE.sub(rf"\g<1>, timezone: {timezone}", template)


_TIMEZONE = re.compile(r"^(schedule:\n(?:  .*\n)*?  timezone: ).*$", re.MULTILINE)
_INLINE = re.compile(r'^(schedule: \{ cron: "[^"]*")', re.MULTILINE)


def write_new(folder: Path, name: str, text: str) -> Path:
    """Make a job's file; one that exists is never touched. Raises `ConfigError`."""
    if not NAME.fullmatch(name):
        raise ConfigError("name", name, "letters, digits, - and _ only, since it names a file")
    target = folder / f"{name}.md"
    if taken := next((file for file in job_files([folder]) if name_of(file) == name), None):
        raise ConfigError(taken, "", "is there already: take another name")
    try:
        write_new_file(target, text)
    except FileExistsError as error:
        raise ConfigError(target, "", "is there already: take another name") from error
    return target
