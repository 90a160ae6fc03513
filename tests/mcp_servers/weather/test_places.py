"""Which place a name means: every trap of the agency's list of areas."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_servers.weather.places import AmbiguousPlace, Gazetteer, UnknownPlace, names_no_place
from tests.mcp_servers.weather.recordings import AREA, GAZETTEER
from tests.requirements import requirement


def found(query: str) -> str:
    return GAZETTEER.find(query).full_name


def meant_by(query: str) -> list[str]:
    """The full names of all places that the query can mean."""
    try:
        return [found(query)]
    except AmbiguousPlace as problem:
        return problem.candidates


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("東京都", "東京都"),
        ("横浜市", "神奈川県横浜市"),
        ("つくば市", "茨城県つくば市"),
        ("大島", "東京都大島"),
        ("鹿児島県", "鹿児島県"),
        ("北海道札幌市", "北海道札幌市"),
        ("東京都府中市", "東京都府中市"),
        ("広島府中市", "広島県府中市"),
        ("長野県 池田町", "長野県池田町"),
    ],
)
def test_an_exact_name_means_that_place(query: str, place: str) -> None:
    assert found(query) == place


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("東京", "東京都"),
        ("千葉", "千葉県"),
        ("青森", "青森県"),
        ("長崎", "長崎県"),
        ("福島", "福島県"),
        ("石川", "石川県"),
        ("渋谷", "東京都渋谷区"),
        ("別府", "大分県別府市"),
    ],
)
def test_a_name_without_its_ending_means_the_likeliest_place(query: str, place: str) -> None:
    assert found(query) == place


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "prefecture"),
    [
        ("京都", "京都府"),  # not 東京都, which holds 京都
        ("横浜", "神奈川県"),  # not 横浜町 of 青森
        ("川崎", "神奈川県"),  # not 川崎町 of 宮城
        ("神戸", "兵庫県"),  # not 神戸町 of 岐阜
        ("津", "三重県"),  # not 津軽
        ("広島", "広島県"),  # not 北広島
        ("仙台", "宮城県"),
        ("奈良", "奈良県"),
        ("北海道", "北海道"),  # exists only as a centre
        ("沖縄", "沖縄県"),  # no office bears the name
        ("山口", "山口県"),
        ("父島", "東京都"),
        ("池袋", "東京都"),
        ("日本橋", "東京都"),
    ],
)
def test_a_major_city_is_never_taken_for_a_namesake(query: str, prefecture: str) -> None:
    assert GAZETTEER.find(query).prefecture == prefecture


def test_a_city_that_was_split_is_found_by_its_old_name() -> None:
    assert found("広島市") == "広島県広島市中区"
    assert found("静岡").startswith("静岡県静岡市")


@requirement("W3")
def test_every_major_city_leads_to_a_place_of_the_list() -> None:
    assert [name for name in GAZETTEER._cities if not GAZETTEER._exact(name) and not GAZETTEER._major_city(name)] == []


def test_a_major_city_stays_found_when_the_agency_splits_it() -> None:
    kobe = AREA["class20s"]["2810000"]
    split = {**AREA["class20s"], "2810001": {**kobe, "name": "神戸市南部"}, "2810002": {**kobe, "name": "神戸市北部"}}
    del split["2810000"]
    assert Gazetteer({**AREA, "class20s": split}, {"神戸": "兵庫県神戸市"}).find("神戸").full_name == "兵庫県神戸市南部"


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("よこはま", "神奈川県横浜市"),
        ("ヨコハマ", "神奈川県横浜市"),
        ("Sapporo", "北海道札幌市"),
        ("KOBE", "兵庫県神戸市"),
        ("Tokyo", "東京都"),
    ],
)
def test_readings_and_romanised_names_are_understood(query: str, place: str) -> None:
    assert found(query) == place


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "place"), [("若松", "福島県会津若松市"), ("蘇村", "熊本県南阿蘇村"), ("原諸島", "東京都小笠原諸島")]
)
def test_part_of_a_name_is_the_last_resort_before_a_sentence(query: str, place: str) -> None:
    assert found(query) == place


@requirement("C4")
@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("東京の天気を教えて", "東京都"),
        ("大阪の明日の天気は？", "大阪府大阪市"),
        ("明日、札幌で傘は必要ですか", "北海道札幌市"),
        ("今日の長野県軽井沢町は晴れますか", "長野県軽井沢町"),
    ],
)
def test_a_sentence_is_searched_for_the_place_it_names(sentence: str, place: str) -> None:
    assert found(sentence) == place


@pytest.mark.parametrize(("query", "count"), [("池田町", 4), ("府中", 2), ("府中市", 2), ("美郷町", 3), ("川崎町", 2)])
def test_places_of_one_name_are_all_offered_and_each_offer_is_understood(query: str, count: int) -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find(query)
    assert len(caught.value.candidates) == count
    assert [found(candidate) for candidate in caught.value.candidates] == caught.value.candidates


@requirement("W4")
@pytest.mark.parametrize(
    "query",
    [
        "ロンドン",
        "パリ",
        "ローマ",
        "ニューヨーク",
        "北京",
        "上海",
        "台北",
        "ソウル",
        "ハワイ",
        "グアム",
        "バリ",
        "London",
        "Paris",
        "Seoul",
        "中国",
        "韓国",
        "アメリカ",
        "中央アフリカの天気は？",
        "今日は傘が必要？",
        "週間天気",
        "？？",
    ],
)
def test_what_lies_outside_japan_is_not_found_inside(query: str) -> None:
    with pytest.raises(UnknownPlace):
        GAZETTEER.find(query)


@requirement("W3")
def test_every_area_is_found_by_its_full_name_or_offered_among_its_namesakes() -> None:
    for place in GAZETTEER._places:
        assert place.full_name in meant_by(place.full_name)


def test_areas_of_different_levels_with_one_code_are_told_apart() -> None:
    office, region = GAZETTEER.find("大阪府"), GAZETTEER.find("福岡地方")
    assert (office.office, office.region) == ("270000", None)
    assert (region.office, region.region) == ("400000", "400010")


def test_the_name_of_no_place_is_taken_for_talk_about_the_weather() -> None:
    assert [place.name for place in GAZETTEER._places if names_no_place(place.name)] == []


@given(st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text_is_answered_with_a_place_or_a_refusal(text: str) -> None:
    try:
        meant = meant_by(text)
    except UnknownPlace:
        meant = []
    assert all(GAZETTEER.find(name).office in AREA["offices"] for name in meant)
