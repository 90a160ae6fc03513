"""Computes and verifies the hash chain of the journal.

    digest = H(key, body)          mac_n = H(key, mac_{n-1} · seq · run_id · key · type · at · tenant · job · digest)

H is HMAC-SHA-256. A body is represented by its digest, so that it can be erased and the chain stays valid. Without a secret key
the chain only reveals accidents and careless edits. A truncated end is revealed by an anchor that is kept elsewhere
(docs/report.md).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

GENESIS = bytes(32)
"""The mac before the first row."""


LOST = bytes(16)
"""Replaces the id of the earlier key if that key was lost when the key was changed."""


class ChainRow(NamedTuple):
    """One stored row of the journal."""

    seq: int
    run_id: str
    key: str
    type: str
    at: float
    tenant: str
    job: str
    body: str | None
    digest: bytes
    mac: bytes


class ChainLink(NamedTuple):
    """A position in the chain: a row's number and mac. Written as `12:ab34…`, it is an anchor to be kept elsewhere."""

    seq: int
    mac: bytes

    def __str__(self) -> str:
        """The anchor as people copy it."""
        return f"{self.seq}:{self.mac.hex()}"

    @classmethod
    def parse(cls, text: str) -> "ChainLink":
        """Parse an anchor. Raises ValueError with a sentence for the operator."""
        seq, _, mac = text.strip().partition(":")
        try:
            link = cls(int(seq), bytes.fromhex(mac))
        except ValueError:
            link = cls(-1, b"")
        if link.seq < 0 or len(link.mac) != len(GENESIS):
            raise ValueError(f"anchor: {text!r} is not of the form NUMBER:64 hexadecimal digits")
        return link


class KeyChange(NamedTuple):
    """A change of the key. Its seal under the new key vouches for all rows before it."""

    end: ChainLink
    """The last row under the earlier key."""
    key: bytes | None
    """The earlier key; None if it is unknown, so that its rows cannot be checked one by one."""


class ChainFinding(NamedTuple):
    """A place where the journal is not as it was written."""

    seq: int
    kind: Literal[
        "edited", "missing", "truncated", "erased", "unsealed_cut", "unproven_cut", "no_anchor", "other_key", "unknown_key"
    ]
    detail: str


@dataclass(frozen=True)
class Verification:
    """The result of a check of the whole journal."""

    rows: int
    erased: int
    """Bodies removed by an erasure that is itself in the log."""
    head: ChainLink
    keyed: bool
    """Whether a secret key was used; without one, skilful edits cannot be detected."""
    findings: tuple[ChainFinding, ...] = ()
    anchored: int = 0
    """The newest row that matches an anchor kept elsewhere; a truncation after it cannot be detected."""
    unchecked: int = 0
    """Rows under an earlier, unknown key."""
    past: int = 0
    """Anchors of rows that were cut off by the key's holder; they prove nothing any more."""
    lost: int = 0
    """The last row of those that were sealed without a check, because their key was lost."""

    def plus(self, finding: ChainFinding) -> "Verification":
        """Return a copy with one more finding."""
        return replace(self, findings=(finding, *self.findings))

    @property
    def intact(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def digest_of(key: bytes, body: str) -> bytes:
    """Return the digest that represents a body in the chain."""
    return _hmac(key, body.encode())


def mac_of(key: bytes, before: bytes, row: ChainRow) -> bytes:
    """Return the mac of a row after one with the mac `before`; it covers the row without its body and its own mac."""
    return _hmac(key, before + row.digest + _write(row[:7]).encode())


def _hmac(key: bytes, content: bytes) -> bytes:
    inner, outer = _keyed(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(content)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=4)
def _keyed(key: bytes) -> "tuple[hashlib._Hash, hashlib._Hash]":
    """Return the inner and the outer hash of HMAC-SHA-256 (RFC 2104) after they have taken the key.

    That is most of the work, and needed twice for each event; a copy of `hmac.HMAC` takes twice as long as these.
    """
    padded = (key if len(key) <= BLOCK_BYTES else hashlib.sha256(key).digest()).ljust(BLOCK_BYTES, b"\0")
    return hashlib.sha256(bytes(byte ^ 0x36 for byte in padded)), hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))


BLOCK_BYTES = 64
"""Of SHA-256."""
_write = json.JSONEncoder(ensure_ascii=True).encode  # as `json.dumps`, without making an encoder for each event


def seal_of(key: bytes, link: ChainLink, at: float) -> bytes:
    """Return the seal which proves that the key's holder made a cut after `link`."""
    return _hmac(key, b"cut" + link.mac + json.dumps([link.seq, at]).encode())


def id_of(key: bytes) -> bytes:
    """Return the id by which a change of keys refers to a key, without revealing the key."""
    return _hmac(key, b"id")[:16]


def change_seal(key: bytes, end: ChainLink, before: bytes, at: float) -> bytes:
    """Return the seal which proves that the holder of the new `key` changed to it after `end`, from the key with the id
    `before`."""
    return _hmac(key, b"key" + end.mac + before + json.dumps([end.seq, at]).encode())


def verify(
    key: bytes,
    rows: Iterable[ChainRow],
    start: ChainLink,
    head: ChainLink,
    anchors: Sequence[ChainLink],
    erasures: Mapping[str, int],
    changes: Sequence[KeyChange] = (),
) -> Verification:
    """Walk the chain from `start` (the last cut, or 0) and report every place where it is broken.

    `head` is the end according to the log itself. `anchors` are positions that were noted elsewhere. `erasures` maps a run to the
    row that announces its erasure. `changes` are those of the key, oldest first; `key` is the key after the last one.
    """
    findings: list[ChainFinding] = []
    noted: dict[int, set[bytes]] = {}  # two macs of one row cannot both be right, and neither hides the other
    for anchor in anchors:
        noted.setdefault(anchor.seq, set()).add(anchor.mac)
    past = [seq for seq in noted if seq < start.seq]
    if past and not key:
        problem = f"the rows up to {start.seq} were cut off, an anchor names row {max(past)}, and no key proves by whom"
        findings.append(ChainFinding(start.seq, "unproven_cut", problem))
    findings += _against(noted, start)
    last, count, erased, unchecked, anchored = start, 0, 0, 0, start.seq if start.seq in noted else 0
    for row in rows:
        count += 1
        its_key = next((change.key for change in changes if row.seq <= change.end.seq), key)
        unchecked += its_key is None
        if row.seq != last.seq + 1:
            findings.append(ChainFinding(last.seq + 1, "missing", f"rows {last.seq + 1} to {row.seq - 1} are gone"))
        elif its_key is not None and mac_of(its_key, last.mac, row) != row.mac:
            findings.append(
                ChainFinding(row.seq, "edited", f"{row.run_id} {row.key}: the row does not follow from the one before it")
            )
        elif any(change.end.seq == row.seq and change.end.mac != row.mac for change in changes):
            findings.append(ChainFinding(row.seq, "edited", "the row differs from the one after which the key was changed"))
        findings += _body_findings(its_key, row, erasures)
        erased += row.body is None
        last = ChainLink(row.seq, row.mac)
        if differs := _against(noted, last):
            findings += differs
        elif last.seq in noted:
            anchored = last.seq
    findings += _truncations(last, head, noted, changes)
    return Verification(count, erased, last, bool(key), tuple(findings), anchored, unchecked, len(past) if key else 0)


def _truncations(
    last: ChainLink, head: ChainLink, noted: Mapping[int, set[bytes]], changes: Sequence[KeyChange]
) -> Iterator[ChainFinding]:
    """Yield a finding for each sign that the rows after the last one were cut off."""
    if last != head:
        yield ChainFinding(last.seq, "truncated", f"the log ends at {last.seq}, its head says {head.seq}")
    if beyond := max((seq for seq in noted if seq > last.seq), default=0):
        yield ChainFinding(beyond, "truncated", f"the log ends at {last.seq}, an anchor names row {beyond}")
    if cut_short := max((change.end.seq for change in changes if change.end.seq > last.seq), default=0):
        problem = f"the log ends at {last.seq}, the key was changed after row {cut_short}"
        yield ChainFinding(cut_short, "truncated", problem)


def _against(noted: Mapping[int, set[bytes]], link: ChainLink) -> list[ChainFinding]:
    """Return a finding if an anchor of this row differs from it."""
    differs = noted.get(link.seq, set()) - {link.mac}
    return [ChainFinding(link.seq, "edited", "the row differs from the anchor kept elsewhere")] if differs else []


def _body_findings(key: bytes | None, row: ChainRow, erasures: Mapping[str, int]) -> list[ChainFinding]:
    if row.body is not None:
        differs = key is not None and digest_of(key, row.body) != row.digest
        return [ChainFinding(row.seq, "edited", f"{row.run_id} {row.key}: the body is not what was written")] if differs else []
    if erasures.get(row.run_id, 0) > row.seq:
        return []
    return [ChainFinding(row.seq, "erased", f"{row.run_id} {row.key}: the body is gone and no erasure is in the log")]
