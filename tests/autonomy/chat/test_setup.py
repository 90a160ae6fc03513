"""The manifest, and what the check of the tokens says."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from autonomy.chat.slack.authorization import SlackSettings
from autonomy.chat.slack.setup.manifest import BOT_SCOPES, manifest
from autonomy.chat.slack.setup.setup_check import Check, check
from tests.requirements import requirement
from tests.support.slack import Slack
from tests.support.tls_loopback import Authority, ConnectProxy, TlsFront

DATA = Path(__file__).parent / "data"


@requirement("C6")
@pytest.mark.parametrize(
    "given", [{}, {"language": "en"}, {"stop_button": True}, {"request_url": "https://bot.example.test/slack/events"}]
)
async def test_the_manifest_fits_slacks_published_schema(given: dict[str, Any]) -> None:
    from jsonschema import Draft7Validator

    schema = json.loads(await anyio.Path(DATA / "manifest.schema.2.0.0.json").read_text())
    assert [error.message for error in Draft7Validator(schema).iter_errors(manifest(**given))] == []


def test_the_manifest_speaks_the_language_of_its_readers() -> None:
    assert [char for char in json.dumps(manifest(language="en"), ensure_ascii=False) if char > "\u2fff"] == []
    assert "日記" in json.dumps(manifest(language="ja"), ensure_ascii=False)


def test_socket_mode_is_off_exactly_when_there_is_an_address() -> None:
    socket, http = manifest()["settings"], manifest(request_url="https://bot.example.test/slack/events")["settings"]
    assert (socket["socket_mode_enabled"], http["socket_mode_enabled"]) == (True, False)
    assert "request_url" not in socket["event_subscriptions"]
    assert http["event_subscriptions"]["request_url"] == http["interactivity"]["request_url"]


async def checked(slack: Slack, **given: str) -> dict[str, Check]:
    tokens = {"bot_token": slack.BOT_TOKEN, "app_token": slack.APP_TOKEN, "api_url": slack.url, **given}
    return {found[0]: found async for found in check(SlackSettings.model_validate(tokens))}


async def test_a_complete_setup_is_all_well() -> None:
    async with Slack() as slack:
        found = await checked(slack)
    assert {status for _, status, _, _ in found.values()} == {"ok"}
    assert found["slack bot token"][2] == "jiritsu in fake"
    assert found["slack scopes"][2] == f"all {len(BOT_SCOPES)} are there"


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "ALL_PROXY"])
async def test_slack_is_reached_through_a_company_s_proxy(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    async with Slack() as slack:
        with (
            TlsFront(authority, "slack.test", slack.port) as front,
            ConnectProxy({"slack.test": front.port}, password="me:s3cr@t") as proxy,
        ):
            monkeypatch.setenv(variable, proxy.url.replace("//", "//me:s3cr%40t@"))
            found = await checked(slack, api_url="https://slack.test/api/")
    assert {status for _, status, _, _ in found.values()} == {"ok"}
    assert set(proxy.asked) == {"slack.test:443"}


async def test_a_proxy_in_the_way_is_no_fault_of_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    with ConnectProxy({}) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:hunter2@127.0.0.1:{proxy.port}")
        async with Slack() as slack:
            _, _, detail, fix = (await checked(slack, api_url="https://slack.test/api/"))["slack bot token"]
    assert detail.startswith("Slack cannot be reached: the proxy refuses: 403 Forbidden (slack.test through the proxy 127.0.0.1:")
    assert fix.startswith("correct the proxy's variable")


async def test_a_missing_scope_is_named_with_what_it_is_for() -> None:
    async with Slack() as slack:
        slack.scopes[slack.BOT_TOKEN] -= {"im:history"}
        _, status, detail, fix = (await checked(slack))["slack scope im:history"]
    assert (status, detail) == ("fail", "missing: it is needed to receive direct messages")
    assert "add im:history" in fix


@pytest.mark.parametrize(
    ("given", "name", "detail"),
    [
        ({"bot_token": ""}, "slack bot token", "not set"),
        ({"bot_token": "xoxp-mine"}, "slack bot token", "does not begin with xoxb-"),
        ({"bot_token": "xoxb-old"}, "slack bot token", "Slack says invalid_auth"),
        ({"app_token": ""}, "slack app token", "not set"),
        ({"app_token": "xapp-old"}, "slack app token", "Slack says invalid_auth"),
        ({"api_url": "http://127.0.0.1:1/api/"}, "slack bot token", "Slack cannot be reached: connection refused (127.0.0.1:1)"),
    ],
)
async def test_a_token_that_does_not_work_is_named(given: dict[str, str], name: str, detail: str) -> None:
    async with Slack() as slack:
        found = await checked(slack, **given)
    assert found[name][1:3] == ("fail", detail)
    assert found[name][3]


async def test_without_an_app_token_http_mode_is_fine() -> None:
    async with Slack() as slack:
        found = await checked(slack, app_token="", signing_secret="s")
    assert found["slack app token"][1] == "ok"
