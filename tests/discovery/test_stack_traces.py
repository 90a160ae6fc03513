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

NODE_WITH_FIELDS = """/srv/node_modules/dav/client.js:41
        throw error;
        ^

AxiosError: connect ECONNREFUSED 127.0.0.1:5232
    at AxiosError.from (file:///srv/node_modules/axios/error.js:89:14)
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {
  code: 'ECONNREFUSED',
  config: {
    headers: Object [AxiosHeaders] {}
  },
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5232
      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {
    errno: -111
  }
}
Node.js v20.20.2"""

GO = """listening on stdio
panic: no container engine is available

goroutine 1 [running]:
example.com/engine/cmd.init.func1(0x1db9140, {0x12b9708?, 0x4?})
\t/src/cmd/root.go:62 +0x865
main.main()
\t/src/main.go:6 +0x1b"""


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
        (NODE_WITH_FIELDS, "AxiosError: connect ECONNREFUSED 127.0.0.1:5232"),
        (GO, "panic: no container engine is available"),
        (
            NODE.replace("'/srv/index.js'\n", "Tried:\n → /srv/index.js\n → /srv/lib/index.js\n"),
            "Error: Cannot find module Tried: → /srv/index.js / → /srv/lib/index.js",
        ),
        (
            NODE.replace("\n    at Module", "\nRequire stack:\n- /srv/main.js\n    at Module", 1),
            "Error: Cannot find module '/srv/index.js' / Require stack: - /srv/main.js",
        ),
        (f"{'x' * 4000}\nthe last line", "the last line"),
        ("no configuration\n  set STOCK_URL", "no configuration\n  set STOCK_URL"),
    ],
)
def test_the_last_words_of_a_program_say_what_went_wrong(output: str, told: str) -> None:
    assert last_words(output, 400) == told
    assert len(last_words(output, 5)) == 5
