"""Fits the weights of the descriptor review to poisoned and honest definitions, and measures them on servers kept apart.

    python -m tests.bench.descriptor_training            measures: honest tools of servers that were kept apart, poison kept apart
    python -m tests.bench.descriptor_training --write    fits to everything but the splits kept apart and writes the data file

Logistic regression; of a poisoned definition the heaviest sentence is the example, of an honest one every sentence.
"""

import gzip
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from discovery.catalog import ToolSpec
from discovery.review import descriptors, sentence_weights
from discovery.review.cues import words_of

DATA = Path(__file__).parents[1] / "discovery" / "data"
WEIGHTS = Path(descriptors.__file__).parents[1] / "data" / "descriptor_weights.json"
COMMON_WORDS = WEIGHTS.with_name("common_words.json")
KEPT_APART = (
    *("fifth", "sixth", "seventh", "eighth", "ninth", "eleventh", "twelfth", "thirteenth"),
    *("fourteenth", "fifteenth", "sixteenth", "quiet", "twentyfifth", "twentyseventh"),
)
"""Each written after weights were fitted to what stood here then; no weight is ever fitted to them."""
PLAIN, DOUBTED, SURE, NAME = -1.0, 0.5, 3.5, 2.3
"""See `DescriptorWeights`."""
_SMALLEST = 0.05
"""Weights nearer to nothing are left out of the file: together they change no sentence by more than a tenth."""
_LEAST_OF_WORDS = -0.5
_OF_HONEST_TOOLS = {"c:describing": -np.inf, "c:guard": -2.0, "c:withholding": -2.0}
"""Cues that speak for a tool, and how much they may take away: whoever writes poison can put a word of care beside it."""
_SEEN = 5
"""Definitions that a word must stand in."""
_TIMES_HARD = 2
"""How often an honest definition counts that was written to be hard: there are ten times as many others."""

Sentences = list[set[str]]
"""Of one definition: the features of each sentence."""
Row = dict[str, Any]


class Fit(NamedTuple):
    bias: float
    weights: dict[str, float]

    def weight(self, definition: Sentences) -> float:
        return max((self.bias + sum(self.weights.get(name, 0.0) for name in one) for one in definition), default=-20.0)


def spec_of(row: Row) -> ToolSpec:
    fields = {key: row[key] for key in ("title", "description", "input_schema", "output_schema") if key in row}
    return ToolSpec(name=row["tool"], tool=row["tool"], provider="p", **fields)


def poisoned() -> list[Row]:
    return [json.loads(line) for line in (DATA / "poisoned_descriptions.jsonl").read_text(encoding="utf-8").splitlines()]


def honest() -> list[Row]:
    rows: list[Row] = []
    for name in ("labelled_tools.jsonl.gz", "honest_tools.jsonl.gz"):
        with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
            rows += (row for row in map(json.loads, file) if "description" in row)
    return rows


def counted(definitions: Sequence[Sentences], rows: Sequence[Row]) -> list[Sentences]:
    """Honest definitions, each as often as it counts in a fit."""
    times = (_TIMES_HARD if row.get("why") == "hard" else 1 for row in rows)
    return [one for one, count in zip(definitions, times, strict=True) for _ in range(count)]


def generated() -> Iterator[Row]:
    """Poison of a grammar: many words in few sentence shapes, the same at each call."""
    grammar = json.loads((DATA / "poison_grammar.json").read_text(encoding="utf-8"))
    chance = random.Random(7)
    yield from ({"tool": name, "description": ""} for name in grammar["names"] * 3)
    for language, rounds in (("en", 12), ("ja", 10)):
        slots = grammar[language]["slots"]
        for order in grammar[language]["orders"] * rounds:
            text = f"{chance.choice(grammar['honest'])} {_filled(order, slots, chance)}".strip()
            yield {"tool": "helper", "description": text}
        for order in grammar[language]["argument_orders"] * rounds + grammar[language]["orders"] * 3:
            argument = {"type": "string", "description": _filled(order, slots, chance)}
            schema = {"type": "object", "properties": {chance.choice(grammar["arguments"]): argument}}
            yield {"tool": "helper", "description": chance.choice(grammar["honest"]), "input_schema": schema}


def generated_honest() -> Iterator[Row]:
    """Honest tools whose descriptions give orders that concern the tool itself."""
    grammar = json.loads((DATA / "poison_grammar.json").read_text(encoding="utf-8"))
    orders, slots = grammar["honest_orders"]["orders"], grammar["honest_orders"]["slots"]
    chance = random.Random(7)
    for order in orders * 6:
        said = {"description": f"{chance.choice(grammar['honest'])} {_filled(order, slots, chance)}".strip()}
        argument = {chance.choice(["content", "query", "text"]): {"type": "string", "description": _filled(order, slots, chance)}}
        yield {"server": "generated", "tool": "helper", **said, "input_schema": {"type": "object", "properties": argument}}
    yield from ({"server": "written", "tool": name, "description": text} for name, text in grammar["honest_tools"] * 2)


def _filled(order: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    text = re.sub(r"\{(\w+)\}", lambda found: chance.choice(slots["best" if found[1] == "cap" else found[1]]), order)
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


def featured(rows: Sequence[Row]) -> list[Sentences]:
    siblings: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        siblings[row.get("server", "")].add(row["tool"])
    return [_features(spec_of(row), siblings[row["server"]] if "server" in row else ()) for row in rows]


def _features(spec: ToolSpec, siblings: Collection[str]) -> Sentences:
    return [sentence_weights.features(sentence) for sentence in descriptors.weighed(spec, (), siblings)]


def fit(bad: Sequence[Sentences], good: Sequence[Sentences]) -> Fit:
    """Adam on the regularised likelihood, within `_least`."""
    seen = Counter(name for definition in (*bad, *good) for name in set().union(*definition))
    names = sorted(name for name, times in seen.items() if name[0] in "cdplnou" or times >= _SEEN)
    index = {name: at for at, name in enumerate(names)}
    strength = np.array(
        [{"c": 1.0, "d": 1.0, "l": 0.3, "n": 0.05, "o": 0.3, "p": 3.0, "u": 0.3}.get(name[0], 1.5) for name in names]
    )
    least = np.array([_least(name) for name in names])
    coded_bad = [[np.array([index[name] for name in one if name in index], dtype=np.int64) for one in each] for each in bad]
    coded_good = [np.array([index[name] for name in one if name in index], dtype=np.int64) for each in good for one in each]
    weights, bias = np.array([0.5 if name[:2] == "c:" else 0.0 for name in names]), -2.0
    weights[index["c:describing"]] = -0.5
    for _ in range(3):
        heaviest = [max(each, key=lambda one: weights[one].sum()) for each in coded_bad if each]
        weights, bias = _descend(heaviest, coded_good, weights, bias, strength, least)
    return Fit(float(bias), dict(zip(names, map(float, weights), strict=True)))


def _least(name: str) -> float:
    """Other cues and their number can only add, and no word or pair takes much away: the words of an honest tool must not outweigh an order."""
    if name in _OF_HONEST_TOOLS:
        return _OF_HONEST_TOOLS[name]
    if name[0] in "cdn":
        return 0.0
    return _LEAST_OF_WORDS if name[0] in "pwxbfj" else -np.inf


def _descend(bad: list[Any], good: list[Any], weights: Any, bias: float, strength: Any, least: Any) -> tuple[Any, float]:
    examples = bad + good
    at, row = np.concatenate(examples), np.repeat(np.arange(len(examples)), [len(one) for one in examples])
    wanted = np.r_[np.ones(len(bad)), np.zeros(len(good))]
    share = np.r_[np.full(len(bad), 4.0), np.ones(len(good))]
    first, second = np.zeros(len(weights) + 1), np.zeros(len(weights) + 1)
    for step in range(1, 61):
        logits = np.bincount(row, weights[at], len(examples)) + bias
        off = share * (1 / (1 + np.exp(-np.clip(logits, -30, 30))) - wanted)
        slope = np.r_[np.bincount(at, off[row], len(weights)) + strength * weights, off.sum()]
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        change = 0.15 * (1 - step / 75) * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-6)
        weights, bias = weights - change[:-1], bias - float(change[-1])
        weights = np.maximum(weights, least)
    return weights, bias


STYLES = (
    ("dev", "dev2", "third", "system_blocks", "multilingual"),
    ("test", "dev3", "write_ups", "advertising", "nineteenth"),
    ("first", "second", "domains", "languages", "twentieth", "contrast"),
    (
        "twentyfirst",
        "twentythird",
        "twentyfourth",
        "twentysixth",
        "fourth",
        "code_like",
        "docstrings",
        "one_liners",
        "dev4",
        "tenth",
        "on_topic",
        "statements",
        "published",
        "secrecy",
    ),
)
"""Batches that are left out together: each holds ways of writing that the others lack."""


def measure() -> None:
    """Fit four times, each without a quarter of the servers and of the batches of poison, and count at the threshold."""
    rows, good = honest(), featured(honest())
    made, polite, bad_rows = featured(list(generated())), featured(list(generated_honest())), poisoned()
    bad = featured(bad_rows)
    servers = sorted({row["server"] for row in rows})
    random.Random(5).shuffle(servers)
    flagged: dict[str, list[bool]] = defaultdict(list)
    for part, batches in enumerate(STYLES):
        apart = set(servers[part :: len(STYLES)])
        known = [one for one, row in zip(bad, bad_rows, strict=True) if row["split"] not in (*batches, *KEPT_APART)]
        left = [(one, row) for one, row in zip(good, rows, strict=True) if row["server"] not in apart]
        fitted = fit(known + made, polite + counted(*zip(*left, strict=True)))
        for one, row in zip(good, rows, strict=True):
            if row["server"] in apart:
                flagged[f"honest, {row['source']}"].append(fitted.weight(one) > DOUBTED)
                flagged["honest"].append(fitted.weight(one) > DOUBTED)
        for one, row in zip(bad, bad_rows, strict=True):
            if row["split"] in batches:
                flagged[f"poison, left out with its styles, {row['split']}"].append(fitted.weight(one) > DOUBTED)
    fitted = fit(
        [one for one, row in zip(bad, bad_rows, strict=True) if row["split"] not in KEPT_APART] + made,
        polite + counted(good, rows),
    )
    for one, row in zip(bad, bad_rows, strict=True):
        if row["split"] in KEPT_APART:
            flagged[f"poison, never fitted to, {row['split']}"].append(fitted.weight(one) > DOUBTED)
    for name, found in sorted(flagged.items()):
        sys.stdout.write(f"{name}: {100 * sum(found) / len(found):.1f} % of {len(found)}\n")


def common() -> list[str]:
    """The beginnings of words that a fifth of the honest servers use."""
    used: dict[str, set[str]] = defaultdict(set)
    rows = [row for row in honest() if row["source"] not in _WRITTEN]
    for row in rows:
        for _, text in descriptors.texts_of(spec_of(row)):
            for word in words_of(text):
                if len(word) > 3 and word.isascii() and word.isalpha():
                    used[sentence_weights.stem(word)].add(row["server"])
    servers = {row["server"] for row in rows}
    return sorted(word for word, by in used.items() if len(by) >= _COMMON * len(servers))


_COMMON = 0.2
_WRITTEN = frozenset(
    {"nineteenth", "twentieth", "twentyfirst", "twentythird", "twentyfourth", "twentysixth", "multilingual", "guarded"}
)
"""Sources written by hand: of each server there are one or two tools, too few to show which words a provider uses."""


def write() -> None:
    COMMON_WORDS.write_text(json.dumps(common(), indent=0) + "\n", encoding="utf-8")
    sentence_weights.common_words.cache_clear()
    known = featured([row for row in poisoned() if row["split"] not in KEPT_APART])
    fitted = fit(known + featured(list(generated())), featured(list(generated_honest())) + counted(featured(honest()), honest()))
    weights = {name: round(weight, 2) for name, weight in sorted(fitted.weights.items()) if abs(weight) >= _SMALLEST}
    content = {"bias": round(fitted.bias, 3), "plain": PLAIN, "doubted": DOUBTED, "sure": SURE, "name": NAME, "weights": weights}
    WEIGHTS.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(weights)} weights, {WEIGHTS.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    write() if "--write" in sys.argv else measure()
