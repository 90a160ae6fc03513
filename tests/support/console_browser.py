"""Chromium at a console that another process serves; also takes the pictures of docs/console.md.

`python -m tests.support.console_browser docs/images` furnishes a home, opens each page and photographs it.
"""

import argparse
import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.command import environment, forked_command_line
from tests.support.ports import free_port

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
PATIENCE_S = 200.0


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
        time.sleep(0.2)  # each look costs the page, the driver and us some milliseconds
    raise AssertionError(f"{what} never came")


@contextmanager
def chromium(width: int = 1280, height: int = 900) -> Iterator[Any]:
    """A browser without a screen."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"):
        options.add_argument(argument)
    with _driven(options) as driver:
        yield driver


@contextmanager
def window_beside(browser: Any) -> Iterator[Any]:
    """A window of a browser that runs already, driven by itself: another browser would take seconds to start."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.debugger_address = browser.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with _driven(options) as driver:
        driver.switch_to.new_window("window")
        try:
            yield driver
        finally:
            driver.close()


@contextmanager
def _driven(options: Any) -> Iterator[Any]:
    from selenium import webdriver

    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    driver.set_script_timeout(PATIENCE_S)
    try:
        yield driver
    finally:
        driver.quit()


def screen(driver: Any, width: int, height: int = 900) -> None:
    """Make the page that wide: a telephone is 390 pixels."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@contextmanager
def console(home: Path, *command: str, host: str = "127.0.0.1") -> Iterator[str]:
    """`jiritsu web`, or another command that serves the console, in a process of its own; gives its one-time link.

    A browser that looks at several consoles at once is signed in to each by its host: it keeps the cookies of all ports together.
    """
    arguments = command or ("web", "--listen", f"{host}:{free_port()}")
    told = home / f"{arguments[0]}.log"
    with told.open("w") as log:
        process = subprocess.Popen(
            forked_command_line(*arguments), cwd=home, env=environment(home), stderr=log, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )  # fmt: skip
    try:
        yield until(lambda: re.search(r"http://\S+", told.read_text()), "the console's link").group()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def sign_in(driver: Any, link: str) -> str:
    """Open the printed link; gives the console's address."""
    until(lambda: driver.get(link) or True, "the console")  # its link is printed a moment before it listens
    until(lambda: "/now" in driver.current_url, "the first page")
    return link.split("/sign-in")[0]


def choose(driver: Any, base: str, language: str, theme: str) -> None:
    """The reader's language and theme, by the form that every page has."""
    driver.get(f"{base}/audit")
    fill = "const form = document.querySelector('form[action=\"/preferences\"]'); form.language.value = arguments[0]; form.theme.value = arguments[1]; form.requestSubmit();"
    driver.execute_script(fill, language, theme)
    drawn = f'html[lang="{language}"][data-theme="{theme}"]'
    until(lambda: driver.find_element("css selector", drawn), "the chosen language and theme")


def paths_of(driver: Any, base: str) -> dict[str, str]:
    """Each page of a furnished home: its name → its path."""
    driver.get(f"{base}/runs")
    links = [one.get_attribute("href") for one in driver.find_elements("css selector", ".rows a")]
    runs = {urlsplit(link).path.rpartition("-")[2]: urlsplit(link).path.lstrip("/") for link in links}
    named = {name: name for name in ("now", "inbox", "runs", "measures", "schedules", "tools", "costs", "audit", "conversations")}
    several = {f"run-{name}": path for name, path in sorted(runs.items())}
    one, other = runs["02"].split("/")[1], runs["03"].split("/")[1]
    return {
        **named,
        **several,
        "schedule": "schedules/diary",
        "tool": "tools/weather_get_weather",
        "compare": f"compare?a={one}&b={other}",
        "figure": "measures/runs?figure=overall",
        "tasks": "measures/tasks?k=1",
        "sides": "measures/sides?b_back=1",
        "call": f"{runs['01']}/call?key=turn-1/call-1",
        "problem": "runs/nowhere",
    }


def photograph(driver: Any, file: Path, most: int) -> None:
    """The page down to `most` pixels, its colours reduced, because a repository is not the place for megabytes."""
    from PIL import Image  # only for pictures: `pip install pillow`

    height = driver.execute_script("return document.documentElement.scrollHeight")
    screen(driver, driver.execute_script("return innerWidth"), min(most, height))
    image = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    image.quantize(96, dither=Image.Dither.NONE).save(file, optimize=True)


def main() -> None:
    """Furnish a home and photograph it."""
    from tests.support.furnished_home import prepare

    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home", type=Path, help="One that is furnished already.")
    parser.add_argument("--language", choices=["ja", "en"], default="en")
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=1500, help="A longer page is cut there.")
    parser.add_argument("--only", default="", help="Names of pages, separated by commas.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        home = options.home or Path(made)
        if options.home is None:
            program = [sys.executable, "-P", "-m", "tests.support.furnished_home", made, options.language]
            subprocess.run(program, check=True, env={**environment(home), "PYTHONPATH": "."})
        prepare(home, options.language, port=free_port())
        with console(home, "worker", "--web") as link, chromium(options.width) as driver:
            base = sign_in(driver, link)
            choose(driver, base, options.language, options.theme)
            pages = paths_of(driver, base)
            until(lambda: driver.get(f"{base}/tools") or driver.find_elements("css selector", "tbody th a"), "the tools")
            for name in options.only.split(",") if options.only else pages:
                screen(driver, options.width)
                driver.get(f"{base}/{pages[name]}")
                if name == "measures":
                    until(lambda: driver.find_elements("css selector", ".gauges"), "the figures")
                photograph(driver, options.folder / f"console-{name}.png", options.height)


if __name__ == "__main__":
    main()
