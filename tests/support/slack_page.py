"""A conversation of the fake Slack as a page, near enough to what people see: `python -m tests.support.slack_page page.html`.

The picture in docs/slack.md is this page, photographed: `chromium --headless --hide-scrollbars --screenshot=docs/images/slack.png --window-size=640,670 page.html`.
"""

import html
import sys
import tempfile
from pathlib import Path

import anyio

from tests.support.slack import Json, Slack

STYLE = """
body { font: 15px/1.46 "Noto Sans CJK JP", "Noto Sans JP", sans-serif; color: #1d1c1d; margin: 24px; width: 592px }
.message { margin: 10px 0; white-space: pre-wrap } .reply { margin-left: 44px } .who { font-weight: 700 }
.task { border: 1px solid #ddd; border-radius: 8px; padding: 4px 12px; margin: 4px 0; width: fit-content; font-size: 13px }
.button { border: 1px solid #bbb; border-radius: 4px; padding: 4px 12px; margin-right: 8px; font-weight: 700; font-size: 13px }
.primary { background: #007a5a; color: #fff; border-color: #007a5a } .danger { background: #e01e5a; color: #fff; border-color: #e01e5a }
.small { color: #616061; font-size: 13px } .row { margin: 6px 0 }
"""
_MARKS = {"complete": "✓", "error": "×", "in_progress": "…", "pending": "・"}


def page_of(slack: Slack, messages: list[Json]) -> str:
    """The page."""
    body = "\n".join(_message(slack, one) for one in messages)
    return f"<!doctype html><meta charset='utf-8'><style>{STYLE}</style>{body}"


def _message(slack: Slack, message: Json) -> str:
    name = html.escape(slack.users[message["user"]]["name"])
    reply = " reply" if message.get("thread_ts") not in (None, message["ts"]) else ""
    parts = [f"<span class='who'>{name}</span>"]
    for task in message.get("tasks", {}).values():
        told = html.escape(f"{_MARKS[task['status']]} {task['title']}  {task.get('details', '')}")
        parts.append(f"<div class='task'>{told}</div>")
    if message.get("streamed") or not message.get("bot_id"):
        text = message.get("streamed") or html.escape(message["text"].replace(f"<@{slack.BOT_USER}>", "@jiritsu"))
        parts.append(f"<div>{text}</div>")
    parts += [_block(slack, block) for block in message.get("blocks", [])]
    return f"<div class='message{reply}'>{''.join(parts)}</div>"


def _block(slack: Slack, block: Json) -> str:
    match block["type"]:
        case "markdown":
            return f"<div>{block['text']}</div>"
        case "section":
            return f"<div>{html.escape(block['text']['text'])}</div>"
        case "context":
            told = " ".join(element["text"] for element in block["elements"])
            for user_id, user in slack.users.items():
                told = told.replace(f"<@{user_id}>", f"@{user['name']}")
            return f"<div class='small'>{told}</div>"
        case "actions":
            buttons = [f"<span class='button {one.get('style', '')}'>{one['text']['text']}</span>" for one in block["elements"]]
            return f"<div class='row'>{''.join(buttons)}</div>"
        case "context_actions":
            element = block["elements"][0]
            thumbs = [element[name]["text"]["text"] for name in ("positive_button", "negative_button")]
            return f"<div class='row small'>[{'] ['.join(thumbs)}]</div>"
        case other:
            return f"<div class='small'>[{other}]</div>"


async def _write(file: Path) -> None:
    from tests.autonomy.chat.test_docs import hold

    pages: list[str] = []

    def look(slack: Slack, channel: str) -> None:
        pages.append(page_of(slack, slack.messages(channel)))

    with tempfile.TemporaryDirectory() as folder:
        await hold(Path(folder), look)
    await anyio.Path(file).write_text(pages[0], encoding="utf-8")


if __name__ == "__main__":
    anyio.run(_write, Path(sys.argv[1]))
