"""Checks whether a worker is ready, for a container's health check, and names the obstacles.

`python -m autonomy.cli.health [ADDRESS]`: exit code 0 where a worker says it is ready.
"""

import os
import re
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pydantic import BaseModel

    from autonomy.chat.slack.authorization import SlackSettings
    from autonomy.errors import ConfigError
    from autonomy.settings import Config
    from discovery.catalog import ToolSpec

ADDRESS = "http://127.0.0.1:9464/readyz"


def main(address: str = ADDRESS) -> int:
    """Ask once; what is wrong is on stderr."""
    try:
        answer = httpx2.get(address, timeout=4)
    except httpx2.HTTPError as error:
        say(f"{address}: {type(error).__name__}: {error}", err=True)
        return 1
    if answer.status_code != 200:
        say(f"{address}: {answer.text}", err=True)
    return 0 if answer.status_code == 200 else 1


CONTAINER_SIGNS = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman put into a container."""

_ANONYMOUS = re.compile(r"/volumes/[0-9a-f]{64}/_data|kubernetes\.io~empty-dir")
"""Where a volume lies that nobody named: the next container gets another one."""


def ends_with_container(config: "Config") -> str:
    """Why what is remembered ends with this container; empty outside of one, and where it is kept."""
    inside = "KUBERNETES_SERVICE_HOST" in os.environ or any(sign.exists() for sign in CONTAINER_SIGNS)
    if not inside or not config.database_url.startswith("sqlite"):
        return ""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    home = config.settings.home
    return f"{home} is on no volume: its runs and receipts end with this container" if passes(home, mounts) else ""


def open_to_others(home: Path) -> str:
    """Why others on this machine can look into the data directory; empty where they cannot. One that is shared or lived
    in keeps its own permissions (`close_to_others`)."""
    try:
        return f"others on this machine can look into {home}" if home.stat().st_mode & 0o077 and os.name == "posix" else ""
    except OSError:
        return ""


def passes(folder: Path, mounts: str) -> bool:
    """Whether a folder ends with its container: `mounts` is `/proc/self/mountinfo` (proc(5))."""
    found = [(fields[4], fields[3], rest.split()[0]) for line in mounts.splitlines() for fields, rest in [_halves(line)] if rest]
    above = [(len(point), root, kind) for point, root, kind in found if folder.absolute().is_relative_to(point)]
    _, root, kind = max(above, default=(0, "/", ""))
    return kind in {"overlay", "aufs", "tmpfs"} or bool(_ANONYMOUS.search(root))


def webhook_problems(config: "Config") -> list[str]:
    """The jobs here that no signed request can start, each with why."""
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import read_all
    from autonomy.jobs.webhook import webhook_problem

    problems = (webhook_problem(job.name, job.webhook, os.environ) for job in read_all(job_folders(config.settings))[0])
    return [problem for problem in problems if problem]


SLACK_VARIABLES = {
    "bot_token": "SLACK_BOT_TOKEN",
    "app_token": "SLACK_APP_TOKEN",
    "signing_secret": "SLACK_SIGNING_SECRET",
    "api_url": "SLACK_API_URL",
}
"""Where each secret is read from, and the address."""


def read_slack_settings(config: "Config") -> "SlackSettings":
    """`[slack]` and the tokens of the environment, as far as they are there. Raises `ConfigError` for a key that does not fit."""
    from autonomy.chat.slack.authorization import SlackSettings

    given = {name: os.environ[variable] for name, variable in SLACK_VARIABLES.items() if os.environ.get(variable)}
    return config.table("slack", SlackSettings, **given)


def table_problems(config: "Config") -> "Iterator[ConfigError]":
    """What cannot be used of the tables, the first problem of each: file, key, and the keys that there are."""
    from autonomy.durable.engine import ConcurrencyLimits
    from autonomy.durable.retention import KeepSettings
    from autonomy.errors import ConfigError
    from autonomy.mcp_gateway.clients.profiles import GatewayClients
    from autonomy.notifications.report_settings import ReportSettings
    from autonomy.notifications.schedule_alerts import AlertSettings
    from autonomy.run_state.limits import Limits
    from autonomy.settings_files import check_models, quiet_hours, read_policy
    from autonomy.warm.warm_settings import WarmSettings
    from autonomy.web.web_settings import WebSettings
    from discovery.search.offering import OfferLimits

    forms: dict[str, type[BaseModel]] = {
        "alerts": AlertSettings,
        "gateway": GatewayClients,
        "keep": KeepSettings,
        "limits": Limits,
        "report": ReportSettings,
        "tools": OfferLimits,
        "warm": WarmSettings,
        "web": WebSettings,
        "workers": ConcurrencyLimits,
    }
    checks: list[Callable[[], object]] = [partial(config.table, key, form) for key, form in forms.items()]
    checks += [partial(check, config) for check in (check_models, quiet_hours, read_slack_settings)]
    checks.append(lambda: read_policy(config.settings, origin=config.origins["policy"]))
    for check in checks:
        try:
            check()
        except ConfigError as problem:
            yield problem


def undeclared_effects(tools: "Sequence[ToolSpec]") -> str:
    """How many of a server's tools count as writes only because nobody says what they do; empty where none does."""
    unsaid = sum(not spec.declared for spec in tools)
    if not unsaid:
        return ""
    return f"nothing says whether {unsaid} of {len(tools)} tools only read, so they count as writes"


def settle_effects(server: str) -> str:
    """The command that settles what a server's tools do."""
    return f"`jiritsu servers trust {shlex.quote(server)} --effects review` proposes what they do"


def _halves(line: str) -> tuple[list[str], str]:
    before, _, after = line.partition(" - ")
    return before.split(), after if len(before.split()) > 4 else ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
