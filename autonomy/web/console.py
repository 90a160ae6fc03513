"""The console as an ASGI application: routes and request handling."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from urllib.parse import quote

import anyio.to_thread
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.records.transcripts import Transcript
from autonomy.errors import ConfigError, KeyMissing, RunConflict, StoreError, UnknownRun
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.web import annotations, formatting, words
from autonomy.web.access import Guard
from autonomy.web.pages import (
    inbox_page,
    job_editor,
    measure_pages,
    overview_pages,
    run_pages,
    schedule_pages,
    server_sign_in,
    tool_pages,
)
from autonomy.web.readiness import readiness_route
from autonomy.web.visit import (
    LANGUAGE_COOKIE,
    TENANT_COOKIE,
    THEME_COOKIE,
    YEAR_S,
    Console,
    Page,
    Visit,
    environment,
    language_of,
    local_path,
    own_file,
    render,
    same,
    set_cookie,
)
from discovery.discovery_errors import words_of
from metrics.events import EVENT
from metrics.written_out import AWAY

STATIC = {"console.css": "text/css", "console.js": "text/javascript", "icon.svg": "image/svg+xml"}

NOT_SERVED = {400: "unreadable_form", 404: "not_found", 405: "not_found", 413: "too_large"}
"""The words for a request that no page answers, by its status."""

COUNTED_AFTER_S = 600.0
"""What happened meanwhile is summed in a fraction of a second."""

MOST_FORM_FIELDS = 2000
"""A call may have many arguments, and each stands in the form."""


def console_app(console: Console) -> Starlette:
    """The application. It reads every template, so it blocks."""
    for name in environment().list_templates():
        environment().get_template(name)
    formatting.zone(console.services.timezone)
    files = {name: own_file(name) for name in STATIC}

    routes = [Route("/sign-in", partial(_sign_in, console), methods=["GET", "POST"])]
    rooms = (run_pages, inbox_page, overview_pages, measure_pages, job_editor, schedule_pages, server_sign_in, tool_pages)
    for path, page in [pair for room in rooms for pair in room.PAGES.items()]:
        routes.append(Route(path, partial(_serve_page, console, page), methods=["GET"]))
    for path, change in [pair for room in rooms for pair in room.CHANGES.items()]:
        done = change if path == "/audit" else partial(_carry_out_logged, change)  # to check the log changes nothing
        routes.append(Route(path, partial(_serve_change, console, done), methods=["POST"]))
    routes += [
        Route("/sign-out", partial(_serve_change, console, _sign_out, anybody=True), methods=["POST"]),
        Route("/preferences", partial(_serve_change, console, _prefer, anybody=True), methods=["POST"]),
    ]
    routes.append(Route(server_sign_in.CALLBACK, partial(server_sign_in.come_back, console), methods=["GET"]))
    routes += [
        Route("/static/{name}", partial(_static, files)),
        Route("/healthz", _health),
        readiness_route(console.services.engine),
    ]
    refused = dict.fromkeys(NOT_SERVED, partial(_not_served, console))
    guard = [Middleware(Guard, settings=console.authenticator.settings), Middleware(GZipMiddleware, minimum_size=1000)]
    return Starlette(routes=routes, middleware=guard, exception_handlers=refused)


async def get_ready(console: Console) -> None:
    """Prepare what the first readers would otherwise wait for, some tenths of a second. A page says what cannot be read."""
    await anyio.to_thread.run_sync(schedule_pages.look_ahead, console)
    await anyio.to_thread.run_sync(annotations.compile_expressions)
    await anyio.to_thread.run_sync(EVENT.rebuild)
    for shown in (RunRequest, RunResult, RunRecord, Transcript, annotations.AnnotatedText):
        await anyio.to_thread.run_sync(shown.model_rebuild)
    if console.services.tools is not None and console.services.by_hand is None:
        with suppress(ConfigError, *AWAY):
            await console.services.tools.catalog()
    with suppress(StoreError, SQLAlchemyError):
        await measure_pages.look_ahead(console)


async def keep_counted(console: Console) -> None:
    """Keep the sums of the costs page up to date, so that nobody waits for those of many runs, until cancelled."""
    while True:
        async with console.counting:
            with suppress(StoreError, ValidationError, SQLAlchemyError):  # the page says what is wrong
                await console.totals.catch_up()
        await anyio.sleep(COUNTED_AFTER_S)


async def _serve_page(console: Console, page: Page, request: Request) -> Response:
    """A page for whoever is signed in, of the tenant that the address names."""
    session = console.authenticator.session_of(request)
    if session is None:
        return _ask_to_sign_in(console, request)
    visit, tenant = Visit.of(console, request, session), request.query_params.get("tenant")
    if tenant and tenant not in console.tenants:
        return visit.page("problem.html.j2", 404, title="not_found", why=visit.t("unknown_tenant", name=tenant), reload=False)
    response = await _answer(visit, page)
    if tenant:  # the runs it leads to are of the same
        set_cookie(response, request, TENANT_COOKIE, tenant, YEAR_S)
    return response


async def _serve_change(console: Console, change: Page, request: Request, *, anybody: bool = False) -> Response:
    """A change takes a session, the role for it, and the token of this session's own pages."""
    session = console.authenticator.session_of(request)
    if session is None:
        return _ask_to_sign_in(console, request)
    form = await request.form(max_files=0, max_fields=MOST_FORM_FIELDS)
    visit = Visit.of(console, request, session, form)
    if not same(str(form.get("csrf", "")), session.csrf):
        return visit.page("problem.html.j2", 403, title="conflict", why=visit.t("stale_form"), reload=False)
    if not (visit.session.may_change or anybody):
        why = visit.t("look_only", name=visit.services.tenant) if session.may_change else visit.t("viewer_only")
        return visit.page("problem.html.j2", 403, title="unexpected", why=why, reload=False)
    return await _answer(visit, change)


async def _carry_out_logged(change: Page, visit: Visit) -> Response:
    """Carry out a change, unless the log could not record it. Raises `ConfigError` then."""
    try:
        await anyio.to_thread.run_sync(visit.services.journal.require_key)
    except StoreError as error:
        raise ConfigError("environment", "JIRITSU_KEY", str(error)) from error
    return await change(visit)


async def _answer(visit: Visit, page: Page) -> Response:
    """The page, or what stands in its way, in words."""
    try:
        with visit.console.page_priority.page():
            return await page(visit)
    except UnknownRun as error:
        return visit.page("problem.html.j2", 404, title="not_found", why=_unknown(visit, error), reload=False)
    except ConfigError as error:
        why = await anyio.to_thread.run_sync(visit.describe_problem, error)
        return visit.page("problem.html.j2", 409, title="unexpected", why=why, reload=False)
    except (RunConflict, KeyMissing) as error:
        why, title = (
            await anyio.to_thread.run_sync(visit.describe, str(error)),
            "conflict" if isinstance(error, RunConflict) else "unexpected",
        )
        return visit.page("problem.html.j2", 409, title=title, why=why, reload=False)
    except (StoreError, *AWAY) as error:
        problem = words_of(error) if isinstance(error, SQLAlchemyError) else str(error)
        why = await anyio.to_thread.run_sync(visit.describe, problem)
        return visit.page("problem.html.j2", 503, title="store_away", why=why, reload=visit.request.method == "GET")


def _unknown(visit: Visit, error: UnknownRun) -> str:
    """What is not there; a run may have been, until it was forgotten."""
    text = visit.t("there_is_no", what=visit.t(f"a_{error.what.replace(' ', '_')}"), name=error.run_id)
    return f"{text} {visit.t('maybe_forgotten')}" if error.what == "run" and error.run_id else text


async def _health(request: Request) -> Response:
    """For whoever restarts what does not answer; it tells nothing."""
    return Response("ok\n", media_type="text/plain")


async def _static(files: Mapping[str, str], request: Request) -> Response:
    """One of our own files, from memory: no path leads to the disk."""
    name = request.path_params["name"]
    if name not in files:
        raise HTTPException(404)
    return Response(files[name], media_type=STATIC[name], headers={"cache-control": "no-cache"})


async def _not_served(console: Console, request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    session = console.authenticator.session_of(request)
    if session is None and NOT_SERVED[status] == "not_found":
        return _ask_to_sign_in(console, request)
    why = words.word(NOT_SERVED[status], language_of(request, console.services.defaults.language))
    if session is None:
        return PlainTextResponse(f"{why}\n", status)
    title = "not_found" if NOT_SERVED[status] == "not_found" else "unexpected"
    return Visit(console, request, session).page("problem.html.j2", status, title=title, why=why, reload=False)


def _ask_to_sign_in(console: Console, request: Request) -> Response:
    """A strict cookie does not come along from another site's link (Slack's): the page then opens itself once more."""
    again = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if request.method == "GET" and request.headers.get("sec-fetch-site") == "cross-site":
        return HTMLResponse(render(console, request, "again.html.j2", again=local_path(again)), 200)
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(f"/sign-in?next={quote(again)}", 303)
    return HTMLResponse(render(console, request, "sign_in.html.j2", next="/", problem=""), 401)


async def _sign_in(console: Console, request: Request) -> Response:
    """By the printed link, or by a password."""
    authenticator = console.authenticator
    t = partial(words.word, language=language_of(request, console.services.defaults.language))
    form = await request.form(max_files=0, max_fields=10) if request.method == "POST" else FormData()
    where = local_path(str(form.get("next") or request.query_params.get("next") or "/"))
    token, password = request.query_params.get("token"), str(form.get("password", ""))
    if request.method == "HEAD" or (request.method == "GET" and not token):  # to ask for the headers tries no password
        return HTMLResponse(render(console, request, "sign_in.html.j2", next=where, problem=""))
    client = authenticator.client_of(request)
    if authenticator.must_wait(client):
        return HTMLResponse(render(console, request, "sign_in.html.j2", next=where, problem=t("too_often")), 429)
    entered = authenticator.enter_by_link(token) if token else authenticator.enter_by_password(password)
    if entered is None:
        authenticator.failed(client)
        problem = t("used_link") if token else t("wrong_password")
        return HTMLResponse(render(console, request, "sign_in.html.j2", next=where, problem=problem), 403)
    response = HTMLResponse(render(console, request, "again.html.j2", again=where))
    set_cookie(response, request, authenticator.cookie, entered, int(authenticator.settings.session_hours * 3600))
    return response


async def _sign_out(visit: Visit) -> Response:
    visit.console.authenticator.leave(visit.request)
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(visit.console.authenticator.cookie)
    return response


async def _prefer(visit: Visit) -> Response:
    """The reader's language and theme."""
    response = RedirectResponse(local_path(str(visit.form.get("back", "/"))), 303)
    if (language := visit.form.get("language")) in ("ja", "en"):
        set_cookie(response, visit.request, LANGUAGE_COOKIE, str(language), YEAR_S)
    if (theme := visit.form.get("theme")) in ("auto", "light", "dark"):
        set_cookie(response, visit.request, THEME_COOKIE, str(theme), YEAR_S)
    if (tenant := visit.form.get("tenant")) in visit.console.tenants:
        set_cookie(response, visit.request, TENANT_COOKIE, str(tenant), YEAR_S)
    return response
