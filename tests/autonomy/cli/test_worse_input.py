"""Input that nobody would type on purpose: one line that says what it is, and the right exit code; in process where that is enough."""

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autonomy.cli import main
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.durable.records.worker_heartbeats import WorkerHeartbeats
from autonomy.settings import load
from autonomy.stores import open_store
from tests.requirements import requirement
from tests.support.command import HANG_S, command_line, environment, forked_command_line, warm_interpreter
from tests.support.sampling import in_part

DAY = "---\ntitle: ok\n---\ngoal\n"


@pytest.fixture
def blocked_loop(unguarded_loop: None) -> None:
    """A command may read its own files on its loop: nothing else runs there."""


def command(*arguments: str, stdin: bytes | str = "", **env: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, arguments, input=stdin, env=env)


def line_of(done: Result) -> str:
    """The one line it said; a traceback fails the test."""
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    said = [line for line in done.stderr.splitlines() if not line.startswith("warning")]
    assert len(said) == 1, done.stderr
    return said[0]


@requirement("R6", "R8")
def test_a_settings_file_that_is_a_link_to_itself(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "jiritsu.toml").symlink_to("jiritsu.toml")
    monkeypatch.chdir(folder)
    assert "jiritsu.toml: cannot be read: Too many levels of symbolic links" in line_of(command("runs", "list"))


@requirement("R6", "R8")
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("model = []", "jiritsu.toml: model: is empty: at least one is wanted"),
        ("model = 3", "jiritsu.toml: model: must be a list, not 3"),
        ('database_url = "mysql://u:secret@h/x"', "'mysql://***@h/x' cannot be used: it must be sqlite:///FILE or postgresql://"),
        ('database_url = "nonsense"', "'nonsense' cannot be used: it must be sqlite:///FILE or postgresql://"),
        (
            'database_url = "postgresql://u:se@cret@h/x"',
            "jiritsu: the database URL cannot be used: in a name or password write @ as %40",
        ),
        ('database_url = "sqlite://"', "database_url: 'sqlite://' names no file"),
        ('database_url = "sqlite:///:memory:"', "names no file"),
        (f"keep = {'9' * 4_400}", "jiritsu.toml: is not TOML"),
        ("x = " + "[" * 3_000, "jiritsu.toml: is not TOML"),
        (".".join("a" * 20_000) + " = 1", "jiritsu.toml: is not TOML: a key has more than 64 parts"),
        ("colour = 1", "jiritsu.toml: colour: there is no such setting"),
    ],
)
def test_settings_that_cannot_be_used(home: Path, settings: str, told: str) -> None:
    (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
    done = command("runs", "list")
    assert (done.exit_code, told in line_of(done)) == (3, True), done.stderr


@requirement("R8")
def test_a_settings_file_with_a_byte_order_mark_is_read(home: Path) -> None:
    (home / "jiritsu.toml").write_bytes(b"\xef\xbb\xbf" + 'location = "大阪"\n'.encode())
    assert "大阪" in command("config", "show").stdout


@requirement("R8")
def test_the_users_own_settings_have_the_same_name_and_both_files_are_named(home: Path) -> None:
    (home / "jiritsu.toml").write_text('location = "大阪"\n', encoding="utf-8")
    shown = command("config", "show")
    assert "大阪" in shown.stdout
    assert f"settings file: {home / 'jiritsu.toml'}\n" in shown.stderr
    assert "(not there)" in shown.stderr, "the one here or above is named as well"


@requirement("R8")
def test_a_file_of_the_old_name_is_read_and_told_of_and_never_beside_the_new(home: Path) -> None:
    (home / "config.toml").write_text('location = "奈良"\n', encoding="utf-8")
    old = command("config", "show")
    assert "奈良" in old.stdout
    assert "config.toml is read for now: rename it to jiritsu.toml" in old.stderr
    (home / "jiritsu.toml").write_text('location = "大阪"\n', encoding="utf-8")
    new = command("config", "show")
    assert "大阪" in new.stdout
    assert "config.toml is ignored" in new.stderr


@requirement("R8")
def test_a_settings_file_in_a_data_directory_named_elsewhere_is_told_to_be_ignored(home: Path, tmp_path: Path) -> None:
    (tmp_path / "jiritsu.toml").write_text("", encoding="utf-8")
    (home / "jiritsu.toml").write_text(f"home = '{tmp_path}'\n", encoding="utf-8")
    assert f"{tmp_path / 'jiritsu.toml'} is ignored" in command("config", "show").stderr


@requirement("R6")
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("runs", "list", "--limit", str(2**64)), 2, "not in the range"),
        (("jobs", "pause", "diary", "--reason="), 2, "is empty: say why"),
        (("runs", "forget", "x", "--reason=", "--yes"), 2, "is empty: say why"),
        (("run", ""), 2, "is empty: say what is to be done"),
        (("servers", "add", "", "--", "x"), 2, "is empty: say what to call it"),
        (("run", " \n"), 2, "is empty: say what is to be done"),
        (("tools", "call", "x", "{bad"), 2, "write an object such as {"),
        (("tools", "call", "x", "[" * 100_000), 2, "is not JSON"),
        (("tools", "call", "x", f'{{"a": {"9" * 5_000}}}'), 2, "99...99"),
        (("jobs", "history", "nothing"), 3, "nothing: there is no such job"),
    ],
)
def test_words_that_make_no_sense(home: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    done = command(*arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert done.exit_code == code, done.stderr
    assert told in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("group", ["runs", "jobs", "servers", "tools", "audit"])
def test_a_group_without_a_command_shows_what_there_is(home: Path, group: str) -> None:
    done = command(group)
    assert done.exit_code == 2
    assert {"Commands:", f"Usage: main {group} [OPTIONS] COMMAND [ARGS]..."} <= set(done.output.splitlines())
    assert "Traceback" not in done.output


@requirement("R6", "R8")
def test_a_settings_file_that_is_a_pipe_or_a_folder_is_neither_waited_for_nor_passed_over(home: Path) -> None:
    os.mkfifo(home / "jiritsu.toml")
    assert "jiritsu.toml: cannot be read: it is no regular file" in line_of(command("runs", "list"))
    (home / "jiritsu.toml").unlink()
    (home / "jiritsu.toml").mkdir()
    assert command("runs", "list").exit_code == 3
    (home / "jiritsu.toml").rmdir()
    (home / "jiritsu.toml").symlink_to("nowhere")
    assert "No such file" in line_of(command("runs", "list"))


@requirement("R6", "R8")
def test_a_settings_file_of_eighty_megabytes_is_refused(home: Path) -> None:
    with (home / "jiritsu.toml").open("wb") as file:
        file.truncate(80_000_000)
    assert "jiritsu.toml: is 80,000,000 bytes large; at most" in line_of(command("runs", "list"))


@requirement("R6")
def test_a_job_file_that_is_a_pipe_or_eighty_megabytes_is_named_and_the_others_are_there(home: Path) -> None:
    (home / "jobs").mkdir()
    os.mkfifo(home / "jobs" / "pipe.md")
    with (home / "jobs" / "large.md").open("wb") as file:
        file.truncate(80_000_000)
    listed = command("jobs", "list")
    assert listed.exit_code == 0
    assert "pipe.md: cannot be read: it is no regular file" in listed.stdout
    assert "large.md: is 80,000,000 bytes large; at most" in listed.stdout
    assert "diary" in listed.stdout


@requirement("R6")
def test_a_servers_file_that_is_a_pipe_or_a_broken_link_is_never_taken_for_none(home: Path) -> None:
    os.mkfifo(home / "jiritsu.mcp.json")
    assert "jiritsu.mcp.json: cannot be read: it is no regular file" in line_of(command("servers", "list"))
    (home / "jiritsu.mcp.json").unlink()
    (home / "jiritsu.mcp.json").symlink_to("nowhere")
    assert "No such file" in line_of(command("servers", "list"))


@requirement("R6")
def test_a_binary_is_no_recording(home: Path, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(bytes(range(256)))
    done = command("replay", str(tmp_path / "x.bin"))
    assert done.exit_code == 1
    assert "x.bin: is no recording" in line_of(done)


@requirement("R6")
def test_a_broken_job_is_named_in_the_list_and_an_unreadable_run_is_left_out(home: Path) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "bad.md").write_text(DAY.replace("ok", "2026-02-30"), encoding="utf-8")
    (home / "jobs" / "good.md").write_text(DAY, encoding="utf-8")
    listed = command("jobs", "list")
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()][-1] == "bad"
    assert "good" in listed.stdout
    with sqlite3.connect(home / "jiritsu.db") as database:
        database.execute(
            "insert into durable_runs (run_id, job, tenant, actor, state, request, asked_at) values ('r1','','default','','running','{',1)"
        )
    database.close()
    runs = command("runs", "list")
    assert runs.exit_code == 0
    assert "left out: the row of run r1 cannot be read" in runs.stderr
    shown = command("runs", "show", "r1")
    assert shown.exit_code == 3
    assert "the row of run r1 cannot be read" in line_of(shown)


@requirement("R6", "J2")
def test_a_built_in_job_runs_by_itself_only_when_somebody_enables_it(home: Path) -> None:
    assert "off: `jiritsu jobs resume diary` enables it  " in command("jobs", "list").stdout, "the title stands apart"
    assert command("jobs", "resume", "diary").exit_code == 0
    assert "off:" not in next(line for line in command("jobs", "list").stdout.splitlines() if line.startswith("diary"))


@requirement("R6", "Y3")
def test_a_job_for_a_csv_that_names_nobody_is_not_called_usable(home: Path, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("user\n", encoding="utf-8")
    file = tmp_path / "each.md"
    file.write_text("---\ninputs: {user: {required: true}}\nfor_each: {csv: people.csv}\n---\nGreet {{inputs.user}}.\n", "utf-8")
    done = command("jobs", "check", str(file))
    assert done.exit_code == 3
    assert "people.csv: there is nobody in the list" in line_of(done)
    (tmp_path / "people.csv").write_text("user\nmaya\n佐藤、鈴木\n", encoding="utf-8")
    text = file.read_text("utf-8").replace("{required: true}", "{required: true, type: person}")
    file.write_text(text, "utf-8")
    done = command("jobs", "check", str(file), JIRITSU_LANGUAGE="ja")
    assert "people.csv: 3 行目, user: '佐藤、鈴木' は人の名前でも ID でもありません" in line_of(done)


@requirement("R6", "Y3")
def test_words_behind_a_blank_and_a_hash_are_refused_where_they_end_a_text_and_named_where_they_are_a_comment(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tell.md"
    file.write_text("---\ntitle: tell #general\n---\nGreet.\n", "utf-8")
    for done in (command("jobs", "check", str(file)), command("run", str(file))):
        assert done.exit_code == 3
        assert "tell.md: title: line 2: '#general' would be lost" in line_of(done)
        assert "double quotes" in line_of(done)
    file.write_text("---\ntitle: tell # 42\n---\nGreet.\n", "utf-8")
    done = command("jobs", "check", str(file))
    assert done.exit_code == 0
    assert "  ? line 2: # 42 behind title is a YAML comment; quote the value if it belongs to it" in done.stdout.splitlines()


@requirement("R6")
def test_what_the_key_is_to_be_set_to_stands_where_it_is_wanting(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", warm_interpreter())  # it starts the servers that ship with us
    assert "set JIRITSU_KEY to a secret of at least sixteen characters" in command("doctor", "--no-call").stdout


@requirement("R6", "J2")
def test_when_a_job_runs_next_is_told_together_with_what_keeps_it_from_running(home: Path) -> None:
    assert "diary is off, and does not run by itself: `jiritsu jobs resume diary`" in command("jobs", "next", "diary").stderr
    resumed = command("jobs", "resume", "diary").stderr.splitlines()
    on = command("jobs", "next", "diary")
    assert len(on.stdout.splitlines()) == 5
    alone = "no worker is running: what is due waits for `jiritsu worker` or `jiritsu serve`"
    assert resumed == [f"diary: resumed; next {on.stdout.splitlines()[0]}", alone]
    assert on.stderr.splitlines() == command("jobs", "list").stderr.splitlines() == [alone]
    engine = open_store(load())
    locks = open_locks(engine)
    try:
        locks.take("w-1")
        WorkerHeartbeats(engine, "w-1", "worker", here=8, tenant=4).send()
        assert not command("jobs", "next", "diary").stderr + command("jobs", "list").stderr
    finally:
        locks.close()
        engine.dispose()
    assert command("jobs", "next", "diary").stderr.splitlines() == [alone], "it died, and its last sign is still there"
    command("jobs", "pause", "diary", "--reason=holiday")
    assert "diary is paused, and does not run by itself: holiday" in command("jobs", "next", "diary").stderr


@requirement("R6")
def test_a_servers_file_of_eighty_megabytes_is_refused_at_once_and_so_is_one_that_is_imported(home: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("w", encoding="utf-8") as file:
        file.write('{"mcpServers": {}, "x": "')
        file.truncate(80_000_000)
    done = command("servers", "list", JIRITSU_SERVERS=str(large))
    assert (done.exit_code, "large.json: is 80,000,000 bytes large; at most" in line_of(done)) == (3, True)
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {}, "imports": [str(large)]}), encoding="utf-8")
    done = command("servers", "list")
    assert done.exit_code == 0
    assert "imports[0]: " in done.stderr


@requirement("R6")
@pytest.mark.parametrize(("path", "told"), [("a\0b", "embedded null byte"), ("\ud800x", "surrogates not allowed")])
def test_an_import_that_no_file_can_be_called_is_a_warning_and_loses_no_server(home: Path, path: str, told: str) -> None:
    servers = {"mine": {"command": "x", "disabled": True}}
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers, "imports": [path]}), encoding="utf-8")
    done = command("servers", "list")
    assert done.exit_code == 0
    assert "imports[0]: " in done.stderr
    assert told in done.stderr
    assert "mine" in done.stdout


@requirement("R6")
def test_a_servers_file_with_a_byte_order_mark_is_read(home: Path) -> None:
    (home / "jiritsu.mcp.json").write_bytes(b"\xef\xbb\xbf" + b'{"mcpServers": {"mine": {"command": "x", "disabled": true}}}')
    assert "mine" in command("servers", "list").stdout


def started(
    home: Path, *arguments: str, cwd: Path | None = None, prepare: Callable[[], None] | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, whose surroundings are spoiled."""
    options: dict[str, object] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command_line(*arguments),
        cwd=cwd or home,
        env=environment(home),
        preexec_fn=prepare,
        timeout=HANG_S,
        check=False,
        **options,
    )


def told(done: subprocess.CompletedProcess[bytes]) -> str:
    """The last line; a traceback fails the test."""
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.stderr.decode().strip().splitlines()[-1]


@requirement("R6")
def test_a_working_directory_that_was_deleted(home: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def leave() -> None:
        os.chdir(gone)
        gone.rmdir()

    done = started(home, "runs", "list", prepare=leave)
    assert done.returncode == 3
    assert "the working directory: is not there any more" in told(done)


@requirement("R6")
@pytest.mark.parametrize(
    ("stdin", "said"), [(b"\xff\xfe\x00\x01\n", "stdin: is not text in UTF-8"), (b"a\0b\n", "stdin: is not text: it holds NUL")]
)
def test_a_conversation_with_a_binary(home: Path, stdin: bytes, said: str) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    done = subprocess.run(
        forked_command_line("chat", "-q"),
        cwd=home,
        env=environment(home),
        timeout=HANG_S,
        check=False,
        capture_output=True,
        input=stdin,
    )
    assert done.returncode == 3
    assert told(done).endswith(said)


@requirement("R6")
@pytest.mark.sweep
@pytest.mark.parametrize("most", [20, 16, 24, 32])
def test_a_process_that_may_open_few_files_works_or_says_so(home: Path, most: int) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")

    done = started(home, "run", "-q", "say hello", prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode in (0, 1, 3, 4)
    assert done.stdout or done.stderr, "whatever came of it was said"


@requirement("R6")
def test_a_run_that_may_open_too_few_files_is_refused_and_does_not_stand_still(home: Path) -> None:
    done = started(home, "run", "-q", "diary", prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
    assert done.returncode == 3
    assert told(done) == "jiritsu: this process may open only 24 files, a run needs 64: see `ulimit -n`"


@requirement("R6")
def test_a_process_that_may_write_no_large_file_is_told_so(home: Path) -> None:
    done = started(home, "run", "-q", "say hello", prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (102_400, 102_400)))
    assert done.returncode == 3
    assert "disk I/O error (this process may write no file of more than 102,400 bytes, see `ulimit -f`)" in told(done)


@requirement("R6")
@pytest.mark.parametrize("closed", in_part([(2,), (0, 2), (1,), (0, 1, 2)], every=3))
def test_closed_streams_change_no_exit_code(home: Path, closed: tuple[int, ...]) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    done = started(home, "runs", "list", prepare=close)  # "no runs yet" is said on stderr
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == (b"" if 2 in closed else b"no runs yet\n")


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for some files and not for a database; only root may make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@requirement("R6")
@pytest.mark.skipif(shutil.which("mount") is None, reason="needs mount")
@pytest.mark.parametrize("arguments", [("runs", "list"), ("run", "say hello"), ("jobs", "list")])
def test_a_full_disk_at_launch_is_named(home: Path, full_disk: Path, arguments: tuple[str, ...]) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    done = subprocess.run(
        forked_command_line(*arguments), cwd=home, env=environment(home) | {"JIRITSU_HOME": str(full_disk)}, timeout=HANG_S, check=False,
        capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 3
    assert "(the disk is full)" in told(done)


@requirement("R6")
@pytest.mark.skipif(shutil.which("mount") is None, reason="needs mount")
def test_doctor_finds_a_full_disk_under_a_database_that_answers(home: Path, full_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=8m", full_disk], check=True)
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    database = open_store(load({"home": str(full_disk)}))
    with database.connect() as worker:
        assert worker.exec_driver_sql("SELECT 1").scalar() == 1  # while it is open, SQLite has room in its log
        with (full_disk / "rest").open("wb", buffering=0) as rest, suppress(OSError):
            while rest.write(bytes(4096)):
                pass
        done = subprocess.run(
            forked_command_line("doctor", "--no-call"), cwd=home, timeout=HANG_S, check=False, capture_output=True,
            env=environment(home) | {"JIRITSU_HOME": str(full_disk), "JIRITSU_LANGUAGE": "ja"}, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    database.dispose()
    assert "✗ データベース: データベースに書き込む空きがありません: No space left on device" in done.stdout.decode()


@requirement("R8")
def test_init_leaves_a_servers_file_as_it_is_whose_imports_are_no_list(home: Path, tmp_path: Path) -> None:
    (tmp_path / "jiritsu.mcp.json").write_text('{"imports": 5}', encoding="utf-8")
    done = command("init", "--dir", str(tmp_path), "--model", "planner:offline", "--language", "en", "--where", "1")
    assert done.exit_code == 0, done.output
    assert "jiritsu.mcp.json is there already: left as it is" in done.stdout


@requirement("R6", "Y2")
def test_init_says_what_it_did_not_write(home: Path, tmp_path: Path) -> None:
    """A file in place of the folder was told as a settings file that is there; Slack's entry and an address were lost in silence."""
    (tmp_path / "notes").write_text("", encoding="utf-8")
    done = command("init", "--dir", str(tmp_path / "notes"))
    assert (done.exit_code, done.stdout) == (3, "")
    assert "cannot be written: Not a directory" in done.stderr
    done = command("init", "--dir", str(tmp_path), "--base-url", "http://127.0.0.1:1/v1")
    assert (done.exit_code, "--base-url needs --model" in done.stderr) == (2, True)
    servers = tmp_path / "jiritsu.mcp.json"
    for entry, told in (("notes", True), ("slack", False)):
        servers.write_text(json.dumps({"mcpServers": {entry: {"command": "true"}}}), encoding="utf-8")
        done = command("init", "--dir", str(tmp_path), "--language", "en", "--slack")
        assert ('--slack: "slack": { "command":' in done.stdout) == told


@requirement("R6", "Y3")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ping", "job ping: after_job: ping would start itself again and again"),
        ("lost", "job lost: after_job: there is no job 'pnig'; did you mean pong?"),
    ],
)
def test_a_job_that_no_other_will_start_is_named_where_it_is_checked(home: Path, name: str, told: str) -> None:
    (home / "jobs").mkdir()
    for job, after in (("ping", "pong"), ("pong", "ping"), ("lost", "pnig")):
        (home / "jobs" / f"{job}.md").write_text(f"---\nafter_job: {{job: {after}}}\n---\nGreet.\n", "utf-8")
    assert f"  ! {told}" in command("jobs", "check", name).stdout.splitlines()


def test_each_start_of_a_job_is_listed_in_japanese(home: Path) -> None:
    (home / "jobs").mkdir()
    text = "---\nafter_job: {job: diary}\nwebhook: {secret_env: SECRET_OF_PING}\n---\nGreet.\n"
    (home / "jobs" / "ping.md").write_text(text, "utf-8")
    listed = command("jobs", "list", JIRITSU_LANGUAGE="ja", LANG="ja_JP.UTF-8").stdout
    assert "Webhook から, diary の終わり" in listed


@requirement("R6")
def test_doctor_says_what_to_do_with_a_database_that_is_none(home: Path) -> None:
    (home / "jiritsu.db").write_bytes(b"no database" * 1_000)
    told = command("doctor", "--no-call").stdout
    assert "file is not a database" in told
    assert "put a copy in its place (`jiritsu restore FILE`), or move it away" in told


@requirement("R6")
def test_doctor_tells_of_a_secret_that_is_too_short_and_of_anchors_that_cannot_be_noted(home: Path) -> None:
    (home / "file").write_text("")
    told = command("doctor", "--no-call", JIRITSU_KEY="hunter2", JIRITSU_AUDIT_ANCHORS=str(home / "file" / "anchors")).stdout
    assert "! key: a secret is shorter than 16 characters: it can be guessed" in told
    assert f"! log: anchors cannot be noted in {home}/file/anchors: " in told
    assert "→ fix audit_anchors in environment" in told
    well = command("doctor", "--no-call", JIRITSU_KEY="k" * 16, JIRITSU_AUDIT_ANCHORS=str(home / "anchors")).stdout
    assert "! key" not in well
    assert "! log" not in well


@requirement("R6")
def test_what_asks_before_it_deletes_says_in_a_script_how_not_to_be_asked(home: Path) -> None:
    done = command("runs", "prune", "--before", "0d")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == "Nothing was done: nobody is there to ask, and `--yes` does not ask."
