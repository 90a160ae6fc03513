"""Every piece of a settings file, a servers file or a job that a page shows is accepted by its loader, and a misspelt key named."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from autonomy.cli.settings_tables import missing_jobs, table_problems
from autonomy.errors import ConfigError
from autonomy.jobs.job_loading import load as load_job
from autonomy.llm.vendor_list import ChatVendor
from autonomy.settings import load as load_settings
from discovery.servers.servers_file import load_servers

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^ *```(toml|jsonc?|yaml|markdown)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
SNIPPETS = {
    f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}": (found[1], found[2])
    for page in PAGES
    for text in [page.read_text(encoding="utf-8")]
    for found in BLOCK.finditer(text)
}
INPUTS = "inputs: { day: { type: date, default: today }, file: {}, told: {}, message: {} }\n"
NEEDS = "needs:\n  - { id: post, description: create a post, effect: outward }\n"


def of_settings(text: str, folder: Path) -> str:
    file = folder / "jiritsu.toml"
    file.write_text(text, encoding="utf-8")
    try:
        config = load_settings({"home": str(folder), "config": str(file)}, env={}, cwd=folder)
        return "\n".join(map(str, [*table_problems(config), *missing_jobs(config)]))
    except ConfigError as problem:
        return str(problem)


def of_servers(text: str, folder: Path) -> str:
    if '"base_url"' in text:  # a vendor of models
        ChatVendor.model_validate_json(text.partition(":")[2])
        return ""
    if text.startswith('"effects"'):  # of a server's entry
        text = f'"server": {{ "command": "x", {text} }}'
    whole = text if "mcpServers" in text else f'{{ "mcpServers": {{ {text} }} }}'
    file = folder / "jiritsu.mcp.json"
    file.write_text(whole.replace("~", str(folder)), encoding="utf-8")
    for other in (folder / ".mcp.json", folder / ".cursor" / "mcp.json"):  # what it imports
        other.parent.mkdir(exist_ok=True)
        other.write_text('{"mcpServers": {}}', encoding="utf-8")
    return "\n".join(load_servers(file, env={"HOME": str(folder)}).warnings)


def of_job(text: str, folder: Path) -> str:
    file = folder / "job.md"
    if not text.lstrip().startswith("---"):  # a part of one
        text = f"---\n{INPUTS}{'' if 'needs:' in text else NEEDS}{text}---\nDo it.\n"
    file.write_text(text, encoding="utf-8")
    try:
        load_job(file)
    except ConfigError as problem:
        return str(problem)
    return ""


LOADERS: dict[str, tuple[Callable[[str, Path], str], re.Pattern[str]]] = {
    "toml": (of_settings, re.compile(r"^(\w+)(?= *=)", re.MULTILINE)),
    "json": (of_servers, re.compile(r'"(mcpServers|imports|command|args|env|url|headers|effects|rate_limit|disabled)(?=": )')),
    "yaml": (of_job, re.compile(r"^(\w+)(?=:)", re.MULTILINE)),
}
LOADERS |= {"jsonc": LOADERS["json"], "markdown": LOADERS["yaml"]}


@pytest.mark.parametrize("kind", ["toml", "json", "yaml"])
def test_every_snippet_is_accepted_and_each_of_its_keys_named_where_it_is_misspelt(kind: str, tmp_path: Path) -> None:
    problem_of, keys = LOADERS[kind]
    seen, refused, unnamed = set[str](), dict[str, str](), list[str]()
    for place, (form, text) in SNIPPETS.items():
        if LOADERS[form][0] is not problem_of or (bare := re.sub(r" *#.*|//.*", "", text)) in seen:
            continue
        seen.add(bare)
        if problem := problem_of(text, tmp_path):
            refused[place] = problem
        for key in keys.finditer(text):
            misspelt = f"{text[: key.end(1)]}x{text[key.end(1) :]}"
            if f"{key[1]}x" not in problem_of(misspelt, tmp_path):
                unnamed.append(f"{place}: {key[1]}x")
    assert len(seen) > 4
    assert refused == {}
    assert unnamed == []
