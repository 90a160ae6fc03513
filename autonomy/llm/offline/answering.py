"""How the offline planner answers a goal in words: the one read tool that speaks of it, its arguments taken from the words."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.offline.arguments import CannotFillError, Filler, choose, properties, required
from autonomy.llm.offline.choosing import ranked_tools, speaks_of
from autonomy.llm.offline.corrections import corrected
from autonomy.llm.offline.evidence import Answer, Evidence, Waiting, Wish, together
from autonomy.llm.offline.findings import content, readable
from autonomy.llm.offline.months import months_in, takes_month, without_months
from autonomy.llm.offline.phrases import Regret, say
from autonomy.llm.offline.pursuit import zone_of
from autonomy.llm.offline.words import CONCEPTS, TIME_WORDS, terms
from discovery.catalog import JsonObject

MAX_SUBJECTS = 5
WET_PERCENT, UNSURE_PERCENT = 50, 30

_REQUESTS = [
    "教えてください",
    "教えて",
    "知りたい",
    "調べてください",
    "調べて",
    "見せて",
    "ください",
    "お願いします",
    "お願い",
    "必要ですか",
    "必要",
    "いりますか",
    "いる",
    "ありますか",
    "どうですか",
    "どうなる",
    "どう",
    "どんな",
    "でしょうか",
    "ですか",
    "ますか",
    "かな",
    "持って行く",
    "持っていく",
    "べき",
    "降りますか",
    "降る",
    "ふる",
    "何",
    "について",
]
_ENGLISH = frozenset(
    [
        "what",
        "whats",
        "how",
        "is",
        "are",
        "was",
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "at",
        "for",
        "to",
        "me",
        "my",
        "i",
        "do",
        "does",
        "will",
        "it",
        "be",
        "tell",
        "show",
        "give",
        "please",
        "need",
        "today",
        "tomorrow",
        "yesterday",
        "this",
        "week",
        "there",
        "any",
        "can",
        "you",
        "about",
        "like",
        "should",
        "take",
        "with",
        "and",
    ]
)
_WRITING = re.compile(
    r"(?:投稿|送信|作成|登録|更新|削除|予約|通知|返信|公開)して(?!い)|書いて(?!あ|い)|送って(?!い)|作って(?!い)|消して(?!い)"
    r"|^\s*(?:please\s+)?(?:post|send|create|write|update|delete|publish|book|reply)\b",
    re.IGNORECASE,
)
"""Asks for something to be written."""
_QUOTED = re.compile(r"[「『\"“']([^」』\"”']+)[」』\"”']")
_PARTICLES = "のはがをにでへともや"
_KANJI = r"[\u3400-\u9fff々]"
_MIXED = re.compile(rf"(?:{_KANJI}|[\u30a0-\u30ff])[\u3041-\u309f]|^[\u3041-\u309f]$")
"""A verb with its ending, or a lone kana: no name, as long as there is another piece."""
_CHANCE_KEY = re.compile(r"pop|precip|rain|降水", re.IGNORECASE)


def answer_goal(task: Task, request: ModelRequest, evidence: Evidence, day: date, *, talking: bool) -> str:
    """The answer to a goal without declared needs. Raises `Waiting` with the call noted, unless it must talk now."""
    if _WRITING.search(task.goal):
        return Regret(say(task.language, "undeclared", goal=task.goal.strip()))
    readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
    problem = ""
    for tool, _ in ranked_tools(task.goal, readers):
        if not speaks_of(task.goal, tool):
            continue
        filler = Filler(readers, evidence, task.inputs, task.goal, day, zone_of(task))
        try:
            answers = together(partial(_ask, evidence, tool, one) for one in _argument_sets(task.goal, tool, filler))
        except CannotFillError as gap:
            problem = problem or say(task.language, "no_value", tool=gap.tool, argument=gap.argument)
            continue
        except Waiting:
            if not talking:
                raise
            problem = problem or say(task.language, "out_of_steps")
            break
        good = [pair for pair in answers if pair[0].ok]
        if good:
            return _answer(task, tool, good)
        failed = next(answer for answer, _ in answers if not answer.ok)
        problem = problem or say(task.language, "tool_failed", tool=tool.name, error=failed.result.text.strip())
        break
    return Regret(say(task.language, "cannot" if problem else "no_fit", goal=task.goal.strip(), problem=problem))


def _ask(evidence: Evidence, tool: ToolDefinition, arguments: JsonObject) -> tuple[Answer, JsonObject]:
    """The answer, corrected once by what an error says, and the arguments it was first asked with."""
    (answer,) = evidence.ask(Wish(tool.name, arguments))
    better = None if answer.ok else corrected(tool, arguments, answer.result.text)
    if better is not None:
        (answer,) = evidence.ask(Wish(tool.name, better))
    return answer, arguments


def _argument_sets(goal: str, tool: ToolDefinition, filler: Filler) -> list[JsonObject]:
    """What the goal's words say for the tool's arguments; one set for each thing it names."""
    form = properties(tool)
    monthly = [name for name, schema in form.items() if takes_month(schema)]
    given: JsonObject = {}
    for name, schema in form.items():
        spoken = None if name in monthly else choose(_options(schema), goal)
        if spoken is not None:
            given[name] = spoken
    months = months_in(goal, filler.today)[:MAX_SUBJECTS] if monthly else []
    sets = [given | dict.fromkeys(monthly, month) for month in months] or [given]
    free = [name for name in required(tool) if name not in given and name not in monthly]
    open_text = next((name for name in free if form.get(name, {}).get("type") == "string"), None)
    named = subjects(without_months(goal) if monthly else goal, tool)[:MAX_SUBJECTS] if open_text else []
    if named:
        sets = [{**one, str(open_text): subject} for subject in named for one in sets]
    return [filled for one in sets for filled in filler.fill(tool, one)]


def _options(schema: JsonObject) -> Sequence[Any]:
    """The values an argument can take: its enum, or the words for time that its description names."""
    if "enum" in schema:
        return list(schema["enum"])
    described = f"{schema.get('description', '')} {schema.get('default', '')}".lower()
    return [word for word in TIME_WORDS if re.search(rf"(?<![a-z_]){word}(?![a-z_])", described)]


def subjects(goal: str, tool: ToolDefinition) -> list[str]:
    """The names in a goal: what is quoted, else what is left without the words of asking, of time, and of the tool's own trade."""
    quoted = _QUOTED.findall(goal)
    if quoted:
        return list(quoted)
    marked = goal
    for word in sorted(_sayings(tool), key=len, reverse=True):
        alone = rf"(?<!{_KANJI}){re.escape(word)}(?!{_KANJI})" if len(word) == 1 else re.escape(word)
        marked = re.sub(alone, "|", marked)
    pieces = [piece for part in re.split(r"[|\s、。，,.?？!！・]+", marked) for piece in _parts(part)]
    own = terms(tool.name) | terms(tool.description)
    names = [piece for piece in pieces if not (piece.isascii() and (piece.lower() in _ENGLISH or terms(piece) <= own))]
    return [name for name in names if not _MIXED.search(name)] or names


def _sayings(tool: ToolDefinition) -> set[str]:
    about = terms(tool.name) | terms(tool.description)
    trade = {word for group in CONCEPTS if f"#{group[0]}" in about for word in group if not word.isascii()}
    return trade | {word for words in TIME_WORDS.values() for word in words if not word.isascii()} | set(_REQUESTS)


def _parts(part: str) -> Iterator[str]:
    """A stretch of words without the particles around it, divided where と joins two names."""
    bare = part.rstrip(_PARTICLES)
    if bare and bare[0] in _PARTICLES and len(bare) > 1 and re.match(_KANJI, bare[1]):
        bare = bare[1:]
    for piece in re.split(rf"(?<={_KANJI})[とや](?={_KANJI})", bare):
        if piece:
            yield piece


def _answer(task: Task, tool: ToolDefinition, answers: Sequence[tuple[Answer, JsonObject]]) -> str:
    """What the tool said, after the yes or no that was asked for, and before whose words these are."""
    lines = []
    for answer, asked in answers:
        changed = [
            (asked[name], value) for name, value in answer.wish.arguments.items() if name in asked and asked[name] != value
        ]
        lines += [say(task.language, "read_as", before=before, after=after) for before, after in changed]
        lines += [*_umbrella(task, answer), readable(answer.result), ""]
    return "\n".join([*lines, say(task.language, "source", tool=tool.name)])


def _umbrella(task: Task, answer: Answer) -> list[str]:
    """Yes or no to whether an umbrella is needed, from the chances of rain in the answer."""
    if not re.search(r"傘|かさ|カサ|umbrella", task.goal, re.IGNORECASE):
        return []
    percent = max(chances_of_rain(content(answer.result)) or _in_text(answer.result.text), default=None)
    if percent is None:
        return []
    sure = "wet" if percent >= WET_PERCENT else "unsure" if percent >= UNSURE_PERCENT else "dry"
    return [say(task.language, sure, percent=percent)]


def chances_of_rain(value: Any, *, under: bool = False) -> list[int]:
    """The percentages that stand under a name such as `pop` or `precipitation_probability`."""
    if isinstance(value, dict):
        return [
            one
            for name, inner in value.items()
            for one in chances_of_rain(inner, under=under or bool(_CHANCE_KEY.search(str(name))))
        ]
    if isinstance(value, list):
        return [one for inner in value for one in chances_of_rain(inner, under=under)]
    number = re.fullmatch(r"(\d{1,3})(?:\.0)?\s*[%％]?", str(value)) if under and not isinstance(value, bool) else None
    return [int(number.group(1))] if number and int(number.group(1)) <= 100 else []


def _in_text(text: str) -> list[int]:
    lines = [line for line in text.splitlines() if re.search(r"降水|chance of rain|precipitation", line, re.IGNORECASE)]
    return [int(number) for line in lines for number in re.findall(r"(\d{1,3})\s*[%％]", line) if int(number) <= 100]
