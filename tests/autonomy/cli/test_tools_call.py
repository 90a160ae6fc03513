"""What `jiritsu tools call` prints of an answer."""

import pytest

from autonomy.cli.commands.tools import answer_lines
from discovery.catalog import ContentPart, JsonObject, ToolOutput
from tests.requirements import requirement

PICTURE = ContentPart(kind="image", mime_type="image/png", data="aGk=")


@requirement("N6")
@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ({"text": "two rooms"}, ["two rooms"]),
        ({"structured": {"rooms": ["青"]}}, ['{"rooms": ["青"]}']),
        ({"text": "rooms:", "structured": {"rooms": ["青"]}}, ['rooms:\n{"rooms": ["青"]}']),
        ({"parts": (PICTURE,)}, ["[image image/png: --json]"]),
        ({"text": "noon", "parts": (PICTURE,)}, ["noon", "[image image/png: --json]"]),
        ({}, [""]),
    ],
)
def test_all_that_a_tool_answered_is_printed_or_named(output: JsonObject, printed: list[str]) -> None:
    assert list(answer_lines(ToolOutput.model_validate({"text": "", **output}))) == printed
