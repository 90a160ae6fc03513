"""How well and how fast tools are found: Recall@1/5/10, nDCG@10 and latency, by words, by meaning and by both.

    python -m tests.bench.search_bench DIR

DIR holds `tools.json` and `annotations.json` of LiveMCPBench (icip-cas/LiveMCPBench, Apache-2.0), or a part of them, and perhaps
`trajectories.jsonl.gz` with recorded runs. The Japanese requests are this repository's own translation of 47 of its tasks (`data/livemcpbench_ja.json`). Without DIR only the costs are measured.
"""

import argparse
import gzip
import json
import math
import re
import statistics
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import anyio

from autonomy.calls.tool_definitions import Definitions
from autonomy.llm.messages import ToolDefinition
from discovery.catalog import Catalog, ToolSpec
from discovery.hints.hints import make_hint
from discovery.search import embeddings, offering, search_index
from discovery.search.brief_tools import cost_tokens
from discovery.search.offering import OfferedTools, find_more, offer
from discovery.search.search_index import SearchIndex
from discovery.text import search_terms
from discovery.text.token_estimates import estimate_tokens
from discovery.timing.clock import SYSTEM_CLOCK

JAPANESE = Path(__file__).parent / "data" / "livemcpbench_ja.json"
STEPS = Path(__file__).parent / "data" / "livemcpbench_steps.json"
"""The steps of each task, written by a large model that was shown the requests alone."""

Task = tuple[str, frozenset[str]]
"""A request, and the providers' own names of the tools a person chose for it."""
Search = Callable[[str, int], Sequence[str]]


def read_tools(folder: Path) -> tuple[ToolSpec, ...]:
    servers = json.loads((folder / "tools.json").read_text(encoding="utf-8"))
    return tuple(
        ToolSpec(
            name=f"{provider}_{tool['name']}"[:64],
            provider=provider,
            tool=tool["name"],
            description=tool["description"] or "",
            input_schema=tool["inputSchema"],
        )
        for server in servers
        for provider, listing in server["tools"].items()
        for tool in listing["tools"]
    )


def read_abouts(folder: Path) -> dict[str, str]:
    """What the set says of each server; it stands for the `instructions` that a server gives of itself."""
    servers = json.loads((folder / "tools.json").read_text(encoding="utf-8"))
    return {provider: server["description"] for server in servers for provider in server["tools"]}


def numbered(text: str) -> list[str]:
    return [re.sub(r"^\d+\.\s*", "", line).strip() for line in text.splitlines() if line.strip()]


def tasks(folder: Path, specs: Sequence[ToolSpec]) -> dict[str, list[Task]]:
    """The same tasks in English and Japanese; left out are those none of whose tools is in the set."""
    known = {spec.tool for spec in specs}
    japanese, steps = (json.loads(file.read_text(encoding="utf-8")) for file in (JAPANESE, STEPS))
    found: dict[str, list[Task]] = {"en": [], "ja": [], "en, in steps": [], "ja, in steps": []}
    for task in json.loads((folder / "annotations.json").read_text(encoding="utf-8")):
        wanted = frozenset(numbered(task["Annotator Metadata"]["Tools"])) & known
        for language, request in (("en", task["Question"]), ("ja", japanese.get(task["task_id"]))) if wanted else ():
            if request:
                found[language].append((request, wanted))
                found[f"{language}, in steps"].append(("\n".join([request, *steps[task["task_id"]]]), wanted))
    return found


def searches(folder: Path, specs: Sequence[ToolSpec]) -> list[Task]:
    """What a model really searched for in recorded runs, and the tools it then called until it searched again.

    It chose among what another search showed it, so a tool that only we find counts for nothing here.
    """
    file, known = folder / "trajectories.jsonl.gz", {spec.tool for spec in specs}
    lines = gzip.decompress(file.read_bytes()).decode().splitlines() if file.exists() else []
    return [task for line in lines for task in _searches_of(json.loads(line)["calls"], known)]


def _searches_of(calls: Iterable[dict[str, Any]], known: set[str]) -> list[Task]:
    found: list[Task] = []
    for call in calls:
        if call["fn"] == "route":
            request = re.sub(r"</?tool_assistant>|^\s*(?:server|tool):", "", call["args"].get("query", ""), flags=re.MULTILINE)
            found.append((" ".join(request.split()), frozenset()))
        elif found:
            request, called = found[-1]
            found[-1] = request, called | ({call["args"].get("tool_name", "")} & known)
    return [(request, called) for request, called in found if called]


def single_steps(folder: Path, specs: Sequence[ToolSpec]) -> list[Task]:
    """The steps of the tasks for which a person wrote down as many steps as tools, each with its tool."""
    known, found = {spec.tool for spec in specs}, list[Task]()
    for task in json.loads((folder / "annotations.json").read_text(encoding="utf-8")):
        steps, tools = (numbered(task["Annotator Metadata"][key]) for key in ("Steps", "Tools"))
        if len(steps) == len(tools):
            found += [(step, frozenset({wanted})) for step, wanted in zip(steps, tools, strict=True) if wanted in known]
    return found


def by_steps(folder: Path, specs: Sequence[ToolSpec], find: Search) -> float:
    """Recall of one search for each step a person wrote down, its first two tools: what a model gains that searches as it goes."""
    known = {spec.tool for spec in specs}
    recalls = []
    for task in json.loads((folder / "annotations.json").read_text(encoding="utf-8")):
        wanted = frozenset(numbered(task["Annotator Metadata"]["Tools"])) & known
        steps = numbered(task["Annotator Metadata"]["Steps"])
        if wanted:
            found = {name for step in steps for name in find(step, 2)}
            recalls.append(len(wanted & found) / len(wanted))
    return statistics.mean(recalls)


def measure(find: Search, requests: Iterable[Task]) -> dict[str, float]:
    rows: list[dict[str, float]] = []
    for request, wanted in requests:
        started = time.perf_counter()
        found = find(request, 10)
        row = {"ms": 1000 * (time.perf_counter() - started)}
        row |= {f"R@{depth}": len(wanted & set(found[:depth])) / len(wanted) for depth in (1, 5, 10)}
        firsts = [place for place, name in enumerate(found) if name in wanted and name not in found[:place]]
        best = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
        rows.append(row | {"nDCG@10": sum(1 / math.log2(place + 2) for place in firsts) / best})
    means = {key: 100 * statistics.mean(row[key] for row in rows) for key in ("R@1", "R@5", "R@10", "nDCG@10")}
    times = sorted(row["ms"] for row in rows)
    return means | {"median ms": statistics.median(times), "slowest ms": times[-1]}


@contextmanager
def without_lexicon(left: Callable[[str], bool] = lambda word: False) -> Iterator[None]:
    """The lexicon reduced to the words for which `left` is true."""
    table, _ = search_terms._lexicon()
    kept = {word: english for word, english in table.items() if left(word)}
    pattern = re.compile("|".join(map(re.escape, sorted(kept, key=len, reverse=True))) or r"(?!)")
    with mock.patch.object(search_terms, "_lexicon", return_value=(kept, pattern)):
        yield


def words_of_one_request(requests: Iterable[Task]) -> set[str]:
    """Words of the lexicon that only a single request of the set has: what somebody might have put there for its sake."""
    _, pattern = search_terms._lexicon()
    counts = Counter(word for request, _ in requests for word in set(pattern.findall(request.lower())))
    return {word for word, count in counts.items() if count == 1}


def quality(folder: Path) -> None:
    specs = read_tools(folder)
    requests = tasks(folder, specs)
    say(f"{len(specs)} tools, {len(requests['en'])} requests\n")

    def names(ranked: Iterable[search_index.Ranked]) -> list[str]:
        return [one.spec.tool for one in ranked]

    about = read_abouts(folder)
    plain = SearchIndex(specs, make_hint)
    told = SearchIndex(specs, make_hint, about=about)

    def words(query: str, limit: int) -> list[str]:
        return names(plain.search(query, limit=limit))

    variants: dict[str, Search] = {"words": words}
    variants["words, servers described"] = lambda query, limit: names(told.search(query, limit=limit))
    if embeddings.installed():
        encoder = embeddings.SentenceEncoder()
        started = time.perf_counter()
        anyio.run(encoder.prepare, specs)
        say(f"encoding: {1000 * (time.perf_counter() - started) / len(specs):.1f} ms a tool, once")
        both = SearchIndex(specs, make_hint, encoder)
        variants["words and meaning"] = lambda query, limit: names(both.search(query, limit=limit))
        informed = embeddings.SentenceEncoder()
        anyio.run(informed.prepare, specs, about)
        described = SearchIndex(specs, make_hint, informed, about)
        variants["words and meaning, described"] = lambda query, limit: names(described.search(query, limit=limit))
        if embeddings.english_installed():
            both_encoders = SearchIndex(specs, make_hint, informed, about, english=english(specs, about))
            variants["and the English encoder"] = lambda query, limit: names(both_encoders.search(query, limit=limit))
        variants["meaning alone"] = lambda query, limit: by_meaning(encoder, specs, query, limit)
    row("", ("R@1", "R@5", "R@10", "nDCG@10", "median ms", "slowest ms"))
    for language, found in requests.items():
        for name, find in variants.items():
            measured(f"{language}: {name}", find, found)
    once = words_of_one_request(requests["ja"])
    with without_lexicon():
        measured("ja: words, no lexicon", words, requests["ja"])
        if embeddings.installed():
            measured("ja: words and meaning, no lexicon", variants["words and meaning"], requests["ja"])
    with without_lexicon(lambda word: word not in once):
        measured(f"ja: words, less {len(once)} of one request", words, requests["ja"])
        if embeddings.installed():
            measured("ja: words and meaning, less those", variants["words and meaning"], requests["ja"])
    one_each = single_steps(folder, specs)
    for name, find in variants.items():
        measured(f"{len(one_each)} steps of one tool, en: {name}", find, one_each)
    if asked := searches(folder, specs):
        for name, find in variants.items():
            measured(f"{len(asked)} real searches: {name}", find, asked)
    for name, find in variants.items():
        say(f"en: {name}, a search for each step, two tools each: recall {100 * by_steps(folder, specs, find):.1f}")


def english(specs: Sequence[ToolSpec], about: Mapping[str, str]) -> embeddings.SentenceEncoder:
    encoder = embeddings.english_sentence_encoder(None, SYSTEM_CLOCK)
    anyio.run(encoder.prepare, specs, about)
    return encoder


def by_meaning(encoder: embeddings.SentenceEncoder, specs: Sequence[ToolSpec], query: str, limit: int) -> list[str]:
    scores = encoder.scores(specs, query) or ()
    best = sorted(range(len(specs)), key=lambda at: -scores[at])[:limit]
    return [specs[at].tool for at in best]


def measured(name: str, find: Search, requests: Iterable[Task]) -> None:
    row(name, measure(find, requests).values())


def row(name: str, cells: Iterable[Any]) -> None:
    texts = (f"{cell:10.1f}" if isinstance(cell, float) else f"{cell:>10}" for cell in cells)
    say(f"{name:<50}{''.join(texts)}")


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def tokens_of(shown: OfferedTools, definitions: Definitions) -> int:
    """What the definitions cost as they are sent, hints included."""
    sent = [definitions.of(spec, make_hint(spec), 0.0) for spec in shown.full]
    sent += [definitions.in_brief(spec) for spec in shown.brief]
    return sum(map(definition_tokens, sent))


def definition_tokens(sent: ToolDefinition) -> int:
    schema = json.dumps(sent.input_schema, ensure_ascii=False)
    return 8 + estimate_tokens(f"{sent.name}{sent.description}{schema}")


def offered(folder: Path, shares: Sequence[float] = (0.06, 0.12, 0.24)) -> None:
    """The share of the right tools that a model is shown at the outset, and that it has after one search of its own."""
    specs = tuple(sorted(read_tools(folder), key=lambda spec: spec.name))
    about, definitions = read_abouts(folder), Definitions()
    catalog = Catalog(tools=specs)
    everything = sum(definition_tokens(definitions.of(spec, make_hint(spec), 0.0)) for spec in specs)
    steps = steps_of_tasks(folder)
    indexes = {"words": SearchIndex(specs, make_hint, about=about)}
    if embeddings.installed():
        encoder = embeddings.SentenceEncoder()
        anyio.run(encoder.prepare, specs, about)
        indexes["words and meaning"] = SearchIndex(specs, make_hint, encoder, about)
        if embeddings.english_installed():
            indexes["and the English encoder"] = SearchIndex(specs, make_hint, encoder, about, english=english(specs, about))
    say(f"\noffered at the outset, of {everything} tokens of all; a search is one of the steps that a person wrote down")
    row("", ("offered", "in a search", "tools", "in full", "tokens", "a search's", "% of all"))
    for share in shares:
        for name, index in indexes.items():
            for language, requests in tasks(folder, specs).items():
                cells = [
                    offered_to(index, catalog, request, wanted, steps[at], int(share * everything), definitions)
                    for at, (request, wanted) in enumerate(requests)
                ]
                means = [statistics.mean(values) for values in zip(*cells, strict=True)]
                row(f"{share:.0%} {language}: {name}", (*means, 100 * means[-2] / everything))


def without_everyday_needs(folder: Path) -> None:
    """The same where no place is kept for what any goal may need."""
    say("\nwithout everyday needs")
    with mock.patch.object(offering, "everyday_needs", return_value=()):
        offered(folder, shares=(0.12,))


def bought(folder: Path) -> None:
    """The mean place of a tool that no request is about, among all, by what it says of itself."""
    specs, about = read_tools(folder), read_abouts(folder)
    requests = [request for request, _ in tasks(folder, specs)["en"]]
    names = " ".join(f"{spec.tool}, {spec.name}" for spec in specs)
    boasts = {
        "only what it does": "",
        "names all others": names,
        "names twenty others": " ".join(names.split()[::50][:20]),
        "every request, after 600 characters": " " * 600 + " ".join(requests),
        "every request, at once": " ".join(requests),
    }
    say("\nmean place of a tool that no request is about")
    encoder, reads_english = embeddings.SentenceEncoder(), embeddings.english_sentence_encoder(None, SYSTEM_CLOCK)
    for name, boast in boasts.items():
        own = "Rotates the letters of a text by thirteen places. "
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        spec = ToolSpec(name="zz_rot13", provider="zz", tool="rot13", description=own + boast, input_schema=schema)
        all_specs = (*specs, spec)
        indexes = [SearchIndex(all_specs, make_hint, about=about)]
        if embeddings.installed():
            anyio.run(encoder.prepare, all_specs, about)
            indexes.append(SearchIndex(all_specs, make_hint, encoder, about))
        if embeddings.english_installed():
            anyio.run(reads_english.prepare, all_specs, about)
            indexes.append(SearchIndex(all_specs, make_hint, encoder, about, english=reads_english))
        row(name, [statistics.mean(place(index, request, spec) for request in requests) for index in indexes])


def place(index: SearchIndex, request: str, spec: ToolSpec) -> int:
    found = [one.spec.name for one in index.search(request, limit=len(index.specs))]
    return found.index(spec.name) + 1 if spec.name in found else len(index.specs)


def offered_to(
    index: SearchIndex,
    catalog: Catalog,
    request: str,
    wanted: frozenset[str],
    steps: Sequence[str],
    budget_tokens: int,
    definitions: Definitions,
) -> tuple[float, ...]:
    shown = offer(index, catalog, request, budget_tokens=budget_tokens)
    names = {spec.tool for spec in shown.specs}
    seen, found, tokens_found = {spec.name for spec in shown.specs}, set[str](), []
    for step in (*steps, request):
        more = find_more(index, step, lambda spec: spec.name not in seen)
        found |= {spec.tool for spec in (*more.best, *more.siblings)}
        tokens_found.append(tokens_of(OfferedTools(full=more.best, brief=more.siblings), definitions))
    reached = len(wanted & (names | found)) / len(wanted)
    tokens = tokens_of(shown, definitions)
    return (
        100 * len(wanted & names) / len(wanted),
        100 * reached,
        len(shown.specs),
        len(shown.full),
        tokens,
        statistics.mean(tokens_found),
    )


def steps_of_tasks(folder: Path) -> list[list[str]]:
    """The steps a person wrote down for each task that `tasks` gives, in its order."""
    known = {spec.tool for spec in read_tools(folder)}
    told = [task["Annotator Metadata"] for task in json.loads((folder / "annotations.json").read_text(encoding="utf-8"))]
    return [numbered(one["Steps"]) for one in told if known & set(numbered(one["Tools"]))]


def costs() -> None:
    """What 100, 1,000 and 5,000 tools of ordinary size cost."""
    say()
    row("tools", ("index ms", "MB", "query ms", "all tokens", "offered", "in full", "its tokens"))
    for count in (100, 1000, 5000):
        specs = tuple(synthetic(at) for at in range(count))
        started = time.perf_counter()
        index = SearchIndex(specs, make_hint)
        built = 1000 * (time.perf_counter() - started)
        catalog = Catalog(tools=specs)
        query = "find the open invoices of a customer and send a reminder"
        started = time.perf_counter()
        for _ in range(20):
            index.search(query)
        searched = 50 * (time.perf_counter() - started)
        shown = offer(index, catalog, query, budget_tokens=12_800)
        tracemalloc.start()
        SearchIndex(specs, make_hint)
        memory = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        cells = (
            built,
            memory,
            searched,
            sum(map(cost_tokens, specs)),
            len(shown.specs),
            len(shown.full),
            tokens_of(shown, Definitions()),
        )
        row(str(count), cells)


SUBJECTS = ("invoice", "customer", "file", "message", "page", "issue", "event", "contact", "ticket", "order", "report", "image")
VERBS = ("list", "get", "create", "update", "delete", "search", "export", "import", "archive", "send")


def synthetic(number: int) -> ToolSpec:
    subject, verb = SUBJECTS[number % len(SUBJECTS)], VERBS[number // len(SUBJECTS) % len(VERBS)]
    properties = {
        f"{subject}_id": {"type": "string", "description": f"Identifier of the {subject}"},
        "fields": {"type": "array", "items": {"type": "string"}, "description": "Which fields to return"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many at most"},
    }
    return ToolSpec(
        name=f"p{number}_{verb}_{subject}",
        provider=f"p{number}",
        tool=f"{verb}_{subject}",
        description=f"{verb.title()} a {subject} of the workspace {number}. Returns the {subject} with its owner, state and dates.",
        input_schema={"type": "object", "properties": properties, "required": [f"{subject}_id"]},
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    arguments = parser.parse_args()
    if arguments.folder:
        quality(arguments.folder)
        offered(arguments.folder)
        without_everyday_needs(arguments.folder)
        bought(arguments.folder)
    costs()
