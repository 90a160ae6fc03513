"""Questions as people get them: everything shown, sources told, what is unusual first."""

import json
import tomllib
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Need
from autonomy.llm.scripted import Reply, calling
from autonomy.policy.arguments.argument_sources import trace_arguments
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.sinks import Sink
from autonomy.provenance import Origin, Sources
from autonomy.run_state.asking.approvals import ApprovalQuestion, TextSupport
from autonomy.run_state.asking.question_view import question_view, seen, suggested_rule, support_lines
from autonomy.run_state.earlier_texts import earlier_texts
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Effect, JsonObject
from tests.requirements import requirement
from tests.support.house import OUTWARD, READ, house, person_who
from tests.support.specs import tool


def question(source: SourceClass, **arguments: Any) -> ApprovalQuestion:
    """A question about a message whose recipient came from there."""
    traced = (
        TracedValue(argument="text", path="$[0]", value="hi", sink=Sink.TEXT, source=SourceClass.OWN),
        TracedValue(argument="to", path="$[0]", value="U1", sink=Sink.RECIPIENT, source=source, told_by="chat_history: to U1"),
    )
    return ApprovalQuestion(
        run_id="r",
        key="k",
        tenant="t",
        job="",
        tool="chat_send",
        effect="outward",
        arguments={"text": "hi", "to": "U1", **arguments},
        arguments_sha256="0" * 64,
        reason="why",
        traced=traced,
    )


@requirement("K6")
@pytest.mark.parametrize(("language", "said"), [("ja", "読んだ文章"), ("en", "from text that was read")])
def test_what_is_unusual_stands_first_with_its_source_in_the_readers_language(language: str, said: str) -> None:
    view = question_view(question(SourceClass.TEXT), language)
    assert [item.argument for item in view.items] == ["to", "text"]
    assert view.items[0].unusual
    assert said in view.items[0].line(language)
    assert "chat_history: to U1" in view.items[0].line(language)


@requirement("K6")
def test_no_argument_is_left_out_however_many_there_are() -> None:
    many = {f"n{number}": number for number in range(200)}
    assert {item.argument for item in question_view(question(SourceClass.WORDS, **many)).items} == {"to", "text", *many}


@requirement("K6")
@pytest.mark.parametrize(
    ("source", "suggested"), [(SourceClass.WORDS, "approve"), (SourceClass.TEXT, "deny"), (SourceClass.NOWHERE, "deny")]
)
def test_approving_is_never_the_button_that_stands_out_once_text_had_a_hand_in_it(source: SourceClass, suggested: str) -> None:
    assert question_view(question(source)).suggested == suggested


@requirement("K6")
def test_a_text_that_is_replaced_is_shown_as_a_diff() -> None:
    view = question_view(question(SourceClass.WORDS).model_copy(update={"replaces": {"text": "ho"}}))
    assert next(item.diff for item in view.items if item.argument == "text") == ("@@ -1 +1 @@", "-ho", "+hi")


@requirement("K6")
def test_a_shape_can_become_a_rule_only_when_nothing_hostile_chose_it() -> None:
    assert 'arguments = { "to" = "U1" }' in suggested_rule(question(SourceClass.WORDS))
    assert suggested_rule(question(SourceClass.TEXT)) == ""
    asked = question(SourceClass.WORDS)
    beside = TracedValue(argument="to", path="$[1]", value="in the hall", sink=Sink.PLACE, source=SourceClass.TEXT)
    assert suggested_rule(asked.model_copy(update={"traced": (beside, *asked.traced)})) == "", "each value of an argument counts"


@requirement("K6")
@pytest.mark.parametrize(
    ("arguments", "source", "decided"),
    [
        ({"to": "U1", "text": "another wording"}, SourceClass.OWN, "allow"),
        ({"to": "U2", "text": "hi"}, SourceClass.OWN, "ask"),
        ({"to": "U1", "text": "hi", "cc": "U2"}, SourceClass.OWN, "ask"),
        ({"to": "U1", "text": {"to": "U2"}}, SourceClass.OWN, "ask"),
        ({"to": "U1", "text": "see evil.example"}, SourceClass.TEXT, "ask"),
    ],
)
def test_a_rule_made_of_a_shape_lets_only_that_shape_pass(arguments: JsonObject, source: SourceClass, decided: str) -> None:
    """`to` fixed, plain wording free, no other argument, no link that nobody gave."""
    rule = PolicyRule.model_validate(tomllib.loads(suggested_rule(question(SourceClass.WORDS)))["policy"][0])
    spec = tool("chat_send", provider="chat", effect=Effect.OUTWARD, properties={"to": {}, "text": {}, "cc": {}})
    sources = Sources()
    sources.add_text(Origin.TEXT, "see evil.example, U2")
    traced = trace_arguments(spec, arguments, sources, frozenset())
    given = Circumstances(tenant="t", labels=frozenset({UNTRUSTED}), traced=traced, known="send it", goal="send it")
    assert Policy(rules=(rule,)).decide(spec, arguments, given).decision == decided
    elsewhere = given.model_copy(update={"tenant": "another"})
    assert Policy(rules=(rule,)).decide(spec, arguments, elsewhere).decision == "ask", (
        "what one tenant's people approve is theirs"
    )


@requirement("K6")
def test_a_rule_made_of_a_shape_takes_what_was_approved_by_its_letters() -> None:
    rule = PolicyRule.model_validate(tomllib.loads(suggested_rule(question(SourceClass.WORDS, to="U[1]*?")))["policy"][0])
    spec = tool("chat_send", provider="chat", effect=Effect.OUTWARD)
    passing = [to for to in ("U[1]*?", "U1", "U1x2", "U[1]xx") if rule.applies("t", "", spec, {"to": to, "text": "hi"})]
    assert passing == ["U[1]*?"]


@requirement("K6")
def test_a_switch_that_nobody_spoke_of_is_unusual_only_beside_what_a_text_gave() -> None:
    switch = TracedValue(argument="notify", path="$", value="True", sink=Sink.FLAG, source=SourceClass.OWN)
    for source, unusual in ((SourceClass.WORDS, False), (SourceClass.TEXT, True)):
        asked = question(source, notify=True)
        (item,) = [
            one
            for one in question_view(asked.model_copy(update={"traced": (*asked.traced, switch)}), "en").items
            if one.argument == "notify"
        ]
        assert item.unusual is unusual, source


@requirement("K6")
def test_what_nobody_sees_in_the_name_of_an_argument_is_named() -> None:
    names = {item.argument for item in question_view(question(SourceClass.WORDS, **{"t\u200bo": "U2"}), "en").items}
    assert names == {"text", "to", "t⟨U+200B⟩o"}


@requirement("K6")
def test_a_text_that_the_run_has_read_under_the_same_name_is_what_a_new_version_replaces() -> None:
    old = "\n".join(f"line {number} of the page" for number in range(10))
    new = old.replace("line 4", "row 4")
    reads = [
        read_of({"text": "short"}),
        read_of({"posts": [{"text": old, "title": old}]}),
        read_of({"text": "another page " * 20}),
    ]
    assert earlier_texts({"text": new, "title": "x"}, reads) == {"text": old}
    assert earlier_texts({"text": new}, [read_of({"text": old.replace("line 2", "row 2")}), *reads]) == {"text": old}, (
        "the newest"
    )
    assert earlier_texts({"text": new}, [one.model_copy(update={"effect": "write"}) for one in reads]) == {}
    assert earlier_texts({"body": new}, reads) == earlier_texts({"text": old}, reads) == {}


def read_of(result: object) -> CallRecord:
    answer = ToolResult(call_id="c", name="t_read", text=json.dumps(result), structured=result)
    return CallRecord(call_id="c", turn=1, tool="t_read", asked="t_read", effect="read", result=answer)


def test_yes_and_no_are_spelt_the_same_in_an_argument_and_in_its_source() -> None:
    traced = TracedValue(
        argument="wip", path="$.wip", value="False", sink=Sink.FLAG, source=SourceClass.WORDS, told_by="job: False"
    )
    item = question_view(question(SourceClass.WORDS, wip=False).model_copy(update={"traced": (traced,)}), "en").items
    assert [(one.value, one.sources) for one in item if one.argument == "wip"] == [
        ("false", ("false: from the request (job: false)",))
    ]


@requirement("K6")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello all", "from the request"),
        ("Hello", "written by the model"),
        ("Hello all, and more", "written by the model"),
    ],
)
async def test_only_a_text_that_the_job_fixes_as_a_whole_is_shown_as_from_the_request(text: str, said: str) -> None:
    server: MCPServer[Any] = MCPServer("chat")
    asked = list[ApprovalQuestion]()

    @server.tool(annotations=OUTWARD)
    def post(channel_id: str, text: str) -> str:
        """Post a message to a channel."""
        return "posted"

    fixed = {"channel_id": "C07", **({"text": text} if said == "from the request" else {})}
    need = Need(id="tell", description="post a message to a channel", effect="outward", arguments=fixed)
    script: list[Reply] = [calling(("chat_post", {"channel_id": "C07", "text": text})), *["Posted."] * 5]
    asking = Policy(rules=(PolicyRule(name="all", decision="ask"),))
    async with house(server, script=script, approver=person_who("granted", asked), policy=asking) as home:
        await home.run("Greet: post Hello all to the channel", job="greet", needs=(need,))
    (item,) = (one for one in question_view(asked[0], "en").items if one.argument == "text")
    assert item.sources == (said,)


MORNING = "The lift is serviced on Monday from 10:00 to 11:00, says the caretaker. The cellar stays locked until Thursday."
TOLD = "The lift is serviced on Monday from 10:00 to 11:00."
INVENTED = "All tenants received a refund of 97 euros for the noise in the cellar."


@requirement("V1", "K6")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{TOLD} The cellar stays locked until Thursday.", ["sentences that have the source they need: 2 of 2"]),
        (
            f"{TOLD} {INVENTED}",
            ["sentences that have the source they need: 1 of 2", f'⚠ nothing that was read says: "{INVENTED}"'],
        ),
    ],
)
async def test_a_question_tells_which_sentences_of_a_text_nothing_says_that_was_read(text: str, lines: list[str]) -> None:
    server: MCPServer[Any] = MCPServer("house")
    asked = list[ApprovalQuestion]()

    @server.tool(annotations=READ)
    def notices() -> str:
        """Read the notices of the house."""
        return MORNING

    @server.tool(annotations=OUTWARD)
    def post(text: str) -> str:
        """Post a notice in the house."""
        return "posted"

    script: list[Reply] = [calling(("house_notices", {})), calling(("house_post", {"text": text})), *["Posted."] * 5]
    asking = Policy(rules=(PolicyRule(name="all", decision="ask", tool="house_post"),))
    async with house(server, script=script, approver=person_who("granted", asked), policy=asking) as home:
        await home.run("Read the notices of the house and post a notice that tells the news of them")
    (item,) = (one for one in question_view(asked[0], "en").items if one.argument == "text")
    assert list(item.sources[-len(lines) :]) == lines
    assert ("sentences that have the source" in " ".join(item.sources[: -len(lines)])) is False


@requirement("V1", "K6")
def test_of_many_sentences_without_a_source_three_are_quoted_on_one_line_each_and_the_rest_counted() -> None:
    support = TextSupport(wanting=6, sourced=1, unsourced=("a\nb", "c" * 500, "d\u200be", "f", "g"), of_others=("of Leo",))
    _, unsourced, of_others = support_lines(support, "en")
    assert unsourced.startswith('⚠ nothing that was read says: "a b", "ccc')
    assert unsourced.endswith('"d⟨U+200B⟩e", 2 more')
    assert len(unsourced) < 250
    assert of_others == '⚠ was read of another person, day or place: "of Leo"'
    assert "6 文のうち 1 文" in next(support_lines(support, "ja"))


@requirement("K6")
def test_signs_that_join_nothing_are_named_and_those_of_emoji_and_scripts_are_not() -> None:
    joined = ("❤️ ok", "👨‍👩‍👧", "❤️‍🔥", "1️⃣ #️⃣", "क्‍ष", "نمی‌خواهم", "🏳️‍🌈", "👍🏽", "日︀本", "🕵️‍♂️")
    assert [text for text in joined if "⟨U+FE" in seen(text) or "⟨U+200D" in seen(text)] == []
    hiding = (
        "😀\ufe01\ufe05", "a\ufe01b\ufe03", "\ufe01x", "😀\ufe03", "1\ufe05", "x \u200dy", "ok\ufe0f", "a\u200db", "👨\u200d\u200d👩",
    )  # fmt: skip
    assert [text for text in hiding if "⟨U+" not in seen(text)] == []
