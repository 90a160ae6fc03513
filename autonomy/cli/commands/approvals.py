"""`jiritsu approvals`: what runs ask people before they act."""

import json
from typing import TYPE_CHECKING

import click

from autonomy.cli.terminal import AS_JSON, agreed, print_json, say, show, show_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autonomy.durable.suggested_rules import SuggestedRule
    from autonomy.settings import Config
    from discovery.catalog import JsonObject


@click.group(invoke_without_command=True)
@click.pass_context
def approvals(ctx: click.Context) -> None:
    """List what waits for a person, approve it or deny it.

    \b
    jiritsu approvals list
    jiritsu approvals approve 1a2b3c4d
    jiritsu approvals deny 1a2b3c4d --reason "the wrong channel"
    jiritsu approvals suggest
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_approvals)


@approvals.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that were answered or have expired.")
@AS_JSON
@click.pass_context
def list_approvals(ctx: click.Context, everything: bool, as_json: bool) -> None:
    """List what waits, oldest first, with the exact arguments."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from datetime import datetime

        from autonomy.run_state.question_view import question_view
        from autonomy.stores import open_stores
        from metrics.reporting.reason_words import reason_in

        async with open_stores(config) as books:
            found = await books.approvals.listed(tenant=config.settings.tenant, state=None if everything else "pending")
        if as_json:
            print_json([approval.model_dump(mode="json") for approval in found])
            return 0
        for approval in found:
            question = approval.question
            until = datetime.fromtimestamp(approval.expires_at).astimezone()
            say(f"{approval.id}  {approval.state}  {question.tool} ({question.effect})  until {until:%m-%d %H:%M}")
            why = reason_in(config.settings.language, question.reason)
            say(f"  run {question.run_id}{f', job {question.job}' if question.job else ''}: {why}")
            show_question(question_view(question, config.settings.language), err=False)
        if not found:
            say("nothing waits for a person", err=True)
        return 0

    run_async(command)


@approvals.command("approve")
@click.argument("approval_id")
@click.option("--reason", default="", help="Why; stands in the audit log.")
@click.option("--only", "numbers", type=int, multiple=True, help="Of a list, what has this number; the rest is left out.")
@click.option("--arguments", default="", help="These instead, as a JSON object; of a list, those of each call by its label.")
@click.pass_context
def approve(ctx: click.Context, approval_id: str, reason: str, numbers: tuple[int, ...], arguments: str) -> None:
    """Let the call happen, with exactly the arguments that are listed; of a list all calls, or those of --only."""
    if numbers and arguments:
        raise click.UsageError("--only and --arguments exclude each other: leave out of the arguments what is not to happen")
    _answer(ctx, approval_id, reason, granted=True, numbers=numbers, arguments=_object(arguments) if arguments else None)


@approvals.command("deny")
@click.argument("approval_id")
@click.option("--reason", default="", help="Why; the model is told, and it stands in the audit log.")
@click.pass_context
def deny(ctx: click.Context, approval_id: str, reason: str) -> None:
    """Do not let the call happen."""
    _answer(ctx, approval_id, reason, granted=False)


@approvals.command("suggest")
@click.option(
    "--write", "number", type=click.IntRange(min=1), help="Put the rule of this number into the settings, once you agree."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@AS_JSON
@click.pass_context
def suggest(ctx: click.Context, number: int | None, yes: bool, as_json: bool) -> None:
    """Show rules that would answer as people did: what was approved in three runs or more, and never denied.

    A rule holds where each value came from words, choices or fields; what text chose never becomes one. Without --write nothing changes.
    """
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.durable.suggested_rules import suggested_rules, without_known
        from autonomy.settings_files import read_policy
        from autonomy.stores import open_stores

        async with open_stores(config) as books:
            answered = await books.approvals.listed(tenant=config.settings.tenant, state=None)
        known = read_policy(config.settings, origin=config.origins["policy"])
        found = without_known(suggested_rules(answered), known)
        if as_json:
            print_json([one.model_dump(mode="json") for one in found])
            return 0
        if number is None:
            _show_suggestions(found)
            return 0
        if number > len(found):
            say("there is no suggestion of that number", err=True)
            return 1
        return _write_rule(config, found[number - 1].rule, yes=yes)

    run_async(command)


def _show_suggestions(found: "Sequence[SuggestedRule]") -> None:
    for number, one in enumerate(found, 1):
        say(f"{number}. {one.tool}: approved in {one.runs} runs by {', '.join(one.by) or 'nobody known'}")
        show(one.rule)
    if not found:
        say("nothing was approved often enough, in the same shape, to become a rule", err=True)


def _write_rule(config: "Config", rule: str, *, yes: bool) -> int:
    """Put a rule into the settings file in force, once a person agrees; the exit code."""
    from autonomy.settings_files import add_rule, file_of_rules

    file = file_of_rules(config)
    show(rule)
    if not yes and not agreed(f"Put this rule into {file}?"):
        return 1
    add_rule(config, rule)
    say(f"{file} has the rule; runs that start from now on follow it, a running worker after its next start", err=True)
    return 0


def _object(text: str) -> "JsonObject":
    try:
        data = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"no JSON ({error})", param_hint="--arguments") from error
    if not isinstance(data, dict):
        raise click.BadParameter("no JSON object", param_hint="--arguments")
    return data


def _answer(
    ctx: click.Context,
    approval_id: str,
    reason: str,
    *,
    granted: bool,
    numbers: "Sequence[int]" = (),
    arguments: "JsonObject | None" = None,
) -> None:
    from autonomy.cli.entry import run_async, settings_of, who
    from autonomy.errors import UnknownRun
    from autonomy.run_state.argument_form import only

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.stores import open_stores

        tenant, given = config.settings.tenant, arguments
        async with open_stores(config) as books:
            if numbers:
                found = [one for one in await books.approvals.listed(tenant=tenant, state=None) if one.id == approval_id]
                if not found:
                    raise UnknownRun(approval_id, "approval")
                given = only(found[0].question, numbers)
            approval = await books.approvals.answer(
                approval_id, granted=granted, by=who(), reason=reason, tenant=tenant, arguments=given
            )
        say(f"{approval.id}: {approval.state}, {approval.question.tool} of run {approval.question.run_id}", err=True)
        return 0

    run_async(command)
