"""Finding tools that were not shown, and reading on in results that were cut."""

from typing import Annotated, Any

import pytest
from mcp.server.mcpserver import Image, MCPServer
from mcp_types import EmbeddedResource, TextResourceContents
from pydantic import Field

from autonomy.agent.loop import Executor
from autonomy.calls.own_tools.host_tools import _OWN, PAGE, _lines_with
from autonomy.calls.results.result_truncation import TEXT_LIMIT
from autonomy.calls.services import Services
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import Reply, ScriptedModel, calling
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import CallRecord, RunRequest, RunResult
from discovery.catalog import JsonObject
from discovery.gateway import open_gateway
from discovery.search.offering import HOST_TOOLS, OfferLimits
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.house import READ, WRITE, House, house, remembering

MANY = 200


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which tools are shown is the words' to say here: loading the encoder takes a second, and it finds bread near anything."""
    monkeypatch.setattr("discovery.search.embeddings.installed", lambda: False)


LONG = "\n".join(f"line {number}: nothing of note" for number in range(3000)) + "\nthe treasure is under the pine"


def crowd() -> MCPServer[Any]:
    """A server with more tools than a model is shown at once."""
    server: MCPServer[Any] = MCPServer("crowd")
    for number in range(MANY):
        topic = "bake bread in the oven" if number == 7 else f"polish the doorknob of room {number}"
        server.add_tool(lambda: "done", name=f"act_{number}", description=f"Helps to {topic}.", annotations=READ)
    return server


def library() -> MCPServer[Any]:
    """A server with long answers and pictures."""
    server: MCPServer[Any] = MCPServer("library")

    @server.tool(annotations=READ)
    def scroll() -> str:
        """Read the long scroll."""
        return LONG

    @server.tool(annotations=READ)
    def page(number: int) -> str:
        """Read one page."""
        return f"page {number}"

    @server.tool(annotations=READ)
    def picture() -> Image:
        """Look at the picture."""
        return Image(data=b"\x89PNG", format="png")

    @server.tool(annotations=READ)
    def appendix() -> EmbeddedResource:
        """Get the appendix."""
        text = TextResourceContents(uri="file:///appendix.md", mime_type="text/markdown", text="The pine stands in Nara.")
        return EmbeddedResource(type="resource", resource=text)

    return server


def names(request: ModelRequest) -> list[str]:
    """The tools a request shows."""
    return [tool.name for tool in request.tools]


async def reading(home: House, **asked: Any) -> RunResult:
    return await home.run("read", limits=Limits(turns=8), **asked)


@requirement("D18")
async def test_searching_is_offered_only_where_not_every_tool_is_shown() -> None:
    async with house(library(), script=["Nothing to do."]) as home:
        await home.run("read")
        assert "search_tools" not in names(home.model.requests[0])
    async with house(crowd(), script=["Nothing to do."]) as home:
        await home.run("polish doorknobs")
        shown = names(home.model.requests[0])
        assert "search_tools" in shown
        assert "crowd_act_7" not in shown
        assert len(shown) < MANY


@requirement("D18")
async def test_a_tool_that_was_found_can_be_called_and_stays() -> None:
    script: list[Reply] = [
        calling(("crowd_act_7", {})),
        calling(("search_tools", {"query": "bake bread"})),
        calling(("crowd_act_7", {})),
        "The bread is baked.",
    ]
    async with house(crowd(), script=script) as home:
        result = await home.run("polish doorknobs")
        too_early, search, found = result.calls
        assert too_early.problem == "unknown_tool"
        assert "crowd_act_7: Helps to bake bread" in search.result.text
        assert (found.ok, found.tool) == (True, "crowd_act_7")
        shown = [names(request) for request in home.model.requests]
        assert ["crowd_act_7" in tools for tools in shown] == [False, False, True, True]
        kept = [name for name in shown[1] if name in shown[2]]
        assert shown[3] == shown[2] == [*kept, *shown[2][len(kept) :]]


@requirement("D18")
async def test_a_search_brings_nothing_that_the_model_has_before_it() -> None:
    async with house(crowd(), script=[calling(("search_tools", {"query": "polish the doorknob"})), "Done."]) as home:
        (search,) = (await home.run("polish doorknobs")).calls
        found = {tool["name"] for tool in search.result.structured["tools"]}
        assert found
        assert not found & set(names(home.model.requests[0]))


@requirement("D18")
async def test_a_search_names_what_fits_and_stands_before_the_model_already() -> None:
    script: list[Reply] = [
        calling(("search_tools", {"query": "bake bread in the oven"})),
        calling(("search_tools", {"query": "bake bread in the oven"})),
        "Done.",
    ]
    async with house(crowd(), script=script) as home:
        first, again = (await home.run("polish doorknobs")).calls
    (line,) = [line for line in again.result.text.splitlines() if line.startswith("You see already, and can call: ")]
    assert "crowd_act_7" in line.split(": ", 1)[1].split(", ")
    assert "crowd_act_7: " in first.result.text
    assert f"{line}\n" not in f"{first.result.text}\n"


@requirement("D18")
async def test_a_search_brings_others_of_the_same_server_in_brief_and_they_can_be_called() -> None:
    bakery: MCPServer[Any] = MCPServer("bakery")
    for number in range(12):
        about = f"Bake the bread of oven {number}." if number < 8 else f"Sweep floor {number}. A broom is in the corner."
        bakery.add_tool(lambda: "done", name=f"do_{number}", description=about, annotations=READ)
    script: list[Reply] = [
        calling(("search_tools", {"query": "bake bread"})),
        calling(("bakery_do_9", {})),
        "The floor is clean.",
    ]
    async with house(crowd(), bakery, script=script, offer_limits=OfferLimits(most_tools=30)) as home:
        result = await home.run("polish doorknobs")
    search, sibling = result.calls
    assert search.result.text.endswith(
        "\nAnd these of the same servers: " + ", ".join(f"bakery_do_{at}" for at in (10, 11, 8, 9))
    )
    shown = {tool.name: tool.description for tool in home.model.requests[-1].tools}
    assert shown["bakery_do_9"] == "Sweep floor 9."
    assert sibling.ok


TOPICS = ("bread", "broom", "lamp", "clock", "boat", "violin")
SEARCHES: list[Reply] = [calling(("search_tools", {"query": topic})) for topic in TOPICS]


def town() -> MCPServer[Any]:
    """A server with forty tools for each of some topics."""
    server: MCPServer[Any] = MCPServer("town")
    for topic in TOPICS:
        for number in range(40):
            server.add_tool(lambda: "done", name=f"{topic}_{number}", description=f"Use {topic} {number}.", annotations=READ)
    return server


@requirement("D18")
async def test_no_request_holds_more_tools_than_a_vendor_takes_however_many_searches_bring() -> None:
    script: list[Reply] = [SEARCHES[0], calling(("town_bread_0", {})), *SEARCHES[1:], "Baked."]
    async with house(town(), script=script, offer_limits=OfferLimits(most_tools=40)) as home:
        result = await home.run("play the violin", limits=Limits(turns=20))
    shown = [names(request) for request in home.model.requests]
    assert result.ending == "completed"
    assert [len(tools) for tools in shown] == [36, *[40] * (len(shown) - 1)]
    assert all(len(set(tools)) == len(tools) and "search_tools" in tools for tools in shown)
    assert all("town_bread_0" in tools for tools in shown[1:])
    for search, tools in zip([call for call in result.calls if call.tool == "search_tools"], [shown[1], *shown[3:]], strict=True):
        assert {tool["name"] for tool in search.result.structured["tools"]} <= set(tools)


@requirement("D18")
async def test_what_gave_way_can_be_called_and_found_again() -> None:
    script: list[Reply] = [*SEARCHES[:5], calling(("town_bread_0", {})), SEARCHES[0], "Done."]
    async with house(town(), script=script, offer_limits=OfferLimits(most_tools=40)) as home:
        result = await home.run("play the violin", limits=Limits(turns=20))
    shown = [names(request) for request in home.model.requests]
    found = [tool["name"] for tool in result.calls[0].result.structured["tools"][:8]]
    assert "town_bread_0" in found
    assert not set(found) & set(shown[5])
    assert result.calls[5].ok
    assert set(found) <= set(shown[7])


@requirement("D18")
async def test_what_stays_when_others_give_way_stands_where_it_stood() -> None:
    async with house(town(), script=[SEARCHES[0], "Done."], offer_limits=OfferLimits(most_tools=40)) as home:
        await home.run("play the violin")
    before, after = map(names, home.model.requests)
    gave_way = set(before) - set(after)
    stayed = len(before) - len(gave_way) - 1  # without `search_tools`, which stands behind those that gave way
    assert gave_way
    assert after[:stayed] == before[:stayed]


@requirement("D18")
async def test_a_tool_that_a_search_would_have_found_does_not_give_way_to_others() -> None:
    limits = OfferLimits(most_tools=40)
    async with house(town(), script=[SEARCHES[0], "Done."], offer_limits=limits) as home:
        await home.run("play the violin")
    gave_way = min(set(names(home.model.requests[0])) - set(names(home.model.requests[1])))
    wanted = calling(("search_tools", {"query": gave_way.removeprefix("town_").replace("_", " ")}))
    async with house(town(), script=[wanted, "Done."], offer_limits=limits) as home:
        await home.run("play the violin")
    first, second = map(names, home.model.requests)
    assert gave_way in first
    assert gave_way in second
    assert len(second) == 40


def test_as_many_places_are_kept_free_as_the_host_has_tools() -> None:
    assert len(_OWN) == HOST_TOOLS


@requirement("D18", "S3")
async def test_a_search_finds_only_what_the_run_may_use() -> None:
    script: list[Reply] = [calling(("search_tools", {"query": "bake bread"})), calling(("crowd_act_7", {})), "I could not."]
    async with house(crowd(), script=script) as home:
        result = await home.run("polish doorknobs", tools=("crowd_act_1*", "crowd_act_2*", "crowd_act_3*", "crowd_act_4*"))
        assert all(
            tool.startswith(("crowd_act_1", "crowd_act_2", "crowd_act_3", "crowd_act_4", "search"))
            for tool in names(home.model.requests[-1])
        )
        assert [record.problem for record in result.calls] == ["", "unknown_tool"]


@requirement("Z11")
async def test_a_tool_shown_in_brief_can_be_called_and_tells_all_of_its_arguments_when_a_call_does_not_fit() -> None:
    painter: MCPServer[Any] = MCPServer("painter")

    @painter.tool(annotations=READ)
    def paint(
        room: int, color: Annotated[str, Field(description="One of the colours that the guild of painters allows")] = "red"
    ) -> str:
        """Paint a room. Rooms have numbers."""
        return f"room {room} is {color}"

    script: list[Reply] = [calling(("painter_paint", {"colour": "blue"})), calling(("painter_paint", {"room": 3})), "Painted."]
    async with house(crowd(), painter, script=script) as home:
        result = await home.run("qqq")
    shown = {tool.name: tool for tool in home.model.requests[0].tools}
    wrong, right = result.calls
    assert "guild" not in str(shown["painter_paint"])
    assert shown["painter_paint"].description == "Paint a room."
    assert (wrong.problem, right.ok) == ("invalid_arguments", True)
    assert "guild of painters" in wrong.result.text


@requirement("Z11")
async def test_a_goal_whose_words_match_nothing_is_shown_tools_all_the_same() -> None:
    async with house(crowd(), script=["Nothing to do."]) as home:
        await home.run("qqq")
        assert len(names(home.model.requests[0])) > 100


async def test_a_run_played_again_sees_the_tools_that_were_found_then() -> None:
    step = remembering()
    script: list[Reply] = [calling(("search_tools", {"query": "bake bread"})), calling(("crowd_act_7", {})), "Baked."]
    request = RunRequest(run_id="run-1", task=Task(goal="polish doorknobs"), trigger="test")
    results = []
    for _ in range(2):
        async with house(crowd(), script=script) as home:
            results.append(await home.executor.execute(request, step))
    assert results[0] == results[1]
    assert len(home.model.requests) == 0, "the second time everything came from the record"


@requirement("X1")
async def test_a_long_result_is_cut_and_read_on_by_its_handle() -> None:
    script: list[Reply] = [
        calling(("library_scroll", {})),
        calling(("read_result", {"handle": "1.1", "offset": TEXT_LIMIT})),
        calling(("read_result", {"handle": "1.1", "query": "treasure"})),
        "Under the pine.",
    ]
    async with house(library(), script=script) as home:
        result = await reading(home)
        first, on, found = (record.result.text for record in result.calls)
        assert len(first) < TEXT_LIMIT + 200
        assert 'handle "1.1"' in first
        assert on.startswith(LONG[TEXT_LIMIT : TEXT_LIMIT + 100])
        assert found == f"{LONG.index('the treasure')}: the treasure is under the pine"
        assert result.calls[0].whole == LONG, "the whole of it stays with the run's record"
        assert ["read_result" in names(request) for request in home.model.requests] == [False, True, True, True]


@requirement("D4")
def test_lines_that_hold_a_word_come_page_by_page_and_none_is_left_out() -> None:
    found, offset = list[str](), "0"
    while offset:
        *lines, last = _lines_with("line", LONG, int(offset)).split("\n")
        assert sum(map(len, lines)) <= PAGE
        offset = last.removeprefix("[more lines; go on from offset ").removesuffix("]") if last.startswith("[") else ""
        found += lines if offset else [*lines, last]
    assert [line.partition(": ")[2] for line in found] == LONG.splitlines()[:-1]


def test_the_record_of_a_long_result_survives_as_json() -> None:
    record = CallRecord(call_id="1", turn=1, tool="t", asked="t", result=ToolResult(call_id="1", name="t", text=""), whole=LONG)
    assert CallRecord.model_validate_json(record.model_dump_json()) == record


async def test_reading_what_is_not_there_is_explained() -> None:
    explained: list[tuple[JsonObject, str]] = [
        ({"handle": "9.9"}, "nothing can be read under '9.9'; there is: 1.1"),
        ({"handle": "1.1/4"}, "nothing can be read under '1.1/4'"),
        ({}, "handle is required"),
        ({"handle": "1.1", "offset": -1}, "offset"),
        ({"handle": "1.1", "offset": 10**9}, "[this is the end]"),
        ({"handle": "1.1", "query": "dragon"}, "no line from offset 0 on holds dragon"),
    ]
    script: list[Reply] = [calling(("library_scroll", {})), calling(*(("read_result", one) for one, _ in explained)), "I tried."]
    async with house(library(), script=script) as home:
        result = await reading(home)
        for (arguments, words), call in zip(explained, result.calls[1:], strict=True):
            assert words in call.result.text, arguments


async def test_pictures_are_kept_with_the_run_and_text_resources_can_be_read() -> None:
    script: list[Reply] = [
        calling(("library_picture", {}), ("library_appendix", {})),
        calling(("read_result", {"handle": "1.2/1"}), ("read_result", {"handle": "1.1/1"})),
        "In Nara.",
    ]
    async with house(library(), script=script) as home:
        result = await reading(home)
        picture, appendix, text, no_text = result.calls
        assert "[image image/png: kept with the run; a model that sees is shown it]" in picture.result.text
        assert [part.kind for part in picture.artefacts] == ["image"]
        assert 'read with handle "1.2/1"' in appendix.result.text
        assert text.result.text.startswith("The pine stands in Nara.")
        assert no_text.result.is_error


async def test_the_hosts_own_tools_show_nothing_about_the_goal() -> None:
    server: MCPServer[Any] = crowd()

    @server.tool(annotations=WRITE)
    def explode() -> str:
        """Always fails."""
        raise RuntimeError("boom")

    script: list[Reply] = [calling(("search_tools", {"query": "explode"})), calling(("crowd_explode", {})), "All done."]
    async with house(server, script=script) as home:
        result = await home.run("polish doorknobs")
        assert result.ending == "blocked"


async def test_a_long_result_that_was_looked_up_beforehand_can_be_read_on_too() -> None:
    entry = ServerConfig(name="library", transport="in_process", auto_context_tool="scroll")
    model = ScriptedModel([calling(("read_result", {"handle": "0.1", "query": "treasure"})), "Under the pine."])
    async with open_gateway([], in_process={"library": InProcess(library(), in_backend="a test", settings=entry)}) as gateway:
        await gateway.settle(timeout_s=240)
        request = RunRequest(run_id="run-1", task=Task(goal="where is the treasure?"), trigger="test")
        result = await Executor(Chain([model]), Services(gateway)).execute(request)
    assert 'handle "0.1"' in model.requests[0].messages[-1].text
    assert result.calls[0].result.text.endswith("the treasure is under the pine")
