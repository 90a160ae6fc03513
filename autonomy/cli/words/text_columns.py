"""Counts the columns of a terminal that a text takes."""

from unicodedata import east_asian_width


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: a character of Japanese takes two."""
    # as `rich.cells.cell_len` counts them, which takes longer to import than most commands take
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text)
