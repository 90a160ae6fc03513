"""Reads public sets of requests and the tools they need, from checkouts of the repositories that hold them.

Requests and tools stay where they are: nothing of them is part of this repository.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from discovery.catalog import ToolSpec

MOST_REQUESTS = 300
"""Of a set, drawn with a fixed seed: more of one kind tell nothing new."""
_TYPES = {"NUMBER": "number", "BOOLEAN": "boolean"}
_METHODS = ("get", "post", "put", "delete", "patch")

Wanted = tuple[str, frozenset[str]]
"""A request, and the full names of the tools that serve it."""


class ToolSet(NamedTuple):
    """The tools of a set, and requests with those that serve them."""

    name: str
    family: str
    """Sets of one family share their tools or their makers: what is fitted to one says nothing new of another."""
    specs: tuple[ToolSpec, ...]
    requests: tuple[Wanted, ...]


class _Tools:
    """The tools of one set under the names that the set has for them."""

    def __init__(self) -> None:
        self._found: dict[str, ToolSpec] = {}

    def add(self, key: str, provider: str, tool: str, description: str, properties: Mapping[str, Any]) -> None:
        provider, tool = (re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_") or "x" for text in (provider, tool))
        schema = {"type": "object", "properties": dict(properties)}
        name = f"{provider[:20]}_{tool[:34]}_{len(self._found)}"
        self._found.setdefault(
            key, ToolSpec(name=name, provider=provider, tool=tool, description=description, input_schema=schema)
        )

    def of(self, name: str, family: str, requests: Iterable[tuple[str, Iterable[str]]]) -> ToolSet:
        named = ((text, frozenset(self._found[key].name for key in keys if key in self._found)) for text, keys in requests)
        there = sorted({(text, wanted) for text, wanted in named if text.strip() and wanted}, key=lambda one: one[0])
        random.Random(1).shuffle(there)
        return ToolSet(name, family, tuple(self._found.values()), tuple(there[:MOST_REQUESTS]))


def read_sets(folder: Path) -> tuple[ToolSet, ...]:
    """Every set whose repository is checked out in this folder under its own name."""
    return tuple(one for name, read in _READERS.items() if (folder / name).is_dir() for one in read(folder / name))


def stable_tool_bench(folder: Path) -> Iterator[ToolSet]:
    """THUNLP-MT/StableToolBench (Apache-2.0): APIs of RapidAPI, requests written by a model, kept where people could solve them."""
    tools, requests = _Tools(), dict[str, list[tuple[str, list[str]]]]()
    for group in ("G1_instruction", "G1_category", "G1_tool", "G2_instruction", "G2_category", "G3_instruction"):
        for row in _json(folder / "solvable_queries" / "test_instruction" / f"{group}.json"):
            for api in row["api_list"]:
                given = [*api.get("required_parameters", ()), *api.get("optional_parameters", ())]
                properties = {one["name"]: {"type": _TYPES.get(one["type"], "string"), **_said(one)} for one in given}
                key = f"{api['tool_name']}/{api['api_name']}"
                tools.add(key, api["tool_name"], api["api_name"], api.get("api_description") or "", properties)
            text = row["query"] if isinstance(row["query"], str) else " ".join(row["query"])
            requests.setdefault(group[:2], []).append((text, [f"{tool}/{api}" for tool, api in row["relevant APIs"]]))
    return (tools.of(f"ToolBench {group}", "ToolBench", found) for group, found in requests.items())


def seal_tools(folder: Path) -> Iterator[ToolSet]:
    """fairyshine/Seal-Tools (Apache-2.0): tools and requests written by a model."""
    tools, folder = _Tools(), folder / "Seal-Tools_Dataset"
    for row in _lines(folder / "tool.jsonl"):
        properties = {name: {"type": "string", **_said(one)} for name, one in row["parameters"].items()}
        tools.add(row["api_name"], row["field"].split("/")[-1], row["api_name"], row["api_description"], properties)
    files = ("dev", "test_in_domain", "test_out_domain")
    rows = [row for file in files for row in _lines(folder / f"{file}.jsonl")]
    yield tools.of("Seal-Tools", "Seal-Tools", [(row["query"], [call["api"] for call in row["calling"]]) for row in rows])


def tool_alpaca(folder: Path) -> Iterator[ToolSet]:
    """tangqiaoyu/ToolAlpaca (Apache-2.0), its evaluation half: public APIs."""
    tools, requests = _Tools(), list[tuple[str, list[str]]]()
    for file in ("eval_real", "eval_simulated"):
        for row in _json(folder / "data" / f"{file}.json"):
            document = json.loads(row["Documentation"])
            for _, _, operation in _operations(document):
                if key := operation.get("operationId"):
                    tools.add(f"{row['Name']}/{key}", row["Name"], key, _described(operation), _parameters(operation))
            for text, answer in zip(row.get("Instructions", ()), row.get("Golden_Answers", ()), strict=False):
                called = [f"{row['Name']}/{step['Action']}" for step in answer if isinstance(step, dict) and "Action" in step]
                requests.append((text, called))
    yield tools.of("ToolAlpaca", "ToolAlpaca", requests)


def rest_bench(folder: Path) -> Iterator[ToolSet]:
    """Yifan-Song793/RestGPT (MIT): the paths of two APIs, requests written by people."""
    for name in ("tmdb", "spotify"):
        tools = _Tools()
        for path, method, operation in _operations(_json(folder / "specs" / f"{name}_oas.json")):
            tag = (operation.get("tags") or [path.split("/")[1]])[0]
            key = f"{method.upper()} {path}"
            tools.add(key, tag, f"{method}{path.replace('/', '_')}", _described(operation), _parameters(operation))
        rows = _json(folder / "datasets" / f"{name}.json")
        yield tools.of(f"RestBench {name}", "RestBench", [(row["query"], row["solution"]) for row in rows])


def ultra_tool(folder: Path) -> Iterator[ToolSet]:
    """JoeYing1019/UltraTool (no licence told: measured only): requests of people, tools written by a model, in two languages."""
    for language in ("English", "Chinese"):
        tools, requests = _Tools(), list[tuple[str, list[str]]]()
        for row in _lines(folder / "data" / f"{language}-dataset" / "test.json"):
            for tool in row["tools"]:
                properties = (tool.get("arguments") or {}).get("properties") or {}
                tools.add(tool["name"], row["domain"], tool["name"], tool["description"], properties)
            steps = (re.match(r"([\w.-]+)\(", str(step.get("tool"))) for step in row["plan"])
            requests.append((row["question"], [found[1] for found in steps if found]))
        yield tools.of(f"UltraTool, {language}", "UltraTool", requests)


def tool_lens(folder: Path) -> Iterator[ToolSet]:
    """quchangle1/COLT (no licence told: measured only): short requests that leave open what they need."""
    tools, folder = _Tools(), folder / "datasets" / "ToolLens"
    for row in _lines(folder / "corpus.jsonl"):
        found = re.match(
            r"category_name:.*?, tool_name:(.*?), api_name:(.*?), api_description:(.*?), required_params: (\[.*?\]), ",
            row["text"],
            re.DOTALL,
        )
        if found:
            properties = {one: {"type": "string"} for one in re.findall(r'"name": "(.*?)"', found[4])}
            tools.add(row["_id"], found[1], found[2], found[3], properties)
    texts = {row["_id"]: row["text"] for row in _lines(folder / "queries.jsonl")}
    pairs = [line.split("\t")[:2] for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    wanted: dict[str, list[str]] = {}
    for query, tool in pairs:
        wanted.setdefault(query, []).append(tool)
    yield tools.of("ToolLens", "ToolLens", [(texts[query], found) for query, found in wanted.items()])


_READERS: dict[str, Callable[[Path], Iterator[ToolSet]]] = {
    "StableToolBench": stable_tool_bench,
    "Seal-Tools": seal_tools,
    "ToolAlpaca": tool_alpaca,
    "RestGPT": rest_bench,
    "UltraTool": ultra_tool,
    "COLT": tool_lens,
}


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in document.get("paths", {}).items():
        for method, operation in methods.items():
            if method in _METHODS and isinstance(operation, dict):
                yield path, method, operation


def _described(operation: Mapping[str, Any]) -> str:
    return ". ".join(text for key in ("summary", "description") if (text := operation.get(key)))


def _parameters(operation: Mapping[str, Any]) -> dict[str, Any]:
    return {one["name"]: {"type": "string", **_said(one)} for one in operation.get("parameters", ()) if "name" in one}


def _said(one: Mapping[str, Any]) -> dict[str, str]:
    return {"description": text} if (text := one.get("description")) else {}


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
