"""What strangers may try at the console: other sites' pages, rebinding, guessing, markup in every field, paths that lead elsewhere."""

import json
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import anyio
import anyio.lowlevel
import anyio.to_thread
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.cli.listen import serve_asgi
from autonomy.errors import ConfigError
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Task
from autonomy.run_state.run_values import AttemptFailure, CallRecord, Receipt, RunRequest, RunResult
from autonomy.web.annotations import AnnotatedText, Note, SentenceSource
from autonomy.web.console import console_app
from autonomy.web.markup import annotated, link, markdown
from autonomy.web.pages.server_sign_in import PendingSignIn
from autonomy.web.visit import local_path
from autonomy.web.web_settings import web_settings
from metrics import events
from tests.requirements import requirement
from tests.support.always import always
from tests.support.console import HOST, PASSWORD, VIEWER, browsing, console_over
from tests.support.durable import asked
from tests.support.ports import free_port

EVIL = """"><script>alert(1)</script><img src=x onerror=alert(2)>'`</pre></textarea><svg/onload=alert(3)>[x](javascript:alert(4))![y](https://evil.example/z)"""


class Tags(HTMLParser):
    """The elements and attributes of a page as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def dangers(self) -> list[object]:
        """Scripts but our own file, handlers, images, frames, styles and foreign schemes."""
        bad: list[object] = [
            (tag, attrs)
            for tag, attrs in self.found
            if (tag == "script" and attrs.get("src") != "/static/console.js")
            or tag in ("img", "iframe", "object", "embed", "base")
        ]
        bad += [(tag, name) for tag, attrs in self.found for name in attrs if name.startswith("on") or name == "style"]
        bad += [
            (tag, attrs)
            for tag, attrs in self.found
            if str(attrs.get("href", "")).lower().strip().startswith(("javascript", "data:", "vbscript"))
        ]
        return bad


@requirement("U6")
def test_an_arguments_name_leads_to_its_notes_and_adds_nothing_to_the_page() -> None:
    name = 'body"><a href="https://evil.example/">here</a> 本文'
    sentence = SentenceSource(start=0, end=10, notes=(1,))
    page = annotated(AnnotatedText(text="It rained.", sentences=(sentence,), notes=(Note(number=1, origin="field"),)), name, "–")
    (link,) = [attrs for tag, attrs in Tags(page).found if tag == "a"]
    assert unquote(str(link["href"])) == f"#{name}-1"


@requirement("U6")
async def test_markup_in_any_field_a_server_a_model_a_person_or_a_job_can_fill_stays_text(engine: Any) -> None:
    console = console_over(engine)
    services, run_id = console.services, "run-1"
    request = RunRequest(
        run_id=run_id,
        task=Task(goal=EVIL, inputs={EVIL: EVIL}),
        job=EVIL[:128],
        actor=EVIL[:128],
        instructions=EVIL,
        trigger="slack",
    )
    result = ToolResult(call_id="c", name=EVIL, text=EVIL, kind="suspicious", handle="1.1")
    receipt = Receipt(call_id="c", tool=EVIL, state="done", target="javascript:alert(5)")
    call = CallRecord(
        call_id="c", turn=1, tool=EVIL, asked=EVIL, provider=EVIL, effect="outward", arguments={EVIL: EVIL, "n": {EVIL: [EVIL]}},
        result=result, reason=EVIL, receipt=receipt, whole=EVIL * 400, troubles=(AttemptFailure(attempt=1, tool=EVIL, error=EVIL),),
    )  # fmt: skip
    await services.runs.begin(request, 1000.0)
    facts = {"run_id": run_id, "tenant": "default", "job": EVIL, "at": 1000.0}
    of_call = {**facts, "turn": 1, "call_id": "c", "tool": EVIL}
    await services.journal.write(
        [
            events.RunStarted(key="started", model=EVIL, actor=EVIL, **facts),
            events.CatalogTaken(
                key="catalog", snapshot_id=EVIL, tools=1, offered=1, freshness="fresh", unavailable_providers=(EVIL,), **facts
            ),
            events.TurnStarted(key="turn-1/turn", turn=1, **facts),
            events.ModelFailed(key="turn-1/model-failed-1", turn=1, model=EVIL, error=EVIL, then="retry", **facts),
            events.CallDecided(key="turn-1/call-1/decided", decision="allow", rule=EVIL, reason=EVIL, **of_call),
            events.CallStarted(key="turn-1/call-1/started", **of_call),
            events.ApprovalAnswered(key="turn-1/call-1/answered", answer="granted", by=EVIL, reason=EVIL, **of_call),
            events.Judged(key="turn-1/judged", turn=1, verdict="continue", missing=(EVIL,), remarks=(EVIL,), **facts),
            events.LimitReached(key="turn-1/limit", limit=EVIL, **facts),
            events.Intervention(key="pause-1", kind="pause", by=EVIL, **facts),
        ]
    )
    ended = RunResult(
        run_id=run_id, ending="blocked", text=EVIL, reason=EVIL, remarks=(EVIL,), calls=(call,), receipts=(receipt,), turns=1,
        started_at=1000.0,
    )  # fmt: skip
    await services.runs.end(ended)
    await services.schedules.pause("diary", EVIL)
    async with browsing(console) as reader:
        pages = [
            await reader.get(path)
            for path in ("/runs", "/runs/run-1", "/runs/run-1/call?key=turn-1/call-1", "/now", "/conversations")
        ]
        pages += [
            await reader.get(path)
            for path in (
                "/audit",
                "/inbox",
                "/measures?days=90",
                "/audit?before=%C2%B2",
                "/measures?days=%C2%B2",
                f"/runs?q={EVIL}",
                "/measures?job=%3Cscript%3E",
            )
        ]
        pages.append(await reader.get("/runs/run-1/run.html"))
    assert [page.status_code for page in pages] == [200] * len(pages)
    assert "onerror=alert(2)" in pages[1].text, "the text itself is shown"
    for page in pages:
        assert Tags(page.text).dangers() == [], page.url


@requirement("U6")
@always(["<b onclick=x>", "[a](JaVaScRiPt:x)", "<a href='data:x'>", "![i](http://x/y)", "<style>*{}</style>"])
@given(st.text(max_size=300))
def test_no_markdown_brings_a_handler_an_image_or_a_foreign_scheme(text: str) -> None:
    assert Tags(str(markdown(text))).dangers() == []
    assert Tags(str(link(text))).dangers() == []


@requirement("U6")
async def test_nothing_is_shown_to_somebody_who_is_not_signed_in(engine: Any) -> None:
    console = console_over(engine)
    await console.services.runs.begin(asked("run-secret"), 1000.0)
    async with browsing(console, password="") as stranger:
        for path in (
            "/now",
            "/runs",
            "/runs/run-secret",
            "/runs/run-secret/live",
            "/runs/run-secret/run.json",
            "/nothing",
            "/inbox",
        ):
            page = await stranger.get(path)
            assert "run-secret" not in page.text.replace('value="/runs/run-secret', ""), path
            assert "sign-in" in str(page.url) or page.status_code == 401
        assert (await stranger.client.post("/runs/run-secret/cancel", data={})).status_code == 401


@requirement("U6")
async def test_a_page_of_another_site_changes_nothing(engine: Any) -> None:
    console = console_over(engine)
    async with browsing(console) as reader:
        token = await reader.csrf()
        for headers in (
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": "http://["},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ):
            answer = await reader.client.post("/preferences", data={"csrf": token, "theme": "dark"}, headers=headers)
            assert (answer.status_code, answer.text) == (403, "foreign origin\n")
        for csrf in ("", "guessed", token[:-1], f"{token}x"):
            assert (await reader.client.post("/preferences", data={"csrf": csrf})).status_code == 403
        assert (await reader.client.post("/preferences", data={"csrf": token, "back": "/now"})).status_code == 303
    async with browsing(console) as other:
        assert (await other.client.post("/preferences", data={"csrf": token})).status_code == 403, "another session's token"


@requirement("U6")
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8484", "127.0.0.1.evil.example", "localhost.evil.example:8484", "", "10.0.0.1"]
)
async def test_a_name_that_was_rebound_to_this_machine_is_refused(engine: Any, host: str) -> None:
    async with browsing(console_over(engine), password="") as reader:
        answer = await reader.client.get("/sign-in", headers={"host": host})
        assert (answer.status_code, answer.text) == (403, "unknown host\n")
        for known in ("localhost:8484", HOST, "[::1]:8484"):
            assert (await reader.client.get("/sign-in", headers={"host": known})).status_code == 200


@requirement("U6")
async def test_the_printed_link_signs_in_once_by_a_cookie_no_script_reads(engine: Any) -> None:
    console = console_over(engine, password="")
    link_to = console.authenticator.new_link("")
    async with browsing(console, password="") as first, browsing(console, password="") as second:
        answer = await first.client.get(link_to)
        cookie = answer.headers["set-cookie"].lower()
        assert answer.status_code == 200
        assert all(part in cookie for part in ("jiritsu-8484=", "httponly", "samesite=strict"))
        assert (await first.get("/now")).status_code == 200
        assert (await second.client.get(link_to)).status_code == 403
        assert "sign-in" in str((await second.get("/now")).url)


@requirement("U6")
@pytest.mark.parametrize(("minutes", "status"), [(29, 200), (30, 403)])
async def test_the_printed_link_is_good_for_half_an_hour(engine: Any, minutes: int, status: int) -> None:
    now = 1000.0
    console = console_over(engine, password="", clock=lambda: now)
    link_to = console.authenticator.new_link("")
    now += minutes * 60
    async with browsing(console, password="") as reader:
        assert (await reader.client.get(link_to)).status_code == status


@requirement("U6")
async def test_passwords_are_guessed_slowly_and_a_session_ends(engine: Any) -> None:
    now = 1000.0
    console = console_over(engine, clock=lambda: now)
    async with browsing(console, password="") as guesser:
        told = [(await guesser.sign_in(f"guess {number}")).status_code for number in range(5)]
        assert told == [403, 403, 403, 429, 429]
        assert (await guesser.sign_in(PASSWORD)).status_code == 429, "the right one has to wait as well"
        now -= 3600
        assert (await guesser.sign_in(PASSWORD)).status_code == 200, "a clock that is set back by an hour locks nobody out for it"
        now += 3661
        assert (await guesser.sign_in(PASSWORD)).status_code == 200
        assert (await guesser.get("/now")).status_code == 200
        now += 13 * 3600
        assert "sign-in" in str((await guesser.get("/now")).url)


@requirement("U6")
@pytest.mark.parametrize(("set_to", "viewers"), [("", ""), ("", VIEWER), (PASSWORD, "")])
async def test_a_password_that_is_not_set_signs_nobody_in(engine: Any, set_to: str, viewers: str) -> None:
    console = console_over(engine, password=set_to, viewer_password=viewers, attempts_per_minute=9)
    async with browsing(console, password="") as stranger:
        assert [(await stranger.sign_in(tried)).status_code for tried in ("", " ", "operator", "viewer")] == [403] * 4
        assert "sign-in" in str((await stranger.get("/now")).url)


@requirement("U6")
async def test_behind_a_named_proxy_only_who_guesses_has_to_wait(engine: Any) -> None:
    console = console_over(engine, proxy_from=("127.0.0.1", "10.0.0.2"))

    async def sign_in(seen: str, password: str = "guess") -> int:
        async with browsing(console, password="") as reader:
            headers = {"x-forwarded-for": seen}
            return (await reader.client.post("/sign-in", data={"password": password}, headers=headers)).status_code

    told = [await sign_in(f"192.0.2.{number}, 198.51.100.7, 10.0.0.2") for number in range(4)]
    assert told == [403, 403, 403, 429], "what the guesser himself puts in front counts for nothing"
    assert await sign_in("198.51.100.8", PASSWORD) == 200
    told = [await sign_in(f"2001:db8:0:1::{number}") for number in range(4)]
    assert told == [403, 403, 403, 429], "one machine has a whole network of IPv6"
    assert await sign_in("2001:db8:0:2::1", PASSWORD) == 200
    assert [await sign_in("not an address:") for _ in range(4)] == [403, 403, 403, 429]
    told = [await sign_in(f"203.0.113.7:{port}") for port in range(50_000, 50_004)]
    assert told == [403, 403, 403, 429], "some proxies add the port, and each try has another"
    assert await sign_in("[2001:db8:0:3::1]:443, ::ffff:127.0.0.1", PASSWORD) == 200
    assert [await sign_in("::ffff:203.0.113.8") for _ in range(4)] == [403, 403, 403, 429]
    assert await sign_in("::ffff:203.0.113.9", PASSWORD) == 200, "IPv4 within IPv6 is no network of one machine"


@requirement("U6")
async def test_a_proxy_names_the_person_only_from_where_it_is(engine: Any) -> None:
    console = console_over(engine, password="", viewer_password="", proxy_header="X-Forwarded-User", operators=("haruka",))
    async with browsing(console, password="") as reader:
        assert "operator" in (await reader.get("/now", **{"x-forwarded-user": "haruka"})).text
        assert "viewer" in (await reader.get("/now", **{"x-forwarded-user": "kenta"})).text
        both = [("x-forwarded-user", "haruka"), ("x-forwarded-user", "kenta"), ("accept", "text/html")]
        assert (await reader.client.get("/now", headers=both)).status_code == 303, "which of them is the proxy's nobody knows"
    away = console_over(engine, password="", proxy_header="X-Forwarded-User", proxy_from=("10.1.2.3",), operators=("haruka",))
    async with browsing(away, password="") as reader:
        assert "sign-in" in str((await reader.get("/now", **{"x-forwarded-user": "haruka"})).url)


@requirement("U6")
async def test_no_header_says_from_where_a_request_comes(engine: Any) -> None:
    """Over real HTTP: uvicorn takes the caller's address from `X-Forwarded-For` where somebody on loopback sends it."""
    console = console_over(engine, proxy_header="X-Forwarded-User", proxy_from=("10.0.0.5",), operators=("haruka",))
    app, port = await anyio.to_thread.run_sync(console_app, console), free_port()
    forged = {"x-forwarded-for": "10.0.0.5", "x-forwarded-user": "haruka", "accept": "text/html"}
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group, httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            group.start_soon(serve_asgi, app, "127.0.0.1", port, "--listen")
            while True:
                try:
                    page = await client.get("/runs", headers=forged)
                    break
                except httpx2.ConnectError:
                    await anyio.lowlevel.checkpoint()
            assert "sign-in" in page.headers["location"]
            guesses = [{"x-forwarded-for": f"192.0.2.{number}"} for number in range(5)]
            told = [await client.post("/sign-in", data={"password": "guess"}, headers=guess) for guess in guesses]
            assert [answer.status_code for answer in told] == [403, 403, 403, 429, 429]
            group.cancel_scope.cancel()


@requirement("U6")
@pytest.mark.parametrize("proxied", [{}, {"x-forwarded-proto": "https"}])
async def test_behind_a_proxy_that_ends_tls_the_cookie_goes_over_tls_alone(engine: Any, proxied: dict[str, str]) -> None:
    async with browsing(console_over(engine), password="") as reader:
        answer = await reader.client.post("/sign-in", data={"password": PASSWORD}, headers=proxied)
        assert ("secure" in answer.headers["set-cookie"].lower()) is bool(proxied)


@requirement("U6")
async def test_every_answer_carries_a_policy_without_inline_script(engine: Any) -> None:
    async with browsing(console_over(engine)) as reader:
        for path in ("/now", "/nothing", "/static/console.js", "/static/../console.py", "/sign-in"):
            headers = (await reader.get(path)).headers
            assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"


@requirement("U6")
@pytest.mark.parametrize(
    "path",
    [
        "/static/../access.py",
        "/static/%2e%2e/access.py",
        "/static/..%2faccess.py",
        "/static//etc/passwd",
        "/runs/%00",
        "/runs/../../etc/passwd",
        "/runs/run%2F..%2F..",
        "/runs/%ff",
    ],
)
async def test_no_path_leads_out_of_the_console(engine: Any, path: str) -> None:
    async with browsing(console_over(engine)) as reader:
        page = await reader.get(path)
        assert page.status_code in (404, 405), page.text[:200]
        assert "import" not in page.text


@requirement("U6", "S7")
async def test_a_person_is_led_to_no_script_and_nobody_ends_a_sign_in_that_has_no_address_yet(engine: Any) -> None:
    console, pending = console_over(engine), PendingSignIn("remote", "http://127.0.0.1/callback")
    console.memory["sign_ins"] = {"remote": pending}
    async with browsing(console, password="") as stranger:
        for address in ("javascript:alert(1)", "file:///etc/passwd", "//login.example/?state=s"):
            await pending.browser.open(address)
            assert pending.address == ""
            assert [(await stranger.get(f"/callback?code=x{state}")).status_code for state in ("", "&state=")] == [404, 404]
        await pending.browser.open("https://login.example/?state=s")
        assert (await stranger.get("/callback?code=x&state=t")).status_code == 404
        assert (await stranger.get("/callback?code=theirs&state=s")).status_code == 200
    assert (await pending.browser.answer()).code == "theirs"
    pending.end("")


@requirement("U6")
async def test_another_tenants_runs_are_not_there(engine: Any) -> None:
    console = console_over(engine)
    await console.services.runs.begin(asked("run-theirs", tenant="other"), 1000.0)
    async with browsing(console) as reader:
        for path in ("/runs/run-theirs", "/runs/run-theirs/run.json", "/runs/run-theirs/live", "/runs/run-"):
            assert (await reader.get(path)).status_code == 404
        assert "run-theirs" not in (await reader.get("/runs")).text
        assert (await reader.post("/runs/run-theirs/cancel")).status_code == 404


@requirement("U6")
async def test_signing_in_leads_back_to_the_same_page_and_asking_for_its_headers_is_no_guess(engine: Any) -> None:
    async with browsing(console_over(engine), password="") as reader:
        page = await reader.client.get("/measures?days=30&job=a%26b", headers={"accept": "text/html"})
        assert dict(parse_qsl(urlsplit(page.headers["location"]).query)) == {"next": "/measures?days=30&job=a%26b"}
        assert {(await reader.client.head("/sign-in")).status_code for _ in range(4)} == {200}
        assert (await reader.sign_in()).status_code == 200


@requirement("U6")
@always(["//evil.example", "/\\evil.example", "https://evil.example", "/\tevil", "/%5c", "/now"])
@given(st.text())
def test_after_signing_in_nobody_is_led_to_another_site(path: str) -> None:
    led = local_path(path)
    assert led.startswith("/")
    assert not led.startswith(("//", "/\\"))
    assert led.isprintable()


@requirement("U6")
@pytest.mark.parametrize("path", ["//evil.example/now", "///evil.example", "/\\evil.example", "//evil.example/runs?next=/now"])
async def test_an_address_of_ours_that_another_site_links_to_leads_to_none_but_ours(engine: Any, path: str) -> None:
    async with browsing(console_over(engine), password="") as reader:
        page = await reader.client.get(f"http://{HOST}{path}", headers={"accept": "text/html", "sec-fetch-site": "cross-site"})
        led = [
            dict(attrs)
            for tag, attrs in Tags(page.text).found
            if tag in ("meta", "a") and ("content" in attrs or "href" in attrs)
        ]
        assert "evil.example" not in urlsplit(str(led[-1]["href"])).netloc
        assert all("url=//" not in str(one.get("content")) for one in led)


@requirement("U6")
@pytest.mark.parametrize(
    ("path", "size"), [("/sign-in", 20_000), pytest.param("/preferences", 4_100_000, marks=pytest.mark.sweep)]
)
async def test_a_body_that_takes_long_to_parse_is_not_read_to_its_end(engine: Any, path: str, size: int) -> None:
    sent, kind = 0, "application/x-www-form-urlencoded"

    async def body() -> Any:
        nonlocal sent
        while sent < 10 * size:
            sent += size // 10
            yield b"&" * (size // 10)

    async with browsing(console_over(engine)) as reader:
        answer = await reader.client.post(path, content=body(), headers={"content-type": kind})
    assert answer.status_code == 413
    assert sent <= 2 * size


@requirement("U6")
@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"listen": "0.0.0.0:8484"}, "web.listen"),
        ({"listen": "[::]:8484"}, "web.listen"),
        ({"listen": "console.example.org:80"}, "web.listen"),
        ({"listen": "0.0.0.0:8484", "password": "x"}, "web.hosts"),
        ({"listen": "8484"}, "web.listen"),
        ({"listen": "127.0.0.1:99999"}, "web.listen"),
        ({"lisen": "127.0.0.1:1"}, "web.lisen"),
    ],
)
def test_it_does_not_listen_where_strangers_could_come_in(table: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as raised:
        web_settings(table, "jiritsu.toml")
    assert raised.value.key == key
    assert "\n" not in str(raised.value)
    json.dumps(str(raised.value))
