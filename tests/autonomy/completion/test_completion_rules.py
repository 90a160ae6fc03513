"""Each rule of completion by itself: what holds it, what does not, and what could pass for it and must not."""

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.completion.judge import Verdict, judge
from autonomy.completion.rules.text.form import section_bodies, written_forms
from autonomy.llm.messages import AssistantMessage, ToolResult
from autonomy.llm.model import Need, Task
from autonomy.policy.need_binding import binding_violations, candidates, fits
from autonomy.run_state.completion_rules import Evidence, Forbidden, Fresh, Language, Length, Matches, Rule, Sections, ToolUsed
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import HOST, CallRecord, Receipt, RunRequest
from discovery.catalog import Effect
from discovery.search.search_index import Ranked
from tests.requirements import requirement
from tests.support.specs import catalog_of, tool

READ = Need(id="read", description="messages of the day", arguments={"day": "2026-11-21"})
POST = Need(id="post", description="post it", effect="outward", arguments={"channel": "C1", "text": "{{result}}"})


def record(name: str = "p_look", *, kind: str = "ok", text: str = "found", **more: Any) -> CallRecord:
    result = ToolResult(call_id="1", name=name, text=text, kind=kind, is_error=kind not in ("ok", "suspicious"))
    fields: dict[str, Any] = {"call_id": "1", "turn": 1, "tool": name, "asked": name, "provider": "p", "effect": "read"}
    return CallRecord(**{**fields, "result": result, **more})


def posted(text: str = "", *, state: Any = "done", read_back: Any = "confirmed", **more: Any) -> CallRecord:
    receipt = Receipt(call_id="1", tool="p_post", state=state, read_back=read_back, needs=("post",))
    arguments = {"channel": "C1", "text": text}
    return record("p_post", effect="outward", arguments=arguments, needs=("post",), **{"receipt": receipt, **more})


def stands(*records: CallRecord, rules: tuple[Rule, ...] = (), **task: Any) -> ToolExecutionContext:
    """A run in which these calls were made."""
    asked = Task(**{"goal": "do it", "needs": (READ, POST), **task})
    ctx = ToolExecutionContext(
        request=RunRequest(run_id="run-1", task=asked, rules=rules, trigger="test"),
        catalog=catalog_of(), offered=(), definitions=(), candidates={}, allowed=frozenset(), to_confirm=frozenset(),
        started_at=0.0, now=0.0,
    )  # fmt: skip
    ctx.add_records(records)
    return ctx


def said(text: str, rule: Rule, *records: CallRecord, **task: Any) -> Verdict:
    return judge(AssistantMessage(text=text), stands(*records, rules=(rule,), **task))


def holds(text: str, rule: Rule, *records: CallRecord, **task: Any) -> bool:
    return said(text, rule, *records, **task).held == 1


@requirement("X7")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("今日は会議がありました。資料を直しました。", "ja"),
        ("Slack の API を v2 に更新したので、deploy を確認してください。", "ja"),
        ("営業会議の資料作成を完了し、報告書を提出した。", "ja"),
        ("A short note about tea and water.", "en"),
        ("The channel is named さくら and everything else in this sentence is English, as one can see.", "en"),
    ],
)
def test_kana_throughout_make_a_text_japanese_and_a_name_does_not(text: str, language: Any) -> None:
    other: Any = {"ja": "en", "en": "ja"}[language]
    assert holds(text, Language(language=language))
    in_words = {"ja": "Japanese", "en": "English"}[other]
    assert said(text, Language(language=other)).findings == (f"the text has to be in {in_words}",)


def test_figures_alone_are_in_either_language_and_chinese_is_in_none() -> None:
    assert all(holds("2026-11-21 10:00", Language(language=language)) for language in ("ja", "en"))
    assert not any(holds("请在开发频道发布今天的总结", Language(language=language)) for language in ("ja", "en"))


@requirement("X7")
@pytest.mark.parametrize("form", ["2026-01-05", "2026/01/05", "2026年1月5日", "1/5", "1月5日"])
def test_a_fresh_text_names_the_day_of_the_run_in_a_usual_form(form: str) -> None:
    assert form in written_forms("2026-01-05")
    assert holds(f"{form} の日記です", Fresh(), inputs={"date": "2026-01-05"})
    assert not holds("昨日の日記です", Fresh(), inputs={"date": "2026-01-05"})
    assert not holds(f"{form} の日記です", Fresh(), inputs={"date": "2026-02-17"})


def test_a_day_in_words_is_looked_for_as_it_is_and_no_day_is_never_named() -> None:
    assert holds("about the offsite", Fresh(input="day"), inputs={"day": "offsite"})
    assert not holds("about anything", Fresh(input="day"), inputs={"day": ""})
    assert not holds("about anything", Fresh(input="day"))


@requirement("X7")
def test_matches_wants_json_of_its_schema_and_words_are_none() -> None:
    rule = Matches(json_schema={"type": "object", "required": ["hours"], "properties": {"hours": {"type": "number"}}})
    assert holds('{"hours": 7.5}', rule)
    assert not holds('Here it is: {"hours": 7.5}', rule), "whoever reads the text as JSON could not"
    assert "hours" in said('{"minutes": 3}', rule).findings[0]
    assert "hours" in said('{"hours": "many"}', rule).findings[0]
    assert "not JSON" in said("It was about seven hours.", rule).findings[0]


@requirement("X7")
def test_an_empty_section_is_a_missing_one_and_a_word_is_no_heading() -> None:
    rule = Sections(titles=("TIL", "所感"))
    assert holds("## TIL\nsomething\n## 所感\nよい日", rule)
    assert said("## TIL\n\n## 所感\nよい日", rule).findings == ("these sections are missing or empty: TIL",)
    assert said("TIL was something\n## 所感\nよい日", rule).findings == ("these sections are missing or empty: TIL",)
    assert said("## TIL\nsomething\n## 所感\n  \n", rule).findings == ("these sections are missing or empty: 所感",)
    assert said("## TIL\n\n### 朝\nsomething\n## 所感\nよい日", rule).findings == ()
    assert said("## TIL\n## 所感\n\n### 朝\nsomething", rule).findings == ("these sections are missing or empty: TIL",)
    assert said("## TIL\n### 朝\n#### 早く\n\n## 所感\nよい日", rule).findings == ("these sections are missing or empty: TIL",)
    assert said("# 日記\n## TIL\n### 朝\n#### 早く\nsomething\n## 所感\nよい日", rule).findings == ()


@requirement("K10")
def test_headings_are_read_in_linear_time() -> None:
    def cpu(blanks: int) -> float:
        began = time.process_time()
        section_bodies(f"# a{' ' * blanks}b")
        return time.process_time() - began

    cpu(100)
    assert cpu(16_000) < 40 * max(cpu(2_000), 0.001)


@requirement("X7")
@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 60))
@example(5, 3, 4)
@example(5, 3, 5)
@example(5, 3, 8)
@example(5, 3, 9)
def test_a_length_counts_characters_without_the_blanks_around(least: int, room: int, size: int) -> None:
    rule = Length(min_chars=least, max_chars=least + room)
    assert holds(" \n" * 50 + "x" * size + "\n" * 50, rule) is (least <= size <= least + room)
    assert holds("x" * size, Length(min_chars=least)) is (least <= size)


@requirement("X7")
def test_what_is_forbidden_may_stand_neither_in_what_was_delivered_nor_in_the_words_around_it() -> None:
    rule = Forbidden(patterns=(r"TODO", r"\bxxx\b"))
    assert holds("fine", rule, posted("a fine text"))
    assert said("fine", rule, posted("a text with TODO")).findings == ("the text must not hold TODO",)
    assert said("see TODO there", rule, posted("a fine text")).findings == ("the text must not hold TODO",)
    assert said("and an xxx", rule).findings == (r"the text must not hold \bxxx\b",)


@requirement("X7")
def test_the_other_rules_are_about_the_text_that_was_delivered_last() -> None:
    rule = Sections(titles=("TIL",))
    assert holds("It is posted.", rule, posted("## TIL\nmuch"))
    assert not holds("## TIL\nmuch", rule, posted("nothing of the kind"))
    assert holds("posted again", rule, posted("first try"), posted("## TIL\nmuch"))
    assert not holds("posted again", rule, posted("## TIL\nmuch"), posted("second try"))


@requirement("X7")
def test_a_tool_counts_as_used_when_one_of_that_name_has_answered_well() -> None:
    rule = ToolUsed(tool="p_look*")
    assert holds("done", rule, record("p_look_up"))
    assert not holds("done", rule, record("p_other"))
    assert not holds("done", rule, record("p_look_up", kind="terminal"))


@requirement("X10")
@pytest.mark.parametrize(
    ("demanded", "seen", "held"),
    [
        ("no", "absent", True),
        ("no", "not_declared", True),
        ("if_possible", "confirmed", True),
        ("if_possible", "not_declared", True),
        ("if_possible", "absent", False),
        ("required", "confirmed", True),
        ("required", "not_declared", False),
        ("required", "absent", False),
    ],
)
def test_evidence_of_a_write_is_as_good_as_its_read_back(demanded: Any, seen: Any, held: bool) -> None:
    rule = Evidence(need="post", read_back=demanded)
    assert holds("done", rule, posted("hello", read_back=seen)) is held


@requirement("X10")
def test_another_writes_read_back_is_no_evidence() -> None:
    other = Receipt(call_id="2", tool="p_put", state="done", read_back="confirmed", needs=("put",))
    mine, its = posted("hello", read_back="absent"), record("p_put", effect="write", receipt=other, needs=("put",))
    assert not holds("done", Evidence(need="post", read_back="if_possible"), mine, its)


@requirement("X7", "X10")
def test_a_need_is_met_by_a_good_read_or_a_receipt_and_by_nothing_else() -> None:
    def met(*records: CallRecord) -> tuple[str, ...]:
        return stands(*records).needs_met()

    assert met(record(needs=("read",))) == ("read",)
    assert met(record(needs=("read",), kind="terminal")) == ()
    assert met(record(needs=("read",), kind="suspicious")) == ()
    assert met(posted()) == ("post",)
    assert met(posted(state="unknown")) == ()
    assert met(posted(receipt=None)) == ()
    assert not holds("done", Evidence(need="read"))


@requirement("X7")
def test_no_words_cut_off_words_and_refusals_complete_nothing() -> None:
    def verdict(**reply: Any) -> str:
        return judge(AssistantMessage(**reply), stands()).verdict

    assert verdict(text="done") == "complete"
    assert verdict(text=" \n") == "continue"
    assert verdict(text="half a sen", stop_reason="length") == "continue"
    assert verdict(text="I cannot help with that", stop_reason="refusal") == "blocked"


@requirement("X7", "J4")
def test_a_write_nobody_knows_of_and_a_run_in_which_nothing_worked_are_no_completion() -> None:
    def verdict(*records: CallRecord) -> str:
        return judge(AssistantMessage(text="all fine"), stands(*records)).verdict

    assert verdict(posted(state="unknown"), record()) == "blocked"
    assert verdict(record(kind="terminal")) == "blocked"
    assert verdict(record(kind="terminal"), record("jiritsu_search", provider=HOST)) == "blocked"
    assert verdict(record(kind="terminal"), record()) == "complete"
    assert verdict(record("jiritsu_search", provider=HOST)) == "complete"


@requirement("X10")
def test_a_claim_stands_with_a_receipt_and_falls_with_an_unknown_one() -> None:
    def missing(*records: CallRecord, goal: str = "do it") -> tuple[str, ...]:
        return judge(AssistantMessage(text="投稿しました。"), stands(*records, goal=goal)).missing

    assert missing(posted()) == ()
    assert missing(posted(state="unknown")) == ("claim: 投稿しました",)
    assert missing(posted(receipt=None)) == ("claim: 投稿しました",)
    assert missing(goal="日記を投稿して") == ("claim: 投稿しました",)
    assert missing() == ()


@pytest.mark.parametrize(
    ("answer", "proved"), [({"created": False}, True), ({"updated": True}, True), ({"created": True}, False)]
)
def test_a_tool_that_creates_or_updates_proves_what_its_answer_says(answer: dict[str, bool], proved: bool) -> None:
    result = ToolResult(call_id="c", name="p_create_post", text="{}", structured=answer)
    ran = posted(result=result).model_copy(update={"tool": "p_create_post"})
    assert (judge(AssistantMessage(text="日記を更新しました。"), stands(ran)).missing == ()) is proved


@requirement("X10")
def test_in_a_rehearsal_the_text_that_would_be_sent_may_tell_of_sending_and_the_words_around_it_may_not() -> None:
    rehearsed = posted("お知らせを投稿しました。", receipt=None, problem="simulated")
    assert judge(AssistantMessage(text="送るのは次の文です。\nお知らせを投稿しました。"), stands(rehearsed)).missing == ()
    assert judge(AssistantMessage(text="送信しました。"), stands(rehearsed)).missing == ("claim: 送信しました",)


LOOK = tool("p_look", properties={"day": {"type": "string"}, "channel": {"type": "string"}})
SEND = tool("p_send", effect=Effect.OUTWARD, properties={"channel": {"type": "string"}, "text": {"type": "string"}})
SEND_TO = tool("p_send_to", effect=Effect.OUTWARD, properties={"to": {"type": "string"}, "text": {"type": "string"}})


def test_a_read_tool_fits_a_read_and_a_write_tool_a_write() -> None:
    assert [fits(READ, LOOK), fits(READ, SEND), fits(POST, LOOK), fits(POST, SEND)] == [True, False, False, True]


def test_the_candidates_of_a_need_are_the_tools_it_names_or_those_that_come_near_the_best() -> None:
    offered = [tool(f"p_{name}") for name in "abc"] + [SEND]

    def search(_words: str) -> list[Ranked]:
        return [Ranked(spec=spec, score=score) for spec, score in zip([SEND, *offered], [9.0, 4.0, 1.0, 0.9], strict=False)]

    assert candidates(READ, offered, search) == ("p_a", "p_b")
    named = READ.model_copy(update={"tools": ("p_[bc]", "p_send")})
    assert candidates(named, offered, search) == ("p_b", "p_c")


@requirement("S1")
@pytest.mark.parametrize(
    ("need", "spec", "arguments", "kept"),
    [
        (POST, SEND, {"channel": "C1", "text": "x"}, True),
        (POST, SEND, {"text": "x"}, False),
        (POST, SEND, {"channel": "C2", "text": "x"}, False),
        (POST, SEND_TO, {"to": "C1", "text": "x"}, True),
        (POST, SEND_TO, {"to": "C2", "text": "x"}, False),
        (READ, LOOK, {"day": "2026-11-21"}, True),
        (READ, LOOK, {"day": "2026-11-20"}, False),
        (READ, LOOK, {"channel": "C1"}, False),
        (READ, LOOK, {"channel": "C1", "since": "1763650800"}, True),
        (READ, LOOK, {}, False),
    ],
)
def test_a_call_serves_a_need_when_it_departs_from_nothing_that_is_fixed(
    need: Need, spec: Any, arguments: dict[str, str], kept: bool
) -> None:
    assert (binding_violations(need, spec, arguments) == ()) is kept


def judged_unlooked(goal: str, answer: str, *records: CallRecord, **request: Any) -> Verdict:
    """What the judge says of an answer to a free goal, where a tool was offered."""
    ctx = stands(*records, goal=goal, needs=())
    offered = (tool("shop_price", provider="shop"),)
    asked = replace(ctx, offered=offered, request=ctx.request.model_copy(update=request))
    asked.add_records(records)
    return judge(AssistantMessage(text=answer), asked)


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("What does tea cost in the shop?", "The tea cost in the shop is a Japanese tea"),
        ("What does tea cost in the shop?", "The tea cost in the shop is a product of the tea shop."),
        ("What is the price of tea?", "The price of tea is one hundred yen."),
        ("How many issues are open?", "The open issues are the issues that are open."),
        ("お茶はいくらですか?", "お茶はお店で売っている飲み物です。"),
        ("記事は何件ある?", "記事があります。"),
        ("How many issues are open?", "None."),
        ("記事は何件ある?", "ありません。"),
        ("Who sells tea?", "The shop in the harbour does."),
        ("What is the capital of France?", "Paris."),
        ("What did Maya say today?", "To my knowledge she was content."),
    ],
)
def test_an_answer_for_which_nothing_was_read_completes_nothing_unless_it_says_so(goal: str, answer: str) -> None:
    verdict = judged_unlooked(goal, answer)
    assert (verdict.verdict, verdict.ending) == ("continue", "doubtful")
    assert verdict.missing == ("claim: a read",)


@pytest.mark.parametrize(
    ("goal", "answer", "more"),
    [
        ("What does tea cost?", "To my knowledge it is cheap.", {}),
        ("Say hello.", "Hello!", {}),
        ("What is the capital of France?", "From general knowledge: Paris.", {}),
        ("Who sells tea?", "Whose tea do you mean?", {}),
        ("How much was it again?", "A hundred yen.", {"history": (AssistantMessage(text="It is 100 yen."),)}),
    ],
)
def test_a_short_answer_that_is_honest_stands(goal: str, answer: str, more: dict[str, Any]) -> None:
    assert judged_unlooked(goal, answer, **more).verdict == "complete"


def test_whoever_has_looked_may_answer_in_words() -> None:
    assert (
        judged_unlooked("What does tea cost?", "The same as coffee.", record(text="tea costs the same as coffee")).verdict
        == "complete"
    )
