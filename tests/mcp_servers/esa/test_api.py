"""The API backend: one post whatever happens, edits kept, the limit honoured, refusals that say what to do."""

from datetime import datetime, timedelta

import anyio
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.esa.api_client import ApiClient
from mcp_servers.esa.esa_api import ApiTeam
from mcp_servers.esa.server import build_server, server_from_environment
from mcp_servers.esa.team import NewPost, SavedPost
from tests.mcp_servers.esa.conftest import DIARY, NOW, names, over_api
from tests.requirements import requirement
from tests.support.esa import EsaApi
from tests.support.tool_calls import caller, content, refusal


def asked(esa: EsaApi) -> list[tuple[str, str]]:
    return [(call.verb, call.path) for call in esa.calls]


@requirement("O4", "J3")
async def test_a_post_carries_a_stamp_that_no_reader_sees(esa: EsaApi) -> None:
    call = over_api(esa)
    saved = content(await call("esa_create_post", key="run-1", **DIARY, tags=["日記"], message="代筆"))
    raw = esa.posts[saved["number"]]
    assert (raw["category"], raw["name"], raw["tags"], raw["wip"], raw["message"]) == (
        "AI代筆日記/2026/11/21", "遥の日記", ["日記"], True, "代筆",
    )  # fmt: skip
    assert raw["body_md"].startswith(DIARY["body_md"])
    assert raw["body_md"].endswith(" -->")
    assert "run-1" not in raw["body_md"]
    assert content(await call("esa_get_post", post_number=saved["number"]))["body_md"] == DIARY["body_md"].rstrip()
    listed = content(await call("esa_list_posts", category="AI代筆日記"))["posts"]
    assert "jiritsu request" not in listed[0]["excerpt"]


@pytest.mark.parametrize("name", ["a/b", "C# と F#", "&#47; そのもの", "11/21 #1 の日記"])
async def test_slashes_and_hashes_stay_in_the_name(esa: EsaApi, name: str) -> None:
    call = over_api(esa)
    first = content(await call("esa_create_post", name=name, category="変", body_md="x"))
    assert (first["name"], first["category"], first["tags"]) == (name, "変", [])
    again = content(await call("esa_create_post", name=name, category="変", body_md="x"))
    assert (again["number"], again["created"]) == (first["number"], False)


async def test_a_post_without_a_category_is_found_again_by_its_title(esa: EsaApi) -> None:
    call = over_api(esa)
    first = content(await call("esa_create_post", name="二語 の題", body_md="x"))
    assert content(await call("esa_create_post", name="二語 の題", body_md="x"))["number"] == first["number"]


@requirement("J4")
async def test_a_post_whose_answer_was_lost_is_found_and_never_created_again(esa: EsaApi) -> None:
    esa.lose_answer("POST", "/posts")
    saved = content(await over_api(esa)("esa_create_post", key="run-1", **DIARY))
    assert saved["created"] is True
    assert asked(esa).count(("POST", "/posts")) == 1
    assert len(esa.posts) == 3


@requirement("J3", "J4")
async def test_the_same_request_twice_at_once_creates_one_post(esa: EsaApi) -> None:
    team = ApiTeam(ApiClient(esa.TOKEN, esa.TEAM, esa.url, lambda: NOW))
    receipts: list[SavedPost] = []

    async def create() -> None:
        receipts.append(await team.create(NewPost("n", "b", "c", key="k")))

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(create)
    await team.aclose()
    assert sorted(receipt.created for receipt in receipts) == [False, False, False, True]


@requirement("J4")
async def test_a_post_that_nobody_can_tell_of_is_said_to_be_unknown(esa: EsaApi) -> None:
    call = over_api(esa)
    esa.lose_answer("POST", "/posts", carried_out=False)
    assert "outcome is unknown" in refusal(await call("esa_create_post", **DIARY))
    assert asked(esa).count(("POST", "/posts")) == 1
    esa.refuse("POST", "/posts", 500, "internal_server_error", "Internal Server Error")
    assert "makes no second post" in refusal(await call("esa_create_post", **DIARY))


async def test_a_persons_edit_is_never_overwritten_by_creating_again(esa: EsaApi) -> None:
    call = over_api(esa)
    number = content(await call("esa_create_post", **DIARY))["number"]
    esa.edit(number, esa.posts[number]["body_md"].replace("直した", "本人が直した"))
    left = content(await call("esa_create_post", **{**DIARY, "body_md": "機械の文"}))
    assert (left["number"], left["created"], left["changed"]) == (number, False, False)
    assert "esa_update_post" in left["note"]
    assert "本人が直した" in esa.posts[number]["body_md"]


async def test_a_change_of_line_ends_by_esa_is_no_edit(esa: EsaApi) -> None:
    call = over_api(esa)
    number = content(await call("esa_create_post", **DIARY))["number"]
    esa.posts[number]["body_md"] = esa.posts[number]["body_md"].replace("\n", "\r\n")
    again = content(await call("esa_create_post", **{**DIARY, "body_md": "書き直し"}))
    assert (again["number"], again["changed"]) == (number, True)


async def test_a_category_too_full_to_search_is_refused_rather_than_risking_a_second_post(esa: EsaApi) -> None:
    for number in range(501):
        esa.add_post(f"{number}", category="山")
    assert "narrower category" in refusal(await over_api(esa)("esa_create_post", name="新", category="山", body_md="x"))
    assert ("POST", "/posts") not in asked(esa)


@requirement("O4")
async def test_an_update_hands_esa_the_text_it_was_made_from(esa: EsaApi) -> None:
    call = over_api(esa)
    saved = content(await call("esa_update_post", post_number=11, body_md="新しい", original_revision_number=1, message="直し"))
    assert (saved["revision_number"], saved["changed"], saved["overlapped"]) == (2, True, False)
    assert esa.calls[-1].body["post"] == {
        "body_md": "新しい",
        "message": "直し",
        "original_revision": {"body_md": "索引を足しました。\n", "number": 1, "user": "haruka"},
    }
    esa.edit(11, "本人の文")
    stale = await call("esa_update_post", post_number=11, body_md="x", original_revision_number=2)
    assert "original_body_md" in refusal(stale)
    merged = await call("esa_update_post", post_number=11, body_md="x", original_revision_number=2, original_body_md="新しい")
    assert content(merged)["overlapped"] is True
    assert "mend the text" in content(merged)["note"]


async def test_an_update_keeps_the_stamp_of_a_post_that_is_ours_only(esa: EsaApi) -> None:
    call = over_api(esa)
    number = content(await call("esa_create_post", **DIARY))["number"]
    changed = await call("esa_update_post", post_number=number, body_md="手直し", original_revision_number=1)
    assert content(changed)["overlapped"] is False
    assert content(await call("esa_create_post", **{**DIARY, "body_md": "書き直し"}))["changed"] is True
    await call("esa_update_post", post_number=11, body_md="x")
    assert "<!--" not in esa.posts[11]["body_md"]


async def test_an_addition_whose_answer_was_lost_is_found_by_its_mark(esa: EsaApi) -> None:
    call = over_api(esa)
    esa.lose_answer("POST", "/posts/*/append")
    assert content(await call("esa_append_post", key="k", post_number=11, content="追記"))["changed"] is True
    assert esa.posts[11]["body_md"].count("追記") == 1
    esa.lose_answer("POST", "/posts/*/append", carried_out=False)
    assert "outcome is unknown" in refusal(await call("esa_append_post", post_number=11, content="追記"))


async def test_a_lost_update_says_how_to_find_out(esa: EsaApi) -> None:
    esa.lose_answer("PATCH", "/posts/11")
    assert "can safely be sent again" in refusal(await over_api(esa)("esa_update_post", post_number=11, wip=True))


async def test_what_is_added_to_a_post_of_ours_stays_a_paragraph_of_its_own_for_who_reads_it(esa: EsaApi) -> None:
    call = over_api(esa)
    number = content(await call("esa_create_post", **{**DIARY, "body_md": "今日の話。"}))["number"]
    await call("esa_append_post", post_number=number, content="## 追記")
    assert content(await call("esa_get_post", post_number=number))["body_md"].split() == ["今日の話。", "##", "追記"]


@requirement("O4")
async def test_members_categories_and_tags_are_listed(esa: EsaApi) -> None:
    call = over_api(esa)
    members = content(await call("esa_get_members", per_page=2))
    assert ([one["screen_name"] for one in members["members"]], members["next_page"]) == (["jiritsu", "haruka"], 2)
    categories = content(await call("esa_list_categories", category="日報"))
    assert [one["name"] for one in categories["categories"]] == ["日報/2026/11/19", "日報/2026/11/20"]
    assert [one["name"] for one in content(await call("esa_list_tags"))["tags"]] == ["日報", "開発"]


@requirement("O4")
async def test_once_the_headers_say_that_nothing_is_left_nothing_is_sent_until_the_reset(esa: EsaApi) -> None:
    moment = NOW
    team = ApiTeam(ApiClient(esa.TOKEN, esa.TEAM, esa.url, lambda: moment))
    esa.remaining = 1
    await team.members(1, 20)
    for attempt in (team.get(11), team.append(11, "x", "", None)):
        with pytest.raises(ToolError, match=r"nothing was done.*Retry-After: 900"):
            await attempt
    assert asked(esa) == [("GET", "/members")]
    moment += timedelta(seconds=901)
    esa.remaining = 75
    assert (await team.get(11)).number == 11
    await team.aclose()


async def test_a_read_waits_out_a_short_limit_and_reports_a_long_one(esa: EsaApi) -> None:
    moment = NOW
    slept: list[float] = []

    def now() -> datetime:
        return moment + timedelta(seconds=sum(slept))

    call = over_api(esa, now=now, slept=slept)
    esa.rate_limit(4)
    assert len(await names(call)) == 2
    assert slept == [4.0]
    esa.rate_limit(60)
    assert "Wait 60 seconds" in refusal(await call("esa_list_posts"))
    esa.rate_limit(60, "POST", "/posts")
    assert "nothing was done" in refusal(await call("esa_create_post", **DIARY))
    assert len(esa.posts) == 2


@pytest.mark.parametrize(
    ("status", "error", "message", "advice"),
    [
        (400, "bad_request", "Bad Request: q", "Correct the arguments"),
        (401, "unauthorized", "Unauthorized", "check ESA_ACCESS_TOKEN"),
        (402, "payment_required", "Payment Required", "plan does not allow"),
        (403, "forbidden", "Forbidden", "scopes read and write"),
        (404, "not_found", "Not Found", "Find the number with esa_list_posts"),
        (500, "internal_server_error", "Internal Server Error", "Internal Server Error"),
    ],
)
async def test_a_refusal_says_what_to_do(esa: EsaApi, status: int, error: str, message: str, advice: str) -> None:
    esa.refuse("GET", "/posts/11", status, error, message)
    sentence = refusal(await over_api(esa)("esa_get_post", post_number=11))
    assert message in sentence
    assert advice in sentence


async def test_an_unreachable_esa_is_said_to_have_done_nothing(esa: EsaApi) -> None:
    esa.lose_answer("GET", "/posts/11")
    assert "Nothing was changed; try again" in refusal(await over_api(esa)("esa_get_post", post_number=11))
    nowhere = caller(build_server(ApiTeam(ApiClient("t", "team", "http://127.0.0.1:1", lambda: NOW))))
    assert "esa did not answer" in refusal(await nowhere("esa_create_post", **DIARY))


async def test_hosts_come_and_go(esa: EsaApi) -> None:
    environment = {"ESA_ACCESS_TOKEN": esa.TOKEN, "ESA_TEAM": esa.TEAM, "ESA_API_BASE_URL": esa.url}
    call = caller(server_from_environment(environment))
    for _ in range(2):
        assert content(await call("esa_get_post", post_number=11))["number"] == 11


async def test_a_token_chooses_the_api_and_never_shows(esa: EsaApi) -> None:
    environment = {
        "ESA_ACCESS_TOKEN": "wrong-token",
        "ESA_TEAM": esa.TEAM,
        "ESA_API_BASE_URL": esa.url,
        "ESA_LOCAL_DIR": "/nowhere",
    }
    sentence = refusal(await caller(server_from_environment(environment))("esa_get_post", post_number=11))
    assert "check ESA_ACCESS_TOKEN" in sentence
    assert "wrong-token" not in sentence
    with pytest.raises(ValueError, match="ESA_TEAM: set the team's name"):
        server_from_environment({"ESA_ACCESS_TOKEN": "x"})
