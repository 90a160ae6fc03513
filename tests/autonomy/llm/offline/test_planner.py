"""The offline planner against two sets of tools that do the same work under other names, and against what goes wrong."""

from datetime import date
from typing import Any, Literal

import pytest

from autonomy.errors import ModelRejected
from autonomy.llm.messages import AssistantMessage, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest, Need, Section, Task
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.provenance.action_claims import receipt_of, unproven_claims
from tests.autonomy.llm.offline.conversation import Refused, Tool, converse
from tests.requirements import requirement

TEXT = {"type": "string"}

DIARY = Task(
    goal="今日の日記を書いて投稿する",
    inputs={"user": "佐藤 遥", "date": "2026-11-21"},
    needs=(
        Need(id="activity", description="本人のその日の発言を全チャンネルから集める"),
        Need(id="style", description="過去の日記の記事", arguments={"category": "AI代筆日記"}, required=False),
        Need(
            id="publish",
            description="日記を記事として投稿する",
            effect="outward",
            arguments={"category": "AI代筆日記/{{date:%Y/%m/%d}}", "name": "{{inputs.user}}の日記", "body_md": "{{result}}"},
        ),
    ),
    sections=(
        Section(title="やったこと", source="activity", cues=("直し", "リリース")),
        Section(title="TIL", source="activity", cues=("TIL", "学び")),
        Section(title="明日やること", source="activity", cues=("明日",), empty="未定"),
    ),
)

SAID = {
    "C1": [
        {"ts": "1795222800.0", "user": "U1", "text": "検索の不具合を直しました :tada: <https://x.test/9|PR 9>"},
        {"ts": "1795219200.0", "user": "U2", "text": "隣の席の人が直しました"},
    ],
    "C2": [{"ts": "1795226400.0", "user": "U1", "text": "学び：索引は小さく始める\n了解"}],
}
PEOPLE = [{"id": "U1", "name": "haruka", "real_name": "佐藤 遥"}, {"id": "U2", "name": "ryo", "real_name": "田中 諒"}]


class ChatAndBlog:
    """The first set: a chat and a blog, much like Slack and esa."""

    def __init__(self) -> None:
        self.posts: list[dict[str, Any]] = []

    def create(self, arguments: dict[str, Any]) -> Any:
        self.posts.append(arguments)
        return {"number": len(self.posts), "url": f"https://blog.test/{len(self.posts)}", "created": True}

    def tools(self) -> list[Tool]:
        return [
            Tool(
                "chat_list_channels",
                "List the channels of the workspace.",
                {},
                lambda _: {"channels": [{"id": "C1"}, {"id": "C2"}]},
            ),
            Tool(
                "chat_get_channel_history",
                "Read the messages of one channel, optionally only of one day or user.",
                {"channel_id": TEXT, "day": TEXT, "user_id": TEXT},
                lambda a: {"messages": [m for m in SAID[a["channel_id"]] if a.get("user_id") in (None, m["user"])]},
                required=("channel_id",),
            ),
            Tool("chat_get_users", "List the users of the workspace.", {}, lambda _: {"users": PEOPLE}),
            Tool("chat_search", "Search messages for words.", {"query": TEXT}, lambda _: {"messages": []}, required=("query",)),
            Tool("blog_list_posts", "List posts.", {"category": TEXT}, lambda _: {"posts": [{"number": 3, "name": "日記"}]}),
            Tool(
                "blog_create_post",
                "Create a post.",
                {"name": TEXT, "body_md": TEXT, "category": TEXT},
                self.create,
                required=("name", "body_md"),
                effect="outward",
            ),
            Tool("blog_delete_post", "Delete a post.", {"number": TEXT}, self.create, required=("number",), effect="destructive"),
        ]


class OfficeSuite:
    """The second set: one provider whose tools, arguments and answers all have other names, and describe themselves in Japanese."""

    def __init__(self) -> None:
        self.pages: list[dict[str, Any]] = []

    def save(self, arguments: dict[str, Any]) -> str:
        self.pages.append(arguments)
        return "保存しました: https://office.test/p/1"

    def tools(self) -> list[Tool]:
        return [
            Tool("office_rooms", "会話の部屋(チャンネル)の一覧", {"cursor": TEXT}, self.rooms),
            Tool(
                "office_read_room",
                "部屋ひとつのメッセージを読む。期間で絞れる",
                {
                    "roomId": TEXT,
                    "since": {"type": "integer", "description": "unix seconds"},
                    "until": {"type": "integer", "description": "unix seconds"},
                },
                lambda a: [{"sender": m["user"], "posted_at": m["ts"], "body": m["text"]} for m in SAID[a["roomId"]]],
                required=("roomId",),
            ),
            Tool("office_members", "メンバーの一覧", {}, lambda _: {"result": PEOPLE}),
            Tool("office_find_pages", "文書(ページ)を検索する", {"folder": TEXT}, lambda _: []),
            Tool(
                "office_save_page",
                "文書(記事のページ)を作成して公開する",
                {"title": TEXT, "content": TEXT, "folder": TEXT},
                self.save,
                required=("title", "content", "folder"),
                effect="write",
            ),
        ]

    @staticmethod
    def rooms(arguments: dict[str, Any]) -> Any:
        if not arguments.get("cursor"):
            return {"rooms": [{"id": "C1", "topic": "a"}], "next_cursor": "2"}
        return {"rooms": [{"id": "C2", "topic": "b"}, {"id": "C9", "is_archived": True}], "next_cursor": ""}


EXPECTED = """## やったこと

- 検索の不具合を直しました PR 9

## TIL

- 索引は小さく始める

## 明日やること

- 未定
"""


@requirement("L6", "X1")
async def test_a_declared_diary_is_read_composed_and_posted_with_tools_nobody_named():
    world = ChatAndBlog()
    said = await converse(OfflinePlanner(), DIARY, world.tools())
    assert world.posts == [{"name": "佐藤 遥の日記", "body_md": EXPECTED, "category": "AI代筆日記/2026/11/21"}]
    assert said.called("chat_get_channel_history") == [
        {"channel_id": "C1", "day": "2026-11-21", "user_id": "U1"},
        {"channel_id": "C2", "day": "2026-11-21", "user_id": "U1"},
    ]
    assert said.text.startswith(EXPECTED)
    assert said.text.endswith("投稿先: https://blog.test/1")
    assert said.turns == 4


@requirement("L6")
async def test_a_write_that_has_no_address_is_not_called_posted():
    need = Need(id="save", description="save a note under a title", effect="write", arguments={"title": "summary"})
    tool = Tool("notes_save_note", "Save a note under a title.", {"title": TEXT}, lambda _: "saved summary", effect="write")
    said = await converse(OfflinePlanner(), Task(goal="Save a note titled summary", needs=(need,), language="en"), [tool])
    assert said.text.endswith("notes_save_note answered: saved summary")


@requirement("L6")
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("tool", "en", "ja"),
    [
        ("chat_post_message", "Posted to", "投稿先"),
        ("esa_create_post", "Posted to", "投稿先"),
        ("calendar_create_event", "Created", "作成したもの"),
        ("sheets_append_row", "Added", "追加したもの"),
        ("mail_send_email", "Sent", "送信済み"),
        ("gmail_create_draft", "Created", "作成したもの"),
        ("tasks_addTask", "Added", "追加したもの"),
        ("rooms_book_room", "Booked", "予約"),
        ("notes_save_note", "Saved", "保存先"),
        ("crm_update_contact", "Updated", "更新先"),
        ("tickets_close_ticket", "tickets_close_ticket answered", "tickets_close_ticket の返答"),
        ("shop_do_something", "shop_do_something answered", "shop_do_something の返答"),
    ],
)
async def test_a_write_is_told_by_what_its_tool_does_so_that_its_receipt_proves_the_words(
    tool: str, en: str, ja: str, language: Literal["en", "ja"]
) -> None:
    need = Need(id="write", description="write", effect="outward", tools=(tool,), arguments={"title": "summary"})
    answer = {"url": "https://office.test/1"}
    tools = [Tool(tool, "Write something under a title.", {"title": TEXT}, lambda _: answer, effect="outward")]
    said = await converse(OfflinePlanner(), Task(goal="Write it", needs=(need,), language=language), tools)
    assert said.text.endswith(f"{en if language == 'en' else ja}: https://office.test/1")
    assert unproven_claims(said.text, [receipt_of(tool, {"title": "summary"})]) == ()


@requirement("L6")
async def test_another_provider_with_other_names_arguments_and_answers_serves_the_same_job():
    world = OfficeSuite()
    said = await converse(OfflinePlanner(), DIARY, world.tools())
    assert world.pages == [{"title": "佐藤 遥の日記", "content": EXPECTED, "folder": "AI代筆日記/2026/11/21"}]
    assert said.called("office_read_room") == [
        {"roomId": "C1", "since": 1795186800, "until": 1795273200},
        {"roomId": "C2", "since": 1795186800, "until": 1795273200},
    ]
    assert said.text.endswith("保存先: https://office.test/p/1")


@requirement("L6")
async def test_a_renamed_provider_changes_nothing_but_the_names():
    world = ChatAndBlog()
    renamed = [Tool(f"zz_{t.name}", t.description, t.properties, t.run, t.required, t.effect) for t in world.tools()]
    await converse(OfflinePlanner(), DIARY, renamed)
    assert world.posts[0]["body_md"] == EXPECTED


async def test_calls_that_do_not_depend_on_each_other_go_in_one_turn():
    said = await converse(OfflinePlanner(), DIARY, ChatAndBlog().tools())
    first = next(one for one in said.messages if isinstance(one, AssistantMessage))
    assert {call.name for call in first.calls} == {"chat_get_users", "chat_list_channels", "blog_list_posts"}


async def test_the_reply_names_the_planner_and_costs_nothing():
    request = ModelRequest(messages=(UserMessage(text="日本の首都は？"),))
    reply = await OfflinePlanner().complete(request)
    assert (reply.model, reply.usage.cost_usd, reply.stop_reason) == ("planner:offline", 0, "refusal")
    assert "オフラインプランナー" in reply.text


async def test_a_required_need_without_a_value_says_which_tool_and_which_argument():
    task = Task(goal="g", needs=(Need(id="find", description="メッセージを検索する"),))
    search = next(tool for tool in ChatAndBlog().tools() if tool.name == "chat_search")
    said = await converse(OfflinePlanner(), task, [search])
    assert said.calls == []
    assert "chat_search" in said.text
    assert "query" in said.text


async def test_without_a_fitting_tool_nothing_is_called_and_nothing_written():
    world = ChatAndBlog()
    writers = [tool for tool in world.tools() if tool.effect != "read"]
    said = await converse(OfflinePlanner(), DIARY, writers)
    assert said.calls == []
    assert world.posts == []
    assert "本人のその日の発言" in said.text


async def test_an_optional_need_that_fails_is_noted_and_the_run_goes_on():
    world = ChatAndBlog()
    tools = [tool for tool in world.tools() if tool.name != "blog_list_posts"]
    said = await converse(OfflinePlanner(), DIARY, tools)
    assert len(world.posts) == 1
    assert "注: 「過去の日記の記事」" in said.text


async def test_a_channel_that_cannot_be_read_does_not_spoil_the_others():
    world = ChatAndBlog()
    tools = world.tools()

    def read(arguments: dict[str, Any]) -> Any:
        if arguments["channel_id"] == "C2":
            raise Refused("not_in_channel")
        return {"messages": SAID["C1"]}

    tools[1] = Tool(tools[1].name, tools[1].description, tools[1].properties, read, ("channel_id",))
    await converse(OfflinePlanner(), DIARY, tools)
    assert "検索の不具合を直しました" in world.posts[0]["body_md"]
    assert "- 特になし" in world.posts[0]["body_md"]


async def test_an_argument_that_the_error_names_is_corrected_once():
    asked: list[dict[str, Any]] = []

    def read(arguments: dict[str, Any]) -> Any:
        asked.append(arguments)
        if arguments["limit"] > 15:
            raise Refused("limit must be at most 15")
        return {"messages": [{"text": "直しました"}]}

    task = Task(goal="g", needs=(Need(id="activity", description="read the messages", arguments={"limit": 50}),))
    tool = Tool("chat_messages", "Read messages", {"limit": {"type": "integer"}}, read)
    said = await converse(OfflinePlanner(), task, [tool])
    assert asked == [{"limit": 50}, {"limit": 15}]
    assert "直しました" in said.text


async def test_an_error_that_points_to_another_tool_is_followed():
    updates: list[dict[str, Any]] = []

    def refuse(_: dict[str, Any]) -> Any:
        raise Refused("A post of this name exists: post_number=12. Use blog_update_post.")

    def update(arguments: dict[str, Any]) -> Any:
        updates.append(arguments)
        return {"url": "https://blog.test/12", "created": False}

    world = ChatAndBlog()
    tools = [tool for tool in world.tools() if tool.name != "blog_create_post"]
    tools.append(
        Tool("blog_create_post", "Create a post", {"name": TEXT, "body_md": TEXT, "category": TEXT}, refuse, ("name",), "outward")
    )
    form = {"post_number": {"type": "integer"}, "body_md": TEXT}
    tools.append(Tool("blog_update_post", "Change a post", form, update, ("post_number", "body_md"), "outward"))
    said = await converse(OfflinePlanner(), DIARY, tools)
    assert updates == [{"body_md": EXPECTED, "post_number": 12}]
    assert said.text.endswith("更新先: https://blog.test/12")


async def test_the_host_s_remark_makes_a_failed_read_be_tried_once_more_and_no_second_post():
    world, down = ChatAndBlog(), [True]

    def read(arguments: dict[str, Any]) -> Any:
        if arguments["channel_id"] == "C2" and down:
            down.pop()
            raise Refused("timed out")
        return {"messages": SAID[arguments["channel_id"]]}

    tools = world.tools()
    tools[1] = Tool(tools[1].name, tools[1].description, tools[1].properties, read, ("channel_id",))
    said = await converse(OfflinePlanner(), DIARY, tools, remarks=["TIL が足りません", "まだ足りません"])
    assert sum(call["channel_id"] == "C2" for call in said.called("chat_get_channel_history")) == 2
    assert len(world.posts) == 1
    assert world.posts[0]["body_md"] in said.text


async def test_a_japanese_answer_tells_in_japanese_why_a_write_was_not_made():
    world = ChatAndBlog()
    said = await converse(OfflinePlanner(), DIARY, world.tools())
    messages = list(said.messages)
    at = next(i for i, one in enumerate(messages) if isinstance(one, ToolResult) and one.name == "blog_create_post")
    why = "blog_create_post was not called: it is not allowed (denied): blog_create_post is a write call"
    messages[at] = messages[at].model_copy(update={"kind": "denied", "is_error": True, "text": why, "structured": None})
    tools = tuple(tool.definition for tool in world.tools())
    effects = {tool.name: tool.effect for tool in world.tools()}
    messages.append(UserMessage(text="投稿されていません", host=True))
    reply = await OfflinePlanner().complete(ModelRequest(messages=tuple(messages), tools=tools, task=DIARY, effects=effects))
    assert "blog_create_post は呼び出していません。許可されていません（不許可）" in reply.text
    assert "was not called" not in reply.text


@pytest.mark.parametrize("kind", ["denied", "unknown_outcome"])
async def test_a_write_that_was_denied_or_may_have_happened_is_not_sent_again(kind):
    world = ChatAndBlog()
    said = await converse(OfflinePlanner(), DIARY, world.tools())
    messages = list(said.messages)
    at = next(i for i, one in enumerate(messages) if isinstance(one, ToolResult) and one.name == "blog_create_post")
    messages[at] = messages[at].model_copy(update={"kind": kind, "is_error": True, "text": "not done", "structured": None})
    tools = tuple(tool.definition for tool in world.tools())
    effects = {tool.name: tool.effect for tool in world.tools()}
    for remark in ("投稿されていません", "もう一度"):
        messages.append(UserMessage(text=remark, host=True))
        reply = await OfflinePlanner().complete(ModelRequest(messages=tuple(messages), tools=tools, task=DIARY, effects=effects))
        assert reply.calls == ()
        assert "not done" in reply.text
        messages.append(reply)


async def test_at_the_limit_it_says_what_it_has_and_calls_nothing():
    world = ChatAndBlog()
    said = await converse(OfflinePlanner(), DIARY, world.tools(), talk_after=2)
    assert world.posts == []
    assert "検索の不具合を直しました" in said.text
    assert "手順が残っていません" in said.text
    unread = await converse(OfflinePlanner(), DIARY, world.tools(), talk_after=1)
    assert "手順が残っていません" in unread.text
    assert "##" not in unread.text, "what was not read is not said to be nothing"


async def test_a_job_without_sections_gets_everything_that_was_found():
    task = Task(goal="g", inputs={"date": "2026-11-21"}, needs=(Need(id="people", description="ユーザーの一覧"),))
    said = await converse(OfflinePlanner(), task, ChatAndBlog().tools())
    assert "haruka" in said.text


async def test_what_an_earlier_need_found_chooses_the_tool_of_a_later_one():
    sent: list[tuple[str, dict[str, Any]]] = []

    def tools(existing: list[dict[str, Any]]) -> list[Tool]:
        create = {"title": TEXT, "body_md": TEXT}
        update = {"number": {"type": "integer"}, "title": TEXT, "body_md": TEXT}
        return [
            Tool("wiki_list_posts", "List posts by title", {"title": TEXT}, lambda _: {"posts": existing}),
            Tool(
                "wiki_create_post",
                "Create a post",
                create,
                lambda a: sent.append(("create", a)) or {},
                ("title", "body_md"),
                "write",
            ),
            Tool("wiki_update_post", "Update a post", update, lambda a: sent.append(("update", a)) or {}, ("number",), "write"),
        ]

    task = Task(
        goal="g",
        needs=(
            Need(id="existing", description="その題名の記事の一覧", arguments={"title": "週報"}),
            Need(
                id="publish",
                description="記事を投稿または更新する",
                effect="write",
                arguments={"number": "{{existing.number}}", "title": "週報", "body_md": "{{result}}"},
            ),
        ),
        sections=(Section(title="今週", source="existing"),),
    )
    await converse(OfflinePlanner(), task, tools([{"number": 7, "name": "週報"}]))
    await converse(OfflinePlanner(), task, tools([]))
    assert [(kind, sorted(arguments)) for kind, arguments in sent] == [
        ("update", ["body_md", "number", "title"]),
        ("create", ["body_md", "title"]),
    ]


async def test_it_refuses_to_pretend_that_it_can_fill_a_json_schema():
    request = ModelRequest(messages=(UserMessage(text="plan"),), json_schema={"type": "object"})
    with pytest.raises(ModelRejected, match="planner:offline"):
        await OfflinePlanner().complete(request)


async def test_the_day_is_the_job_s_and_only_else_the_calendar_s():
    task = Task(goal="g", needs=(Need(id="log", description="read the messages", arguments={"day": "{{date}}"}),))
    tool = Tool("chat_messages", "Read messages", {"day": TEXT}, lambda _: "一行")
    said = await converse(OfflinePlanner(today=lambda: date(2026, 1, 2)), task, [tool])
    assert said.calls == [("chat_messages", {"day": "2026-01-02"})]


async def test_the_text_is_also_streamed():
    pieces: list[str] = []

    async def listen(piece: str) -> None:
        pieces.append(piece)

    reply = await OfflinePlanner().complete(ModelRequest(messages=(UserMessage(text="こんにちは"),)), listen)
    assert "".join(pieces) == reply.text


async def test_what_a_tool_said_of_a_person_who_left_is_told_rather_than_which_argument_another_lacked():
    def gone(_: Any) -> Any:
        raise Refused("There is no user 'maya' here.")

    tools = [
        Tool(
            "chat_search_messages", "Search the messages of a user", {"query": TEXT, "user_id": TEXT}, gone, ("query", "user_id")
        ),
        Tool("chat_get_history", "Messages of a user", {"user_id": TEXT}, gone, ("user_id",)),
    ]
    need = Need(id="said", description="messages of a user", arguments={"user_id": "maya"})
    said = await converse(OfflinePlanner(), Task(goal="What maya said", needs=(need,), language="en"), tools)
    assert "There is no user 'maya' here." in said.text
    assert "no value" not in said.text


@requirement("L6")
async def test_a_need_that_only_an_undeclared_tool_would_serve_names_it_and_how_to_settle_what_it_does() -> None:
    notes = Tool(
        "notes_list_notes", "List the names of all notes.", {}, lambda _: ["shopping"], effect="write", undeclared="notes"
    )
    need = Need(id="notes", description="the names of all notes")
    said = await converse(OfflinePlanner(), Task(goal="Tell the notes", language="en", needs=(need,)), [notes])
    assert said.calls == [], "what counts as a write is not called for a read"
    assert "The tool notes_list_notes would fit" in said.text
    assert "`jiritsu servers trust notes --effects review`" in said.text


async def test_no_other_tool_tells_of_everybody_where_one_refuses_the_department() -> None:
    def hours(arguments: dict[str, Any]) -> Any:
        raise Refused('{"error": "nobody is in \'Legal\'", "retryable": false}')

    listing = Tool("hr_list_overtime", "overtime of a month by department", {"month": TEXT, "department": TEXT}, hours)
    each = Tool("hr_calculate_overtime", "overtime of an employee in a month", {"month": TEXT, "employee_id": TEXT}, hours)
    arguments = {"month": "2026-10", "department": "Legal"}
    need = Need(id="hours", description="overtime of every employee of a department in a month", arguments=arguments)
    said = await converse(OfflinePlanner(), Task(goal="Add it up", language="en", needs=(need,)), (listing, each))
    assert [name for name, _ in said.calls] == ["hr_list_overtime"]
    assert said.text.endswith("answered: nobody is in 'Legal'"), "its words, not its JSON"


async def test_everybodys_hours_are_told_for_no_department_that_a_tool_does_not_know() -> None:
    asked: list[dict[str, Any]] = []

    def hours(arguments: dict[str, Any]) -> Any:
        asked.append(arguments)
        if "department" in arguments:
            raise Refused("department: nobody is in '開発部'")
        return {"overtime": [{"name": "佐藤 遥", "minutes": 600}]}

    tool = Tool("hr_list_overtime", "月の残業の一覧", {"month": TEXT, "department": TEXT}, hours, required=("month",))
    inputs = {"month": "2026-10", "department": "開発部"}
    job = Task(goal="残業をまとめる", inputs=inputs, needs=(Need(id="hours", description="残業の一覧"),))
    said = await converse(OfflinePlanner(), job, (tool,))
    assert [one.get("department") for one in asked] == ["開発部"]
    assert "佐藤" not in said.text
    assert "nobody is in" in said.text
