"""Slack's markup on the way in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_servers.slack.text import outgoing, readable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<@U1> さん", "@遥 さん"),
        ("<@U9> さん", "@U9 さん"),
        ("<@U9|ゲスト>", "@ゲスト"),
        ("<#C1> と <#C9|dev>", "#general と #dev"),
        ("<https://example.test/?a=1&amp;b=2>", "https://example.test/?a=1&b=2"),
        ("<https://example.test|資料>", "資料 (https://example.test)"),
        ("<mailto:a@example.test|a@example.test>", "a@example.test (mailto:a@example.test)"),
        ("<!here> <!channel|channel>", "@here @channel"),
        ("<!subteam^S1|@開発>", "@開発"),
        ("<!date^1392734382^{date}|2014-02-18>", "2014-02-18"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
    ],
)
def test_markup_is_read_as_people_see_it(written: str, read: str) -> None:
    assert readable(written, {"U1": "遥"}, {"C1": "general"}) == read


@given(st.text(min_size=1, max_size=60).filter(str.strip))
def test_what_is_sent_holds_no_markup_and_reads_as_it_was_written(text: str) -> None:
    sent = outgoing(text)
    assert "<" not in sent
    assert ">" not in sent
    assert readable(sent, {}, {}) == text
