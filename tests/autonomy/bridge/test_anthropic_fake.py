"""The fake of the Messages API, seen through Anthropic's own client: what it plays must be what the vendor would send."""

import importlib
import json

import pytest

from tests.support.anthropic_messages import (
    KEY,
    AnthropicMessages,
    Raw,
    Silence,
    failure,
    reply,
    text,
    thinking,
    tool_use,
)

ASKED = {"model": "claude-fake", "max_tokens": 10, "messages": [{"role": "user", "content": "天気は?"}]}


@pytest.fixture(scope="module")
def anthropic():
    """The SDK, which takes seconds to import: no worker that only collects shall wait for it."""
    return importlib.import_module("anthropic")


@pytest.fixture
def fake():
    with AnthropicMessages() as fake:
        yield fake


@pytest.fixture
def client(anthropic, fake):
    with anthropic.Anthropic(base_url=fake.url, api_key=KEY, max_retries=0, timeout=60) as client:
        yield client


BLOCKS = [thinking("ふむふむ"), text("調べます"), tool_use("weather", {"city": "東京", "days": [1, 2]}, "toolu_x")]


def test_a_reply_is_a_message(fake, client):
    fake.script(reply(*BLOCKS, input_tokens=7, output_tokens=3, cache_read=2))
    message = client.messages.create(**ASKED)
    assert [block.type for block in message.content] == ["thinking", "text", "tool_use"]
    assert (message.stop_reason, message.model) == ("tool_use", "claude-fake")
    assert (message.usage.input_tokens, message.usage.output_tokens, message.usage.cache_read_input_tokens) == (7, 3, 2)


def test_a_streamed_reply_adds_up_to_the_same_message(fake, client):
    fake.script(reply(*BLOCKS), reply(*BLOCKS))
    whole = client.messages.create(**ASKED)
    with client.messages.stream(**ASKED) as stream:
        streamed = stream.get_final_message()
    assert [block.to_dict() for block in streamed.content] == [block.to_dict() for block in whole.content]
    assert streamed.stop_reason == whole.stop_reason
    assert streamed.usage.output_tokens == whole.usage.output_tokens
    assert fake.requests[1].body["stream"] is True


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "BadRequestError"),
        (401, "AuthenticationError"),
        (429, "RateLimitError"),
        (500, "InternalServerError"),
        (529, "InternalServerError"),
    ],
)
def test_failures_are_the_vendors(anthropic, fake, client, status, error):
    fake.script(failure(status, "zu voll", retry_after_s=7))
    with pytest.raises(getattr(anthropic, error), match="zu voll") as raised:
        client.messages.create(**ASKED)
    assert raised.value.status_code == status
    assert raised.value.response.headers["retry-after"] == "7"


def test_silence_is_a_timeout(anthropic, fake):
    fake.script(Silence())
    impatient = anthropic.Anthropic(base_url=fake.url, api_key=KEY, max_retries=0, timeout=0.1)
    with impatient as client, pytest.raises(anthropic.APITimeoutError):
        client.messages.create(**ASKED)


def test_a_stream_can_break_or_end_in_an_error(anthropic, fake, client):
    fake.script(reply(text("半分だけ"), break_after=3), reply(text("x"), error_after=(2, "overloaded_error")))
    with client.messages.stream(**ASKED) as stream:
        assert "".join(stream.text_stream) == "半分"
    with client.messages.stream(**ASKED) as stream, pytest.raises(anthropic.APIStatusError, match="overloaded_error"):
        stream.get_final_message()


def test_a_reply_can_be_garbage(fake, client):
    fake.script(Raw(b"<html>"))
    with pytest.raises(json.JSONDecodeError):
        client.messages.create(**ASKED)


@pytest.mark.parametrize("header", ["x-api-key", "Authorization"])
def test_either_form_of_the_key_is_accepted_and_a_wrong_one_refused(anthropic, fake, header):
    prefix = "Bearer " if header == "Authorization" else ""
    for key, outcome in [(KEY, None), ("wrong", anthropic.AuthenticationError)]:
        fake.script(reply(text("ok")))
        headers = {"x-api-key": "", "Authorization": "", header: prefix + key}
        with anthropic.Anthropic(base_url=fake.url, api_key="unused", max_retries=0, default_headers=headers) as client:
            if outcome is None:
                assert client.messages.create(**ASKED).content[0].text == "ok"
            else:
                with pytest.raises(outcome):
                    client.messages.create(**ASKED)


def test_what_nobody_scripted_is_kept(anthropic, fake, client):
    with pytest.raises(anthropic.InternalServerError, match="nobody scripted"):
        client.messages.create(**ASKED)
    assert len(fake.unscripted) == 1
    fake.answer = lambda request: reply(text(request.blocks[-1]["text"]))
    assert client.messages.create(**ASKED).content[0].text == "天気は?"


def test_requests_can_be_read(fake, client):
    fake.script(reply(text("ok")))
    result = {"type": "tool_result", "tool_use_id": "t", "content": "晴れ"}
    client.messages.create(**ASKED | {"messages": [{"role": "user", "content": [result, text("?")]}], "system": "短く"})
    (request,) = fake.requests
    assert request.tool_results == [result]
    assert request.system == "短く"
    assert request.key == KEY
    assert request.headers["anthropic-version"]
    assert client.messages.count_tokens(model="x", messages=ASKED["messages"]).input_tokens > 0
