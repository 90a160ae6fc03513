"""Reads job files, and refuses what a run would trip over."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autonomy.durable.scheduling.timetable import HORIZON_YEARS, Timetable
from autonomy.errors import ConfigError
from autonomy.jobs.inputs import SAMPLES
from autonomy.jobs.job import REPORT, Job
from autonomy.jobs.job_folders import BUILT_IN, job_files, language_in, name_of
from autonomy.jobs.job_front_matter import read_parts
from autonomy.llm.templates import referred
from autonomy.policy.need_binding import LATE, is_write
from autonomy.run_state.completion_rules import Evidence, Postcondition, Sections
from autonomy.run_state.limits import Limits
from discovery.catalog import Effect
from discovery.text.near_names import did_you_mean


def load(file: Path, language: str = "ja", *, beside: Path | None = None) -> Job:
    """Read one job file, and try what its runs will need. Raises `ConfigError` naming the file, the key and the value, with what
    else is wrong there.

    `language`: of the built-in job that it extends, where it names none itself. `beside`: the folder of the operator's own jobs
    that it may extend; None for the one that holds this job, too.
    """
    holds_it = file.parent.parent if file.name == "job.md" else file.parent
    head, goal = _with_base(file, *read_parts(file), language, beside or holds_it)
    for key in {"name", "file", "goal"} & head.keys():
        raise ConfigError(file, key, "is no key: a job is named after its file, and the text under the front matter is its goal")
    try:
        job = Job.model_validate({"name": name_of(file), **head, "file": file, "goal": goal})
        _check(job)
        _try(job)
    except ValidationError as error:
        raise ConfigError.of_each(file, error, model=Job) from error
    except (ValueError, TypeError, ArithmeticError, LookupError, RecursionError) as error:  # whatever a file can hold
        raise ConfigError(file, "", f"cannot be used: {type(error).__name__}: {str(error)[:200]}") from error
    return job


def _with_base(file: Path, head: dict[Any, Any], goal: str, language: str, beside: Path) -> tuple[dict[Any, Any], str]:
    """Merge a file with the job that it extends: one beside it, else one that ships with us. Only one level deep."""
    if "extends" not in head:
        return head, goal
    own_keys = {key: value for key, value in head.items() if key != "extends"}
    name = str(head["extends"])
    built_in = [BUILT_IN / "en", BUILT_IN] if head.get("language", language) == "en" else [BUILT_IN]
    own_files = {name_of(one): one for one in job_files([beside]) if name_of(one) != name_of(file)}
    files = {name_of(one): one for one in job_files(built_in)} | own_files
    if name not in files:
        raise ConfigError(
            file,
            "extends",
            f"there is no job {name[:80]!r}; there are {', '.join(sorted(files)) or 'none'}{did_you_mean(name, files)}",
        )
    base, words = read_parts(files[name])
    if "extends" in base:
        raise ConfigError(file, "extends", f"{name} extends another job itself; name that one")
    return {**base, **own_keys}, goal or words


def _try(job: Job) -> None:
    """Make a request of it and look for its next tick: what a run would trip over is found when the file is read."""
    inputs = {name: SAMPLES[spec.type] for name, spec in job.inputs.items() if not spec.default}
    planned = job.schedule.inputs if job.schedule else {}
    job.request("try", {**inputs, **planned}, now=_SOME_DAY).model_dump_json()
    if job.when is not None:
        job.condition(job.when, {**inputs, **planned}, _SOME_DAY).check(job.file)
    if job.schedule is not None:
        try:
            comes = Timetable(job=job.name, **job.schedule.plan("Asia/Tokyo")).next(_SOME_DAY.timestamp(), 1)
        except (ValueError, OverflowError) as error:
            raise ConfigError(job.file, "schedule.cron", str(error)) from error
        if not comes:
            raise ConfigError(job.file, "schedule.cron", f"{job.schedule.cron!r} comes on no day within {HORIZON_YEARS} years")


EFFECTS = tuple(map(str, Effect))

_SOME_DAY = datetime(2026, 1, 31, 12, tzinfo=UTC)


def _check(job: Job) -> None:
    """Check what the types cannot. Raises `ConfigError` with all that is wrong."""
    if faults := list(_faults(job)):
        raise ConfigError.first_of(faults)
    try:
        Limits.model_validate(job.limits)
    except ValidationError as error:
        raise ConfigError.of_each(job.file, error, "limits", model=Limits) from error


def _faults(job: Job) -> Iterator[ConfigError]:
    """What is wrong with it: distinct ids of needs, non-empty goals, references that resolve."""
    if job.name == REPORT:
        yield ConfigError(job.file, "name", f"{REPORT!r} is the report on a schedule; take another name")
    if not job.goal:
        yield ConfigError(job.file, "goal", "the text under the front matter is empty")
    yield from _faults_of_triggers(job)
    yield from _faults_of_tools(job)
    yield from _faults_of_needs(job)
    yield from _faults_of_references(job)
    yield from _faults_of_postconditions(job)


def _faults_of_needs(job: Job) -> Iterator[ConfigError]:
    ids = [need.id for need in job.needs]
    for name, times in Counter(ids).items():
        if times > 1:
            yield ConfigError(job.file, "needs", f"two needs are called {name!r}")
    for need in job.needs:
        if need.effect not in EFFECTS:
            why = f"{need.effect!r} is no effect; those are {', '.join(EFFECTS)}{did_you_mean(need.effect, EFFECTS)}"
            yield ConfigError(job.file, f"needs.{need.id}.effect", why)
    try:
        TopologicalSorter({need.id: need.after for need in job.needs}).prepare()
    except CycleError as error:
        yield ConfigError(job.file, "needs", f"they wait for each other: {' after '.join(error.args[1])}")
    writes = [need.id for need in job.needs if is_write(need.effect)]
    for key, names in (("delivery", job.delivery), ("approval.drafts", job.approval.drafts)):
        for name in names:
            if name not in writes:
                yield ConfigError(job.file, key, _no_write(name, writes))
    for section in job.sections:
        if section.source and section.source not in ids:
            why = f"{section.title!r} draws on {section.source!r}, which is no need{did_you_mean(section.source, ids)}"
            yield ConfigError(job.file, "sections", why)


def _faults_of_references(job: Job) -> Iterator[ConfigError]:
    """Names of needs that no need has: a write would not wait, a rule would never hold, a value would be left open."""
    ids = [need.id for need in job.needs]
    for need in job.needs:
        for name in need.after:
            if name not in ids:
                yield ConfigError(job.file, f"needs.{need.id}.after", _no_need(name, ids))
        for name in dict.fromkeys(referred(need.arguments)):
            if name not in ("result", "inputs", *ids, *job.inputs):
                near = did_you_mean(name, ["result", *ids])
                why = f"refers to {name}, which is neither `result` nor a need{near}"
                yield ConfigError(job.file, f"needs.{need.id}.arguments", why)
    titles = [section.title for section in job.sections]
    for number, rule in enumerate(job.complete, 1):
        if isinstance(rule, Evidence) and rule.need not in ids:
            yield ConfigError(job.file, f"complete.{number}.need", _no_need(rule.need, ids))
        for title in rule.titles if isinstance(rule, Sections) else ():
            if title not in titles and (near := did_you_mean(title, titles)):
                yield ConfigError(job.file, f"complete.{number}.titles", f"there is no section {title!r}{near}")


def _no_need(name: str, ids: Sequence[str]) -> str:
    return f"{name!r} is no need{did_you_mean(name, ids)}"


def _faults_of_tools(job: Job) -> Iterator[ConfigError]:
    """No input, and nothing that was read, says which tools there are."""
    for key, names in (("tools", job.tools), *((f"needs.{need.id}.tools", need.tools) for need in job.needs)):
        if late := next((name for name in names if LATE in name), ""):
            yield ConfigError(job.file, key, f"{late[:80]!r} is no name of a tool: nothing is filled in there")


def _no_input(name: str, inputs: Sequence[str]) -> str:
    if not inputs:
        return f"{name!r} is no input; the job declares none"
    return f"{name!r} is no input; those are {', '.join(inputs)}{did_you_mean(name, inputs)}"


def _no_write(name: str, writes: Sequence[str]) -> str:
    if not writes:
        return f"{name!r} is no need with a write effect; there is none"
    return f"{name!r} is no need with a write effect; those are {', '.join(writes)}{did_you_mean(name, writes)}"


def _faults_of_triggers(job: Job) -> Iterator[ConfigError]:
    for key in ("for_each", "on_file", "after_job", "on_message"):
        start = getattr(job, key)
        if start and start.input and start.input not in job.inputs:
            yield ConfigError(job.file, f"{key}.input", _no_input(start.input, tuple(job.inputs)))
    if job.schedule and not job.for_each and (lacking := job.lacking(job.schedule.inputs)):
        yield ConfigError(job.file, "schedule.inputs", f"nobody is there at a tick to give {', '.join(lacking)}")
    if job.after_job and job.after_job.job == job.name:
        yield ConfigError(job.file, "after_job.job", f"{job.name} would start itself again and again")


def _faults_of_postconditions(job: Job) -> Iterator[ConfigError]:
    checks = [rule for rule in (*job.complete, *job.check) if isinstance(rule, Postcondition)]
    for name, times in Counter(check.name for check in checks).items():
        if times > 1:
            yield ConfigError(job.file, "check", f"{times} checks are called {name!r}: give each a title")
    ids = {need.id for need in job.needs}
    for need in dict.fromkeys(_needs_named(checks)):
        if need not in ids:
            yield ConfigError(
                job.file, "check", f"refers to needs.{need}, which the job does not declare{did_you_mean(need, ids)}"
            )


def _needs_named(checks: Sequence[Postcondition]) -> Iterator[str]:
    for check in checks:
        yield from re.findall(r"\{\{\s*needs\.([\w-]+)\.", json.dumps(check.arguments, ensure_ascii=False))


def is_job_file(goal: str) -> bool:
    """Whether a goal is the path of a job file; a sentence may end with the name of a file, too ("… into notes/summary.md")."""
    return goal.endswith(".md") and (len(goal.split()) == 1 or _is_there(goal))


def _is_there(file: str) -> bool:
    with suppress(OSError):  # a sentence may be longer than any path
        return Path(file).is_file()
    return False


def find(name: str, folders: Sequence[Path], *, otherwise: str = "") -> Job:
    """The job of that name, or of that file. Raises `ConfigError` naming the jobs there are, and what else could be meant."""
    if name.endswith(".md"):
        return load(Path(name), language_in(folders))
    files = {name_of(file): file for file in job_files(folders)}
    if name not in files:
        raise ConfigError(
            "jobs",
            name,
            f"there is no such job; there are {', '.join(sorted(files)) or 'none'}{did_you_mean(name, files) or otherwise}",
        )
    return load(files[name], language_in(folders))


def read_all(folders: Sequence[Path]) -> tuple[list[Job], dict[str, ConfigError]]:
    """The jobs that can be used; and, by the name of the others, what is wrong with each.

    Workers and the console ask all day: the files are read again when one of them has changed.
    """
    signs = tuple(_file_signatures(job_files(folders)))
    cached = _READ.get(tuple(folders))
    if cached is None or cached[0] != signs:
        cached = signs, _read([sign[0] for sign in signs], language_in(folders))
        while len(_READ) >= _MOST_FOLDERS:
            _READ.pop(next(iter(_READ)), None)
        _READ[tuple(folders)] = cached
    found, problems = cached[1]
    return list(found), dict(problems)


def starts_itself(job: Job, jobs: Iterable[Job]) -> bool:
    """Whether its end starts, over the ends of other jobs, the job itself."""
    by_name = {one.name: one for one in jobs}
    found = set[str]()
    awaiting: Job | None = job
    while awaiting and awaiting.after_job and awaiting.after_job.job not in found:
        found.add(awaiting.after_job.job)
        awaiting = by_name.get(awaiting.after_job.job)
    return job.name in found


def never_started(job: Job, folders: Sequence[Path]) -> str:
    """Why no other job's end starts this job; empty where one does, or need not."""
    jobs, broken = read_all(folders)
    names = [*(one.name for one in jobs), *broken]
    if job.after_job and job.after_job.job not in names:
        return f"job {job.name}: after_job: there is no job {job.after_job.job!r}{did_you_mean(job.after_job.job, names)}"
    return f"job {job.name}: after_job: {job.name} would start itself again and again" if starts_itself(job, jobs) else ""


def _file_signatures(files: Iterable[Path]) -> Iterator[tuple[Path, int, int, int]]:
    for file in files:
        try:
            stat = file.stat()
        except FileNotFoundError:
            continue
        except OSError:  # what is wrong with it is told when it is read
            yield file, 0, 0, 0
        else:
            yield file, stat.st_mtime_ns, stat.st_size, stat.st_ino


_READ: dict[tuple[Path, ...], tuple[tuple[tuple[Path, int, int, int], ...], tuple[list[Job], dict[str, ConfigError]]]] = {}
_MOST_FOLDERS = 8


def _read(files: Iterable[Path], language: str) -> tuple[list[Job], dict[str, ConfigError]]:
    found, problems = list[Job](), dict[str, ConfigError]()
    for file in files:
        try:
            found.append(load(file, language))
        except ConfigError as error:
            problems[name_of(file)] = error.with_traceback(None)  # it is kept
    return found, problems
