"""Whatever stands in a job, servers or settings file, only drawn errors come of it: hundreds of drawn files of each."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from autonomy.durable.scheduling.timetable import Timetable
from autonomy.errors import ConfigError
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import load, read_all
from autonomy.settings import load as load_settings
from discovery.discovery_errors import ServersFileError
from discovery.servers.servers_file import load_servers
from tests.requirements import requirement
from tests.support.sampling import in_part

FILES = 250
VALUES = (
    "@daily", "@reboot", "R R * * *", "* * * * *", "0 0 31 2 *", "99 99 * * *", "2026-02-30", "2026-13-01T99:00:00Z", "9" * 4_400, "0x" + "f" * 9_000,
    "1e999", "-1", "null", "~", "true", "{}", "[]", "[[[[]]]]", "{a: {b: c}}", "'('", '"(?P<"', '"[a"', "'*+'", "!!python/object:os.system x", "!!binary x", "!!set {a}",
    "!!timestamp 2026-99-99", "*a", "&a [*a]", "<<: *a", "{{inputs.nope}}", '"{{inputs.date:%Q%}}"', '"{{inputs.date:%-9999Y}}"', '"\\ud800"', '"\\x00"', '"\\u202e"',
    "Asia", "../etc", '""', "Asia/Tokyo", "{type: object}", "{type: 7}", "{$ref: '#'}", "text", "date", "today", "外部", ".inf", ".nan", "0o17", "1_000", "? a", "- -", "|", ">-",
)  # fmt: skip
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGED = "a: &a {k: 1}\n" + "".join(
    f"{b}: &{b} {{<<: [{','.join([f'*{a}'] * 9)}]}}\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def bent(text: str, chance: random.Random) -> str:
    """The text with some of its values, lines or characters exchanged."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0 | 1 | 2:
                head, mark, _ = lines[place].partition(chance.choice((": ", " = ")))
                lines[place] = head + (mark or ": ") + chance.choice(VALUES)
            case 3:
                lines[place] = ""
            case 4:
                lines.insert(place, chance.choice(lines))
            case _:
                at = chance.randrange(len(lines[place]) + 1)
                lines[place] = lines[place][:at] + chance.choice("{}[]:*&!\t'\"\\%@\0\x1b") + lines[place][at:]
    return "\n".join(lines)


def tried(file: Path, text: str, use: Callable[[Path], object], drawn: tuple[type[Exception], ...]) -> bool:
    """Whether the file can be used; whatever is raised that is not drawn fails the test."""
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    said = ""
    try:
        use(file)
    except drawn as error:
        said = str(error).strip()
    assert not said or file.name in said or "settings" in said
    assert "\n" not in said
    return not said


@requirement("R6")
@pytest.mark.parametrize("seed", in_part(range(4), every=4))
def test_a_job_file_is_used_or_refused_in_a_sentence(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    text = (BUILT_IN / "diary" / "job.md").read_text(encoding="utf-8")
    used = [tried(tmp_path / "x.md", bent(text, chance), load, (ConfigError,)) for _ in range(FILES // 4)]
    assert 0 < sum(used) < len(used), "both must occur, or nothing is tried"


@requirement("R8")
@pytest.mark.parametrize("seed", range(2))
def test_a_settings_file_is_used_or_refused_in_a_sentence(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    text = 'model = ["planner:offline"]\ntimezone = "Asia/Tokyo"\nwrites = "ask"\nhold_changed = true\n[limits]\nturns = 10\nusd = 0.5\n[alerts]\nchannel = "#ops"\n'

    def use(_file: Path) -> object:
        return load_settings(env={"JIRITSU_HOME": str(tmp_path)}, cwd=tmp_path)

    used = [tried(tmp_path / "jiritsu.toml", bent(text, chance), use, (ConfigError,)) for _ in range(FILES // 2)]
    assert 0 < sum(used) < len(used)


@requirement("R6")
def test_a_servers_file_is_used_or_refused_in_a_sentence(tmp_path: Path) -> None:
    chance = random.Random(1)
    text = '{"mcpServers": {\n"a": {"command": "x",\n"args": ["y"],\n"env": {"A": "b"}},\n"b": {"type": "http",\n"url": "https://example.com/mcp",\n"timeout_s": 5}}}'

    def use(file: Path) -> object:
        return load_servers(file, env={}, trusted=frozenset(), found=False)

    used = [tried(tmp_path / "s.json", bent(text, chance), use, (ServersFileError,)) for _ in range(FILES)]
    assert 0 < sum(used) < len(used)


@requirement("R6")
@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("title: 2026-02-30", "front matter: holds a value that cannot be read"),
        (f"title: {'9' * 4_400}", "front matter: holds a value that cannot be read"),
        (BOMB, "aliases (*) multiply"),
        (MERGED, "more than 10,000 keys are merged (<<)"),
        ("needs: &a [*a]", "refers to itself"),
        ('complete: [{rule: forbidden, patterns: ["("]}]', "is no regular expression"),
        ("complete: [{rule: json, json_schema: {type: 7}}]", "is no JSON schema"),
        ('schedule: {cron: "R R * * *"}', "is due at random"),
        ('schedule: {cron: "@reboot"}', "is no cron expression"),
        ('schedule: {cron: "0 0 * * *", timezone: Asia}', "'Asia' is no time zone"),
    ],
)
def test_what_a_run_would_trip_over_is_found_when_the_file_is_read(tmp_path: Path, head: str, told: str) -> None:
    (tmp_path / "bad.md").write_text(f"---\n{head}\n---\ngoal\n", encoding="utf-8")
    (tmp_path / "good.md").write_text('---\nschedule: {cron: "@daily"}\n---\ngoal\n', encoding="utf-8")
    found, problems = read_all([tmp_path])
    assert [job.name for job in found] == ["good"]
    assert told in str(problems["bad"])


@requirement("R6", "J2")
def test_a_cron_of_one_word_is_due_like_any_other() -> None:
    assert Timetable(job="x", cron="@daily", timezone="UTC").next(0.0, 2) == [86_400.0, 172_800.0]
    assert Timetable(job="x", cron="@hourly", timezone="UTC").next(0.0, 2) == [3_600.0, 7_200.0]
