"""Reads the tables of the settings that only some commands use, and names what is wrong in them."""

import os
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic import BaseModel

    from autonomy.chat.slack.authorization import SlackSettings
    from autonomy.errors import ConfigError
    from autonomy.settings import Config

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

    values = {name: os.environ[variable] for name, variable in SLACK_VARIABLES.items() if os.environ.get(variable)}
    return config.table("slack", SlackSettings, **values)


def complete_slack_settings(config: "Config", *, needs_socket: bool) -> "SlackSettings":
    """The settings, complete. Raises `ConfigError` naming what is missing."""
    from autonomy.errors import ConfigError

    found = read_slack_settings(config)
    second = ("app_token", "xapp-…") if needs_socket else ("signing_secret", "the app's signing secret")
    for name, form in (("bot_token", "xoxb-…"), second):
        token = getattr(found, name).get_secret_value()
        if not token:
            raise ConfigError("environment", SLACK_VARIABLES[name], f"is not set ({form}); docs/slack.md tells where to find it")
        if token.startswith(_OTHER_TOKENS.get(name, ())):
            kind = f"is another token of Slack ({token[:5]}…), not {form}; docs/slack.md tells where to find it"
            raise ConfigError("environment", SLACK_VARIABLES[name], kind)
    return found


_OTHER_TOKENS = {"bot_token": ("xapp-", "xoxp-"), "app_token": ("xoxb-", "xoxp-", "xoxe")}
"""How tokens begin that people put in the place of these; Slack would refuse them, where it can be reached."""


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


def webhook_problems(config: "Config") -> list[str]:
    """The jobs here that no signed request can start, each with why."""
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import read_all
    from autonomy.jobs.webhook import webhook_problem

    problems = (webhook_problem(job.name, job.webhook, os.environ) for job in read_all(job_folders(config.settings))[0])
    return [problem for problem in problems if problem]


def missing_jobs(config: "Config") -> "Iterator[ConfigError]":
    """Where the settings name a job that is not there, so that its result is posted nowhere, or nobody can run it."""
    from autonomy.errors import ConfigError
    from autonomy.jobs.job_folders import job_files, job_folders, name_of
    from autonomy.mcp_gateway.clients.profiles import GatewayClients
    from autonomy.notifications.report_settings import ReportSettings
    from discovery.text.near_names import did_you_mean

    try:
        named = [("slack.reports", name) for name in read_slack_settings(config).reports]
        named += [("report.job", name) for name in [config.table("report", ReportSettings).job] if name]
        clients = config.table("gateway", GatewayClients).clients
        named += [(f"gateway.clients.{client}.jobs", name) for client, profile in clients.items() for name in profile.jobs]
    except ConfigError:  # told of by `table_problems`
        return
    known = {name_of(file) for file in job_files(job_folders(config.settings))}
    for where, name in named:
        if name not in known:
            yield ConfigError(
                config.origins[where.partition(".")[0]], where, f"there is no job {name!r}{did_you_mean(name, known)}"
            )
