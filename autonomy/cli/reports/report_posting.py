"""Posts a report in a channel."""

from dataclasses import replace
from typing import Literal

from autonomy.app import open_app
from autonomy.app_services import reporter
from autonomy.calls.verification.effect_ledger import OutcomeUnknown
from autonomy.cli.terminal import say
from autonomy.settings import Config

LONGEST_START_S = 120.0
"""How long a person who posts a report waits for the server that it is posted by."""


async def post_period(
    config: Config, channel: str, bounds: tuple[float, float], *, job: str, tenant: str, language: Literal["ja", "en"]
) -> int:
    """Post the summary of a period in a channel, as the schedule does; gives the exit code.

    `bounds`: its begin and end in seconds since the epoch. Raises as opening the app and a call do.
    """
    async with open_app(config, runs_goals=False) as app:
        usual = reporter(app)
        await app.gateway.catalog(needed=[usual.settings.tool], wait_s=LONGEST_START_S)
        settings = usual.settings.model_copy(update={"job": job})
        report = replace(usual, settings=settings, tenant=tenant, language=language)
        try:
            decision = await report.post(f"report-{app.now():%Y%m%dT%H%M%S%f}", channel, *bounds)
        except OutcomeUnknown:
            say(f"nobody knows whether it was posted in {channel}: see `jiritsu effects list`", err=True)
            return 1
    if decision.decision != "allow":
        say(f"not posted: the rule {decision.rule!r} says {decision.decision}", err=True)
        return 1
    say(f"posted in {channel}", err=True)
    return 0
