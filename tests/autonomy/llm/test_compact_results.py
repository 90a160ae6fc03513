"""What a model is sent of a tool's result."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.messages import ToolResult
from autonomy.llm.vendors.chat_completions import messages_of
from tests.requirements import requirement

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def result(text: str, structured: Any) -> ToolResult:
    return ToolResult(call_id="c", name="slack_read", text=text, structured=structured)


@requirement("N6")
@given(st.dictionaries(st.text(), JSON, min_size=1), st.booleans())
def test_written_out_data_is_sent_without_white_space_and_says_the_same(data: dict[str, Any], wrapped: bool) -> None:
    found = result(json.dumps(data, indent=2), {"result": data} if wrapped else data)
    assert json.loads(found.compact_text) == data
    assert len(found.compact_text) <= len(json.dumps(data, ensure_ascii=False))
    assert found.text == json.dumps(data, indent=2), "people and handles see it as it came"


@requirement("N6")
@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ('{\n  "name": "app"\n}\n', None),
        ('{\n  "name": "app"\n}\n', {"content": '{\n  "name": "app"\n}\n'}),
        ('{\n  "name": "app"\n}\n', {"result": '{\n  "name": "app"\n}\n'}),
        ("[cut off] { 1 }", {"a": 1}),
        ('{"a":   1', {"a": 1}),
        ("[" * 20_000, {"a": 1}),
    ],
    ids=["no data beside it", "a file in a field", "a file as a string", "a remark in front", "cut", "a bomb"],
)
def test_any_other_text_is_sent_to_the_letter(text: str, structured: Any) -> None:
    assert result(text, structured).compact_text == text


@requirement("N6")
def test_the_vendors_form_holds_the_short_text() -> None:
    (sent,) = messages_of([result('{\n  "a": [\n    1\n  ]\n}', {"a": [1]})], lenient=False)
    assert sent["content"] == '{"a":[1]}'
