"""Anchors of the log in a file outside of the database: what somebody does to log or file is found, or told that it could not be."""

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.records import anchor_file
from autonomy.durable.records.anchor_file import AnchorFile, anchor_file_of
from metrics import metrics_tables
from metrics.hash_chain import GENESIS, ChainLink, seal_of
from metrics.journal import Journal
from tests.metrics.story import MONDAY, diary
from tests.metrics.test_journal import DAY_S, KEY, tamper
from tests.requirements import requirement

EMPTY = ("DELETE FROM metrics_events", f"UPDATE metrics_head SET seq = 0, mac = x'{GENESIS.hex()}'")
TAIL = (
    "DELETE FROM metrics_events WHERE seq > 5",
    "UPDATE metrics_head SET seq = 5, mac = (SELECT mac FROM metrics_events WHERE seq = 5)",
)


class Installation:
    """A log with its anchors, and what an attacker without the key does to them."""

    def __init__(self, folder: Path, key: bytes | None, *, required: bool = False) -> None:
        folder.mkdir()
        self.engine = sa.create_engine(f"sqlite:///{folder / 'jiritsu.db'}")
        metrics_tables.metadata.create_all(self.engine)
        self.anchors = AnchorFile(anchor_file_of(self.engine.url, folder), required=required, clock=lambda: MONDAY)
        self.journal = Journal(self.engine, key=key, clock=lambda: MONDAY + DAY_S, anchors=self.anchors)

    async def runs(self, *names: str) -> None:
        for name in names:
            await self.journal.write(diary(name).events)

    async def tampered(self, *statements: str) -> None:
        await anyio.to_thread.run_sync(lambda: tamper(self.engine, *statements))

    async def kinds(self) -> list[str]:
        return [finding.kind for finding in (await self.journal.verify()).findings]

    async def rewritten(self, *names: str) -> None:
        """The whole log anew, by somebody without the key and without the file."""
        await self.tampered(*EMPTY)
        other = Journal(self.engine, clock=lambda: MONDAY)
        for name in names:
            await other.write(diary(name).events)


@pytest.fixture(params=[KEY, None], ids=["with a key", "without a key"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path / "a", request.param)
    yield made
    made.engine.dispose()


@pytest.fixture
def blocked_loop(unguarded_loop: None) -> None:
    """Files of the test itself are read on its loop."""


@requirement("K9", "S5")
async def test_each_run_that_ends_leaves_an_anchor_that_only_its_owner_reads(place: Installation) -> None:
    await place.runs("a", "b")
    checked = await place.journal.verify()
    assert (checked.intact, checked.anchored, checked.head.seq) == (True, checked.rows, checked.rows)
    rows = [link.seq for link in place.anchors.noted() or ()]
    assert rows == [0, checked.rows // 2, checked.rows], "the beginning is noted, too"
    assert place.anchors.file.stat().st_mode & 0o777 == 0o600
    await place.journal.write(diary("b").events)  # played again: nothing is new, and nothing else is noted of it
    assert (await place.journal.verify()).intact


@requirement("K9", "S5")
@pytest.mark.parametrize("statements", [TAIL, EMPTY], ids=["the tail", "all of it"])
async def test_what_was_cut_off_together_with_the_head_is_found_though_nobody_noted_anything(
    place: Installation, statements: tuple[str, ...]
) -> None:
    await place.runs("a")
    await place.tampered(*statements)
    assert await place.kinds() == ["truncated"]


@requirement("K9", "S5")
@pytest.mark.parametrize("names", [("x",), ("x", "y", "z")], ids=["as long", "longer"])
async def test_a_log_that_was_written_anew_is_found(place: Installation, names: tuple[str, ...]) -> None:
    await place.runs("a")
    await place.rewritten(*names)
    assert "edited" in await place.kinds()


@requirement("K9", "S5")
async def test_a_forged_cut_behind_the_anchors_hides_nothing(place: Installation) -> None:
    await place.runs("a")
    await place.rewritten("x", "y")
    end = await place.journal.anchor()
    seal = seal_of(b"", end, 0.0)
    forged = f"INSERT INTO metrics_cuts (seq, mac, at, seal) VALUES ({end.seq}, x'{end.mac.hex()}', 0, x'{seal.hex()}')"
    await place.tampered(forged, "DELETE FROM metrics_events")
    assert {"unproven_cut", "unsealed_cut"} & set(await place.kinds())


@requirement("K9", "S5")
@pytest.mark.parametrize("pruned", [False, True], ids=["never cut", "cut before by its owner"])
async def test_a_forged_cut_at_the_very_row_of_an_anchor_or_before_all_of_them_is_found(
    place: Installation, pruned: bool
) -> None:
    await place.runs("a")
    if pruned:
        await place.journal.write(diary("old", at=MONDAY + DAY_S).events)
        await place.journal.prune(MONDAY + DAY_S)
    await place.journal.write(diary("new", at=MONDAY + 2 * DAY_S).events)
    row = (await place.journal.anchor()).seq - 5
    for cut in (row, row + 5):
        (link,) = await place.journal.rows(after=cut - 1, limit=1)
        seal = seal_of(b"", ChainLink(cut, link.mac), 0.0)
        forged = f"INSERT INTO metrics_cuts (seq, mac, at, seal) VALUES ({cut}, x'{link.mac.hex()}', 0, x'{seal.hex()}')"
        await place.tampered(forged, f"DELETE FROM metrics_events WHERE seq <= {cut}")
        assert {"unproven_cut", "unsealed_cut"} & set(await place.kinds())


@requirement("K9", "S5")
async def test_the_anchors_of_another_installation_do_not_fit(place: Installation, tmp_path: Path) -> None:
    other = Installation(tmp_path / "b", KEY)
    await place.runs("a")
    await other.runs("x", "y")
    first, second = place.anchors.file.read_bytes(), other.anchors.file.read_bytes()
    place.anchors.file.write_bytes(second)
    other.anchors.file.write_bytes(first)
    assert {"edited", "truncated"} & set(await place.kinds())
    assert await other.kinds() == ["edited"]
    other.engine.dispose()


@requirement("K9", "S5")
async def test_an_anchor_beside_a_true_one_of_the_same_row_does_not_hide_it(place: Installation) -> None:
    await place.runs("a")
    true = await place.journal.anchor()
    await place.rewritten("x")
    theirs = await place.journal.anchor()
    place.anchors.file.unlink()
    found = await place.journal.verify([true, theirs._replace(seq=true.seq)])
    assert "edited" in {finding.kind for finding in found.findings}


@requirement("K9", "S5")
async def test_an_older_file_of_anchors_says_up_to_which_row_it_speaks(place: Installation) -> None:
    await place.runs("a")
    older, rows = place.anchors.file.read_bytes(), (await place.journal.verify()).rows
    await place.runs("b")
    place.anchors.file.write_bytes(older)
    checked = await place.journal.verify()
    assert (checked.intact, checked.anchored, checked.head.seq) == (True, rows, 2 * rows)
    await place.tampered(*TAIL)
    assert await place.kinds() == ["truncated"], "what it speaks of is still found"


@requirement("K9", "S5")
async def test_a_file_that_is_gone_is_found_where_the_operator_named_it_and_else_told(tmp_path: Path) -> None:
    named, usual = Installation(tmp_path / "a", KEY, required=True), Installation(tmp_path / "b", KEY)
    assert (await named.journal.verify()).intact, "before the first run there is none"
    for place in (named, usual):
        await place.runs("a")
        place.anchors.file.unlink()
    assert await named.kinds() == ["no_anchor"]
    named.anchors.file.touch()
    assert await named.kinds() == ["no_anchor"], "an emptied one is as good as gone"
    checked = await usual.journal.verify()
    assert (checked.intact, checked.anchored) == (True, 0)
    named.engine.dispose()
    usual.engine.dispose()


@requirement("K9", "S5")
@pytest.mark.parametrize("content", [b"nothing\n", b"5:zz\n", b"\xff\xfe\x00", b"-1:" + b"00" * 32])
async def test_a_file_that_is_no_list_of_anchors_is_found(place: Installation, content: bytes) -> None:
    await place.runs("a")
    place.anchors.file.write_bytes(content)
    assert await place.kinds() == ["no_anchor"]


async def test_pruning_erasing_and_going_on_leave_it_intact(place: Installation) -> None:
    await place.runs("a")
    await place.journal.write(diary("new", at=MONDAY + DAY_S).events)
    await place.journal.erase("a", by="admin", reason="asked to")
    assert await place.journal.prune(MONDAY + DAY_S) > 0
    checked = await place.journal.verify()
    assert (checked.intact, checked.anchored) == (True, checked.head.seq)
    await place.journal.prune(MONDAY + 9 * DAY_S)
    await place.runs("b")
    assert (await place.journal.verify()).intact


async def test_an_anchor_older_than_a_cut_by_the_keys_holder_says_nothing_and_without_a_key_is_doubted(
    place: Installation,
) -> None:
    await place.runs("a")
    old = await place.journal.anchor()
    await place.runs("b")
    await place.journal.prune(MONDAY + 9 * DAY_S)
    checked = await place.journal.verify([old])
    told: tuple[bool, int] = (checked.intact, checked.past)
    assert told == ((True, 1) if checked.keyed else (False, 0))


async def test_a_file_that_cannot_be_written_harms_no_run_and_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    place = Installation(tmp_path / "a", KEY)
    place.anchors.file.mkdir()
    await place.runs("a")
    assert "the anchor of the log cannot be noted" in caplog.text
    assert await place.kinds() == ["no_anchor"]
    place.engine.dispose()


def test_a_file_that_has_grown_long_keeps_its_newest_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchor_file, "MOST_BYTES", 3_000)
    monkeypatch.setattr(anchor_file, "KEPT", 10)
    kept = AnchorFile(tmp_path / "x.anchors")
    for number in range(1, 101):
        kept.note(ChainLink(number, bytes(32)))
    noted = kept.noted()
    assert noted is not None
    assert (noted[0].seq, noted[-1].seq) == (1, 100)
    assert len(noted) < 50
    assert kept.file.stat().st_mode & 0o777 == 0o600
    kept.forget(98)
    assert [link.seq for link in kept.noted() or ()] == [98, 99, 100]


def test_a_line_that_another_process_adds_while_the_file_is_put_in_order_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, other, opened = AnchorFile(tmp_path / "x.anchors"), AnchorFile(tmp_path / "x.anchors"), threading.Event()
    for number in (1, 2, 3):
        kept.note(ChainLink(number, bytes(32)))
    late = threading.Thread(target=lambda: other.note(ChainLink(4, bytes(32))))

    def opening() -> int:
        descriptor = AnchorFile._opened(other)
        opened.set()
        return descriptor

    def keeping(lines: list[str]) -> None:
        late.start()
        assert opened.wait(60)
        AnchorFile._keep(kept, lines)

    monkeypatch.setattr(other, "_opened", opening)
    monkeypatch.setattr(kept, "_keep", keeping)
    kept.forget(2)
    late.join(60)
    assert [link.seq for link in kept.noted() or ()] == [2, 3, 4]


def test_a_line_is_noted_also_where_the_file_system_has_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(fcntl, "flock", refuse)
    kept = AnchorFile(tmp_path / "x.anchors")
    kept.note(ChainLink(1, bytes(32)))
    assert [link.seq for link in kept.noted() or ()] == [1]


def test_a_disk_that_takes_a_part_of_a_line_leaves_the_lines_before_and_after_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept, write = AnchorFile(tmp_path / "x.anchors"), os.write
    kept.note(ChainLink(1, bytes(32)))
    monkeypatch.setattr(os, "write", lambda descriptor, line: write(descriptor, line[:10]))
    kept.note(ChainLink(2, bytes(32)))
    assert "cannot be noted" in caplog.text
    monkeypatch.undo()
    kept.note(ChainLink(3, bytes(32)))
    assert [link.seq for link in kept.noted() or ()] == [1, 3]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////data/jiritsu.db", "/data/jiritsu.db.anchors"),
        ("postgresql+psycopg://me:secret@db.example:5433/jiritsu", "/home/db.example-5433-jiritsu.anchors"),
        ("postgresql:///a%2Fb", "/home/a_b.anchors"),
    ],
)
def test_each_database_has_a_file_of_its_own_without_its_password(url: str, name: str) -> None:
    assert str(anchor_file_of(sa.make_url(url), Path("/home"))) == name
