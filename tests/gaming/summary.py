"""What came of all cases, in lines: one a case, and how many of each kind ended as they should."""

from collections.abc import Iterator, Sequence

from tests.gaming.cases import known_gaps
from tests.gaming.world import Ran


def in_lines(ran: Sequence[Ran]) -> Iterator[str]:
    """The table, the wrong ones first."""
    gaps = known_gaps()
    yield f"{'':2}{'kind':6}{'should':10}{'ended':11}{'score':>6}  case: what the judge said"
    for one in sorted(ran, key=lambda one: (one.right, one.case.kind)):
        mark = ("+" if one.case.name in gaps else " ") if one.right else ("~" if one.case.name in gaps else "!")
        should = "complete" if one.case.completes else "not"
        score = "n/a" if one.overall is None else f"{one.overall:.0%}"
        findings = "; ".join(one.findings) or one.result.reason
        yield f"{mark:2}{one.case.kind:6}{should:10}{one.result.ending:11}{score:>6}  {one.case.name}: {findings}"
    yield ""
    for kind in ("bad", "good"):
        of_kind = [one for one in ran if one.case.kind == kind]
        wrong = [one for one in of_kind if not one.right]
        told = "completed" if kind == "bad" else "refused, or not mended, or counted as done"
        yield f"{kind}: {len(of_kind)}, of which {len(wrong)} {told} ({sum(one.case.name in gaps for one in wrong)} of them known)"
    yield "~ known gap   ! not known   + listed as a gap and mended: take it out of known_gaps.json"
