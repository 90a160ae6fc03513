"""What holds for the offline planner whatever tools it is offered and whatever they answer."""

import json
from typing import Any

import anyio
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.messages import AssistantMessage, Message, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest, Need, Section, Task
from autonomy.llm.offline.planner import OfflinePlanner

NAMES = st.sampled_from(
    [
        "id",
        "name",
        "text",
        "user",
        "channel_id",
        "post_number",
        "date",
        "day",
        "since",
        "until",
        "cursor",
        "query",
        "body_md",
        "limit",
        "url",
    ]
)
WORDS = st.sampled_from(
    [
        "list",
        "read",
        "channels",
        "messages",
        "posts",
        "users",
        "create",
        "search",
        "記事",
        "投稿",
        "一覧",
        "天気",
        "メッセージ",
        "発言",
    ]
)
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2_000_000_000), st.text(max_size=12), st.just("2026-11-21T10:00:00+09:00")
)
DATA = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=4)), max_leaves=12
)
SCHEMAS = st.one_of(
    st.sampled_from(
        [{"type": "string"}, {"type": "integer"}, {"enum": ["today", "week"]}, {"anyOf": [{"type": "array"}, {"type": "null"}]}]
    ),
    st.just({}),
    st.just({"$ref": "#/$defs/Nowhere"}),
    st.just(True),
)


@st.composite
def tools(draw: st.DrawFn) -> tuple[tuple[ToolDefinition, ...], dict[str, str]]:
    made: dict[str, ToolDefinition] = {}
    effects = {}
    for _ in range(draw(st.integers(0, 5))):
        name = f"p_{draw(WORDS)}_{draw(WORDS)}".encode("ascii", "ignore").decode()
        form = draw(st.dictionaries(NAMES, SCHEMAS, max_size=4))
        required = draw(st.lists(NAMES, max_size=2))
        schema = {"type": "object", "properties": form, "required": required}
        made[name] = ToolDefinition(name=name, description=" ".join(draw(st.lists(WORDS, max_size=4))), input_schema=schema)
        effects[name] = draw(st.sampled_from(["read", "read", "write", "outward", "destructive"]))
    return tuple(made.values()), effects


TASKS = st.sampled_from(
    [
        Task(
            goal="日記",
            inputs={"user": "佐藤", "date": "2026-11-21"},
            needs=(
                Need(id="activity", description="発言 messages of a user from every channel"),
                Need(id="style", description="過去の記事の一覧", required=False),
                Need(
                    id="publish",
                    description="記事を投稿する",
                    effect="outward",
                    arguments={"name": "{{style.name}}", "body_md": "{{result}}"},
                ),
            ),
            sections=(Section(title="やったこと", source="activity", cues=("a", "1")), Section(title="他", source="activity")),
        ),
        Task(goal="東京の天気を教えて"),
        Task(goal="show me the messages of 2026-11-21", language="en"),
        Task(
            goal="",
            needs=(Need(id="a", description="list the posts", after=("b",)), Need(id="b", description="users", after=("a",))),
        ),
    ]
)


@given(TASKS, tools(), st.data())
def test_it_always_ends_calls_only_what_is_offered_and_never_what_destroys(task, offered, data):
    definitions, effects = offered
    messages: list[Message] = [UserMessage(text=task.goal)]

    async def talk() -> AssistantMessage:
        for _turn in range(40):
            request = ModelRequest(messages=tuple(messages), tools=definitions, task=task, effects=effects)
            reply = await OfflinePlanner().complete(request)
            assert reply == await OfflinePlanner().complete(request)
            messages.append(reply)
            if not reply.calls:
                return reply
            for call in reply.calls:
                assert effects[call.name] != "destructive"
                assert task.needs or effects[call.name] == "read"
                value, failed = data.draw(DATA), data.draw(st.booleans())
                messages.append(
                    ToolResult(
                        call_id=call.id,
                        name=call.name,
                        text=json.dumps(value, ensure_ascii=False),
                        structured=value if data.draw(st.booleans()) else None,
                        is_error=failed,
                        kind="terminal" if failed else "ok",
                    )
                )
        raise AssertionError("it does not end")

    reply = anyio.run(talk)
    ids = [call.id for one in messages if isinstance(one, AssistantMessage) for call in one.calls]
    assert len(ids) == len(set(ids))
    assert reply.text or not task.goal
    written: list[Any] = [
        call for one in messages if isinstance(one, AssistantMessage) for call in one.calls if effects[call.name] != "read"
    ]
    assert len({json.dumps([call.name, call.arguments], sort_keys=True) for call in written}) == len(written), (
        "no write is repeated"
    )
