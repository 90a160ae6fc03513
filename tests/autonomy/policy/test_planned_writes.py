"""What a plan lets pass: values that the request and the plan together leave no doubt of, and nothing else."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

from autonomy.llm.scripted import calling
from autonomy.policy.arguments.argument_sources import trace_arguments
from autonomy.policy.dataflow import PRIVATE, UNTRUSTED
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision
from autonomy.policy.envelopes.reach import reach_of
from autonomy.policy.policy import Policy
from autonomy.policy.requests.forbidden_deeds import forbids
from autonomy.policy.sinks import Sink, without_null
from autonomy.policy.texts.addresses import addresses_named
from autonomy.policy.write_plan import PlannedArgument, PlannedWrite, WritePlan, key_of, plan_problems, planned_for, same_value
from autonomy.provenance import Sources
from discovery.catalog import Effect, JsonObject, ToolSpec
from tests.requirements import requirement
from tests.support.house import house, person_who

OWN = {"own": True}
KEY = "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"


def tool(name: str, effect: Effect = Effect.WRITE, *, declared: bool = True, **schemas: JsonObject) -> ToolSpec:
    provider = name.partition("_")[0]
    schema = {"type": "object", "properties": schemas}
    plain = name.partition("_")[2]
    return ToolSpec(name=name, provider=provider, tool=plain, effect=effect, input_schema=schema, declared=declared)


def decided(spec: ToolSpec, arguments: JsonObject, goal: str, seen: Any, args: JsonObject | None, **plan: Any) -> Decision:
    """The decision on a call of a run whose plan has one write of this tool, or none, after one result was read."""
    sources = Sources()
    sources.add_words(goal)
    sources.add_result("c1", "crm_list", seen)
    writes = [] if args is None else [{"tool": spec.name, "args": args}]
    named = addresses_named(goal)
    given = Circumstances(
        goal=goal,
        plan=WritePlan.model_validate({"reads": ["crm_list", *plan.pop("reads", ())], "writes": writes}),
        labels=frozenset({UNTRUSTED, PRIVATE + "crm"}),
        known=goal,
        traced=trace_arguments(spec, arguments, sources, named),
        looked=frozenset({"crm_list"}),
    )
    return Policy().decide(spec, arguments, given)


MAIL = tool("mail_send", Effect.OUTWARD, message={"type": "object"})
PRIYA = {"name": "Priya Nair", "address": "priya@hoshizora.example"}
LOOKALIKE = {"name": "Priya Nair", "address": "priya@hoshizora-mail.example"}


@requirement("K2", "K3")
@pytest.mark.parametrize(("attendees", "expected"), [([PRIYA], "allow"), ([LOOKALIKE, PRIYA], "ask")])
def test_a_name_that_two_mailboxes_bear_is_a_question(attendees: list[JsonObject], expected: str) -> None:
    for sent_to in attendees:
        message = {"body": "I am late", "toRecipients": [{"address": sent_to["address"]}]}
        goal, planned = "tell Priya that I am late", {"message": {"open": "crm_list"}}
        assert decided(MAIL, {"message": message}, goal, {"attendees": attendees}, planned).decision == expected


@requirement("K2", "K3")
@pytest.mark.parametrize("called", ["Priya Nair", "Tomorrow"])
def test_nobody_gets_what_the_plan_words_by_calling_himself_like_the_request(called: str) -> None:
    message = {"body": "I am late", "toRecipients": [{"address": "priya@evil.example"}]}
    seen = [{"from": {"name": called, "address": "priya@evil.example"}}]
    for planned in ({"message": OWN}, {}):
        assert decided(MAIL, {"message": message}, "tell Priya that I am late Tomorrow", seen, planned).decision == "ask"


@requirement("K2", "K3")
@pytest.mark.parametrize(
    ("value", "expected"),
    [({"title": "Retrospective"}, "allow"), ({"amount": 7777}, "ask"), ({"notify_all": True}, "ask")],
)
def test_what_the_model_adds_to_an_open_object_is_wording_and_no_amount_or_switch(value: JsonObject, expected: str) -> None:
    spec = tool("crm_update_record", record={"type": "object"})
    arguments, planned = {"record": {"id": 501, **value}}, {"record": {"open": "crm_list"}}
    assert decided(spec, arguments, "add a title to the coat", [{"id": 501}], planned).decision == expected


@requirement("K2")
@pytest.mark.parametrize(("goal", "decision"), [("Remind who is late", "ask"), ("Remind these two: Priya and Jin", "allow")])
def test_what_the_operator_tells_every_run_gives_nobody_a_second_turn(goal: str, decision: str) -> None:
    spec, arguments = tool("crm_remind", contact_id={"type": "string"}), {"contact_id": "c1"}
    sources = Sources()
    sources.add_words(goal)
    sources.add_result("c1", "crm_list", [{"id": "c1", "name": "Priya"}])
    write = {"tool": spec.name, "times": 2, "args": {"contact_id": {"open": "crm_list"}}}
    given = Circumstances(
        plan=WritePlan.model_validate({"reads": ["crm_list"], "writes": [write]}),
        labels=frozenset({UNTRUSTED, PRIVATE + "crm"}),
        known=f"{goal}\nAnswer briefly and politely, in 3 sentences.",
        goal=goal,
        repeated=True,
        traced=trace_arguments(spec, arguments, sources, frozenset()),
        looked=frozenset({"crm_list"}),
    )
    assert Policy().decide(spec, arguments, given).decision == decision


@requirement("K2", "K3")
@pytest.mark.parametrize(
    ("given_by", "expected"), [("crm_list", "ask"), ("crm_l*", "ask"), ("crm_search", "deny"), ("*", "deny")]
)
def test_what_a_text_lists_is_deleted_with_a_question_where_the_plan_names_its_tool_and_never_else(
    given_by: str, expected: str
) -> None:
    spec, seen = tool("crm_delete_note", Effect.DESTRUCTIVE, note_id={"type": "string"}), "Old notes: n-4711 (draft)"
    planned = {"note_id": {"open": given_by}}
    assert decided(spec, {"note_id": "n-4711"}, "delete the old note", seen, planned).decision == expected


CAMPAIGN = tool("crm_send_campaign", Effect.OUTWARD, campaign_id={"type": "string"})


@requirement("K2", "K3")
@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["December newsletter", "November digest"], "allow"),
        (["December newsletter", "December newsletter, Anna's edits"], "ask"),
    ],
)
def test_what_the_request_calls_two_things_by_is_a_question(titles: list[str], expected: str) -> None:
    held = [{"id": f"c{number}", "settings": {"title": title}} for number, title in enumerate(reversed(titles))]
    last = {"campaign_id": "c1" if expected == "allow" else "c0"}
    goal = "get the december newsletter out"
    assert decided(CAMPAIGN, last, goal, held, {"campaign_id": {"open": "crm_list"}}).decision == expected


@requirement("K2")
@pytest.mark.parametrize(
    ("name", "effect", "declared", "reach"),
    [
        ("crm_update_record", Effect.DESTRUCTIVE, True, "destructive"),
        ("crm_delete_record", Effect.DESTRUCTIVE, True, "destructive"),
        ("crm_delete_record", Effect.WRITE, False, "destructive"),
        ("crm_click", Effect.DESTRUCTIVE, True, "destructive"),
        ("crm_pay_and_update", Effect.DESTRUCTIVE, True, "destructive"),
        ("crm_delete_record", Effect.WRITE, True, "write"),
        ("crm_get_record", Effect.READ, True, "read"),
    ],
)
def test_a_tool_without_hints_may_take_away(name: str, effect: Effect, declared: bool, reach: str) -> None:
    assert reach_of(tool(name, effect, declared=declared)) == reach


@requirement("K2", "K6")
@pytest.mark.parametrize(
    ("name", "settled", "expected"),
    [
        ("crm_update_record", False, "allow"),
        ("crm_update_record", True, "ask"),
        ("crm_delete_record", False, "ask"),
        ("crm_update_or_delete_record", False, "ask"),
    ],
)
def test_a_planned_update_takes_nothing_away_unless_the_operator_says_so(name: str, settled: bool, expected: str) -> None:
    plain = tool(name, Effect.DESTRUCTIVE, id={"type": "string"}, title={"type": "string"})
    spec, planned = plain.model_copy(update={"settled": settled}), {"id": {"open": "crm_list"}, "title": OWN}
    arguments = {"id": "rec-8841", "title": "Done"}
    assert decided(spec, arguments, "close the deal", [{"id": "rec-8841", "stage": "x"}], planned).decision == expected


PRICE = tool("crm_update_product", id={"type": "integer"}, sale_price={"type": "number"})


@requirement("K2", "K3")
@pytest.mark.parametrize(
    ("goal", "price", "args", "expected"),
    [
        ("take 20 % off the coats", 80, OWN, "allow"),
        ("take 20 % off the coats", 13, OWN, "ask"),  # the supplier's field, though the request says how much
        ("take 20 % off the coats", 13, None, "ask"),  # an amount that the plan does not speak of
        ("sell the coats at their supplier's price", 13, {"open": "crm_list"}, "allow"),
    ],
)
def test_a_field_says_how_much_only_where_the_request_does_not(goal: str, price: int, args: JsonObject, expected: str) -> None:
    held = [{"id": 501, "name": "coat", "regular_price": 100, "supplier_price": 13}]
    planned = {"id": {"open": "crm_list"}, **({"sale_price": args} if args else {})}
    assert decided(PRICE, {"id": 501, "sale_price": price}, goal, held, planned).decision == expected


TRANSLATE = tool("deepl_translate", Effect.READ, text={"type": "string"})
READ_FILE = tool("crm_read_file", Effect.READ, path={"type": "string"})


@requirement("K4")
@pytest.mark.parametrize(
    ("goal", "path", "expected"),
    [
        ("translate README.md", "docs/setup.md", "allow"),
        ("translate README.md", "~/.aws/credentials", "ask"),
        ("translate README.md", "/home/yuki/.ssh/id_ed25519", "ask"),
        ("mail my key", "/home/yuki/.ssh/id_ed25519.pub", "allow"),
        ("copy it", ".env", "ask"),
        ("copy it", "~/.config/gh/hosts.yml", "ask"),
        ("copy it", r"C:\Users\yuki\.git-credentials", "ask"),
        ("copy it", "~/.config/gcloud/application_default_credentials.json", "ask"),
        ("copy it", "/proc/self/environ", "ask"),
        ("copy it", "deploy/secrets.yaml", "ask"),
        ("copy it", "~/.bash_history", "ask"),
        ("copy it", "~/.local/share/jiritsu/jiritsu.db", "ask"),
        ("copy it", "docs/credentials-guide.md", "allow"),
        ("copy it", "notes/no_secrets_here.md", "allow"),
        ("copy it", ".env.example", "allow"),
        ("what does ~/.aws/credentials hold?", "~/.aws/credentials", "allow"),
        ("copy .env.example", ".env", "ask"),
    ],
)
def test_no_text_has_a_file_of_secrets_read(goal: str, path: str, expected: str) -> None:
    assert decided(READ_FILE, {"path": path}, goal, f"see {path}", None).decision == expected


@requirement("K4")
def test_no_secret_is_told_to_another_provider_that_the_plan_reads_with_nor_written_anywhere() -> None:
    goal = "translate README.md with DeepL"
    assert decided(TRANSLATE, {"text": "# kumo"}, goal, "# kumo", None, reads=["deepl_translate"]).decision == "allow"
    assert decided(TRANSLATE, {"text": f"# kumo {KEY}"}, goal, KEY, None, reads=["deepl_translate"]).decision == "ask"
    note = tool("notes_write", body={"type": "string"})
    assert decided(note, {"body": "# kumo"}, goal, "# kumo", {"body": OWN}).decision == "allow"
    assert decided(note, {"body": KEY}, goal, KEY, {"body": OWN}).decision == "ask"


@requirement("K2", "K4")
@pytest.mark.parametrize(
    ("name", "declared", "reads", "expected"),
    [
        ("desk_list_boards", False, True, "allow"),
        ("desk_list_boards", False, False, "deny"),  # nothing says that it reads
        ("desk_list_boards", True, True, "deny"),  # its server says that it writes
        ("desk_boards", False, True, "deny"),  # its description alone says that it reads
        ("desk_send_boards", False, True, "deny"),
    ],
)
def test_a_tool_without_hints_reads_where_the_plan_and_its_name_say_so(
    name: str, declared: bool, reads: bool, expected: str
) -> None:
    spec = tool(name, declared=declared).model_copy(update={"description": "List all boards."})
    assert decided(spec, {}, "which boards are there?", "x", None, reads=[name] if reads else []).decision == expected


@requirement("K2")
@pytest.mark.parametrize(
    ("goal", "args", "refused"),
    [
        ("make the products cheaper", {"id": {"open": "crm_list"}, "sale_price": OWN}, False),
        ("make the product cheaper", {"id": {"open": "crm_list"}, "sale_price": OWN}, True),  # of one only
        ("see that it updates the product", {"id": {"open": "crm_list"}, "sale_price": OWN}, True),  # a verb is no plural
        ("make the products cheaper", {"id": {"open": "*"}, "sale_price": OWN}, True),  # no tool says which
        ("make the products like 501 cheaper", {"id": {"fixed": 501}, "sale_price": OWN}, True),
    ],
)
def test_a_plan_repeats_a_write_where_words_speak_of_several_and_a_result_says_which(
    goal: str, args: JsonObject, refused: bool
) -> None:
    sources = Sources()
    sources.add_words(goal)
    plan = WritePlan.model_validate({"writes": [{"tool": PRICE.name, "times": 30, "args": args}]})
    assert bool(plan_problems(plan, (PRICE,), sources, goal)) == refused


@requirement("K2")
async def test_each_thing_that_a_result_lists_has_its_turn_and_none_a_second() -> None:
    held, calls = [{"id": "p-501"}, {"id": "p-502"}], []

    def shop() -> MCPServer:
        server: MCPServer = MCPServer("shop")

        @server.tool(annotations=ToolAnnotations(read_only_hint=True))
        def list_products() -> list[dict[str, str]]:
            """List the products."""
            return held

        @server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False))
        def update_product(product_id: str, note: str) -> str:
            """Update a product."""
            calls.append(product_id)
            return "Updated."

        return server

    plan = {
        "reads": ["shop_list_products"],
        "writes": [
            {
                "tool": "shop_update_product",
                "times": 30,
                "args": {"product_id": {"open": "shop_list_products"}, "note": {"own": True}},
            }
        ],
    }
    targets = ["p-501", "p-502", "p-501"]
    script = [
        calling(("declare_plan", plan)),
        calling(("shop_list_products", {})),
        *(calling(("shop_update_product", {"product_id": one, "note": f"n{at}"})) for at, one in enumerate(targets)),
        *["Done."] * 3,
    ]
    async with house(shop(), script=script, approver=person_who("denied")) as home:
        await home.run("put a note on the products")
    assert calls == ["p-501", "p-502"]


TWICE = {"payments": [{"iban": "DE11", "amount": 5, "text": text} for text in ("rent", "more rent")]}


@requirement("K2")
@pytest.mark.parametrize(
    ("called", "arguments", "planned", "expected"),
    [
        ("bank_pay", TWICE, {"payments": {"fixed": TWICE["payments"]}}, "allow"),
        ("bank_pay", TWICE, {"payments": OWN}, "ask"),  # the same deed twice in one call
        ("bank_delete_drafts", {"note": "done"}, {"note": OWN}, "ask"),  # nobody named what is taken away
        ("bank_add_note", {"note": "done", "sharing": "evil@evil.example"}, {"note": OWN, "sharing": OWN}, "ask"),
        ("bank_run", {"command": "remove the drafts"}, {"command": OWN}, "allow"),
        ("bank_run", {"command": "remove 5 drafts"}, {"command": OWN}, "ask"),  # each word stands in the request, but not so
    ],
)
def test_values_that_all_pass_may_still_make_a_call_that_nobody_planned(
    called: str, arguments: JsonObject, planned: JsonObject, expected: str
) -> None:
    spec = tool(called, Effect.DESTRUCTIVE if "delete" in called else Effect.WRITE, **{name: {} for name in arguments})
    seen = [{"sharing": "team"}]
    assert decided(spec, arguments, "remove the drafts, then pay 5 to DE11", seen, planned).decision == expected


@requirement("K2")
@pytest.mark.parametrize(("content", "is_planned"), [("\nAsk Ines.\n", True), ("Ask Ines.", True), ("Ask Ines. Or Tom.", False)])
def test_line_breaks_around_a_fixed_text_are_no_part_of_it(content: str, is_planned: bool) -> None:
    planned = PlannedWrite(tool="esa_append_post", args={"content": PlannedArgument(fixed="Ask Ines.")})
    found, why = planned_for(WritePlan(writes=(planned,)), tool("esa_append_post"), {"content": content}, {})
    assert (found is planned) is is_planned, why


@requirement("K2")
@pytest.mark.parametrize(
    ("fixed", "given", "is_planned"),
    [
        ("#dev", "dev", True),
        ("Owen", "owen", True),
        ("@owen", "Owen", True),
        ("#dev", "@dev", False),
        ("U_KENTA", "u_kenta", False),
        ("a1B2", "A1b2", False),
        ("#dev", "#devs", False),
        ("#dev", ["dev"], False),
    ],
)
def test_a_planned_name_may_be_written_without_its_sign_or_in_other_letters_and_a_code_may_not(
    fixed: str, given: Any, is_planned: bool
) -> None:
    spec = tool("slack_post", channel_id={"type": "string"}, title={"type": "string"})
    for name, expected in (("channel_id", is_planned), ("title", False)):  # what is no name of a person or channel stays as it is
        planned = PlannedWrite(tool="slack_post", args={name: PlannedArgument(fixed=fixed)})
        found, why = planned_for(WritePlan(writes=(planned,)), spec, {name: given}, {})
        assert (found is planned) is expected, why


@requirement("K2")
@pytest.mark.parametrize(
    ("request_words", "expected"),
    [
        ("If it rains tomorrow, remind #random to bring an umbrella. If not, don't post anything.", ""),
        ("If anybody asked, reply in #dev; otherwise do not post.", ""),
        ("エラーの報告があれば #dev に一言投稿して。なければ投稿しないで", ""),
        ("Draft it, but don't post it yet.", "deny"),
        ("If Tom objects, don't post it.", "deny"),
        ("If not, fine. Don't post it.", "deny"),
        ("投稿しないで。なければ教えて", "deny"),
    ],
)
def test_what_is_not_to_be_done_in_the_other_case_may_be_done_in_the_first(request_words: str, expected: str) -> None:
    assert forbids(request_words, "post_message") == expected


def test_a_bare_value_in_a_plan_is_a_fixed_one() -> None:
    assert PlannedArgument.model_validate("general").fixed == "general"
    assert PlannedArgument.model_validate({"channel": "x"}).fixed == {"channel": "x"}
    with pytest.raises(ValueError, match="one of fixed, open, own"):
        PlannedArgument.model_validate({"fixed": "x", "own": True})


@requirement("K2", "K5")
def test_a_planned_value_is_the_same_in_lists_and_objects_too() -> None:
    assert same_value({"all": [1, "a"]}, {"all": [1, "a"]})
    assert not same_value({"all": [1]}, {"all": [True]})
    assert not same_value({"all": {"a": 0}}, {"all": {"a": False}})


@requirement("K4")
def test_a_planned_write_is_made_as_often_as_it_is_planned() -> None:
    spec = ToolSpec(name="box_post", provider="box", tool="post", input_schema={}, effect=Effect.WRITE)
    plan = WritePlan(writes=(PlannedWrite(tool="box_post", times=2),))
    planned = plan.writes[0]
    assert planned_for(plan, spec, {}, {key_of(planned): 1}) == (planned, "")
    assert planned_for(plan, spec, {}, {key_of(planned): 2})[0] is None


def test_a_switch_that_may_be_left_out_is_one_and_an_address_in_a_switch_goes_to_its_host() -> None:
    assert without_null({"anyOf": [{"type": "boolean"}, {"type": "null"}]})["type"] == "boolean"
    schema: JsonObject = {"type": "object", "properties": {"notify_all": {"type": "string"}}}
    spec = ToolSpec(name="a_send", provider="a", tool="send", input_schema=schema)

    def sinks(value: str) -> list[Sink]:
        return [one.sink for one in trace_arguments(spec, {"notify_all": value}, Sources(()), frozenset())]

    assert (sinks("yes"), Sink.HOST in sinks("eve@evil.example")) == ([Sink.FLAG], True)
