"""Resolves place names to the agency's area codes.

It tries an exact name, then a major city, a prefix, a part of a name, and a name in a sentence; the first that matches decides.
No table contains codes, because municipalities split and merge every year. Even the table of major cities contains names.
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
"""In the order of JIS X 0401. The first two digits of every area code are the number (from 01) of the prefecture."""

LEVELS = ("offices", "class20s", "class10s", "class15s")
"""The levels of `area.json`, beginning with the most likely meaning of a name."""

# fmt: off
SUFFIXES = (
    "都", "府", "県", "市", "し", "city", "区", "く", "ward",
    "町", "ちょう", "まち", "town", "村", "そん", "むら", "village",
)
# fmt: on
"""What people omit from a name, the most likely first: 横浜 means 横浜市 rather than 横浜町."""

LATIN_SUFFIXES = ("city", "ward", "town", "village", "prefecture", "region", "island")

_PARTICLES = tuple("のはでにもへをがって、。,.?!？！都府県市区町村")

_EXCEPT = re.compile("（.*除く）")
_WARD = re.compile("[^市]+市([^市]+区)")
_PART = re.compile(r"^(?:Eastern|Western|Northern|Southern) (?=.* City$)|\s*\(.*\)")
"""What the agency adds to the English name of a part of a city."""


@dataclass(frozen=True)
class Names:
    """Names that are missing in the agency's list, and words that are not names (`data/names.json`)."""

    wards: Mapping[str, list[str]]
    """City → its wards."""
    wards_elsewhere: Mapping[str, str]
    """Ward → the part of the city it is in, if the agency divides the city and it is not in the first part."""
    prefecture_readings: list[str]
    regions: list[str]
    """Parts of Japan that are too wide for one forecast. Some are the beginning of a town's name."""
    pronouns: list[str]
    about_weather: list[str]
    """Words and marks of a question about the weather that names no place."""
    abroad: list[str]
    """Places abroad that could be mistaken for a Japanese place (China for 知名町)."""
    english_words: list[str]
    """Words of an English question besides the place."""


@dataclass(frozen=True)
class Place:
    """One area of one level. `region`: the code of its class10; None for the area of a whole forecast office."""

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
    """The query matches no area of Japan."""


class WideRegion(UnknownPlace):
    """The query names a part of Japan that has no forecast of its own, such as 東北."""


class AmbiguousPlace(Exception):
    """Several areas have the same name. Each of `candidates`, their full names, can be found."""

    def __init__(self, query: str, candidates: list[str]) -> None:
        super().__init__(query)
        self.candidates = candidates


class Gazetteer:
    """Finds the places of one `area.json`."""

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
        """Whether a text is only about the weather and the asker (うちは傘が必要？), so that it names no place."""
        words = latin_words(text)
        ignored = {fold(word) for word in self._names.pronouns} | self._english
        if words:
            return set(words) <= ignored
        folded = fold(text)
        if self._no_place.fullmatch(folded) is None:
            return False
        # なは consists of two particles but is also the reading of a city, unlike か or うち
        city = any({folded, f"{folded}し"} & set(place.readings) for place in self._places)
        return not city or folded in ignored or folded in self._names.about_weather

    def find(self, query: str) -> Place:
        """Find the place that `query` means: a name, a reading, a romanised name, or a sentence that contains one.

        Raises WideRegion, UnknownPlace or AmbiguousPlace, upon which the asker has to give another name.
        """
        if words := latin_words(query):
            return self._find_latin(query, words)
        folded = fold(query)
        if folded.rstrip("?？。") in self._regions:
            raise WideRegion(query)
        if folded in self._abroad or not folded:
            raise UnknownPlace(query)
        folded = fold(self._readings.get(folded, folded))
        is_one_kana = re.fullmatch("[\u3040-\u30ff]", folded)  # る does not mean つがる市
        for stage in (self._exact, self._major_city, *(() if is_one_kana else (self._prefix, self._partial))):
            if hits := stage(folded):
                return self._the_only(folded, _choose(folded, hits))
        if (mention := self._mention(folded)) and mention != folded:
            return self._find_mentioned(mention, folded)
        raise WideRegion(query) if any(region in folded for region in self._regions) else UnknownPlace(query)

    def english_name(self, full_name: str) -> str:
        """Return a place's English name, such as `Fuchu City, Tokyo`, or the given name if the English one is ambiguous."""
        place = self.find(full_name)
        if place.name.endswith("区") and place.name not in self._area[place.level][place.code]["name"]:
            return full_name  # a ward, whose English name is not in the list
        prefecture = "Hokkaido" if place.prefecture == PREFECTURES[0] else self._area["offices"][place.office]["enName"]
        name = f"{_PART.sub('', self._area[place.level][place.code]['enName'])}, {prefecture}"
        try:
            return name if self.find(name) == place else full_name
        except (UnknownPlace, AmbiguousPlace):
            return full_name

    def _the_only(self, folded: str, place: Place) -> Place:
        """Return the place, unless another prefecture has a city of the same name that is listed in parts (伊達市). In that case
        raise AmbiguousPlace."""
        if folded.endswith("市") and place.name == folded:
            elsewhere = {one.prefecture for one in self._places if one.name.startswith(folded)} - {place.prefecture}
            if elsewhere:
                raise AmbiguousPlace(folded, sorted([place.full_name, *(prefecture + folded for prefecture in elsewhere)]))
        return place

    def _find_mentioned(self, mention: str, sentence: str) -> Place:
        """Find the place that a sentence mentions. Of several, take that whose city or prefecture it names too (札幌の中央区)."""
        try:
            return self.find(mention)
        except AmbiguousPlace as problem:
            rest = sentence.replace(mention, "|")
            near = [name for name in problem.candidates if any(part in rest for part in _parts_before(name, mention))]
            if len(near) != 1:
                raise
            return self.find(near[0])

    def _find_latin(self, query: str, words: list[str]) -> Place:
        """Find a place by whole words only, so that China is not a part of China Town, nor Kyo of Kyoto."""
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
            if not hits and name in self._cities:
                return self.find(self._cities[name])
            others = names[:at] + names[at + size :]
            named = set(others)
            within = [place for place in hits if named & {fold(self._area["offices"][place.office]["enName"])}]
            if name == "hokkaido":  # it has several offices, so its English name is not in the list
                return self.find(PREFECTURES[0])
            if hits:
                place = self._choose_latin(name, within or hits)
                if "ward" in named and not place.name.endswith("区"):
                    continue  # Midori Ward is not みどり市, and Kita-ku, Osaka-shi is not the whole city
                if place.name[-1] not in "市区" or within:
                    return place
                # ask again in Japanese, because the list lacks English names of wards and of cities that are listed in parts
                return self._part_of(place.name, [one for one in others if one not in ("ward", "city")], query)
        raise UnknownPlace(query)

    def _part_of(self, name: str, others: list[str], query: str) -> Place:
        """Find a place by its Japanese name. One of several is chosen by the city that is named beside it (Kita Ward, Osaka)."""
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
        """Choose one of several places of the same romanised name.

        A prefecture is preferred to a city of another prefecture (Ibaraki), but its own city of that name to it (Osaka). Cities
        are preferred to towns, and large cities to others (Sakai). Raises AmbiguousPlace if several cities are left.
        """
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
        """Return the class10 codes that belong to an office."""
        return frozenset(code for code, area in self._area["class10s"].items() if area["parent"] == office)

    def region_name(self, code: str) -> str:
        """Return the name of a class10, or its code if it is not listed yet."""
        return str(self._area["class10s"].get(code, {}).get("name", code))

    def _place(self, level: str, code: str) -> Place:
        area = self._area[level][code]
        name = _EXCEPT.sub("", area["name"])
        prefecture = PREFECTURES[int(code[:2]) - 1]
        folded, before = fold(name), fold(prefecture)  # folded separately because `fold` is slow and its results are cached
        keys: tuple[str, ...] = (folded, before + folded, before.rstrip("都府県") + folded)
        if ward := _WARD.fullmatch(name):  # 広島市中区 is one of several 中区
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
        # a reading may lack only its ending, so うち does not mean うちなだ町
        return [
            place
            for place in self._places
            if any(key.startswith(folded) for key in place.keys)
            or any(reading.startswith(folded) and reading.removeprefix(folded) in SUFFIXES for reading in place.readings)
        ]

    def _partial(self, folded: str) -> list[Place]:
        # only names, because a reading within another is coincidence (ばり, Bali, is in なばりし)
        return [place for place in self._places if folded in place.keys[1]]

    @cached_property
    def _short_names(self) -> list[str]:
        names = {key for place in self._places for key in place.keys}
        names |= {name[:-1] for name in names if name[-1] in "都府県市区町村"}
        names |= self._cities.keys()
        names |= {kana for kana in self._readings if len(kana) > 2}  # なら and さが are usually parts of other words
        return sorted((name for name in names if len(name) > 1), key=lambda name: (-len(name), name))

    def _mention(self, sentence: str) -> str | None:
        """Return the longest known name in a sentence, if a particle or nothing follows it (unlike 中央 in 中央アフリカ)."""
        for name in self._short_names:
            _, found, after = sentence.partition(name)
            if found and (not after or after.startswith(_PARTICLES)):
                return name
        return None


def _wards(listed: list[Place], names: Names) -> Iterator[Place]:
    """Yield the wards that are not in the list, each with the forecast of its city or part of the city."""
    lowest = [place for place in listed if place.level == "class20s"]
    readings = {place.name: place.readings[:1] for place in reversed(listed)}  # that of the first place of a name
    for city, wards in names.wards.items():
        parts = [place for place in lowest if place.name.startswith(city)]
        for ward in wards if parts and not any(place.name == city + wards[0] for place in parts) else ():
            elsewhere = names.wards_elsewhere.get(city + ward)
            within = next((place for place in parts if place.name == elsewhere), parts[0])
            full = city + ward
            short = fold(within.prefecture).rstrip("都府県")
            spellings = (full, within.prefecture + full, short + full, city[:-1] + ward, ward)
            spoken = readings.get(ward, ())  # of a listed ward of that name, so that きたく does not mean that of Tokyo only
            yield replace(within, name=full, keys=tuple(map(fold, spellings)), readings=spoken)


def _parts_before(name: str, mention: str) -> list[str]:
    """Return the city and the prefecture before the mentioned part of a full name, without their endings."""
    before = fold(name).partition(mention)[0]
    prefecture = next((one for one in PREFECTURES if before.startswith(one)), "")
    return [re.sub("[都府県市]$", "", part) for part in (before.removeprefix(prefecture), prefecture) if part]


def _code(place: Place) -> str:
    return place.code


def _city(place: Place) -> str:
    """Return the city that a place is or is a part of (仙台市東部); empty for other places (市川三郷町)."""
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
    """Whether one word can mean both places: they have the same name, or the word is the last part of both names or their
    reading."""
    spelt = fold(place.name).endswith(folded) and folded in place.keys
    spoken = folded in place.readings and folded in best.readings
    return place.name == best.name or (place.level == best.level and (spelt or spoken))


def _rank(folded: str, place: Place) -> tuple[int, int, str]:
    readings = place.keys + place.readings
    endings = [index for index, suffix in enumerate(SUFFIXES) if folded + suffix in readings]
    return min(endings, default=len(SUFFIXES)), LEVELS.index(place.level), place.code
