"""Files that say what this machine runs, or keep its secrets: no rule for all files covers them."""

from pathlib import Path

import pytest

from autonomy.llm.model import Need
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.texts.guarded_files import is_guarded
from autonomy.settings import load
from autonomy.settings_files import own_files
from discovery.catalog import Effect
from tests.requirements import requirement
from tests.support.specs import tool

S = {"type": "string"}
WRITE = tool("fs_write_file", provider="fs", effect=Effect.WRITE, properties={"path": S, "content": S})
MOVE = tool("fs_move_file", provider="fs", effect=Effect.DESTRUCTIVE, properties={"source": S, "destination": S})
HOME = "/home/u/.local/share/jiritsu"
OWN = (HOME, f"{HOME}/jobs", "/home/u/proj/my-servers.json", "/home/u/proj/jobs")
ALL = PolicyRule(name="all files", decision="allow", tool="fs_*")
GUARDED = [
    *("~/.bashrc", "/home/u/.ZSHRC", "../../.profile", ".bash_login", ".zshenv", "．bashrc", "/x/%2Ebashrc", "a/b/../../.envrc"),
    *("/home/u/x/../.ssh/authorized_keys", "file:///home/u/.bash_profile", "C:\\Users\\u\\.ssh\\config", "id_ed25519", "app/.env"),
    *(".git/hooks/pre-commit", "/etc/cron.d/job", ".config/fish/config.fish", "Library/LaunchAgents/a.plist", ".cursor/mcp.json"),
    *(f"{HOME}/anything", "jobs/evil/job.md", "proj/jobs/evil.md", "my-servers.json", "trusted-servers.json", "../jiritsu.toml"),
    *("/etc/profile.d/a.sh", "/etc/environment", "/etc/ld.so.preload", "/etc/sudoers.d/u", "$HOME/.config/gh/hosts.yml"),
    *("/proc/self/root" + HOME, "/proc/1/task/2/cwd/jiritsu.toml", "${HOME}/my-servers.json", "%USERPROFILE%\\.bashrc"),
    *("/etc/zsh/zshrc", "/etc/passwd", "/var/spool/cron/root", "AppData/Start Menu/Programs/Startup/a.bat", "~/.pam_environment"),
    *("lib/site-packages/a.pth", "lib/sitecustomize.py", ".husky/pre-push", ".vscode/tasks.json", ".config/fish/conf.d/a.fish"),
    *("./" * 400 + ".bashrc", "//home/u/proj/jobs/evil.md", "file:////home/u/proj/my-servers.json"),
]  # fmt: skip
OTHERS = [
    "report.md",
    "notes/rc.md",
    "/home/u/proj/a.py",
    "docs/environment.md",
    "src/config.json",
    "/etc/motd",
    "models/a.pth",
    "docs/init.d.md",
    "/proc/self/cwd/report.md",
    "$HOME/report.md",
    "data/jobs/x.md",
    "jobs",
    "x",
]


@requirement("S1", "K2")
@pytest.mark.parametrize("path", GUARDED)
def test_a_rule_for_all_files_writes_none_that_says_what_runs_here(path: str) -> None:
    policy = Policy(rules=(ALL,), free_writes="allow", own_files=OWN)
    assert policy.decide(WRITE, {"path": path, "content": "x"}, Circumstances()).decision == "ask"
    assert policy.decide(MOVE, {"source": "a.md", "destination": path}, Circumstances()).decision == "ask"


@requirement("S1")
@pytest.mark.parametrize("path", OTHERS)
def test_a_rule_for_all_files_writes_the_others(path: str) -> None:
    policy = Policy(rules=(ALL,), own_files=OWN)
    assert policy.decide(WRITE, {"path": path, "content": "see ~/.bashrc"}, Circumstances()).decision == "allow"


@requirement("S1")
def test_a_rule_or_a_job_that_names_the_file_lets_it_be_written_and_no_other() -> None:
    for glob in ("~/.bashrc", "~/.bash*", "~/.ssh/*"):
        rule = PolicyRule(name="r", decision="allow", tool="fs_*", arguments={"path": glob})
        policy, path = Policy(rules=(rule,), own_files=OWN), glob.replace("*", "rc")
        assert (policy.decide(WRITE, {"path": path}, Circumstances()).decision == "allow") is (glob != "~/.bash*")
        assert policy.decide(WRITE, {"path": path.replace("rc", "x/../../.zshrc")}, Circumstances()).decision == "ask"
    need = Need(id="write", description="write", effect="write", arguments={"path": "~/.bashrc", "content": "{{result}}"})
    given = Circumstances(writes=(need,), able=(need,), closed=True, known=need.model_dump_json())
    assert Policy(rules=(ALL,), own_files=OWN).decide(WRITE, {"path": "~/.bashrc", "content": "x"}, given).decision == "allow"
    given = given.model_copy(update={"known": "Write ~/.bashrc.example"})
    assert Policy(own_files=OWN).decide(WRITE, {"path": "~/.bashrc", "content": "x"}, given).decision == "ask"
    loose = need.model_copy(update={"arguments": {"path": "{{result}}", "content": "{{result}}"}})
    given = Circumstances(writes=(loose,), able=(loose,), closed=True, known=loose.model_dump_json())
    assert Policy(own_files=OWN).decide(WRITE, {"path": "~/.bashrc", "content": "x"}, given).decision == "ask"


@requirement("S1")
def test_a_denial_of_all_files_holds_for_these_too() -> None:
    denied = PolicyRule(name="none", decision="deny", tool="fs_*")
    assert Policy(rules=(denied,), own_files=OWN).decide(WRITE, {"path": "~/.bashrc"}, Circumstances()).decision == "deny"


@requirement("S1", "K2")
def test_the_settings_in_force_name_their_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks").mkdir()
    config = load(
        {"jobs": tmp_path / "tasks", "servers": tmp_path / "these.json"}, {"JIRITSU_HOME": str(tmp_path / "home")}, tmp_path
    )
    own = own_files(config)
    for path in ("these.json", "tasks/a.md", "home/x", "home/jobs/b/job.md", "jiritsu.mcp.json", "home/trusted-servers.json"):
        assert is_guarded(str(tmp_path / path), own), path
        assert is_guarded(path, own) is ("." in path), path
    assert not is_guarded(str(tmp_path / "report.md"), own)
