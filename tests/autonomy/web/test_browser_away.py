"""A database that goes away and comes back while somebody looks at the console, in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.console_browser import CHROMIUM, DRIVER, console, sign_in, until, window_beside
from tests.support.furnished_home import prepare
from tests.support.postgres import NEEDED, postgres

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.postgres,
    pytest.mark.timeout(800),
    pytest.mark.xdist_group("console-browser"),
    NEEDED,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="Debian's chromium and chromedriver are not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

FIRST_LOOK_FAILS = """
const ask = window.fetch;
let away = false;
window.fetch = async (...all) => {
  const answer = await ask(...all);
  if (!answer.ok) away = true;
  else if (away && !window.failed) { window.failed = true; throw new Error(); }
  return answer;
};
"""
"""The first answer after the database is back does not arrive, as on a busy machine: nobody tells the page of another change."""


def told(driver: Any) -> str:
    """What the open page says stands between it and what is so."""
    return str(driver.find_element("css selector", "#lost:not([hidden])").text)


def is_quiet(driver: Any) -> bool:
    return not driver.find_elements("css selector", "#lost:not([hidden])")


@requirement("U1", "U7")
@pytest.mark.parametrize("page", ["run", pytest.param("now", marks=pytest.mark.sweep)])
def test_open_pages_say_that_the_database_is_away_and_go_on_by_themselves_when_it_is_back(
    browser: Any, tmp_path: Path, page: str
) -> None:
    prepare(tmp_path, "en")
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    settings = tmp_path / "jiritsu.toml"
    with postgres() as server:
        settings.write_text(f'database_url = "{server.create("away")}"\n{settings.read_text()}', encoding="utf-8")
        with console(tmp_path) as link, window_beside(browser) as driver:
            base = sign_in(driver, link)
            driver.get(f"{base}/schedules/diary")
            driver.find_element("css selector", "button[value=run]").click()
            until(lambda: "/runs/" in driver.current_url, "the page of the run, which nobody carries out")
            run = driver.current_url.partition("?")[0]
            address, words = {"run": (run, "diary"), "now": (f"{base}/now", "Now")}[page]
            driver.get(address)
            assert is_quiet(driver)
            driver.execute_script(f"window.untouched = true; {FIRST_LOOK_FAILS}")
            server.stop("immediate")
            assert "database" in until(lambda: told(driver), "that the database is away")
            assert words in driver.find_element("css selector", "h1").text, "what was there can still be read"
            server.start()
            until(lambda: is_quiet(driver), "that it is back")
            assert driver.execute_script("return window.failed && window.untouched"), "it looked again, and was not loaded anew"
            server.stop("immediate")
            driver.get(f"{base}/runs")
            assert "database" in driver.find_element("css selector", "h1").text
            server.start()
            until(lambda: driver.find_elements("css selector", ".rows a"), "the runs, on the page that was opened meanwhile")
            driver.get(run)
            driver.find_element("css selector", "button.danger").click()
            until(lambda: driver.find_elements("css selector", "#run-head .chip.cancelled"), "what was decided afterwards")
