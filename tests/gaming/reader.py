"""A second reader that decides, with what it said of each case on record: a large model's opinions, behind an endpoint of their own.

    python -m tests.gaming.reader [WORDS]                                      the table, with the recorded opinions
    python -m tests.gaming.reader --record --model openai:NAME [--url URL]     ask for those that are missing or stale
    python -m tests.gaming.reader --write ASKED.jsonl                          write those down, for a reader elsewhere
    python -m tests.gaming.reader --take ASKED.jsonl OPINIONS.jsonl …          record what that one said

WORDS: the cases with these in their names. An opinion is recorded with a digest of what it judges: the goal and
what was said beside it, the record and the answer, and not the words of our instruction, nor what a program made of them. Where the digest of today is
another one, the opinion is stale and answers nothing.
"""

import argparse
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import anyio
from pydantic import ValidationError

from autonomy.agent.second_opinion import ANSWER, BEFORE, GOAL, MEANWHILE, OPERATOR, RECORD, Opinion, opinion_in
from autonomy.errors import ModelError
from autonomy.llm.messages import SystemMessage, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from discovery.catalog import Frozen
from tests.gaming.case import GamingCase
from tests.gaming.cases import CASES
from tests.gaming.world import CaseRunner, Ran
from tests.support.openai_chat import OpenAIChat, Request, Step, failure, reply

FOLDER = Path(__file__).parent / "readings"
FILE = FOLDER / "opinions.jsonl"
REFUSED = FOLDER / "refused.json"
_ROUNDS = 3
"""A run has its answer read twice at most, and the second request may follow from the first opinion."""


class Reading(Frozen):
    """What a reader said of a case."""

    case: str
    shown: str
    """The digest of what it judged."""
    meets_the_goal: bool
    missing: tuple[str, ...]
    by: str
    """Which kind of reader it was."""
    on: date


class Asked(Frozen):
    """What has no opinion yet, word for word."""

    case: str
    shown: str
    system: str
    user: str

    @property
    def id(self) -> str:
        """What stands for it where the case must not be seen."""
        return _digest(f"{self.case} {self.shown}")


class Answered(Opinion):
    """An opinion from elsewhere."""

    id: str


class Unread(Exception):
    """A case came to the reader, and nobody has read it."""


class Stale(Unread):
    """A case was read, and shows the reader something else today."""


def readings() -> list[Reading]:
    """All that are recorded."""
    return [Reading.model_validate_json(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


class Refused(Frozen):
    """The good cases that end wrongly with the reader, each with the cause."""

    wrongly: dict[str, str]
    """There is nothing wrong with them."""
    rightly: dict[str, str]
    """Their record shows the fault that is named, which their author did not see."""


def refused() -> Refused:
    """Those that are known."""
    return Refused.model_validate_json(REFUSED.read_text(encoding="utf-8"))


_SENDER = re.compile(r'"user_id":"[^"]*","user_name":"[^"]*","bot_id":"[^"]*",')
"""As whom a message was sent, in the receipts of Slack: it has been there since most opinions were given, and bears on none."""


def what_is_judged(user: str, folder: Path) -> str:
    """The digest of what an opinion is about, wherever the case kept its files."""
    paragraphs = user.replace(folder.as_uri(), "file://").replace(str(folder), "").split("\n\n")
    record = next(at for at, text in enumerate(paragraphs) if text.startswith(f"{RECORD}:\n"))
    paragraphs = [_SENDER.sub("", text) for text in paragraphs]
    judged = [*paragraphs[: record + 1], *(text for text in paragraphs[record:] if text.startswith(f"{ANSWER}:\n"))]
    for heading in (GOAL, OPERATOR, MEANWHILE, BEFORE, RECORD, ANSWER):
        judged = [text.removeprefix(f"{heading}:\n") for text in judged]
    return _digest("\n\n".join(judged))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class RecordedReader(OpenAIChat):
    """An endpoint that gives the recorded opinion about the case that runs; where there is none, it refuses and keeps the request."""

    def __init__(self, read: Iterable[Reading]) -> None:
        super().__init__()
        self._said = {(one.case, one.shown): one for one in read}
        self._read = {one.case for one in read}
        self._case, self._folder = "", Path()
        self.used: list[Reading] = []
        self.unknown: list[Asked] = []

    def begin(self, case: GamingCase, folder: Path) -> None:
        """From now on it is asked about this case, whose files are kept there."""
        self._case, self._folder = case.name, folder
        self.used, self.unknown = [], []

    def next_step(self, request: Request) -> Step:
        system, user = (message["content"] for message in request.body["messages"])
        shown = what_is_judged(user, self._folder)
        said = self._said.get((self._case, shown))
        if said is None:
            asked = Asked(case=self._case, shown=shown, system=system, user=user.replace(str(self._folder), ""))
            self.unknown += [asked] * (asked not in self.unknown)  # a reader who was not heard is asked once more
            return failure(400, "nobody has read this")
        self.used.append(said)
        return reply(said.model_dump_json(include={"meets_the_goal", "missing"}))

    def check(self) -> None:
        """Raises where it had nothing to say."""
        if self.unknown and self._case in self._read:
            raise Stale(f"{self._case}: what the reader is shown is not what it read; ask again: {RECORDING}")
        if self.unknown:
            raise Unread(f"{self._case}: nobody has read it: {RECORDING}")


RECORDING = "python -m tests.gaming.reader --record --model VENDOR:NAME"


@dataclass
class ReadCases:
    """Where cases run with a reader that decides."""

    stage: CaseRunner
    endpoint: RecordedReader

    async def run(self, case: GamingCase) -> Ran:
        """Run a case to its end. Raises `Unread` or `Stale` where the reader has no opinion about what it is shown."""
        self.endpoint.begin(case, self.stage.here)
        ran = await self.stage.run(case)
        self.endpoint.check()
        return ran


@asynccontextmanager
async def read_cases(folder: Path, endpoint: RecordedReader) -> AsyncIterator[ReadCases]:
    """Open what cases need; the endpoint answers already."""
    model = open_model("openai:recorded", ModelOptions(api_key="sk-none", base_url=endpoint.url, stream=False))
    stage = CaseRunner(folder, reader=model, decides=True)
    try:
        yield ReadCases(stage, endpoint)
    finally:
        await stage.close()
        await model.aclose()


@dataclass
class Tally:
    """What came of the cases."""

    ran: list[Ran] = field(default_factory=list)
    asked: list[Ran] = field(default_factory=list)
    """Those of them that came to the reader."""
    unread: list[str] = field(default_factory=list)
    missing: list[Asked] = field(default_factory=list)
    """What nobody has read."""
    used: list[Reading] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The table: wrong ones by name, then how many of each kind."""
        for one in self.ran:
            if not one.right:
                yield f"{one.case.kind} {one.result.ending}: {one.case.name}: {'; '.join(one.result.missing) or one.result.reason}"
        yield from self.unread
        for kind in ("bad", "good"):
            came, all_of = ([one for one in which if one.case.kind == kind] for which in (self.asked, self.ran))
            wrong = sum(not one.right for one in came)
            yield f"{kind}: {len(all_of)} judged, {len(came)} of them by the reader, who left {wrong} that ended wrongly"
        yield f"{len(self.unread)} not judged: nobody has read them, or something else"


async def tally(words: str, read: Sequence[Reading], folder: Path) -> Tally:
    """Run what is to be read, one case after the other."""
    found = Tally()
    with RecordedReader(read) as endpoint:
        async with read_cases(folder, endpoint) as cases:
            for case in CASES:
                if words not in case.name:
                    continue
                try:
                    ran = await cases.run(case)
                except Unread as error:
                    found.unread.append(f"{type(error).__name__.lower()}: {error}")
                    found.missing += endpoint.unknown
                else:
                    found.ran.append(ran)
                    found.asked += [ran] * bool(endpoint.used)
                    found.used += endpoint.used
    return found


async def record(words: str, folder: Path, model: Model) -> None:
    """Ask a model for what is missing or stale, until nothing is, and forget what was asked before; each opinion is kept at once."""
    for again in range(_ROUNDS):
        found = await tally(words, readings(), folder / str(again))
        forget(found)
        for one in found.missing:
            try:
                opinion = await _asked(model, one)
            except (ModelError, ValidationError) as error:
                sys.stderr.write(f"{one.case}: {type(error).__name__}\n")
            else:
                keep([*readings(), _reading(one.case, one.shown, opinion, model.id)])


def forget(found: Tally) -> None:
    """Drop the readings of the cases that ran which none of them asks for any more."""
    judged = {one.case.name for one in found.ran}
    keep(one for one in readings() if one.case not in judged or one in found.used)


async def _asked(model: Model, one: Asked) -> Opinion:
    messages = (SystemMessage(text=one.system), UserMessage(text=one.user))
    return opinion_in((await model.complete(ModelRequest(messages=messages, tool_choice="none", temperature=0.0))).text)


def taken(asked: Path, opinions: Iterable[Path], by: str) -> list[Reading]:
    """The opinions of a reader elsewhere about what was written for it."""
    key = {one["id"]: one for one in map(json.loads, _key_of(asked).read_text(encoding="utf-8").splitlines())}
    lines = (line for file in opinions for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    said = map(Answered.model_validate_json, lines)
    return [_reading(key[one.id]["case"], key[one.id]["shown"], one, by) for one in said]


def _reading(case: str, shown: str, opinion: Opinion, by: str) -> Reading:
    today = datetime.now(UTC).date()
    return Reading(case=case, shown=shown, meets_the_goal=opinion.meets_the_goal, missing=opinion.missing, by=by, on=today)


def keep(read: Iterable[Reading]) -> None:
    """Write the readings, in the order of the cases."""
    order = {case.name: at for at, case in enumerate(CASES)}
    kept = {(one.case, one.shown): one for one in read if one.case in order}
    lines = [one.model_dump_json() + "\n" for one in sorted(kept.values(), key=lambda one: (order[one.case], one.shown))]
    FILE.write_text("".join(lines), encoding="utf-8")


def _key_of(file: Path) -> Path:
    return file.with_suffix(".key.jsonl")


def main() -> None:
    """Show the table, or refresh what is recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--record", action="store_true", help="ask --model for what is missing or stale")
    parser.add_argument("--model", default="")
    parser.add_argument("--url", default="")
    parser.add_argument("--write", type=Path, help="write what is missing or stale there, and its key beside it")
    parser.add_argument("--take", type=Path, nargs="+", help="what was written, and files of opinions about it")
    parser.add_argument("--by", default="a large language model that saw the request alone", help="whose those are")
    given = parser.parse_args()
    words = " ".join(given.words)
    if given.take:
        asked, *opinions = given.take
        keep([*readings(), *taken(asked, opinions, given.by)])
    with tempfile.TemporaryDirectory() as folder:
        if given.record:
            anyio.run(record, words, Path(folder) / "recorded", open_model(given.model, ModelOptions(base_url=given.url)))
        found = anyio.run(tally, words, readings(), Path(folder) / "told")
    if given.take:
        forget(found)
    if given.write:
        write(found.missing, given.write)
    sys.stdout.write("\n".join(found.lines()) + "\n")


def write(asked: Sequence[Asked], file: Path) -> None:
    """What a reader elsewhere is to answer, in an order that tells nothing, and the key to it."""
    shuffled = sorted(asked, key=lambda one: one.id)
    told = [{"id": one.id, "system": one.system, "user": one.user} for one in shuffled]
    key = [{"id": one.id, "case": one.case, "shown": one.shown} for one in shuffled]
    for rows, to in ((told, file), (key, _key_of(file))):
        to.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
