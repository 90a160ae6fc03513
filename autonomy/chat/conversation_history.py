"""Stores what was said in a conversation: people's messages and final answers.

The calls and results of runs are in their records and in the journal, not here.
"""

import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from autonomy.chat.chat_tables import messages, posts, requests
from autonomy.durable.durable_tables import approvals
from autonomy.durable.store import Store, insert_unless_there
from autonomy.llm.messages import AssistantMessage, Message, UserMessage

BY_ANOTHER = "said by another person, not by whoever asks now"
"""Before the words of others in a thread: a model takes each message that is not its own for the asker's."""


class ConversationHistory:
    """The conversations of one tenant, in a database."""

    def __init__(
        self,
        store: Store,
        tenant: str,
        *,
        most_messages: int = 20,
        most_chars: int = 12_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`most_messages`, `most_chars`: how much of a long conversation goes to the model, the newest first."""
        self._store, self._tenant, self._clock = store, tenant, clock
        self._most_messages, self._most_chars = most_messages, most_chars

    async def of(self, thread: str, asker: str = "") -> tuple[Message, ...]:
        """The newest messages of a thread that fit, oldest first. `asker`: the user id of whoever asks now; messages of other
        people
        are marked."""
        query = (
            sa.select(messages.c.role, messages.c.text, messages.c.user_id)
            .where(messages.c.tenant == self._tenant, messages.c.thread == thread)
            .order_by(messages.c.id.desc())
            .limit(self._most_messages)
        )
        rows = await self._store(lambda connection: connection.execute(query).all())
        recent, room = list[Message](), self._most_chars
        for role, words, user_id in rows:
            text = f"[{BY_ANOTHER}: {user_id}]\n{words}" if role == "user" and asker and user_id not in ("", asker) else words
            room -= len(text)
            if room < 0:
                break
            recent.append(UserMessage(text=text) if role == "user" else AssistantMessage(text=text))
        return tuple(reversed(recent))

    async def add(self, thread: str, run_id: str, *, user_id: str, asked: str, answered: str) -> None:
        """Store one exchange; storing it again changes nothing."""
        common = {"tenant": self._tenant, "thread": thread, "run_id": run_id, "at": self._clock()}
        rows = [
            {**common, "role": "user", "user_id": user_id, "text": asked},
            {**common, "role": "assistant", "user_id": "", "text": answered},
        ]

        def insert(connection: sa.Connection) -> None:
            for row in rows:
                insert_unless_there(connection, messages, row)

        await self._store(insert)

    async def knows(self, thread: str) -> bool:
        """Whether we have spoken in that thread."""
        query = sa.select(messages.c.id).where(messages.c.tenant == self._tenant, messages.c.thread == thread).limit(1)
        return await self._store(lambda connection: connection.scalar(query)) is not None


def forget_runs(connection: sa.Connection, run_ids: Sequence[str]) -> None:
    """Delete what was said around these runs, the Slack messages that asked for them, and the records of ours
    (`durable.retention`)."""
    for table in (messages, requests):
        connection.execute(table.delete().where(table.c.run_id.in_(run_ids)))
    asked = connection.scalars(sa.select(approvals.c.id).where(approvals.c.run_id.in_(run_ids)))
    prefixes = [f"{beginning}{run_id}/" for run_id in run_ids for beginning in ("", "report/")]
    of_these_runs = sa.or_(*(posts.c.key.startswith(prefix, autoescape=True) for prefix in prefixes))
    connection.execute(posts.delete().where(of_these_runs | posts.c.key.in_([f"approval/{one}" for one in asked])))
