"""Resolves place names to the agency's area codes.

The stages are exact → major city → prefix → partial → named in a sentence; the first with a hit decides. Codes are never
kept: municipalities split and merge every year, so even the table of major cities holds names and is looked up.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mcp_servers.weather.spelling import fold, latin_words

# fmt: off
PREFECTURES = (
    "北海道", "青森県", "岩手県", "宮城県", "秋田県", "山形県", "福島県", "茨城県",
    "栃木県", "群馬県", "埼玉県", "千葉県", "東京都", "神奈川県", "新潟県", "富山県",
    "石川県", "福井県", "山梨県", "長野県", "岐阜県", "静岡県", "愛知県", "三重県",
    "滋賀県", "京都府", "大阪府", "兵庫県", "奈良県", "和歌山県", "鳥取県", "島根県",
    "岡山県", "広島県", "山口県", "徳島県", "香川県", "愛媛県", "高知県", "福岡県",
    "佐賀県", "長崎県", "熊本県", "大分県", "宮崎県", "鹿児島県", "沖縄県",
)
# fmt: on
"""In the order of JIS X 0401: the first two digits of every area code count into this list, from 01."""

LEVELS = ("offices", "class20s", "class10s", "class15s")
"""The levels of `area.json`, likeliest meaning of a bare name first."""

# fmt: off
SUFFIXES = (
    "都", "府", "県", "市", "し", "city", "区", "く", "ward",
    "町", "ちょう", "まち", "town", "村", "そん", "むら", "village",
)
# fmt: on
"""What people leave off a name, likeliest first: 横浜 is 横浜市 before 横浜町."""

LATIN_SUFFIXES = ("city", "ward", "town", "village", "prefecture", "region", "island")

_PARTICLES = tuple("のはでにもへをがって、。,.?!？！都府県市区町村")

_EXCEPT = re.compile("（.*除く）")
_WARD = re.compile("[^市]+市([^市]+区)")
_PART = re.compile(r"^(?:Eastern|Western|Northern|Southern) (?=.* City$)|\s*\(.*\)")
"""What the agency adds to the English name of a city that it lists in parts."""


@dataclass(frozen=True)
class Names:
    """Names that the agency's list does not have, and words that are no names (`data/names.json`)."""

    wards: Mapping[str, list[str]]
    """The wards of the cities that have them."""
    wards_elsewhere: Mapping[str, str]
    """Wards of a divided city that lie in another part than its first."""
    prefecture_readings: list[str]
    regions: list[str]
    """Parts of Japan too wide for one forecast, some of which begin the name of a town."""
    pronouns: list[str]
    about_weather: list[str]
    """What a question holds that asks for the weather and names no place; the last are particles and marks."""
    abroad: list[str]
    """Places abroad whose names a Japanese place has or begins with (China is 知名町, too)."""
    english_words: list[str]
    """What an English question holds beside the place."""


@dataclass(frozen=True)
class Place:
    """One area of one level; `region` is its class10, or None where it is a whole forecast office."""

    level: str
    code: str
    name: str
    prefecture: str
    office: str
    region: str | None
    keys: tuple[str, ...]
    readings: tuple[str, ...]

    @property
    def full_name(self) -> str:
        """The name with its prefecture, once."""
        return self.name if self.name.startswith(self.prefecture) else self.prefecture + self.name


class UnknownPlace(Exception):
    """No area of Japan answers to the query."""


class WideRegion(UnknownPlace):
    """The query names a part of Japan that has no forecast of its own, such as 東北."""


class AmbiguousPlace(Exception):
    """Several areas of exactly one name; `candidates` are their full names, each of which is found as it stands."""

    def __init__(self, query: str, candidates: list[str]) -> None:
        super().__init__(query)
        self.candidates = candidates


class Gazetteer:
    """The places of one `area.json`, searchable."""

    def __init__(self, area: Mapping[str, Any], cities: Mapping[str, str], names: Names) -> None:
        self._area, self._names = area, names
        listed = [self._place(level, code) for level in LEVELS for code in sorted(area[level])]
        self._places = [*listed, *_wards(listed, names)]
        self._cities = {fold(name): fold(target) for name, target in cities.items()}
        self._readings = {fold(kana): name for kana, name in zip(names.prefecture_readings, PREFECTURES, strict=True)}
        self._readings |= {
            re.sub("(けん|ふ|(?<=きょう)と)$", "", kana): name[:-1] for kana, name in self._readings.items() if name != "北海道"
        }
        self._regions = frozenset(map(fold, names.regions))
        self._abroad = frozenset(map(fold, names.abroad))
        self._english = frozenset(map(fold, names.english_words))
        pronouns = "|".join(map(re.escape, sorted(map(fold, names.pronouns), key=lambda word: (-len(word), word))))
        self._no_place = re.compile(f"(?:{'|'.join(map(re.escape, names.about_weather))}|{pronouns})*")

    def names_no_place(self, text: str) -> bool:
        """Whether a text speaks of nothing but the weather and the asker (うちは傘が必要？), so that it means no place."""
        words = latin_words(text)
        ignored = {fold(word) for word in self._names.pronouns} | self._english
        if words:
            return set(words) <= ignored
        folded = fold(text)
        if self._no_place.fullmatch(folded) is None:
            return False
        # なは is made of two particles and yet the reading of a city, unlike か or うち
        city = any({folded, f"{folded}し"} & set(place.readings) for place in self._places)
        return not city or folded in ignored or folded in self._names.about_weather

    def find(self, query: str) -> Place:
        """The place meant by `query`: a name, a reading, a romanised name, or a sentence that holds one.

        Raises WideRegion, UnknownPlace or AmbiguousPlace; whoever asked can mend all of them by another name.
        """
        if words := latin_words(query):
            return self._find_latin(query, words)
        folded = fold(query)
        if folded.rstrip("?？。") in self._regions:
            raise WideRegion(query)
        if folded in self._abroad or not folded:
            raise UnknownPlace(query)
        folded = fold(self._readings.get(folded, folded))
        guesses = () if re.fullmatch("[\u3040-\u30ff]", folded) else (self._prefix, self._partial)  # つがる市 is nobody's る
        for stage in (self._exact, self._major_city, *guesses):
            if hits := stage(folded):
                return self._the_only(folded, _choose(folded, hits))
        if (mention := self._mention(folded)) and mention != folded:
            return self._find_mentioned(mention, folded)
        raise WideRegion(query) if any(region in folded for region in self._regions) else UnknownPlace(query)

    def english_name(self, full_name: str) -> str:
        """A place's name as an English reader would give it, such as `Fuchu City, Tokyo`; as it is where that finds another."""
        place = self.find(full_name)
        if place.name.endswith("区") and place.name not in self._area[place.level][place.code]["name"]:
            return full_name  # a ward, whose English name the list does not have
        prefecture = "Hokkaido" if place.prefecture == PREFECTURES[0] else self._area["offices"][place.office]["enName"]
        name = f"{_PART.sub('', self._area[place.level][place.code]['enName'])}, {prefecture}"
        try:
            return name if self.find(name) == place else full_name
        except (UnknownPlace, AmbiguousPlace):
            return full_name

    def _the_only(self, folded: str, place: Place) -> Place:
        """The place, where no other prefecture has a city of that name that is listed in parts (伊達市 of Hokkaido)."""
        if folded.endswith("市") and place.name == folded:
            elsewhere = {one.prefecture for one in self._places if one.name.startswith(folded)} - {place.prefecture}
            if elsewhere:
                raise AmbiguousPlace(folded, sorted([place.full_name, *(prefecture + folded for prefecture in elsewhere)]))
        return place

    def _find_mentioned(self, mention: str, sentence: str) -> Place:
        """The place a sentence names; of several of one name, the one whose city or prefecture it names too (札幌の中央区)."""
        try:
            return self.find(mention)
        except AmbiguousPlace as problem:
            rest = sentence.replace(mention, "|")
            near = [name for name in problem.candidates if any(part in rest for part in _parts_before(name, mention))]
            if len(near) != 1:
                raise
            return self.find(near[0])

    def _find_latin(self, query: str, words: list[str]) -> Place:
        """Exact words only: China is no beginning of China Town, nor Kyo of Kyoto."""
        if self._abroad & set(words):
            raise UnknownPlace(query)
        names = [word for word in words if word not in self._english]
        if set(names) & self._regions:
            raise WideRegion(query)
        found = [(size, at) for size in range(len(names), 0, -1) for at in range(len(names) - size + 1)]
        for size, at in found:
            name = "".join(names[at : at + size])
            spelled = {name, *(name + ending for ending in LATIN_SUFFIXES)}
            hits = [place for place in self._places if not spelled.isdisjoint(place.readings)]
            others = names[:at] + names[at + size :]
            named = set(others)
            within = [place for place in hits if named & {fold(self._area["offices"][place.office]["enName"])}]
            if name == "hokkaido":  # the one prefecture that has several offices, and so no English name in the list
                return self.find(PREFECTURES[0])
            if hits:
                place = self._choose_latin(name, within or hits)
                # asked in Japanese, asked in English: the list lacks readings of wards, and has odd ones of cities in parts
                if "ward" in named and not place.name.endswith("区"):
                    continue  # Midori Ward is no みどり市, and Kita-ku, Osaka-shi another place than the city
                if place.name[-1] not in "市区" or within:
                    return place
                return self._part_of(place.name, [one for one in others if one not in ("ward", "city")], query)
        raise UnknownPlace(query)

    def _part_of(self, name: str, others: list[str], query: str) -> Place:
        """The place of a Japanese name; one of several is chosen by the city that stands beside it (Kita Ward, Osaka)."""
        try:
            return self.find(name)
        except AmbiguousPlace as several:
            try:
                whole = self._find_latin(query, others).full_name
            except (UnknownPlace, AmbiguousPlace):
                raise several from None
            (only, *more) = [one for one in several.candidates if one.startswith(whole)] or several.candidates
            if more:
                raise
            return self.find(only)

    def _choose_latin(self, name: str, hits: list[Place]) -> Place:
        """A prefecture goes before another's city (Ibaraki), and its own city of that name before it (Osaka); then cities go
        before towns, and one of the twenty large ones before the others (Sakai). What is left in several prefectures is asked."""
        prefectures = [one for one in hits if one.level == "offices"]
        cities = [one for one in hits if _city(one) or (one.prefecture == "東京都" and one.name.endswith("区"))]
        if prefectures:
            return min((one for one in cities if one.prefecture == prefectures[0].prefecture), key=_code, default=prefectures[0])
        large = [one for one in cities if _city(one) in self._names.wards or _city(one)[:-1] == one.prefecture[:-1]]
        left = large or cities
        candidates = sorted({one.prefecture + (_city(one) or one.name) for one in left})
        if len(candidates) > 1:
            raise AmbiguousPlace(name, candidates)
        return min(left, key=_code) if left else _choose(name, hits)

    def regions(self, office: str) -> frozenset[str]:
        """The class10 codes that belong to an office."""
        return frozenset(code for code, area in self._area["class10s"].items() if area["parent"] == office)

    def region_name(self, code: str) -> str:
        """The name of a class10, or its code where a new one is not listed yet."""
        return str(self._area["class10s"].get(code, {}).get("name", code))

    def _place(self, level: str, code: str) -> Place:
        area = self._area[level][code]
        name = _EXCEPT.sub("", area["name"])
        prefecture = PREFECTURES[int(code[:2]) - 1]
        folded, before = fold(name), fold(prefecture)  # fold is slow, and spells what stands side by side as it does each alone
        keys: tuple[str, ...] = (folded, before + folded, before.rstrip("都府県") + folded)
        if ward := _WARD.fullmatch(name):  # 広島市中区 is one of several 中区, too
            keys += (fold(ward[1]),)
        readings = tuple(fold(area[key]) for key in ("kana", "enName") if key in area)
        readings += ("".join(latin_words(_PART.sub("", area["enName"]))),)
        return Place(level, code, name, prefecture, *self._above(level, code), keys, readings)

    def _above(self, level: str, code: str) -> tuple[str, str | None]:
        region = None
        while level != "offices":
            region = code if level == "class10s" else None
            code = self._area[level][code]["parent"]
            level = {"class20s": "class15s", "class15s": "class10s", "class10s": "offices"}[level]
        return code, region

    def _exact(self, folded: str) -> list[Place]:
        return [place for place in self._places if folded in place.keys or folded in place.readings]

    def _major_city(self, folded: str) -> list[Place]:
        target = self._cities.get(folded)
        return [place for place in self._places if target and place.keys[1].startswith(target)][:1]

    def _prefix(self, folded: str) -> list[Place]:
        # A reading may lack its ending and no more: うち is no うちなだ町.
        return [
            place
            for place in self._places
            if any(key.startswith(folded) for key in place.keys)
            or any(reading.startswith(folded) and reading.removeprefix(folded) in SUFFIXES for reading in place.readings)
        ]

    def _partial(self, folded: str) -> list[Place]:
        # Names only: a reading inside another reading is chance (ばり, Bali, is inside なばりし).
        return [place for place in self._places if folded in place.keys[1]]

    @cached_property
    def _short_names(self) -> list[str]:
        names = {key for place in self._places for key in place.keys}
        names |= {name[:-1] for name in names if name[-1] in "都府県市区町村"}
        names |= self._cities.keys()
        names |= {kana for kana in self._readings if len(kana) > 2}  # なら and さが are parts of sentences more often than names
        return sorted((name for name in names if len(name) > 1), key=lambda name: (-len(name), name))

    def _mention(self, sentence: str) -> str | None:
        """The longest known name in a sentence, if what follows it lets it be a name (中央 in 中央アフリカ is none)."""
        for name in self._short_names:
            _, found, after = sentence.partition(name)
            if found and (not after or after.startswith(_PARTICLES)):
                return name
        return None


def _wards(listed: list[Place], names: Names) -> Iterator[Place]:
    """The wards that the list does not have, each with the forecast of its city or of its part of the city."""
    lowest = [place for place in listed if place.level == "class20s"]
    readings = {place.name: place.readings[:1] for place in reversed(listed)}  # of several, the first listed
    for city, wards in names.wards.items():
        parts = [place for place in lowest if place.name.startswith(city)]
        for ward in wards if parts and not any(place.name == city + wards[0] for place in parts) else ():
            elsewhere = names.wards_elsewhere.get(city + ward)
            within = next((place for place in parts if place.name == elsewhere), parts[0])
            full = city + ward
            short = fold(within.prefecture).rstrip("都府県")
            spellings = (full, within.prefecture + full, short + full, city[:-1] + ward, ward)
            spoken = readings.get(ward, ())  # きたく is no ward of Tokyo alone
            yield replace(within, name=full, keys=tuple(map(fold, spellings)), readings=spoken)


def _parts_before(name: str, mention: str) -> list[str]:
    """The city and the prefecture in a full name before the part that was mentioned, without their endings."""
    before = fold(name).partition(mention)[0]
    prefecture = next((one for one in PREFECTURES if before.startswith(one)), "")
    return [re.sub("[都府県市]$", "", part) for part in (before.removeprefix(prefecture), prefecture) if part]


def _code(place: Place) -> str:
    return place.code


def _city(place: Place) -> str:
    """The city that a place is, or is a part of (仙台市東部); empty for others (市川三郷町)."""
    found = re.fullmatch(r"(.+?市)(?:.*部)?", place.name)
    return found.group(1) if found and place.level != "offices" else ""


def _choose(folded: str, hits: list[Place]) -> Place:
    best = min(hits, key=lambda place: _rank(folded, place))
    same = [place for place in hits if _same_name(folded, place, best) and _rank(folded, place)[0] == _rank(folded, best)[0]]
    candidates = sorted({place.full_name for place in same})
    if len(candidates) > 1 and len({(place.office, place.region) for place in same}) > 1:
        raise AmbiguousPlace(folded, candidates)
    return best


def _same_name(folded: str, place: Place, best: Place) -> bool:
    """Whether two places can be meant by one word: they have one name, or are wards (or a city's like) of which it is the last
    part."""
    spelt = fold(place.name).endswith(folded) and folded in place.keys
    spoken = folded in place.readings and folded in best.readings
    return place.name == best.name or (place.level == best.level and (spelt or spoken))


def _rank(folded: str, place: Place) -> tuple[int, int, str]:
    readings = place.keys + place.readings
    endings = [index for index, suffix in enumerate(SUFFIXES) if folded + suffix in readings]
    return min(endings, default=len(SUFFIXES)), LEVELS.index(place.level), place.code
