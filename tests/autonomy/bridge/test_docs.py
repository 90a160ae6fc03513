"""The examples of docs/bridge.md are true."""

import re
from pathlib import Path

from mcp import Client

import autonomy.bridge as bridge

PAGE = (Path(__file__).parents[3] / "docs" / "bridge.md").read_text(encoding="utf-8")


async def call(server, tool, **arguments):
    async with Client(server) as client:
        return (await client.call_tool(tool, arguments)).content[0].text


async def test_the_examples_do_what_the_page_says():
    examples: dict = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "docs/bridge.md", "exec"), examples)
    assert await call(bridge.toolset_server(examples["toolset"]), "exchange_rate", currency="USD") == '{"jpy":151.2}'
    assert await call(examples["with_fee"](), "add_fee", amount=100) == "105.0"
    assert await call(examples["server"]["instance"], "temperature", city="東京") == "東京: 20℃"


def test_every_exported_function_stands_on_the_page():
    functions = [name for name in bridge.__all__ if name[0].islower()]
    missing = {name for name in functions if not re.search(rf"\b{name}\b", PAGE)}
    assert missing == {"load_toolset_server", "mcp_server", "python_providers"}  # of the host, not of those who write tools
