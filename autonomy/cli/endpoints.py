"""The HTTP endpoints of a worker: liveness, readiness, Prometheus measures, and webhooks that start jobs."""

import logging
import os
import re
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from autonomy.errors import ConfigError, InputsMissing, StoreError
from autonomy.jobs.job import Job
from autonomy.jobs.job_loading import find, read_all
from autonomy.jobs.webhook import MOST_BYTES, HookRefused, has_signature, hook_run_id, inputs_of, names_job
from autonomy.web.readiness import readiness_route
from autonomy.web.web_settings import LOOPBACK
from discovery.discovery_errors import DiscoveryError
from metrics.journal import Journal
from metrics.running_totals import RunningTotals
from metrics.telemetry.prometheus import CONTENT_TYPE, READ, render_prometheus
from metrics.written_out import AWAY

if TYPE_CHECKING:
    from autonomy.app import App

log = logging.getLogger(__name__)


def worker_endpoints(app: "App") -> Starlette:
    """`/healthz`, `/readyz`, `/metrics` and `/hooks/JOB`."""
    return Starlette(
        routes=[
            Route("/healthz", alive),
            readiness_route(app.engine),
            _scrape_route(app.journal),
            Route("/hooks/{job}", partial(_hook, app), methods=["POST"]),
        ]
    )


def scrape_page(journal: Journal) -> Starlette:
    """`/metrics` for Prometheus: sums over all runs, brought up to date with what came since the last scrape."""
    return Starlette(routes=[_scrape_route(journal)])


def _scrape_route(journal: Journal) -> Route:
    return Route("/metrics", partial(_metrics_page, RunningTotals(journal.engine)))


async def alive(request: Request) -> Response:
    """The process answers; no more is said, since whoever asks restarts it otherwise."""
    return PlainTextResponse("ok\n")


async def _metrics_page(totals: RunningTotals, request: Request) -> Response:
    """The page that Prometheus scrapes. A journal that nobody summed yet takes longer than a scraper waits: it is summed behind
    the page, which says how much there is."""
    if _was_rebound(request):
        return Response("unknown host\n", 403)
    try:
        uncounted = await totals.backlog()
        text = render_prometheus(None if uncounted else await totals.read(READ), uncounted)
    except ValidationError:  # summed wrongly now, they would stay so
        return Response("the journal holds events of a newer Jiritsu: ask that one\n", 503)
    except AWAY as error:
        log.warning("no measures: %s", type(error).__name__)
        return Response("the database does not answer\n", 503)
    background = BackgroundTask(totals.catch_up) if uncounted else None
    return Response(text, headers={"content-type": CONTENT_TYPE}, background=background)


def _was_rebound(request: Request) -> bool:
    """Whether a page in a browser of this machine asks under a name of its own, which it had lead to loopback (DNS rebinding)."""
    reached, _ = request.scope.get("server") or ("", None)
    name = re.sub(r":\d{1,5}\Z", "", request.headers.get("host", "").lower())
    return reached in ("127.0.0.1", "::1") and name not in LOOPBACK


async def _hook(app: "App", request: Request) -> Response:
    """Start the job's run; the same request sent again is the same run."""
    name = request.path_params["job"]
    try:
        body = await _body(request)
        has_signature(request.headers)
        job = await anyio.to_thread.run_sync(_job_with_hook, app, name)
        secret = os.environ.get(job.webhook.secret_env, "") if job.webhook else ""
        inputs = inputs_of(name, secret, request.headers, body, now=time.time())
        if not names_job(request.headers):
            await anyio.to_thread.run_sync(_only_job_with, app, name, secret)
        return await _start(app, job, hook_run_id(name, request.headers["x-jiritsu-signature"]), inputs)
    except HookRefused as error:
        log.warning("webhook %s: %s", name, error.problem)
        return JSONResponse({"problem": error.problem}, error.status)
    except InputsMissing as error:
        log.warning("webhook %s: %s", name, error)
        return JSONResponse({"problem": f"{error.where}: these keys of the body must be given: {error.listed}"}, 422)
    except StoreError as error:  # whoever sent it sends it again, which is the same run
        log.warning("webhook %s: %s", name, error)
        return JSONResponse({"problem": "the database cannot be used"}, 503)
    except ClientDisconnect:
        log.warning("webhook %s: the sender went away before the end of its body", name)
        return Response(status_code=400)
    except (ConfigError, DiscoveryError) as error:
        log.warning("webhook %s: %s", name, error)
        return JSONResponse({"problem": _without_folders(str(error), app.job_folders)}, 422)


def _without_folders(problem: str, folders: Sequence[Path]) -> str:
    """A problem without where on this machine the job files are: the sender knows jobs by their names."""
    for folder in sorted(map(str, folders), key=len, reverse=True):
        problem = problem.replace(f"{folder}{os.sep}", "")
    return problem


async def _start(app: "App", job: Job, run_id: str, inputs: dict[str, str]) -> Response:
    from autonomy.app_services import triggered_start

    outcome = await triggered_start(app).start(job, run_id, inputs, actor="webhook")
    if outcome.why_not:
        return JSONResponse({"started": [], "reason": outcome.why_not})
    return JSONResponse({"started": outcome.run_ids}, 202)


def _job_with_hook(app: "App", name: str) -> Job:
    """The job. Raises `HookRefused`: who has no secret learns of no job by its name."""
    try:
        job = find(name, app.job_folders) if not name.endswith(".md") else None
    except ConfigError:
        job = None
    if job is None or job.webhook is None:
        raise HookRefused(401, "the signature does not fit")
    return job


def _only_job_with(app: "App", name: str, secret: str) -> None:
    """Raises `HookRefused` where a request signed with this secret could be meant for another job."""
    hooked = [job for job in read_all(app.job_folders)[0] if job.webhook is not None and job.name != name]
    if any(os.environ.get(job.webhook.secret_env) == secret for job in hooked if job.webhook):
        raise HookRefused(401, "another job has the same secret: sign the job's name, too (v2=…, docs/recipes.md)")


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HookRefused(413, f"the body is longer than {MOST_BYTES:,} bytes")
    return body
