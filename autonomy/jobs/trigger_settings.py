"""The settings of a job file's triggers: files, other jobs' ends and messages."""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, field_validator

from discovery.catalog import Frozen
from metrics.events import Ending


class FileTrigger(Frozen):
    """Starts the job once for each file that comes or changes."""

    path: str = Field(min_length=1)
    """A file, or a pattern in one folder (`inbox/*.csv`); where it is not absolute, beside the job file."""
    input: str = ""
    """The input that is told the file's path."""

    @field_validator("path")
    @classmethod
    def _in_one_folder(cls, path: str) -> str:
        if any(mark in str(Path(path).parent) for mark in "*?["):
            raise ValueError(f"{path!r} has a pattern for a folder; only the file's name may be one")
        if Path(path).name in ("", "."):
            raise ValueError(f"{path!r} names no file")
        return path


class JobTrigger(Frozen):
    """Starts the job once for each time that another job ends: of one with `for_each`, when the runs of its whole list have."""

    job: str = Field(min_length=1)
    endings: tuple[Ending, ...] = ("completed",)
    """Of a list, one run that ends so is enough: who is missing stands in the input."""
    each: bool = False
    """Start once for each run of a list instead."""
    input: str = ""
    """The input that is told what the run answered; of a list, what each did, under its item's name."""


class MessageTrigger(Frozen):
    """Starts the job once for each message in a channel of Slack (`jiritsu serve`)."""

    channel: str
    """The channel's id."""
    words: str = ""
    """Only messages that hold these, in whatever case."""
    input: str = ""
    """The input that is told the message."""

    @field_validator("channel")
    @classmethod
    def _is_id(cls, channel: str) -> str:
        if not re.fullmatch(r"[CG][A-Z0-9]{2,}", channel):
            raise ValueError(f"{channel!r} is no id of a channel: write one such as C09DEV (`slack_list_channels` tells them)")
        return channel

    def fits(self, channel: str, text: str) -> bool:
        """Whether a message is such a one."""
        return channel == self.channel and _folded(self.words) in _folded(text)


def message_problem(job: str, trigger: MessageTrigger | None, environment: Mapping[str, str]) -> str:
    """Why no message can start a job, in a sentence; empty where one can, or where none is meant to."""
    if trigger is None or environment.get("SLACK_BOT_TOKEN"):
        return ""
    return f"no message starts job {job} yet: Slack is not connected (SLACK_BOT_TOKEN is not set; see docs/slack.md)"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
