"""Compacts a conversation that nears the model's context: old turns become one digest."""

from collections.abc import Callable

from autonomy.calls.own_tools.host_tools import EARLIER, READ, handles_of
from autonomy.llm.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolResult
from autonomy.run_state.context import ToolExecutionContext
from discovery.text.token_estimates import estimate_tokens

FULL = 0.75
"""From this share of the context on, room is made: estimates miss by a tenth or two, and the reply needs its own."""
ROOMY = 0.45
"""What is left after making room: low enough that turns pass until the next time, so that the vendor's prompt cache holds."""
DIGEST = 0.15
"""The most of the context that the digest takes; the rest of it is read by its handle."""
LEAST_CHARS = 400
"""No result of the last turn is cut shorter than this."""
IMAGE_TOKENS = 1_600
"""What Anthropic counts at most for a picture of the size it does not shrink (vision, "Image costs"); OpenAI counts less."""
EXCERPT = 160
"""Characters of a result, of arguments, or of the model's own words that a line of the digest holds."""


def compact_messages(ctx: ToolExecutionContext) -> None:
    """Fold the oldest turns into the digest when the conversation nears the context. Depends on `ctx` alone, for replays.

    Records, receipts and sources stay: only the messages change. Does nothing where the model's context is unknown.
    """
    if (
        ctx.context_tokens is None
        or _surely_fits(ctx, ctx.context_tokens)
        or _estimate_request_tokens(ctx) <= FULL * ctx.context_tokens
    ):
        return
    messages = [message for message in ctx.messages[ctx.opening :] if not _of_digest(message)]
    begun = [number for number, message in enumerate(messages) if isinstance(message, AssistantMessage)]
    turns = [messages[begin:end] for begin, end in zip(begun, [*begun[1:], len(messages)], strict=True)]
    old = list[list[Message]]()
    size = _estimate_request_tokens(ctx) + DIGEST * ctx.context_tokens
    while len(turns) > 1 and size > ROOMY * ctx.context_tokens:
        old.append(turns.pop(0))
        size -= sum(map(_count_message_tokens, old[-1]))
    if old:
        # take turns out of the conversation and into the digest. The operator's words stay: they are instructions, not
        # material
        handles = handles_of(ctx)
        for turn in old:
            ctx.digest += _digest_lines(turn, handles)
            ctx.folded |= {message.call_id for message in turn if isinstance(message, ToolResult)}
        removed = {id(message) for turn in old for message in turn if not isinstance(message, SystemMessage)}
        remaining = [message for message in messages if id(message) not in removed]
        ctx.messages = [*ctx.messages[: ctx.opening], *_digest(ctx, ctx.context_tokens), *remaining]
    _cut_last_turn(ctx, ctx.context_tokens)


def _surely_fits(ctx: ToolExecutionContext, context_tokens: int) -> bool:
    """Whether the conversation fits by an upper bound, one token a character, which spares most turns the estimate."""
    measured: tuple[list[Message], int, int] = ctx.memo.get("most_tokens", ([], 0, 0))
    messages, counted, most = measured
    if messages is not ctx.messages:  # it is another list once turns were folded
        counted = most = 0
    most += sum(_count_message_tokens(message, len) for message in ctx.messages[counted:])
    ctx.memo["most_tokens"] = ctx.messages, len(ctx.messages), most
    return _visible_tokens(ctx) + most <= FULL * context_tokens


def _estimate_request_tokens(ctx: ToolExecutionContext) -> int:
    return _visible_tokens(ctx) + sum(map(_count_message_tokens, ctx.messages))


def _visible_tokens(ctx: ToolExecutionContext) -> int:
    """Tokens of the tools that the model is shown, counted again when they are others."""
    counted, tokens = ctx.shown_tokens
    if counted is not ctx.definitions:
        tokens = sum([one.tokens for one in ctx.definitions])
        ctx.shown_tokens = ctx.definitions, tokens
    return tokens


def _count_message_tokens(message: Message, count: Callable[[str], int] = estimate_tokens) -> int:
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    images = len(message.images) * IMAGE_TOKENS if isinstance(message, ToolResult) else 0
    return 5 + images + count(message.text) + sum(10 + count(call.written) for call in calls)


def _of_digest(message: Message) -> bool:
    if isinstance(message, ToolResult):
        return message.call_id == EARLIER
    return isinstance(message, AssistantMessage) and any(call.id == EARLIER for call in message.calls)


def _digest_lines(turn: list[Message], handles: dict[str, str]) -> list[str]:
    calls = {call.id: call for message in turn if isinstance(message, AssistantMessage) for call in message.calls}
    lines = [f"- you said: {_excerpt(one.text)}" for one in turn if isinstance(one, AssistantMessage) and one.text]
    for message in turn:
        if isinstance(message, ToolResult) and message.call_id in calls:
            arguments = _excerpt(calls[message.call_id].written)
            lines.append(
                f"- {handles.get(message.call_id, '')} {message.name} {arguments}: {message.kind}: {_excerpt(message.text)}"
            )
    return lines


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[:EXCERPT]}…"


def _digest(ctx: ToolExecutionContext, context_tokens: int) -> tuple[Message, ...]:
    """The digest as a result of reading it: what tools returned stays material, and never becomes the host's words."""
    room, lines = DIGEST * context_tokens, list[str]()
    for line in reversed(ctx.digest):
        room -= estimate_tokens(line)
        if room < 0:
            break
        lines.insert(0, line)
    omitted = len(ctx.digest) - len(lines)
    more = [f'[{omitted} earlier lines; read them with handle "{EARLIER}"]'] if omitted else []
    head = "Your earlier turns in short; each result can be read whole by the handle at its beginning."
    call = ToolCall(id=EARLIER, name=READ.name, arguments={"handle": EARLIER})
    return (
        AssistantMessage(calls=(call,), stop_reason="tool_calls"),
        ToolResult(call_id=EARLIER, name=READ.name, text="\n".join([head, *more, *lines])),
    )


def _cut_last_turn(ctx: ToolExecutionContext, context_tokens: int) -> None:
    """Halve the longest result that is left until all fits; the rest of each is read by its handle."""
    handles = handles_of(ctx)
    while _estimate_request_tokens(ctx) > FULL * context_tokens:
        at = max(range(len(ctx.messages)), key=lambda at: _cuttable(ctx.messages[at], handles))
        result = ctx.messages[at]
        if not isinstance(result, ToolResult) or _cuttable(result, handles) <= LEAST_CHARS:
            return
        keep = len(result.text) // 2
        note = f'\n[cut here; read on with handle "{handles[result.call_id]}" from offset {keep}]'
        ctx.folded.add(result.call_id)
        ctx.messages[at] = result.model_copy(update={"text": result.text[:keep] + note})


def _cuttable(message: Message, handles: dict[str, str]) -> int:
    """How many characters of a message may be cut, because they can be read again."""
    return len(message.text) if isinstance(message, ToolResult) and message.call_id in handles else 0
