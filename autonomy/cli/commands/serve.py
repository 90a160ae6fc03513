"""`jiritsu serve`: answers in Slack and works as a worker, until it is stopped."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config

if TYPE_CHECKING:
    from autonomy.chat.slack.authorization import SlackSettings
    from autonomy.chat.slack.slack_api import SlackAway
    from autonomy.chat.slack.slack_app import SlackServices
    from autonomy.settings import Config


@click.command()
@click.option("--http", "address", default="", metavar="HOST:PORT", help="Receive events over HTTP instead of Socket Mode.")
@click.option("--metrics", "scrape_at", default="", metavar="HOST:PORT", help="Serve /metrics for Prometheus at this address.")
@click.option("--no-schedules", is_flag=True, help="Answer people only; leave the schedules to `jiritsu worker`.")
@click.option("--web", "with_console", is_flag=True, help="Serve the console too (`jiritsu web`).")
@pass_config(calls_tools=True)
def serve(config: "Config", address: str, scrape_at: str, no_schedules: bool, with_console: bool) -> None:
    """Answer mentions and messages in Slack, ask before acting, and run scheduled jobs.

    Needs SLACK_BOT_TOKEN and, for Socket Mode, SLACK_APP_TOKEN; over HTTP, SLACK_SIGNING_SECRET. See docs/slack.md.
    """
    from autonomy.cli.entry import run_async
    from autonomy.cli.listen import check_free, serve_asgi, split_address
    from autonomy.cli.process_log import announce_problems
    from autonomy.cli.settings_tables import complete_slack_settings

    slack = complete_slack_settings(config, needs_socket=not address)
    where = split_address("--http", address) if address else None
    scraped = split_address("--metrics", scrape_at) if scrape_at else None
    for option, taken in (("--http", where), ("--metrics", scraped)):
        if taken is not None:
            check_free(option, *taken)  # before it says that it is ready

    from autonomy.app import open_app  # reads files, so not on the event loop

    async def command() -> None:
        import anyio

        from autonomy.app_services import chat_service, trigger_watch
        from autonomy.chat.engine_runs import EngineRuns
        from autonomy.chat.slack.live_answer import LiveAnswers
        from autonomy.chat.slack.slack_app import SlackServices
        from autonomy.cli.commands.worker import start_services, working
        from autonomy.cli.data_directory import ends_with_container
        from autonomy.cli.endpoints import scrape_page
        from autonomy.cli.reports.run_log import RunLog
        from autonomy.cli.sample import ON_SAMPLE
        from autonomy.cli.settings_tables import missing_jobs, table_problems
        from autonomy.settings_files import on_sample

        live_answers = LiveAnswers()
        reported = set[str]()
        async with (
            anyio.create_task_group() as early,
            open_app(
                config,
                watchers=(live_answers, RunLog()),
                approver=None,
                listeners=(live_answers.listener,),
                runs_schedules=not no_schedules,
            ) as app,
        ):
            early.start_soon(report_if_unreachable, slack, reported)
            # whoever asks in Slack would take the people and posts of the sample for the team's
            sample = ON_SAMPLE if on_sample(config.settings) else ""
            jobs = await anyio.to_thread.run_sync(lambda: [*missing_jobs(config)])
            announce_problems(ends_with_container(config), *table_problems(config), *jobs, sample)
            async with working(app, kind="serve") as engine:
                service = chat_service(app, EngineRuns(engine, app.orders))
                watch = None if no_schedules else trigger_watch(app)
                services = SlackServices(
                    service, app.engine, app.approvals, app.runs, live_answers, app.journal, watch.heard if watch else None
                )
                async with anyio.create_task_group() as group:
                    await start_services(group, app, watch=watch, with_console=with_console)
                    if scraped:
                        group.start_soon(serve_asgi, scrape_page(app.journal), *scraped, "--metrics")
                    await answer_in_slack(slack, services, where, reported)
                    group.cancel_scope.cancel()

    run_async(command, stays=True)


AGAIN_S = 10.0
"""How soon an unreachable Slack is tried again."""


async def report_if_unreachable(settings: "SlackSettings", reported: set[str]) -> None:
    """Say soon that Slack cannot be reached, while servers are still starting. Raises `ConfigError` for a token it refuses."""
    from autonomy.chat.slack.slack_api import SlackAway, reach

    try:
        await reach(settings)
    except SlackAway as error:
        _tell_away(error, reported)


async def answer_in_slack(
    settings: "SlackSettings", services: "SlackServices", where: tuple[str, int] | None, reported: set[str]
) -> None:
    """Answer people in Slack until cancelled; while it cannot be reached, say so once, and try again. Raises `ConfigError`."""
    import anyio

    from autonomy.chat.slack.slack_api import SlackAway
    from autonomy.chat.slack.slack_app import open_slack
    from autonomy.cli.listen import serve_asgi
    from autonomy.cli.process_log import announce

    while True:
        try:
            async with open_slack(settings, services) as app:
                announce("jiritsu serve: ready")
                await (serve_asgi(app.web_app(), *where, "--http") if where else app.listen())
                return
        except SlackAway as error:
            _tell_away(error, reported)
        await anyio.sleep(AGAIN_S)


def _tell_away(error: "SlackAway", reported: set[str]) -> None:
    from autonomy.cli.process_log import announce

    if str(error) not in reported:
        reported.add(str(error))
        announce(f"jiritsu serve: Slack cannot be reached: {error}; all else runs, and it is tried again")
