"""A person's own server, asked without a model: which tool would answer and what it takes, and which server is away."""

from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu, warm_interpreter

STOCK = '''
from mcp.server.mcpserver import MCPServer

server = MCPServer("stock")


@server.tool()
def get_stock(product: str) -> dict:
    """Tell how many of a product are in stock."""
    return {"product": product, "in_stock": 12}


@server.tool()
def order_product(product: str, amount: int) -> str:
    """Order more of a product from the supplier."""
    return "ordered"


server.run()
'''


@requirement("L6")
@pytest.mark.parametrize(
    ("lang", "question", "fits", "away", "why"),
    [
        ("en_US.UTF-8", "How many chairs are in stock?", "counts as a write", "Out of reach: stock", "unavailable: stock"),
        pytest.param(
            *("ja_JP.UTF-8", "椅子の在庫はいくつ？", "書き込みとして扱って", "stock に届きません", "使えないもの: stock"),
            marks=pytest.mark.sweep,
        ),
    ],
)
def test_a_tool_that_nobody_declared_is_named_then_used_and_a_server_that_is_away_is_named(
    home: Path, lang: str, question: str, fits: str, away: str, why: str
) -> None:
    script = home / "stock.py"
    script.write_text(STOCK)
    assert jiritsu("servers", "add", "stock", "--", warm_interpreter(), str(script), home=home).returncode == 0
    undeclared = jiritsu("run", question, home=home, LANG=lang)
    assert undeclared.returncode == 4
    assert "stock_get_stock" in undeclared.stdout
    assert fits in undeclared.stdout
    assert "`jiritsu servers trust stock --effects review`" in undeclared.stdout

    assert jiritsu("servers", "trust", "stock", "--effects", "proposed", home=home).returncode == 0
    answered = jiritsu("run", question, home=home, LANG=lang)
    assert answered.returncode == 0, answered.stdout + answered.stderr
    assert "in_stock: 12" in answered.stdout
    assert "在庫" not in answered.stdout, "the product is a chair"

    script.unlink()
    gone = jiritsu("run", question, home=home, LANG=lang)
    assert gone.returncode == 4
    assert away in gone.stdout
    assert why in gone.stderr


@requirement("S6")
def test_a_server_that_is_removed_and_added_again_is_held_to_what_was_approved_of_it(home: Path) -> None:
    script = home / "stock.py"
    script.write_text(STOCK)

    def reviewed() -> str:
        assert jiritsu("servers", "add", "stock", "--", warm_interpreter(), str(script), home=home).returncode == 0
        return jiritsu("servers", "review", "stock", home=home).stdout

    assert "order_product" not in reviewed()
    assert jiritsu("servers", "remove", "stock", home=home).returncode == 0
    script.write_text(STOCK.replace("from the supplier.", "from the supplier, or of another one."))
    held = reviewed()
    assert "order_product" in held
    assert "get_stock" not in held
