"""What the one request of `doctor` and `init` finds out about servers that answer as each vendor does."""

import json
import re
from contextvars import copy_context

import anyio.to_thread
import pytest

from autonomy.cli.words.terminal_words import set_terminal_language, translate
from autonomy.llm.live_check import Cause, LiveCheck, check_model, in_a_sentence, remedy
from autonomy.llm.model import ModelOptions
from autonomy.llm.model_registry import open_model
from autonomy.llm.vendor_list import address_in
from tests.requirements import requirement
from tests.support.openai_chat import OpenAIChat, Raw, call, reply


def says(status: int, body: object) -> Raw:
    return Raw(
        body.encode() if isinstance(body, str) else json.dumps(body).encode(), status, {"content-type": "application/json"}
    )


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


NO_KEY, NO_MODEL, NO_PLACE, NO_MONEY = (
    "rejects the key",
    "has no model",
    "serves no model at this address",
    "no credit left",
)

AS_VENDORS_SAY_IT = [
    ("openai", says(401, error("Incorrect API key provided: sk-x.", code="invalid_api_key")), NO_KEY, "set OPENAI_API_KEY"),
    ("openai", says(404, error("The model `m` does not exist or you do not have access to it.", code="model_not_found")), NO_MODEL, "name one"),
    ("openai", says(404, error("`m` has been retired: https://example.com/deprecations", code="model_not_found")), NO_MODEL, "name one"),
    ("openai", says(429, error("You exceeded your current quota, please check your plan.", code="insufficient_quota")), NO_MONEY, "billing"),
    ("anthropic", says(401, {"type": "error", **error("invalid x-api-key", type="authentication_error")}), NO_KEY, "set ANTHROPIC_API_KEY"),
    ("anthropic", says(404, {"type": "error", **error("model: m", type="not_found_error")}), NO_MODEL, "name one"),
    ("lmstudio", says(200, {"error": "Unexpected endpoint or method. (POST /chat/completions)"}), NO_PLACE, "LMSTUDIO_BASE_URL"),
    ("lmstudio", says(404, error("No models loaded. Please load a model.", code="model_not_found")), NO_MODEL, "`lms load m`"),
    ("vllm", says(200, "<!DOCTYPE html><html><body>Sign in</body></html>"), NO_PLACE, "VLLM_BASE_URL"),
    ("vllm", says(200, {"status": "ok"}), NO_PLACE, "VLLM_BASE_URL"),
    ("ollama", says(404, "404 page not found"), NO_PLACE, "OLLAMA_BASE_URL"),
    ("ollama", says(404, error('model "m" not found, try pulling it first', type="not_found_error")), NO_MODEL, "`ollama pull m`"),
    ("vllm", says(404, {"detail": "Not Found"}), NO_PLACE, "VLLM_BASE_URL"),
    ("vllm", says(404, {"object": "error", "message": "The model `m` does not exist.", "code": 404}), NO_MODEL, "`vllm serve m "),
    ("vllm", says(401, {"error": "Unauthorized"}), NO_KEY, "set VLLM_API_KEY"),
    ("litellm", says(400, error("/chat/completions: Invalid model name passed in model=m.", code="400")), NO_MODEL, "name one"),
    ("litellm", says(401, error("Authentication Error, Invalid proxy server token passed.", code="401")), NO_KEY, "set LITELLM_API_KEY"),
    ("openrouter", says(400, error("m is not a valid model ID", code=400)), NO_MODEL, "name one"),
    ("openrouter", says(401, error("User not found.", code=401)), NO_KEY, "set OPENROUTER_API_KEY"),
    ("openrouter", says(402, error("Insufficient credits.", code=402)), NO_MONEY, "billing"),
]  # fmt: skip


async def checked(vendor: str, base_url: str) -> LiveCheck:
    options = ModelOptions(api_key="sk-x", base_url=base_url)
    model = await anyio.to_thread.run_sync(open_model, f"{vendor}:m", options)  # it reads the vendor's file
    try:
        return await check_model(model)
    finally:
        await model.aclose()


@requirement("Y2")
@pytest.mark.parametrize(("vendor", "answer", "what", "cure"), AS_VENDORS_SAY_IT)
async def test_what_is_wrong_and_what_to_do_is_said_in_our_words_with_the_vendors_behind(
    fake: OpenAIChat, vendor: str, answer: Raw, what: str, cure: str
) -> None:
    fake.script(answer)
    found = await checked(vendor, fake.url.removesuffix("/v1") if what == NO_PLACE else fake.url)
    assert not found.ok
    name = f"{vendor}:m"
    assert what in in_a_sentence(name, found)
    assert found.problem in in_a_sentence(name, found)
    assert cure in remedy(name, found)


@requirement("Y2")
@pytest.mark.parametrize("cause", ["silent", "key", "model", "address", "bill"])
@pytest.mark.parametrize("vendor", ["ollama", "anthropic", "openrouter"])
def test_a_reader_of_japanese_is_told_in_japanese(vendor: str, cause: Cause) -> None:
    found = LiveCheck(ok=False, problem="HTTP 400: no", cause=cause)
    said = (f"http://127.0.0.1:1234/v1: {in_a_sentence(f'{vendor}:m', found)}", remedy(f"{vendor}:m", found))
    japanese = copy_context()
    japanese.run(set_terminal_language, "ja")
    for one in said:
        assert re.search("[ぁ-ん]", japanese.run(translate, one)), one


@requirement("Y2")
@pytest.mark.parametrize(
    ("vendor", "cure"), [("ollama", "`ollama serve`"), ("vllm", "`vllm serve m "), ("compatible", "COMPATIBLE_BASE_URL")]
)
async def test_a_dead_port_is_told_with_the_command_that_starts_the_server(vendor: str, cure: str) -> None:
    found = await checked(vendor, "http://127.0.0.1:9/v1")
    assert in_a_sentence(f"{vendor}:m", found) == "nothing answers there (connection refused (127.0.0.1:9))"
    assert cure in remedy(f"{vendor}:m", found)


@requirement("Y2")
@pytest.mark.parametrize(
    "words", ["registry.ollama.ai/library/m does not support tools", "No endpoints found that support tool use. See docs."]
)
async def test_a_model_that_takes_no_tools_is_told_in_its_servers_words(fake: OpenAIChat, words: str) -> None:
    fake.script(
        says(400, error(words)),
        reply("I am ready."),
        says(404, error(words)),
        reply(calls=[call("report_ready", {"word": "ready"})]),
    )
    assert words in (first := await checked("ollama", fake.url)).tools_refused
    assert (first.ok, first.called_the_tool) == (True, False)
    assert (await checked("openrouter", fake.url)).called_the_tool


@requirement("Y2")
@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0:11500", "http://127.0.0.1:11500/v1"),
        ("gpu:1234", "http://gpu:1234/v1"),
        ("http://gpu", "http://gpu:80/v1"),
        ("https://gpu", "https://gpu:443/v1"),
        ("https://gpu:9/x/", "https://gpu:9/x/v1"),
        ("[::]:99", "http://[::1]:99/v1"),
        (":8080", "http://127.0.0.1:8080/v1"),
        ("", ""),
    ],
)
def test_ollamas_own_variable_is_read_as_ollama_reads_it(host: str, address: str) -> None:
    assert address_in("ollama", {"OLLAMA_HOST": host}) == address
    assert address_in("ollama", {"OLLAMA_HOST": host, "OLLAMA_BASE_URL": "http://else/v1"}) == "http://else/v1"
    assert address_in("vllm", {"OLLAMA_HOST": host}) == ""
