"""Reading on in results that are too long for a run's record."""

from typing import Any

import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.durable.durable_tables import metadata
from autonomy.durable.memory.sql_long_results import SqlLongResults
from autonomy.durable.store import Store
from autonomy.llm.scripted import Reply, calling
from autonomy.provenance.sources.run_sources import Sources
from autonomy.run_state.limits import Limits
from autonomy.run_state.long_results import PIECE, LongResults, read
from autonomy.run_state.run_provenance import add_record
from tests.requirements import requirement
from tests.support.house import READ, house

LINES = 32_000
LONG = "\n".join(f"line {number}: nothing of note\x00\u2066" for number in range(LINES)) + "\nthe vault opens with 7714-2209"
SEEN = LONG.replace("\x00", "").replace("\u2066", "")
"""The text without what a person does not see."""


def archive() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("archive")

    @server.tool(annotations=READ)
    def scroll() -> str:
        """Read the long scroll."""
        return LONG

    return server


@pytest.fixture
def kept(tmp_path: Any) -> LongResults:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/kept.db")
    metadata.create_all(engine)
    return SqlLongResults(Store(engine))


@requirement("D4")
async def test_the_model_pages_to_the_end_of_a_result_that_no_record_has_room_for(kept: LongResults) -> None:
    end = len(SEEN) - 100
    script: list[Reply] = [
        calling(("archive_scroll", {})),
        calling(("read_result", {"handle": "1.1", "offset": end})),
        calling(("read_result", {"handle": "1.1", "offset": 20_000})),
        calling(("read_result", {"handle": "1.1", "query": "vault"})),
        calling(
            ("read_result", {"handle": "1.1", "offset": len(SEEN) + 10}), ("read_result", {"handle": "1.1", "offset": 10**40})
        ),
        "The vault opens with 7714-2209.",
    ]
    async with house(archive(), script=script, long_results=kept) as home:
        result = await home.run("read", limits=Limits(turns=9))
        scroll, last, next_page, found, beyond, no_number = result.calls
        assert f"[cut here: {len(SEEN) - 20_000} more characters" in scroll.result.text
        assert len(scroll.whole) < 270_000
        assert scroll.result.structured is None
        assert last.result.text == f"{SEEN[end:]}\n[this is the end]"
        assert next_page.result.text.startswith(SEEN[20_000:28_000] + "\n[")
        assert found.result.text == f"{len(SEEN) - 30}: the vault opens with 7714-2209"
        assert [(one.ok, one.problem) for one in (beyond, no_number)] == [(False, "invalid_arguments")] * 2


@requirement("D4")
async def test_a_search_in_a_result_says_how_far_it_looked_beside_what_it_found(
    kept: LongResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.calls.own_tools.host_tools.SEARCHED", 50_000)
    script: list[Reply] = [
        calling(("archive_scroll", {})),
        calling(("read_result", {"handle": "1.1", "query": "1234:"})),
        "There is nothing of note.",
    ]
    async with house(archive(), script=script, long_results=kept) as home:
        (_, found) = (await home.run("read", limits=Limits(turns=9))).calls
    begins = SEEN.index("line 1234:")
    assert found.result.text == (
        f"{begins}: line 1234: nothing of note\n[searched up to offset 50000 of {len(SEEN)}; go on from there]"
    )


async def test_what_is_read_on_is_a_source_of_what_the_model_says(kept: LongResults) -> None:
    """A number that stands only beyond the record's room is not one that the model made up."""
    script: list[Reply] = [
        calling(("archive_scroll", {})),
        calling(("read_result", {"handle": "1.1", "offset": len(SEEN) - 100})),
        "It opens with 7714-2209.",
    ]
    async with house(archive(), script=script, long_results=kept) as home:
        result = await home.run("read", limits=Limits(turns=9))
    sources = Sources()
    scroll, page = result.calls
    add_record(sources, scroll, scroll.call_id)
    assert not sources.contains("7714-2209")
    add_record(sources, page, page.call_id)
    assert sources.contains("7714-2209")


async def test_pieces_join_without_a_seam(kept: LongResults) -> None:
    text = "".join(chr(0x4E00 + number % 5_000) for number in range(3 * PIECE + 10)) + "\x00\ud800"
    await kept.keep("run", "1.1", "an earlier text")
    await kept.keep("run", "1.1", text)
    for start in (0, PIECE - 3, PIECE, 2 * PIECE - 1, 3 * PIECE):
        assert await read(kept, "run", "1.1", start, 50) == text[start : start + 50]
    assert await read(kept, "run", "2.1", 0, 50) is None
    assert await read(kept, "other", "1.1", 0, 50) is None
