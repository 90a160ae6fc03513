"""Reasons are written once in English and read back in the language of whoever looks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.policy.sinks import Sink
from discovery.catalog import Effect
from metrics.reporting import reason_words
from metrics.reporting.reason_words import GAPS, LONGEST, MOST_PARTS, MOST_TRIES, SENTENCES, TERMS, reason_in, rule_in
from tests.requirements import requirement

HOUSE = Path(__file__).parents[2] / "autonomy"
JAPANESE = re.compile("[ぁ-ヿ一-鿿]")
CLOSED = {"effect": "write", "sink": "recipient"}
VALUES = st.text("abcxyz019 _-.:@#()'", min_size=1, max_size=20).map(lambda text: f"v{text}v")


def english(template: str, values: dict[str, str]) -> str:
    return template.format(**{place: CLOSED.get(place, values.get(place, f"v-{place}-v")) for place in places(template)})


def places(template: str) -> list[str]:
    return [place for _, place, _, _ in Formatter().parse(template) if place]


def test_every_reason_reads_back_with_all_of_its_values() -> None:
    assert len(SENTENCES) > 200
    for template in SENTENCES:
        told = reason_in("ja", english(template, {}))
        assert JAPANESE.search(told), template
        assert all(f"v-{place}-v" in told for place in places(template) if place not in CLOSED), template
        assert sorted(places(template)) == sorted(places(SENTENCES[template]))
        assert reason_in("en", english(template, {})) == english(template, {}).replace("『", '"').replace("』", '"')


@given(st.sampled_from(sorted(SENTENCES)), st.dictionaries(st.sampled_from(["value", "text", "tool", "words"]), VALUES))
def test_no_value_is_lost_whatever_it_holds(template: str, values: dict[str, str]) -> None:
    told = reason_in("ja", english(template, values))
    assert all(value in told for place, value in values.items() if place in places(template))


@given(st.lists(st.sampled_from(["; ", "(host) from nowhere: ", "it is not allowed (", "): ", "a", "need "]), max_size=400))
def test_a_strangers_text_is_read_without_a_crash_and_in_bounded_work(parts: list[str]) -> None:
    told = reason_in("ja", "url (host) from text that was read: " + "".join(parts))
    assert "url" in told


def test_a_reason_within_a_reason_is_read_too() -> None:
    told = reason_in(
        "ja", "no tool worked: slack__post: it is not allowed (data flow): to (recipient) from nowhere: #ops; it is x"
    )
    assert (
        told
        == "どのツールも成功しませんでした: slack__post: 許可されていません（データの流れ）: to（宛先）は出どころなし: #ops。it is x"
    )


def test_why_servers_are_not_there_is_read_for_each_of_them() -> None:
    waits = "comes from /w/x.json and waits for `jiritsu servers trust notes`"
    ended = "its process ended with exit code 1; the end of its stderr: no module"
    told = reason_in(
        "ja",
        f"unavailable: notes ({waits}); unavailable: esa (needs A, B); unavailable: x ({ended}); unavailable: y ('z': no such file or directory)",
    )
    assert told == (
        "使えないもの: notes（/w/x.json から来ていて、`jiritsu servers trust notes` を待っています）。使えないもの: esa（A, B が要ります）。"
        "使えないもの: x（プロセスが終了コード 1 で終わりました。標準エラーの最後: no module）。使えないもの: y（'z' がありません）"
    )


def test_a_draft_that_stayed_one_says_all_the_way_down_why() -> None:
    worker = "or let a worker ask (Slack, the console, `jiritsu approvals`)"
    retry = "`jiritsu runs retry ID --from STEP` with the last step of `--steps` that ends in /approval"
    asked = f"there is no terminal to ask at: run it at one, {worker}: {retry}"
    told = reason_in("ja", f"a draft did not go out: it is not allowed (denied): {asked}")
    assert "run it at one" not in told
    assert told.startswith("下書きは公開されませんでした: 許可されていません（不許可）: 確認できる端末がありません: 端末で")


def test_what_the_judge_misses_and_an_address_that_refuses_are_told_in_japanese() -> None:
    assert rule_in("ja", "claim: the action") == "主張: 依頼された操作"
    assert reason_in("ja", "connection refused (127.0.0.1:9)") == "接続を拒否されました（127.0.0.1:9）"
    assert reason_in("ja", "ollama:x: connection refused (127.0.0.1:9)") == "ollama:x: 接続を拒否されました（127.0.0.1:9）"


def test_every_name_of_what_the_judge_misses_in_an_answer_has_its_japanese() -> None:
    found = set[str]()
    for file in (HOUSE / "completion" / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
                name = node.value.elts[0]
                found |= {str(name.value)} if isinstance(name, ast.Constant) else set()
    assert len(found) > 6
    assert {name for name in found if not JAPANESE.search(rule_in("ja", f"claim: {name}").partition(": ")[2])} == set()


def test_a_quotation_stands_between_the_marks_of_the_reader() -> None:
    assert reason_in("en", "『v5.0.0』 has no source; 『57%』 has no source") == '"v5.0.0" has no source; "57%" has no source'
    assert reason_in("ja", "『v5.0.0』 has no source") == "『v5.0.0』には出どころがありません"


def test_a_value_with_the_mark_between_two_reasons_stays_whole() -> None:
    assert reason_in("ja", "you say 'a; b', and no tool has given a receipt for that").startswith("'a; b' とありますが")


@pytest.mark.parametrize("words", ["the wrong channel", "too loud; ask Hana", "this is a bad call", "", "x" * (LONGEST + 1)])
def test_words_of_a_person_stay_as_they_are(words: str) -> None:
    assert reason_in("ja", words) == words


def test_every_effect_and_sink_has_its_word() -> None:
    assert [effect for effect in Effect if not JAPANESE.search(reason_in("ja", f"t is a {effect} call"))] == []
    assert [sink for sink in Sink if f"（{TERMS[sink]}）" not in reason_in("ja", f"a ({sink}) from nowhere: b")] == []


def test_the_policys_own_rules_have_a_name_and_an_operators_keeps_his() -> None:
    assert rule_in("ja", "data flow") == "データの流れ"
    assert rule_in("ja", "need post") == "必要 post"
    assert (rule_in("ja", "need draft"), rule_in("ja", "evidence: draft")) == ("必要 draft", "調べた証拠: draft")
    assert rule_in("ja", "no posts on Sunday") == "no posts on Sunday"
    assert rule_in("en", "data flow") == "data flow"


DECIDING = [
    *(HOUSE / "policy" / name for name in ("policy.py", "reads.py")),
    *sorted((HOUSE / "policy/envelopes").glob("within_*.py")),
]
"""The modules in which the policy decides."""
SPEAKING = [
    *DECIDING,
    *(HOUSE / "policy" / name for name in ("decision_table.py", "dataflow.py", "write_plan.py", "envelopes/request_envelope.py")),
    *(HOUSE / "calls" / name for name in ("ask_person.py", "own_tools/declare_plan.py", "circumstances.py", "prepare.py")),
    *(HOUSE / "completion" / name for name in ("judge.py", "evidence.py", "delivery.py")),
    *sorted(file for file in (HOUSE / "completion" / "rules").glob("*.py") if file.name != "rules_table.py"),
    *sorted((HOUSE / "completion" / "rules" / "written").glob("*.py")),
    HOUSE / "completion" / "rules" / "asked" / "scope_claims.py",
    HOUSE / "agent" / "progress_check.py",
    HOUSE / "agent" / "request_validation.py",
    HOUSE / "outcomes" / "classifier.py",
    HOUSE / "run_state" / "asking" / "approvals.py",
]
"""The modules whose sentences become reasons."""
NOT_REASONS = re.compile(
    r"The plan is noted|A person agreed|^This is a rehearsal|You asked|are used up|used up\. Come"  # to the model alone
    r"|^all of it$|^the whole answer$|^given up: |^denied: |^tool used: |^claim: "  # names of findings
    r"|exactly one of|^Call this first|^This job leaves|^Filled from|^Your own wording|^Exactly|^Tools? |^How |^The |^Which |^Where |^Only when "  # a tool's schema
    r"|^vv \(recipient\) vv: vv$|^vv \(vv .vv.\)$|^from |^in the run's own|was not called: |^\. Its arguments in full|^be (?:above|below) |× vv$|about another vv$"  # parts of a sentence
    r"|^Go on as if|Take another way|take another way|^\(|\(\?|each argument is one of|jiritsu\."
    r"|^[.?! ]+$",  # a row of the decision table
    re.DOTALL,
)


@pytest.mark.parametrize("module", SPEAKING, ids=lambda module: module.name)
@requirement("K6")
def test_no_sentence_that_becomes_a_reason_is_missing_in_the_catalogue(module: Path) -> None:
    known = [*TERMS, *GAPS, *(template.format(**dict.fromkeys(places(template), "vv")) for template in SENTENCES)]
    missing = [
        text
        for text in sentences(module)
        if not JAPANESE.search(reason_in("ja", text)) and not any(text.removesuffix("vv") in whole for whole in known)
    ]
    assert not missing


@pytest.mark.parametrize("module", [*DECIDING, HOUSE / "calls" / "prepare.py"], ids=lambda module: module.name)
def test_no_name_of_a_policy_rule_is_missing_in_the_catalogue(module: Path) -> None:
    named = [
        name.value
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "rule"
        for name in ([keyword.value.body, keyword.value.orelse] if isinstance(keyword.value, ast.IfExp) else [keyword.value])
        if isinstance(name, ast.Constant)
    ]
    assert named
    assert [name for name in named if name not in TERMS] == []


def sentences(module: Path) -> Iterator[str]:
    """Every text of at least three words that a module makes, with samples for its values; no docstrings and no patterns."""
    for text in texts(module):
        if len(text.split()) > 2 and "\\" not in text and not NOT_REASONS.search(text):
            yield text.removeprefix("; ")


def texts(module: Path) -> Iterator[str]:
    """Every text that a module makes; no docstrings."""
    nodes = [*ast.walk(ast.parse(module.read_text()))]
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    quiet = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if id(node) in inside or id(node) in quiet or not isinstance(node, ast.JoinedStr | ast.Constant):
            continue
        text = "".join(map(sample, node.values)) if isinstance(node, ast.JoinedStr) else node.value
        if isinstance(text, str):
            yield text


def sample(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    name = ast.unparse(part.value) if isinstance(part, ast.FormattedValue) else ""
    return "write" if name.endswith("effect") else "recipient" if name.endswith("sink") else "vv"


PUT_TOGETHER = re.compile(
    r"^budget: |\(\{sink\}\)|^the limit of \{n\} |^the rules ask for a call|the job about another |^run it at one, or "
    r"|^tools: |^it would be made, after|error beside its data$|no such file or directory$|permission denied$|connection refused|no route to host|network is unreachable|: mcpServers|^must be greater than|^the writes that what was read asks for \("
)
"""Sentences that the code makes out of parts, or has from the operating system."""


def test_no_sentence_stands_in_the_catalogue_that_nothing_says() -> None:
    files = [file for room in (HOUSE, HOUSE.parent / "metrics", HOUSE.parent / "discovery") for file in room.rglob("*.py")]
    said = "\n".join(text for file in files for text in texts(file))
    said += "\n".join(file.read_text() for file in HOUSE.rglob("data/*.json"))
    pieces = {template: re.split(r"\{\w+\}", template) for template in SENTENCES if not PUT_TOGETHER.search(template)}
    assert [
        template for template, parts in pieces.items() if any(" " in part.strip() and part not in said for part in parts)
    ] == []


@pytest.mark.parametrize("clause", ["; ", "; x: ", "; : ", "a: b; "])
def test_words_of_a_stranger_are_compared_with_so_many_sentences_and_no_more(
    clause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, as_usual = list[str](), reason_words._clause
    monkeypatch.setattr(reason_words, "_clause", lambda text, depth: (tried.append(text), as_usual(text, depth))[1])
    for times in (LONGEST // len(clause), 800, 100, MOST_PARTS):
        tried.clear()
        reason_in("ja", clause * times)
        assert len(tried) <= MOST_TRIES


def test_a_long_list_of_our_own_sentences_is_told_all_the_same() -> None:
    one = "the last 3 runs have failed (exhausted, failed)"
    told = reason_in("ja", f"paused: {one}")
    many = "; ".join([f"paused: {one}"] * 70)
    assert reason_in("ja", many) == "。".join([told] * 70)


@pytest.mark.parametrize("named", ["Japanese", "ja"])
def test_a_language_is_named_in_words(named: str) -> None:
    assert reason_in("ja", f"the text has to be in {named}") == "文章は日本語で書かれていなければなりません"


def test_why_a_call_was_not_made_is_told_whole() -> None:
    why = "it is not allowed (need post): esa_update_post is a write call"
    assert reason_in("ja", f"esa_update_post was not called: {why}") == (
        "esa_update_post は呼び出していません。許可されていません（必要 post）: esa_update_post は書き込みの呼び出しです"
    )
