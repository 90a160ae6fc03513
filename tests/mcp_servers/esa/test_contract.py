"""What both backends promise alike: posts are found, read, created once, and added to once."""

from tests.mcp_servers.esa.conftest import DIARY, names
from tests.requirements import requirement
from tests.support.tool_calls import Call, content


async def test_the_category_argument_means_it_and_all_below(both: Call) -> None:
    assert set(await names(both, category="日報/2026/")) == {"遥の日報", "健太の日報"}
    assert await names(both, "user:haruka", category="日報") == ["遥の日報"]


async def test_lists_are_sorted_and_paged(both: Call) -> None:
    first = content(await both("esa_list_posts", q="in:日報", sort="number", order="asc", per_page=1))
    assert ([post["number"] for post in first["posts"]], first["total_count"], first["next_page"]) == ([11], 2, 2)
    second = content(await both("esa_list_posts", q="in:日報", sort="number", order="asc", per_page=1, page=2))
    assert ([post["number"] for post in second["posts"]], second["next_page"]) == ([12], None)
    assert await names(both, "in:日報", sort="created") == ["健太の日報", "遥の日報"]


@requirement("O4")
async def test_a_post_is_read_whole(both: Call) -> None:
    post = content(await both("esa_get_post", post_number=11))
    assert post["body_md"] == "索引を足しました。\n"
    assert post["full_name"] == "日報/2026/11/19/遥の日報 #日報 #開発"
    assert (post["created_by"], post["wip"], post["revision_number"]) == ("haruka", False, 1)
    assert post["updated_at"] == "2026-11-20T09:00:00+09:00"


@requirement("J3")
async def test_creating_it_again_never_doubles_it_and_says_so(both: Call) -> None:
    first = content(await both("esa_create_post", **DIARY))
    same = content(await both("esa_create_post", **DIARY))
    rewritten = content(await both("esa_create_post", **{**DIARY, "body_md": "書き直し"}))
    assert (same["number"], same["created"], same["changed"]) == (first["number"], False, False)
    assert (rewritten["number"], rewritten["created"], rewritten["changed"]) == (first["number"], False, True)
    assert rewritten["revision_number"] == 2
    assert len(await names(both, "on:AI代筆日記/2026/11/21")) == 1


@requirement("J4")
async def test_the_same_request_sent_late_does_not_undo_a_newer_one(both: Call) -> None:
    await both("esa_create_post", key="run-1", **DIARY)
    again = content(await both("esa_create_post", key="run-1", **{**DIARY, "body_md": "別の文"}))
    assert (again["created"], again["changed"]) == (False, False)


async def test_a_post_someone_else_wrote_is_left_alone(both: Call) -> None:
    left = content(await both("esa_create_post", name="遥の日報", category="日報/2026/11/19", body_md="x"))
    assert (left["number"], left["created"], left["changed"]) == (11, False, False)


async def test_rewriting_does_not_turn_a_shipped_post_into_a_draft(both: Call) -> None:
    number = content(await both("esa_create_post", **DIARY))["number"]
    await both("esa_update_post", post_number=number, wip=False)
    assert content(await both("esa_create_post", **{**DIARY, "body_md": "書き直し"}))["wip"] is False


@requirement("O4")
async def test_text_is_added_at_the_end_and_the_same_request_adds_it_once(both: Call) -> None:
    await both("esa_append_post", key="k", post_number=11, content="追記です。")
    again = content(await both("esa_append_post", key="k", post_number=11, content="追記です。"))
    assert again["changed"] is False
    body = content(await both("esa_get_post", post_number=11))["body_md"]
    assert body.startswith("索引を足しました。\n\n追記です。\n")
    assert body.count("追記です。") == 1
