"""The recorded forecasts and the tables, as the tests use them."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from mcp_servers.weather.agency import DATA
from mcp_servers.weather.forecast import Constants, Outlook, read
from mcp_servers.weather.places import Gazetteer, Names

JAPAN = timezone(timedelta(hours=9))
FILES = sorted((Path(__file__).parent / "recorded").glob("*.json"))
AREA = json.loads((DATA / "area.json").read_text(encoding="utf-8"))
CONSTANTS = Constants(**json.loads((DATA / "constants.json").read_text(encoding="utf-8")))
NAMES = Names(**json.loads((DATA / "names.json").read_text(encoding="utf-8")))
GAZETTEER = Gazetteer(AREA, json.loads((DATA / "cities.json").read_text(encoding="utf-8")), NAMES)


def recorded(name: str) -> Any:
    """The response recorded as `name`."""
    (file,) = [file for file in FILES if file.stem == name]
    return json.loads(file.read_text(encoding="utf-8"))


def outlook(name: str, region: str | None, now: str) -> Outlook:
    """What the recording `name` says of a region to someone who asks at `now` (Japanese time)."""
    regions = GAZETTEER.regions(name[:6])
    return read(recorded(name), CONSTANTS, regions, region, datetime.fromisoformat(now).replace(tzinfo=JAPAN).date())
