"""Renders a question's arguments as a modal to edit and approve, and reads a filled one.

A press binds what is shown, so there is a modal only where every argument fits into its field whole. Limits are Slack's
(docs.slack.dev/reference/views, /reference/block-kit/block-elements).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from autonomy.chat.slack.blocks import ID, Block, plain, plain_text, word
from autonomy.chat.slack.events.request_form import Editing
from autonomy.durable.approval_store import Approval
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.argument_form import PREFIX, ArgumentField, form_of, read_form
from autonomy.run_state.asking.question_view import question_view
from discovery.catalog import JsonObject

EDITED = "jiritsu_edited"
TICKED = "ticked"

MOST_FIELDS = 90
"""A view holds 100 blocks."""
LONGEST_VALUE = 3_000
LONGEST_HINT = 2_000
MOST_OPTIONS, LONGEST_OPTION = 100, 75


def can_edit(question: ApprovalQuestion) -> bool:
    """Whether a modal shows every argument whole."""
    fields = form_of(question)
    return 0 < len(fields) <= MOST_FIELDS and all(_fits(field) for field in fields)


def edit_view(approval: Approval, language: str, *, at_home: bool, names: Mapping[str, str] = MappingProxyType({})) -> Block:
    """The modal for `views.open`; only for a question that `can_edit`. `names`: of people and channels, by id."""
    question = approval.question
    editing = Editing(approval_id=approval.id, sha256=question.arguments_sha256, at_home=at_home)
    view = question_view(question, language)
    reason = word("why", language, reason=view.reason)
    fields = form_of(question, language)
    return {
        "type": "modal",
        "callback_id": EDITED,
        "private_metadata": editing.model_dump_json(),
        "title": plain_text(word("edit_title", language)),
        "submit": plain_text(word("approve", language)),
        "close": plain_text(word("back", language)),
        "blocks": [
            plain(f"{view.tool} ({view.effect})\n{reason}"),
            *(_input(number, field, language, names) for number, field in enumerate(fields)),
        ],
    }


def filled_in(question: ApprovalQuestion, values: Mapping[str, Any]) -> JsonObject | None:
    """The arguments as the modal has them, from `view.state.values`; None when they are the ones that were asked about.

    Raises `RunConflict` naming the field that cannot be read.
    """
    entered = {
        PREFIX + field.name: _answer_in(field, values.get(block_of(number), {})) for number, field in enumerate(form_of(question))
    }
    return read_form({name: value for name, value in entered.items() if value is not None}, question)


def block_to_blame(question: ApprovalQuestion, problem: str) -> str:
    """The block under which Slack shows what is wrong: that of the field which is named first, else the first."""
    names = [field.name for field in form_of(question)]
    complaint = problem.partition(f"{question.tool}: ")[2] or problem
    found = [(complaint.find(name), number) for number, name in enumerate(names) if name in complaint]
    return block_of(min(found)[1] if found else 0)


def block_of(number: int) -> str:
    """The id of an argument's block: names may be longer than Slack takes."""
    return f"argument-{number}"


def _fits(field: ArgumentField) -> bool:
    return len(field.value) <= LONGEST_VALUE and len(field.name) <= LONGEST_VALUE // 2


def _input(number: int, field: ArgumentField, language: str, names: Mapping[str, str]) -> Block:
    label = field.name if field.kind != "json" else f"{field.name} (JSON)"
    block = {
        "type": "input",
        "block_id": block_of(number),
        "label": plain_text(label),
        "optional": True,
        "element": _element(field, language),
    }
    known = [f"{one} = {names[one]}" for one in dict.fromkeys(ID.findall(field.value)) if one in names]
    hint = "\n".join([*known, *([field.about] if field.about else [])])
    return block | ({"hint": plain_text(hint[:LONGEST_HINT])} if hint else {})


def _element(field: ArgumentField, language: str) -> Block:
    if field.kind == "item":
        ticked = {"text": plain_text(word("do_it", language)), "value": TICKED}
        return {"type": "checkboxes", "action_id": "value", "options": [ticked], "initial_options": [ticked]}
    if _as_options(field):
        options = [{"text": plain_text(one), "value": one} for one in field.choices]
        chosen = [one for one in options if one["value"] == field.value]
        return {"type": "static_select", "action_id": "value", "options": options} | (
            {"initial_option": chosen[0]} if chosen else {}
        )
    typed = {"type": "plain_text_input", "action_id": "value", "multiline": field.is_long or field.kind == "text"}
    return typed | ({"initial_value": field.value} if field.value else {})


def _as_options(field: ArgumentField) -> bool:
    """A value that is none of the choices is shown as it is, to be written over."""
    few = 0 < len(field.choices) <= MOST_OPTIONS and all(len(one) <= LONGEST_OPTION for one in field.choices)
    return few and (not field.value or field.value in field.choices)


def _answer_in(field: ArgumentField, answers: Mapping[str, Any]) -> str | None:
    """The content of a field; nothing where its checkbox is cleared."""
    answer = answers.get("value") or {}
    if field.kind == "item":
        return TICKED if answer.get("selected_options") else None
    option = answer.get("selected_option") or {}
    return str(option.get("value") or answer.get("value") or "")
