"""A request from outside that starts a job: signed, fresh, and each at most once however often it is sent.

    X-Jiritsu-Timestamp: seconds since the epoch
    X-Jiritsu-Signature: sha256=HEX of HMAC-SHA256(secret, timestamp + "." + body)

The body is a JSON object of inputs. The scheme is that of Slack's and Stripe's signed requests.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping

from pydantic import Field

from discovery.catalog import Frozen

FRESH_S = 300.0
"""A request older or newer than this is refused, as Slack does; within it the same signature is the same run."""

MOST_BYTES = 64_000
"""Of a body: inputs are names and days, not documents."""

SHORTEST_SECRET = 16


class WebhookTrigger(Frozen):
    """Where the secret of a job's webhook is."""

    secret_env: str = Field(pattern=r"^[A-Z][A-Z0-9_]*$")
    """The environment variable that holds it: a job file may be shared."""


SIGNED_BY = ("X-Jiritsu-Timestamp", "X-Jiritsu-Signature")
"""The headers without which no request is looked at."""


class HookRefused(Exception):
    """The request starts nothing; the sender is told the status and no more than it should know."""

    def __init__(self, status: int, problem: str) -> None:
        self.status, self.problem = status, problem
        super().__init__(problem)


def has_signature(headers: Mapping[str, str]) -> None:
    """Raises `HookRefused` naming a header that is missing; said before any job is looked for, so it tells of none."""
    for name in SIGNED_BY:
        if not headers.get(name.lower()):
            raise HookRefused(401, f"the header {name} is missing")


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """What the sender puts in `X-Jiritsu-Signature`."""
    return "sha256=" + hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def inputs_of(secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> dict[str, str]:
    """The inputs of a request that may start a run. Raises `HookRefused`."""
    timestamp, given = headers.get("x-jiritsu-timestamp", ""), headers.get("x-jiritsu-signature", "")
    if len(secret) < SHORTEST_SECRET:
        raise HookRefused(503, f"the job's secret is not set, or shorter than {SHORTEST_SECRET} characters")
    if not hmac.compare_digest(signature_of(secret, timestamp, body).encode(), given.encode()):
        raise HookRefused(401, "the signature does not fit")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(now - int(timestamp)) > FRESH_S:
        raise HookRefused(401, f"the timestamp is not within {FRESH_S:.0f} s of now")
    try:
        data = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise HookRefused(400, "the body is not JSON") from error
    if not isinstance(data, dict):
        raise HookRefused(400, "the body is not an object of inputs by name")
    for name, value in data.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise HookRefused(400, f"the input {name!r} is neither text nor a number")
    return {str(name): str(value) for name, value in data.items()}


def hook_run_id(job: str, signature: str) -> str:
    """The run of a request: the same however often it is sent, to whichever worker."""
    return f"{job}-hook-{hashlib.sha256(signature.encode()).hexdigest()[:16]}"
