"""Edits a job's file in a form: a new one from a template, or an existing one."""

import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread
from starlette.responses import JSONResponse, Response

from autonomy.errors import ConfigError, RunConflict
from autonomy.jobs.job_folders import BUILT_IN, language_in
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_templates import NAME, templates, write_new
from autonomy.web.visit import Page, Visit, record_by_hand
from discovery.durable_files import replace_file


async def new_job_page(visit: Visit) -> Response:
    """A new job: the templates, and the chosen one in a form."""
    chosen = visit.request.query_params.get("template", "")
    file = (await anyio.to_thread.run_sync(templates, visit.language)).get(chosen)
    text = await anyio.to_thread.run_sync(file.read_text, "utf-8") if file else ""
    return await _new(visit, chosen if file else "", text)


async def new_job(visit: Visit) -> Response:
    """Check the text of a new job, and save it where `jiritsu jobs new` does; what cannot be saved is shown again as it was
    filled in."""
    name, text = str(visit.form.get("name", "")).strip(), text_of(visit)
    problem = await anyio.to_thread.run_sync(problem_of, visit, name if NAME.fullmatch(name) else "job", text)
    if wants_json(visit):
        return verdict(visit, problem)
    if problem or visit.form.get("turn") != "save":
        return await _new(visit, name, text, problem, checked=True)
    folder = own_folder(visit)
    if folder is None:
        raise RunConflict("there is no folder for jobs of one's own here")
    await record_by_hand(visit, f"job-{name}")
    try:
        await anyio.to_thread.run_sync(write_new, folder, name, text)
    except ConfigError as error:
        return await _new(visit, name, text, await anyio.to_thread.run_sync(visit.describe_problem, error), checked=True)
    return visit.back(f"/schedules/{quote(name)}", "job_saved")


PAGES: Mapping[str, Page] = {"/schedules/new/job": new_job_page}
CHANGES: Mapping[str, Page] = {"/schedules/new/job": new_job}


async def broken_page(visit: Visit, name: str, file: Path, *, problem: str, draft: str | None = None) -> Response:
    """A job whose file cannot be read: what is wrong with it, and the file, to be mended."""
    text = await anyio.to_thread.run_sync(lambda: file.read_text(encoding="utf-8", errors="replace"))
    shown = text if draft is None else draft
    return visit.page(
        "job_file.html.j2",
        200 if draft is None else 422,
        name=name,
        text=shown,
        sha256=digest(text),
        templates=None,
        checked=True,
        problem=problem,
        action=f"/schedules/{quote(name)}/file",
        may_save=may_save(visit, file),
        folder=None,
    )


def may_save(visit: Visit, file: Path) -> bool:
    """Whether this reader may change this file: an operator, and none that ships."""
    return visit.session.may_change and not file.is_relative_to(BUILT_IN)


def text_of(visit: Visit) -> str:
    """The file as the form has it; a browser changes line ends."""
    return str(visit.form.get("text", "")).replace("\r\n", "\n")


def wants_json(visit: Visit) -> bool:
    """Whether a script asks, which checks while one types."""
    return "application/json" in visit.request.headers.get("accept", "")


def verdict(visit: Visit, problem: str) -> Response:
    """The verdict for the page's script."""
    return JSONResponse({"problem": problem, "fits": "" if problem else visit.t("job_fits")})


def problem_of(visit: Visit, name: str, text: str, file_name: str = "") -> str:
    """The reason why a text cannot be the file of the job of that name; nothing if it can. Blocks.

    `file_name`: how the file is called where it is told of; by default after the job.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name / "job.md"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8", errors="replace")
        try:
            load(file, language_in(visit.services.job_folders), beside=own_folder(visit))
        except ConfigError as error:
            return visit.describe_problem(error).replace(str(file), file_name or f"{name}.md")
    return ""


def own_folder(visit: Visit) -> Path | None:
    """The operator's folder of jobs; None where there is none."""
    return next((folder for folder in visit.services.job_folders[:1] if not folder.is_relative_to(BUILT_IN)), None)


def save(place: Path, text: str, shown_digest: str) -> None:
    """Write a job file. `shown_digest`: of the text that the page showed.

    Raises `RunConflict` when somebody else has changed the file since then, `ConfigError` when it cannot be written.
    """
    if place.exists() and digest(place.read_text(encoding="utf-8", errors="replace")) != shown_digest:
        raise RunConflict(f"{place.name} has changed since the page was made: look again")
    try:
        replace_file(place, text)
    except OSError as error:
        raise ConfigError(place, "", f"cannot be written: {error.strerror}") from error


def digest(text: str) -> str:
    """The digest by which a page says which state of a file it showed."""
    return hashlib.sha256(text.encode()).hexdigest()


async def _new(visit: Visit, name: str, text: str, problem: str = "", *, checked: bool = False) -> Response:
    titles = await anyio.to_thread.run_sync(
        lambda: {known: load(file).title for known, file in templates(visit.language).items()}
    )
    folder = own_folder(visit)
    return visit.page(
        "job_file.html.j2", 422 if problem else 200, name=name, text=text, sha256="", templates=titles, checked=checked,
        problem=problem, action="/schedules/new/job", may_save=visit.session.may_change and folder is not None, folder=folder,
    )  # fmt: skip
