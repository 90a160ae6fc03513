"""A fake of KING OF TIME's API: bare arrays, properties without a value left out, its two shapes of errors."""

from datetime import date, timedelta
from typing import Any

from tests.support.loopback_api import Asked, LoopbackAPI, Reply

Json = dict[str, Any]


class FakeKingOfTime(LoopbackAPI):
    """One company. `days` holds daily workings, `punches` time records, `months` monthly workings."""

    token = "kot-token"

    def __init__(self) -> None:
        super().__init__()
        self.employees: list[Json] = []
        self.days: list[Json] = []
        self.punches: list[Json] = []
        self.months: dict[str, list[Json]] = {}

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1.0"

    def answer(self, asked: Asked) -> Reply:
        if asked.token != self.token:
            return _error(401, "Bad Authentication.", 111)
        match asked.path.removeprefix("/v1.0/").split("/"):
            case ["employees"]:
                return Reply([self._shown(person, asked) for person in self.employees if self._is_shown(person, asked)])
            case ["daily-workings"]:
                return self._between(self.days, asked)
            case ["daily-workings", "timerecord"]:
                keys = asked.query.get("employeeKeys", "").split(",")
                return self._between([day for day in self.punches if day["employeeKey"] in keys], asked)
            case ["monthly-workings", month] if len(month) == len("2026-10"):
                return Reply(self.months.get(month, []))
        return _error(400, "Invalid parameter.", 222)

    def _is_shown(self, person: Json, asked: Asked) -> bool:
        gone = person.get("resignationDate")
        return asked.query.get("includeResigner") == "true" or gone is None or gone >= asked.query["date"]

    def _shown(self, person: Json, asked: Asked) -> Json:
        extra = asked.query.get("additionalFields", "").split(",")
        optional = ("hiredDate", "resignationDate", "emailAddresses")
        return {name: value for name, value in person.items() if name not in optional or name in extra}

    def _between(self, days: list[Json], asked: Asked) -> Reply:
        start, end = date.fromisoformat(asked.query["start"]), date.fromisoformat(asked.query["end"])
        if (end - start).days + 1 > 62:
            return _error(400, "The period is longer than 62 days.", 223)
        answer = []
        for offset in range((end - start).days + 1):
            day = (start + timedelta(days=offset)).isoformat()
            if found := [entry for entry in days if entry["date"] == day]:
                answer.append({"date": day, "dailyWorkings": found})
        return Reply(answer)


TOO_MANY = Reply({"code": "303", "message": "Too Many Requests"}, 429)


def punch(day: str, key: str, *times: tuple[str, int]) -> Json:
    """Time records of a day: (HH:MM, code), HH past 24 for the next day."""
    return {
        "date": day,
        "employeeKey": key,
        "timeRecord": [{"time": _moment(day, clock), "code": code, "name": "打刻"} for clock, code in times],
    }


def _moment(day: str, clock: str) -> str:
    hour, minute = map(int, clock.split(":"))
    return f"{date.fromisoformat(day) + timedelta(days=hour // 24)}T{hour % 24:02d}:{minute:02d}:00+09:00"


def _error(status: int, message: str, code: int) -> Reply:
    return Reply({"errors": [{"message": message, "code": code}]}, status)
