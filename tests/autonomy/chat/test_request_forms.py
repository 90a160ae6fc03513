"""Every field of everything that Slack sends, signed, in another form: refused as that, or nothing happens; never a failure of ours."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

from autonomy.chat.slack import blocks
from autonomy.chat.slack.edit_view import EDITED
from autonomy.chat.slack.home import SWITCH
from tests.requirements import requirement
from tests.support.slack import Slack
from tests.support.slack_house import slack_house

MISSING = object()
OTHER_FORMS = (MISSING, [5], "\0")
Place = tuple[str | int, ...]


def everything(user: str, channel: str, ts: str) -> dict[str, dict[str, Any]]:
    """What Slack sends to our listeners, whole."""

    def event(**fields: Any) -> dict[str, Any]:
        return {
            "type": "event_callback",
            "team_id": "T0",
            "event_id": "Ev1",
            "event": {"user": user, "channel": channel, **fields},
        }

    who = {"user": {"id": user, "team_id": "T0"}, "team": {"id": "T0"}, "trigger_id": "t"}
    values = {"argument-0": {"a": {"type": "plain_text_input", "value": "x"}}}

    def press(action: str, value: str, **fields: Any) -> dict[str, Any]:
        return {"type": "block_actions", **who, **fields, "actions": [{"action_id": action, "type": "button", "value": value}]}

    at = {"channel": {"id": channel}, "message": {"ts": ts, "thread_ts": ts}}
    view = {
        "type": "modal",
        "callback_id": EDITED,
        "private_metadata": '{"approval_id": "d", "sha256": "a"}',
        "state": {"values": values},
    }
    before, after = {"ts": ts, "text": "a"}, {"ts": ts, "text": "b"}
    return {
        "said": event(
            type="message",
            text=r"what is \u0000?",
            ts=ts,
            thread_ts=ts,
            channel_type="channel",
            files=[{"name": "a", "id": "F1"}],
        ),
        "changed": event(type="message", subtype="message_changed", ts=ts, previous_message=before, message=after),
        "opened": event(type="app_home_opened", tab="messages"),
        "stopped": event(type="agent_session_stopped", thread_ts=ts),
        "allowed": press(blocks.APPROVE, "d:a", **at),
        "edited": press(blocks.EDIT, "d:a", **at),
        "rated": press(blocks.FEEDBACK, "good:run-1", **at),
        "switched": press(SWITCH, "on:diary", view={"type": "home", "id": "V1"}),
        "submitted": {"type": "view_submission", **who, "view": view},
        "typed": {"command": "/jiritsu", "text": "help", "user_id": user, "team_id": "T0"},
    }


def places(payload: Any, here: Place = ()) -> Iterator[Place]:
    """Where its values are."""
    items = payload.items() if isinstance(payload, dict) else enumerate(payload) if isinstance(payload, list) else ()
    for key, value in items:
        yield (*here, key)
        yield from places(value, (*here, key))


def changed(payload: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    """The payload with another value at a place, or none."""
    whole = at = copy.deepcopy(payload)
    for key in place[:-1]:
        at = at[key]
    if value is MISSING:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return whole


@requirement("C6")
async def test_what_slack_signs_in_another_form_is_refused_or_comes_to_nothing(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    honest = everything(haruka, general, slack.say(general, haruka, "hi"))
    async with slack_house(tmp_path, slack, script=lambda _: "ok", listen=False) as here:
        transport = httpx2.ASGITransport(here.app.web_app())
        async with httpx2.AsyncClient(transport=transport, base_url="http://us.test") as client:

            async def status(payload: dict[str, Any]) -> int:
                body = json.dumps(payload)
                if "command" in payload:
                    body = urlencode({key: str(value) for key, value in payload.items()})
                elif "event" not in payload:
                    body = f"payload={quote(body)}"
                form = {} if body.startswith("{") else {"Content-Type": "application/x-www-form-urlencoded"}
                return (await client.post("/slack/events", content=body, headers=slack.signed(body) | form)).status_code

            assert {name: await status(payload) for name, payload in honest.items()} == dict.fromkeys(honest, 200)
            for name, payload in honest.items():
                for place in places(payload):
                    for value in OTHER_FORMS:
                        if (code := await status(changed(payload, place, value))) not in (200, 400, 404):
                            raise AssertionError(f"{name} {place} {value!r}: {code}")
