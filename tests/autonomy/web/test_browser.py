"""The console in a real browser: a run seen live while another process works on it, an approval given, on a telephone, by keyboard."""

import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.requirements import requirement
from tests.support.command import command_line, environment

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
axe_files = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="Debian's chromium and chromedriver are not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

SLOW_SERVER = '''
import pathlib, time
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
server = MCPServer("lab")

@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def river_level(place: str = "here") -> str:
    """Look up the water level of the river now."""
    while not pathlib.Path("RELEASE").exists():
        time.sleep(0.05)
    return "the river stands at 1.4 m"

server.run("stdio")
'''
PATIENCE_S = 120.0


def until(found: Callable[[], Any], what: str) -> Any:
    """Wait for something in the page; a page that is being replaced is looked at again."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        try:
            if value := found():
                return value
        except Exception as error:  # what was found has just been replaced
            if not any(passing in str(error).lower() for passing in ("stale", "no such element", "err_connection_refused")):
                raise
        time.sleep(0.05)
    raise AssertionError(f"{what} never came")


@contextmanager
def chromium(width: int = 1280) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},900"):
        options.add_argument(argument)
    if width < 500:
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": {"width": width, "height": 800, "pixelRatio": 1.0}})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


def run_diary(home: Path) -> None:
    """A real diary, in a process of its own, however slow the machine."""
    subprocess.run(
        command_line("run", "diary"),
        cwd=home,
        env=environment(home),
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def console(home: Path, *command: str) -> Iterator[str]:
    """`jiritsu web`, or another command that serves the console, in a process of its own; gives its one-time link."""
    told = home / "console.log"
    arguments = command or ("web", "--listen", f"127.0.0.1:{free_port()}")
    with told.open("w") as log:
        process = subprocess.Popen(
            command_line(*arguments),
            cwd=home,
            env=environment(home),
            stderr=log,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    try:
        found = until(lambda: re.search(r"http://\S+", told.read_text()), "the console's link")
        yield found.group()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@requirement("U1", "U7")
def test_a_diary_is_read_and_a_running_call_is_seen_live_by_another_process(home: Path) -> None:
    run_diary(home)
    (home / "lab.py").write_text(SLOW_SERVER.replace("RELEASE", str(home / "release")))
    (home / "jiritsu.mcp.json").write_text(
        f'{{"mcpServers": {{"lab": {{"command": "{sys.executable}", "args": ["{home}/lab.py"], "trusted": true}}}}}}'
    )
    with console(home) as link, chromium() as driver:
        base = sign_in(driver, link)
        driver.get(f"{base}/runs")
        driver.find_element("css selector", ".rows a").click()
        until(lambda: "/runs/" in driver.current_url, "the diary's page")
        page = driver.page_source
        assert "esa_create_post" in page
        assert "やったこと" in page
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        driver.find_element("css selector", ".timeline .call a").click()
        assert driver.execute_script("return document.querySelector(':target').classList.contains('call')")
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == [], "a script or style was refused"
        _see_it_live(driver, base, home)


def _see_it_live(driver: Any, base: str, home: Path) -> None:
    running = subprocess.Popen(
        command_line("run", "What is the river level now? 川の水位を調べて"), cwd=home, env=environment(home), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=(home / "run.log").open("w"),
    )  # fmt: skip
    try:
        driver.get(f"{base}/now")
        address = until(
            lambda: driver.find_element("css selector", "#now-active tbody a"), "the run on the page of now"
        ).get_attribute("href")
        driver.get(address)
        call = until(lambda: driver.find_element("css selector", ".entry.call.running"), "the running call")
        assert "river_level" in call.text
        driver.execute_script("window.untouched = true")
        (home / "release").touch()
        until(lambda: "1.4 m" in driver.page_source, "the result")
        until(lambda: driver.find_element("css selector", "#run-head .chip:is(.completed, .blocked, .declined)"), "the end")
        assert driver.execute_script("return window.untouched"), "the page was not loaded anew: the change was swapped in"
    finally:
        (home / "release").touch()
        running.wait(60)


PAGES = ("now", "inbox", "runs", "measures", "schedules", "schedules/diary", "tools", "costs", "audit", "conversations")


def sign_in(driver: Any, link: str) -> str:
    """Open the printed link; gives the console's address."""
    until(lambda: driver.get(link) or True, "the console")  # its link is printed a moment before it listens
    until(lambda: "/now" in driver.current_url, "the first page")
    return link.split("/sign-in")[0]


def choose(driver: Any, base: str, language: str, theme: str) -> None:
    """The reader's language and theme, by the form that every page has."""
    driver.get(f"{base}/runs")
    fill = "const form = document.querySelector('form[action=\"/preferences\"]'); form.language.value = arguments[0]; form.theme.value = arguments[1]; form.requestSubmit();"
    driver.execute_script(fill, language, theme)
    drawn = f'html[lang="{language}"][data-theme="{theme}"]'
    until(lambda: driver.find_element("css selector", drawn), "the chosen language and theme")


def violations(driver: Any) -> list[str]:
    """What axe finds wrong with the page, each with the element."""
    driver.execute_script((Path(axe_files.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = driver.execute_async_script("const done = arguments[0]; axe.run().then(result => done(result.violations));")
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@requirement("U7")
def test_every_page_is_accessible_in_both_languages_and_themes_on_a_telephone_and_by_keyboard(home: Path) -> None:
    run_diary(home)
    (home / "jiritsu.toml").write_text(f'[web]\nlisten = "127.0.0.1:{free_port()}"\n')
    with console(home, "worker", "--web") as link, chromium(390) as driver:
        base = sign_in(driver, link)
        driver.get(f"{base}/runs")
        run = urlsplit(driver.find_element("css selector", ".rows a").get_attribute("href")).path.lstrip("/")
        driver.get(f"{base}/tools")
        tool = urlsplit(driver.find_element("css selector", "tbody th a").get_attribute("href")).path.lstrip("/")
        for language, theme in (("ja", "light"), ("en", "dark")):
            choose(driver, base, language, theme)
            for path in (
                *PAGES,
                run,
                tool,
                f"compare?a={run.split('/')[1]}&b={run.split('/')[1]}",
                "measures/runs?figure=overall",
            ):
                driver.get(f"{base}/{path}")
                if path == "measures":
                    until(lambda: driver.find_elements("css selector", ".gauges"), "the figures")
                assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), (
                    f"{path} is wider than the screen"
                )
                driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
                assert violations(driver) == [], f"{path} in {language}, {theme}"
        body = driver.find_element("css selector", "body")
        body.send_keys("\ue004")
        assert driver.switch_to.active_element.get_attribute("class") == "skip", (
            "the first stop of the keyboard skips the navigation"
        )


@requirement("U1", "U7")
def test_a_sentence_shows_its_sources_when_pointed_at_by_keyboard_and_without_a_script(home: Path) -> None:
    run_diary(home)
    with console(home) as link, chromium() as driver:
        base = sign_in(driver, link)
        driver.get(f"{base}/runs")
        driver.find_element("css selector", ".rows a").click()
        until(lambda: driver.find_elements("css selector", ".said"), "sentences with sources")
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
        driver.get(driver.current_url)
        href = urlsplit(driver.find_element("css selector", ".refs a").get_attribute("href")).fragment
        assert driver.find_element("css selector", f"li[id='{href}'] a, li[id='{href}'] b")
