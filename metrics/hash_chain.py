"""The hash chain of the journal.

    digest = H(key, body)          mac_n = H(key, mac_{n-1} · seq · run_id · key · type · at · tenant · job · digest)

H is HMAC-SHA-256. The digest stands for the body, so that a body can be erased for a person's sake and the chain still closes.
Without a secret key the chain shows accidents and careless edits only; a truncated end is told by an anchor kept elsewhere
(docs/report.md).
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

GENESIS = bytes(32)
"""What stands before the first row."""


LOST = bytes(16)
"""In place of the id of the key of before, where that key was lost when the key was changed."""


class ChainRow(NamedTuple):
    """One line of the journal as it is stored."""

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
    """A place in the chain: a row's number and mac. Written `12:ab34…`, it is the anchor that one keeps elsewhere."""

    seq: int
    mac: bytes

    def __str__(self) -> str:
        """The anchor as people copy it."""
        return f"{self.seq}:{self.mac.hex()}"

    @classmethod
    def parse(cls, text: str) -> "ChainLink":
        """Read an anchor; raises ValueError in one sentence."""
        seq, _, mac = text.strip().partition(":")
        try:
            link = cls(int(seq), bytes.fromhex(mac))
        except ValueError:
            link = cls(-1, b"")
        if link.seq < 0 or len(link.mac) != len(GENESIS):
            raise ValueError(f"anchor: {text!r} is not of the form NUMBER:64 hexadecimal digits")
        return link


class KeyChange(NamedTuple):
    """A place from which on another key is used. Its seal under that key vouches for all rows before it."""

    end: ChainLink
    """The last row of before."""
    key: bytes | None
    """The key of the rows up to there; None where it is not among ours, so that they cannot be checked one by one."""


class ChainFinding(NamedTuple):
    """Something that is not as it was written."""

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
    """Whether a secret key was used; without one a skilful edit cannot be told."""
    findings: tuple[ChainFinding, ...] = ()
    anchored: int = 0
    """The newest row that an anchor kept elsewhere agrees with; what was cut off after it cannot be told."""
    unchecked: int = 0
    """Rows under an earlier key that is not among ours."""
    past: int = 0
    """Anchors of rows that were cut off by the key's holder, and say nothing any more."""
    lost: int = 0
    """The last row of those that were sealed without a check, because their key was lost."""

    def plus(self, finding: ChainFinding) -> "Verification":
        """The same with one more finding."""
        return replace(self, findings=(finding, *self.findings))

    @property
    def intact(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def digest_of(key: bytes, body: str) -> bytes:
    """The digest that represents a body in the chain."""
    return _hmac(key, body.encode())


def mac_of(key: bytes, before: bytes, row: ChainRow) -> bytes:
    """The mac of a row that follows one with the mac `before`; of the row, all but the body and its own mac counts."""
    content = _write(row[:7])
    return _hmac(key, before + row.digest + content.encode())


def _hmac(key: bytes, content: bytes) -> bytes:
    begun = _keyed(key).copy()
    begun.update(content)
    return begun.digest()


@lru_cache(maxsize=4)
def _keyed(key: bytes) -> hmac.HMAC:
    """Begun with a key, which costs more than what follows: two are made of each event."""
    return hmac.new(key, digestmod=hashlib.sha256)


_write = json.JSONEncoder(ensure_ascii=True).encode  # what `json.dumps` calls, at each event


def seal_of(key: bytes, link: ChainLink, at: float) -> bytes:
    """The seal that proves that the key's holder made a cut after `link`."""
    return _hmac(key, b"cut" + link.mac + json.dumps([link.seq, at]).encode())


def id_of(key: bytes) -> bytes:
    """Give the name by which a change of keys refers to a key, without telling the key."""
    return _hmac(key, b"id")[:16]


def change_seal(key: bytes, end: ChainLink, before: bytes, at: float) -> bytes:
    """The seal that proves that the holder of the new `key` changed to it after `end`, from the key of the id `before`."""
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
    """Walk the chain from `start` (the last cut, or 0) and report every place where it does not close.

    `head`: where the log itself says it ends. `anchors`: places noted elsewhere, newer than the cut. `erasures`: run → the row
    that announces its erasure. `changes`: of the key, oldest first; `key` is that after the last.
    """
    findings: list[ChainFinding] = []
    noted = _by_row(anchors)
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
    if last != head:
        findings.append(ChainFinding(last.seq, "truncated", f"the log ends at {last.seq}, its head says {head.seq}"))
    if beyond := max((seq for seq in noted if seq > last.seq), default=0):
        findings.append(ChainFinding(beyond, "truncated", f"the log ends at {last.seq}, an anchor names row {beyond}"))
    if cut_short := max((change.end.seq for change in changes if change.end.seq > last.seq), default=0):
        problem = f"the log ends at {last.seq}, the key was changed after row {cut_short}"
        findings.append(ChainFinding(cut_short, "truncated", problem))
    return Verification(count, erased, last, bool(key), tuple(findings), anchored, unchecked, len(past) if key else 0)


def _by_row(anchors: Sequence[ChainLink]) -> dict[int, set[bytes]]:
    """The macs that were noted of each row: two of one row cannot both be right, and neither hides the other."""
    found: dict[int, set[bytes]] = {}
    for anchor in anchors:
        found.setdefault(anchor.seq, set()).add(anchor.mac)
    return found


def _against(noted: Mapping[int, set[bytes]], link: ChainLink) -> list[ChainFinding]:
    """A finding where an anchor of this row differs from it."""
    differs = noted.get(link.seq, set()) - {link.mac}
    return [ChainFinding(link.seq, "edited", "the row differs from the anchor kept elsewhere")] if differs else []


def _body_findings(key: bytes | None, row: ChainRow, erasures: Mapping[str, int]) -> list[ChainFinding]:
    if row.body is not None:
        differs = key is not None and digest_of(key, row.body) != row.digest
        return [ChainFinding(row.seq, "edited", f"{row.run_id} {row.key}: the body is not what was written")] if differs else []
    if erasures.get(row.run_id, 0) > row.seq:
        return []
    return [ChainFinding(row.seq, "erased", f"{row.run_id} {row.key}: the body is gone and no erasure is in the log")]
