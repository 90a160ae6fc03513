"""What a model can do, in short words: the calls that the cases are made of."""

import re
from datetime import date
from functools import cache
from typing import Any

import anyio

from autonomy.hr.timekeeping.month import Month
from autonomy.hr.timekeeping.overtime import summarise
from autonomy.hr.vendors.demo import PEOPLE, Demo, person
from autonomy.llm.messages import AssistantMessage, ToolResult
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from tests.gaming.case import Turn

TODAY, YESTERDAY = "2026-11-20", "2026-11-19"
DEAD = 99
"""Failures of a channel that never answers."""
CHANNELS = {
    "general": "C07GENERAL",
    "dev": "C07DEV",
    "雑談": "C07ZATSUDAN",
    "times-haruka": "C07TIMESHARUKA",
    "times-ryo": "C07TIMESRYO",
}
SHEET = {"spreadsheet_id": "SHEET1", "range": "残業!A1"}


def call(tool: str, /, **arguments: Any) -> AssistantMessage:
    """One call."""
    return calling((tool, arguments))


def together(*replies: AssistantMessage) -> AssistantMessage:
    """The calls of several replies in one."""
    return calling(*((made.name, made.arguments) for reply in replies for made in reply.calls))


def channels() -> AssistantMessage:
    """Which channels there are."""
    return call("slack_list_channels")


def history(channel: str, user: str | None = "haruka", day: str | None = TODAY, **more: Any) -> AssistantMessage:
    """One channel by its name."""
    given = {"channel_id": CHANNELS[channel], "user_id": user, "day": day, **more}
    return call("slack_get_channel_history", **{name: value for name, value in given.items() if value is not None})


def histories(*names: str, user: str | None = "haruka", day: str | None = TODAY, **more: Any) -> AssistantMessage:
    """Several channels at once, all of them where none is named."""
    return together(*(history(name, user, day, **more) for name in names or CHANNELS))


def thread(channel: str, ts: str) -> AssistantMessage:
    """A whole thread of a channel, by its first message."""
    return call("slack_get_thread_replies", channel_id=CHANNELS[channel], thread_ts=ts)


def search(query: str = "", **more: Any) -> AssistantMessage:
    """Words in all channels."""
    return call("slack_search_messages", query=query, **more)


def everything(user: str | None = "haruka", day: str | None = TODAY) -> tuple[Turn, Turn]:
    """The usual way: which channels there are, then all of them."""
    return channels(), histories(user=user, day=day)


def post(text: str, user: str = "haruka", day: str = TODAY) -> AssistantMessage:
    """The diary of a day, as its job wants it posted."""
    return call("esa_create_post", category=f"AI代筆日記/{day.replace('-', '/')}", name=f"{user}の日記", body_md=text, wip=False)


def update(number: int, text: str, user: str = "haruka", day: str = TODAY) -> AssistantMessage:
    """Another text for the diary of a day."""
    category = f"AI代筆日記/{day.replace('-', '/')}"
    return call("esa_update_post", post_number=number, category=category, name=f"{user}の日記", body_md=text, wip=False)


def triage(text: str, day: str = TODAY) -> AssistantMessage:
    """The list of a day, as the triage of an inbox wants it posted."""
    category = f"仕分け/{day[:7].replace('-', '/')}"
    return call("esa_create_post", category=category, name=f"{day}の仕分け", body_md=text, wip=False)


def posts(q: str, **more: Any) -> AssistantMessage:
    """The posts of the team that fit."""
    return call("esa_list_posts", q=q, **more)


def entry(number: int) -> AssistantMessage:
    """One post, whole."""
    return call("esa_get_post", post_number=number)


def weekly(text: str, week: int = 47) -> AssistantMessage:
    """The digest of a week, in Japanese."""
    return call("esa_create_post", category="週のまとめ/2026", name=f"第{week}週", body_md=text, wip=False)


def weekly_en(text: str, week: int = 47) -> AssistantMessage:
    """The digest of a week, in English."""
    return call("esa_create_post", category="Digest/2026", name=f"Week {week}", body_md=text, wip=False)


def inbox_en(text: str, day: str = TODAY) -> AssistantMessage:
    """The triage of a day, in English."""
    return call("esa_create_post", category=f"Triage/{day[:7].replace('-', '/')}", name=f"Inbox {day}", body_md=text, wip=False)


def diary_en(text: str, day: str = TODAY) -> AssistantMessage:
    """Haruka's diary of a day, in English."""
    return call("esa_create_post", category=f"AI Diary/{day.replace('-', '/')}", name="haruka's diary", body_md=text, wip=False)


def say(channel: str, text: str) -> AssistantMessage:
    """A message in a channel."""
    return call("slack_post_message", channel_id=CHANNELS[channel], text=text)


def weather(location: str, date: str = "today") -> AssistantMessage:
    """The forecast of a place."""
    return call("weather_get_weather", location=location, date=date)


def hours(month: str = "2026-10", department: str = "開発部") -> AssistantMessage:
    """The overtime of a department."""
    return call("hr_list_overtime", month=month, department=department)


def rows(*cells: tuple[str, int], month: str = "2026-10") -> AssistantMessage:
    """Rows of the sheet: who, how many minutes, and the id that tells two people of one name apart."""
    told = [[month, name, minutes, _id_of(name, minutes, month)] for name, minutes in cells]
    return call("common_write_rows_to_google_sheet", **SHEET, rows=told)


def _id_of(name: str, minutes: int, month: str) -> str:
    """The id of the person of that name with that overtime; the first of that name where nobody has it."""
    people = (person(number, date(2026, 10, 31)) for number in range(1, PEOPLE + 1))
    namesakes = [one.id for one in people if one.name == name] or [""]
    return next((one for one in namesakes if one and _overtime_of(one, month) == minutes), namesakes[0])


@cache
def _overtime_of(employee_id: str, month: str) -> int:
    summary = summarise(anyio.run(Demo().attendance, employee_id, Month.parse(month)))
    return summary.normal_overtime + summary.late_night_overtime + summary.holiday_work


def tell(message: str, user: str = "U0MANAGER") -> AssistantMessage:
    """A direct message of the overtime job; before each name with its minutes stands the person's id, as the job asks."""
    month = next(iter(re.findall(r"\d{4}-\d{2}", message)), "2026-10")
    names = "|".join({person(number, date(2026, 10, 31)).name for number in range(1, PEOPLE + 1)})
    told = re.sub(rf"(?<!demo-\d\d\d )({names}) (\d+)", lambda row: f"{_id_of(row[1], int(row[2]), month)} {row[0]}", message)
    return call("common_send_slack_dm", user_id=user, message=told)


def paging(channel: str, size: int, user: str | None = "haruka", day: str = TODAY) -> Turn:
    """A whole channel, so many on a page: it follows the cursor until there is none."""
    begun = False

    def turn(request: ModelRequest) -> AssistantMessage | None:
        nonlocal begun
        cursor = _last_cursor(request) if begun else None
        if begun and cursor is None:
            begun = False
            return None
        begun = True
        return history(channel, user, day, limit=size, cursor=cursor)

    return turn


def if_asked_again(*replies: AssistantMessage | str) -> Turn:
    """What a model does once it is told that something is wrong; it stays silent when nobody says so."""
    left, seen = list(replies), 0

    def turn(request: ModelRequest) -> AssistantMessage | None:
        nonlocal left, seen
        if len(request.messages) <= seen:  # a conversation only grows: this is another run of the case
            left = list(replies)
        seen = len(request.messages)
        if not left:
            return None
        reply = left.pop(0)
        return AssistantMessage(text=reply) if isinstance(reply, str) else reply

    return turn


def altered(text: str, *changes: tuple[str, str]) -> str:
    """A text with something else in the place of what stands there; what does not stand there is a mistake of the case."""
    for old, new in changes:
        assert old in text, f"{old!r} does not stand in the text"
        text = text.replace(old, new)
    return text


def _last_cursor(request: ModelRequest) -> str | None:
    results = [message for message in request.messages if isinstance(message, ToolResult)]
    return results[-1].structured.get("next_cursor") if results and isinstance(results[-1].structured, dict) else None
