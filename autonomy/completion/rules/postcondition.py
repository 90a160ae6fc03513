"""Checks the result of a declared read after the writes against the job's expectations."""

from decimal import Decimal, InvalidOperation
from typing import Any

from autonomy.completion.rules.case import Case
from autonomy.provenance.coverage import CallView, unread_calls
from autonomy.provenance.sources.leaves import ResultContent, parsed
from autonomy.provenance.text.normalize import normalize
from autonomy.run_state.completion_rules import Postcondition, values_at
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord


def postcondition(rule: Postcondition, case: Case) -> str:
    """What is wrong, without a word of the result; a read that failed or cannot be understood proves nothing."""
    record = case.ctx.checked.get(rule.name)
    if record is None:
        return f"the check {rule.name!r} was not made"
    if isinstance(record, str):
        return f"the check {rule.name!r} could not be made: {record}"
    if not record.ok:
        return f"the check {rule.name!r} could not be read, so it does not hold: {record.tool} ended as {record.result.kind}"
    try:
        values = _values(rule, record)
    except LookupError as error:
        return f"the check {rule.name!r} could not be read, so it does not hold: {error.args[0]}"
    if broken := [expectation for expectation, holds in _expectations(rule, values) if not holds]:
        place = f"{rule.value} of {record.tool}" if rule.value else record.tool
        return f"the check {rule.name!r} does not hold: {place} should {' and '.join(broken)}; look there and put it right"
    return ""


def _values(rule: Postcondition, record: CallRecord) -> list[Any]:
    content = ResultContent(parsed(data_of(record)))
    result = content.result
    whole = CallView(record.tool, record.arguments, content, truncated=bool(record.whole) and record.result.structured is None)
    if rule.count is not None and unread_calls((whole,)):
        raise LookupError("there are more pages, or the answer was cut: nothing can be counted")
    if rule.value and not isinstance(result, dict | list):
        raise LookupError("the answer has no structure to look into")
    return values_at(result, rule.value)


def _expectations(rule: Postcondition, values: list[Any]) -> list[tuple[str, bool]]:
    """Each expectation in words, and whether it holds."""
    there = [value for value in values if value not in (None, "", [], {})]
    figures = [figure for value in values if (figure := _figure(value)) is not None]
    counted = len(values[0]) if len(values) == 1 and isinstance(values[0], list) else len(values)
    found = []
    if rule.equals is not None:
        found.append((f"be {rule.equals!r}", bool(values) and all(_same(value, rule.equals) for value in values)))
    if rule.contains:
        found.append((f"contain {rule.contains!r}", any(_holds(value, rule.contains) for value in values)))
    if rule.above is not None:
        found.append((f"be above {rule.above:g}", bool(figures) and min(figures) > Decimal(str(rule.above))))
    if rule.below is not None:
        found.append((f"be below {rule.below:g}", bool(figures) and max(figures) < Decimal(str(rule.below))))
    if rule.count is not None:
        found.append((f"hold {rule.count}", counted == rule.count))
    return found or [("hold anything", bool(there))]


def _figure(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        figure = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return figure if figure.is_finite() else None


def _same(value: Any, expected: Any) -> bool:
    """Whether two scalars say the same: inputs are put in as text, so `480` and `"480"` do; `true` is no 1."""
    if isinstance(value, dict | list) or isinstance(value, bool) != isinstance(expected, bool):
        return isinstance(value, bool) and str(value).lower() == str(expected).lower()
    one, other = _figure(value), _figure(expected)
    return one == other if one is not None and other is not None else _plain(value) == _plain(expected)


def _holds(value: Any, expected: str) -> bool:
    if isinstance(value, dict):
        return any(_holds(item, expected) for item in value.values())
    if isinstance(value, list):
        return any(_holds(item, expected) for item in value)
    return _plain(expected) in _plain(value)


def _plain(value: Any) -> str:
    return normalize(str(value)).strip()
