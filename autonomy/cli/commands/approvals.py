"""`jiritsu approvals`: lists and answers the questions that runs ask before they act."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import AS_JSON, pass_config, pass_stores
from autonomy.cli.parameter_types import Moment, moment_of
from autonomy.cli.terminal import agreed, print_json, say, show, show_question
from autonomy.cli.words.terminal_words import terminal_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autonomy.durable.suggested_rules import SuggestedRule
    from autonomy.settings import Config
    from autonomy.stores import Stores
    from discovery.catalog import JsonObject


@click.group(invoke_without_command=True)
@click.pass_context
def approvals(ctx: click.Context) -> None:
    """List what waits for a person, approve it or deny it.

    \b
    jiritsu approvals list
    jiritsu approvals approve 1a2b3c4d
    jiritsu approvals approve 1a2b3c4d --set body_md=@text.md
    jiritsu approvals deny 1a2b3c4d --reason "the wrong channel"
    jiritsu approvals suggest
    jiritsu approvals rules
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_approvals)


@approvals.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that were answered or have expired.")
@click.option("--since", type=Moment(), help="With --all, only questions asked since this: 30d, or a date.")
@click.option("--until", type=Moment(), help="With --all, only questions asked before this.")
@AS_JSON
@pass_stores
async def list_approvals(
    stores: "Stores", everything: bool = False, since: str | None = None, until: str | None = None, as_json: bool = False
) -> None:
    """List what waits, oldest first, with the exact arguments; with --all also who answered what, and when."""
    from datetime import datetime

    from autonomy.run_state.asking.question_view import question_view
    from metrics.reporting.report_words import word

    if (since or until) and not everything:
        raise click.UsageError("--since and --until need --all")
    language, now = terminal_language(), stores.settings.now()
    found = await stores.approvals.listed(tenant=stores.settings.tenant, state=None if everything else "pending")
    begin, end = (moment_of(text, now).timestamp() if text else None for text in (since, until))
    found = tuple(one for one in found if (begin or 0.0) <= one.asked_at and (end is None or one.asked_at < end))
    if as_json:
        print_json([approval.model_dump(mode="json") for approval in found])
        return
    for approval in found:
        question = approval.question
        view = question_view(question, language)
        state = word(approval.state, language)
        when = datetime.fromtimestamp(approval.answered_at or approval.expires_at, now.tzinfo)
        if approval.state == "pending":
            stands = word("until", language, at=f"{when:%m-%d %H:%M}")
        else:
            stands = "  ".join(filter(None, (f"{when:%Y-%m-%d %H:%M}", approval.answered_by, approval.reason)))
        say(f"{approval.id}  {state}  {question.tool} ({view.effect})  {stands}", verbatim=True)
        of_job = f", {word('job', language).lower()} {question.job}" if question.job else ""
        reason = f": {view.reason}" if view.reason else ""
        say(f"  {word('run', language).lower()} {question.run_id}{of_job}{reason}", verbatim=True)
        show_question(view, err=False)
    if any(approval.state == "pending" for approval in found):
        say("`jiritsu approvals approve ID` or `deny ID` answers; `approve ID --set NAME=VALUE` changes it first", err=True)
    if not found:
        say("nobody was asked anything in that time" if since or until else "nothing waits for a person", err=True)


@approvals.command("approve")
@click.argument("approval_id")
@click.option("--reason", default="", help="The reason, for the audit log.")
@click.option(
    "--only", "numbers", type=int, multiple=True, help="Of a list, approve only the call with this number; repeat it for more."
)
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another value for an argument; @FILE takes it from a file. Repeat it for more.",
)
@pass_stores
async def approve(stores: "Stores", approval_id: str, reason: str, numbers: tuple[int, ...], changes: tuple[str, ...]) -> None:
    """Approve a call as it is listed, or as --set changes it; of a list all calls, or those of --only."""
    if numbers and changes:
        raise click.UsageError("--only and --set exclude each other")
    await _answer(stores, approval_id, reason, granted=True, numbers=numbers, changes=changes)


@approvals.command("deny")
@click.argument("approval_id")
@click.option("--reason", default="", help="The reason, for the model and the audit log.")
@pass_stores
async def deny(stores: "Stores", approval_id: str, reason: str) -> None:
    """Deny a call."""
    await _answer(stores, approval_id, reason, granted=False)


@approvals.command("suggest")
@click.option(
    "--write", "number", type=click.IntRange(min=1), help="Write the rule with this number to the settings, after you confirm."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@AS_JSON
@pass_stores
async def suggest(stores: "Stores", number: int | None, yes: bool, as_json: bool) -> int:
    """Show rules that would answer as people did: what was approved in three runs or more, and never denied.

    A rule holds where each value came from words, choices or fields; what text chose never becomes one. Without --write nothing changes.
    """
    if number is not None and as_json:
        raise click.UsageError("--write and --json exclude each other")
    from autonomy.durable.suggested_rules import suggested_rules, without_known
    from autonomy.settings_files import read_policy

    answered = await stores.approvals.listed(tenant=stores.settings.tenant, state=None)
    policy = read_policy(stores.settings, origin=stores.config.origins["policy"])
    found = without_known(suggested_rules(answered), policy)
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return 0
    if number is None:
        _show_suggestions(found)
        return 0
    if number > len(found):
        say("there is no suggestion of that number", err=True)
        return 1
    return _write_rule(stores.config, found[number - 1].rule, yes=yes)


@approvals.command("rules")
@click.option(
    "--remove",
    "number",
    type=click.IntRange(min=1),
    help="Remove the rule with this number from the settings, after you confirm.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@AS_JSON
@pass_config()
def rules(config: "Config", number: int | None, yes: bool, as_json: bool) -> None:
    """Show the rules that answer in place of a person, and their files."""
    if number is not None and as_json:
        raise click.UsageError("--remove and --json exclude each other")
    from autonomy.settings_files import file_of_rules, remove_rule, rules_in

    file = file_of_rules(config)
    found = rules_in(file)
    if as_json:
        print_json([{"file": str(file), "number": at, "rule": rule} for at, rule in enumerate(found, 1)])
    elif number is None:
        for at, rule in enumerate(found, 1):
            say(f"{at}. {file}")
            show(rule)
        if len(found) != len(config.settings.policy):
            say(f"the rules of {file} stand there in another form; change them there", err=True)
        elif not found:
            say("no rule answers in place of a person", err=True)
    elif number > len(found):
        say("there is no rule of that number", err=True)
        raise click.exceptions.Exit(1)
    else:
        show(found[number - 1])
        if not yes and not agreed(f"Take this rule out of {file}?"):
            raise click.exceptions.Exit(1)
        remove_rule(config, number)
        say(f"{file} is without the rule; runs that start from now on ask again, a running worker after its next start", err=True)


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
    say("jiritsu approvals rules shows it, and --remove takes it out again", err=True)
    return 0


def changed_arguments(arguments: "JsonObject", changes: "Sequence[str]") -> "JsonObject":
    """The arguments with other values; what is no text is read as JSON, @FILE from a file. Raises `ConfigError`."""
    from pathlib import Path

    from autonomy.errors import ConfigError
    from autonomy.llm.model_json import read_json

    changed = dict(arguments)
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name not in arguments:
            raise ConfigError("--set", "", f"{change!r} is not NAME=VALUE; the names are {', '.join(arguments)}")
        try:
            text = Path(value[1:]).read_text(encoding="utf-8-sig") if value.startswith("@") else value
        except (OSError, ValueError) as error:
            raise ConfigError("--set", name, f"cannot be read: {error}") from error
        try:
            changed[name] = text if isinstance(arguments[name], str) else read_json(text)
        except ValueError:
            raise ConfigError("--set", name, f"{value!r} is not JSON") from None
    return changed


async def _answer(
    stores: "Stores",
    approval_id: str,
    reason: str,
    *,
    granted: bool,
    numbers: "Sequence[int]" = (),
    changes: "Sequence[str]" = (),
) -> None:
    import anyio.to_thread

    from autonomy.cli.entry import who
    from autonomy.errors import UnknownRun
    from autonomy.run_state.asking.argument_form import only
    from metrics.reporting.report_words import word

    await anyio.to_thread.run_sync(stores.journal.require_key)
    tenant, edited, seen = stores.settings.tenant, None, ""
    if numbers or changes:
        if (asked := await stores.approvals.get(approval_id, tenant)) is None:
            raise UnknownRun(approval_id, "approval")
        question = asked.question
        edited = only(question, numbers) if numbers else changed_arguments(question.arguments, changes)
        seen = question.arguments_sha256
    approval = await stores.approvals.answer(
        approval_id, granted=granted, by=who(), reason=reason, tenant=tenant, sha256=seen, arguments=edited
    )
    state = word(approval.state, terminal_language())
    say(f"{approval.id}: {state}, {approval.question.tool} of run {approval.question.run_id}", err=True)
