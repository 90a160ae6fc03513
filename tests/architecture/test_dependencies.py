"""What is declared is used: a dependency that no module imports is dead weight, or a promise that was dropped on the way."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
MODULES = {
    "google-auth": "google",
    "markdown-it-py": "markdown_it",
    "opentelemetry-api": "opentelemetry",
    "pyjwt": "jwt",
    "pyyaml": "yaml",
}
"""Where a distribution's module is not called after it."""
LOADED_BY_OTHERS = {"aiohttp": "slack_bolt", "psycopg": "sqlalchemy", "python-multipart": "starlette"}
"""A dependency of ours that one of theirs loads by name."""


def _declared() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[\[<>=]", requirement)[0] for requirement in project["dependencies"]]


def _is_imported(module: str) -> bool:
    return any(module in _imported(text) for text in _sources() if module in text)


@cache
def _sources() -> list[str]:
    return [file.read_text(encoding="utf-8") for package in PACKAGES for file in (ROOT / package).rglob("*.py")]


@cache
def _imported(source: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    names |= {name for node in nodes if (name := _loaded_by_name(node))}
    return {name.split(".")[0] for name in names}


def _loaded_by_name(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
            return name
    return None


def test_every_dependency_is_imported() -> None:
    modules = {one: LOADED_BY_OTHERS.get(one) or MODULES.get(one, one.replace("-", "_")) for one in _declared()}
    assert not {one for one, module in modules.items() if not _is_imported(module)}
    assert not _is_imported("logging_of_nobody")
