"""What runs brought is kept packed, and rows of an older release are read as they stand."""

import zlib
from pathlib import Path

import anyio
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from autonomy.database import migrate
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.storage.packed_text import SHORT_BYTES, PackedText, packed
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord, RunResult
from tests.support.durable import ROOMS, asked

DIALECT = sa.create_engine("sqlite://").dialect


@given(st.text(st.characters(codec=None)), st.integers(0, 1200))
def test_any_json_text_comes_back_as_it_was(text: str, padding: int) -> None:
    column, value = PackedText(), "{" + text + " " * padding
    assert column.process_result_value(column.process_bind_param(value, DIALECT), DIALECT) == value


def test_what_fits_the_small_window_takes_no_more_room_than_in_the_usual_one() -> None:
    for length in (1_000, SHORT_BYTES, SHORT_BYTES + 1, 40_000):
        data = (" ".join(f"{number * number % 97}:議事録" for number in range(length))).encode()[:length]
        assert zlib.decompress(packed(data)) == data
        assert len(packed(data)) <= 1.02 * len(zlib.compress(data, 1))


def test_what_could_be_taken_for_packed_is_refused() -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        PackedText().process_bind_param("zebra", DIALECT)


def test_a_long_result_takes_a_fraction_of_its_room_and_an_old_row_is_read(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    migrate(engine, ROOMS)
    records = RunRecords(engine)
    text = "\n".join(f"2026-11-22 9:{minute:02} 山田: 議事録を共有しました" for minute in range(60)) * 10
    told = ToolResult(call_id="c", name="slack_read", text=text)
    call = CallRecord(call_id="c", turn=1, tool="slack_read", asked="slack_read", result=told)
    result = RunResult(run_id="new", ending="completed", calls=(call,))

    async def note() -> None:
        for run_id in ("new", "old"):
            await records.begin(asked(run_id), 1.0)
        await records.end(result)

    anyio.run(note)
    with engine.begin() as connection:  # as the release before wrote it
        plain = result.model_copy(update={"run_id": "old"}).model_dump_json()
        connection.exec_driver_sql("update durable_runs set result = ?, state = 'completed' where run_id = 'old'", (plain,))
        size = connection.exec_driver_sql("select length(result) from durable_runs where run_id = 'new'").scalar_one()
    assert size < len(text) / 5
    assert anyio.run(records.get, "new").result == result
    assert anyio.run(records.get, "old").result == result.model_copy(update={"run_id": "old"})
    engine.dispose()
