"""Statements that take a figure from the counterpart of the column they speak of."""

import pytest

from autonomy.provenance import Sources
from autonomy.provenance.attribution import attribute
from autonomy.provenance.contradictions import contradictions
from tests.requirements import requirement

TRAIN = {"departures": [{"train": "ひかり 632号", "departs": "08:14", "arrives": "08:56"}]}
SHOP = {"shop": {"name": "Mugi", "opens": "10:00", "closes": "19:30"}}


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "contradicted"),
    [
        (TRAIN, "ひかり 632号が 8:56 に三島を出ます。", True),
        (TRAIN, "ひかり 632号が 8:14 に三島を出ます。", False),
        (TRAIN, "ひかり 632号は 8:14 に出て、8:56 に着きます。", False),
        (TRAIN, "8:56着のひかり 632号で三島を出ます。", False),
        (TRAIN, "The train leaves at 8:56.", True),
        (SHOP, "Mugi opens at 19:30.", True),
        (SHOP, "Mugi opens at 10:00 and closes at 19:30.", False),
    ],
)
def test_a_figure_of_the_counterpart_is_a_contradiction(read: dict[str, object], told: str, contradicted: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", read, arguments={})
    found = [one.kind for one in contradictions(attribute(told, sources), sources)]
    assert ("reversal" in found) is contradicted, found


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("The second mail was sent with the number.", True),
        ("The second mail would have been sent with the number.", False),
    ],
)
def test_what_would_have_been_is_neither_affirmed_nor_denied(told: str, denied: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", {"text": "The second mail with the number is not sent."}, arguments={})
    found = [one.kind for one in contradictions(attribute(told, sources), sources)]
    assert ("negation" in found) is denied, found
