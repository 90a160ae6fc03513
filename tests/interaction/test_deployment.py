"""The kit: what the files say is what the program does, a unit that systemd accepts, and a backup that comes back."""

import io
import json
import logging
import os
import plistlib
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from pwd import getpwnam
from typing import Any

import pytest
import yaml

from autonomy.cli import COMMANDS, main
from autonomy.cli.commands.service import make_folder
from autonomy.cli.data_directory import ends_with_container, passes
from autonomy.cli.entry import who
from autonomy.cli.process_log import JsonFormatter, announce
from autonomy.durable.scheduling.schedules import FAILURES
from autonomy.durable.storage.database_backup import bring_back
from autonomy.errors import ConfigError
from autonomy.run_state.step import current_run
from autonomy.settings import Settings, load
from autonomy.web.web_settings import web_settings
from metrics.measures import measure
from metrics.running_totals import total
from metrics.telemetry.prometheus import render_prometheus
from tests.metrics.story import Story
from tests.requirements import requirement
from tests.support.command import HANG_S, from_the_start, jiritsu

DEPLOY = Path(__file__).parents[2] / "deploy"


def all_of(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(one for part in inner for one in all_of(part))]


@requirement("Y4")
def test_every_command_in_the_container_files_is_one_that_is_there() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    pods = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "jiritsu.yaml").read_text(encoding="utf-8")))
    commands = [service["command"] for service in compose["services"].values() if "command" in service]
    commands += [one["args"] for one in all_of(pods) if isinstance(one, dict) and "args" in one]
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    commands.append(json.loads(re.findall(r"^CMD (\[.*\])$", docker, re.MULTILINE)[-1]))
    assert len(commands) == 4
    for name, *options in commands:
        assert name in COMMANDS
        command = main.get_command(None, name)  # type: ignore[arg-type]  # it needs none
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts}
        assert {option for option in options if option.startswith("--")} <= known


@requirement("Y4")
def test_probes_ask_what_a_worker_answers_and_nothing_runs_as_root() -> None:
    pods = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "jiritsu.yaml").read_text(encoding="utf-8")))
    assert {pod["kind"] for pod in pods} == {"ConfigMap", "Deployment", "Service"}
    (spec,) = [pod["spec"]["template"]["spec"] for pod in pods if pod["kind"] == "Deployment"]
    (container,) = spec["containers"]
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["enableServiceLinks"] is False, "else the Service's JIRITSU_PORT is taken for a setting, and warned of"
    paths = {probe: container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "liveness", "readiness")}
    assert paths == {"startup": "/readyz", "liveness": "/healthz", "readiness": "/readyz"}
    assert container["args"][-1].endswith(f":{container['ports'][0]['containerPort']}")
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER (?!0|root)", docker, re.MULTILINE)
    assert docker.count("\nFROM ") == 2
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", docker, re.MULTILINE):
        assert all((DEPLOY.parent / name).exists() for name in source.split())


@requirement("Y4")
def test_compose_has_what_it_promises_and_keeps_no_secret() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    services = yaml.safe_load(text)["services"]
    assert services.keys() == {"db", "worker", "console", "prometheus"}
    assert services["worker"]["deploy"]["replicas"] == 2
    assert all(port.startswith("127.0.0.1:") for service in services.values() for port in service.get("ports", ()))
    assert services["console"]["volumes"] == services["worker"]["volumes"], "the job files it shows are the workers'"
    for name in re.findall(r"^\s+(\w*(?:PASSWORD|KEY|TOKEN|DATABASE_URL)\w*): (.*)$", text, re.MULTILINE):
        assert "${" in name[1], "a secret comes from the environment"


@requirement("Y4")
def test_images_are_named_in_full_since_podman_looks_in_no_registry_of_itself() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    bases = re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    others = [service["image"] for service in services.values() if "build" not in service]
    assert [name for name in (*bases, *others) if not name.startswith("docker.io/")] == []


@requirement("M5", "Y4")
def test_the_alerts_ask_for_measures_that_a_worker_tells_under_their_own_labels() -> None:
    prometheus = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text(encoding="utf-8"))
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    (file,) = prometheus["rule_files"]
    assert f"./{file}:/etc/prometheus/{file}:ro" in services["prometheus"]["volumes"]
    assert prometheus["scrape_configs"][0]["honor_labels"], "else Prometheus calls the label `job` of a measure `exported_job`"
    (group,) = yaml.safe_load((DEPLOY / file).read_text(encoding="utf-8"))["groups"]
    asked = " ".join(rule["expr"] for rule in group["rules"])
    told = render_prometheus(total(measure(Story("a").start().turn().finish("failed").events).runs))
    assert set(re.findall(r"\bjiritsu_\w+", asked)) <= set(re.findall(r"^jiritsu_\w+", told, re.MULTILINE))
    (endings,) = re.findall(r'ending=~"([\w|]+)"', asked)
    assert set(endings.split("|")) == set(FAILURES)


@requirement("Y4")
def test_the_console_of_the_container_files_starts_with_the_secrets_they_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    console = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]["console"]
    table = tomllib.loads((DEPLOY / "config" / "jiritsu.toml").read_text(encoding="utf-8"))["web"]
    with pytest.raises(ConfigError, match="JIRITSU_WEB_PASSWORD"):
        web_settings(table, "jiritsu.toml", console["command"][-1])
    proposed = re.sub(
        r"^ *# (?=[a-z]+ = )", "", (DEPLOY / "config" / "jiritsu.toml").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert (
        tomllib.loads(proposed).keys() - {"web"}
        == {"language", "model", "timezone", "servers", "jobs"}
        <= Settings.model_fields.keys()
    )
    (secret,) = [name for name in console["environment"] if "PASSWORD" in name]
    monkeypatch.setenv(secret, "a password of the house")
    settings = web_settings(table, "jiritsu.toml", console["command"][-1])
    assert settings.password.get_secret_value() == "a password of the house"
    assert settings.hosts == ("localhost",)


MOUNTS = """\
600 500 0:55 / / rw,relatime master:1 - overlay overlay rw
601 600 0:58 / /dev rw - tmpfs tmpfs rw
602 600 8:1 /var/lib/docker/volumes/{name}/_data /var/lib/jiritsu rw - ext4 /dev/sda1 rw
"""


@requirement("Y4")
@pytest.mark.parametrize(
    ("name", "home", "ends"),
    [
        ("jiritsu_data", "/var/lib/jiritsu", False),
        ("f" * 64, "/var/lib/jiritsu", True),
        ("jiritsu_data", "/root/.local/share/jiritsu", True),
        ("jiritsu_data", "/var/lib/jiritsu2", True),
    ],
)
def test_a_container_without_a_volume_is_told_of_in_one_line(name: str, home: str, ends: bool) -> None:
    assert passes(Path(home), MOUNTS.format(name=name)) is ends


@requirement("Y4")
def test_only_a_container_with_a_database_in_its_folder_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autonomy.cli.data_directory.passes", lambda *_: True)
    monkeypatch.setattr("autonomy.cli.data_directory.CONTAINER_SIGNS", (tmp_path / "sign",))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    config = load({"home": str(tmp_path)}, env={}, cwd=tmp_path)
    assert ends_with_container(config) == ""
    (tmp_path / "sign").touch()
    assert ends_with_container(config) == f"{tmp_path} is on no volume: its runs and receipts end with this container"
    elsewhere = load({"home": str(tmp_path), "database_url": "postgresql://db/jiritsu"}, env={}, cwd=tmp_path)
    assert ends_with_container(elsewhere) == ""


def test_a_user_whom_no_list_names_has_a_name_for_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 10001")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert who() == f"uid {os.getuid()}"


@requirement("Y4")
def test_the_unit_is_accepted_by_systemd_and_names_the_folders_in_force(home: Path, tmp_path: Path) -> None:
    printed = from_the_start("service", "install", "--print", home=home)
    assert printed.returncode == 0, printed.stderr
    assert f"JIRITSU_HOME={home}" in printed.stdout
    assert f"ReadWritePaths=-{home}" in printed.stdout
    assert sys.executable in printed.stdout
    written = from_the_start("service", "install", home=home)
    assert written.returncode == 0, written.stderr
    told = "systemd does not run this machine, so nothing starts that file" in written.stdout
    assert told is not Path("/run/systemd/system").is_dir()
    file = home / ".config" / "systemd" / "user" / "jiritsu.service"
    assert file.read_text(encoding="utf-8").strip() == printed.stdout.strip()
    again = from_the_start("service", "install", home=home)
    assert (again.returncode, "is there already" in again.stderr) == (3, True)
    if shutil.which("systemd-analyze"):
        verified = subprocess.run(
            ["systemd-analyze", "verify", str(file)],
            capture_output=True,
            text=True,
            timeout=HANG_S,
            check=False,
        )
        assert (verified.returncode, verified.stderr) == (0, "")


@requirement("Y4")
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_a_unit_for_folders_with_a_blank_is_accepted_by_systemd(tmp_path: Path) -> None:
    home = tmp_path / "my data 100%"
    home.mkdir()
    file = tmp_path / "jiritsu.service"
    file.write_text(jiritsu("service", "install", "--kind", "systemd", "--print", home=home).stdout, encoding="utf-8")
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(file)], capture_output=True, text=True, timeout=HANG_S, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")


@requirement("Y4")
def test_the_service_finds_the_programs_that_this_shell_finds_and_a_stop_is_no_failure(home: Path) -> None:
    path = "/opt/100%/bin:relative:/with blank/bin:/usr/bin:/bin:/usr/bin"
    unit = jiritsu("service", "install", "--print", home=home, PATH=path).stdout
    assert "\nEnvironment=PATH=/opt/100%%/bin:/usr/bin:/bin\n" in unit
    assert "\nSuccessExitStatus=130\n" in unit, "how a worker ends on SIGTERM"
    caches = [f"{home}/.npm", f"{home}/.cache", f"{home}/.local/share/uv"]
    assert f"\nReadWritePaths=-{home}\nReadWritePaths=-{' -'.join(caches)}\n" in unit
    made = f"\nExecStartPre=+mkdir -p -m 700 {home}\nExecStartPre=-+mkdir -p -m 700 {' '.join(caches)}\n"
    assert made in unit, "systemd leaves a folder that is not there read-only"
    assert "\nPrivateUsers=yes\n" in unit, "without it systemd 252 starts no such unit of a person (218/CAPABILITIES)"
    done = jiritsu("service", "install", "--kind", "launchd", "--print", home=home, PATH=path)
    assert plistlib.loads(done.stdout.encode())["EnvironmentVariables"]["PATH"] == "/opt/100%/bin:/usr/bin:/bin"


@requirement("Y4")
def test_a_service_of_somebody_else_is_not_given_the_folders_of_root_that_sudo_brings(home: Path) -> None:
    root = Path("~root").expanduser()
    done = jiritsu("--home", str(root / "nowhere"), "service", "install", "--system", "--print", home=home, SUDO_USER="nobody")
    assert done.returncode == 3
    assert f"{root}/nowhere is not a folder of nobody" in done.stderr
    own = jiritsu("service", "install", "--system", "--print", home=home, SUDO_USER="nobody")
    assert "\nUser=nobody\n" in own.stdout
    assert f"\nExecStartPre=+runuser -u nobody -- mkdir -p -m 700 {home}\n" in own.stdout
    assert "PrivateUsers" not in own.stdout, "the machine's manager needs none"


@requirement("Y4")
def test_the_data_directory_that_root_makes_for_the_service_is_whose_it_runs_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = dict[str, int]()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, uid, gid: given.update({str(path): uid}))
    home, nobody = tmp_path / "new" / "data", getpwnam("nobody").pw_uid
    make_folder(home, "nobody")
    assert home.is_dir()
    assert given == {str(home.parent): nobody, str(home): nobody}, "what was there keeps its owner"


@requirement("Y4")
def test_a_folder_that_no_unit_can_carry_is_refused_in_one_line(tmp_path: Path) -> None:
    home = tmp_path / "it's"
    home.mkdir()
    done = jiritsu("service", "install", "--print", home=home)
    assert done.returncode == 3
    assert "cannot carry" in done.stderr


@requirement("Y4")
def test_the_file_for_launchd_is_a_property_list_that_keeps_the_worker_alive(home: Path) -> None:
    done = jiritsu("service", "install", "--kind", "launchd", "--listen", "127.0.0.1:9000", "--print", home=home)
    found = plistlib.loads(done.stdout.encode())
    assert found["ProgramArguments"][-3:] == ["worker", "--listen", "127.0.0.1:9000"]
    assert found["KeepAlive"] is True
    assert found["EnvironmentVariables"]["JIRITSU_HOME"] == str(home)


@requirement("Y4")
@pytest.mark.parametrize("by", ["--config", "JIRITSU_CONFIG"])
@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_the_service_obeys_the_settings_file_that_was_named(home: Path, kind: str, by: str) -> None:
    named = home / "my settings.toml"
    named.write_text("[keep]\n", encoding="utf-8")
    flag = ("--config", str(named)) if by == "--config" else ()
    done = jiritsu(*flag, "service", "install", "--kind", kind, "--print", home=home, **({} if flag else {by: str(named)}))
    assert done.returncode == 0, done.stderr
    if kind == "launchd":
        assert plistlib.loads(done.stdout.encode())["EnvironmentVariables"]["JIRITSU_CONFIG"] == str(named)
    else:
        assert f'Environment="JIRITSU_CONFIG={named}"' in done.stdout
        assert "JIRITSU_CONFIG" not in jiritsu("service", "install", "--kind", kind, "--print", home=home).stdout


@requirement("Y4")
def test_a_backup_comes_back_and_what_was_there_is_kept(home: Path) -> None:
    copy = home / "copy.db"
    assert jiritsu("run", "今日は傘が必要？", "-q", home=home).returncode == 0
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    before = json.loads(jiritsu("runs", "list", "--json", home=home).stdout)
    assert jiritsu("run", "大阪の明日の天気は？", "-q", home=home).returncode == 0
    restored = jiritsu("restore", str(copy), home=home)
    assert restored.returncode == 0, restored.stderr
    after = json.loads(jiritsu("runs", "list", "--json", home=home).stdout)
    assert [run["run_id"] for run in after] == [run["run_id"] for run in before]
    (kept,) = home.glob("jiritsu.db.before-*")
    assert str(kept) in restored.stderr
    (anchors,) = home.glob("jiritsu.db.anchors.*")
    assert str(anchors) in restored.stderr, "those of the log that was there name rows that the copy does not have"
    assert jiritsu("audit", "verify", home=home).returncode == 0


@requirement("Y4")
@pytest.mark.parametrize(
    ("content", "problem"), [(b"no database at all", "is no database"), (b"", "is no backup of ours"), (None, "is not there")]
)
def test_what_is_no_backup_is_refused_and_nothing_changes(home: Path, content: bytes | None, problem: str) -> None:
    assert jiritsu("runs", "list", home=home).returncode == 0
    before = (home / "jiritsu.db").read_bytes()
    source = home / "copy.db"
    if content is not None:
        source.write_bytes(content)
    done = jiritsu("restore", str(source), home=home)
    assert done.returncode == 3
    assert problem in done.stderr
    assert (home / "jiritsu.db").read_bytes() == before


@requirement("Y4")
def test_a_copy_that_comes_back_is_its_owners_alone_from_the_first_byte_and_goes_through_no_link(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, target, victim = home / "copy.db", home / "new" / "jiritsu.db", home / "victim"
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    target.parent.mkdir()
    victim.write_text("mine")
    (target.parent / "jiritsu.db.restoring").symlink_to(victim)
    modes, copyfile = list[int](), shutil.copyfile

    def copying(source: Path, place: Path) -> object:
        modes.append(stat.S_IMODE(place.stat().st_mode))
        return copyfile(source, place)

    monkeypatch.setattr(shutil, "copyfile", copying)
    bring_back(f"sqlite:///{target}", copy, {})
    assert (modes, stat.S_IMODE(target.stat().st_mode), victim.read_text()) == ([0o600], 0o600, "mine")


@requirement("Y4")
def test_a_backup_of_a_newer_program_is_refused_and_nothing_changes(home: Path) -> None:
    import sqlite3
    from contextlib import closing

    copy = home / "copy.db"
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    with closing(sqlite3.connect(copy)) as newer, newer:
        newer.execute("update jiritsu_schema set version = 99 where room = 'durable'")
    before = (home / "jiritsu.db").read_bytes()
    done = jiritsu("restore", str(copy), home=home)
    assert done.returncode == 3
    assert "was made by a newer Jiritsu (durable 99, this one knows" in done.stderr
    assert (home / "jiritsu.db").read_bytes() == before
    assert list(home.glob("jiritsu.db.before-*")) == []
    assert jiritsu("runs", "list", home=home).returncode == 0


@requirement("Y4")
def test_after_a_downgrade_each_command_says_how_to_go_back_and_doctor_checks_all_else(home: Path) -> None:
    import sqlite3
    from contextlib import closing

    copy = home / "copy.db"
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    with closing(sqlite3.connect(home / "jiritsu.db")) as newer, newer:
        newer.execute("update jiritsu_schema set version = 99 where room = 'durable'")
    listed = jiritsu("runs", "list", home=home)
    assert listed.returncode == 3
    assert f"{home}/jiritsu.db was used by a newer Jiritsu (durable 99, this one knows " in listed.stderr
    assert "`jiritsu restore`" in listed.stderr
    checked = jiritsu("doctor", "--json", home=home)
    found = {one["check"]: one["status"] for one in json.loads(checked.stdout)}
    assert checked.returncode == 3
    assert (found["database"], found["model planner:offline"], found["server weather"]) == ("fail", "ok", "ok")
    assert jiritsu("restore", str(copy), home=home).returncode == 0
    assert jiritsu("runs", "list", home=home).returncode == 0


@requirement("Y4")
def test_a_copy_is_its_owners_alone_and_reading_it_leaves_nothing_beside_it(home: Path, tmp_path: Path) -> None:
    (shelf := tmp_path / "shelf").mkdir()
    copy = shelf / "copy.db"
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    assert jiritsu("restore", str(copy), home=home).returncode == 0
    assert list(shelf.iterdir()) == [copy]


@requirement("Y4")
def test_a_database_in_use_is_not_replaced(home: Path) -> None:
    import sqlite3
    from contextlib import closing

    assert jiritsu("runs", "list", home=home).returncode == 0
    copy = home / "copy.db"
    assert jiritsu("backup", str(copy), home=home).returncode == 0
    with closing(sqlite3.connect(home / "jiritsu.db")) as user:
        user.execute("select count(*) from durable_runs").fetchone()
        done = jiritsu("restore", str(copy), home=home)
    assert done.returncode == 3
    assert "stop every worker first" in done.stderr
    assert list(home.glob("jiritsu.db.*restor*")) == []


@requirement("Y4")
def test_a_log_line_is_one_json_object_with_the_run_it_is_about() -> None:
    token = current_run.set("run-1")
    try:
        record = logging.LogRecord("autonomy.x", logging.WARNING, "", 0, "two\nlines of %s", ("it",), None)
        line = JsonFormatter().format(record)
    finally:
        current_run.reset(token)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"], told["run_id"]) == ("warning", "two\nlines of it", "run-1")


@requirement("Y4")
def test_what_a_worker_says_of_itself_is_an_object_too_where_its_logs_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonFormatter())
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    announce("jiritsu worker: ready")
    announce("no volume", "! ", level=logging.WARNING)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(one["level"], one["message"]) for one in told] == [("info", "jiritsu worker: ready"), ("warning", "no volume")]
    handler.setFormatter(logging.Formatter())
    announce("no volume", "! ", level=logging.WARNING)
    assert capsys.readouterr().err == "! no volume\n"


@requirement("Y4")
def test_a_database_of_release_0_1_is_brought_up_to_date_with_its_runs_and_its_whole_journal(empty_home: Path) -> None:
    import gzip
    import sqlite3
    from contextlib import closing

    dump = Path(__file__).parents[1] / "autonomy" / "durable" / "data" / "database-0.1.sql.gz"
    with closing(sqlite3.connect(empty_home / "jiritsu.db")) as database:
        database.executescript(gzip.decompress(dump.read_bytes()).decode())
    copy = empty_home / "before.db"
    assert jiritsu("backup", str(copy), home=empty_home).returncode == 0
    with closing(sqlite3.connect(copy)) as database:
        versions = {version for (version,) in database.execute("SELECT version FROM jiritsu_schema")}
    assert versions == {1}, "the copy is what leads back, so it is not migrated first"
    (run,) = json.loads(jiritsu("runs", "list", "--json", home=empty_home).stdout)
    assert run["state"] == "completed"
    shown = json.loads(jiritsu("runs", "show", run["run_id"], "--json", home=empty_home).stdout)
    assert shown["result"]["calls"][0]["tool"] == "weather_get_weather"
    assert jiritsu("audit", "verify", home=empty_home).returncode == 0
    again = jiritsu("run", "今日は傘が必要？", "-q", home=empty_home)
    assert again.returncode == 0, again.stderr
    assert len(json.loads(jiritsu("runs", "list", "--json", home=empty_home).stdout)) == 2


def test_uv_builds_anew_when_any_file_of_the_program_has_changed() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    keys = {key["file"] for key in project["tool"]["uv"]["cache-keys"]}
    assert keys == {"pyproject.toml", *(f"{package}/**/*" for package in shipped)}
