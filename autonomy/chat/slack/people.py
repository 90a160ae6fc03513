"""Resolves Slack ids to the names that people know.

What cannot be looked up is the id itself, which Slack's tools understand as well.
"""

from cachetools import TTLCache

from autonomy.chat.slack.blocks import ID, with_names
from autonomy.chat.slack.slack_api import SlackApi, SlackRequestFailed
from autonomy.durable.approval_store import Approval
from autonomy.run_state.asking.question_view import as_text, seen

KEPT_S = 3600.0

MOST_NAMES = 20
"""Of one question: more lookups would keep its card from appearing."""

NAME_CHARS = 80
"""Slack's own limit for names."""


class People:
    """Names of a workspace's members and channels, asked for once an hour at most."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._names: TTLCache[str, str] = TTLCache(1000, KEPT_S)

    async def name_of(self, user_id: str) -> str:
        """The handle of a member, e.g. `haruka`."""
        return await self._looked_up(user_id, "users.info", "user")

    async def named(self, text: str) -> str:
        """A text with the names of people and channels in place of their ids."""
        return with_names(text, await self._names_of(text))

    async def names_in(self, approval: Approval) -> dict[str, str]:
        """The names of the people and channels that a question's arguments and its answer name, by id; those that are known."""
        arguments = [*approval.question.arguments.values(), approval.edited or {}]
        return await self._names_of(" ".join([*map(as_text, arguments), approval.answered_by]))

    async def _names_of(self, text: str) -> dict[str, str]:
        names = {}
        for one in list(dict.fromkeys(ID.findall(text)))[:MOST_NAMES]:
            person = one[0] in "UW"
            name = await (self.name_of(one) if person else self._looked_up(one, "conversations.info", "channel"))
            if name != one:
                names[one] = f"{'@' if person else '#'}{seen(name)[:NAME_CHARS]}"
        return names

    async def _looked_up(self, one: str, method: str, kind: str) -> str:
        if one not in self._names:
            try:
                answer = await self._api.read(method, **{kind: one})
            except SlackRequestFailed:
                return one
            self._names[one] = str(answer.get(kind, {}).get("name") or one)
        return str(self._names[one])
