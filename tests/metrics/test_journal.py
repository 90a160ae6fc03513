"""The journal: what was written stays, once and in order, and every change of it can be told."""

import logging
from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.database import migrate, open_engine
from autonomy.durable.records.anchor_file import AnchorFile
from autonomy.errors import StoreError
from autonomy.stores import METRICS
from discovery.text.redaction import redact
from metrics import metrics_tables
from metrics.events import FeedbackGiven, Judged, LimitReached, RecordErased
from metrics.hash_chain import GENESIS, ChainLink, change_seal, id_of
from metrics.journal import NO_KEY, Journal
from metrics.measures import measure
from metrics.run_facts import UNREAD
from tests.metrics.story import MONDAY, Story, diary
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.postgres import NEEDED, Server

KEY = b"a secret of thirty-two bytes....."
DAY_S = 86_400.0


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    metrics_tables.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def journal(engine: sa.Engine) -> Journal:
    return Journal(engine, key=KEY, clock=lambda: MONDAY + DAY_S)


def tamper(engine: sa.Engine, *statements: str) -> None:
    """What someone with the database file and no key can do."""
    with engine.begin() as connection:
        for name in ("metrics_events_keep", "metrics_events_fixed"):
            connection.execute(sa.text(f"DROP TRIGGER IF EXISTS {name}"))
        for statement in statements:
            connection.execute(sa.text(statement))


async def test_events_come_back_as_they_were_written(journal: Journal) -> None:
    events = diary().events
    await journal.write(events[:5])
    await journal.write(events[5:])
    assert await journal.read() == tuple(events)


async def test_an_event_written_twice_stands_once(journal: Journal) -> None:
    events = diary().events
    await journal.write(events)
    await journal.write([*events, *events])
    assert await journal.read() == tuple(events)
    assert (await journal.verify()).rows == len(events)


@pytest.fixture
def in_postgres(postgres_server: Server) -> Iterator[Journal]:
    made = open_engine(postgres_server.create("journal"))
    migrate(made, [METRICS])
    yield Journal(made)
    made.dispose()


@pytest.mark.postgres
@NEEDED
async def test_a_run_that_is_told_again_to_postgresql_warns_of_nothing(
    in_postgres: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    events = [event for number in range(40) for event in diary(f"run-{number}").events]  # the server answers before all are sent
    limit = LimitReached(
        run_id="run-\"0'\\", key="🙂", at=1.1e9 + 1 / 3, tenant="t", job="", limit='"\x00\\u0000\n\u2028雨" is reached'
    )
    events.insert(1, limit)
    await in_postgres.write(events[:-1])
    with caplog.at_level(logging.DEBUG, "psycopg"):
        await in_postgres.write(events)
    assert await in_postgres.read() == tuple(events)
    assert (await in_postgres.verify()).intact
    assert not caplog.records


async def test_the_first_writing_of_an_event_stands(journal: Journal) -> None:
    event = diary().events[0]
    await journal.write([event])
    await journal.write([event.model_copy(update={"at": event.at + 60})])
    assert await journal.read() == (event,)


async def test_it_is_read_by_run_job_tenant_and_time(journal: Journal) -> None:
    await journal.write(diary("a").events)
    await journal.write(diary("b", job="hr", tenant="acme", at=MONDAY + DAY_S).events)
    for wanted in ({"run_id": "b"}, {"job": "hr"}, {"tenant": "acme"}, {"since": MONDAY + DAY_S}):
        assert {event.run_id for event in await journal.read(**wanted)} == {"b"}
    assert {event.run_id for event in await journal.read(until=MONDAY + DAY_S)} == {"a"}
    assert await journal.read(since=MONDAY + 1, until=MONDAY + 1) == ()


async def test_a_report_gets_whole_runs_of_the_period_they_began_in(journal: Journal) -> None:
    late = diary("late", at=MONDAY + DAY_S - 1)
    await journal.write(diary("early").events)
    await journal.write(late.events)
    assert late.events[-1].at > MONDAY + DAY_S
    measures = await journal.scan(measure, since=MONDAY + 1, until=MONDAY + DAY_S, whole_runs=True)
    assert [run.facts.run_id for run in measures.runs] == ["late"]
    assert measures.runs[0].facts.completed


async def test_what_no_measure_reads_need_not_be_read(journal: Journal) -> None:
    asked = (
        Story("asked")
        .start()
        .turn()
        .call("esa_create_post", effect="outward", decision="ask", rule="data flow", answer="granted")
    )
    await journal.write([*diary("plain").events, *asked.finish().events])
    read = await journal.scan(tuple, without=UNREAD)
    assert {event.type for event in read}.isdisjoint({"turn_started", "call_started"})
    assert [event.run_id for event in read if event.type == "call_decided"] == ["asked"]


async def test_a_jobs_runs_come_with_what_people_said_of_them_elsewhere(journal: Journal) -> None:
    told = diary("run-1", job="hr").events
    vote = FeedbackGiven(run_id="run-1", key="feedback/U1", at=MONDAY + 60, by="U1", good=False)
    await journal.write([*told, vote, *diary("other").events])
    measures = await journal.scan(measure, job="hr", since=MONDAY, until=MONDAY + 60, whole_runs=True)
    assert [(run.facts.run_id, run.facts.words) for run in measures.runs] == [("run-1", (False,))]


async def test_writers_at_once_keep_one_chain(engine: sa.Engine) -> None:
    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(Journal(engine, key=KEY).write, diary(f"run-{number}").events)
    checked = await Journal(engine, key=KEY).verify()
    assert (checked.intact, checked.rows) == (True, 8 * len(diary().events))


class TestVerification:
    @pytest.fixture(autouse=True)
    async def written(self, journal: Journal) -> None:
        await journal.write(diary().events)

    @requirement("S5")
    async def test_an_untouched_journal_is_intact(self, journal: Journal) -> None:
        checked = await journal.verify([await journal.anchor()])
        assert (checked.intact, checked.keyed, checked.head) == (True, True, await journal.anchor())

    @requirement("S5")
    @pytest.mark.parametrize(
        ("statement", "kind"),
        [
            ("UPDATE metrics_events SET body = replace(body, 'slack', 'other') WHERE seq = 5", "edited"),
            ("UPDATE metrics_events SET at = at + 1 WHERE seq = 5", "edited"),
            ("UPDATE metrics_events SET tenant = 'acme' WHERE seq = 5", "edited"),
            ("UPDATE metrics_events SET body = NULL WHERE seq = 5", "erased"),
            ("DELETE FROM metrics_events WHERE seq = 5", "missing"),
            ("DELETE FROM metrics_events WHERE seq <= 5", "missing"),
            ("DELETE FROM metrics_events WHERE seq > 5", "truncated"),
        ],
    )
    async def test_a_change_is_found_where_it_is(self, journal: Journal, engine: sa.Engine, statement: str, kind: str) -> None:
        tamper(engine, statement)
        checked = await journal.verify()
        assert [finding.kind for finding in checked.findings][:1] == [kind]
        assert checked.findings[0].seq in {1, 5}

    @requirement("S5")
    async def test_a_truncation_with_a_forged_head_is_found_by_an_anchor_kept_elsewhere(
        self, journal: Journal, engine: sa.Engine
    ) -> None:
        anchor = ChainLink.parse(str(await journal.anchor()))
        forged = "UPDATE metrics_head SET seq = 5, mac = (SELECT mac FROM metrics_events WHERE seq = 5)"
        tamper(engine, "DELETE FROM metrics_events WHERE seq > 5", forged)
        assert (await journal.verify()).intact
        assert [finding.kind for finding in (await journal.verify([anchor])).findings] == ["truncated"]

    @requirement("K9", "S5")
    async def test_a_log_that_was_emptied_together_with_its_head_is_found_by_an_anchor(
        self, journal: Journal, engine: sa.Engine
    ) -> None:
        anchor = await journal.anchor()
        tamper(engine, "DELETE FROM metrics_events", f"UPDATE metrics_head SET seq = 0, mac = x'{GENESIS.hex()}'")
        assert (await journal.verify()).intact, "nothing in the database says that there was more"
        assert [finding.kind for finding in (await journal.verify([anchor])).findings] == ["truncated"]

    @requirement("K9", "S5")
    @pytest.mark.parametrize("after", [0, 1], ids=["as long as it was", "longer"])
    async def test_a_log_rewritten_from_the_start_without_the_key_is_found(
        self, journal: Journal, engine: sa.Engine, after: int
    ) -> None:
        anchor, rows = await journal.anchor(), len(await journal.rows())
        tamper(engine, "DELETE FROM metrics_events", f"UPDATE metrics_head SET seq = 0, mac = x'{GENESIS.hex()}'")
        other = Journal(engine, clock=lambda: MONDAY)
        await other.write([*diary("another").events, *diary("more").events][: rows + after])
        assert (await other.verify()).intact, "without a key the chain closes"
        assert not (await journal.verify()).intact
        assert not (await other.verify([anchor])).intact, "an anchor kept elsewhere finds it even where no key was ever set"

    async def test_two_rows_that_changed_places_are_found(self, journal: Journal, engine: sa.Engine) -> None:
        swap = "UPDATE metrics_events SET seq = CASE seq WHEN {0} THEN {1} ELSE {2} END WHERE seq IN ({0}, {3})"
        tamper(engine, swap.format(5, -6, -5, 6), "UPDATE metrics_events SET seq = -seq WHERE seq < 0")
        assert not (await journal.verify()).intact

    async def test_another_key_does_not_fit(self, engine: sa.Engine) -> None:
        assert not (await Journal(engine, key=b"another").verify()).intact

    @pytest.mark.parametrize("statement", ["DELETE FROM metrics_events", "UPDATE metrics_events SET at = 0"])
    async def test_the_database_itself_refuses_changes(self, engine: sa.Engine, statement: str) -> None:
        with pytest.raises(sa.exc.IntegrityError, match="append-only"), engine.begin() as connection:
            connection.execute(sa.text(statement))


@requirement("S5")
async def test_a_persons_data_can_be_erased_and_the_chain_still_closes(journal: Journal) -> None:
    await journal.write(diary("a").events)
    await journal.write(diary("b").events)
    assert await journal.erase("a", by="admin", reason="request of the person") == len(diary().events)
    assert {event.run_id for event in await journal.read(job="diary")} == {"b"}
    (note,) = await journal.read(run_id="a")
    assert isinstance(note, RecordErased)
    assert (note.by, note.events) == ("admin", len(diary().events))
    checked = await journal.verify()
    assert (checked.intact, checked.erased) == (True, len(diary().events))
    assert await journal.erase("a", by="admin", reason="again") == 0


async def test_old_rows_are_pruned_and_the_rest_still_verifies(journal: Journal, engine: sa.Engine) -> None:
    await journal.write(diary("old").events)
    await journal.write(diary("new", at=MONDAY + DAY_S).events)
    assert await journal.prune(MONDAY + DAY_S) == len(diary().events)
    assert {event.run_id for event in await journal.read()} == {"new"}
    assert (await journal.verify()).intact
    assert await journal.prune(MONDAY + DAY_S) == 0
    await journal.write(diary("newer", at=MONDAY + 2 * DAY_S).events)
    assert (await journal.verify()).intact


async def test_pruning_all_leaves_a_chain_that_goes_on(journal: Journal) -> None:
    await journal.write(diary("a").events)
    await journal.prune(MONDAY + DAY_S)
    await journal.write(diary("b").events)
    checked = await journal.verify()
    assert (checked.intact, checked.rows) == (True, len(diary().events))


async def test_a_cut_made_without_the_key_is_found(journal: Journal, engine: sa.Engine) -> None:
    await journal.write(diary().events)
    cut = "INSERT INTO metrics_cuts SELECT seq, mac, 0, zeroblob(32) FROM metrics_events WHERE seq = 5"
    tamper(engine, cut, "DELETE FROM metrics_events WHERE seq <= 5")
    assert [finding.kind for finding in (await journal.verify()).findings] == ["unsealed_cut"]


@pytest.mark.parametrize("text", ["", "12", "x:00", "3:zz", "-1:" + "00" * 32, "3:00"])
def test_a_malformed_anchor_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="anchor: "):
        ChainLink.parse(text)


class Notes:
    """Anchors that are kept in memory, where the database cannot reach them."""

    required = True

    def __init__(self) -> None:
        self.kept: list[ChainLink] = []

    def note(self, link: ChainLink) -> None:
        self.kept.append(link)

    def noted(self) -> list[ChainLink]:
        return self.kept

    def forget(self, before: int) -> None:
        self.kept = [link for link in self.kept if link.seq >= before]


async def test_where_the_chain_ends_is_noted_outside_when_a_run_ends_and_not_before(engine: sa.Engine) -> None:
    notes, events = Notes(), diary().events
    journal = Journal(engine, clock=lambda: MONDAY, anchors=notes)
    await journal.write(events[:-1])
    assert notes.kept == [ChainLink(0, GENESIS)]
    await journal.write(events[-1:])
    assert notes.kept[1:] == [await journal.anchor()]


async def test_notes_that_are_gone_are_missed_where_there_must_be_some(engine: sa.Engine) -> None:
    notes = Notes()
    journal = Journal(engine, clock=lambda: MONDAY, anchors=notes)
    assert (await journal.verify()).intact, "of an empty log nothing was noted"
    await journal.write(diary().events)
    assert (await journal.verify()).intact
    notes.kept.clear()
    assert [finding.kind for finding in (await journal.verify()).findings] == ["no_anchor"]


@pytest.mark.parametrize(("key", "kinds"), [(KEY, []), (None, ["unproven_cut"])], ids=["with a key", "without a key"])
async def test_a_cut_behind_an_anchor_is_proved_by_the_key_alone(engine: sa.Engine, key: bytes | None, kinds: list[str]) -> None:
    journal = Journal(engine, key=key, clock=lambda: MONDAY + 2 * DAY_S)
    await journal.write(diary("old").events[:-1])
    noted = await journal.anchor()
    await journal.write(diary("old").events[-1:])
    await journal.write(diary("new", at=MONDAY + DAY_S).events)
    assert await journal.prune(MONDAY + DAY_S) == len(diary().events)
    assert [finding.kind for finding in (await journal.verify([noted])).findings] == kinds


@pytest.mark.parametrize("true_first", [True, False])
async def test_of_two_anchors_of_one_row_neither_hides_the_other(journal: Journal, true_first: bool) -> None:
    await journal.write(diary().events)
    true = await journal.anchor()
    two = [true, ChainLink(true.seq, bytes(len(true.mac)))]
    assert [finding.kind for finding in (await journal.verify(two if true_first else two[::-1])).findings] == ["edited"]


WRITER = """
import sys, anyio, sqlalchemy as sa
from metrics.run_facts import UNREAD
from metrics.journal import NO_KEY, Journal
from tests.metrics.story import diary
journal = Journal(sa.create_engine(sys.argv[1], connect_args={"timeout": 30}), key=sys.argv[2].encode())

async def main():
    for number in range(5):
        for event in diary(f"{sys.argv[3]}-{number}").events:
            await journal.write([event])

anyio.run(main)
"""


async def test_processes_that_write_at_once_keep_one_chain(engine: sa.Engine, journal: Journal, tmp_path: Path) -> None:
    program = tmp_path / "writer.py"
    program.write_text(WRITER, encoding="utf-8")
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for name in "abc":
                url = engine.url.render_as_string()
                group.start_soon(anyio.run_process, [warm_interpreter(), str(program), url, KEY.decode(), name])
    checked = await journal.verify()
    assert (checked.intact, checked.rows) == (True, 3 * 5 * len(diary().events))


async def test_writers_that_come_together_share_a_transaction_and_the_chain_holds(engine: sa.Engine, journal: Journal) -> None:
    commits: list[object] = []
    sa.event.listen(engine, "commit", commits.append)
    stories = [diary(f"run-{number}").events for number in range(20)]
    async with anyio.create_task_group() as group:
        for story in stories:
            group.start_soon(journal.write, story)
    assert len(commits) <= 2
    for number, story in enumerate(stories):
        assert await journal.read(run_id=f"run-{number}") == tuple(story)
    assert not (await journal.verify()).findings


async def test_a_writer_that_is_cancelled_while_it_waits_holds_nobody_up(journal: Journal) -> None:
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(journal.write, diary("run-1").events)
            with anyio.CancelScope() as scope:
                scope.cancel()
                await journal.write(diary("run-2").events)
            group.start_soon(journal.write, diary("run-3").events)
    assert {event.run_id for event in await journal.read()} == {"run-1", "run-3"}


async def test_what_cannot_be_written_is_told_to_each_writer(engine: sa.Engine, journal: Journal) -> None:
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE metrics_head RENAME TO elsewhere"))
    failed: list[str] = []

    async def write(run_id: str) -> None:
        try:
            await journal.write(diary(run_id).events)
        except ValueError:
            failed.append(run_id)

    async with anyio.create_task_group() as group:
        for run_id in ("run-1", "run-2", "run-3"):
            group.start_soon(write, run_id)
    assert sorted(failed) == ["run-1", "run-2", "run-3"]


@requirement("K9")
async def test_words_from_elsewhere_are_kept_without_secrets_and_digests_as_they_are(engine: sa.Engine) -> None:
    journal = Journal(engine, redact=lambda text: text.replace("hunter22", "***"))
    erased = RecordErased(run_id="hunter22-run", key="k", at=MONDAY, by="me", reason="it said hunter22", events=1)
    await journal.write([erased])
    assert await journal.read() == (erased.model_copy(update={"reason": "it said ***"}),)
    assert (await journal.verify()).intact


@requirement("K9")
async def test_what_an_answer_was_found_to_say_is_kept_without_its_secrets(engine: sa.Engine) -> None:
    journal = Journal(engine, redact=redact)
    remark = "『hf_H55E0LZ0GMh8utsYCKu1sABhDb0xZMb2k05』 has no source; the password of the room has none either"
    judged = Judged(run_id="run-1", key="k", at=MONDAY, turn=1, verdict="complete", remarks=(remark,))
    await journal.write([judged])
    (kept,) = await journal.read()
    assert kept == judged.model_copy(update={"remarks": (remark.replace("hf_H55E0LZ0GMh8utsYCKu1sABhDb0xZMb2k05", "***"),)})
    assert (await journal.verify()).intact


NEW = b"the secret that comes after it..."


@requirement("S5")
@pytest.mark.parametrize("before", [KEY, None], ids=["another key", "no key"])
async def test_a_changed_key_seals_what_stood_and_the_old_one_may_go(engine: sa.Engine, before: bytes | None) -> None:
    old = Journal(engine, key=before)
    await old.write(diary("run-1").events)
    last = await old.anchor()
    changing = Journal(engine, key=before, keys=[NEW, *([before] if before else [])])
    assert await changing.change_key(NEW)
    assert not await changing.change_key(NEW)
    both, alone = (
        Journal(engine, key=before or NEW, keys=[NEW, *([before] if before else [])]),
        Journal(engine, key=NEW, keys=[NEW]),
    )
    await both.write(diary("run-2").events)
    await alone.write(diary("run-3").events)
    for journal, unchecked in ((both, 0), (alone, last.seq if before else 0)):
        checked = await journal.verify()
        assert (checked.findings, checked.unchecked, checked.keyed) == ((), unchecked, True)
    tamper(engine, f"UPDATE metrics_events SET mac = randomblob(32) WHERE seq = {last.seq}")
    for journal in (both, alone):
        assert {finding.kind for finding in (await journal.verify()).findings} == {"edited"}


@requirement("S5")
async def test_a_key_that_is_set_late_or_put_first_makes_no_forgery_of_the_log_but_one_finding(engine: sa.Engine) -> None:
    await Journal(engine).write(diary("run-1").events)
    late = Journal(engine, key=NEW, keys=[NEW])
    await late.write(diary("run-2").events)
    (finding,) = (await late.verify()).findings
    assert (finding.kind, "`jiritsu keys rotate` seals it" in finding.detail) == ("other_key", True)
    assert await late.change_key(NEW)
    assert (await Journal(engine, key=NEW, keys=[NEW]).verify()).intact


@requirement("S5")
async def test_a_change_of_the_key_by_someone_without_it_is_found(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary("run-1").events)
    changing = Journal(engine, key=KEY, keys=[NEW, KEY])
    await changing.change_key(NEW)
    await changing.write(diary("run-2").events)
    tamper(engine, "UPDATE metrics_key_changes SET before = randomblob(16)")  # so that nobody checks the rows before it
    found = await Journal(engine, key=KEY, keys=[NEW, KEY]).verify()
    assert [finding.detail for finding in found.findings] == ["the change of the key was not made by who has it"]
    tamper(engine, "DELETE FROM metrics_key_changes")
    assert not (await Journal(engine, key=KEY, keys=[NEW, KEY]).verify()).intact
    (only,) = {finding.kind for finding in (await Journal(engine, key=KEY, keys=[KEY]).verify()).findings}
    assert only == "edited"


@requirement("S5")
async def test_a_console_that_is_open_while_the_key_is_changed_goes_on_under_the_new_one(engine: sa.Engine) -> None:
    await _change_the_key_beside(engine)


@pytest.mark.postgres
@NEEDED
async def test_so_it_does_on_postgresql(in_postgres: Journal) -> None:
    await _change_the_key_beside(in_postgres.engine)


@requirement("S5")
async def test_a_log_is_intact_while_others_write_to_it(engine: sa.Engine, tmp_path: Path) -> None:
    writing, reading = (Journal(engine, key=KEY, anchors=AnchorFile(tmp_path / "anchors")) for _ in range(2))
    await writing.write(diary("run-0").events)
    late = [diary("run-1").events]

    def before_the_rows_are_read(_: object, __: object, statement: str, *___: object) -> None:
        if late and statement.rstrip().endswith("ORDER BY metrics_events.seq"):
            anyio.from_thread.run(writing.write, late.pop())

    sa.event.listen(engine, "before_cursor_execute", before_the_rows_are_read)
    found = await reading.verify()
    assert (late, found.findings, found.rows) == ([], (), len(diary().events))


@requirement("S5")
async def test_a_log_whose_head_is_gone_or_was_moved_back_is_not_intact(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary().events)
    tamper(engine, "UPDATE metrics_head SET seq = 0, mac = zeroblob(32)")
    assert not (await journal.verify()).intact
    tamper(engine, "DELETE FROM metrics_head")
    assert not (await journal.verify()).intact


async def _change_the_key_beside(engine: sa.Engine) -> None:
    console, changing = (Journal(engine, key=KEY, keys=[NEW, KEY]) for _ in range(2))
    await console.write(diary("run-0").events)
    async with anyio.create_task_group() as tasks:
        for number in range(1, 20):
            tasks.start_soon(console.write, diary(f"run-{number}").events)
        tasks.start_soon(changing.change_key, NEW)
    await console.write(diary("run-20").events)
    await changing.write(diary("run-21").events)
    found = await Journal(engine, key=KEY, keys=[NEW, KEY]).verify()
    assert (found.findings, found.unchecked, found.rows) == ((), 0, 22 * len(diary().events))


@requirement("S5")
@pytest.mark.parametrize(("last", "after"), [(True, b""), (False, b"a key that nobody knows")])
async def test_nobody_without_a_key_keeps_rows_from_being_checked(
    engine: sa.Engine, journal: Journal, last: bool, after: bytes
) -> None:
    await journal.write(diary("run-1").events)
    end = await journal.anchor()
    changing = Journal(engine, key=KEY, keys=[NEW, KEY])
    if not last:  # the forged change stands before a true one
        await changing.write(diary("run-2").events)
        await changing.change_key(NEW)
    tamper(engine, "UPDATE metrics_events SET job = 'forged' WHERE seq = 2")
    before, changes = b"x" * 16, metrics_tables.key_changes
    seal = change_seal(after, end, before, MONDAY)
    with engine.begin() as connection:
        forged = {"before": before, "after": id_of(after), "seal": seal}
        connection.execute(changes.insert().values(**end._asdict(), at=MONDAY, **forged))
    reading = Journal(engine, key=KEY, keys=[NEW, KEY])
    (finding,) = (await reading.verify()).findings
    assert finding.detail == "the change of the key was not made by who has it"
    await reading.write(diary("run-3").events)
    tamper(engine, f"DELETE FROM metrics_key_changes WHERE seq = {end.seq}")
    (finding,) = (await reading.verify()).findings  # nothing was chained without a key meanwhile
    assert (finding.seq, finding.kind) == (2, "edited")


@requirement("S5")
async def test_a_log_that_was_tampered_with_is_not_sealed_under_a_new_key(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary().events)
    tamper(engine, "UPDATE metrics_events SET job = 'forged' WHERE seq = 2")
    with pytest.raises(ValueError, match="not intact"):
        await Journal(engine, key=KEY, keys=[NEW, KEY]).change_key(NEW)


@requirement("S5")
async def test_a_cut_of_before_is_sealed_under_the_new_key_too(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary("run-1").events)
    await journal.write(diary("run-2", at=MONDAY + DAY_S).events)
    await journal.prune(MONDAY + DAY_S / 2)
    await Journal(engine, key=KEY, keys=[NEW, KEY]).change_key(NEW)
    assert (await Journal(engine, key=NEW, keys=[NEW]).verify()).findings == ()


@requirement("S5")
async def test_two_changes_of_the_key_with_no_row_between_them_leave_the_log_intact(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary().events)
    for newest in (NEW, b"the third of the secrets........."):
        changing = Journal(engine, key=KEY, keys=[newest, NEW, KEY])
        assert await changing.change_key(newest)
        checked = await changing.verify()
        assert (checked.findings, checked.unchecked) == ((), 0)


@requirement("S5")
@pytest.mark.parametrize("pruned", [False, True], ids=["with rows", "all rows pruned"])
async def test_nobody_appends_to_a_log_that_goes_on_under_another_key(engine: sa.Engine, journal: Journal, pruned: bool) -> None:
    await journal.write(diary("run-1").events)
    if pruned:
        assert await journal.prune(MONDAY + 30 * DAY_S)
    await _nobody_appends_without(KEY, engine)
    await journal.write(diary("run-2").events)
    checked = await Journal(engine, key=KEY, keys=[NEW, KEY]).verify()
    assert (checked.findings, checked.rows) == ((), len(diary().events) * (1 if pruned else 2))


@pytest.mark.postgres
@NEEDED
async def test_nor_does_anybody_on_postgresql(in_postgres: Journal) -> None:
    engine = in_postgres.engine
    await Journal(engine, key=KEY).write(diary("run-1").events)
    await _nobody_appends_without(KEY, engine)
    assert (await Journal(engine, key=KEY).verify()).intact
    await _seal_without_the_key(engine)


@requirement("S5")
async def test_who_was_open_while_the_key_was_changed_to_one_he_does_not_have_appends_nothing(
    engine: sa.Engine, journal: Journal
) -> None:
    await journal.write(diary("run-1").events)
    await Journal(engine, key=KEY, keys=[NEW, KEY]).change_key(NEW)
    for append in (lambda: journal.write(diary("run-2").events), lambda: journal.erase("run-1", by="admin", reason="asked")):
        with pytest.raises(ValueError, match="under a key that is not among JIRITSU_KEY"):
            await append()
    with pytest.raises(ValueError, match="under a key that is not among JIRITSU_KEY"):
        await journal.prune(MONDAY + DAY_S)
    (finding,) = (await journal.verify()).findings
    assert (finding.kind, finding.detail) == ("unknown_key", NO_KEY)
    checked = await Journal(engine, key=KEY, keys=[NEW, KEY]).verify()
    assert (checked.findings, checked.rows, checked.erased) == ((), len(diary().events), 0)


@requirement("S5")
async def test_a_log_whose_last_row_was_edited_is_not_taken_for_one_under_another_key(
    engine: sa.Engine, journal: Journal
) -> None:
    await journal.write(diary("run-1").events)
    end = await journal.anchor()
    tamper(engine, f"UPDATE metrics_events SET body = replace(body, 'run', 'run ') WHERE seq = {end.seq}")
    await Journal(engine, key=KEY).write(diary("run-2").events)
    (finding,) = (await Journal(engine, key=KEY).verify()).findings
    assert (finding.seq, finding.kind) == (end.seq, "edited")


@requirement("S5")
async def test_a_log_whose_key_is_lost_is_sealed_as_it_stands_and_says_so_for_good(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary("run-1").events)
    await _seal_without_the_key(engine)


@requirement("S5")
async def test_a_log_that_an_earlier_release_went_on_with_under_another_key_is_sealed_as_it_stands(
    engine: sa.Engine, journal: Journal
) -> None:
    await journal.write(diary("run-1").events)
    careless = Journal(engine, key=NEW)
    careless._key = NEW
    await careless.write(diary("run-2").events)
    both = Journal(engine, key=KEY, keys=[NEW, KEY])
    with pytest.raises(ValueError, match="not intact"):
        await both.change_key(NEW)
    assert await both.change_key(NEW, lost=True)
    await both.write(diary("run-3").events)
    checked = await both.verify()
    assert (checked.findings, checked.lost, checked.rows) == ((), 2 * len(diary().events), 3 * len(diary().events))


@requirement("S5")
async def test_a_log_that_lacks_rows_is_not_sealed_for_a_lost_key_either(engine: sa.Engine, journal: Journal) -> None:
    await journal.write(diary().events)
    tamper(engine, "DELETE FROM metrics_events WHERE seq = 2")
    with pytest.raises(ValueError, match="not intact"):
        await Journal(engine, key=KEY, keys=[NEW, KEY]).change_key(NEW, lost=True)


@requirement("S5")
async def test_a_key_that_is_not_lost_checks_the_rows_of_before_whatever_the_operator_says(
    engine: sa.Engine, journal: Journal
) -> None:
    await journal.write(diary().events)
    changing = Journal(engine, key=KEY, keys=[NEW, KEY])
    assert await changing.change_key(NEW, lost=True)
    checked = await changing.verify()
    assert (checked.findings, checked.lost, checked.unchecked) == ((), 0, 0)


async def _nobody_appends_without(key: bytes, engine: sa.Engine) -> None:
    """Neither with another key nor with none; with both it goes on."""
    for wrong in (Journal(engine, key=NEW, keys=[NEW]), Journal(engine)):
        with pytest.raises(ValueError, match="under a key that is not among JIRITSU_KEY"):
            await anyio.to_thread.run_sync(wrong.require_key)
        with pytest.raises(ValueError, match="`jiritsu keys rotate`"):
            await wrong.write(diary("run-2").events)
    for right in (Journal(engine, key=key), Journal(engine, key=key, keys=[NEW, key]), Journal(engine, key=NEW, keys=[key, NEW])):
        await anyio.to_thread.run_sync(right.require_key)


async def _seal_without_the_key(engine: sa.Engine) -> None:
    alone = Journal(engine, key=NEW, keys=[NEW])
    end = await alone.anchor()
    (finding,) = (await alone.verify()).findings
    assert (finding.kind, finding.detail) == ("unknown_key", NO_KEY)
    with pytest.raises(ValueError, match="--lost-key"):
        await alone.change_key(NEW)
    assert await alone.change_key(NEW, lost=True)
    assert not await alone.change_key(NEW, lost=True)
    await alone.write(diary("run-2").events)
    for journal in (alone, Journal(engine, key=KEY, keys=[NEW, KEY])):
        checked = await journal.verify()
        assert (checked.findings, checked.lost, checked.unchecked, checked.keyed) == ((), end.seq, end.seq, True)
    newer = b"the secret that comes after both."
    assert await Journal(engine, key=NEW, keys=[newer, NEW]).change_key(newer)
    checked = await Journal(engine, key=NEW, keys=[newer, NEW]).verify()
    assert (checked.findings, checked.lost, checked.unchecked) == ((), end.seq, end.seq)


async def test_while_the_database_is_away_the_host_gets_its_own_error_and_the_cause(tmp_path: Path) -> None:
    nowhere = sa.create_engine(f"sqlite:///{tmp_path / 'unmounted' / 'jiritsu.db'}")
    journal = Journal(nowhere, refusal=StoreError)
    for ask in (
        lambda: journal.write(diary().events),
        journal.read,
        journal.rows,
        journal.anchor,
        journal.verify,
        lambda: journal.begun(0.0, 1.0, 1),
        lambda: journal.newest(1, limit=1),
        lambda: journal.erase("run-1", by="them", reason="asked"),
        lambda: journal.prune(MONDAY),
        lambda: journal.change_key(KEY),
    ):
        with pytest.raises(StoreError, match="the database cannot be used: unable to open database file"):
            await ask()
