"""Verifies a webhook that starts a job: its signature and age, and that it starts one run at most.

    X-Jiritsu-Timestamp: seconds since the epoch
    X-Jiritsu-Signature: v2=HEX of HMAC-SHA256(secret, job + "\\n" + timestamp + "\\n" + body)

The body is a JSON object of inputs. The scheme is that of Slack's and Stripe's signed requests, with the job's name in it:
a request for one job is none for another. `sha256=HEX of HMAC-SHA256(secret, timestamp + "." + body)` names no job, and is
taken where no other job has the secret.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping

from pydantic import field_validator

from autonomy.llm.model_json import read_json
from discovery.catalog import Frozen

FRESH_S = 300.0
"""A request older or newer than this is refused, as Slack does; within it the same signature is the same run."""

MOST_BYTES = 64_000
"""Of a body: inputs are names and days, not documents."""

SHORTEST_SECRET = 16
LONGEST_STAMP = 12
"""Digits."""


class WebhookTrigger(Frozen):
    """The settings of a job's webhook: the variable of its secret."""

    secret_env: str
    """The environment variable that holds it: a job file may be shared."""

    @field_validator("secret_env")
    @classmethod
    def _is_variable(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name):  # it may be the secret itself: shown no further
            raise ValueError("must be the name of an environment variable, such as DIARY_HOOK_SECRET, which holds the secret")
        return name


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


def signature_of(secret: str, job: str, timestamp: str, body: bytes) -> str:
    """The signature of a request for `X-Jiritsu-Signature`."""
    return "v2=" + hmac.new(secret.encode(), f"{job}\n{timestamp}\n".encode() + body, hashlib.sha256).hexdigest()


def signature_without_job(secret: str, timestamp: str, body: bytes) -> str:
    """The signature of a request without the job's name, as senders made it before names were signed."""
    return "sha256=" + hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def webhook_problem(job: str, trigger: WebhookTrigger | None, environment: Mapping[str, str]) -> str:
    """Why no signed request can start a job, in a sentence; empty where one can, or where it has no webhook."""
    secret = environment.get(trigger.secret_env, "") if trigger else ""
    if trigger is None or len(secret) >= SHORTEST_SECRET:
        return ""
    lacking = f"has fewer than {SHORTEST_SECRET} characters" if secret else "is not set"
    return f"the webhook of job {job} cannot be used: {trigger.secret_env} {lacking}: every request is answered 503"


def names_job(headers: Mapping[str, str]) -> bool:
    """Whether a request's signature covers the name of its job."""
    return not headers.get("x-jiritsu-signature", "").startswith("sha256=")


def inputs_of(job: str, secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> dict[str, str]:
    """The inputs of a request that may start a run. Raises `HookRefused`.

    Where `names_job` is false the caller sees to it that no other job has this secret.
    """
    timestamp, signature = headers.get("x-jiritsu-timestamp", ""), headers.get("x-jiritsu-signature", "")
    if len(secret) < SHORTEST_SECRET:
        raise HookRefused(503, f"the job's secret is not set, or shorter than {SHORTEST_SECRET} characters")
    job_is_signed = names_job(headers)
    fits = signature_of(secret, job, timestamp, body) if job_is_signed else signature_without_job(secret, timestamp, body)
    if not hmac.compare_digest(fits.encode(), signature.encode()):
        raise HookRefused(401, "the signature does not fit")
    is_stamp = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= LONGEST_STAMP
    if not is_stamp or abs(now - int(timestamp)) > FRESH_S:
        raise HookRefused(401, f"the timestamp is not within {FRESH_S:.0f} s of now")
    try:
        data = read_json(body or b"{}")
    except ValueError as error:
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
