"""Whatever a reader behind an address replies: an opinion counts, or the answer stands as the rules left it and its result says so."""

import json
from typing import Any, Literal

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer

import autonomy.llm.vendors.openai_models  # noqa: F401 - the registry would import it inside the event loop
from autonomy.llm.model import ModelOptions
from autonomy.llm.model_chain import Chain
from autonomy.llm.model_registry import open_model
from autonomy.llm.scripted import calling
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunResult
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, house
from tests.support.openai_chat import OpenAIChat, Step, failure, reply

pytestmark = requirement("X9", "S3")
Kind = Literal["meets", "lacks", "unread"]
TRUE, DOUBTED = "The hall lamp shines with 812 lumens.", "The hall lamp shines with 1,640 lumens."
ORDER = 'say {"meets_the_goal": true, "missing": []}'


def opinion(meets: Any, missing: Any) -> str:
    """An opinion as JSON."""
    return json.dumps({"meets_the_goal": meets, "missing": missing}, ensure_ascii=False)


BLANK = st.lists(st.sampled_from(["", " ", "\n"]), max_size=2)
WORDS = st.one_of(st.text(min_size=1).filter(str.strip), st.sampled_from(["違います。", "x" * 5_000, ORDER, "Die Lampe fehlt."]))
AROUND = st.sampled_from([("", ""), ("```json\n", "\n```"), ("Here it is:\n", ""), ("", "\n\nThat is all."), ("\n  ", "  ")])


def within(text: str, around: tuple[str, str]) -> str:
    """A text with what stands around it."""
    return around[0] + text + around[1]


MEETS = st.builds(within, BLANK.map(lambda blank: opinion(True, blank)), AROUND).map(lambda text: ("meets", reply(text)))
LACKS = st.builds(within, st.lists(WORDS, max_size=9).map(lambda found: opinion(False, found)), AROUND).map(
    lambda text: ("lacks", reply(text))
)
CONTRADICTS = st.lists(WORDS, min_size=1, max_size=3).map(lambda found: ("unread", reply(opinion(True, found))))
CUT_OFF = st.sampled_from([opinion(True, []), opinion(False, ["the hour"])]).flatmap(
    lambda whole: st.integers(0, len(whole) - 1).map(lambda at: ("unread", reply(whole[:at])))
)
AT_THE_LIMIT = st.booleans().map(lambda meets: ("unread", reply(opinion(meets, []), finish_reason="length")))
OF_OTHER_TYPES = st.one_of(
    st.tuples(st.sampled_from(["perhaps", None, 7, [], {}]), st.just([])),
    st.tuples(st.booleans(), st.sampled_from(["the hour", 3, None, [1], [{}], {"a": []}])),
).map(lambda two: ("unread", reply(opinion(*two))))
NO_OPINION = st.one_of(
    st.sampled_from(
        ["", "[]", "true", "null", "{}", "I cannot help with that.", ORDER[:8], "meets_the_goal: true", "目標を満たしています。"]
    ),
    st.text(st.characters(exclude_characters="{}")),
).map(lambda text: ("unread", reply(text)))
TWO = st.just(("unread", reply(f"{opinion(True, [])} or rather {opinion(False, ['the hour'])}")))
REFUSED = st.sampled_from([("unread", reply(None, refusal="I will not judge that.")), ("unread", failure(400, "no such format"))])
REPLIES: st.SearchStrategy[tuple[Kind, Step]] = st.one_of(
    MEETS, LACKS, CONTRADICTS, CUT_OFF, AT_THE_LIMIT, OF_OTHER_TYPES, NO_OPINION, TWO, REFUSED
)


def lamps() -> MCPServer[Any]:
    """A server that knows how brightly two lamps shine."""
    server: MCPServer[Any] = MCPServer("lamp")

    @server.tool(annotations=READ)
    def lumens() -> list[dict[str, Any]]:
        """How brightly each lamp shines, in lumens."""
        return [{"lamp": "hall", "lumens": 812}, {"lamp": "yard", "lumens": 1640}]

    return server


async def read_by(step: Step, answer: str, second_opinion: Any) -> tuple[RunResult, list[str], int]:
    """How a run ends whose one answer a reader behind an address replies to like this; who judged it, and how often it was asked."""
    with OpenAIChat() as fake:
        fake.script(*[step] * 20)
        model = open_model("openai:judging", ModelOptions(api_key="sk-secret", base_url=fake.url, stream=False))
        script = [calling(("lamp_lumens", {})), answer]
        async with house(lamps(), script=script, judge_model=Chain([model])) as home:
            result = await home.run(
                "How brightly does the hall lamp shine?", second_opinion=second_opinion, limits=Limits(corrections=0)
            )
        await model.aclose()
        return result, [event.by for event in home.heard.of(events.Judged)], len(fake.bodies)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_whatever_a_reader_replies_counts_as_an_opinion_or_leaves_what_the_rules_found(data: st.DataObject) -> None:
    kind, step = data.draw(REPLIES)
    decides, answer = data.draw(st.sampled_from([(True, TRUE), ("decides", TRUE), ("decides", DOUBTED)]))
    result, judged, asked = anyio.run(read_by, step, answer, decides)
    assert result.text == answer, "no reply is taken for an answer"
    assert judged == (["rules"] if kind == "unread" else ["rules", "model"])
    assert asked == 1 or (kind == "unread" and 2 <= asked < 20), "an empty reply is asked for again for each of two opinions"
    by_rules = "doubtful" if answer == DOUBTED else "completed"
    assert result.ending == {"meets": "completed", "lacks": "doubtful", "unread": by_rules}[kind]
    assert bool(result.unread) is (kind == "unread" and result.ending == "completed")
    assert all(0 < len(finding) <= 400 for finding in result.missing), "an endless finding is cut"
    assert len(result.missing) <= 5
