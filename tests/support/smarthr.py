"""A fake of SmartHR's crews API: pages, Link header, total count, its errors."""

from typing import Any

from tests.support.loopback_api import Asked, LoopbackAPI, Reply

Json = dict[str, Any]


class FakeSmartHR(LoopbackAPI):
    """One company's crews."""

    token = "smarthr-token"
    most_per_page = 100

    def __init__(self) -> None:
        super().__init__()
        self.crews: list[Json] = []
        self.tells_total = True

    @property
    def base_url(self) -> str:
        return f"{self.url}/api/v1"

    def answer(self, asked: Asked) -> Reply:
        if asked.token != self.token:
            return Reply({"code": 2, "type": "unauthorized_token", "message": "無効なアクセストークンです", "errors": None}, 401)
        if asked.path != "/api/v1/crews":
            return Reply({"code": 4, "type": "not_found", "message": "見つかりません", "errors": None}, 404)
        page, per_page = int(asked.query.get("page", 1)), min(int(asked.query.get("per_page", 10)), self.most_per_page)
        found = self.crews[(page - 1) * per_page : page * per_page]
        headers = {"x-rate-limit-limit": "5000", "x-rate-limit-remaining": "4999", "x-rate-limit-reset": "3600"}
        if self.tells_total:
            headers["x-total-count"] = str(len(self.crews))
        if page * per_page < len(self.crews):
            headers["Link"] = f'<{self.url}/api/v1/crews?page={page + 1}>; rel="next"'
        return Reply(found, headers=headers)
