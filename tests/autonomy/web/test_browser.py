"""The console in a real browser: a run seen live while another process works on it, on a telephone, by keyboard, without a script."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.requirements import requirement
from tests.support.command import environment, forked_command_line
from tests.support.console_browser import CHROMIUM, DRIVER, choose, console, paths_of, screen, sign_in, until, window_beside
from tests.support.furnished_home import copy_furnished, prepare
from tests.support.ports import free_port

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
axe_files = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(400),
    pytest.mark.xdist_group("console-browser"),
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="Debian's chromium and chromedriver are not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

NAMES = (
    *("now", "inbox", "runs", "measures", "schedules", "tools", "costs", "audit", "conversations", "schedule", "tool", "compare"),
    *("new-job", "broken-job", "server-sign-in"),
    *("figure", "tasks", "sides", "call", "problem", "run-01", "run-03", "run-04", "run-06", "run-07"),
)
"""The pages of a furnished home, a run of each kind among them."""


@dataclass
class Opened:
    """A browser at the console of a furnished home."""

    driver: Any
    base: str
    home: Path
    paths: dict[str, str]
    chosen: tuple[str, str] = ("", "")

    def choose(self, language: str, theme: str) -> None:
        """Read in another language or theme from now on."""
        if (language, theme) != self.chosen:
            choose(self.driver, self.base, language, theme)
            self.chosen = (language, theme)

    def visit(self, name: str) -> None:
        """Open a page, and wait until its figures are counted."""
        self.driver.get(f"{self.base}/{self.paths[name]}")
        if name == "measures":
            until(lambda: self.driver.find_elements("css selector", ".gauges"), "the figures")


@pytest.fixture(scope="module")
def opened(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """One home and one console for all tests here: each takes seconds to make."""
    home, base = tmp_path_factory.mktemp("furnished"), tmp_path_factory.getbasetemp()
    copy_furnished(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base, home, "ja")
    prepare(home, "ja", port=free_port())
    with (home / "jiritsu.toml").open("a", encoding="utf-8") as settings:
        settings.write('[[policy]]\nname = "posts-are-read-first"\ndecision = "ask"\ntool = "esa_create_post"\n')
    (home / "jobs").mkdir()
    (home / "jobs" / "broken.md").write_text("---\ntitle: [\n---\nTidy up.\n", encoding="utf-8")
    servers = json.loads((home / "jiritsu.mcp.json").read_text(encoding="utf-8"))
    servers["mcpServers"]["remote"] = {"url": "http://127.0.0.1:9/mcp", "disabled": True}
    (home / "jiritsu.mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    with console(home, "worker", "--web") as link:
        base = sign_in(browser, link)
        until(lambda: browser.get(f"{base}/tools") or browser.find_elements("css selector", "tbody th a"), "the tools")
        more = {
            "new-job": "schedules/new/job?template=diary",
            "broken-job": "schedules/broken",
            "server-sign-in": "servers/remote/sign-in",
        }
        yield Opened(browser, base, home, {**paths_of(browser, base), **more})
        browser.get("about:blank")  # a page of a console that is gone would call for it


@pytest.fixture(scope="module")
def apart(opened: Opened) -> Iterator[Opened]:
    """A second window, at a second console: `jiritsu web`, a process that runs nothing and has no servers.

    It shares no cookie with the first, whose host is another one: to the consoles it is another browser.
    """
    with console(opened.home, host="localhost") as link, window_beside(opened.driver) as driver:
        yield Opened(driver, sign_in(driver, link), opened.home, opened.paths)


@pytest.fixture
def desk(opened: Opened) -> Opened:
    """On a wide screen and with scripts, whatever the test before did."""
    opened.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    screen(opened.driver, 1280)
    return opened


AXE = (Path(axe_files.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(driver: Any) -> list[str]:
    """What axe finds wrong with the page, each with the element."""
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
    call = "const done = arguments[0]; axe.run({resultTypes: ['violations'], preload: false}).then(result => done(result.violations));"
    return [f"{one['id']}: {node['html'][:200]}" for one in driver.execute_async_script(call) for node in one["nodes"]]


TELEPHONE, DESK = ("ja", "light", 360), ("en", "dark", 1280)
EVERY_WAY = (TELEPHONE, DESK, ("ja", "dark", 360), ("ja", "dark", 1280), ("en", "light", 360))


OF_EACH_KIND = ("now", "measures", "tools", "new-job", "call", "run-01", "costs")
"""One page of each kind: cards, tables, charts, a form, a call, a run. The others are of these kinds again."""


def seen() -> Iterator[object]:
    """Each page in each way, way by way; where the sweeps do not run, one page of each kind in one of the first two ways, in turn."""
    for way in EVERY_WAY:
        for name in NAMES:
            usual = name in OF_EACH_KIND and way == (TELEPHONE, DESK)[OF_EACH_KIND.index(name) % 2]
            yield pytest.param(*way, name, marks=() if usual else pytest.mark.sweep)


@requirement("U1", "U7")
@pytest.mark.parametrize(("language", "theme", "width", "name"), list(seen()))
def test_every_page_is_accessible_fits_the_screen_and_is_refused_no_script_or_style(
    desk: Opened, language: str, theme: str, width: int, name: str
) -> None:
    driver = desk.driver
    desk.choose(language, theme)
    screen(driver, width)
    driver.get_log("browser")
    desk.visit(name)
    logged = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert [message for message in logged if "status of 404" not in message] == []
    assert driver.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
        "wider than the screen"
    )
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert violations(driver) == []


@requirement("U1")
def test_bars_lead_into_the_transcript(desk: Opened) -> None:
    driver = desk.driver
    desk.visit("run-01")
    assert "esa_create_post" in driver.page_source
    assert "やったこと" in driver.page_source
    driver.find_element("css selector", ".timeline .call a").click()
    assert driver.execute_script("return document.querySelector(':target').classList.contains('call')")


@requirement("U1", "U7")
def test_a_running_call_of_another_process_is_seen_from_its_start_and_its_end_is_swapped_in(desk: Opened) -> None:
    driver = desk.driver
    goal = "What is the water level of the river now? 川の水位を調べて"
    with (desk.home / "run.log").open("w") as log:
        running = subprocess.Popen(
            forked_command_line("run", goal), cwd=desk.home, env=environment(desk.home), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log
        )  # fmt: skip
    try:
        driver.get(f"{desk.base}/now")
        found = "//*[@id='now-active']//a[contains(., '水位')]"
        address = until(lambda: driver.find_element("xpath", found), "the run on the page of now").get_attribute("href")
        driver.get(address)
        until(lambda: "water_level" in driver.find_element("css selector", ".entry.call.running").text, "the running call")
        driver.execute_script("window.untouched = true")
        (desk.home / "release").touch()
        until(lambda: "1.4 m" in driver.page_source, "the result")
        until(lambda: not driver.find_elements("css selector", "#run-head .chip:is(.running, .waiting)"), "the end")
        assert driver.execute_script("return window.untouched"), "the page was not loaded anew: the change was swapped in"
    finally:
        (desk.home / "release").touch()
        running.wait(60)


@requirement("U7")
def test_the_first_stop_of_the_keyboard_skips_the_navigation(desk: Opened) -> None:
    desk.visit("runs")
    desk.driver.find_element("css selector", "body").send_keys("\ue004")
    assert desk.driver.switch_to.active_element.get_attribute("class") == "skip"


@requirement("U1", "U7")
def test_a_sentence_shows_its_sources_when_pointed_at_by_keyboard_and_without_a_script(desk: Opened) -> None:
    driver = desk.driver
    desk.visit("run-01")
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    said = driver.find_element("css selector", ".said")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", said)
    webdriver.ActionChains(driver).move_to_element_with_offset(said, 0, 0).perform()
    assert until(lambda: driver.find_element("css selector", ".tip").text, "the sources")
    ref = driver.find_element("css selector", ".refs a")
    driver.execute_script("arguments[0].focus()", ref)
    assert until(lambda: driver.find_element("css selector", ".tip").text, "the sources by keyboard")
    ref.send_keys("\ue00c")
    assert driver.find_elements("css selector", ".tip") == []
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    desk.visit("run-01")
    target = driver.find_element("css selector", ".refs a").get_attribute("href").partition("#")[2]
    assert driver.find_element("css selector", f"li[id='{target}'] a, li[id='{target}'] b")


ADDED = "追記：この一文は、承認した人が書き足しました。"


def start_diary(at: Opened, user: str) -> str:
    """Have a worker write somebody's diary, by the button of the job's page; gives the path of the run's page."""
    at.driver.get(f"{at.base}/schedules/diary")
    at.driver.find_element("name", "input.user").send_keys(user)
    at.driver.find_element("css selector", "button[value=run]").click()
    until(lambda: "/runs/" in at.driver.current_url, "the page of the run")
    return str(urlsplit(at.driver.current_url).path)


def card_of(at: Opened, run: str) -> Any:
    """The question of a run in the inbox; the page is opened once the question is asked, for each look at it costs a rendering."""
    until(lambda: asked_of(at.home, "SELECT 1 FROM durable_approvals WHERE run_id = ?", run.rpartition("/")[2]), "the question")

    def look() -> Any:
        at.driver.get(f"{at.base}/inbox")
        return at.driver.find_elements("css selector", f"article.decision:has(a[href^='{run}#'])")

    return until(look, "the question in the inbox")[0]


def state_of(at: Opened, run: str) -> str:
    """How the run stands, as a fresh page says."""
    at.driver.get(f"{at.base}{run}")
    return str(at.driver.find_element("css selector", "#run-head .chip").get_attribute("class")).removeprefix("chip ")


def asked_of(home: Path, query: str, *values: object) -> list[Any]:
    """What the database says, which no page stands in front of."""
    with closing(sqlite3.connect(f"file:{home}/jiritsu.db?mode=ro", uri=True)) as database:
        return database.execute(query, values).fetchall()


@requirement("U1", "U2", "U3", "U7")
def test_a_diary_is_seen_live_its_text_edited_on_a_telephone_in_another_console_and_delivered_as_edited(
    desk: Opened, apart: Opened
) -> None:
    screen(apart.driver, 390)
    run = start_diary(apart, "kenta")
    desk.driver.get(f"{desk.base}{run}")
    desk.driver.execute_script("window.untouched = true")
    until(
        lambda: desk.driver.find_elements("css selector", ".entry.call .notice a[href^='/inbox#approval-']"),
        "that a person is asked",
    )
    card = card_of(apart, run)
    assert apart.driver.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
        "wider than the telephone"
    )
    card.find_element("css selector", "details.edit summary").click()
    body = card.find_element("name", "argument.body_md")
    body.send_keys(f"\n\n{ADDED}\n")
    card.find_element("css selector", "button[value=edited]").click()
    until(lambda: "said=edited" in apart.driver.current_url, "the answer")
    # `interrupted` is no end: a process that got no time for its heartbeat is taken for gone until it beats again
    on_its_way = "#run-head .chip:is(.running, .waiting, .queued, .interrupted)"
    until(lambda: not desk.driver.find_elements("css selector", on_its_way), "the end")
    assert desk.driver.execute_script("return window.untouched"), "the page was not loaded anew: all of it was seen live"
    # asked at once: between finding it and looking at it, it may be swapped for its like
    assert desk.driver.execute_script("return document.querySelector('#run-head .chip').className") == "chip completed"
    assert any(ADDED in line.text for line in desk.driver.find_elements("css selector", ".edited .added"))
    delivered = [file for file in (desk.home / "esa").rglob("*.md") if ADDED in file.read_text(encoding="utf-8")]
    assert len(delivered) == 1
    assert "やったこと" in delivered[0].read_text(encoding="utf-8"), "what was there before the edit is delivered with it"


@requirement("U2", "U7")
def test_of_two_browsers_at_two_consoles_that_decide_at_once_the_first_decides_and_the_other_is_told(
    desk: Opened, apart: Opened
) -> None:
    screen(apart.driver, 1280)
    for at in (desk, apart):
        at.choose("en", "light")  # whoever loses is told in the language of his own browser
    run = start_diary(apart, "misaki")
    buttons = [
        card_of(at, run).find_element("css selector", f"button[value={answer}]")
        for at, answer in ((desk, "granted"), (apart, "denied"))
    ]
    together = threading.Barrier(2)

    def press(button: Any) -> None:
        together.wait(60)
        button.click()

    pressing = [threading.Thread(target=press, args=(button,)) for button in buttons]
    for one in pressing:
        one.start()
    for one in pressing:
        one.join(120)
    decided = [
        until(lambda at=at: urlsplit(at.driver.current_url).query or "/approvals/" in at.driver.current_url, "what came of it")
        for at in (desk, apart)
    ]
    ((state,),) = asked_of(desk.home, "SELECT state FROM durable_approvals WHERE run_id = ?", run.rpartition("/")[2])
    assert sorted(str(one) for one in decided) == ["True", f"said={state}"], (
        "one is told that it is so, the other that it was decided"
    )
    loser = apart if decided[1] is True else desk
    assert f"{state} by " in loser.driver.find_element("css selector", "main").text
    ended = "SELECT 1 FROM durable_runs WHERE run_id = ? AND ended_at IS NOT NULL"
    until(lambda: asked_of(desk.home, ended, run.rpartition("/")[2]), "the end")
    assert (state_of(desk, run) == "completed") is (state == "granted")


@requirement("U7")
@pytest.mark.parametrize("name", [name if name == "run-01" else pytest.param(name, marks=pytest.mark.sweep) for name in NAMES])
def test_a_page_is_read_without_a_script(desk: Opened, name: str) -> None:
    desk.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    desk.driver.get(f"{desk.base}/{desk.paths[name]}")
    assert desk.driver.find_element("css selector", "h1").text


@requirement("U2", "U7")
def test_an_unknown_write_is_resolved_from_the_inbox_without_a_script(desk: Opened) -> None:
    driver = desk.driver
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    found = "SELECT state, resolved_by FROM durable_effects WHERE tool = 'notices_post_notice'"
    assert asked_of(desk.home, found) == [("unknown", "")]
    driver.get(f"{desk.base}/inbox")
    written = driver.find_element("css selector", "article.decision[aria-label=notices_post_notice]")
    assert "エレベーター" in written.text, "what to look for"
    written.find_element("name", "note").send_keys("掲示板で見た")
    written.find_element("css selector", "button[value=yes]").click()
    until(lambda: "said=resolved" in driver.current_url, "the answer")
    assert driver.find_elements("css selector", "article.decision[aria-label=notices_post_notice]") == []
    ((state, by),) = asked_of(desk.home, found)
    assert state != "unknown"
    assert by


@requirement("U2", "U7")
def test_a_decision_is_made_by_the_keyboard_alone(desk: Opened) -> None:
    driver = desk.driver
    run = f"/{desk.paths['run-07']}"
    card_of(desk, run)

    def here(selector: str) -> bool:
        return bool(driver.execute_script(
            "const at = document.activeElement; return at.matches(arguments[0]) && at.closest('article').querySelector(arguments[1]) !== null",
            selector, f"a[href^='{run}#']",
        ))  # fmt: skip

    def tab_to(selector: str) -> Any:
        for _ in range(300):
            driver.switch_to.active_element.send_keys("\ue004")
            if here(selector):
                return driver.switch_to.active_element
        raise AssertionError(f"the keyboard never came to {selector}")

    driver.execute_script(
        "document.querySelector(arguments[0]).focus()", f"article.decision a[href^='{run}#']"
    )  # the way there is long
    tab_to("article.decision input[name=note]").send_keys("今日は出さない")
    denying = tab_to("article.decision button[value=denied]")
    assert driver.execute_script("return getComputedStyle(arguments[0]).outlineStyle", denying) != "none", "one sees where one is"
    denying.send_keys("\ue007")
    until(lambda: "said=denied" in driver.current_url, "the answer")
    rows = asked_of(desk.home, "SELECT state, reason FROM durable_approvals WHERE run_id = ?", run.rpartition("/")[2])
    assert rows == [("denied", "今日は出さない")]


@requirement("U7")
def test_a_printed_page_has_the_run_and_no_buttons(desk: Opened) -> None:
    desk.visit("run-01")
    desk.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = "return [...document.querySelectorAll(arguments[0])].some(one => one.checkVisibility())"
        assert not desk.driver.execute_script(shown, "header.bar, .actions, form")
        assert desk.driver.execute_script(shown, ".entry.call .arguments")
    finally:
        desk.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@requirement("U3", "U7")
def test_a_server_that_is_killed_is_seen_on_the_open_page_of_tools_and_seen_again_when_it_is_back(desk: Opened) -> None:
    program = desk.home / "notices.py"
    whole = program.read_text(encoding="utf-8")

    def chip() -> str:
        return str(desk.driver.find_element("css selector", "#notices h2 .chip").get_attribute("class"))

    desk.visit("tools")
    until(lambda: chip() == "chip ok", "the server")
    desk.driver.execute_script("window.untouched = true")
    program.write_text("raise SystemExit('the board is being painted')", encoding="utf-8")
    try:
        (server,) = pids_of(str(program))
        os.kill(server, signal.SIGKILL)
        until(lambda: chip() == "chip failed", "that it is gone")
        assert until(lambda: desk.driver.find_element("css selector", "#notices .notice.bad").text, "why")
    finally:
        program.write_text(whole, encoding="utf-8")
    until(lambda: chip() == "chip ok", "that it is back")
    assert desk.driver.execute_script("return window.untouched"), "the page was not loaded anew"


@requirement("U3", "U7")
def test_a_worker_that_is_killed_is_seen_in_the_console_of_another_process(opened: Opened, apart: Opened) -> None:
    """The last one here: it ends the worker, and the first console with it."""
    apart.choose("ja", "light")  # the tests before it leave the language they read in
    apart.driver.get(f"{apart.base}/now")

    def told() -> str:
        # read in one go: the page may put another list in its place between finding and reading it
        return str(apart.driver.execute_script("return document.querySelector('#now-workers').innerText"))

    until(lambda: "稼働中" in told(), "the worker")
    apart.driver.execute_script("window.untouched = true")
    os.kill(int(re.search(r"pid (\d+)", told())[1]), signal.SIGKILL)  # type: ignore[index]
    until(lambda: "稼働中" not in told() and "ワーカーは動いていません" in told(), "that it is gone")
    assert apart.driver.execute_script("return window.untouched"), "the page was not loaded anew"


def pids_of(argument: str) -> list[int]:
    """The processes that were started with this argument."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if argument.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
