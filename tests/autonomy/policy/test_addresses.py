"""Addresses in every spelling, and in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.policy.texts import addresses
from autonomy.policy.texts.addresses import (
    _BEGINS,
    _PATTERN,
    TOO_LONG,
    addresses_in,
    addresses_named,
    is_id_in_link,
    is_named,
    normal,
)
from tests.requirements import requirement

PAGE = "komorebi.example/notes"
_PIECES = ("a", "b.com", "localhost", "Localhost", ":80", "/", "//", "[", "::1]", "@", ".", "例え", ".jp", "http:", "\\", " ", "mailto:",
           "1.2.3.4", "LOCALHOST:8080", "日本.", "テスト/x")  # fmt: skip


@requirement("K4")
@pytest.mark.parametrize(
    "words",
    [
        "https://komorebi.example/notesを読んで",
        "https://komorebi.example/notes。お願いします",
        "see https://komorebi.example/notes.",
        "(https://komorebi.example/notes)",
        "「https://komorebi.example/notes」",
        "[notes](https://komorebi.example/notes)",
        "<https://komorebi.example/notes>",
        "**https://komorebi.example/notes**",
        "www.komorebi.example/notes, please",
        "komorebi.example/notes/",
        "HTTPS://Komorebi.Example/notes",
        "ｈｔｔｐｓ：//komorebi.example/notes",
        "https://komorebi.example/notes（社内）を読んで",
        "https://komorebi.example:443/notes を読んで",
        "http://komorebi.example:80/notes",
    ],
)
def test_honest_spellings_of_an_address_are_one_address(words: str) -> None:
    assert list(addresses_in(words)) == [PAGE]


@requirement("K4")
@pytest.mark.parametrize(
    "other",
    [
        "https://komorebi.example/notes?x=1",
        "https://komorebi.example/note",
        "https://komorebi.example@evil.example/notes",
        "https://komorebi.example.evil.example/notes",
        "ftp://komorebi.example/notes",
        "https://komorebi.example:8443/notes",
        "http://komorebi.example:443/notes",
        "https://komorebi.example/NOTES",
    ],
)
def test_what_differs_is_another_address(other: str) -> None:
    assert not is_named(normal(other), frozenset({PAGE}))


@requirement("K4")
@pytest.mark.parametrize("text", ["Recall@5 rises to 58.3", "R@1, R@10", "nDCG@10."])
def test_a_measure_at_so_many_is_no_mailbox(text: str) -> None:
    assert not list(addresses_in(text))
    assert list(addresses_in(text.replace("@", "@a"))), "as a host of letters may be"


@pytest.mark.parametrize("begins", ["///", "/////", "/\\", "\\/", "\\\\", "/\t/", "/\n\\"])
def test_slashes_of_both_kinds_and_gaps_between_them_begin_an_address_as_in_a_browser(begins: str) -> None:
    assert list(addresses_in(f"see {begins}{PAGE}")) == [PAGE]


@requirement("K4")
@pytest.mark.parametrize("host", ["evil.it", "evil.in", "evil.be", "evil.co.id", "a.evil.ir"])
def test_a_host_under_any_country_is_one_where_it_goes_on(host: str) -> None:
    assert list(addresses_in(f"see {host}/x")) == [f"{host}/x"]


@requirement("K4")
@pytest.mark.xfail(strict=True, reason="its ending is that of a file or a word, too: docs/policy.md names it")
@pytest.mark.parametrize("host", ["evil.sh/x", "evil.py/x", "evil.today"])
def test_a_host_that_ends_like_a_file_or_a_word_is_one(host: str) -> None:
    assert list(addresses_in(f"see {host}")) == [host]


@requirement("K4")
def test_references_of_html_are_read_and_a_parameter_that_begins_like_one_is_none() -> None:
    assert list(addresses_in("komorebi&period;example&sol;&nscr;otes")) == [PAGE]
    address = f"{PAGE}?a=1&region=jp&copy=2"
    assert list(addresses_in(f"see https://{address}")) == [address]


@requirement("K4")
def test_a_named_host_names_its_pages_and_no_query() -> None:
    known = frozenset(addresses_in("komorebi.example を見て"))
    assert is_named(normal("https://www.komorebi.example/a/b"), known)
    assert not is_named(normal("https://komorebi.example/a?d=1"), known)
    assert not is_named(normal("https://komorebi.example@evil.example/"), known)


@requirement("K4")
@pytest.mark.parametrize(
    "text",
    [
        "notes.md を直す",
        "v1.2.3",
        "3.14",
        "e.g. this",
        "10:30",
        "main.py: done",
        "です。ます",
        "a / b",
        "#436",
        "///usr/bin/x",
        "README.md/LICENSE",
        "5//2",
    ],
)
def test_what_only_looks_like_an_address_is_none(text: str) -> None:
    assert list(addresses_in(text)) == []


@requirement("K10")
@pytest.mark.parametrize("piece", ["a.", "a@", "a-", "//", "http:", "[:", "1.1.", "%41", "a@a.", "www."])
def test_reading_grows_with_the_text_and_not_with_its_square(piece: str) -> None:
    # counted in steps of the pattern, not in seconds: ten times the text may hold at most about ten times the addresses it bounds
    short, long = piece * 2_000, piece * 20_000
    assert sum(map(len, addresses_in(long))) <= 11 * sum(map(len, addresses_in(short))) + 4_000


@requirement("K10")
def test_a_value_too_long_to_be_read_counts_as_a_strange_address() -> None:
    assert list(addresses_in({"a": ["x" * 1_000_001]})) == [TOO_LONG]


@requirement("K4")
@given(st.text(max_size=200))
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    for address in addresses_in(text):
        assert normal(address) == address


@requirement("K4")
@given(st.lists(st.sampled_from([*_PIECES]), max_size=6).map("".join))
def test_no_text_with_an_address_is_passed_over_as_prose(text: str) -> None:
    assert _BEGINS.search(text) or not _PATTERN.search(text)


_SPELT = (
    "jane",
    "a",
    "example",
    "com",
    " ",
    " at ",
    "at",
    " AT ",
    " dot ",
    "Dot",
    "[at]",
    "( at )",
    "{dot}",
    "[.]",
    "<@>",
    "< ドット >",
)
_SIGNS = (".", "@", "アット", " アットマーク ", "hxxps://", "hXXp:", "-", "\n")


@given(st.lists(st.sampled_from(_SPELT + _SIGNS), max_size=12).map("".join))
def test_a_text_that_is_passed_over_is_one_in_which_nothing_is_spelt_out(text: str) -> None:
    plain = addresses._DOT_IN_WORDS.sub(lambda found: f"{found[1] or ''}.", addresses._AT_IN_WORDS.sub("@", text))
    assert addresses._spelt_in_signs(text) == addresses._DISARMED.sub("http", plain)


@requirement("K2")
def test_the_id_of_a_page_is_named_by_its_link() -> None:
    known = addresses_named(
        "reply to the comments in https://figma.example/design/Kx83hPq0Zt/top-v3?node=12-7 and a.example/issues/131, and to me@a.example"
    )
    assert all(is_id_in_link(value, known) for value in ("Kx83hPq0Zt", "12-7", 131))
    assert not any(is_id_in_link(value, known) for value in ("Kx83", "figma.example", "me@a.example", "", "\u200bKx83hPq0Zt"))


WIKI, TOKYO = "https://ja.wikipedia.org/wiki/", "%E6%9D%B1%E4%BA%AC"


@requirement("K4")
@pytest.mark.parametrize(
    ("words", "address", "named"),
    [
        *((f"{before}{WIKI}東京{behind}を要約して", f"{WIKI}{page}", True)
          for before, behind in (("", " "), ("", ""), ("「", "」")) for page in ("東京", TOKYO)),
        (f"{WIKI}{TOKYO} を要約して", f"{WIKI}東京", True),
        ("Read https://de.wikipedia.org/wiki/Köln please", "https://de.wikipedia.org/wiki/K%C3%B6ln", True),
        (f"Read {WIKI}{TOKYO}#History", f"{WIKI}{TOKYO}", True),
        (f"{WIKI}東京を要約して", f"{WIKI}東京?x=1", False),
        (f"{WIKI}東京を要約して", f"{WIKI}東京/秘密", False),
        (f"{WIKI}東京を要約して", f"{WIKI}大阪", False),
        (f"{WIKI}東京を要約して", f"{WIKI}{TOKYO}%2F..%2Fsecret", False),
        (f"{WIKI}東京を要約して", f"{WIKI}{TOKYO}%E2%80%8B", False),
    ],
)  # fmt: skip
def test_an_address_in_letters_of_another_alphabet_is_one_address_escaped_or_not(words: str, address: str, named: bool) -> None:
    assert is_named(normal(address), addresses_named(words)) is named
