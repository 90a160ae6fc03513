"""Decides who may ask, in which channel, and who may approve.

The operator's lists decide. Without any, everybody of our own team may ask in every channel of the bot, whoever asked may
approve, and nobody may switch jobs.
"""

import re
from typing import Literal

from pydantic import Field, SecretStr, field_validator

from autonomy.chat.slack.events.slack_event import BotIdentity, SlackMessage, is_channel_id, is_user_id
from discovery.catalog import Frozen


class SlackSettings(Frozen):
    """`[slack]` of the settings file; the tokens come from `SLACK_BOT_TOKEN`, `SLACK_APP_TOKEN`, `SLACK_SIGNING_SECRET`."""

    bot_token: SecretStr = SecretStr("")
    """The bot's token (`xoxb-…`)."""
    app_token: SecretStr = SecretStr("")
    """Needed for Socket Mode only (`xapp-…`)."""
    signing_secret: SecretStr = SecretStr("")
    """Needed for HTTP mode only: what Slack signs its requests with."""
    api_url: str = "https://slack.com/api/"
    """The address of the Web API."""
    teams: tuple[str, ...] = ()
    """Team ids that may ask beside our own (Slack Connect)."""
    channels: tuple[str, ...] = ()
    """Channel ids it answers in; empty is all it was invited to. Direct messages always count."""
    users: tuple[str, ...] = ()
    """User ids that may ask; empty is everybody of an allowed team but guests."""
    guests: bool = False
    """Whether guests of our own workspace may ask without being named: they would read what the bot reads."""
    approvers: tuple[str, ...] = ()
    """User ids that may approve and switch jobs; empty is whoever asked, and nobody."""
    approvals_channel: str = ""
    """Where questions of runs stand that nobody in Slack asked for, e.g. scheduled jobs."""
    console_url: str = ""
    """Where people open the console, e.g. https://console.example.org: questions and results lead there."""
    reports: dict[str, str] = Field(default_factory=dict)
    """Job → the channel its results are posted to, but for runs of a terminal and rehearsals."""
    bots: tuple[str, ...] = ()
    """Ids of other bots that may ask (`B…`); all others are ignored."""
    runs_per_thread: int = Field(30, ge=1)
    """Requests of one thread within ten minutes, a guard against two bots that answer each other."""
    lanes: int = Field(8, ge=1)
    """Requests that are worked on at once."""
    ping_interval_s: float = Field(5.0, gt=0)
    """How often the Socket Mode connection is checked."""

    @field_validator("users", "approvers")
    @classmethod
    def _ids_of_people(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Check ids: a name or a user group would be nobody, and nobody could answer a question."""
        if wrong := [one for one in value if not is_user_id(one)]:
            raise ValueError(f"{wrong[0]!r} is no id of a person (U0123ABC): give each member of a group, by id")
        return value

    @field_validator("channels", "approvals_channel", "reports")
    @classmethod
    def _ids_of_channels(cls, value: tuple[str, ...] | str | dict[str, str]) -> tuple[str, ...] | str | dict[str, str]:
        """Check ids: messages carry no names, and Slack looks no channel up by its name."""
        given = value.values() if isinstance(value, dict) else (value,) if isinstance(value, str) else value
        if wrong := [one for one in given if one and not is_channel_id(one)]:
            raise ValueError(f"{wrong[0]!r} is no id of a channel (C0123ABC): Slack shows it at the end of the channel's details")
        return value

    @field_validator("console_url")
    @classmethod
    def _an_address(cls, value: str) -> str:
        """Check an address, which must not be able to end one of Slack's links."""
        if value and not re.fullmatch(r"https?://[^\s<>|]+", value):
            raise ValueError("give the address as http(s)://HOST[/PATH]")
        return value.rstrip("/")


class NotTakenOn(Frozen):
    """Why a message is refused."""

    phrase: Literal["may_not_ask", "not_here", "too_many"]
    """The name of the phrase for whoever wrote it."""
    why: str
    """For the operator's log."""


class Authorization:
    """Decides by the operator's lists."""

    def __init__(self, settings: SlackSettings, me: BotIdentity) -> None:
        self.settings, self._me = settings, me

    @property
    def our_id(self) -> str:
        """The id under which our messages stand in Slack."""
        return self._me.user_id

    def refusal(self, message: SlackMessage, *, is_guest: bool = False) -> NotTakenOn | None:
        """Why a message is refused; None when it is accepted."""
        settings = self.settings
        if message.bot and message.bot not in settings.bots:
            return NotTakenOn(phrase="may_not_ask", why=f"bot {message.bot} is not on the list")
        if message.team and message.team not in (self._me.team_id, *settings.teams):
            return NotTakenOn(phrase="may_not_ask", why=f"team {message.team} is not ours")
        if settings.users and message.user_id not in settings.users:
            return NotTakenOn(phrase="may_not_ask", why=f"user {message.user_id} is not on the list")
        if self._shut_out(message.user_id, is_guest=is_guest):
            return NotTakenOn(phrase="may_not_ask", why=f"user {message.user_id} is a guest (`guests`, `users`)")
        if settings.channels and not message.direct and message.channel not in settings.channels:
            return NotTakenOn(phrase="not_here", why=f"channel {message.channel} is not on the list")
        return None

    def may_ask(self, user_id: str, team: str, *, is_guest: bool = False) -> bool:
        """Whether a person may use the app at all."""
        if self._shut_out(user_id, is_guest=is_guest):
            return False
        is_own_team = team in ("", self._me.team_id, *self.settings.teams)
        return is_own_team and (not self.settings.users or user_id in {*self.settings.users, *self.settings.approvers})

    def is_of_own_team(self, team: str) -> bool:
        """Whether somebody of this team is of our own workspace."""
        return team in ("", self._me.team_id)

    def _shut_out(self, user_id: str, *, is_guest: bool) -> bool:
        return is_guest and not self.settings.guests and user_id not in {*self.settings.users, *self.settings.approvers}

    def may_switch(self, user_id: str, team: str) -> bool:
        """Whether a person may switch the schedules of jobs, which belong to the team: those who approve, and nobody else."""
        return self.may_ask(user_id, team) and user_id in self.settings.approvers

    def may_approve(self, user_id: str, team: str, asked_for_by: str) -> bool:
        """Whether a person may answer a question of a run; `asked_for_by` is whose goal it is."""
        if not self.may_ask(user_id, team):
            return False  # whoever asked, and was taken off the list since
        return user_id in self.settings.approvers if self.settings.approvers else user_id == asked_for_by

    def deciders(self, asked_for_by: str) -> tuple[str, ...]:
        """The ids of the people who may answer a question; none where nobody in Slack may."""
        return self.settings.approvers or ((asked_for_by,) if is_user_id(asked_for_by) else ())

    def may_stop(self, user_id: str, asked_for_by: str) -> bool:
        """Whether a person may end a run: whoever asked for it and is still on the list, and those who approve."""
        return self.may_ask(user_id, "") and (user_id == asked_for_by or user_id in self.settings.approvers)
