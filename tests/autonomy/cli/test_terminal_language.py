"""A terminal that cannot write Japanese is spoken to in English, where the locale says nothing."""

import io
import sys

import pytest

from autonomy.settings import language_of
from metrics.reporting.report_words import why_level


@pytest.mark.parametrize(
    ("locale", "encoding", "language"),
    [
        ("C", "ascii", "en"),
        ("C", "utf-8", "ja"),
        ("", "latin-1", "en"),
        ("ja_JP.UTF-8", "ascii", "ja"),
        ("en_US.UTF-8", "utf-8", "en"),
    ],
)
def test_a_terminal_without_japanese_is_english_where_the_locale_says_nothing(
    monkeypatch: pytest.MonkeyPatch, locale: str, encoding: str, language: str
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert language_of({"LANG": locale}) == language


def test_a_level_that_is_not_high_says_why() -> None:
    measures = {"result_quality": 1.0, "tool_selection_accuracy": 1.0, "error_recovery_rate": None}
    assert why_level("high", 1.0, measures, "en") == ""
    assert "nothing was declared" in why_level("medium", 1.0, measures, "en")
    assert "Tool selection accuracy, at 60%" in why_level("medium", 0.8, {**measures, "tool_selection_accuracy": 0.6}, "en")
    assert "「結果の品質」の 0%" in why_level("low", 0.5, {**measures, "result_quality": 0.0}, "ja")
