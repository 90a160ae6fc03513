"""The first posts of an empty directory."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from mcp_servers import esa
from mcp_servers.esa.seed import seed_posts
from mcp_servers.esa.server import server_from_environment
from tests.requirements import requirement
from tests.support.tool_calls import caller, content

SAMPLE = Path(esa.__file__).parents[2] / "autonomy/jobs/diary/sample/esa"


@requirement("J3")
async def test_the_sample_brings_a_dozen_past_diaries_that_end_yesterday(tmp_path: Path) -> None:
    seed_posts(SAMPLE, tmp_path / "posts", date(2027, 3, 1))
    call = caller(server_from_environment({"ESA_LOCAL_DIR": str(tmp_path / "posts")}))
    diaries = content(await call("esa_list_posts", q="user:haruka", category="AI代筆日記", sort="created"))
    assert diaries["total_count"] == 12
    newest = diaries["posts"][0]
    assert newest["category"] == "AI代筆日記/2027/02/28"
    assert newest["created_at"].startswith("2027-02-28T18:30")
    body = content(await call("esa_get_post", post_number=newest["number"]))["body_md"]
    for section in ("## やったこと", "## TIL", "## 所感", "## 明日やること"):
        assert section in body
    assert len(content(await call("esa_get_members"))["members"]) == 7


def test_a_directory_that_holds_posts_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("x")
    seed_posts(SAMPLE, tmp_path, date(2027, 3, 1))
    assert [file.name for file in tmp_path.rglob("*")] == ["own.md"]


def test_nothing_half_planted_is_left_behind(tmp_path: Path) -> None:
    seed_posts(SAMPLE, tmp_path / "posts", date(2027, 3, 1))
    assert [file.name for file in tmp_path.iterdir()] == ["posts"]
    assert json.loads((tmp_path / "posts/members.json").read_text())


def test_servers_that_start_at_once_plant_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for planted in [pool.submit(seed_posts, SAMPLE, tmp_path / "posts", date(2027, 3, 1)) for _ in range(8)]:
            planted.result(timeout=120)
    assert len(list((tmp_path / "posts").rglob("*.md"))) == 17
    assert [file.name for file in tmp_path.iterdir()] == ["posts"]


def test_a_seed_without_posts_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ESA_SEED_DIR: .* holds no Markdown posts"):
        seed_posts(tmp_path, tmp_path / "posts", date(2027, 3, 1))
