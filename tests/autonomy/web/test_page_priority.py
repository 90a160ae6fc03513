"""Who counts waits for pages, and is not kept from counting."""

import threading

import pytest

from autonomy.web import page_priority
from autonomy.web.page_priority import PagePriority
from tests.requirements import requirement


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait that ends by its event or not within the test."""
    monkeypatch.setattr(page_priority, "WAIT_S", 600.0)


@requirement("U5")
def test_nobody_waits_where_no_page_is_made(patient: None) -> None:
    PagePriority().give_way()


@requirement("U5")
def test_who_counts_goes_on_when_the_last_of_the_pages_is_made(patient: None) -> None:
    us = PagePriority()
    counting, went_on = threading.Event(), threading.Event()

    def count() -> None:
        counting.set()
        us.give_way()
        went_on.set()

    thread = threading.Thread(target=count)
    with us.page():
        with us.page():
            thread.start()
            assert counting.wait(60)
        assert not went_on.is_set(), "one is still being made"
    thread.join(120)
    assert went_on.is_set()


@requirement("U5")
def test_a_reader_who_keeps_asking_does_not_stop_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_priority, "WORK_S", 600.0)
    us = PagePriority()
    with us.page():
        us.give_way()  # waits its time out, and then may work
        for _ in range(1000):
            us.give_way()
