"""The error tree of the host; each class says who reacts.

    JiritsuError
    ├─ ConfigError              the operator: a setting, job file or argument cannot be used; names file, key and value
    │  └─ InputsMissing         … a run wants inputs that nobody gave; each place says how they are given there
    ├─ StoreError               the operator: the data directory or database cannot be used
    │  ├─ KeyMissing            … because `JIRITSU_KEY` lacks the key
    │  └─ WriteNotSent          … so that a write was not sent
    ├─ ModelError               the executor: retries, falls back to the next model of the chain, or ends the run
    │  ├─ ModelUnavailable      … the vendor is down, slow or rate-limited; may carry retry_after_s
    │  ├─ ModelRejected         … the vendor refuses this request (bad key, bad request); another model may take it
    │  └─ ModelGarbled          … the reply cannot be read; one correction is asked for
    ├─ VendorError              the model, as a tool error: an HR vendor's answer; carries `retryable`
    ├─ SlackRequestFailed       `chat`: a request to Slack came to nothing, or may have
    │  ├─ SlackApiRefused       … Slack said no; it tries another way, or the request is shown as unanswered
    │  └─ AnswerLost            … nobody knows whether Slack did it; it looks, and sends again only what is not there
    ├─ SlackAway                `cli.serve`: says so, and tries again
    └─ RunError                 whoever asked about a run
       ├─ UnknownRun            … there is no run of that id
       └─ RunConflict           … the run is not in a state that allows this

What the model can use is not an exception but a value (`ToolResult(is_error=True, kind=…)`); how a run ends is a value too
(`RunResult.ending`). `discovery` keeps a root of its own, because it does not know the host: see `discovery/discovery_errors.py`.
"""

import reprlib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from discovery.text.near_names import did_you_mean, near_key

SHOWN_CHARS = 120
"""Characters that an error shows of a value that cannot be used."""


MOST_TOLD = 10
"""Errors of one file that are told at once."""

_SWITCHED_OFF = "literal[False]"
"""Pydantic's name of one way to write what can be off; whoever wrote a value did not mean it."""

_NO_TABLE = ("model_type", "dict_type")

_NO_LIST = ("list_type", "tuple_type")


class JiritsuError(Exception):
    """The root of everything the host raises on purpose."""


class ConfigError(JiritsuError):
    """Something the operator wrote cannot be used; nothing was changed."""

    def __init__(self, where: Path | str, key: str, problem: str) -> None:
        self.others: tuple[ConfigError, ...] = ()
        """What else is wrong in the same file."""
        # a key that nobody has set stands in no file: its origin is "default"
        self.where, self.key, self.problem = "settings" if where == "default" else str(where), key, problem
        super().__init__(f"{self.where}: {key}: {problem}" if key else f"{self.where}: {problem}")

    @classmethod
    def of(cls, where: Path | str, error: ValidationError, *above: str | int, model: type[BaseModel]) -> Self:
        """The first pydantic error as one sentence; `above` leads to the table that was read as `model`."""
        found = error.errors(include_url=False)
        # what is missing may be there under a misspelt name
        first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
        return cls._of_fault(where, first, *above, model=model)

    @classmethod
    def of_each(cls, where: Path | str, error: ValidationError, *above: str | int, model: type[BaseModel]) -> Self:
        """As `of`, with the other pydantic errors as its `others`; for models without unions, whose every branch would be one."""
        found = error.errors(include_url=False)
        misspelt = {one["loc"][:-1] for one in found if one["type"] == "extra_forbidden"}
        told = [one for one in found if one["type"] != "missing" or one["loc"][:-1] not in misspelt]
        told = [one for one in told if _SWITCHED_OFF not in one["loc"]] or told
        return cls.first_of([cls._of_fault(where, one, *above, model=model) for one in told])

    @classmethod
    def first_of(cls, errors: Sequence[Self]) -> Self:
        """The first of several errors of one file, with the rest, up to `MOST_TOLD` in all, as its `others`."""
        first = errors[0]
        first.others = tuple(errors[1:MOST_TOLD])
        return first

    @classmethod
    def _of_fault(cls, where: Path | str, first: ErrorDetails, *above: str | int, model: type[BaseModel]) -> Self:
        # what is one of several models is led to by pydantic's name of the model, in brackets where it has validators
        place = (part + 1 if isinstance(part, int) else part for part in first["loc"])  # people count from one
        key = ".".join(part for part in map(str, (*above, *place)) if "[" not in part)
        if first["type"] in _NO_LIST and isinstance(first["input"], dict) and Path(where).suffix == ".toml":
            return cls(where, key, f"must be a list: write [[{key}]], in two brackets, above each of its tables")
        if first["type"] == "extra_forbidden":
            near = near_key(model, first["loc"])
        else:
            near = near_key(model, (*first["loc"], "")) if first["type"] in _NO_TABLE else ""
        return cls(where, key, f"{_problem(first)}{near}")


class InputsMissing(ConfigError):
    """A run wants inputs that nobody has given; whoever tells it says how they are given there."""

    def __init__(self, where: Path | str, listed: str) -> None:
        self.listed = listed
        super().__init__(where, "inputs", f"must be given: {listed}")


def _problem(first: ErrorDetails) -> str:
    """The message for a pydantic error, in our words where we have some."""
    if first["type"] == "extra_forbidden":
        return "there is no such key"
    if first["type"] == "missing":
        return "must be given"
    if (cause := first.get("ctx", {}).get("error")) is not None:
        return str(cause)
    if first["type"] in _NO_TABLE:
        return f"must be a table of keys, not {_short(first['input'])}"
    if first["type"] == "union_tag_invalid":  # one of several tables, chosen by the value of this key
        return _wrong_tag(first["ctx"])
    if first["type"] == "union_tag_not_found":
        return f"{first['ctx']['discriminator'].strip(_QUOTE)} must be given"
    if first["type"] == "too_short" and not first["input"]:
        return "is empty: at least one is wanted"
    from discovery.text.fault_words import fault_words  # here: only who made a mistake pays for loading it

    must = fault_words(first).replace("must be '', ", "must be ")  # what is left out is no value to propose
    if first["type"] == "string_type" and isinstance(first["input"], bool | float | date):  # as `no`, 3 and 2026-11-30 are read
        return f"{must}, not {_short(first['input'])}: put it in quotes"
    return f"{must}, not {_short(first['input'])}"


_QUOTE = "'"


def _wrong_tag(about: Mapping[str, Any]) -> str:
    """Say which values a key may have that decides what else stands in its table."""
    key, tag, known = about["discriminator"].strip(_QUOTE), about["tag"], about["expected_tags"]
    near = did_you_mean(tag, (one.strip(_QUOTE) for one in known.split(", ")))
    return f"{_short(tag)} is no {key}; those are {known.replace(_QUOTE, '')}{near}"


def _short(value: object) -> str:
    """A value as it is shown in a sentence: a small file can hold a very large one."""
    if isinstance(value, date):
        return str(value)
    try:
        return reprlib.repr(value) if len(shown := repr(value)) > SHOWN_CHARS else shown
    except (ValueError, RecursionError):  # a whole number of more than 4,300 digits, a thousand brackets
        return f"a {type(value).__name__} that is too large to be shown"


class StoreError(JiritsuError):
    """The data directory or the database cannot be read or written."""


class WriteNotSent(StoreError):
    """A write was not sent, because it could not be noted before: nothing happened."""


class KeyMissing(StoreError):
    """What was stored is encrypted, and `JIRITSU_KEY` does not have its key: waiting does not help."""


class ModelError(JiritsuError):
    """A language model did not give a usable reply."""

    def __init__(self, model: str, problem: str) -> None:
        self.model, self.problem = model, problem
        super().__init__(f"{model}: {problem}")


class ModelUnavailable(ModelError):
    """The vendor is down, slow or rate-limited: worth a retry, then the next model of the chain."""

    def __init__(self, model: str, problem: str, *, status: int | None = None, retry_after_s: float | None = None) -> None:
        self.status, self.retry_after_s = status, retry_after_s
        super().__init__(model, problem)


class ModelRejected(ModelError):
    """The vendor refuses the request as it is (key, model id, content): a retry would be refused again."""

    def __init__(self, model: str, problem: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(model, problem)


class ModelGarbled(ModelError):
    """The reply came, and cannot be read."""


class VendorError(JiritsuError):
    """An HR vendor's API answered with an error; becomes a tool error for the model."""

    def __init__(self, vendor: str, problem: str, *, retryable: bool, status: int | None = None) -> None:
        self.vendor, self.problem, self.retryable, self.status = vendor, problem, retryable, status
        super().__init__(f"{vendor}: {problem}")


class RunError(JiritsuError):
    """A question or order about a run that cannot be answered or followed."""


class UnknownRun(RunError):
    """There is no run of that id, or nothing of that id among what runs leave: approvals, writes."""

    def __init__(self, run_id: str, what: str = "run") -> None:
        self.run_id, self.what = run_id, what
        super().__init__(f"there is no {what} {run_id!r}")


class RunConflict(RunError):
    """The run is not in a state that allows this."""
