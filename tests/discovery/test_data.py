"""The curated data speaks of tools as they really are: names, arguments and words."""

import json
import unicodedata
from importlib.resources import files
from typing import Any

import anyio
import pytest

from autonomy.settings_files import SAMPLE
from discovery.catalog import Catalog
from discovery.gateway import open_gateway
from discovery.hints.recommend import recommendations
from discovery.search.fallback_tools import find_fallback_tools
from discovery.search.search_index import SearchIndex
from discovery.servers.servers_file import load_servers
from tests.requirements import requirement
from tests.support.command import warm_interpreter


def data(name: str) -> Any:
    return json.loads(files("discovery").joinpath(f"data/{name}").read_text(encoding="utf-8"))


HINTS, RECOMMENDED, TABLE, LEXICON = map(data, ("hints.json", "recommendations.json", "alternatives.json", "lexicon.json"))


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The tools of the sample workspace's servers, Slack, esa and weather, as they say themselves."""
    home = tmp_path_factory.mktemp("sample")
    own = {"JIRITSU_HOME": str(home), "JIRITSU_PYTHON": warm_interpreter(), "JIRITSU_SAMPLE": str(SAMPLE / "sample")}
    own["JIRITSU_TIMEZONE"] = "Asia/Tokyo"
    servers = load_servers(SAMPLE / "servers.json", env=own).servers

    async def read() -> Catalog:
        async with open_gateway(servers, env=own) as gateway:
            await gateway.settle(timeout_s=240)
            return await gateway.catalog()

    return anyio.run(read)


@requirement("D12", "D13", "X12")
def test_hints_recommendations_and_alternatives_name_tools_that_exist(catalog: Catalog) -> None:
    known = {spec.tool for spec in catalog.tools}
    elsewhere = {"list_employees", "list_attendance", "calculate_overtime", "write_rows_to_google_sheet", "send_slack_dm"}
    elsewhere |= {"slack_list_user_group_members"}  # not of an export
    assert HINTS.keys() - known == elsewhere
    assert known <= HINTS.keys()
    assert all(hint["title"] and hint["title_en"].isascii() for hint in HINTS.values())
    recommended = {name for item in RECOMMENDED for name in item["tools"]}
    assert recommended - known <= elsewhere
    purposes = [item.purpose for item in recommendations(catalog)]
    assert purposes[:3] == ["Slackデータ収集", "esa記事分析", "代筆日記の投稿"]


def test_no_tool_of_the_house_waits_for_a_person(catalog: Catalog) -> None:
    assert catalog.tools
    assert [spec.name for spec in catalog.tools if "waits for a person" in spec.description + spec.unavailable_because] == []


@requirement("X12")
def test_every_line_of_the_table_yields_a_call_its_tool_accepts(catalog: Catalog) -> None:
    index = SearchIndex(catalog.tools)
    for rule in TABLE:
        (failed,) = [spec for spec in catalog.tools if spec.tool == rule["failed"]]
        given = {name: "C0123ABCD" for name in failed.parameters if name in ("channel_id", "user_id", "query", "category")}
        found = {(one.spec.tool, one.source) for one in find_fallback_tools(catalog, failed, given, index=index)}
        assert (rule["use"], "table") in found


def test_words_of_the_lexicon_are_written_as_text_is_normalized() -> None:
    assert [word for word in LEXICON if unicodedata.normalize("NFKC", word) != word] == []
    assert [word for word, english in LEXICON.items() if not english or not all(map(str.isascii, english))] == []
