"""Renders answers, progress and approval questions as Block Kit data.

Whatever came from a model or a tool is escaped or sent as plain text, so that it cannot mention anybody, ping a channel or have a
page fetched for a preview. Limits are Slack's (docs.slack.dev/reference/block-kit, chat.startStream).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import quote

from autonomy.chat.slack.events.slack_event import is_user_id
from autonomy.durable.approval_store import RUN_ENDED, Approval
from autonomy.policy.texts.addresses import addresses_in
from autonomy.policy.write_plan import DECLARE_PLAN
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.question_view import QuestionItem, QuestionView, as_text, question_view, shown
from discovery.catalog import Effect, Frozen, JsonObject
from discovery.hints.hints import Language, tool_title
from discovery.review.effect_proposals import effect_of_name
from metrics import events
from metrics.events import RunEvent
from metrics.reporting.reason_words import reason_in
from metrics.text.word_files import Words, read_words, word_in

Block = dict[str, Any]

MARKDOWN_LIMIT = 12_000
"""Characters of Markdown in one message."""
LEAST_FILLED = 1 / 3
"""Of a message that ends with a paragraph: a shorter one would be many messages for one answer."""
PLAIN_LIMIT = 2_900
"""Of one plain text object; Slack's is 3,000."""
MOST_BLOCKS = 40
"""Of a question; a Slack message holds 50."""
MOST_CHARS = 36_000
"""Of a question; Slack takes 40,000 in a message."""
SHOWN_OF_TOO_MANY = 8
"""Blocks of a question that cannot be shown whole."""
NOTICE_LIMIT = 300
"""Characters of the text that notifications show."""

APPROVE, EDIT, DENY, FEEDBACK = "jiritsu_approve", "jiritsu_edit", "jiritsu_deny", "jiritsu_feedback"

WORDS: Words = read_words("autonomy.chat.slack", "cards")

_OWN_TOOLS = frozenset({"search_tools", "read_result"})
"""Tools of the host that people see; no server's tool has such a name."""

_IMAGE = re.compile(r"!\[([^\]\n]{0,500})\](?=[(\[])")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\(\s{0,4}([^\s()]{1,2000})[^()\n]{0,300}\)")
_DEFINED = re.compile(r"^([ \t]{0,3}\[[^\]\n]{1,200}\]):", re.MULTILINE)
"""Where a link that stands elsewhere leads: what it is called there says nothing of it."""
_BEGUN = re.compile(r"!?\[[^\[\]\n]{0,500}(?:\](?:\([^()\n]{0,2400})?)?\Z|!\Z|^[ \t]{0,3}\[[^\]\n]{1,200}\]\Z", re.MULTILINE)
_LONGEST_BEGUN = 3_000
ID = re.compile(r"(?<![A-Za-z0-9])[CDGUW](?=[A-Z]*[0-9])[A-Z0-9]{4,20}(?![A-Za-z0-9])")
"""A person or channel of Slack (`U07KENTA`), as it stands in an argument."""
_NAMED = re.compile(rf"<[@#]({ID.pattern})(?:\|[^<>]*)?>|({ID.pattern})")
_ENTITY_CUT = re.compile(r"&[a-z]{0,3}\Z")


def word(name: str, language: str, **values: object) -> str:
    """A phrase of ours in the reader's language."""
    return word_in(WORDS, name, language).format(**values)


def escape(text: str) -> str:
    """Escape a text so that it has no effect: no mention, no special token, no image that Slack would fetch, no link whose label
    is another address.
    """
    inert = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    inert = _DEFINED.sub(r"\1 :", _IMAGE.sub(r"[\1]", inert))
    return _LINK.sub(_as_it_leads, inert)


def _as_it_leads(link: re.Match[str]) -> str:
    """A link, unless its label is another address: then label and address as text."""
    label, target = link.groups()
    named = list(addresses_in(label))
    leads = next(addresses_in(target), "")
    return link[0] if all(one == leads or leads.startswith(f"{one}/") for one in named) else f"{label} ({target})"


def finished(text: str) -> int:
    """How many characters of a growing text are final: a link or image at its end may still change."""
    begun = _BEGUN.search(text, max(0, len(text) - _LONGEST_BEGUN))
    return begun.start() if begun else len(text)


def split(text: str, limit: int = MARKDOWN_LIMIT) -> tuple[str, ...]:
    """Split an escaped text into parts that each fit into one message.

    It is cut between paragraphs and before code blocks where that leaves a part that is worth a message, else between
    lines. Code blocks stay code blocks.
    """
    parts, part, fenced, pause = list[str](), "", False, 0
    room = limit - 8  # for the fences that a cut inside a code block adds
    for line in _lines(text, room):
        opens = line.lstrip().startswith("```")
        if opens and not fenced:
            pause = len(part)
        if len(part) + len(line) > room and part:
            if pause > room * LEAST_FILLED:
                parts.append(part[:pause])
                part = part[pause:]
            else:
                parts.append(f"{part}\n```" if fenced else part)
                part = "```\n" if fenced else ""
            pause = 0
        part += line
        fenced = fenced is not opens
        if not fenced and (opens or not line.strip()):
            pause = len(part)
    return tuple(cleaned for one in (*parts, part) if (cleaned := one.strip("\n"))) or ("",)


def _lines(text: str, longest: int) -> Iterator[str]:
    """The lines with their ends; one that is too long in pieces, never cut within an entity."""
    longest -= 8
    for line in text.splitlines(keepends=True):
        rest = line
        while len(rest) > longest:
            piece = _ENTITY_CUT.sub("", rest[:longest])
            yield piece
            rest = rest[len(piece) :]
        yield rest


def notice(text: str) -> str:
    """The beginning of a text, escaped, for notifications and for clients without blocks."""
    return escape(text if len(text) <= NOTICE_LIMIT else f"{text[:NOTICE_LIMIT]}…")


def markdown(escaped: str) -> Block:
    """A Markdown block."""
    return {"type": "markdown", "text": escaped}


def plain(text: str) -> Block:
    """A section of plain text: whatever it holds, Slack shows it as it is."""
    return {"type": "section", "text": plain_text(text[:PLAIN_LIMIT] or " ")}


def plain_text(text: str) -> Block:
    """A text object (docs.slack.dev/reference/block-kit/composition-objects/text-object) in which nothing is markup."""
    return {"type": "plain_text", "text": text, "emoji": False}


def feedback(run_id: str, language: str) -> Block:
    """The two thumbs under an answer."""

    def thumb(kind: str) -> dict[str, Any]:
        label = word(kind, language)
        return {"text": {"type": "plain_text", "text": label}, "value": f"{kind}:{run_id}", "accessibility_label": label}

    element = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": thumb("good"),
        "negative_button": thumb("bad"),
    }
    return {"type": "context_actions", "elements": [element]}


class TaskCard(Frozen):
    """One thing a run does, as people follow it."""

    id: str
    title: str
    status: Literal["pending", "in_progress", "complete", "error"]
    details: str = ""

    def chunk(self) -> dict[str, str]:
        """This as a chunk of a stream."""
        update = {"type": "task_update", "id": self.id, "title": self.title, "status": self.status}
        return update | ({"details": self.details} if self.details else {})


_MARKS = {"pending": "・", "in_progress": "⏳", "complete": "✓", "error": "✗"}


def task_of(event: RunEvent, language: str) -> TaskCard | None:
    """The task card that an event adds or changes; None if it concerns no call, or the host's own bookkeeping."""
    if isinstance(event, events.ModelFailed | events.ModelAnswered):
        return _task_of_model(event, language)
    if not isinstance(event, events.CallEvent) or event.turn == 0 or event.tool == DECLARE_PLAN:
        return None
    reader: Language = "ja" if language == "ja" else "en"
    named = event.title if isinstance(event, events.CallStarted) else ""
    title = word(event.tool, language) if event.tool in _OWN_TOOLS else escape(tool_title(event.tool, named, reader))
    card = TaskCard(id=f"{event.turn}-{event.call_id}", title=title, status="in_progress")
    match event:
        case events.CallStarted():
            return card
        case events.CallDecided(decision="deny", rule="not in the request"):  # what the person can put right by asking again
            return card.model_copy(update={"status": "error", "details": word("not_in_request", language)})
        case events.AttemptFailed(retrying=True):
            return card.model_copy(update={"details": escape(word("retry", language, error=reason_in(language, event.error)))})
        case events.AlternativeTried():
            return card.model_copy(update={"details": word("instead", language, tool=tool_title(event.alternative, "", reader))})
        case events.ApprovalRequested():
            return card.model_copy(update={"details": word("waiting", language)})
        case events.CallFinished():
            fine = event.outcome in events.ANSWERED
            outcome = word("done" if fine else "denied_call" if event.outcome == "denied" else event.outcome, language)
            return card.model_copy(update={"status": "complete" if fine else "error", "details": outcome})
        case _:
            return None


def _task_of_model(event: events.ModelFailed | events.ModelAnswered, language: str) -> TaskCard:
    """The card of a reply that takes several tries: a model that hangs may take minutes, and a person would see nothing."""
    card = TaskCard(id=f"{event.turn}-model", title=word("model", language), status="in_progress")
    if isinstance(event, events.ModelAnswered):
        return card.model_copy(update={"status": "complete", "details": word("done", language)})
    then = "retry" if event.then == "correct" else event.then
    status = "error" if then == "give_up" else card.status
    return card.model_copy(update={"status": status, "details": word(f"model_{then}", language)})


def progress_text(cards: list[TaskCard], language: str) -> str:
    """The same list as lines, for messages that are updated instead of streamed."""
    lines = [f"{_MARKS[card.status]} {card.title}" + (f": {card.details}" if card.details else "") for card in cards]
    return "\n".join(lines) or word("thinking", language)


def question_blocks(
    approval: Approval,
    language: str,
    console: str = "",
    *,
    editable: bool = False,
    names: Mapping[str, str] = MappingProxyType({}),
    asked: str = "",
) -> list[Block]:
    """Render a question to a person, with its buttons. The value binds a press to exactly the arguments that are shown.

    `console`: the address of the console, which the card leads to; `editable`: with a button that opens the arguments; `names`:
    of the people and channels in it, by id; `asked`: who wants what, where the card does not stand beneath those words.
    """
    question = approval.question
    view = _with_names(question_view(question, language), names)
    lines = [first_line(question, language), f"{question.tool} ({view.effect})"]
    lines += [word("for", language, asked=asked)] if asked else []
    is_told_below = any(
        item.unusual and view.reason.startswith((f"{item.argument} (", f"{item.argument}（")) for item in view.items
    )
    lines += [word("why", language, reason=view.reason)] if view.reason and not is_told_below else []
    value = f"{approval.id}:{question.arguments_sha256}"
    body = _question_body(lines, view)
    if _is_too_much(body):  # the values bind, and what they change in another text only helps
        body = _question_body(
            lines, view.model_copy(update={"items": tuple(one.model_copy(update={"diff": ()}) for one in view.items)})
        )
    if _is_too_much(body):
        # what a person cannot see, a press must not bind
        where = word("look_in_console" if console else "look_at_terminal", language)
        body = [*body[:SHOWN_OF_TOO_MANY], plain(word("too_long", language, n=len(view.items), where=where))]
        buttons = [_button(DENY, word("deny", language), "danger", value)]
    else:
        buttons = [
            _button(APPROVE, word("approve", language), "primary" if view.suggested == "approve" else "", value),
            *([_button(EDIT, word("edit", language), "", value)] if editable else []),
            _button(DENY, word("deny", language), "danger" if view.suggested == "approve" else "primary", value),
        ]
    below = [leading_to(f"{console}/inbox#approval-{quote(approval.id)}", word("in_console", language))] if console else []
    return [*body, {"type": "actions", "block_id": f"approval-{approval.id}", "elements": buttons}, *below]


def first_line(question: ApprovalQuestion, language: str) -> str:
    """What a person is asked, with what people call the tool: also all that a notification shows.

    A title is its server's word: one that speaks of reading names no call that changes something.
    """
    title = tool_title(question.tool, question.title, "ja" if language == "ja" else "en")
    is_less = question.effect in _CHANGING and effect_of_name(title) is Effect.READ
    return word("ask", language) if is_less or title == question.tool else word("ask_for", language, what=title)


_CHANGING = frozenset(effect.value for effect in Effect if effect is not Effect.READ)


def _is_too_much(body: Sequence[Block]) -> bool:
    return len(body) > MOST_BLOCKS or sum(len(block["text"]["text"]) for block in body) > MOST_CHARS


def leading_to(address: str, label: str) -> Block:
    """A small line that is a link. Slack's buttons with an address would be presses that nobody answers."""
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{address}|{escape(label)}>"}]}


def answered_blocks(approval: Approval, language: str, names: Mapping[str, str] = MappingProxyType({})) -> list[Block]:
    """The same after it was answered: who decided, and no buttons."""
    view = _with_names(_as_answered(approval, language), names)
    lines = [f"{view.tool} ({view.effect})"]
    mark = {"granted": "✅", "denied": "🚫"}.get(approval.state, "⌛")
    outcome_block = {"type": "context", "elements": [{"type": "mrkdwn", "text": f"{mark} {outcome_of(approval, language)}"}]}
    body = _question_body(lines, view)
    cut = [plain(word("cut_blocks", language, n=len(body) - MOST_BLOCKS))] if len(body) > MOST_BLOCKS else []
    return [*body[:MOST_BLOCKS], *cut, outcome_block]


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text with the names of people and channels in place of their ids; `<@U07KENTA>` is one of them, too."""
    return _NAMED.sub(lambda found: names.get(found[1] or found[2], found[0]), text)


def _with_names(view: QuestionView, names: Mapping[str, str]) -> QuestionView:
    """The people and channels by their names: an id tells nobody where a message goes. The id stays beside it: that is what is
    approved, and two people may have one name."""

    def named(item: QuestionItem) -> QuestionItem:
        beneath = tuple(with_names(source, names) for source in item.sources)
        if item.value in names:
            return item.model_copy(update={"value": f"{names[item.value]} ({item.value})", "sources": beneath})
        inside = tuple(f"{one} = {names[one]}" for one in dict.fromkeys(ID.findall(item.value)) if one in names)
        return item.model_copy(update={"sources": (*inside, *beneath)})

    return view.model_copy(update={"items": tuple(map(named, view.items))})


def outcome_of(approval: Approval, language: str) -> str:
    """The outcome of a question and who decided it, in Slack's Markdown; "" while it is pending."""
    if approval.state == "pending":
        return ""
    by = f"<@{approval.answered_by}>" if is_user_id(approval.answered_by) else escape(approval.answered_by)
    if approval.state == "granted" and approval.edited is not None:
        return word("edited", language, by=by)
    # a run that ended takes its questions with it, which no one let pass
    return word("withdrawn" if approval.reason == RUN_ENDED else approval.state, language, by=by)


def _as_answered(approval: Approval, language: str) -> QuestionView:
    """The approved call: the arguments as a person changed them, with the person as their source."""
    question, edited = approval.question, approval.edited
    view = question_view(question, language)
    if edited is None:
        return view
    original, edited_arguments = question.arguments, edited
    if question.calls:  # every argument of every call under the name that it has in the list
        original, edited_arguments = _by_name(question.arguments), _by_name(edited)
    else:
        view = question_view(question.model_copy(update={"arguments": {**original, **edited}}), language)
    by = approval.answered_by
    items = [item.model_copy(update=_as_given(item, original, edited_arguments, language, by)) for item in view.items]
    new = [name for name in edited_arguments if question.calls and name not in original]
    items += [
        QuestionItem(argument=name, value=as_text(edited_arguments[name]), sources=_changed(language, by), unusual=False)
        for name in new
    ]
    return view.model_copy(update={"items": tuple(items)})


def _as_given(item: QuestionItem, original: JsonObject, edited: JsonObject, language: str, by: str) -> dict[str, Any]:
    """The fields of an item that differ once it was answered."""
    name = item.argument
    if name not in edited:
        return {"sources": (word("left_out", language, by=by),), "unusual": False}
    if name in original and original[name] == edited[name]:
        return {}
    return {"value": as_text(edited[name]), "sources": _changed(language, by), "unusual": False, "diff": ()}


def _changed(language: str, by: str) -> tuple[str, ...]:
    return (word("changed", language, by=by),)


def _by_name(arguments: JsonObject) -> JsonObject:
    inner = {f"{label} {name}": value for label, one in arguments.items() for name, value in one.items()}
    return {**dict.fromkeys(arguments, True), **inner}


def _question_body(lines: list[str], view: QuestionView) -> list[Block]:
    """Every argument whole, with its sources: a long one over several blocks."""
    heads = [plain(part) for part in _pieces("\n".join(lines))]
    return [*heads, *(plain(part) for text in shown(view) for part in _pieces(text))]


def _pieces(text: str) -> list[str]:
    return [text[at : at + PLAIN_LIMIT] for at in range(0, len(text), PLAIN_LIMIT)] or [" "]


def _button(action_id: str, label: str, style: str, value: str) -> dict[str, Any]:
    text = {"type": "plain_text", "text": label}
    made = {"type": "button", "action_id": action_id, "text": text, "value": value}
    return made | ({"style": style} if style else {})
