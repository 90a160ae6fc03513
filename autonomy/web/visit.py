"""One authenticated request to the console, with its language and rendering."""

import hmac
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib import resources
from typing import Any, Literal

import anyio
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.background import BackgroundTask
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from autonomy.durable.records.live_text import LiveText
from autonomy.durable.store import Store
from autonomy.errors import ConfigError
from autonomy.web import formatting, markup, words
from autonomy.web.access import Authenticator, Session
from autonomy.web.console_services import ConsoleServices
from autonomy.web.live import Changes
from autonomy.web.page_priority import PagePriority
from autonomy.web.words import Language
from metrics.events import Intervention
from metrics.reporting.reason_words import reason_in
from metrics.running_totals import RunningTotals

LANGUAGE_COOKIE, THEME_COOKIE, TENANT_COOKIE = "jiritsu-language", "jiritsu-theme", "jiritsu-tenant"
BY_HAND = "by-hand"
"""In place of a run, in the journal, for what a person did outside of any."""

YEAR_S = 365 * 86_400
NAVIGATION = ("now", "inbox", "runs", "measures", "schedules", "tools", "costs", "audit", "conversations")


@dataclass
class Console:
    """The console's parts, and what its pages share."""

    services: ConsoleServices
    authenticator: Authenticator
    clock: Callable[[], float] = time.time
    changes: Changes = field(init=False)
    totals: RunningTotals = field(init=False)
    counting: anyio.Lock = field(default_factory=anyio.Lock)
    """Held by whoever makes a report."""
    page_priority: PagePriority = field(default_factory=PagePriority)
    memory: dict[Any, Any] = field(default_factory=dict)
    """Reports, which are dear to make, by what they are of."""

    def __post_init__(self) -> None:
        words = LiveText(self.services.store, self.clock)
        self.changes = Changes(self.services.transcripts.version, words)
        self.totals = RunningTotals(self.services.engine)

    @property
    def tenants(self) -> Sequence[str]:
        """The tenants that can be looked at, its own first."""
        return tuple(dict.fromkeys((self.services.tenant, *self.authenticator.settings.tenants)))


@dataclass(frozen=True)
class Visit:
    """One request of somebody who is signed in."""

    console: Console
    request: Request
    session: Session
    form: FormData = field(default_factory=FormData)

    @classmethod
    def of(cls, console: Console, request: Request, session: Session, form: FormData | None = None) -> "Visit":
        """The visit of somebody who is signed in; another tenant than the console's own can only be looked at."""
        if tenant_of(request, console) != console.services.tenant:
            session = replace(session, role="viewer")
        return cls(console, request, session, FormData() if form is None else form)

    @cached_property
    def services(self) -> ConsoleServices:
        """The services for the tenant of this page."""
        services, tenant = self.console.services, tenant_of(self.request, self.console)
        return replace(services, defaults=services.defaults.model_copy(update={"tenant": tenant}))

    @property
    def store(self) -> Store:
        """The database that the services give a page."""
        return self.services.store

    @property
    def language(self) -> Language:
        """The reader's choice."""
        return language_of(self.request, self.services.defaults.language)

    def t(self, key: str, **filled: object) -> str:
        """The words for a key."""
        return words.word(key, self.language, **filled)

    def describe(self, problem: str) -> str:
        """A sentence of ours about what went wrong, in the reader's language; any other text as it is. Blocks."""
        return self.services.in_japanese(problem) if self.language == "ja" else reason_in("en", problem)

    def describe_problem(self, error: ConfigError) -> str:
        """What is wrong with a file, in the reader's language, a line for each fault. Blocks."""
        return "\n".join(str(ConfigError(one.where, one.key, self.describe(one.problem))) for one in (error, *error.others))

    def page(self, template: str, status: int = 200, *, background: BackgroundTask | None = None, **context: Any) -> Response:
        """Render a page; `background` is done after it was sent."""
        html = render(self.console, self.request, template, session=self.session, **context)
        return HTMLResponse(html, status, background=background)

    def back(self, path: str, notice: str = "") -> Response:
        """Go to a page of ours after a change, or to a part of it (`/tools#mail`)."""
        page, mark, part = path.partition("#")
        joint = "&" if "?" in page else "?"
        return RedirectResponse(f"{page}{joint}said={notice}{mark}{part}" if notice else path, 303)


Page = Callable[[Visit], Awaitable[Response]]


async def record_by_hand(visit: Visit, what: str, kind: Literal["edit", "call_by_hand"] = "edit") -> None:
    """Write into the journal who did something outside of any run, before it is done."""
    now = visit.console.clock()
    event = Intervention(
        run_id=BY_HAND, key=f"{what}-{now:.3f}", at=now, tenant=visit.services.tenant, kind=kind, by=visit.session.name
    )
    await visit.services.journal.write([event])


def set_cookie(response: Response, request: Request, name: str, value: str, max_age: int) -> None:
    """A cookie that no script reads and no other site's request carries."""
    secure = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
    response.set_cookie(name, value, max_age=max_age, path="/", httponly=True, samesite="strict", secure=secure)


def local_path(path: str) -> str:
    """A path of ours; anything that could lead to another site becomes the first page."""
    safe = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if safe else "/"


def same(token: str, expected: str) -> bool:
    """Whether two secrets are the same, in constant time."""
    return hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode())


def language_of(request: Request, otherwise: Language) -> Language:
    """The reader's language, by cookie, else the operator's."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    return "ja" if chosen == "ja" else "en" if chosen == "en" else otherwise


def tenant_of(request: Request, console: Console) -> str:
    """The tenant that is looked at: by the address, else by the cookie, and never one that this console must not show."""
    named_tenants = (request.query_params.get("tenant"), request.cookies.get(TENANT_COOKIE))
    return next((one for one in named_tenants if one is not None and one in console.tenants), console.services.tenant)


def render(console: Console, request: Request, template: str, session: Session | None = None, **context: Any) -> str:
    """A page as HTML. Everything is escaped but what `markup` made."""
    language = language_of(request, console.services.defaults.language)
    theme = request.cookies.get(THEME_COOKIE, "auto")
    shared: Mapping[str, Any] = {
        "t": partial(words.word, language=language),
        "language": language,
        "theme": theme if theme in ("light", "dark") else "auto",
        "session": session,
        "csrf": session.csrf if session else "",
        "here": request.url.path,
        "tenant": tenant_of(request, console),
        "tenants": console.tenants,
        "navigation": NAVIGATION,
        "said": words.word(request.query_params["said"], language) if request.query_params.get("said") in words.SAID else "",
        "has_password": bool(console.authenticator.settings.password.get_secret_value()),
        "now": console.clock(),
        "show": formatting.Formatter(language, console.services.timezone),
        "markdown": markup.markdown,
        "link": markup.link,
        "coded": markup.coded,
    }
    return environment().get_template(template).render({**shared, **context})


@cache
def own_file(name: str) -> str:
    """One of our static files as text."""
    return resources.files("autonomy.web").joinpath("static", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Templates of this room; autoescape is never off."""
    loader = PackageLoader("autonomy.web")
    return Environment(
        loader=loader, autoescape=True, auto_reload=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
