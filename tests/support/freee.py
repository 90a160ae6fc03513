"""A fake of freee HR and of its sign-in server, held to freee's published schema in both directions.

A request whose path, parameter or value the schema does not have is a fault of the client: it is answered with an error *and*
kept in `violations`, which tests demand to be empty. An answer of the fake's own that the schema does not allow raises.
"""

import base64
import hashlib
import json
import re
import secrets
import threading
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.loopback_api import Asked, Hangup, LoopbackAPI, Reply

SCHEMA_FILE = Path(__file__).parents[1] / "autonomy" / "hr" / "data" / "freee-hr.openapi.json"
ACCESS_TOKEN_S = 21600
Json = dict[str, Any]


@cache
def schema() -> Json:
    return json.loads(SCHEMA_FILE.read_text())


def as_json_schema(node: Any) -> Any:
    """OpenAPI 3.0 → JSON Schema 2020-12, as far as this document goes: `nullable` and the place of the definitions.
    An object with properties allows no others, so that a field of the fake's own invention is found."""
    if isinstance(node, list):
        return [as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"].replace("#/components/schemas/", "#/$defs/")}
    known = {name: as_json_schema(value) for name, value in node.items() if name not in ("nullable", "format", "properties")}
    if "properties" in node:
        known["properties"] = {name: as_json_schema(value) for name, value in node["properties"].items()}
        known["additionalProperties"] = False
    if node.get("nullable") and "type" in known:
        known["type"] = [known["type"], "null"]
        if "enum" in known:
            known["enum"] = [*known["enum"], None]
    elif node.get("nullable"):
        known["type"] = ["object", "null"]
    return known


@cache
def validator(path: str, status: int) -> Draft202012Validator:
    """For the body of an answer."""
    contents = schema()["paths"][path]["get"]["responses"][str(status)]["content"].values()
    definitions = {name: as_json_schema(node) for name, node in schema()["components"]["schemas"].items()}
    bodies = [as_json_schema(content["schema"]) for content in contents]
    return Draft202012Validator({"anyOf": bodies, "$defs": definitions})


class FakeFreee(LoopbackAPI):
    """One company's freee. `people` and `summaries` are what it knows; `tokens` its sign-in server."""

    def __init__(self, company_id: int = 1) -> None:
        super().__init__()
        self.company_id = company_id
        self.people: list[Json] = []
        self.summaries: dict[tuple[int, int, int], Json] = {}
        self.violations: list[str] = []
        self.sign_in = SignIn(company_id)

    @property
    def base_url(self) -> str:
        return f"{self.url}/hr"

    def answer(self, asked: Asked) -> Reply:
        if asked.path.startswith("/public_api/"):
            return self.sign_in.answer(asked)
        path, found = self._find(asked.path.removeprefix("/hr"))
        if path is None:
            return self._violated(f"no such path: {asked.path}")
        if not self.sign_in.knows(asked.token):
            return Reply({"message": "ログインをしてください。", "code": "expired_access_token"}, 401)
        if fault := self._fault_of(path, asked, found):
            return self._violated(fault)
        if str(asked.query.get("company_id", found.get("company_id", self.company_id))) != str(self.company_id):
            return self._checked(path, Reply({"error": "access_denied", "message": "アクセスする権限がありません"}, 403))
        return self._checked(path, self._content(path, asked, found))

    def _find(self, path: str) -> tuple[str | None, dict[str, str]]:
        for template in schema()["paths"]:
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
            if match := re.fullmatch(pattern, path):
                return template, match.groupdict()
        return None, {}

    def _fault_of(self, path: str, asked: Asked, found: dict[str, str]) -> str | None:
        """What the schema holds against the parameters."""
        declared = {parameter["name"]: parameter for parameter in schema()["paths"][path]["get"].get("parameters", [])}
        for name in asked.query:
            if declared.get(name, {}).get("in") != "query":
                return f"{path} has no query parameter {name}"
        for name, parameter in declared.items():
            text = found.get(name) if parameter["in"] == "path" else asked.query.get(name)
            if text is None and parameter.get("required"):
                return f"{path} needs {name}"
            if text is not None and (
                errors := [*Draft202012Validator(parameter["schema"]).iter_errors(_typed(text, parameter["schema"]))]
            ):
                return f"{path}: {name}: {errors[0].message}"
        return None

    def _violated(self, fault: str) -> Reply:
        self.violations.append(fault)
        return Reply({"status_code": 400, "errors": [{"type": "bad_request", "messages": [fault]}]}, 400)

    def _checked(self, path: str, reply: Reply) -> Reply:
        validator(path, reply.status).validate(reply.body)
        return reply

    def _content(self, path: str, asked: Asked, found: dict[str, str]) -> Reply:
        contents: dict[str, Callable[[], Any]] = {
            "/api/v1/companies/{company_id}/employees": lambda: _page([person["entry"] for person in self.people], asked),
            "/api/v1/employees": lambda: self._of_month(asked),
            "/api/v1/employee_group_memberships": lambda: self._memberships(asked),
            "/api/v1/users/me": lambda: {
                "id": 1,
                "companies": [{"id": self.company_id, "name": "株式会社テスト", "role": "company_admin"}],
            },
            "/api/v1/employees/{employee_id}/work_record_summaries/{year}/{month}": lambda: self._summary(found, asked),
        }
        body = contents[path]()
        if body is None:
            return Reply({"status_code": 400, "errors": [{"type": "validation", "messages": ["従業員が存在しません。"]}]}, 400)
        return Reply(body, headers={"X-Ratelimit-Limit": "10000", "X-Ratelimit-Remaining": "9999"})

    def _of_month(self, asked: Asked) -> Json:
        """The trap: for those paid in the month after, the answer is about the month after the one asked for."""
        asked_month = date(int(asked.query["year"]), int(asked.query["month"]), 1)
        found = []
        for person in self.people:
            later = person["entry"]["month_of_pay_day"] == "next_month"
            month = (asked_month + timedelta(days=32)).replace(day=1) if later else asked_month
            retired = person["entry"]["retire_date"]
            if retired is None or date.fromisoformat(retired) >= month:
                contract = next(c for since, c in reversed(person["contracts"]) if since <= month.isoformat())
                found.append(profiled(person["entry"], person["name"], contract, self.company_id))
        return {"employees": _page(found, asked), "total_count": len(found)}

    def _memberships(self, asked: Asked) -> Json:
        shown = [
            {**{name: person["entry"][name] for name in ("id", "num", "display_name")}, "group_memberships": person["duties"]}
            for person in self.people
        ]
        return {"employee_group_memberships": _page(shown, asked), "total_count": len(shown)}

    def _summary(self, found: dict[str, str], asked: Asked) -> Json | None:
        summary = self.summaries.get((int(found["employee_id"]), int(found["year"]), int(found["month"])))
        if summary is not None and asked.query.get("work_records") != "true":
            return {**summary, "work_records": []}
        return summary

    def hire(
        self,
        id_: int,
        last_name: str,
        first_name: str,
        *,
        department: str | None = None,
        position: str | None = None,
        employment_type: str | None = "regular",
        contracts: list[tuple[str, str | None]] | None = None,
        retire_date: str | None = None,
        paid: str = "this_month",
    ) -> None:
        """Add a person; `contracts` lists (from month, employment type) when it changes."""
        entry = {
            "id": id_,
            "num": f"E{id_:04d}",
            "display_name": f"{last_name}{first_name}",
            "entry_date": "2020-04-01",
            "retire_date": retire_date,
            "user_id": None,
            "email": f"secret-{id_}@example.com",
            "payroll_calculation": True,
            "closing_day": 31,
            "pay_day": 25,
            "month_of_pay_day": paid,
        }
        self.people.append(
            {
                "entry": entry,
                "name": (last_name, first_name),
                "contracts": contracts or [("2020-04-01", employment_type)],
                "duties": [duty(department, position)] if department else [],
            }
        )


class SignIn:
    """freee's sign-in server: refresh tokens that work once, codes bound to a PKCE challenge."""

    def __init__(self, company_id: int) -> None:
        self.company_id = company_id
        self.access: set[str] = set()
        self.live_refresh: set[str] = set()
        self.used_refresh: set[str] = set()
        self.codes: dict[str, Json] = {}
        self.refreshes = 0
        self.invalid_grants = 0
        self.lose_next_answer = False
        self.arrived, self.may_answer = threading.Event(), threading.Event()
        self.may_answer.set()

    def knows(self, token: str) -> bool:
        return token in self.access

    def new_pair(self) -> Json:
        access, refresh = f"access-{secrets.token_hex(8)}", f"refresh-{secrets.token_hex(8)}"
        self.access.add(access)
        self.live_refresh.add(refresh)
        return {
            "access_token": access,
            "refresh_token": refresh,
            "token_type": "bearer",
            "expires_in": ACCESS_TOKEN_S,
            "scope": "read",
            "company_id": self.company_id,
        }

    def new_code(self, challenge: str, redirect_uri: str) -> str:
        """What a person's consent leads to."""
        code = f"code-{secrets.token_hex(8)}"
        self.codes[code] = {"challenge": challenge, "redirect_uri": redirect_uri}
        return code

    def answer(self, asked: Asked) -> Reply:
        form = asked.form
        if asked.path != "/public_api/token" or asked.method != "POST":
            return Reply({"error": "not_found"}, 404)
        if form.get("client_secret") != "client-secret":
            return Reply({"error": "invalid_client"}, 401)
        return self._refresh(form) if form["grant_type"] == "refresh_token" else self._redeem(form)

    def _refresh(self, form: dict[str, str]) -> Reply:
        self.refreshes += 1
        self.arrived.set()
        self.may_answer.wait(240)
        token = form["refresh_token"]
        if token not in self.live_refresh:
            self.invalid_grants += 1
            return Reply({"error": "invalid_grant", "error_description": "…"}, 401)
        self.live_refresh.remove(token)
        self.used_refresh.add(token)
        pair = self.new_pair()
        if self.lose_next_answer:
            self.lose_next_answer = False
            raise Hangup
        return Reply(pair)

    def _redeem(self, form: dict[str, str]) -> Reply:
        given = self.codes.pop(form["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if given is None or given != {"challenge": challenge, "redirect_uri": form["redirect_uri"]}:
            return Reply({"error": "invalid_grant"}, 401)
        return Reply(self.new_pair())


def profiled(entry: Json, name: tuple[str, str], employment_type: str | None, company_id: int) -> Json:
    """A person as `/employees` shows one, private things included: they must never come out at our end."""
    return {
        "id": entry["id"],
        "company_id": company_id,
        "num": entry["num"],
        "display_name": entry["display_name"],
        "birth_date": "1985-05-05",
        "entry_date": entry["entry_date"],
        "retire_date": entry["retire_date"],
        "user_id": None,
        "payroll_calculation": True,
        "profile_rule": {
            "id": entry["id"],
            "company_id": company_id,
            "employee_id": entry["id"],
            "last_name": name[0],
            "first_name": name[1],
            "last_name_kana": "カナ",
            "first_name_kana": "カナ",
            "address": "秘密の住所",
            "phone1": "090",
            "employment_type": employment_type,
            "title": None,
            "gender": "unselected",
            "married": False,
        },
    }


def duty(department: str, position: str | None = None, main: str = "main_duty") -> Json:
    return {
        "start_date": "2020-04-01",
        "end_date": "2099-12-31",
        "main_duty": main,
        "group_id": 7,
        "group_code": "7",
        "group_name": department,
        "level": 1,
        "position_id": 3 if position else None,
        "position_code": None,
        "position_name": position,
    }


def work_day(day: str, start: str | None = None, end: str | None = None, **more: Any) -> Json:
    """A day's record: `start` and `end` are HH:MM, past 24:00 for the next day; a break at noon unless told otherwise."""
    breaks = more.pop("breaks", [("12:00", "13:00")] if start else [])
    ends = [_moment(day, clock) for clock in (start, end) if clock is not None]
    return {
        "date": day,
        "day_pattern": "normal_day",
        "schedule_pattern": "",
        "clock_in_at": ends[0] if start else None,
        "clock_out_at": ends[1] if end else None,
        "work_record_segments": [{"clock_in_at": ends[0], "clock_out_at": ends[1]}] if start and end else [],
        "break_records": [{"clock_in_at": _moment(day, a), "clock_out_at": _moment(day, b)} for a, b in breaks],
        "normal_work_mins": 480,
        "is_absence": False,
        "paid_holidays": [],
        "not_auto_calc_work_time": False,
        "total_overtime_work_mins": 0,
        "total_overtime_except_normal_work_mins": 0,
        "total_excess_statutory_work_mins": 0,
        "total_prescribed_holiday_work_mins": 0,
        "total_holiday_work_mins": 0,
        "total_latenight_work_mins": 0,
        "total_latenight_excess_statutory_work_mins": 0,
        "total_latenight_overtime_except_normal_work_min": 0,
        "note": "秘密のメモ",
        **more,
    }


def summary(year: int, month: int, start: str, end: str, records: list[Json], **more: Any) -> Json:
    return {
        "year": year,
        "month": month,
        "start_date": start,
        "end_date": end,
        "work_days": float(len(records)),
        "work_records": records,
        **more,
    }


def _moment(day: str, clock: str) -> str:
    hour, minute = map(int, clock.split(":"))
    moved = date.fromisoformat(day) + timedelta(days=hour // 24)
    return f"{moved}T{hour % 24:02d}:{minute:02d}:00.000+09:00"


def _page(items: list[Json], asked: Asked) -> list[Json]:
    offset, limit = int(asked.query.get("offset", 0)), int(asked.query.get("limit", 50))
    return items[offset : offset + limit]


def _typed(text: str, declared: Json) -> Any:
    if declared["type"] == "integer" and re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text) if declared["type"] == "boolean" else text
