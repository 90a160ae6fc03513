"""Answers of servers as our nouns: what a person cannot see is taken out, and each failure says who reacts and what may have happened."""

from time import process_time

import pytest
from mcp import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from discovery.discovery_errors import CallFailed, ConnectionLost, DiscoveryError, ProviderBusy, ProviderUnavailable
from discovery.transport.answers import HTTP, failure_of, output_of, visible


def test_every_kind_of_content_has_its_place() -> None:
    result = CallToolResult(
        content=[
            TextContent(type="text", text="one"),
            TextContent(type="text", text="two\u202e\x00"),
            ImageContent(type="image", data="aW1n", mime_type="image/png"),
            AudioContent(type="audio", data="c25k", mime_type="audio/wav"),
            EmbeddedResource(type="resource", resource=TextResourceContents(uri="a://b", text="本文")),
            EmbeddedResource(type="resource", resource=BlobResourceContents(uri="a://c", blob="Yg==", mime_type="x/y")),
            ResourceLink(type="resource_link", uri="a://d", name="d"),
        ],
        structured_content={"n": 1},
        _meta={"jiritsu/idempotent": True, "example/own": 1},
    )
    output = output_of(result, duration_s=0.5, max_text_chars=100)
    assert output.text == "one\ntwo"
    assert output.structured == {"n": 1}
    assert output.meta == {"example/own": 1}
    assert [(part.kind, part.uri, part.data) for part in output.parts] == [
        ("image", "", "aW1n"),
        ("audio", "", "c25k"),
        ("resource", "a://b", "本文"),
        ("resource", "a://c", "Yg=="),
        ("resource_link", "a://d", ""),
    ]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("T\x1ba\u202er\u2069o\U000e0041", "Taro"),
        ("go\u200b\u200b\u2060\u200b\ufeff on\u200b\xad", "go\u200b on\u200b"),
        ("a\u200c\u200d\u200c\u200cb", "a\u200cb"),
        ("😀\ufe0f\ufe01\U000e0100\U000e0110", "😀\ufe0f"),
        ("👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("葛\U000e0100城市", "葛\U000e0100城市"),
        ("שלום\u200f!", "שלום\u200f!"),
        ("general\u200b", "general\u200b"),
        ("a\tb\nc　d", "a\tb\nc　d"),
    ],
)
def test_what_nobody_sees_is_in_neither_text_nor_structured_data_and_what_joins_stays(sent: str, shown: str) -> None:
    content = [TextContent(type="text", text=sent)]
    data = {"name": sent, "deep": [{sent: [sent]}]}
    output = output_of(CallToolResult(content=[*content], structured_content=data), duration_s=0, max_text_chars=100)
    assert (output.text, output.structured) == (shown, {"name": shown, "deep": [{shown: [shown]}]})


@pytest.mark.parametrize("unit", ["\u200b", "\u200d", "\ufe0f", "a\u200d", "日本\u200b"])
def test_a_text_of_unseen_characters_is_read_in_linear_time(unit: str) -> None:
    def cost_s(times: int) -> float:
        text = unit * times
        started = process_time()
        visible(text)
        return process_time() - started

    cost_s(1_000)
    small = min(cost_s(20_000) for _ in range(3))
    large = min(cost_s(320_000) for _ in range(3))
    assert large < 64 * max(small, 0.0005)


def test_names_that_look_alike_lose_no_value() -> None:
    data = {
        "to\u202e": 1,
        "to": 2,
        "t\u202eo": 3,
        "to (unseen characters, 2)": 4,
        "cc\u202e": 5,
        "deep": [{"a": 6, "a\u202e": 7}],
    }
    shown = output_of(CallToolResult(content=[], structured_content=data), duration_s=0, max_text_chars=100).structured
    assert shown == {
        "to (unseen characters, 3)": 1,
        "to": 2,
        "to (unseen characters, 4)": 3,
        "to (unseen characters, 2)": 4,
        "cc": 5,
        "deep": [{"a": 6, "a (unseen characters, 2)": 7}],
    }


@pytest.mark.parametrize(
    ("error", "kind", "unknown"),
    [
        (MCPError(CONNECTION_CLOSED, "Connection closed"), ConnectionLost, True),
        (MCPError(CONNECTION_CLOSED, "database is locked"), CallFailed, False),
        (MCPError(INVALID_REQUEST, "Session terminated"), ProviderUnavailable, False),
        (MCPError(-32001, "Session not found"), ProviderUnavailable, False),
        (MCPError(INVALID_PARAMS, "Unknown tool: x"), CallFailed, False),
        (MCPError(INVALID_REQUEST, "Unexpected content type: text/html"), CallFailed, True),
        (MCPError(-32603, "x", {HTTP: {"cause": "busy", "status": 429, "retry_after_s": 3.0}}), ProviderBusy, False),
        (MCPError(-32603, "x", {HTTP: {"cause": "no", "status": 400}}), CallFailed, False),
        (MCPError(-32603, "x", {HTTP: {"cause": "no", "status": 502}}), CallFailed, True),
        (MCPError(-32603, "x", {HTTP: {"cause": "refused", "sent": False}}), ProviderUnavailable, False),
        (MCPError(-32603, "x", {HTTP: {"cause": "reset", "sent": True}}), ConnectionLost, True),
        (MCPError(-32603, "x", {HTTP: "forged"}), CallFailed, False),
        (MCPError(-32603, "x", {HTTP: {"cause": "forged", "status": "many"}}), CallFailed, False),
    ],
)
def test_a_failure_says_what_may_have_happened(error: MCPError, kind: type[DiscoveryError], unknown: bool) -> None:
    failure = failure_of(error, "p", "t", fault="")
    assert type(failure) is kind
    assert getattr(failure, "outcome_unknown", False) is unknown
