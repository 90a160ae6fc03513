"""The chain: retry while a vendor is down, ask once for a readable reply, then the next model, and every failure told."""

from types import SimpleNamespace

import pytest
import tenacity

from autonomy.errors import ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.model_chain import Chain, ModelFailureNote, ModelRetryPolicy
from autonomy.llm.scripted import ScriptedModel
from tests.requirements import requirement

REQUEST = ModelRequest(messages=(UserMessage(text="hello"),))
DOWN = ModelUnavailable("scripted:a", "overloaded")


class Clock:
    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class Failures(list[ModelFailureNote]):
    """What was told of failures."""

    async def note(self, failure: ModelFailureNote) -> None:
        self.append(failure)


def chain_of(*models: ScriptedModel) -> tuple[Chain, Clock]:
    clock = Clock()
    return Chain(models, ModelRetryPolicy(jitter=lambda: 1.0, sleep=clock.sleep)), clock


@requirement("L7")
async def test_a_model_that_is_down_is_tried_again_with_growing_pauses():
    chain, clock = chain_of(ScriptedModel([DOWN, DOWN, "up"], name="a"))
    failures = Failures()
    reply = await chain.complete(REQUEST, on_failure=failures.note)
    assert reply.text == "up"
    assert clock.slept == [0.5, 1.0]
    assert [(one.then, one.wait_s, one.error) for one in failures] == [
        ("retry", 0.5, "ModelUnavailable"),
        ("retry", 1.0, "ModelUnavailable"),
    ]


@requirement("L7")
async def test_then_the_next_model_of_the_chain_answers_under_its_own_name():
    chain, _ = chain_of(ScriptedModel([DOWN] * 3, name="a"), ScriptedModel(["from b"], name="b"))
    failures = Failures()
    reply = await chain.complete(REQUEST, on_failure=failures.note)
    assert (reply.text, reply.model, chain.id) == ("from b", "scripted:b", "scripted:a")
    assert [one.then for one in failures] == ["retry", "retry", "fallback"]


@requirement("L7")
async def test_retry_after_is_honoured_and_one_that_asks_too_long_is_not_waited_for():
    soon = ModelUnavailable("scripted:a", "rate limited", retry_after_s=5)
    late = ModelUnavailable("scripted:a", "rate limited", retry_after_s=3600)
    chain, clock = chain_of(ScriptedModel([soon, late], name="a"), ScriptedModel(["from b"], name="b"))
    assert (await chain.complete(REQUEST)).text == "from b"
    assert clock.slept == [5]


async def test_a_refused_request_is_not_repeated_but_another_model_may_take_it():
    refusing = ScriptedModel([ModelRejected("scripted:a", "bad key")], name="a")
    chain, clock = chain_of(refusing, ScriptedModel(["from b"], name="b"))
    assert (await chain.complete(REQUEST)).text == "from b"
    assert (len(refusing.requests), clock.slept) == (1, [])


async def test_an_unreadable_reply_is_asked_for_again_once_saying_what_was_wrong():
    model = ScriptedModel([ModelGarbled("scripted:a", "empty reply"), "better"], name="a")
    failures = Failures()
    chain, _ = chain_of(model)
    assert (await chain.complete(REQUEST, on_failure=failures.note)).text == "better"
    remark = model.requests[1].messages[-1]
    assert isinstance(remark, UserMessage)
    assert remark.host
    assert "empty reply" in remark.text
    assert [one.then for one in failures] == ["correct"]


async def test_when_all_fail_the_last_error_is_raised_and_everything_was_told():
    garbled = ModelGarbled("scripted:b", "not JSON")
    chain, _ = chain_of(ScriptedModel([DOWN] * 3, name="a"), ScriptedModel([garbled, garbled], name="b"))
    failures = Failures()
    with pytest.raises(ModelGarbled, match="not JSON"):
        await chain.complete(REQUEST, on_failure=failures.note)
    assert [(one.model, one.then) for one in failures] == [
        ("scripted:a", "retry"),
        ("scripted:a", "retry"),
        ("scripted:a", "fallback"),
        ("scripted:b", "correct"),
        ("scripted:b", "give_up"),
    ]


async def test_closing_the_chain_closes_its_models():
    models = [ScriptedModel([], name="a"), ScriptedModel([], name="b")]
    await Chain(models).aclose()
    assert all(model.closed for model in models)


@requirement("L7")
async def test_where_nobody_sits_and_waits_the_last_model_is_waited_for_longer(caplog: pytest.LogCaptureFixture):
    first, last = ScriptedModel([DOWN] * 3, name="a"), ScriptedModel([DOWN] * 12 + ["back"], name="b")
    chain, clock = chain_of(first, last)
    assert (await chain.complete(REQUEST, longest_s=300)).text == "back"
    assert clock.slept == [0.5, 1.0, 0.5, 1.0, 2.0, 4.0, *[8.0] * 8]
    assert caplog.messages == ["scripted:a: overloaded; it is asked again for up to 120 s"], "once, and not for each try"


@requirement("L7")
async def test_a_model_that_stays_away_is_given_up_after_that_time():
    gone = ScriptedModel([DOWN] * 60, name="a")
    chain, clock = chain_of(gone)
    for longest_s in (300.0, 20.0):
        clock.slept.clear()
        with pytest.raises(ModelUnavailable):
            await chain.complete(REQUEST, longest_s=longest_s)
        most_s = min(longest_s, chain.patience.for_nobody_s)
        assert most_s - chain.patience.most_s < sum(clock.slept) <= most_s


@requirement("L7")
async def test_a_vendor_that_asks_for_a_minute_gets_it_where_nobody_sits_and_waits():
    busy = ModelUnavailable("scripted:a", "rate limited", retry_after_s=60)
    chain, clock = chain_of(ScriptedModel([busy, "back"], name="a"))
    assert (await chain.complete(REQUEST, longest_s=300)).text == "back"
    assert clock.slept == [60]


@requirement("L7")
async def test_tries_that_get_no_answer_are_a_part_of_that_time(monkeypatch: pytest.MonkeyPatch):
    """Else a server that hangs would be waited for two minutes of pauses and a timeout for each of twenty tries."""
    hangs = ScriptedModel([DOWN] * 60, name="a")
    monkeypatch.setattr(tenacity, "time", SimpleNamespace(monotonic=lambda: 60.0 * len(hangs.requests)))
    chain, _ = chain_of(hangs)
    with pytest.raises(ModelUnavailable):
        await chain.complete(REQUEST, longest_s=300)
    assert len(hangs.requests) == chain.patience.attempts
