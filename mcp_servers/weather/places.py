"""Finds a place of Japan in the agency's `area.json` by the name people use, or says which places it could be.

The stages are exact → major city → prefix → partial → named in a sentence; the first with a hit decides. Codes are never
kept: municipalities split and merge every year, so even the table of major cities holds names and is looked up.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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

_PARTICLES = tuple("のはでにもへをがって、。,.?!？！都府県市区町村")

_ABOUT_WEATHER = re.compile(
    "(今日|きょう|本日|明日|あした|あす|今週|来週|週間|週末|午前|午後|朝|昼|夜|天気|予報|傘|かさ|雨|雪|風|気温|最高|最低|降水|確率|"
    "必要|要る|いる|いります|いりません|持って|行く|行った|ほう|方|いい|よい|教えて|知りたい|ください|下さい|です|ます|でしょう|どう|"
    "降る|降り|降ら|晴れ|曇り|寒い|暑い|今|か|は|が|の|を|に|も|で|と|って|な|ね|よ|[?!。、.])*"
)


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


class AmbiguousPlace(Exception):
    """Several areas of exactly one name; `candidates` are their full names, each of which is found as it stands."""

    def __init__(self, query: str, candidates: list[str]) -> None:
        super().__init__(query)
        self.candidates = candidates


def fold(text: str) -> str:
    """The form in which names are compared: NFKC, lower case, hiragana, no spaces."""
    text = re.sub(r"[\s,]+", "", unicodedata.normalize("NFKC", text).casefold()).replace("ヶ", "ケ")
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def names_no_place(text: str) -> bool:
    """Whether a text speaks of nothing but the weather (今日は傘が必要？), so that no place can be meant by it."""
    return _ABOUT_WEATHER.fullmatch(fold(text)) is not None


class Gazetteer:
    """The places of one `area.json`, searchable."""

    def __init__(self, area: Mapping[str, Any], cities: Mapping[str, str]) -> None:
        self._area = area
        self._places = [self._place(level, code) for level in LEVELS for code in sorted(area[level])]
        self._cities = {fold(name): fold(target) for name, target in cities.items()}
        self._short_names = self._collect_short_names()

    def find(self, query: str) -> Place:
        """The place meant by `query`: a name, a reading, a romanised name, or a sentence that holds one.

        Raises UnknownPlace or AmbiguousPlace; whoever asked can mend both by another name.
        """
        wanted = fold(query)
        for stage in (self._exact, self._major_city, self._prefix, self._partial):
            if wanted and (hits := stage(wanted)):
                return _choose(wanted, hits)
        if (mention := self._mention(wanted)) and mention != wanted:
            return self.find(mention)
        raise UnknownPlace(query)

    def regions(self, office: str) -> frozenset[str]:
        """The class10 codes that belong to an office."""
        return frozenset(code for code, area in self._area["class10s"].items() if area["parent"] == office)

    def region_name(self, code: str) -> str:
        """The name of a class10, or its code where a new one is not listed yet."""
        return str(self._area["class10s"].get(code, {}).get("name", code))

    def _place(self, level: str, code: str) -> Place:
        area = self._area[level][code]
        name = re.sub(r"（.*除く）", "", area["name"])
        prefecture = PREFECTURES[int(code[:2]) - 1]
        short = fold(prefecture).rstrip("都府県")
        keys = (fold(name), fold(prefecture + name), short + fold(name))
        readings = tuple(fold(area[key]) for key in ("kana", "enName") if key in area)
        return Place(level, code, name, prefecture, *self._above(level, code), keys, readings)

    def _above(self, level: str, code: str) -> tuple[str, str | None]:
        region = None
        while level != "offices":
            region = code if level == "class10s" else None
            code = self._area[level][code]["parent"]
            level = {"class20s": "class15s", "class15s": "class10s", "class10s": "offices"}[level]
        return code, region

    def _exact(self, wanted: str) -> list[Place]:
        return [place for place in self._places if wanted in place.keys or wanted in place.readings]

    def _major_city(self, wanted: str) -> list[Place]:
        target = self._cities.get(wanted)
        return [place for place in self._places if target and place.keys[1].startswith(target)][:1]

    def _prefix(self, wanted: str) -> list[Place]:
        return [place for place in self._places if any(key.startswith(wanted) for key in place.keys + place.readings)]

    def _partial(self, wanted: str) -> list[Place]:
        # Names only: a reading inside another reading is chance (ばり, Bali, is inside なばりし).
        return [place for place in self._places if wanted in place.keys[1]]

    def _collect_short_names(self) -> list[str]:
        names = {key for place in self._places for key in place.keys}
        names |= {name[:-1] for name in names if name[-1] in "都府県市区町村"}
        names |= self._cities.keys()
        return sorted((name for name in names if len(name) > 1), key=len, reverse=True)

    def _mention(self, sentence: str) -> str | None:
        """The longest known name in a sentence, if what follows it lets it be a name (中央 in 中央アフリカ is none)."""
        for name in self._short_names:
            _, found, after = sentence.partition(name)
            if found and (not after or after.startswith(_PARTICLES)):
                return name
        return None


def _choose(wanted: str, hits: list[Place]) -> Place:
    best = min(hits, key=lambda place: _rank(wanted, place))
    same = [place for place in hits if place.name == best.name and _rank(wanted, place)[0] == _rank(wanted, best)[0]]
    if len({place.office for place in same}) > 1:
        raise AmbiguousPlace(wanted, sorted({place.full_name for place in same}))
    return best


def _rank(wanted: str, place: Place) -> tuple[int, int, str]:
    spoken = place.keys + place.readings
    endings = [index for index, suffix in enumerate(SUFFIXES) if wanted + suffix in spoken]
    return min(endings, default=len(SUFFIXES)), LEVELS.index(place.level), place.code
