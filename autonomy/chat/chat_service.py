"""Answers the messages of one conversation by starting runs."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

import anyio.to_thread

from autonomy.chat.conversation_history import ConversationHistory
from autonomy.chat.intent_matching import is_request, match_job
from autonomy.errors import ConfigError
from autonomy.jobs.job import Job, RunDefaults
from autonomy.jobs.job_folders import job_files, job_names, language_in
from autonomy.jobs.job_loading import load
from autonomy.llm.model import Task
from autonomy.locale_language import language_of_words
from autonomy.policy.policy_words import any_stands
from autonomy.run_state.limits import Limits
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest, RunResult, new_run_id
from discovery.catalog import Frozen
from discovery.hints.hints import tool_title
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_words import word
from metrics.text.word_files import Words, read_words, word_in

CONVERSATION = (
    "You are talking with a person. Answer what was asked, briefly, in the language of the question. "
    "When a tool has failed, tell the person in plain words what could not be found out."
)


class RunBackend(Protocol):
    """Executes runs, in this process alone or on the durable engine."""

    async def run(self, request: RunRequest) -> RunResult:
        """Execute a run; gives its result. The same id again gives the result of the same run."""
        ...

    async def cancel(self, run_id: str, *, by: str) -> None:
        """Cancel a run, unless it has ended; `by`: who, for the journal."""
        ...


AT_THE_TERMINAL = "terminal"
"""The `user_id` of the operator, who talks at his own terminal; never give it to anybody else."""


class IncomingMessage(Frozen):
    """A message of a person, and where it was written."""

    thread: str
    """The conversation they belong to."""
    user_id: str
    text: str
    run_id: str = ""
    """The id of the run that answers; the same for the same words. Empty takes a new one."""
    user_name: str = ""
    """The name jobs know the person by."""
    language: Literal["", "ja", "en"] = ""
    """The person's own, for words that are of no language."""
    timezone: str = ""
    """Where the person is: his today is the day there. Empty is where the operator says that people live."""
    channel: str = ""
    """Where it was said, as the tools know the place."""
    files: tuple[str, ...] = ()
    """The names of what is attached, which is not read."""
    said_before: str = ""
    """The earlier messages of a thread that the bot was called into: untrusted data."""
    answers_as: str = ""
    """The id under which the answer will stand there, as the tools know it."""
    trigger: Literal["chat", "slack"] = "chat"


class ChatConfig(RunDefaults):
    """The operator's settings, as far as conversations need them: those of all runs, and what people who talk need."""

    location: str = "東京"
    timezone: str = ""
    """Where the people live; empty is the machine's."""
    tools: tuple[str, ...] = ("*",)
    """Globs of the tools a conversation may use; none at all is plain conversation."""
    job_folders: tuple[Path, ...] = ()
    quiet_hours: QuietHours | None = None
    """The installation's; a job may have its own."""


class ChatService:
    """Answers messages by runs."""

    def __init__(
        self, runs: RunBackend, history: ConversationHistory, config: ChatConfig, *, now: Callable[[], datetime] = datetime.now
    ) -> None:
        """`now`: the present moment in the operator's time zone."""
        self.runs, self.history, self.config, self._now = runs, history, config, now

    async def respond(self, user_id: str, text: str, thread_ts: str) -> str:
        """Answer a message in a thread; gives the text of the answer, or of the failure."""
        message = IncomingMessage(thread=thread_ts, user_id=user_id, text=text)
        return self.render(message, await self.answer(message))

    def language_of(self, words: str, own: Literal["", "ja", "en"] = "") -> Literal["ja", "en"]:
        """The language in which these words are answered; `own`: that of whoever said them."""
        return language_of_words(words, own or self.config.language)

    def render(self, message: IncomingMessage, result: RunResult) -> str:
        """A result as the answer to a message, in its author's language."""
        return render_result(result, self.language_of(message.text, message.language))

    async def answer(self, message: IncomingMessage) -> RunResult:
        """Execute the request of a message, and store the exchange; gives the result. Raises `StoreError`."""
        request = await self.request_for(message)
        result = await self.runs.run(request)
        answered = self.render(message, result)
        await self.history.add(
            message.thread, request.run_id, user_id=message.user_id, asked=message.text or request.task.goal, answered=answered
        )
        return result

    async def request_for(self, message: IncomingMessage) -> RunRequest:
        """The run request of a message: the job that its words name, else the words as the goal. Raises `ConfigError`,
        `StoreError`."""
        run_id = message.run_id or f"{message.trigger}-{new_run_id(self._now())}"
        if self.config.tools and is_request(message.text):
            jobs = await anyio.to_thread.run_sync(self._jobs)
            if (matched := match_job(message.text, jobs, user=message.user_name, now=self._now_at(message))) is not None:
                return self._job_request(*matched, message, run_id)
        inputs = {"location": self.config.location, **_who_asks(message)} if self.config.tools else {}
        inputs |= {"said_before_in_this_thread": message.said_before} if message.said_before else {}
        inputs |= {"attached_files_which_you_cannot_read": ", ".join(message.files)} if message.files else {}
        language = self.language_of(message.text, message.language)
        return RunRequest(
            run_id=run_id,
            task=Task(
                goal=message.text or word_in(_ENDINGS, "file_alone" if message.files else "nothing_said", language),
                inputs=inputs,
                language=language,
                jobs=await anyio.to_thread.run_sync(job_names, self.config.job_folders) if self.config.tools else (),
            ),
            tenant=self.config.tenant,
            actor=message.user_id,
            trigger=message.trigger,
            timezone=message.timezone or self.config.timezone,
            instructions=CONVERSATION,
            history=await self.history.of(message.thread, message.user_id),
            strange=tuple(text for text in (message.said_before, *message.files) if text),
            tools=self.config.tools,
            limits=Limits.model_validate(self.config.limits),
            second_opinion=self.config.second_opinion,
            answers_as=message.answers_as,
        )

    def _now_at(self, message: IncomingMessage) -> datetime:
        """The present moment where the person is."""
        return self._now().astimezone(ZoneInfo(message.timezone)) if message.timezone else self._now()

    def _jobs(self) -> list[Job]:
        """The jobs that can be read; a broken file is the operator's to mend (`jiritsu doctor`), not this person's."""
        found = []
        for file in job_files(self.config.job_folders):
            try:
                found.append(load(file, language_in(self.config.job_folders)))
            except ConfigError:
                continue
        return found

    def _job_request(self, job: Job, inputs: dict[str, str], message: IncomingMessage, run_id: str) -> RunRequest:
        return job.request(
            run_id,
            inputs,
            now=self._now_at(message),
            timezone=message.timezone,
            defaults=self.config,
            actor=message.user_id,
            trigger=message.trigger,
        )


def _who_asks(message: IncomingMessage) -> dict[str, str]:
    """The ids of the asker and, where the words speak of "here", of the channel, so that a model need not look them up.

    A message to the asker tells nobody else anything; a post in the channel is seen by all, so the words have to ask for it. Only
    ids: a name could be somebody else's, too.
    """
    if message.trigger != "slack":
        return {}
    here = message.channel if any_stands("here", message.text) else ""
    about = {"asked_by_user_id": message.user_id, "asked_in_channel_id": here}
    return {name: value for name, value in about.items() if value}


_ENDINGS: Words = read_words("autonomy.chat", "endings")


MOST_REMARKS = 5
"""Of more the run's page tells."""


def render_result(result: RunResult, language: str = "ja") -> str:
    """Render a result as an answer, with the judge's remarks on it. Every ending but `completed` is named: above a refuted text,
    below any other."""
    parts = [result.text] if result.text.strip() else []
    if result.ending != "completed":
        in_words = f"{result.ending}_in_words"  # the answer says itself why
        named = "model_away" if result.ending == "failed" and result.unavailable else result.ending
        ending = word_in(_ENDINGS, in_words if parts and in_words in _ENDINGS else named, language)
        reason = reason_in(language, result.why_not_held if result.is_refuted else result.reason)
        parts.insert(0 if result.is_refuted else 1, ending.format(reason=reason or "?"))
        if done := _done_before(result, language):
            parts.append("\n".join([word_in(_ENDINGS, "done_before", language), *done]))
    if result.remarks:
        remarks = [f"- {reason_in(language, remark)}" for remark in result.remarks[:MOST_REMARKS]]
        parts.append("\n".join([word("not traced", "ja" if language == "ja" else "en"), *remarks]))
    if result.unread:
        parts.append(reason_in(language, result.unread))
    return "\n\n".join(parts)


def _done_before(result: RunResult, language: str) -> list[str]:
    """The writes of a run that did not complete, a line each, without those that its answer names."""
    lines = list[str]()
    for receipt in result.receipts:
        is_told = receipt.state == "unknown" and result.ending != "cancelled"  # in the reason
        if is_told or (receipt.target in result.text and (receipt.target or result.text)):
            continue
        what = receipt.target or word_in(_ENDINGS, "perhaps_done" if receipt.state == "unknown" else "was_done", language)
        lines.append(f"- {tool_title(receipt.tool, '', 'ja' if language == 'ja' else 'en')}: {what}")
    return lines
