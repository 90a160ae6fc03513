"""Classifies a tool's answer by its flags, structure and words.

An answer is `ok`, `empty` (it has no data), `suspicious` (the model is told what looks wrong), or a failure: `retryable`,
`terminal`, or `unknown_outcome` for a write that may have happened nevertheless. `docs/outcomes.md` states the rules and how
often they are wrong.
"""

import re
from typing import Any, Literal

from autonomy.llm.model_json import read_json
from autonomy.outcomes import error_patterns
from discovery.catalog import Frozen, JsonObject, ToolOutput, ToolSpec
from discovery.schemas.schema import validate
from discovery.text.near_names import snake_case
from metrics.events import Problem


class Classification(Frozen):
    """The classification of an answer, and the reason."""

    kind: Literal["ok", "empty", "suspicious", "retryable", "terminal", "unknown_outcome"]
    problem: Problem = ""
    reason: str = ""


class Signal(Frozen):
    """Something in an answer that indicates a failure."""

    reason: str
    fatal: bool = True
    """Whether the answer is a failure; else it is only suspicious."""


OK = Classification(kind="ok")
NO_DATA = "the answer holds no data"

_LARGEST_JSON = 200_000
"""Characters of text that are parsed. Longer texts are not messages about failures."""
_FAILED = frozenset(
    {"error", "errored", "failed", "failure", "fail", "fatal", "exception", "timeout", "timed_out", "unauthorized"}
)
_STATES = ("status", "result", "state", "outcome", "type", "level")
_REFUSALS = ("ok", "success", "successful", "succeeded")
_COUNTED = ("successful", "succeeded")
"""Those of these names under which 0 is a count, such as of the pods of a job that runs."""
_MESSAGES = ("message", "msg", "reason", "detail", "details", "error_description", "title", "description", "text")
_CODES = ("status", "statusCode", "status_code", "http_status", "code", "cod", "errcode")
_CODE_IN_WORDS = re.compile(
    r"(?:^|_)(?:err|error|invalid|denied|not_found|failed|forbidden|unauthorized|exception|timeout)(?:_|$)", re.IGNORECASE
)
_EXITS = ("exit_code", "exitCode", "returncode", "return_code")
_ERRORS = frozenset({"error", "errors", "errormessage", "errormessages", "errmsg"})
"""Names of fields that contain an error, in lower case and without spaces and underscores."""
_VERDICTS = ("valid", "is_valid", "isValid", "passed")
"""If an answer has one of these fields, its errors are the findings of a check."""
_ENVELOPES = ("result", "data", "response", "output", "content", "body", "value")
_ENVELOPE = re.compile(r"(?:^|_)(?:result|response|output|data|body)$")
_PAGING = frozenset(
    {"query", "params", "request", "request_id", "object", "type", "has_more", "hasMore", "next", "next_cursor", "nextCursor"}
    | {"incomplete_results", "truncated", "page", "per_page", "limit", "offset", "cursor"}
)
"""Names of fields that describe the request and the page rather than the data."""
_ABOUT_ITSELF = frozenset(
    {*_STATES, *_MESSAGES, *_CODES, *_REFUSALS, "timestamp", "path", "request_id", "requestId", "traceback"}
)
"""Names of fields that describe the answer itself. The other fields are its data."""


def classify(output: ToolOutput, spec: ToolSpec) -> Classification:
    """Classify one answer of a tool."""
    if output.is_error:
        return _failed("tool_error", "the tool says that it failed", output.text, spec)
    data = _parsed(output.text) if output.structured is None else output.structured
    sign = _sign_in(data) or (_sign_in_text(output.text, spec) if data is None or isinstance(data, str) else None)
    if sign is None and (misfit := _misfit(output, spec)):
        sign = Signal(reason=misfit, fatal=False)
    if sign is None and spec.read_only and not output.parts and _is_empty(output.text if data is None else data):
        if _lists_nothing(data):
            return Classification(kind="empty", reason=NO_DATA)
        sign = Signal(reason=NO_DATA, fatal=False)
    if sign is None:
        return OK
    if not sign.fatal:
        return Classification(kind="suspicious", problem="soft_failure", reason=sign.reason)
    return _failed("soft_failure", sign.reason, output.text, spec)


def _misfit(output: ToolOutput, spec: ToolSpec) -> str:
    """Return how an answer violates the tool's output schema; empty if it does not. Since the call happened nevertheless, that is
    suspicious but not a failure."""
    if spec.output_schema is None:
        return ""
    if output.structured is None and not output.whole:
        return "its output schema promises structured content, and the answer has none"
    problems = validate(spec.output_schema, output.structured)
    return f"the answer does not fit the tool's own output schema: {'; '.join(problems)}"[:300] if problems else ""


def _failed(problem: Problem, reason: str, text: str, spec: ToolSpec) -> Classification:
    if error_patterns.is_timeout(text) and not spec.repeatable:
        return Classification(kind="unknown_outcome", problem=problem, reason=f"{reason}; it may have happened all the same")
    return Classification(kind="retryable" if error_patterns.is_passing(text) else "terminal", problem=problem, reason=reason)


def _parsed(text: str) -> Any:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or len(stripped) > _LARGEST_JSON:
        return None
    try:
        return read_json(stripped)
    except ValueError:
        return None


def _sign_in(data: Any, depth: int = 3) -> Signal | None:
    """Return the sign of failure in a JSON answer, in its fields or in those of an envelope inside it; None if there is none."""
    match data:
        case str():
            inner = _parsed(data)
            return _sign_in(inner, depth - 1) if inner is not None and depth else _sign_in_text(data)
        case dict() if data:
            return _sign_in_fields(data) or (_sign_inside(data, depth - 1) if depth else None)
        case list() if data and depth:
            return _sign_in_items(data, depth - 1)
        case _:
            return None


def _sign_in_fields(data: JsonObject) -> Signal | None:
    has_message = any(isinstance(data.get(name), str) and data[name] for name in (*_MESSAGES, "error"))
    if data.get("isError") is True or any(_refuses(name, data.get(name)) for name in _REFUSALS):
        return Signal(reason="its answer says that it did not succeed")
    state = next((name for name in _STATES if isinstance(data.get(name), str) and data[name].lower() in _FAILED), None)
    if state is not None:
        alone = has_message or not _matter(data)
        return Signal(
            reason=f"its answer has the {state} {data[state]!r}",
            fatal=alone and (data[state] == "error" or not _is_of_a_thing(data)),
        )
    exit_codes = [data.get(name) for name in _EXITS]
    if any(isinstance(code, int) and not isinstance(code, bool) and code != 0 for code in exit_codes):
        return Signal(reason="the program it ran ended with an error code")
    if has_message and (code := next((name for name in _CODES if _is_error_code(data.get(name))), None)):
        return Signal(reason=f"its answer has the {code} {data[code]}")
    return _sign_in_error(data) or _sign_in_message(data)


def _refuses(name: str, value: Any) -> bool:
    """Whether a field says that nothing came of the call. 0 does as well (`{"ok": 0}`), but not where it is a count."""
    return value is False or value == "false" or (name not in _COUNTED and type(value) in (int, float) and value == 0)


def _sign_in_error(data: JsonObject) -> Signal | None:
    """Return the sign of an `error` or `errors` that is not empty. A number there is a count in the data."""
    error = next((value for name, value in data.items() if value and re.sub(r"[\W_]", "", name).lower() in _ERRORS), None)
    if isinstance(error, list) and any(isinstance(data.get(name), bool) for name in _VERDICTS):
        return None
    if not isinstance(error, str | dict | list) or (isinstance(error, str) and error.lower() in ("none", "null", "no", "false")):
        return None
    carried = [value for name, value in _matter(data).items() if not name.lower().startswith("error") and not _is_empty(value)]
    heavy = any(isinstance(value, dict | list) or len(str(value)) > 200 for value in carried)
    return Signal(reason="its answer carries an error" + (" beside its data" if heavy else ""), fatal=not heavy)


def _sign_in_message(data: JsonObject) -> Signal | None:
    """Return the sign of an answer that consists only of a message about a failure."""
    if _matter(data) or any(isinstance(value, dict | list) and value for value in data.values()):
        return None
    message = next((data[name] for name in _MESSAGES if isinstance(data.get(name), str)), "")
    if message and isinstance(data.get("code"), str) and _CODE_IN_WORDS.search(data["code"]):
        return Signal(reason=f"its answer has the code {data['code'][:80]!r}")
    return Signal(reason="its message tells of a failure") if error_patterns.tells_of_failure(message) else None


def _sign_inside(data: JsonObject, depth: int) -> Signal | None:
    """Search envelopes (`{"result": …}`, `{"tool": …, "result": {…}}`) and answers by item (`{"a.txt": {"result": "error"}}`)."""
    if len(data) == 1 or {"content", "isError"} <= data.keys():
        envelope = next((name for name in _ENVELOPES if name in data), None)
        if envelope is not None:
            return _sign_in(data[envelope], depth)
    if (carried := _carried(data)) is not None:
        return _sign_in(carried, depth)
    values = list(data.values())
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    return _sign_in_items(values, depth) if values and all(isinstance(value, dict) for value in values) else None


def _carried(data: JsonObject) -> JsonObject | None:
    """Return the only record in an answer if its name is that of a result and the other fields only describe the call."""
    inner = {name: value for name, value in data.items() if isinstance(value, dict | list)}
    if len(inner) != 1 or len(data) < 2 or _is_of_a_thing(data):
        return None
    name, value = next(iter(inner.items()))
    return value if isinstance(value, dict) and _ENVELOPE.search(snake_case(name)) else None


def _sign_in_items(items: list[Any], depth: int) -> Signal | None:
    """Return the sign of several answers in one, which is a failure only if all of them are."""
    signs = [_sign_in(item, depth) if isinstance(item, dict) else None for item in items[:50]]
    bad = [sign for sign in signs if sign is not None and sign.fatal]
    if not bad:
        return None
    if len(bad) == len(signs):
        return bad[0]
    return Signal(reason=f"{len(bad)} of its {len(signs)} parts failed: {bad[0].reason}", fatal=False)


def _sign_in_text(text: str, spec: ToolSpec | None = None) -> Signal | None:
    if error_patterns.is_unfinished(text):
        return Signal(reason="the answer stops where its data should begin", fatal=False)
    if error_patterns.is_garbled(text):
        return Signal(reason="the answer is bytes shown as text", fatal=False)
    if error_patterns.is_page(text):
        if error_patterns.is_error_page(text):
            return Signal(reason="the answer is an error page")
        asked_for_a_page = spec is None or any("ur" in name.lower() for name in spec.parameters)
        return None if asked_for_a_page else Signal(reason="the answer is an HTML page", fatal=False)
    return Signal(reason=f"the answer says {found!r}") if (found := error_patterns.tells_of_failure(text)) else None


def _matter(data: JsonObject) -> JsonObject:
    """Return the data of an answer: its fields without empty ones and those that describe the answer itself."""
    return {name: value for name, value in data.items() if name not in _ABOUT_ITSELF and not _is_empty(value)}


def _is_of_a_thing(data: JsonObject) -> bool:
    """Whether a record is about a thing with a state of its own, such as a failed build."""
    names = [name.lower() for name in data if name not in _PAGING]
    return any(name in ("id", "name", "number", "url", "key") or name.endswith("_id") for name in names)


def _is_error_code(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch("[45][0-9]{2}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599


def _is_empty(value: Any) -> bool:
    """Whether a value is empty: an empty text, zero, null, or a list or record of only empty values."""
    match value:
        case str():
            return value.strip().lower() in ("", "null", "none", "undefined", "[]", "{}", "nan")
        case dict():
            values = [
                item
                for name, item in value.items()
                if name not in _PAGING | {"error", "errors"} and not _says_success(name, item)
            ]
            return all(map(_is_empty, values)) if values else not value
        case list():
            return all(_is_empty(item) for item in value)
        case bool():
            return False
        case _:
            return value is None or value == 0


def _lists_nothing(data: Any) -> bool:
    """Whether the answer is or has an empty list, such as of a quiet channel or a search without results. That is a valid
    answer."""
    return data == [] or (isinstance(data, dict) and any(map(_lists_nothing, data.values())))


def _says_success(name: str, value: Any) -> bool:
    return (name in _REFUSALS and value is True) or (name in _CODES and (value in ("ok", "success") or value in range(200, 300)))
