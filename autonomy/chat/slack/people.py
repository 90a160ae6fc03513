"""Resolves Slack user ids to handles.

A handle that cannot be looked up is the id itself, which Slack's tools understand as well.
"""

from cachetools import TTLCache

from autonomy.chat.slack.slack_api import AnswerLost, SlackApi, SlackApiRefused

KEPT_S = 3600.0


class People:
    """The handles of the workspace's members, asked for once an hour at most."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._names: TTLCache[str, str] = TTLCache(1000, KEPT_S)

    async def name_of(self, user_id: str) -> str:
        """The handle, e.g. `haruka`."""
        if user_id not in self._names:
            try:
                answer = await self._api.read("users.info", user=user_id)
            except (SlackApiRefused, AnswerLost):
                return user_id
            self._names[user_id] = str(answer.get("user", {}).get("name") or user_id)
        return str(self._names[user_id])
