"""When a provider is tried again: doubling with jitter up to a cap, parked after too many faults, forgiven with time."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from discovery.gateway_settings import GatewaySettings
from discovery.timing.breaker import Breaker

SETTINGS = GatewaySettings(retry_base_s=1, retry_cap_s=60, park_after=8, fault_window_s=300)


def test_the_wait_doubles_up_to_the_cap() -> None:
    breaker = Breaker(SETTINGS, Random(7))
    waits = []
    for second in range(10):
        breaker.fault(float(second))
        waits.append(breaker.wait_s())
    assert all(0.5 * full <= wait <= full for wait, full in zip(waits, (1, 2, 4, 8, 16, 32, 60, 60, 60, 60), strict=True))


def test_it_is_parked_at_the_eighth_fault_within_the_window_and_not_by_old_ones() -> None:
    breaker = Breaker(SETTINGS, Random(7))
    for second in range(7):
        breaker.fault(float(second))
    assert not breaker.parked
    breaker.fault(400.0)
    assert not breaker.parked
    for second in range(401, 408):
        breaker.fault(float(second))
    assert breaker.parked
    breaker.forget()
    assert not breaker.parked


@given(st.lists(st.floats(0, 10_000), min_size=1, max_size=30).map(sorted))
def test_a_wait_is_never_longer_than_the_cap_nor_nothing(faults: list[float]) -> None:
    breaker = Breaker(SETTINGS, Random(1))
    for at in faults:
        breaker.fault(at)
        assert 0.5 <= breaker.wait_s() <= SETTINGS.retry_cap_s
