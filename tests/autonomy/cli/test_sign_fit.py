"""`jiritsu report signs`, as a person uses it: over a journal with thumbs, once written, and taken back."""

import json
import shutil
import time
from datetime import datetime
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner, Result

from autonomy.cli import main
from autonomy.settings import load
from autonomy.stores import open_journal, open_store
from metrics.events import RunEvent
from tests.metrics.story import Story, diary
from tests.support.durable import new_sqlite_file

pytestmark = pytest.mark.usefixtures("logging_as_before")
FILE = "worth-a-look.toml"


def jiritsu(*arguments: str, home: Path, answer: str = "") -> Result:
    """The command in this process; `home` is its data directory already."""
    words = ["--home", str(home), *arguments]
    return CliRunner().invoke(main, words, input=answer, catch_exceptions=False, env={"JIRITSU_LANGUAGE": "en"})


def write(home: Path, events: list[RunEvent]) -> None:
    config = load({"home": home}, env={})
    engine = open_store(config)
    anyio.run(open_journal(config.settings, engine).write, events)
    engine.dispose()


def thumbs(good: int, bad: int, *, tenant: str = "default") -> list[RunEvent]:
    """Runs that people judged: what they disliked made a call twice, and was completed all the same."""
    events, an_hour_ago = list[RunEvent](), time.time() - 3600
    for number in range(good):
        events += diary(f"good-{tenant}-{number}", at=an_hour_ago, tenant=tenant).vote(good=True).events
    for number in range(bad):
        story = Story(f"bad-{tenant}-{number}", at=an_hour_ago, tenant=tenant).start().turn().call().call(repeated=True)
        events += story.turn().judge().finish().vote(good=False).events
    return events


@pytest.fixture(scope="module")
def judged_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("judged")
    (home / "jiritsu.db").write_bytes(new_sqlite_file())
    an_hour_ago = time.time() - 3600
    twice = Story("new-twice", at=an_hour_ago).start().turn().call().call(repeated=True).turn().judge().finish()
    stopped = diary("new-stopped", at=an_hour_ago).finish("exhausted", "the limit of 10 steps")
    write(home, [*thumbs(110, 40), *twice.events, *stopped.events])
    return home


@pytest.fixture
def judged(judged_once: Path, empty_home: Path) -> Path:
    """A data directory with 150 runs that people judged, and two that nobody has looked at."""
    shutil.copytree(judged_once, empty_home, dirs_exist_ok=True)
    return empty_home


def worth_a_look(home: Path) -> list[str]:
    return [look["run_id"] for look in json.loads(jiritsu("report", "--json", home=home).stdout)["worth_a_look"]]


def test_signs_are_shown_with_their_precision_and_nothing_changes(judged: Path) -> None:
    shown = jiritsu("report", "signs", home=judged)
    assert shown.exit_code == 0
    assert "150 runs have a vote, 110 liked and 40 disliked" in shown.stdout
    (line,) = (line.split() for line in shown.stdout.splitlines() if line.startswith("repeated"))
    assert line == ["repeated", "40", "40", "100.0%", "(91.2%–100.0%)", "0.25", "2"]
    assert "doubtful: at 2 points or more" in shown.stdout
    assert "40/40 disliked and 0/110 liked runs found" in shown.stdout
    assert not (judged / FILE).exists()


def test_a_fit_ranks_the_report_until_it_is_taken_back(judged: Path) -> None:
    shipped = worth_a_look(judged)
    assert shipped[0] != "new-twice"
    assert jiritsu("report", "signs", "--write", home=judged, answer="n\n").exit_code == 1
    assert not (judged / FILE).exists(), "nobody agreed"

    written = jiritsu("report", "signs", "--write", home=judged, answer="y\n")
    assert written.exit_code == 0
    today = f"{datetime.fromisoformat(json.loads(_json_of(judged))['fitted']['fitted_on']):%Y-%m-%d}"
    note = f"ranked as fitted to 150 of your own votes on {today}"
    for form in ("terminal", "markdown", "html"):
        assert note in " ".join(jiritsu("report", "--lang", "en", "--format", form, home=judged).stdout.split()), form
    looks = json.loads(_json_of(judged))["worth_a_look"]
    assert looks[0]["run_id"] == "new-twice", "what looks like what people disliked, and what nobody has judged yet"
    assert all(look["points"] == 2 and look["judged"] for look in looks[1:])
    assert "in force: fitted to 150 of your own votes" in jiritsu("report", "signs", home=judged).stderr

    assert jiritsu("report", "signs", "--remove", home=judged, answer="y\n").exit_code == 0
    assert worth_a_look(judged) == shipped
    again = jiritsu("report", "signs", "--remove", home=judged)
    assert (again.exit_code, again.stderr) == (1, "Error: the ranking is the shipped one already\n")


def _json_of(home: Path) -> str:
    return jiritsu("report", "--json", home=home).stdout


def test_another_tenants_runs_are_ranked_as_shipped(judged: Path) -> None:
    write(judged, thumbs(1, 1, tenant="beside"))
    jiritsu("report", "signs", "--write", "--yes", home=judged)
    other = json.loads(jiritsu("report", "--tenant", "beside", "--json", home=judged).stdout)
    assert other["fitted"] is None
    assert [look["points"] for look in other["worth_a_look"]] == [0]


@pytest.mark.parametrize(("good", "bad"), [(0, 0), (60, 39), (95, 9)])
def test_too_few_thumbs_are_refused_in_one_line(home: Path, good: int, bad: int) -> None:
    write(home, thumbs(good, bad))
    refused = jiritsu("report", "signs", "--write", "--yes", home=home)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"{good + bad} runs have a vote, {good} liked and {bad} disliked; a fit takes 100 runs, and 10 of each kind\n"
    )
    assert not (home / FILE).exists()


def test_the_fit_is_data_for_programs(judged: Path) -> None:
    found = json.loads(jiritsu("report", "signs", "--json", home=judged).stdout)
    assert (found["voted"], found["disliked"], found["doubtful_from"]) == (150, 40, 2)
    assert found["signs"][0]["precision"]["n"] == 40


HEAD = "votes = 150\nfitted_on = 2026-11-26\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{HEAD}[points]\nrepeated = 9\n", "points.repeated: must be less than or equal to 2, not 9"),
        (f"{HEAD}[points]\nrepeated = true\n", "points.repeated: must be a whole number, not True"),
        (f"{HEAD}[points]\nluck = 1\n", "points: there is no sign 'luck'; the signs are "),
        (f"{HEAD}doubtful_from = 3\n[points]\nrepeated = 2\n", "no run can have the 3 points of doubtful_from"),
        (f"{HEAD}weights = 1\n", "weights: there is no such key"),
        ("votes = 0\nfitted_on = 2026-11-26\n", "votes: must be greater than or equal to 1, not 0"),
        ('votes = 1\nfitted_on = "lately"\n', "fitted_on: must be a valid date, not 'lately'"),
        ("votes = ", "is not TOML"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_its_file_and_key(home: Path, text: str, told: str) -> None:
    (home / FILE).write_text(text, encoding="utf-8")
    refused = jiritsu("report", home=home)
    assert refused.exit_code == 3
    assert f"{home / FILE}: {told}" in refused.stderr
    assert (home / FILE).read_text(encoding="utf-8") == text
    assert jiritsu("report", "signs", "--remove", "--yes", home=home).exit_code == 0, "it can always be taken back"


def test_options_of_a_period_are_refused_before_the_command(home: Path) -> None:
    refused = jiritsu("report", "--job", "diary", "signs", home=home)
    assert refused.exit_code == 2
    assert "the options of a report do not go with a command" in refused.stderr
