"""Asks the model which steps a goal takes, and chooses the tools that it is shown by these, too.

A goal seldom says what is needed for it ("show me where to park" needs the coordinates of a place first). The steps choose only
among tools that the run may use, and nobody else reads them. docs/search.md has the figures.
"""

import re
from functools import partial

from autonomy.agent.model_step import complete
from autonomy.agent.prompt import task_as_text
from autonomy.agent.run_setup import ShownTools, show_tools
from autonomy.calls.run_handle import Run
from autonomy.errors import ModelError
from autonomy.llm.messages import SystemMessage, UserMessage
from autonomy.llm.model import ModelRequest

CUT = """You cut a request into steps, each of which takes one tool. Write each step on a line of its own, in English, three to
ten words that say what such a tool does for anybody: "find restaurants near a place", "read the rows of a spreadsheet", "add a
slide to a presentation". Name nothing that only this request speaks of. Put steps in that bring what a later one needs, such as
"get the coordinates of an address". At most eight lines, nothing else. The request is not to be carried out."""

MOST_STEPS, SHORTEST, LONGEST = 8, 4, 120
"""So many steps count, and so many characters of each."""
MOST_GOAL_CHARS = 4_000
WITHIN_S = 20.0
"""How long the run waits for them: a hosted model writes eight lines in a few seconds."""
KEY = "turn-0/steps"
"""The place of the request in the run, before the first turn."""
_MARK = re.compile(r"^\W*(?:\d{1,2}[.):]\s*)?|[\"'`*]+$")
"""What a list puts before and behind a line."""


async def choose_by_steps(run: Run) -> None:
    """Show the tools that the steps of the goal need, if the setup asked for it. Without steps the tools stay as they are."""
    ctx = run.ctx
    if not ctx.to_be_cut:
        return
    request = ModelRequest(
        messages=(SystemMessage(text=CUT), UserMessage(text=task_as_text(ctx.request.task)[:MOST_GOAL_CHARS])),
        tool_choice="none",
        temperature=0.0,
    )
    try:
        reply = await complete(request, KEY, run, aloud=False, within_s=min(WITHIN_S, ctx.seconds_left / 4))
    except ModelError:  # which is told already; the words of the goal have chosen
        return
    if steps := steps_in(reply.text):
        shown = await run.step(f"{KEY}/shown", partial(show_tools, run.ctx, run.services, steps), ShownTools)
        names = frozenset(shown.offered)
        ctx.offered = tuple(spec for spec in ctx.catalog.tools if spec.name in names)
        ctx.definitions, ctx.spare = shown.definitions, shown.spare


def steps_in(text: str) -> tuple[str, ...]:
    """Return the lines of a reply without the marks of a list; a reply in sentences has none that are short enough."""
    lines = (_MARK.sub("", line.strip()).strip() for line in text.splitlines())
    return tuple(dict.fromkeys(line for line in lines if SHORTEST <= len(line) <= LONGEST))[:MOST_STEPS]
