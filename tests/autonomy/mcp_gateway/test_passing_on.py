"""What a server and a client say to each other through the gateway, whichever revision either of them speaks."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, MCPError, UrlElicitationRequiredError
from mcp.client.session import ClientRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.session import ServerSession
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitCompleteNotification,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    LoggingMessageNotificationParams,
    PromptListChangedNotification,
    PromptReference,
    ResourceTemplateReference,
    Root,
    SamplingCapability,
    SamplingMessage,
    SamplingToolsCapability,
    TextContent,
    Tool,
    ToolUseContent,
)

from autonomy.calls.services import Services
from autonomy.mcp_gateway.clients.profiles import ClientProfile, GatewayClients
from autonomy.mcp_gateway.held_requests import HeldRequests
from autonomy.mcp_gateway.mcp_server import GatewayServer
from discovery.catalog import Catalog
from discovery.gateway import Gateway, open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.house import NO_WAIT, READ, WRITE
from tests.support.tool_calls import words

DOOR = Path(__file__).parents[2] / "support/servers/door_server.py"
Tailor = MCPServer[Any] | InProcess
Mode = Literal["legacy", "auto"]
"""Of a client: 2025-11-25, or 2026-07-28."""
SIZE = {"type": "object", "properties": {"size": {"type": "string", "enum": ["M", "L"]}}, "required": ["size"]}
CLOTH = Tool(name="cloth", input_schema={"type": "object", "properties": {"colour": {"type": "string"}}})
"""A tool that a server gives the client's model for one reply."""
pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


def old_tailor() -> MCPServer[Any]:
    """A server of 2025-11-25: it asks over its own channel in the middle of a call."""
    server: MCPServer[Any] = MCPServer("tailor")

    @server.tool(annotations=READ, structured_output=False)
    async def measure(ctx: Context[ServerSession, None]) -> str:
        """Measure somebody."""
        asked = await ctx.session.elicit_form("Which size?", SIZE, related_request_id=ctx.request_id)
        message = SamplingMessage(role="user", content=TextContent(text="Which colour?"))
        said = await ctx.session.create_message(messages=[message], max_tokens=10, related_request_id=ctx.request_id)
        roots = await ctx.session.list_roots()
        await ctx.info("measured")
        return f"{asked.action} {asked.content} {getattr(said.content, 'text', '')} {[str(root.uri) for root in roots.roots]}"

    @server.tool(annotations=READ, structured_output=False)
    async def choose(ctx: Context[ServerSession, None]) -> str:
        """Choose a cloth."""
        message = SamplingMessage(role="user", content=TextContent(text="Which cloth?"))
        try:
            said = await ctx.session.create_message(
                messages=[message], max_tokens=10, tools=[CLOTH], related_request_id=ctx.request_id
            )
        except MCPError as error:
            return str(error)
        return chosen(said)

    shared(server)
    return server


def new_tailor() -> MCPServer[Any]:
    """The same of 2026-07-28: what it needs to know is its answer."""
    server: MCPServer[Any] = MCPServer("tailor")

    @server.tool(annotations=READ, structured_output=False)
    async def measure(ctx: Context[ServerSession, None]) -> str | InputRequiredResult:
        """Measure somebody."""
        answers = ctx.input_responses or {}
        if ctx.request_state != "asked":
            message = SamplingMessage(role="user", content=TextContent(text="Which colour?"))
            size = ElicitRequestFormParams(message="Which size?", requested_schema=SIZE)
            colour = CreateMessageRequestParams(messages=[message], max_tokens=10)
            return InputRequiredResult(
                input_requests={
                    "size": ElicitRequest(params=size),
                    "colour": CreateMessageRequest(params=colour),
                    "folders": ListRootsRequest(),
                },
                request_state="asked",
            )
        asked, said, roots = answers["size"], answers["colour"], answers["folders"]
        assert isinstance(asked, ElicitResult)
        assert isinstance(said, CreateMessageResult)
        assert isinstance(roots, ListRootsResult)
        return f"{asked.action} {asked.content} {getattr(said.content, 'text', '')} {[str(root.uri) for root in roots.roots]}"

    @server.tool(annotations=READ, structured_output=False)
    async def choose(ctx: Context[ServerSession, None]) -> str | InputRequiredResult:
        """Choose a cloth."""
        answers = ctx.input_responses or {}
        if ctx.request_state != "asked":
            able = ctx.session.client_capabilities
            if able is None or able.sampling is None or able.sampling.tools is None:
                return "the client's model takes no tools"
            message = SamplingMessage(role="user", content=TextContent(text="Which cloth?"))
            ask = CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=10, tools=[CLOTH]))
            return InputRequiredResult(input_requests={"cloth": ask}, request_state="asked")
        return chosen(answers["cloth"])

    shared(server)
    return server


def met_as_old(server: MCPServer[Any]) -> InProcess:
    """A server that is spoken to in the revision of 2025-11-25."""
    return InProcess(server, "a test", ServerConfig(name="tailor", protocol_version="2025-11-25"))


def chosen(said: Any) -> str:
    """Which tools a model called, and what it said."""
    parts = said.content_as_list if isinstance(said, CreateMessageResultWithTools) else [said.content]
    return f"{said.stop_reason} {[getattr(part, 'input', None) or part.text for part in parts]}"


def shared(server: MCPServer[Any]) -> None:
    """What both offer."""

    @server.tool(annotations=WRITE, structured_output=False)
    def sew(coat: str) -> list[TextContent]:
        """Sew a coat."""
        return [TextContent(text=f"sewn {coat}"), TextContent(text="and pressed")]

    @server.resource("cloth://{colour}/stock", mime_type="text/plain")
    def stock(colour: str) -> str:
        """Cloth by colour."""
        return f"3 m of {colour}"

    @server.prompt()
    def offer(colour: str) -> str:
        """An offer."""
        return f"Offer {colour} cloth."

    @server.completion()
    async def complete(
        ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
    ) -> Completion:
        name = ref.name if isinstance(ref, PromptReference) else ref.uri
        return Completion(values=[f"{name}:{argument.value}"])


async def person(_context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Takes size M, and allows what it is asked to allow."""
    fields = params.requested_schema["properties"] if isinstance(params, ElicitRequestFormParams) else {}
    return ElicitResult(action="accept", content={"size": "M"} if "size" in fields else {"allow": True})


async def model(_context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
    """Likes blue."""
    return CreateMessageResult(role="assistant", content=TextContent(text="blue"), model="a-model")


async def folders(_context: ClientRequestContext) -> ListRootsResult:
    """Works in one folder."""
    return ListRootsResult(roots=[Root.model_validate({"uri": "file:///work"})])


def weaver(*parts: Any) -> Any:
    """A client's model that says just this, and knows tools."""

    async def answer(_context: ClientRequestContext, params: CreateMessageRequestParams) -> Any:
        assert params.tools is not None
        assert [tool.name for tool in params.tools] == ["cloth"]
        one = parts[0] if len(parts) == 1 else list(parts)
        if isinstance(one, TextContent):
            return CreateMessageResult(role="assistant", content=one, model="a-model", stop_reason="endTurn")
        return CreateMessageResultWithTools(role="assistant", content=one, model="a-model", stop_reason="toolUse")

    return answer


ABLE: dict[str, Any] = {"elicitation_callback": person, "sampling_callback": model, "list_roots_callback": folders}


@asynccontextmanager
async def client(server: Tailor, mode: Mode, profile: ClientProfile | None = None, **how: Any) -> AsyncIterator[Client]:
    """A client before a gateway with this one server behind it."""
    inside = {"tailor": server if isinstance(server, InProcess) else InProcess(server, in_backend="a test")}
    with anyio.fail_after(240):
        async with open_gateway([], in_process=inside, asks_back=True) as gateway:
            clients = GatewayClients(clients={"default": profile} if profile else {})
            serving = GatewayServer(Services(gateway, backoff=NO_WAIT), clients)
            async with serving.open(), Client(serving.server(), mode=mode, **how) as connected:
                yield connected


@pytest.fixture(params=["old", "new"])
def tailor(request: pytest.FixtureRequest) -> Tailor:
    """The server, met in the revision it is written for."""
    return met_as_old(old_tailor()) if request.param == "old" else new_tailor()


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_server_s_questions_reach_the_client_across_both_revisions(tailor: Tailor, mode: Mode) -> None:
    async with client(tailor, mode, **ABLE) as gateway:
        assert words(await gateway.call_tool("tailor_measure", {})) == "accept {'size': 'M'} blue ['file:///work']"


@requirement("N2")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_an_approval_is_asked_in_the_client_across_both_revisions(tailor: Tailor, mode: Mode) -> None:
    async with client(tailor, mode, elicitation_callback=person) as gateway:
        sewn = await gateway.call_tool("tailor_sew", {"coat": "a coat"})
    assert [block.text for block in sewn.content if isinstance(block, TextContent)] == ["sewn a coat", "and pressed"]


@requirement("N2")
async def test_a_model_is_not_lent_by_a_client_that_lends_none(tailor: Tailor) -> None:
    async with client(tailor, "legacy", elicitation_callback=person) as gateway:
        refused = await gateway.call_tool("tailor_measure", {})
    assert refused.is_error
    assert "blue" not in words(refused)


CALL = ToolUseContent(id="a", name="cloth", input={"colour": "blue"})


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([TextContent(text="Let me see."), CALL], "toolUse ['Let me see.', {'colour': 'blue'}]"),
        ([CALL], "toolUse [{'colour': 'blue'}]"),
        ([TextContent(text="Blue.")], "endTurn ['Blue.']"),
    ],
    ids=["words and a call", "a call", "words"],
)
async def test_a_server_s_tools_reach_the_clients_model_across_both_revisions(
    tailor: Tailor, mode: Mode, parts: list[Any], said: str
) -> None:
    able = SamplingCapability(tools=SamplingToolsCapability())
    async with client(tailor, mode, sampling_callback=weaver(*parts), sampling_capabilities=able) as gateway:
        assert words(await gateway.call_tool("tailor_choose", {})) == said


@requirement("N2")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_model_that_knows_no_tools_of_servers_is_not_asked_with_them(tailor: Tailor, mode: Mode) -> None:
    async with client(tailor, mode, sampling_callback=model) as gateway:
        assert "takes no tools" in words(await gateway.call_tool("tailor_choose", {}))


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_templates_and_completions_are_passed_on(tailor: Tailor, mode: Mode) -> None:
    async with client(tailor, mode) as gateway:
        (template,) = (await gateway.list_resource_templates()).resource_templates
        assert (template.uri_template, template.mime_type) == ("cloth://{colour}/stock", "text/plain")
        read = await gateway.read_resource("cloth://red/stock")
        assert read.contents[0].text == "3 m of red"  # type: ignore[union-attr]
        argument = {"name": "colour", "value": "r"}
        by_template = await gateway.complete(ResourceTemplateReference(uri="cloth://{colour}/stock"), argument)
        by_prompt = await gateway.complete(PromptReference(name="tailor_offer"), argument)
        assert by_template.completion.values == ["cloth://{colour}/stock:r"]
        assert by_prompt.completion.values == ["offer:r"], "the server is asked by its own name of the prompt"
        with pytest.raises(MCPError, match="no server behind this gateway lists"):
            await gateway.read_resource("cloth://red/secret")


@requirement("N1")
async def test_a_client_hears_a_server_s_log_as_finely_as_it_wants() -> None:
    server: MCPServer[Any] = MCPServer("tailor")

    @server.tool(annotations=READ, structured_output=False)
    async def measure(ctx: Context[ServerSession, None]) -> str:
        await ctx.info("measured")
        await ctx.error("the tape is torn")
        return "done"

    heard: list[tuple[str, Any, Any]] = []

    async def hear(params: LoggingMessageNotificationParams) -> None:
        heard.append((params.level, params.logger, params.data))

    async with client(met_as_old(server), "legacy", logging_callback=hear) as gateway:
        await gateway.call_tool("tailor_measure", {})
        await gateway.set_logging_level("error")
        await gateway.call_tool("tailor_measure", {})
        await gateway.send_ping()
    told = [("info", "tailor", "measured"), ("error", "tailor", "the tape is torn")]
    assert heard == [*told, told[1]]


@requirement("N1")
async def test_a_client_hears_of_a_list_that_changes_while_another_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    server: MCPServer[Any] = MCPServer("tailor")

    @server.tool(annotations=READ, structured_output=False)
    async def change(ctx: Context[ServerSession, None], prompts: bool) -> str:
        await (ctx.session.send_prompt_list_changed() if prompts else ctx.session.send_tool_list_changed())
        return "changed"

    heard = anyio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, PromptListChangedNotification):
            heard.set()

    looks = Gateway.catalog

    async def looks_slowly(gateway: Gateway) -> Catalog:
        catalog = await looks(gateway)
        if not gateway.announced.prompts:
            await gateway.call("tailor_change", {"prompts": True})
            await gateway.next_change()
        return catalog

    with anyio.fail_after(240):
        async with open_gateway([], in_process={"tailor": met_as_old(server)}) as gateway:
            serving = GatewayServer(Services(gateway, backoff=NO_WAIT), GatewayClients())
            async with serving.open(), Client(serving.server(), mode="legacy", message_handler=hear) as connected:
                await connected.list_tools()
                monkeypatch.setattr(Gateway, "catalog", looks_slowly)
                await gateway.call("tailor_change", {"prompts": False})
                await heard.wait()


@requirement("N1")
async def test_a_client_that_wants_it_keeps_the_servers_own_names() -> None:
    async with client(new_tailor(), "auto", ClientProfile(names="own", writes="allow")) as gateway:
        names = {tool.name for tool in (await gateway.list_tools()).tools}
        assert names == {"measure", "choose", "sew", "read_result"}
        assert words(await gateway.call_tool("sew", {"coat": "a hat"})).startswith("sewn a hat")
        assert [prompt.name for prompt in (await gateway.list_prompts()).prompts] == ["offer"]


@requirement("N2")
async def test_a_request_that_waits_belongs_to_its_client_and_to_its_arguments() -> None:
    async with client(new_tailor(), "auto", **ABLE) as gateway:

        async def begin(coat: str, state: str | None = None, **answers: Any) -> Any:
            return await gateway.session.call_tool(
                "tailor_sew", {"coat": coat}, input_responses=answers or None, request_state=state, allow_input_required=True
            )

        waiting = await begin("a coat")
        assert isinstance(waiting, InputRequiredResult)
        (key,) = waiting.input_requests or {}
        yes = {key: ElicitResult(action="accept", content={"allow": True})}
        for coat, state in [("another coat", waiting.request_state), ("a coat", "made-up")]:
            with pytest.raises(MCPError, match="not one of a request that waits"):
                await begin(coat, state, **yes)
        again = await begin("a coat", waiting.request_state, **{key: ElicitResult(action="accept", content={"allow": "yes"})})
        assert isinstance(again, InputRequiredResult), "what does not fit the form is asked again"
        message = str((again.input_requests or {})[key].params)
        assert "[The last answer does not fit: allow must be boolean" in message, "and why"
        assert again.request_state != waiting.request_state
        with pytest.raises(MCPError, match="not one of a request that waits"):
            await begin("a coat", waiting.request_state, **yes)
        assert words(await begin("a coat", again.request_state, **yes)).startswith("sewn a coat")


@requirement("N2")
async def test_a_request_that_waits_is_taken_up_by_no_other_client_whoever_has_its_state() -> None:
    with anyio.fail_after(240):
        async with anyio.create_task_group() as tasks:
            requests = HeldRequests(tasks)
            held = requests.begin("alice", "a sale", {})
            assert held is not None
            asking = ElicitRequest(params=ElicitRequestFormParams(message="Which size?", requested_schema=SIZE))
            waiting = await requests.answered(held, lambda: held.ask(asking))
            assert isinstance(waiting, InputRequiredResult)
            state, yes = waiting.request_state or "", {"question-1": ElicitResult(action="accept", content={"size": "M"})}
            with pytest.raises(MCPError, match="not one of a request that waits"):
                requests.resumed("bob", "a sale", state, yes)
            assert await requests.answered(requests.resumed("alice", "a sale", state, yes), None) == yes["question-1"]


@requirement("N1")
async def test_answers_that_come_with_the_first_request_are_taken_for_a_server_s_questions_and_never_for_ours() -> None:
    given = {
        "size": ElicitResult(action="accept", content={"size": "L"}),
        "colour": CreateMessageResult(role="assistant", content=TextContent(text="red"), model="m"),
        "folders": ListRootsResult(roots=[]),
        "nobody-asked": ElicitResult(action="accept", content={}),
        "question-1": ElicitResult(action="accept", content={"allow": True}),
    }
    async with client(new_tailor(), "auto", **ABLE) as gateway:

        async def call(tool: str, **arguments: Any) -> Any:
            return await gateway.session.call_tool(tool, arguments, input_responses=given, allow_input_required=True)

        assert words(await call("tailor_measure")) == "accept {'size': 'L'} red []"
        assert isinstance(await call("tailor_sew", coat="a coat"), InputRequiredResult), "an approval is asked for all the same"


@asynccontextmanager
async def before_the_door(folder: Path, mode: Mode, **how: Any) -> AsyncIterator[Client]:
    """A client before a gateway with a server of 2025-11-25 behind it that wants a page opened first."""
    args = (str(DOOR), str(folder), "2025-11-25")
    with anyio.fail_after(240):
        async with open_gateway(
            [ServerConfig(name="door", transport="stdio", command=sys.executable, args=args)], asks_back=True
        ) as gateway:
            serving = GatewayServer(Services(gateway, backoff=NO_WAIT), GatewayClients())
            async with serving.open(), Client(serving.server(), mode=mode, **how) as connected:
                yield connected


@requirement("N1")
async def test_a_client_that_opens_pages_gets_its_server_s_refusal_and_hears_that_the_page_was_used(tmp_path: Path) -> None:
    heard = anyio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, ElicitCompleteNotification):
            assert message.params.elicitation_id == "e7"
            heard.set()

    async with before_the_door(tmp_path, "legacy", elicitation_callback=person, message_handler=hear) as gateway:
        with pytest.raises(MCPError) as refused:
            await gateway.call_tool("door_vault", {})
        (page,) = UrlElicitationRequiredError.from_error(refused.value.error).elicitations
        assert (page.url, page.elicitation_id) == ("https://door.example/consent?id=7", "e7")
        assert page.message == "[door] Agree on our page.", "it is told who asks"
        await gateway.call_tool("door_visit", {})
        await heard.wait()
        assert words(await gateway.call_tool("door_vault", {})) == "gold"


@requirement("N1")
async def test_a_client_of_the_next_revision_is_asked_for_the_page_and_its_call_goes_on(tmp_path: Path) -> None:
    asked = list[str]()

    async def visits(_context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        asked.append(params.url)
        if len(asked) == 2:
            (tmp_path / "visited").touch()
        return ElicitResult(action="accept")

    async with before_the_door(tmp_path, "auto", elicitation_callback=visits) as gateway:
        assert words(await gateway.call_tool("door_vault", {})) == "gold"
    assert len(asked) == 2, "whoever says too early that he was there is asked again"


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_that_opens_no_pages_reads_which_one_a_person_has_to_open(tmp_path: Path, mode: Mode) -> None:
    async with before_the_door(tmp_path, mode) as gateway:
        refused = await gateway.call_tool("door_vault", {})
    assert refused.is_error
    assert "a person has to open https://door.example/consent?id=7 (Agree on our page.) first" in words(refused)
