"""What a failed program says is told without its stack frames, and once."""

import pytest

from discovery.text.stack_traces import last_words, without_frames

PYTHON = """Traceback (most recent call last):
  File "/srv/stock.py", line 9, in count
    deep(item)
    ~~~~^^^^^^
  File "/srv/stock.py", line 13, in deep
    raise RuntimeError("the database is away")
RuntimeError: the database is away"""

CHAINED = f"""{PYTHON}

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/stock.py", line 20, in main
    count()
ValueError: no stock
  bolts: unknown"""

NODE = """node:internal/modules/cjs/loader:1148
  throw err;
  ^

Error: Cannot find module '/srv/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1145:15)
    at node:internal/main/run_main_module:28:49

Node.js v20.11.0"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PYTHON, "RuntimeError: the database is away"),
        (f"Error executing tool count: {PYTHON}", "Error executing tool count: RuntimeError: the database is away"),
        (PYTHON.partition("\n")[2], "RuntimeError: the database is away"),
        (CHAINED, "RuntimeError: the database is away / ValueError: no stock / bolts: unknown"),
        ("no configuration\n  set STOCK_URL\n  at your service desk", None),
        ("one line", "one line"),
        ("", ""),
    ],
)
def test_only_the_frames_are_left_out(text: str, told: str | None) -> None:
    assert without_frames(text) == (text if told is None else told)


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (f"starting\n{PYTHON}", "RuntimeError: the database is away"),
        (NODE, "Error: Cannot find module '/srv/index.js'"),
        ("no configuration\n  set STOCK_URL", "no configuration\n  set STOCK_URL"),
    ],
)
def test_the_last_words_of_a_program_say_what_went_wrong(output: str, told: str) -> None:
    assert last_words(output, 400) == told
    assert len(last_words(output, 5)) == 5
