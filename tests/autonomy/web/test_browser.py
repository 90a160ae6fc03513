"""The console in a real browser: a run seen live while another process works on it, on a telephone, by keyboard, without a script."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.command import environment, forked_command_line
from tests.support.console_browser import CHROMIUM, DRIVER, choose, chromium, console, free_port, paths_of, screen, sign_in, until
from tests.support.furnished_home import prepare

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
    *("figure", "call", "problem", "run-01", "run-03", "run-04", "run-06", "run-07"),
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
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """One home, one console and one browser for all tests here: each takes seconds to make."""
    home = tmp_path_factory.mktemp("furnished")
    root = Path(__file__).parents[3]
    program = [sys.executable, "-P", "-m", "tests.support.furnished_home", str(home), "ja"]
    done = subprocess.run(
        program, env={**environment(home), "PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    prepare(home, "ja", port=free_port())
    with console(home, "worker", "--web") as link, chromium() as driver:
        source = (Path(axe_files.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        base = sign_in(driver, link)
        until(lambda: driver.get(f"{base}/tools") or driver.find_elements("css selector", "tbody th a"), "the tools")
        yield Opened(driver, base, home, paths_of(driver, base))


@pytest.fixture
def desk(opened: Opened) -> Opened:
    """On a wide screen and with scripts, whatever the test before did."""
    opened.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    screen(opened.driver, 1280)
    return opened


def violations(driver: Any) -> list[str]:
    """What axe finds wrong with the page, each with the element."""
    call = "const done = arguments[0]; axe.run({resultTypes: ['violations'], preload: false}).then(result => done(result.violations));"
    return [f"{one['id']}: {node['html'][:200]}" for one in driver.execute_async_script(call) for node in one["nodes"]]


@requirement("U7")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [
        ("ja", "light", 390),
        ("en", "dark", 1280),
        *(
            pytest.param(*rest, marks=pytest.mark.sweep)
            for rest in (("ja", "dark", 390), ("ja", "dark", 1280), ("en", "light", 390))
        ),
    ],
)
def test_every_page_is_accessible_in_both_languages_and_themes_and_fits_the_screen(
    desk: Opened, language: str, theme: str, width: int, name: str
) -> None:
    driver = desk.driver
    desk.choose(language, theme)
    screen(driver, width)
    desk.visit(name)
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert violations(driver) == []


@requirement("U1", "U7")
def test_no_page_is_refused_a_script_or_a_style_and_bars_lead_into_the_transcript(desk: Opened) -> None:
    driver = desk.driver
    driver.get_log("browser")
    for name in NAMES:
        desk.visit(name)
        refused = [
            entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE" and "status of 404" not in entry["message"]
        ]
        assert refused == [], name
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
