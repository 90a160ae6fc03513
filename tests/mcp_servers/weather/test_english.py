"""The forecast in English: fixed words and official romaji, and no Japanese left in an answer."""

import json
import re
from itertools import product, starmap

import pytest
from blockbuster import blockbuster_ctx
from mcp import Client
from mcp.types import TextContent

from mcp_servers.weather import agency
from mcp_servers.weather.english import English
from mcp_servers.weather.server import Forecaster, create_server
from tests.mcp_servers.weather.test_server import NOON
from tests.requirements import requirement
from tests.support.jma import running_jma
from tests.support.sampling import in_part

TELOPS = json.loads((agency.DATA / "constants.json").read_text(encoding="utf-8"))["telops"]
GLOSSARY = json.loads((agency.DATA / "english.json").read_text(encoding="utf-8"))
AREA = json.loads((agency.DATA / "area.json").read_text(encoding="utf-8"))
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@pytest.fixture(scope="module")
def english() -> English:
    return English(AREA, TELOPS, GLOSSARY)


@pytest.mark.parametrize(
    ("japanese", "said"),
    [
        ("くもり　夕方　から　雨", "cloudy from evening rain"),
        ("晴時々曇", "clear, at times cloudy"),
        ("南の風　海上　では　南西の風　やや強く", "south wind, at sea south-west wind rather strong"),
        ("１．５メートル　後　１メートル", "1.5 m, later 1 m"),
    ],
)
def test_fixed_words_are_translated(english: English, japanese: str, said: str) -> None:
    assert english.words(japanese) == said


def test_every_weather_code_has_words_in_english(english: English) -> None:
    assert [telop for telop in TELOPS.values() if not english.words(telop)] == []


def test_a_phrase_with_an_unknown_word_is_left_out_and_not_half_translated(english: English) -> None:
    assert english.words("くもり　のち　竜巻") is None


DATES, PLACES = ("today", "tomorrow", "week"), ("Tokyo", "Osaka", "Sapporo", "Naha", "Hiroshima", "Kyoto")


@requirement("W1", "V9")
@pytest.mark.parametrize(("date", "place"), in_part(starmap(pytest.param, product(DATES, PLACES)), every=5))
async def test_an_answer_in_english_holds_no_japanese_and_names_its_source(place: str, date: str) -> None:
    source = agency.Recorded(agency.DATA, today=lambda: NOON.date())
    async with Client(create_server(source, now=lambda: NOON)) as client:
        result = await client.call_tool("get_weather", {"location": place, "date": date, "language": "en"})
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error
    assert not JAPANESE.search(content.text)
    assert place in content.text
    assert "Japan Meteorological Agency" in content.text
    assert "not the real weather" in content.text
    data = result.structured_content
    assert data is not None
    assert [day["weather"] in content.text for day in data["days"]] == [True] * len(data["days"])
    assert data["place"] in content.text, "data in other words than the text would be shown beside it"
    assert not JAPANESE.search(json.dumps(data, ensure_ascii=False))


@pytest.fixture
def forecaster() -> Forecaster:
    """Made before the loop runs, as the server is."""
    return Forecaster(agency.Recorded(agency.DATA, today=lambda: NOON.date()), lambda: NOON)


async def test_the_first_answer_in_english_reads_no_file_on_the_event_loop(forecaster: Forecaster) -> None:
    with blockbuster_ctx("mcp_servers.weather"):
        told, _ = await forecaster.answer("Sapporo", "tomorrow", "en")
    assert told.splitlines()[1].startswith("Sapporo")


@requirement("V9")
@pytest.mark.parametrize("location", ["", "London", "Tohoku", "Nagoya"])
async def test_a_refusal_in_english_holds_no_japanese(location: str) -> None:
    source = agency.Recorded(agency.DATA, today=lambda: NOON.date())
    async with Client(create_server(source, now=lambda: NOON)) as client:
        result = await client.call_tool("get_weather", {"location": location, "language": "en"})
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error
    assert not JAPANESE.search(content.text)


@requirement("V9")
@pytest.mark.parametrize(
    ("location", "language", "of_server", "english"),
    [
        ("Osaka", None, "ja", True),  # an English question never gets a Japanese answer
        ("Ōsaka, Japan", None, "ja", True),
        ("London", None, "ja", True),
        ("大阪", None, "en", True),
        ("大阪", None, "ja", False),
        ("大阪 today", None, "ja", False),
        ("", None, "en", True),
        ("Osaka", "ja", "en", False),
        ("大阪", "en", "ja", True),
    ],
)
async def test_a_call_without_a_language_is_answered_in_that_of_its_place_or_of_the_server(
    location: str, language: str | None, of_server: str, english: bool
) -> None:
    source = agency.Recorded(agency.DATA, today=lambda: NOON.date())
    async with Client(create_server(source, now=lambda: NOON, language=of_server)) as client:
        result = await client.call_tool("get_weather", {"location": location} | ({"language": language} if language else {}))
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert (JAPANESE.search(content.text) is None) == english


@requirement("W1", "V9")
async def test_an_agency_that_is_not_reached_is_no_lack_of_data_in_english_either() -> None:
    with running_jma() as gone:
        pass
    async with Client(create_server(agency.Agency(gone.base_url), now=lambda: NOON)) as client:
        result = await client.call_tool("get_weather", {"location": "Tokyo", "language": "en"})
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error
    assert content.text == "The agency's server cannot be reached. Check the network, and try again in a while."
