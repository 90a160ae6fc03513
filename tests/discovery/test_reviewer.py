"""Reviews: a server of this installation changes with the program, any other one as a stranger."""

import logging
import sys

import pytest
from sqlalchemy import Engine

from discovery.catalog import Effect, Listing
from discovery.review.reviewer import Reviewer
from discovery.servers.server_config import EffectOverride, ServerConfig
from discovery.timing.clock import SYSTEM_CLOCK
from tests.requirements import requirement
from tests.support.specs import tool

BEFORE = tool("note", "Reads a note.", required=("id",))
AFTER = tool("note", "Reads a note, and says who wrote it.", required=("id",), effect=Effect.WRITE)
OURS = ServerConfig(name="p", command="${JIRITSU_PYTHON}", args=("-P", "-m", "mcp_servers.weather"))


async def review_before_and_after(engine: Engine, server: ServerConfig) -> tuple[Listing, Reviewer]:
    for spec in (BEFORE, AFTER):  # each by a process of its own, as around an update
        reviewer = Reviewer(engine, SYSTEM_CLOCK)
        await reviewer.load([server])
        listing = await reviewer.review(server, Listing(tools=(spec,)))
    return listing, reviewer


@pytest.mark.parametrize("command", ["${JIRITSU_PYTHON}", sys.executable])
async def test_a_server_that_changed_with_the_program_is_neither_held_nor_warned_of(
    engine: Engine, caplog: pytest.LogCaptureFixture, command: str
) -> None:
    listing, reviewer = await review_before_and_after(engine, OURS.model_copy(update={"command": command}))
    assert (listing.tools, reviewer.held()) == ((AFTER,), ())
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "python", "args": ("-P", "-m", "mcp_servers.weather")},  # another installation's
        {"args": ("-m", "mcp_servers.weather")},  # the working directory may hold a module of that name
        {"args": ("-P", "-m", "mcp_servers.weather", "more")},
        {"env_file": "loader.env"},
        {"env": {"PYTHONPATH": "other/modules"}},
        {"transport": "in_process", "python": "my_tools:server"},
    ],
)
async def test_any_other_server_that_changes_what_a_tool_means_is_held_and_warned_of(
    engine: Engine, caplog: pytest.LogCaptureFixture, entry: dict[str, object]
) -> None:
    listing, reviewer = await review_before_and_after(engine, OURS.model_copy(update=entry))
    assert [spec.available for spec in listing.tools] == [False]
    assert [change.tool for change in reviewer.held()] == ["note"]
    assert "note" in "".join(record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING)


async def test_the_new_tools_of_a_server_are_one_warning_and_so_are_those_that_are_gone(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    server = ServerConfig(name="big", command="python")
    tools = [tool(f"note_{number}", f"Reads note {number}.", provider="big") for number in range(9)]
    for listed in (tools[:3], tools, tools[5:]):
        reviewer = Reviewer(engine, SYSTEM_CLOCK)
        await reviewer.load([server])
        await reviewer.review(server, Listing(tools=tuple(listed)))
    warned = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warned == ["big: note_3 and 5 more: a new tool", "big: note_0 and 4 more: no longer listed"]


async def test_the_held_tools_of_a_server_are_one_warning_that_says_how_to_look_at_them(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    server = OURS.model_copy(update={"name": "my notes", "command": "other"})
    listings = [
        Listing(tools=tuple(tool(f"note_{number}", said, provider="my notes") for number in range(5)))
        for said in ("Reads a note.", "Deletes a note.")
    ]
    for listing in listings:
        reviewer = Reviewer(engine, SYSTEM_CLOCK)
        await reviewer.load([server])
        await reviewer.review(server, listing)
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    (warning,) = warnings
    assert warning.startswith("my notes: note_0 and 4 more held: ")
    assert warning.endswith("; `jiritsu servers review 'my notes'` shows all")


async def test_what_is_held_is_warned_of_once_and_stays_held_in_later_processes(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    server = ServerConfig(name="p", command="python")
    other = tool("look", "Looks something up.", required=("id",))
    changed = other.model_copy(update={"description": "Looks something up, and sends it on.", "effect": Effect.WRITE})
    for tools in ((BEFORE, other), (AFTER, other), (AFTER, other), (AFTER, changed), (AFTER, changed)):
        reviewer = Reviewer(engine, SYSTEM_CLOCK)
        await reviewer.load([server])
        await reviewer.review(server, Listing(tools=tools))
    warned = [record.getMessage().split(" held: ")[0] for record in caplog.records if record.levelno >= logging.WARNING]
    assert warned == ["p: note", "p: look"]
    assert [change.tool for change in reviewer.held()] == ["note", "look"]


async def test_a_tool_that_comes_or_goes_is_told_of_in_words(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    server = OURS.model_copy(update={"name": "p", "command": "other"})
    other = tool("look", "Looks something up.", required=("id",))
    reviewer = Reviewer(engine, SYSTEM_CLOCK)
    await reviewer.load([server])
    for tools in ((BEFORE,), (BEFORE, other), (other,)):
        await reviewer.review(server, Listing(tools=tools))
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["p: look: a new tool", "p: note: no longer listed"]


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ({}, ""),
        ({"description": "Write a note to anybody."}, "effect: write → read"),
    ],
)
async def test_what_the_operator_said_that_a_tool_does_is_no_warning_and_what_else_changed_is_one(
    engine: Engine, caplog: pytest.LogCaptureFixture, after: dict[str, str], told: str
) -> None:
    settled = ServerConfig(name="notes", command="notes", effects={"note": EffectOverride(effect=Effect.READ)})
    before = BEFORE.model_copy(update={"provider": "notes", "effect": Effect.WRITE})
    reviewer = Reviewer(engine, SYSTEM_CLOCK)
    for spec in (before, before.model_copy(update={"effect": Effect.READ, **after})):
        await reviewer.review(settled, Listing(tools=(spec,)))
    assert told in caplog.text
    assert bool(caplog.records) == bool(told)


@requirement("K7")
async def test_a_definition_that_changes_after_a_person_has_seen_it_is_not_the_one_that_is_approved(engine: Engine) -> None:
    """A server need only list its tools anew while somebody reads, or between a page and the press on it."""
    server = OURS.model_copy(update={"name": "notes", "command": "other"})
    reviewer = Reviewer(engine, SYSTEM_CLOCK)
    await reviewer.load([server])

    async def listed(said: str) -> Listing:
        return await reviewer.review(server, Listing(tools=(tool("note", said, provider="notes"),)))

    await listed("Reads a note.")
    await listed("Deletes a note.")
    seen = reviewer.held()
    await listed("Deletes a note. Sends it to everybody first.")
    (changed,) = reviewer.held()
    assert await reviewer.approve("notes", seen, by="yuki") == ()
    assert not (await listed("Deletes a note. Sends it to everybody first.")).tools[0].available
    assert await reviewer.approve("notes", [changed], by="yuki") == ("note",)
    assert (await listed("Deletes a note. Sends it to everybody first.")).tools[0].available
