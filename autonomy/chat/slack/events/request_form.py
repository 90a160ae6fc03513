"""The forms of what Slack sends us, as far as we read them.

Whoever holds the signing secret, a proxy of the operator's included, can send what has another form: it is refused as that, in
place of failing somewhere behind.
"""

import json
from typing import Any, Self

from pydantic import BaseModel, Field, Json, ValidationError, model_validator

from discovery.catalog import Frozen

OURS = "jiritsu_"
"""With what the ids of all our buttons and switches begin."""
EVENTS = frozenset(("message", "app_mention", "app_home_opened", "agent_session_stopped"))


class _Words(BaseModel):
    ts: str | None = None
    thread_ts: str | None = None
    text: str | None = None
    subtype: str | None = None


class _File(BaseModel):
    id: str | None = None
    name: str | None = None


class _Event(_Words):
    user: str | None = None
    channel: str | None = None
    channel_type: str | None = None
    tab: str | None = None
    bot_id: str | None = None
    team: str | None = None
    user_team: str | None = None
    source_team: str | None = None
    deleted_ts: str | None = None
    message: _Words | None = None
    previous_message: _Words | None = None
    files: list[_File] | None = None


class _HomeOpened(_Event):
    user: str
    channel: str


class _Stopped(_Event):
    user: str
    channel: str
    thread_ts: str


_OF_EVENT: dict[str, type[_Event]] = {"app_home_opened": _HomeOpened, "agent_session_stopped": _Stopped}


class _Ided(BaseModel):
    id: str


class _Person(_Ided):
    team_id: str | None = None


class _Action(BaseModel):
    action_id: str
    value: str | None = None
    action_ts: str | None = None

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if self.value is None and self.action_id.startswith(OURS):
            raise ValueError("a press of ours without its value")
        return self


class _View(BaseModel):
    type: str | None = None


class _State(BaseModel):
    values: dict[str, dict[str, dict[str, Any]]]


class Editing(Frozen):
    """The context that a modal of ours carries with it."""

    approval_id: str
    sha256: str
    """The digest of the arguments that were shown when the view was opened."""
    at_home: bool = False


class _Filled(BaseModel):
    type: str
    private_metadata: Json[Editing]
    state: _State


class _Interaction(BaseModel):
    user: _Person
    team: _Ided | None = None
    channel: _Ided | None = None
    message: _Words | None = None
    trigger_id: str | None = None


class _Pressed(_Interaction):
    view: _View | None = None
    actions: list[_Action] = Field(min_length=1)


class _Submitted(_Interaction):
    view: _Filled


class _Envelope(BaseModel):
    team_id: str | None = None
    event_id: str | None = None


class _Command(BaseModel):
    user_id: str
    text: str | None = None
    team_id: str | None = None


def is_in_form(body: dict[str, Any]) -> bool:
    """Whether what a listener of ours reads of a body is there, of the right kind, and is text that can be stored."""
    try:
        written = json.dumps(body, ensure_ascii=False).encode()
        if rb"\u0000" in written.replace(rb"\\", b""):  # a NUL, which no database stores; not who writes of it
            return False
        _read(body)
    except (ValidationError, UnicodeEncodeError):
        return False
    return True


def _read(body: dict[str, Any]) -> None:
    match body.get("type"):
        case "event_callback":
            _Envelope.model_validate(body)
            event = body.get("event")
            kind = str(event["type"]) if isinstance(event, dict) else ""
            if kind in EVENTS or not kind:
                _OF_EVENT.get(kind, _Event).model_validate(event)
        case "block_actions":
            _Pressed.model_validate(body)
        case "view_submission":
            _Submitted.model_validate(body)
        case _ if "command" in body:
            _Command.model_validate(body)
