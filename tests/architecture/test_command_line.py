"""`jiritsu --help` is quick, because it imports nothing heavy."""

import json
import resource
import subprocess
import sys

HEAVY = {
    "mcp",
    "mcp_types",
    "openai",
    "anthropic",
    "dbos",
    "pydantic",
    "pydantic_ai",
    "rich",
    "sqlalchemy",
    "slack_bolt",
    "slack_sdk",
}


def test_help_imports_no_sdk() -> None:
    program = (
        "import json, sys\nfrom click.testing import CliRunner\nfrom autonomy.cli import main\n"
        "done = CliRunner().invoke(main, ['--help'])\nprint(json.dumps([done.exit_code, sorted(sys.modules)]))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout)
    assert code == 0
    assert HEAVY & set(modules) == set()


def test_every_command_of_the_table_can_be_loaded_and_helps_itself() -> None:
    from click.testing import CliRunner

    from autonomy.cli import COMMANDS, main

    for name, (_, text) in COMMANDS.items():
        done = CliRunner().invoke(main, [name, "--help"])
        assert done.exit_code == 0, (name, done.output)
        assert text.endswith(".")


def test_help_costs_little_more_than_its_library_does() -> None:
    """A ratio, since seconds say more of the machine: importing click alone is most of what `--help` costs."""
    spent: dict[str, list[float]] = {"help": [], "click": []}
    commands = {"help": ["-P", "-m", "autonomy.cli", "--help"], "click": ["-c", "import click"]}
    for name in ["help", "click"] * 3:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *commands[name]], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent["help"]) <= 2 * min(spent["click"]), spent
