"""Asks the person at the terminal for approval of a call."""

import sys

import click

from autonomy.calls.server_questions import ASKING
from autonomy.cli.terminal import (
    ANSWERS,
    agreed,
    in_a_line,
    readable_answer,
    say,
    say_value,
    says_yes,
    show,
    show_question,
    yes_no_or_edit,
)
from autonomy.cli.words.terminal_words import terminal_language, translate
from autonomy.daemon_threads import run_in_daemon_thread
from autonomy.errors import RunConflict
from autonomy.llm.model_json import read_json
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.argument_form import PREFIX, arguments_of, edit_problems, fields_of, items_of, only
from autonomy.run_state.asking.question_view import question_view, suggested_rule
from autonomy.run_state.step import Step
from discovery.catalog import JsonObject
from discovery.schemas.schema_walk import as_object


class TerminalApprover:
    """Asks on a terminal; where there is none, the answer is no, with the reason."""

    def __init__(self, *, approve_all: bool) -> None:
        self._approve_all = approve_all

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Ask in a run that lives as long as this process."""
        return await step(f"{question.key}/approval", lambda: self.ask(question), ApprovalAnswer)

    async def ask(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Ask once; the answer is for exactly these arguments."""
        if self._approve_all and question.effect == ASKING and not question.input_schema:
            return ApprovalAnswer(answer="denied", reason="--yes opens no page")
        if self._approve_all:
            return ApprovalAnswer(answer="granted", by="--yes")
        if not sys.stdin.isatty():
            step = "`jiritsu runs retry ID --from STEP` with the last step of `--steps` that ends in /approval"
            by_worker = f"let a worker ask (Slack, the console, `jiritsu approvals`): {step}"
            way = f"run it at one, or {by_worker if question.job else 'use --yes, a job, or a policy rule'}"
            return ApprovalAnswer(answer="denied", reason=f"there is no terminal to ask at: {way}")
        if items_of(question):
            return await run_in_daemon_thread(_choose, question)
        if question.effect != ASKING:
            return await run_in_daemon_thread(_prompt, question)
        granted = await run_in_daemon_thread(_answers, question)
        if not granted or not question.input_schema:
            return ApprovalAnswer(answer="granted" if granted else "denied", by="terminal")
        try:
            entered = await run_in_daemon_thread(_enter, question.input_schema)
        except click.Abort:
            return ApprovalAnswer(answer="denied", by="terminal")
        return ApprovalAnswer(answer="granted", by="terminal", arguments=question.arguments | entered)


def _ask(question: ApprovalQuestion) -> None:
    say(err=True)
    view = question_view(question, terminal_language())
    say(f"{view.tool} ({view.effect})" + (f": {view.reason}" if view.reason else ""), err=True)
    show_question(view, err=True)


def _answers(question: ApprovalQuestion) -> bool:
    """Whether the person wants to answer what a server asks."""
    _ask(question)
    return agreed("Answer?", err=True)


def _prompt(question: ApprovalQuestion) -> ApprovalAnswer:
    """Whether a call may happen, as it is or as the person edits it; nobody there to answer is a no."""
    _ask(question)
    arguments = question.arguments
    try:
        while (granted := _may_happen(arguments)) is None:
            arguments = _edited(question, arguments)
    except click.Abort:
        say(err=True)
        granted = False
    if not granted:
        return ApprovalAnswer(answer="denied", by="terminal")
    if arguments != question.arguments:
        return ApprovalAnswer(answer="granted", by="terminal", arguments=arguments)
    if rule := suggested_rule(question):
        say("To allow this shape always, put this rule into the settings:", err=True)
        show(rule, err=True)
    return ApprovalAnswer(answer="granted", by="terminal")


def _may_happen(arguments: JsonObject) -> bool | None:
    """Whether the person allows the call; None to edit one of its arguments first. Raises `click.Abort`."""
    if not arguments:
        return says_yes("Allow this call?", err=True)
    return yes_no_or_edit("Allow this call, or edit it first?", err=True)


def _edited(question: ApprovalQuestion, arguments: JsonObject) -> JsonObject:
    """The arguments with one of them as the person wrote it in an editor, shown; the same where that does not fit. Raises
    `click.Abort`."""
    fields = {field.name: field for field in fields_of(arguments, question.input_schema) if field.name in arguments}
    first = max(fields, key=lambda name: len(fields[name].value))  # the text is what people edit
    ask = f"{translate('Which argument?')} ({', '.join(fields)})"
    name = click.prompt(in_a_line(ask), default=first, err=True).strip() if len(fields) > 1 else first
    if name not in fields:
        say(f"'{name}' is not one of {', '.join(fields)}.", err=True)
        return arguments
    try:
        text = click.edit(fields[name].value + "\n", extension=".md")
        if text is None:
            return arguments
        changed = arguments_of({PREFIX + name: text.removesuffix("\n")}, arguments, question.input_schema)
    except (click.ClickException, RunConflict) as error:
        say(error.format_message() if isinstance(error, click.ClickException) else str(error), err=True)
        return arguments
    except UnicodeError:  # some editors save in another encoding, whatever they opened
        say("that does not fit: it is no text in UTF-8", err=True)
        return arguments
    if problems := edit_problems(question, changed):
        say(f"that does not fit: {'; '.join(problems)}", err=True)
        return arguments
    if name in changed:
        say_value(name, changed[name], err=True)
    return changed


_ALL_OR_NONE = {**ANSWERS, "all": True, "全部": True, "すべて": True, "none": False, "なし": False}


def _choose(question: ApprovalQuestion) -> ApprovalAnswer:
    """Which items of a list may happen; what cannot be understood is asked again, and nobody there to answer is a no."""
    _ask(question)
    while True:
        try:
            text = click.prompt(translate("Which of them may happen? all, none, or their numbers"), default="none", err=True)
        except click.Abort:
            return ApprovalAnswer(answer="denied", by="terminal")
        chosen = readable_answer(text)
        if (all_of_them := _ALL_OR_NONE.get(chosen)) is not None:
            return ApprovalAnswer(answer="granted" if all_of_them else "denied", by="terminal")
        numbers = chosen.replace(",", " ").replace("、", " ").split()
        if strange := [number for number in numbers if not number.isdecimal()]:
            say(f"'{strange[0]}' is no number: write `all`, `none` or numbers such as `1 3`", err=True)
            continue
        try:
            return ApprovalAnswer(answer="granted", by="terminal", arguments=only(question, {int(number) for number in numbers}))
        except RunConflict as error:
            say(str(error), err=True)


def _enter(form: JsonObject) -> JsonObject:
    """Ask a person for the fields of a server's form; an empty line takes the default, or leaves an optional field out. Raises
    `click.Abort`."""
    entered: JsonObject = {}
    for name, field in as_object(form.get("properties")).items():
        choices = field.get("enum") or [one.get("const") for one in field.get("oneOf", ())]
        parts = [field.get("title") or name, field.get("description", ""), *([choices] if choices else [])]
        if "default" in field:
            parts.append(f"[{field['default']}]")
        # the server's own words: on one line, and nothing in them acts on the terminal
        title = in_a_line(" ".join(map(str, parts)))
        text = click.prompt(title, default=field.get("default", ""), show_default=False, err=True)
        if text == "":
            continue
        try:
            entered[name] = text if field.get("type") == "string" or not isinstance(text, str) else read_json(text)
        except ValueError:
            entered[name] = text  # the form is checked as a whole, and asked again with what does not fit
    return entered
