"""Laws of the pure parts: front matter round-trips, merging loses nothing, a stamp sees every edit."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_servers.esa import post_front_matter
from mcp_servers.esa.merge import merge
from mcp_servers.esa.stamp import Stamp, StampVerdict, judge, split_stamp
from mcp_servers.esa.team import NewPost

few = settings(max_examples=60, deadline=None)
keys = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
texts = st.text(max_size=40)
lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=6).map("".join)


@few
@given(st.dictionaries(keys, texts, max_size=4), texts)
def test_a_head_and_body_come_back_as_they_were_written(head: dict[str, str], body: str) -> None:
    assert post_front_matter.split(post_front_matter.join(head, body)) == (head, body)


def test_heads_as_people_and_esa_write_them_are_read() -> None:
    text = "---\r\ntitle: \"a: b\"\r\ntags:\r\n  - x\r\n  - 'y'\r\n# note\r\npublished: true\r\n---\r\n\r\nbody\r\n"
    assert post_front_matter.split(text) == ({"title": "a: b", "tags": "x, y", "published": "true"}, "body\r\n")
    assert post_front_matter.as_list("[a, \"b\", 'c']") == ["a", "b", "c"]


def test_what_only_looks_like_a_head_stays_in_the_body() -> None:
    for text in ("---\nno end", "---\njust a sentence\n---\nrest", "text\n---\na: b\n---\n"):
        assert post_front_matter.split(text) == ({}, text)


@few
@given(lines, lines)
def test_a_change_of_one_side_alone_is_the_result(original: str, changed: str) -> None:
    assert merge(original, changed, original) == (changed, False)
    assert merge(original, original, changed) == (changed, False)
    assert merge(original, changed, changed) == (changed, False)


@few
@given(lines, lines, lines)
def test_no_line_that_a_side_added_is_lost(original: str, theirs: str, mine: str) -> None:
    merged, _ = merge(original, theirs, mine)
    for side in (theirs, mine):
        for line in set(side.split("\n")) - set(original.split("\n")):
            assert line in merged


def test_changes_at_different_places_are_joined_and_at_the_same_place_both_kept() -> None:
    assert merge("1\n2\n3\n", "0\n1\n2\n3\n", "1\n2\n3\n4\n") == ("0\n1\n2\n3\n4\n", False)
    assert merge("1\n2", "1\nx", "1\ny") == ("1\n<<<<<<< current\nx\n=======\ny\n>>>>>>> new\n", True)


@few
@given(texts, st.one_of(st.none(), st.text(min_size=1, max_size=9)))
def test_a_stamp_comes_back_from_the_text_it_was_put_on(body: str, key: str | None) -> None:
    stamp = Stamp.of(key, body)
    assert split_stamp(stamp.put_on(body)) == (body.rstrip("\n"), stamp)


def test_a_stamp_overlooks_line_ends_but_no_edit() -> None:
    stamp, new = Stamp.of("k", "a\nb"), NewPost("n", "c", key="other")
    assert judge("a  \r\nb\r\n", stamp, new) is StampVerdict.REWRITE
    assert judge("a\nb!", stamp, new) is StampVerdict.LEAVE
    assert judge("a\nb", None, new) is StampVerdict.LEAVE
    assert judge("a\nb", stamp, NewPost("n", "c", key="k")) is StampVerdict.SAME
