"""Fits the shares of the ranking to public sets and measures it on each set with shares fitted to the others.

    python -m tests.bench.ranking_bench DIR

DIR holds checkouts of the repositories that `public_tool_sets` names; those that are not there are left out. It prints recall of today's
ranking by words, with meaning and with the English encoder, and of shares of the former two fitted to all families but the set's own. Sets that tell no licence are measured,
never fitted to.
"""

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import anyio
import numpy as np

from discovery.search import embeddings, search_index, word_scores
from discovery.search.ranked_text import plain_request, request_parts
from discovery.search.search_index import SearchIndex
from discovery.search.word_scores import summed
from tests.bench.public_tool_sets import ToolSet, read_sets
from tests.bench.search_bench import english, row

PARTS = ("whole", "nearest step", "best match", "coverage", "name", "provider", "English whole", "its nearest step")
FITTED = 6
"""So many of them: the share of the English encoder is one number, and was tried by hand."""
UNLICENSED = ("UltraTool", "ToolLens")
DEPTHS = (1, 5, 10, 50, 100)

Rows = list[tuple[Any, Any]]
"""Of each request: a matrix of tools and their parts, and which tools are wanted."""


def word_parts(one: ToolSet) -> list[SearchIndex]:
    """An index for each part of the words' share, in which only that part counts."""
    found = []
    for best, coverage, name, provider in np.eye(4):
        named = {"name": name, "provider": provider}
        with mock.patch.multiple(word_scores, BEST_SHARE=best, COVERAGE_SHARE=coverage, NAMED_SHARE=named):
            found.append(SearchIndex(one.specs))
    return found


def meaning_parts(encoder: embeddings.SentenceEncoder, one: ToolSet, request: str) -> list[Any]:
    """How near each tool is to the whole, and how much its nearest step stands out."""
    if not encoder.reads(request):
        return [np.zeros(len(one.specs))] * 2
    whole, *steps = (np.array(encoder.scores(one.specs, text)) for text in (plain_request(request), *request_parts(request)))
    return [whole, np.max([near - near.mean() for near in steps], axis=0) if steps else np.zeros(len(one.specs))]


def rows_of(one: ToolSet) -> Rows:
    encoder = embeddings.SentenceEncoder()
    anyio.run(encoder.prepare, one.specs)
    reads_english = english(one.specs, {})
    rows = []
    indexes = word_parts(one)
    for request, wanted in one.requests:
        parts = meaning_parts(encoder, one, request)
        for (best, coverage, *_), index in zip(np.eye(4), indexes, strict=True):
            with mock.patch.multiple(word_scores, BEST_SHARE=best, COVERAGE_SHARE=coverage):
                shares = summed(index._words.shares(request))
            parts.append(np.array([shares.get(at, 0.0) for at in range(len(one.specs))]))
        parts += meaning_parts(reads_english, one, request)
        rows.append((np.stack(parts, axis=1), np.array([spec.name in wanted for spec in one.specs])))
    return rows


def fitted(groups: Sequence[Rows]) -> Any:
    """Shares (never negative) that give the wanted tools the most weight among the first 150, each family counting the same."""
    start = np.array([1.0, 1.0, 0.4, 1.0, 0.4, 0.2])
    examples = []
    for rows in groups:
        for all_parts, wanted in rows:
            parts = all_parts[:, :FITTED]
            near = np.union1d(np.argsort(-(parts @ start))[:150], np.flatnonzero(wanted))
            examples.append((parts[near], wanted[near], 1 / len(rows)))
    spread = np.concatenate([parts for parts, _, _ in examples]).std(axis=0)
    shares = np.ones_like(start)
    for _ in range(600):
        slope = np.zeros_like(shares)
        for parts, wanted, weight in examples:
            scores = parts @ (shares / spread)
            chances = np.exp(scores - scores.max())
            slope += weight * (chances @ parts / chances.sum() - parts[wanted].mean(axis=0)) / spread
        shares = np.maximum(0.0, shares - 0.2 * slope / len(groups))
    shares = shares / spread
    return shares / shares[0]


def recalls(rows: Rows, shares: Any) -> list[float]:
    found = []
    for parts, wanted in rows:
        order = np.argsort(-(parts[:, : len(shares)] @ shares), kind="stable")
        found.append([wanted[order[:depth]].sum() / wanted.sum() for depth in DEPTHS])
    return [100 * float(mean) for mean in np.mean(found, axis=0)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    sets = read_sets(parser.parse_args().folder)
    rows = {one.name: rows_of(one) for one in sets}
    named = word_scores.NAMED_SHARE
    today = np.array([1.0, 1.0, word_scores.BEST_SHARE, word_scores.COVERAGE_SHARE, named["name"], named["provider"]])
    rankings = {"BM25": np.eye(6)[2], "words": today * [0, 0, 1, 1, 1, 1], "meaning": np.eye(6)[0], "words and meaning": today}
    rankings["and the English encoder"] = np.concatenate([today, [search_index.ENGLISH_SHARE] * 2])
    row("", [f"R@{depth}" for depth in DEPTHS])
    for one in sets:
        for name, shares in rankings.items():
            row(f"{one.name} ({len(one.specs)}, {len(one.requests)}): {name}", recalls(rows[one.name], shares))
        others = [other for other in sets if other.family != one.family and other.family not in UNLICENSED]
        groups = [
            list(itertools.chain.from_iterable(rows[other.name] for other in found))
            for _, found in itertools.groupby(others, key=lambda other: other.family)
        ]
        if groups:
            shares = fitted(groups)
            row(f"{one.name}: fitted to the others", recalls(rows[one.name], shares))
            row("", [f"{share:.2f}" for share in shares])


if __name__ == "__main__":
    main()
