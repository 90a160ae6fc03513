"""Reading channels, threads and people: the same answers from an export and over the Web API."""

import pytest

from tests.mcp_servers.slack.conftest import texts, ts
from tests.requirements import requirement
from tests.support.tool_calls import Call, content, refusal


@requirement("O3")
async def test_a_channel_is_read_newest_first_with_the_replies_of_its_threads(both: Call) -> None:
    assert texts(await both("slack_get_channel_history", channel_id="C1")) == [
        "水曜の話の続き", "見ました", "レビューお願いします", "おはよう", "きのうの話 @遥 & #dev", "水曜の話",
    ]  # fmt: skip


async def test_replies_can_be_left_out(both: Call) -> None:
    result = await both("slack_get_channel_history", channel_id="C1", include_replies=False)
    assert texts(result) == ["レビューお願いします", "おはよう", "きのうの話 @遥 & #dev", "水曜の話"]


@requirement("O3")
async def test_what_one_user_wrote_on_one_day_includes_a_reply_in_a_thread_of_an_earlier_day(both: Call) -> None:
    result = await both("slack_get_channel_history", channel_id="general", day="2026-11-20", user_id="haruka")
    assert texts(result) == ["水曜の話の続き", "見ました", "おはよう"]


@pytest.mark.parametrize(("day", "count"), [("today", 4), ("yesterday", 1), ("2026/11/18", 1), ("2026-11-01", 0)])
async def test_a_day_runs_from_midnight_to_midnight_in_the_workspace_zone(both: Call, day: str, count: int) -> None:
    assert len(texts(await both("slack_get_channel_history", channel_id="C1", day=day))) == count


@pytest.mark.parametrize(
    ("day", "read"), [("2026-11-18", ["きのうの話 @遥 & #dev"]), ("2026-11-19", ["レビューお願いします"]), ("today", [])]
)
async def test_a_day_of_a_user_is_the_day_in_his_own_time_zone(both: Call, day: str, read: list[str]) -> None:
    page = await both("slack_get_channel_history", channel_id="C1", day=day, user_id="U2")
    assert texts(page) == read
    assert {message["time"][-6:] for message in content(page)["messages"]} <= {"-05:00"}


async def test_a_search_in_the_day_of_a_user_is_in_his_time_zone_too(both: Call) -> None:
    assert texts(await both("slack_search_messages", query="話", user_id="U2", day="2026-11-18")) == ["きのうの話 @遥 & #dev"]


async def test_a_list_of_people_says_who_is_a_guest_and_in_which_time_zone_each_lives(both: Call) -> None:
    users = content(await both("slack_get_users"))["users"]
    assert [(one["name"], one["is_guest"], one["timezone"]) for one in users if not one["deleted"] and not one["is_bot"]] == [
        ("haruka", False, ""),
        ("kenta", True, "America/New_York"),
    ]


async def test_pages_follow_each_other_without_loss_or_repetition(both: Call) -> None:
    read: list[str] = []
    cursor = None
    for _ in range(10):
        page = content(await both("slack_get_channel_history", channel_id="C1", limit=1, cursor=cursor))
        read += [message["text"] for message in page["messages"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sorted(read) == sorted(texts(await both("slack_get_channel_history", channel_id="C1")))


async def test_oldest_is_included_and_latest_is_not(both: Call) -> None:
    result = await both("slack_get_channel_history", channel_id="C1", oldest=ts(20, "09:00"), latest="2026-11-20T10:05:00")
    assert texts(result) == ["レビューお願いします", "おはよう"]


async def test_a_day_without_hyphens_is_no_timestamp(both: Call) -> None:
    assert texts(await both("slack_get_channel_history", channel_id="C1", oldest="20261120", latest="20261121")) == texts(
        await both("slack_get_channel_history", channel_id="C1", oldest="2026-11-20", latest="2026-11-21")
    )
    assert "no point in time" in refusal(await both("slack_get_channel_history", channel_id="C1", oldest="NaN"))


async def test_a_message_says_who_when_and_where(both: Call) -> None:
    page = content(await both("slack_get_channel_history", channel_id="C1", day="yesterday"))
    assert page["messages"] == [
        {
            "ts": ts(19, "09:00"),
            "thread_ts": None,
            "channel_id": "C1",
            "channel_name": "general",
            "time": "2026-11-19T09:00:00+09:00",
            "user_id": "U2",
            "user_name": "田中 健太",
            "is_bot": False,
            "text": "きのうの話 @遥 & #dev",
            "reply_count": 0,
            "reactions": [{"name": "+1", "count": 1, "user_ids": ["U1"]}],
        }
    ]


@requirement("O3")
async def test_a_thread_is_read_whole_and_in_order(both: Call) -> None:
    result = await both("slack_get_thread_replies", channel_id="C1", thread_ts=ts(18, "10:00"))
    assert texts(result) == ["水曜の話", "水曜の話の続き"]


@requirement("O3")
async def test_search_finds_every_word_in_all_channels_and_narrows_by_user(both: Call) -> None:
    assert texts(await both("slack_search_messages", query="話")) == [
        "dev の話 https://example.test",
        "水曜の話の続き",
        "きのうの話 @遥 & #dev",
        "水曜の話",
    ]
    assert texts(await both("slack_search_messages", query="水曜 続き")) == ["水曜の話の続き"]
    assert texts(await both("slack_search_messages", query="話", user_id="U2", day="2026-11-19")) == [
        "dev の話 https://example.test"
    ]
    first = content(await both("slack_search_messages", query="話", limit=3))
    assert len(first["messages"]) == 3
    assert texts(await both("slack_search_messages", query="話", limit=3, cursor=first["next_cursor"])) == ["水曜の話"]


@requirement("O3")
async def test_people_are_listed_filtered_and_looked_up_by_any_of_their_names(both: Call) -> None:
    users = content(await both("slack_get_users"))["users"]
    assert [(user["id"], user["name"], user["deleted"]) for user in users] == [
        ("U1", "haruka", False), ("U2", "kenta", False), ("U3", "kenta2", True),
    ]  # fmt: skip
    assert [user["id"] for user in content(await both("slack_get_users", query="佐藤"))["users"]] == ["U1"]
    for name in ("U1", "@haruka", "佐藤遥", "遥"):
        assert content(await both("slack_get_user_profile", user_id=name))["email"] == "haruka@example.test"


async def test_lists_are_paged_by_cursor(both: Call) -> None:
    first = content(await both("slack_get_users", limit=2))
    second = content(await both("slack_get_users", limit=2, cursor=first["next_cursor"]))
    assert [user["id"] for user in first["users"] + second["users"]] == ["U1", "U2", "U3"]
    assert second["next_cursor"] is None
    assert [one["name"] for one in content(await both("slack_list_channels"))["channels"]] == ["general", "dev"]


@pytest.mark.parametrize(
    ("tool", "arguments", "advice"),
    [
        ("slack_get_channel_history", {"channel_id": "nowhere"}, "#general = C1"),
        ("slack_get_channel_history", {"channel_id": "C1", "user_id": "nobody"}, "slack_get_users"),
        ("slack_get_channel_history", {"channel_id": "C1", "user_id": "田中 健太"}, "fits several users: U2, U3"),
        ("slack_get_channel_history", {"channel_id": "C1", "day": "someday"}, "Write it as YYYY-MM-DD"),
        ("slack_get_channel_history", {"channel_id": "C1", "day": "today", "oldest": "1"}, "not both"),
        ("slack_get_channel_history", {"channel_id": "C1", "oldest": "soon"}, "'soon' is no point in time"),
        ("slack_get_channel_history", {"channel_id": "C1", "cursor": "nonsense"}, "Pass next_cursor"),
        ("slack_get_channel_history", {"channel_id": "C1", "cursor": "before:NaN"}, "Pass next_cursor"),
        ("slack_get_channel_history", {"channel_id": "C1", "limit": 0}, "greater than or equal to 1"),
        ("slack_get_thread_replies", {"channel_id": "C1", "thread_ts": "1.0"}, "slack_get_channel_history"),
        ("slack_get_users", {"cursor": "U9"}, "Leave cursor out"),
        ("slack_search_messages", {"query": "x", "cursor": "abc"}, "next_cursor"),
    ],
)
async def test_a_wrong_argument_is_answered_with_what_to_do_next(
    both: Call, tool: str, arguments: dict[str, object], advice: str
) -> None:
    assert advice in refusal(await both(tool, **arguments))
