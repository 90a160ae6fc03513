"""A server that wants a page opened, before a call or in the middle of one: a real process, in both revisions."""

import sys
from pathlib import Path

import anyio
import pytest

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.llm.model import Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, ApprovalTerms
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Step
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.asked_back import can_be_opened
from tests.requirements import requirement
from tests.support.house import NO_WAIT
from tests.support.sampling import in_part

DOOR = Path(__file__).parents[2] / "support/servers/door_server.py"
REVISIONS = pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
YES, NO = ApprovalAnswer(answer="granted"), ApprovalAnswer(answer="denied", reason="not today")


class Visitor:
    """Answers in turn; whoever says yes has been there, if `folder` says where that is seen."""

    def __init__(self, *answers: ApprovalAnswer, folder: Path | None = None) -> None:
        self.answers, self.folder, self.asked = list(answers), folder, list[ApprovalQuestion]()

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        self.asked.append(question)
        if self.folder is not None:
            (self.folder / "visited").touch()
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def run(tool: str, folder: Path, revision: str, *more: str, person: Visitor, terms: str = "ask") -> RunResult:
    args = (str(DOOR), str(folder), revision, *more)
    server = ServerConfig(name="door", transport="stdio", command=sys.executable, args=args)
    with anyio.fail_after(240):
        async with open_gateway([server], asks_back=True) as gateway:
            executor = Executor(
                Chain([ScriptedModel([calling((f"door_{tool}", {})), "done"])]),
                Services(gateway, backoff=NO_WAIT, approver=person),
            )
            approval = ApprovalTerms.model_validate({"questions": terms})
            request = RunRequest(run_id="run-1", task=Task(goal="do it"), tools=("door_*",), approval=approval)
            return await executor.execute(request)


def called(folder: Path) -> list[str]:
    return (folder / "calls.txt").read_text().split()


@requirement("N5")
@REVISIONS
async def test_a_person_sees_page_and_host_and_says_whether_he_was_there(tmp_path: Path, revision: str) -> None:
    person = Visitor(YES)
    (call,) = (await run("gate", tmp_path, revision, person=person)).calls
    assert '"accept"' in call.result.text
    (question,) = person.asked
    assert question.arguments["url"] == "https://door.example/consent?id=7"
    assert question.arguments["host"] == "door.example"


@requirement("N5")
async def test_a_host_is_told_by_the_letters_that_the_network_knows_it_by(tmp_path: Path) -> None:
    person = Visitor(NO)
    await run("gate", tmp_path, "2026-07-28", "https://dооr.example/", person=person)
    assert person.asked[0].arguments["host"] == "xn--dr-fmca.example"


@requirement("N5")
@REVISIONS
@pytest.mark.parametrize("terms", ["decline", "defaults"])
async def test_unattended_a_page_is_declined_and_the_model_is_told(tmp_path: Path, revision: str, terms: str) -> None:
    person = Visitor(YES)
    (call,) = (await run("gate", tmp_path, revision, person=person, terms=terms)).calls
    assert '"decline"' in call.result.text
    assert f"asked 'Agree on our page.' meanwhile; the answer was no: the job's terms (approval.questions: {terms})" in (
        call.result.text
    )
    assert person.asked == []


@requirement("N5")
async def test_a_call_that_is_refused_until_a_page_was_opened_is_made_again_once_it_was(tmp_path: Path) -> None:
    person = Visitor(YES, folder=tmp_path)
    (call,) = (await run("vault", tmp_path, "2025-11-25", person=person)).calls
    assert (call.result.text, len(person.asked)) == ("gold", 1)
    assert called(tmp_path) == ["vault", "vault"]


@requirement("N5")
@pytest.mark.parametrize(("answer", "times"), [(NO, 1), (YES, 4)])
async def test_a_page_that_nobody_opens_ends_the_call_with_where_it_is(
    tmp_path: Path, answer: ApprovalAnswer, times: int
) -> None:
    person = Visitor(answer)
    (call,) = (await run("vault", tmp_path, "2025-11-25", person=person)).calls
    assert "nothing was done: a person has to open https://door.example/consent?id=7 (Agree on our page.)" in call.result.text
    assert called(tmp_path) == ["vault"] * times


@requirement("N5", "K3")
@pytest.mark.parametrize(
    "url",
    in_part(
        ["javascript:alert(1)", "https://bank.example@evil.example/", "file:///etc/passwd", "https://a b/"],
        every=4,
        alike=lambda url: url[:5] == "https",
    ),
)
@pytest.mark.parametrize("tool", ["gate", "vault"])
async def test_no_person_is_sent_to_what_is_no_page_of_the_web(tmp_path: Path, tool: str, url: str) -> None:
    person = Visitor(YES)
    (call,) = (await run(tool, tmp_path, "2025-11-25", url, person=person)).calls
    assert person.asked == []
    assert url not in call.result.text
    assert not can_be_opened(url)


@requirement("N5")
async def test_a_person_whose_answer_does_not_fit_the_form_is_asked_again_with_why(tmp_path: Path) -> None:
    wrong, right = YES.model_copy(update={"arguments": {"size": "XL"}}), YES.model_copy(update={"arguments": {"size": "M"}})
    person = Visitor(wrong, right)
    (call,) = (await run("seat", tmp_path, "2025-11-25", person=person)).calls
    assert '{"size": "M"}' in call.result.text
    assert [one.arguments.get("problem") for one in person.asked] == [
        None,
        'the last answer does not fit: size must be one of ["M", "L"]',
    ]
