"""What the process logs to stderr: no secret stands in it, whoever wrote the line."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from autonomy.cli.process_log import JsonFormatter, PlainFormatter
from discovery.text.redaction import MOST_SECRETS, ProcessSecrets
from tests.requirements import requirement

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
CRASH = f"""
import logging, threading, warnings
from autonomy.cli.process_log import log_to_stderr
from autonomy.durable.dbos_internals import dbos_engine
from dbos._logger import init_logger

log_to_stderr("info", FORM)
dbos_engine.filter_logs()
init_logger()
logging.getLogger("dbos").error("Error serializing object: {TOKEN}")
warnings.warn("a field holds {TOKEN}")
thread = threading.Thread(target=lambda: [][len("{TOKEN}")])
thread.start()
thread.join()
error = RuntimeError("it holds {TOKEN}")
error.add_note("and password=Tr0ub4dor")
raise error
"""


@requirement("K9")
@pytest.mark.parametrize("form", [pytest.param("text", marks=pytest.mark.sweep), "json"])
def test_no_line_of_a_library_a_warning_or_a_crash_shows_a_secret(form: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CRASH.replace("FORM", repr(form))], capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 1
    assert TOKEN not in ended.stderr
    assert "Tr0ub4dor" not in ended.stderr
    for told in ("Error serializing object: ***", "a field holds ***", "IndexError", "it holds ***", "and password=***"):
        assert told in ended.stderr, told


ROTATED = """
import logging, os, sys
from autonomy.cli.process_log import announce, log_to_stderr

log_to_stderr("info", "text")
log, file = logging.getLogger("autonomy"), sys.argv[1]
log.warning("before")
os.rename(file, file + ".1")  # newsyslog, and logrotate with `create`
open(file, "w").close()
log.warning("after")
os.rename(file, file + ".2")  # logrotate with `nocreate`
announce("at last")
os.truncate(file, 0)  # `copytruncate`
log.warning("again")
"""


def test_a_log_whose_file_is_rotated_goes_on_at_its_path(tmp_path: Path) -> None:
    file = tmp_path / "worker.log"
    with file.open("wb") as opened:  # as by `2> worker.log`, which does not append
        subprocess.run([sys.executable, "-c", ROTATED, str(file)], stderr=opened, timeout=300, check=True)
    told = {kept.name: kept.read_text(encoding="utf-8") for kept in tmp_path.iterdir()}
    assert told == {
        "worker.log.1": "WARNING autonomy: before\n",
        "worker.log.2": "WARNING autonomy: after\n",
        "worker.log": "WARNING autonomy: again\n",
    }


@requirement("K9")
@pytest.mark.parametrize("formatter", [JsonFormatter(), PlainFormatter()], ids=["json", "text"])
def test_a_stack_below_a_line_shows_no_secret(formatter: logging.Formatter) -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", None, None, sinfo=f"frame {TOKEN}")
    assert TOKEN not in formatter.format(record)


@requirement("K9")
def test_a_process_hides_the_newest_of_very_many_secrets() -> None:
    secrets = ProcessSecrets()
    secrets.add(lambda: [f"walrus-{number:06}" for number in range(MOST_SECRETS + 1)])
    assert secrets.redact("walrus-000001 walrus-001000 walrus-000000") == "*** *** walrus-000000"


@requirement("K9")
def test_a_value_that_is_given_again_is_not_among_those_forgotten() -> None:
    secrets = ProcessSecrets()
    for first in (0, MOST_SECRETS):
        secrets.add(lambda: ["walrus-of-a-server"])
        secrets.add(lambda first=first: [f"walrus-{first + number:06}" for number in range(MOST_SECRETS - 1)])
    assert secrets.redact("walrus-of-a-server walrus-000000") == "*** walrus-000000"


@requirement("K9")
def test_what_servers_were_given_is_looked_through_when_the_first_line_is_written_and_then_once() -> None:
    secrets, asked = ProcessSecrets(), list[str]()

    def values() -> list[str]:
        asked.append("asked")
        return ["walrus-of-a-server"]

    secrets.add(values)
    assert not asked
    assert [secrets.redact("walrus-of-a-server") for _ in range(2)] == ["***", "***"]
    assert asked == ["asked"]


@requirement("K9")
def test_a_process_that_writes_nothing_does_not_remember_every_start_of_a_server() -> None:
    secrets, asked = ProcessSecrets(), list[int]()
    for number in range(MOST_SECRETS + 1):
        secrets.add(lambda number=number: asked.append(number) or [f"walrus-{number:06}"])
    assert len(asked) == MOST_SECRETS + 1
    assert secrets.redact("walrus-001000 walrus-000000") == "*** walrus-000000"
