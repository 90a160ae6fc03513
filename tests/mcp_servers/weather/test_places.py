"""Which place a name means: every trap of the agency's list of areas."""

import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_servers.weather.places import AmbiguousPlace, Gazetteer, Place, UnknownPlace, WideRegion
from tests.mcp_servers.weather.recordings import AREA, GAZETTEER, NAMES
from tests.requirements import requirement
from tests.support.sampling import in_part, in_shares


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
        ("Kobe-shi", "兵庫県神戸市"),
        ("Shibuya-ku", "東京都渋谷区"),
        ("Chuo-ku, Tokyo", "東京都中央区"),
        ("Kita-ku, Osaka-shi, Japan", "大阪府大阪市北区"),
        ("Kita Ward, Sapporo", "北海道札幌市北区"),
        ("Hakone-machi", "神奈川県箱根町"),
        ("Osaka-fu", "大阪府"),
        ("Tokyo-to", "東京都"),
    ],
)
def test_an_address_is_read_as_it_is_written_in_latin_letters(query: str, place: str) -> None:
    assert found(query) == place


def test_a_ward_beside_no_city_or_two_words_with_a_hyphen_are_not_guessed() -> None:
    assert len(meant_by("Kita Ward")) > 5
    with pytest.raises(UnknownPlace):
        found("how-to")


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
    assert Gazetteer({**AREA, "class20s": split}, {"神戸": "兵庫県神戸市"}, NAMES).find("神戸").full_name == "兵庫県神戸市南部"


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
    ("query", "place"), [("津若松", "福島県会津若松市"), ("蘇村", "熊本県南阿蘇村"), ("原諸島", "東京都小笠原諸島")]
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


def test_a_city_that_another_prefecture_lists_in_parts_is_asked_about_too() -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find("伊達市の天気")
    assert caught.value.candidates == ["北海道伊達市", "福島県伊達市"]
    assert (found("北海道伊達市"), found("福島県伊達市")) == ("北海道伊達市伊達", "福島県伊達市")


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
@pytest.mark.parametrize("places", in_shares(GAZETTEER._places, of=5))
def test_every_area_is_found_by_its_full_name_or_offered_among_its_namesakes(places: list[Place]) -> None:
    for place in places:
        assert place.full_name in meant_by(place.full_name)


def test_areas_of_different_levels_with_one_code_are_told_apart() -> None:
    office, region = GAZETTEER.find("大阪府"), GAZETTEER.find("福岡地方")
    assert (office.office, office.region) == ("270000", None)
    assert (region.office, region.region) == ("400000", "400010")


def test_the_name_of_no_place_is_taken_for_talk_about_the_weather() -> None:
    assert [place.name for place in GAZETTEER._places if GAZETTEER.names_no_place(place.name)] == []


@given(st.text(max_size=30))
def test_any_text_is_answered_with_a_place_or_a_refusal(text: str) -> None:
    try:
        meant = meant_by(text)
    except UnknownPlace:
        meant = []
    assert all(GAZETTEER.find(name).office in AREA["offices"] for name in meant)


def test_the_171_wards_of_the_designated_cities_have_their_own_city_s_forecast() -> None:
    wards = [(city, ward) for city, wards in NAMES.wards.items() for ward in wards]
    assert len(wards) == 171
    for city, ward in wards:
        place = GAZETTEER.find(city + ward)
        assert place.name == city + ward
        own = [one for one in GAZETTEER._places if one.level == "class20s" and one.name.startswith(city)]
        assert (place.office, place.region) in [(one.office, one.region) for one in own]


@requirement("Y5")
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("大阪市北区", "大阪府大阪市北区"),
        ("札幌市中央区", "北海道札幌市中央区"),
        ("福岡市中央区の天気", "福岡県福岡市中央区"),
        ("札幌 中央区", "北海道札幌市中央区"),
        ("札幌の中央区は明日雨？", "北海道札幌市中央区"),
        ("広島市安佐北区", "広島県広島市安佐北区"),
        ("天王寺区", "大阪府大阪市天王寺区"),
        ("神奈川県川崎市中原区", "神奈川県川崎市中原区"),
        ("東京都北区", "東京都北区"),
        ("渋谷区", "東京都渋谷区"),
    ],
)
def test_a_ward_is_the_ward_of_the_city_that_is_named(query: str, place: str) -> None:
    assert found(query) == place


@requirement("Y5")
@pytest.mark.parametrize(
    ("query", "among"),
    [
        ("中央区", ["東京都中央区", "北海道札幌市中央区", "福岡県福岡市中央区"]),
        ("北区", ["東京都北区", "大阪府大阪市北区"]),
        ("港区の天気", ["東京都港区", "大阪府大阪市港区"]),
        ("緑区", ["神奈川県横浜市緑区", "神奈川県相模原市緑区"]),
        ("府中市", ["東京都府中市", "広島県府中市"]),
    ],
)
def test_a_name_of_several_places_asks_which_and_lists_them(query: str, among: list[str]) -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find(query)
    assert set(among) <= set(caught.value.candidates)
    assert [found(one) for one in caught.value.candidates] == caught.value.candidates


@requirement("Y5")
@pytest.mark.parametrize(
    "query", ["東北", "四国", "東海", "九州", "関東", "関西", "北陸の天気", "東海地方", "Kyushu", "Tohoku weather"]
)
def test_a_wide_region_is_no_town(query: str) -> None:
    with pytest.raises(UnknownPlace) as caught:
        GAZETTEER.find(query)
    assert isinstance(caught.value, WideRegion)


@requirement("Y5")
@pytest.mark.parametrize(
    ("query", "among"), [("Date", "福島県伊達市"), ("Kita ward", "大阪府大阪市北区"), ("Minato", "東京都港区")]
)
def test_what_is_asked_in_japanese_is_asked_in_english(query: str, among: str) -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find(query)
    assert among in caught.value.candidates


@requirement("Y5")
def test_an_english_ward_is_no_city_of_that_name() -> None:
    with pytest.raises(UnknownPlace):
        GAZETTEER.find("Midori ward")  # and not みどり市


@requirement("Y5")
@pytest.mark.parametrize("query", ["府中", "美浜町", "中央区", "伊達市"])
def test_the_english_names_of_places_that_are_asked_find_them(query: str) -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find(query)
    names = [GAZETTEER.english_name(one) for one in caught.value.candidates]
    assert [GAZETTEER.find(name) for name in names] == [GAZETTEER.find(one) for one in caught.value.candidates]
    assert any(name.isascii() for name in names)


@requirement("W3")
@pytest.mark.parametrize("reading", ["なは", "かが", "きょうと"])
def test_a_city_whose_reading_is_made_of_particles_is_a_place(reading: str) -> None:
    assert not GAZETTEER.names_no_place(reading)


@requirement("Y5")
@pytest.mark.parametrize("query", ["ここ", "うち", "うちの天気", "そこは雨？", "here", "weather at my place", "現在地の天気"])
def test_a_pronoun_is_no_town(query: str) -> None:
    assert GAZETTEER.names_no_place(query)
    with pytest.raises(UnknownPlace):
        GAZETTEER.find(query)


@requirement("Y5")
def test_a_place_abroad_is_not_taken_for_a_japanese_one_of_its_name() -> None:
    for query in (*NAMES.abroad, "weather in China", "Beijing, China", "Xyzzy", "うみのむこう", "What's", "NOT"):
        with pytest.raises(UnknownPlace):
            pytest.fail(f"{query} is {GAZETTEER.find(query)}")


@requirement("Y5")
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("名瀬", "鹿児島県奄美市"),
        ("Naze", "鹿児島県奄美市"),
        ("Naze, Kagoshima", "鹿児島県奄美市"),
        ("とうきょう", "東京都"),
        ("とうきょうの天気", "東京都"),
        ("トウキョウ", "東京都"),
        ("おおさか", "大阪府大阪市"),
        ("きょうとふ", "京都府"),
        ("Tokyo, Japan", "東京都"),
        ("Tōkyō", "東京都"),
        ("Toukyou", "東京都"),
        ("Osaka weather", "大阪府大阪市"),
        ("Sendai", "宮城県仙台市東部"),
        ("Sendai, Miyagi", "宮城県仙台市東部"),
        ("Hamamatsu City", "静岡県浜松市南部"),
        ("Otsu", "滋賀県大津市南部"),
        ("Toyota", "愛知県豊田市西部"),
        ("Sasebo", "長崎県佐世保市"),
        ("Sanyo Onoda", "山口県山陽小野田市"),
        ("Minoh", "大阪府箕面市"),
        ("Sakai", "大阪府堺市"),
        ("Ibaraki", "茨城県"),
        ("Ishikawa", "石川県"),
        ("Iwate", "岩手県"),
        ("Yamagata City", "山形県山形市"),
        ("Ichikawa", "千葉県市川市"),
        ("Hokkaido", "北海道札幌市"),
        ("Ōsaka", "大阪府大阪市"),
        ("Oosaka", "大阪府大阪市"),
        ("Kōbe", "兵庫県神戸市"),
        ("Will it rain in Sapporo tomorrow?", "北海道札幌市"),
        ("Fuchu, Hiroshima", "広島県府中市"),
        ("What's the weather in Naha?", "沖縄県那覇市"),
        ("Kōchi", "高知県高知市"),
        ("大阪", "大阪府大阪市"),
    ],
)
def test_other_spellings_of_a_place_mean_that_place(query: str, place: str) -> None:
    assert found(query) == place


@requirement("Y5")
def test_what_a_place_means_is_the_same_in_every_process() -> None:
    asked = ["大阪市北区の天気", "東京と大阪の天気", "札幌市中央区", "中央区", "府中", "明日の京都と奈良", "東北町の天気"]
    program = (
        "import json, sys\n"
        "from mcp_servers.weather.agency import DATA\n"
        "from mcp_servers.weather.places import *\n"
        "area, cities, names = (json.loads((DATA / f'{one}.json').read_text('utf-8')) for one in ('area', 'cities', 'names'))\n"
        "gazetteer = Gazetteer(area, cities, Names(**names))\n"
        "for query in sys.argv[1:]:\n"
        "    try:\n        print(ascii(gazetteer.find(query).full_name))\n"
        "    except (UnknownPlace, AmbiguousPlace) as problem:\n        print(ascii(problem.args))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program, *asked],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in range(3)
    }
    assert len(said) == 1


@requirement("W3")
@pytest.mark.parametrize("rest", ["る", "か", "ン"])
def test_a_single_kana_that_is_left_of_a_sentence_is_no_place(rest: str) -> None:
    with pytest.raises(UnknownPlace):
        GAZETTEER.find(rest)


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "among"),
    [
        ("きたく", ["東京都北区", "北海道札幌市北区"]),
        ("みなとく", ["東京都港区", "大阪府大阪市港区"]),
        ("中区", ["広島県広島市中区", "神奈川県横浜市中区"]),
        ("いずみし", ["大阪府和泉市", "鹿児島県出水市"]),
    ],
)
def test_a_reading_or_a_ward_of_several_cities_is_asked_about(query: str, among: list[str]) -> None:
    with pytest.raises(AmbiguousPlace) as caught:
        GAZETTEER.find(query)
    assert set(among) <= set(caught.value.candidates)


@requirement("W3")
@pytest.mark.parametrize(
    ("query", "name"), [("東京の北区", "東京都北区"), ("安佐南区", "広島県広島市安佐南区"), ("しぶやく", "東京都渋谷区")]
)
def test_a_ward_of_one_city_or_with_its_prefecture_is_known(query: str, name: str) -> None:
    assert GAZETTEER.find(query).full_name == name


@requirement("W3")
@pytest.mark.parametrize("start", in_part(range(4), every=4))
def test_every_capital_and_large_city_is_known_by_its_english_name_and_what_can_mean_several_is_asked(start: int) -> None:
    cities = {(area["name"].partition("市")[0], area["enName"]) for area in AREA["class20s"].values() if "市" in area["name"][1:]}
    plain = {(name, re.sub(r"^(Eastern|Western|Northern|Southern) | City$", "", english)) for name, english in cities}
    wrong = []
    for name, english in sorted((name, english) for name, english in plain if re.fullmatch("[A-Za-z]+", english))[start::4]:
        try:
            found = GAZETTEER.find(english).full_name
        except AmbiguousPlace as problem:
            found = " ".join(problem.candidates)
        except UnknownPlace:
            found = "nothing"
        if name not in found:
            wrong.append((name, english, found))
    assert {english for _, english, _ in wrong} <= {"Ibaraki", "Sakai", "Tokai", "Usa", "Yamagata"}
