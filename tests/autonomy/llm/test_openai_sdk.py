"""The SDK under OpenAI's dialect: what it adds to a request, what it must not, and who imports it."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import openai
import pytest
from pydantic import ValidationError

import autonomy.llm.vendors.lmstudio
import autonomy.llm.vendors.openai_models  # here, because the registry would import it inside the event loop
from autonomy.errors import ConfigError, ModelRejected, ModelUnavailable
from autonomy.llm.messages import UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from autonomy.llm.vendors.openai_sdk import BASE_URL, OpenAITransport
from tests.requirements import requirement
from tests.support.openai_chat import OpenAIChat, Raw, reply

HELLO = ModelRequest(messages=(UserMessage(text="hello"),))
ROOM = Path(autonomy.llm.vendors.openai_models.__file__).parent
FOR_OPENAI = {
    "OPENAI_API_KEY": "sk-environment",
    "OPENAI_ADMIN_KEY": "sk-admin",
    "OPENAI_ORG_ID": "org-secret",
    "OPENAI_PROJECT_ID": "proj-secret",
    "OPENAI_CUSTOM_HEADERS": "X-Gateway: gate-secret\nAuthorization: Bearer header-secret",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
}


async def sent(fake: OpenAIChat, name: str, **options: Any) -> dict[str, str]:
    """The headers of one request."""
    fake.script(reply("ok"))
    model = open_model(name, ModelOptions(base_url=fake.url, **options))
    await model.complete(HELLO)
    await model.aclose()
    return fake.requests[-1].headers


@requirement("L3")
@pytest.mark.parametrize("name", ["openai:gpt-6.1-sol", "lmstudio:qwen3-8b", "compatible:any"])
async def test_requests_go_where_the_sdk_would_send_them_with_its_headers(fake, name):
    headers = await sent(fake, name, api_key="sk-secret")
    assert fake.requests[-1].path == "/v1/chat/completions"
    assert headers["user-agent"] == f"AsyncOpenAI/Python {openai.__version__}"
    assert headers["x-stainless-package-version"] == openai.__version__
    assert headers["authorization"] == "Bearer sk-secret"
    assert headers["content-type"] == "application/json"


async def test_a_request_s_headers_are_those_of_the_sdk_s_own_request_save_what_changes_with_each(fake):
    ours = await sent(fake, "openai:gpt-6.1-sol", api_key="sk-secret", headers={"X-Team": "tea"})
    fake.script(reply("ok"))
    async with openai.AsyncOpenAI(api_key="sk-secret", base_url=fake.url, default_headers={"X-Team": "tea"}) as client:
        await client.chat.completions.create(model="gpt-6.1-sol", messages=[{"role": "user", "content": "hello"}])
    theirs = fake.requests[-1].headers
    own = ("connection", "content-length", "x-stainless-retry-count", "x-stainless-read-timeout", "x-stainless-async")
    assert {name: value for name, value in ours.items() if name not in own} == {
        name: value for name, value in theirs.items() if name not in own
    }


async def test_without_a_key_none_is_sent_and_the_operator_s_header_goes_before_everything(fake):
    assert "authorization" not in await sent(fake, "compatible:any")
    own = {"authorization": "Basic abc", "OpenAI-Organization": "org-own", "Content-Type": "application/json; charset=utf-8"}
    headers = await sent(fake, "compatible:any", api_key="sk-secret", headers=own)
    assert headers["authorization"] == "Basic abc"
    assert headers["openai-organization"] == "org-own"
    assert headers["content-type"] == "application/json; charset=utf-8"


@requirement("S7")
@pytest.mark.parametrize("key", ["", "sk-own"])
async def test_what_the_environment_holds_for_openai_reaches_no_other_server(fake, monkeypatch, key):
    for name, value in FOR_OPENAI.items():
        monkeypatch.setenv(name, value)
    headers = await sent(fake, "compatible:any", api_key=key)
    assert headers.get("authorization") == (f"Bearer {key}" if key else None)
    assert not [name for name, value in headers.items() if "secret" in value or "sk-" in value.replace("sk-own", "")]


async def test_openai_s_own_address_gets_organisation_and_project_of_the_environment_but_no_other_key(monkeypatch):
    for name, value in FOR_OPENAI.items():
        monkeypatch.setenv(name, value)
    wire = OpenAITransport(model="openai:m", options=ModelOptions(api_key="sk-own"), base_url=BASE_URL, path="/responses")
    url, headers, _ = wire._address()
    assert str(url) == "https://api.openai.com/v1/responses"
    assert headers["openai-organization"] == "org-secret"
    assert headers["openai-project"] == "proj-secret"
    assert headers["authorization"] == "Bearer sk-own"


async def test_the_end_of_the_line_that_a_key_was_read_from_is_no_part_of_it(fake):
    headers = await sent(fake, "openai:gpt-6.1-sol", api_key="sk-secret\r\n")
    assert headers["authorization"] == "Bearer sk-secret"


@requirement("S7")
@pytest.mark.parametrize(
    "wrong", [{"api_key": "sk-\u3042-secret"}, {"api_key": "sk-secret\r\nx: y"}, {"headers": {"x-a": "secret\0"}}]
)
def test_a_key_or_header_that_http_cannot_carry_is_refused_and_not_said(wrong):
    with pytest.raises(ValidationError) as caught:
        ModelOptions.model_validate(wrong)
    told = str(ConfigError.of("settings", caught.value, "models", "openai", model=ModelOptions))
    assert told.startswith(f"settings: models.openai.{next(iter(wrong))}")
    assert told.endswith("holds characters that an HTTP header cannot carry")
    assert "secret" not in told + str(caught.value)


async def test_a_redirect_is_not_followed_with_the_key(fake):
    fake.script(Raw(b"", 307, {"location": f"{fake.url}/elsewhere"}))
    model = open_model("openai:gpt-6.1-sol", ModelOptions(base_url=fake.url, api_key="sk-secret"))
    with pytest.raises(ModelRejected, match="HTTP 307"):
        await model.complete(HELLO)
    assert len(fake.requests) == 1
    await model.aclose()


async def test_a_body_that_breaks_off_is_unavailable(fake):
    fake.script(Raw(b"{", headers={"content-length": "100", "connection": "close"}), Raw(b"x", 500, {"content-length": "100"}))
    model = open_model("openai:gpt-6.1-sol", ModelOptions(base_url=fake.url, api_key="k", timeout_s=0.3))
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await model.complete(HELLO)
    await model.aclose()


async def test_a_model_that_was_closed_can_be_asked_again(fake):
    fake.script(reply("one"), reply("two"))
    model = open_model("openai:gpt-6.1-sol", ModelOptions(base_url=fake.url, api_key="k"))
    for words in ("one", "two"):
        assert (await model.complete(HELLO)).text == words
        await model.aclose()


@requirement("L6")
def test_without_a_model_of_openai_s_dialect_no_sdk_is_imported():
    program = (
        "import sys\nfrom autonomy.llm import model, model_chain, model_registry\nfrom autonomy.llm.vendors import anthropic_messages\n"
        "for name in ('planner:offline', 'scripted:x', 'anthropic:y'): model_registry.open_model(name, model.ModelOptions())\n"
        "print({'openai', 'anthropic', 'httpx'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_one_file_of_the_room_imports_openai_and_none_anthropic():
    importing = {
        (file.name, name.partition(".")[0])
        for file in ROOM.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None) or ""])
    }
    assert {pair for pair in importing if pair[1] in ("openai", "anthropic")} == {("openai_sdk.py", "openai")}


def test_opening_the_models_and_asking_one_never_blocks_the_event_loop():
    program = (
        "import anyio\nfrom blockbuster import blockbuster_ctx\nfrom autonomy.app import open_chain\n"
        "from autonomy.settings import Settings\nfrom autonomy.errors import ModelUnavailable\n"
        "from autonomy.llm.messages import UserMessage\nfrom autonomy.llm.model import ModelRequest\n"
        "options = {'compatible': {'base_url': 'http://127.0.0.1:9/v1'}, 'openai': {'api_key': 'k'}}\n"
        "async def main():\n"
        "    async with open_chain(Settings(models=options), ('compatible:x', 'openai:y')) as chain:\n"
        "        try:\n"
        "            await chain.models[0].complete(ModelRequest(messages=(UserMessage(text='hi'),)))\n"
        "        except ModelUnavailable:\n"
        "            print('asked')\n"
        "with blockbuster_ctx():\n    anyio.run(main)\n"
    )
    # with a buffer left to flush, an interpreter that blockbuster has patched ends in a segmentation fault (1.5.29, Python 3.11)
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=unbuffered)
    assert ran.stdout == "asked\n"
