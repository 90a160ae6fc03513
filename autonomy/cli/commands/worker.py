"""`jiritsu worker`: executes queued and due runs, and takes over the runs of dead workers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from autonomy.app import App
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.jobs.triggers import TriggerWatch
    from autonomy.settings import Config


GRACE_S = 10.0
"""How long calls under way may go on when a service is told to stop."""


@asynccontextmanager
async def working(app: "App", executor_id: str = "", *, kind: str = "worker") -> "AsyncIterator[DurableRuns]":
    """The engine of a service (`kind`: its command), which says what becomes of its runs when it is told to stop."""
    from autonomy.cli.entry import closed_first
    from autonomy.cli.process_log import announce

    engine = None
    try:
        opened = app.durable(takes_work=True, executor_id=executor_id, grace_s=GRACE_S, kind=kind)
        async with closed_first(), opened as engine:
            try:
                yield engine
            finally:
                if going := engine.going():
                    announce(f"jiritsu: stopping; runs under way: {len(going)}, whose calls get {GRACE_S:.0f} s")
    finally:
        if engine is not None and engine.interrupted:
            announce(f"jiritsu: interrupted, to be taken up by the next worker: {', '.join(engine.interrupted)}")


async def start_services(group: "TaskGroup", app: "App", *, watch: "TriggerWatch | None", with_console: bool) -> None:
    """Start what a service does beside its runs; without a `watch` no due or triggered jobs, no alerts and no report."""
    import anyio.to_thread

    from autonomy.app_services import freee_tokens, job_runner, reporter, schedule_alerter
    from autonomy.cli.commands.web import serve_console
    from autonomy.stores import retention

    group.start_soon(retention(app).keep_tidy)
    if tokens := await anyio.to_thread.run_sync(freee_tokens, app):
        group.start_soon(tokens.keep_alive)
    if watch:
        for service in (job_runner(app), watch, schedule_alerter(app), reporter(app)):
            group.start_soon(service.keep)
    if with_console:
        group.start_soon(serve_console, app)


@click.command()
@click.option("--id", "worker_id", default="", help="This worker's unique name. Default: from host, process and a random part.")
@click.option("--no-schedules", is_flag=True, help="Run queued runs only; leave the schedules to other workers.")
@click.option("--web", "with_console", is_flag=True, help="Serve the console too (`jiritsu web`).")
@click.option(
    "--listen",
    "listen_at",
    default="",
    metavar="HOST:PORT",
    help="Serve /healthz, /readyz, /metrics and webhooks at this address.",
)
@pass_config(calls_tools=True)
def worker(config: "Config", worker_id: str, no_schedules: bool, with_console: bool, listen_at: str) -> None:
    """Run queued and due runs until stopped (Ctrl-C, SIGTERM): current calls may finish, and the rest continues at the next start.

    Start as many as you like, on one machine with SQLite or on several with PostgreSQL (JIRITSU_DATABASE_URL).
    """
    from autonomy.cli.entry import run_async
    from autonomy.cli.listen import check_free, serve_asgi, split_address
    from autonomy.cli.process_log import announce, announce_problems

    where = split_address("--listen", listen_at) if listen_at else None
    if where is not None:
        check_free("--listen", *where)  # before it says that it is ready

    from autonomy.app import open_app  # reads files, so not on the event loop

    async def command() -> None:
        import anyio

        from autonomy.app_services import trigger_watch
        from autonomy.cli.data_directory import ends_with_container
        from autonomy.cli.endpoints import worker_endpoints
        from autonomy.cli.reports.run_log import RunLog
        from autonomy.cli.settings_tables import missing_jobs, table_problems, webhook_problems

        opened = open_app(config, watchers=(RunLog(),), approver=None, runs_schedules=not no_schedules)
        async with opened as app, working(app, executor_id=worker_id):
            hooks = await anyio.to_thread.run_sync(webhook_problems, config)
            jobs = await anyio.to_thread.run_sync(lambda: [*missing_jobs(config)])
            announce_problems(ends_with_container(config), *hooks, *table_problems(config), *jobs)
            announce("jiritsu worker: ready")
            async with anyio.create_task_group() as group:
                await start_services(group, app, watch=None if no_schedules else trigger_watch(app), with_console=with_console)
                if where:
                    group.start_soon(serve_asgi, worker_endpoints(app), *where, "--listen")
                await anyio.sleep_forever()

    run_async(command, stays=True)
