"""Renders a report as Slack blocks.

Names from runs are plain text, so that nothing a tool wrote can mention people or make a link.
"""

import re
from typing import Any
from zoneinfo import ZoneInfo

from metrics.autonomy import MEASURES
from metrics.reporting.report_data import Report, Shown
from metrics.reporting.report_terminal import sparkline
from metrics.reporting.report_words import Language, cause, habit, level_in, moment, number, signed, word

SIGNS = {"high": "🟢", "medium": "🟡", "low": "🔴"}

LONGEST = 3000
"""Characters of a text object that Slack accepts (docs.slack.dev, block elements)."""


def slack_summary(report: Report, language: Language = "ja") -> dict[str, Any]:
    """Return the `text` for notifications and the `blocks` for `chat.postMessage`."""
    first, last = (moment(at, ZoneInfo(report.timezone))[:10] for at in (report.since, report.until))
    title = f"{word('title', language)} {first} – {last}"
    if not report.runs:
        return {"text": f"{title}: {word('no_runs', language)}", "blocks": [_header(title), _plain(word("no_runs", language))]}
    overall = report.figure("overall")
    sign, level = SIGNS.get(report.level or "", "⚪"), level_in(report.level, overall.now.value, language)
    lead = f"{sign} {word('overall', language)} {_with_change(overall, language)} · {word('level', language)} {level}"
    counts = f"{word('runs_count', language, n=report.runs)} · " + " · ".join(
        f"{word(name, language)} {number(report.figure(name).now.value, report.figure(name).unit, language)}"
        for name in ("unattended_completion", "human_load", "cost_usd")
    )
    if overall.now.small:
        counts += f" · {word('small', language)}"
    if report.feedback["judged"]:
        counts += f"\n{word('feedback', language, **report.feedback)}"
    spark = sparkline([part.overall.value for part in report.trend])
    fields = [_text(f"{word(name, language)}\n{_with_change(report.figure(name), language)}") for name in MEASURES]
    blocks = [_header(title), _plain(f"{lead}\n{spark}\n{counts}"), {"type": "section", "fields": fields}]
    if report.causes:
        worst = [f"−{100 * one.points:.1f} {cause(one.kind, one.subject, one.detail, language)}" for one in report.causes[:3]]
        blocks += [{"type": "divider"}, _plain("\n".join([word("why", language), *worst]))]
    if report.habits:
        habits = [habit(one.tool, one.times, one.answer, one.at_least, language) for one in report.habits[:3]]
        blocks.append(_plain("\n".join([word("habits", language), *habits])))
    return {"text": f"{title}: {lead}", "blocks": blocks}


def slack_text(report: Report, language: Language = "ja") -> str:
    """Return the summary as one text, for tools that cannot post blocks. As text it would be read as markup, so that what may lead
    somewhere is code."""
    return "\n".join(line for block in slack_summary(report, language)["blocks"] for line in _lines(block))


def inert(text: str) -> str:
    """A text that calls nobody and leads nowhere in a chat: without the brackets of its markup, and with addresses as code."""
    return _ADDRESS.sub(r"`\g<0>`", text.translate(_NO_MARKS))


_NO_MARKS = str.maketrans({"<": "‹", ">": "›", "`": "'"})
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}:/|www\.)\S+|(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}\.[a-z]{2,24}\b\S*",
    re.IGNORECASE | re.ASCII,
)
"""With a scheme or without: chats link bare hosts as well."""


def _lines(block: dict[str, Any]) -> list[str]:
    match block:
        case {"type": "header", "text": {"text": text}}:
            return [f"*{text}*"]
        case {"fields": fields}:
            return ["• " + ": ".join(field["text"].splitlines()) for field in fields]
        case {"text": {"text": text}}:
            return [inert(str(text))]
    return [""]


def _with_change(shown: Shown, language: Language) -> str:
    value = number(shown.now.value, shown.unit, language)
    if shown.change.value is None:
        return value
    verdict = word(shown.verdict, language) if shown.verdict else word("within_chance", language)
    return f"{value} ({signed(shown.change.value, shown.unit, language)}, {verdict})"


def _text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text[:LONGEST], "emoji": True}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "section", "text": _text(text)}


def _header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": text[:150]}}
