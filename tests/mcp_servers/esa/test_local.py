"""The directory backend: posts are found, written once, kept with their history, and survive people's edits."""

import json
import os
from pathlib import Path

import anyio
import pytest

from mcp_servers.esa import files
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.server import build_server
from mcp_servers.esa.team import NewPost, PostChange, SavedPost
from tests.mcp_servers.esa.conftest import DIARY, JST, NOW, names
from tests.requirements import requirement
from tests.support.tool_calls import Call, caller, content, refusal


@requirement("O4")
@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("", {"遥の日報", "健太の日報", "日報のきまり"}),
        ("索引", {"遥の日報"}),
        ("review", {"健太の日報"}),
        ("日報 -健太", {"遥の日報", "日報のきまり"}),
        ('"短く書く"', {"日報のきまり"}),
        ("category:2026/11", {"遥の日報", "健太の日報"}),
        ("in:日報/2026", {"遥の日報", "健太の日報"}),
        ("in:日", set()),
        ("on:日報/2026/11/19", {"遥の日報"}),
        ("on:日報", set()),
        ("user:haruka", {"遥の日報"}),
        ("@kenta　日報", {"健太の日報"}),
        ("updated_by:haruka", {"遥の日報"}),
        ("title:日報", {"遥の日報", "健太の日報", "日報のきまり"}),
        ("body:短く", {"日報のきまり"}),
        ("tag:開発", {"遥の日報"}),
        ("#日報", {"遥の日報", "健太の日報"}),
        ("wip:true", {"健太の日報"}),
        ("wip:false -title:きまり", {"遥の日報"}),
        ("created:>2026-11-19 user:kenta", {"健太の日報"}),
        ("created:<=2026-11-19", {"遥の日報", "日報のきまり"}),
        ("created:2026-11 -#開発", {"健太の日報"}),
        ("updated:2026-11-20", {"遥の日報", "健太の日報"}),
        ("https://example.test", set()),
    ],
)
async def test_posts_are_found_by_category_name_tag_text_author_state_and_date(call: Call, q: str, found: set[str]) -> None:
    assert set(await names(call, q)) == found


async def test_a_file_without_a_head_is_a_post_too_and_keeps_its_number(call: Call) -> None:
    number = content(await call("esa_list_posts", q="短く書く"))["posts"][0]["number"]
    assert content(await call("esa_get_post", post_number=number))["body_md"].startswith("# 日報のきまり")


@requirement("O4", "J3")
async def test_a_post_is_created_where_its_category_says_as_a_draft(call: Call, posts: Path) -> None:
    saved = content(await call("esa_create_post", **DIARY, tags=["日記"], message="代筆"))
    assert (saved["created"], saved["number"], saved["wip"]) == (True, 13, True)
    text = (posts / "AI代筆日記/2026/11/21/遥の日記.md").read_text()
    assert "title: 遥の日記\n" in text
    assert text.endswith("---\n\n" + DIARY["body_md"])
    read = content(await call("esa_get_post", post_number=13))
    assert (read["body_md"], read["tags"], read["created_by"], read["message"]) == (DIARY["body_md"], ["日記"], "jiritsu", "代筆")


async def test_a_persons_edit_is_never_overwritten_by_creating_again(call: Call, posts: Path) -> None:
    await call("esa_create_post", **DIARY)
    file = posts / "AI代筆日記/2026/11/21/遥の日記.md"
    file.write_text(file.read_text().replace("直した", "本人が直した"))
    left = content(await call("esa_create_post", **{**DIARY, "body_md": "機械の文"}))
    assert (left["created"], left["changed"]) == (False, False)
    assert "esa_update_post" in left["note"]
    assert "本人が直した" in content(await call("esa_get_post", post_number=left["number"]))["body_md"]


async def test_servers_that_create_at_once_make_one_post(posts: Path) -> None:
    receipts: list[SavedPost] = []

    async def create() -> None:
        receipts.append(await LocalTeam(posts, "jiritsu", JST, lambda: NOW).create(NewPost("n", "b", "c")))

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(create)
    assert sum(receipt.created for receipt in receipts) == 1
    assert len({receipt.number for receipt in receipts}) == 1


@requirement("O4")
async def test_an_update_changes_only_what_is_passed_and_keeps_the_old_text_and_foreign_keys(call: Call, posts: Path) -> None:
    saved = content(await call("esa_update_post", post_number=11, body_md="新しい文\n", message="直し"))
    assert (saved["revision_number"], saved["changed"], saved["tags"]) == (2, True, ["日報", "開発"])
    assert (posts / ".revisions/11/1.md").read_text() == "索引を足しました。\n"
    assert "reviewed: yes" in (posts / "日報/2026/11/19/遥の日報.md").read_text()
    unchanged = content(await call("esa_update_post", post_number=11, body_md="新しい文\n"))
    assert (unchanged["revision_number"], unchanged["changed"]) == (2, False)


async def test_a_post_moves_with_its_name_and_category(call: Call, posts: Path) -> None:
    moved = content(await call("esa_update_post", post_number=11, name="a/b #1", category="保管"))
    assert moved["full_name"] == "保管/a/b #1 #日報 #開発"
    assert not (posts / "日報/2026/11/19/遥の日報.md").exists()
    assert await names(call, "on:保管") == ["a/b #1"]
    top = content(await call("esa_update_post", post_number=11, category=""))
    assert top["category"] == ""


@requirement("O4")
async def test_an_update_from_an_older_revision_keeps_what_others_changed_since(call: Call) -> None:
    await call("esa_create_post", name="n", body_md="a\nb\nc\n")
    await call("esa_update_post", post_number=13, body_md="A\nb\nc\n")
    merged = content(await call("esa_update_post", post_number=13, body_md="a\nb\nC\n", original_revision_number=1))
    assert merged["overlapped"] is False
    assert content(await call("esa_get_post", post_number=13))["body_md"] == "A\nb\nC\n"
    clashed = content(await call("esa_update_post", post_number=13, body_md="X\nb\nc\n", original_revision_number=1))
    assert clashed["overlapped"] is True
    assert "<<<<<<<" in clashed["note"]
    assert content(await call("esa_get_post", post_number=13))["body_md"] == "<<<<<<< current\nA\n=======\nX\n>>>>>>> new\nb\nC\n"


async def test_an_older_revision_keeps_the_line_ends_of_windows_by_which_its_lines_are_found(call: Call) -> None:
    await call("esa_create_post", name="n", body_md="a\r\nb\r\nc\r\n")
    await call("esa_update_post", post_number=13, body_md="A\r\nb\r\nc\r\n")
    await call("esa_update_post", post_number=13, body_md="a\r\nb\r\nC\r\n", original_revision_number=1)
    assert content(await call("esa_get_post", post_number=13))["body_md"] == "A\r\nb\r\nC\r\n"


@requirement("O4")
async def test_members_categories_and_tags_are_listed(call: Call, posts: Path) -> None:
    (posts / "members.json").write_text(json.dumps([{"screen_name": "haruka", "name": "佐藤 遥"}]))
    members = content(await call("esa_get_members"))
    assert [(one["screen_name"], one["name"], one["posts_count"]) for one in members["members"]] == [
        ("haruka", "佐藤 遥", 1),
        ("kenta", "kenta", 1),
    ]
    categories = content(await call("esa_list_categories", category="日報"))["categories"]
    assert [one["name"] for one in categories] == ["日報/2026/11/19", "日報/2026/11/20"]
    assert content(await call("esa_list_tags"))["tags"] == [
        {"name": "日報", "posts_count": 2},
        {"name": "開発", "posts_count": 1},
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "advice"),
    [
        ("esa_get_post", {"post_number": 99}, "Find its number with esa_list_posts"),
        ("esa_create_post", {"name": " ", "body_md": "x"}, "has no name"),
        ("esa_create_post", {"name": "x", "body_md": "x", "category": "../../etc"}, "is no category"),
        ("esa_create_post", {"name": "x", "body_md": "x", "category": "a//b"}, "is no category"),
        ("esa_update_post", {"post_number": 12, "name": "遥の日報", "category": "日報/2026/11/19"}, "post 11 is named"),
        (
            "esa_update_post",
            {"post_number": 12, "body_md": "x", "original_revision_number": 7},
            "revision 7 of post 12 is not known",
        ),
        ("esa_append_post", {"post_number": 12, "content": " "}, "nothing to add"),
        ("esa_list_posts", {"q": "created:>soon"}, "is no date"),
        ("esa_list_posts", {"q": "created:>2026-02-30"}, "is not a day of the calendar"),
        ("esa_list_posts", {"per_page": 101}, "less than or equal to 100"),
    ],
)
async def test_a_wrong_argument_is_answered_with_what_to_do_next(
    call: Call, tool: str, arguments: dict[str, object], advice: str
) -> None:
    assert advice in refusal(await call(tool, **arguments))


async def test_a_broken_file_is_left_out_and_named_in_the_log(call: Call, posts: Path, caplog: pytest.LogCaptureFixture) -> None:
    (posts / "broken.md").write_text("---\nnumber: many\n---\nx")
    assert len(await names(call)) == 3
    assert "broken.md: 'many' is no number" in caplog.text


async def test_names_that_no_file_can_have_are_kept_in_the_head(call: Call) -> None:
    for name in ("../../x", "a:b?", ".hidden", "a/b", "長い題" * 90):
        number = content(await call("esa_create_post", name=name, body_md="x", category="変"))["number"]
        assert content(await call("esa_get_post", post_number=number))["name"] == name
    assert len(await names(call, "on:変")) == 5


async def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    blocked = caller(build_server(LocalTeam(tmp_path / "file" / "posts", "jiritsu", JST, lambda: NOW)))
    assert "Check ESA_LOCAL_DIR" in refusal(await blocked("esa_create_post", name="x", body_md="x"))


@requirement("O4")
async def test_two_texts_of_one_length_within_one_tick_of_the_files_clock_are_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files._write

    def write_within_one_tick(file: Path, text: str) -> None:
        write(file, text)
        os.utime(file, (1_000_000_000, 1_000_000_000))

    monkeypatch.setattr(files, "_write", write_within_one_tick)
    team = LocalTeam(tmp_path, "jiritsu", JST, lambda: NOW)
    post = await team.create(NewPost("n", "one", "c"))
    for number in range(2, 6):
        text = f"{number:03}"
        saved = await team.update(post.number, PostChange(body_md=text, original_revision_number=number - 1))
        assert (saved.revision_number, (await team.get(post.number)).body_md) == (number, text)
