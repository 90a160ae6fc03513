"""The server that the suite's server scenarios ask for: `python -m tests.conformance.fixture_server PORT`, or `stdio REVISION`.

The names and answers of its tools, resources and prompts are the suite's; it shows that what we build servers with speaks the
protocol in full, in both revisions. Our own servers are held to every scenario that needs no such fixture (`__main__`).
"""

import base64
import json
import sys
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.shared.message import SessionMessage
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult, TextContent

warnings.simplefilter("ignore", MCPDeprecationWarning)  # the older revision's features are under test here

IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SOUND = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0").decode()
NOTHING = {"type": "object", "properties": {}}
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

server = MCPServer("conformance-fixture", version="1.0.0")


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def embedded(uri: str, words: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(type="resource", resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=words))


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=IMAGE, mime_type="image/png")


@server.tool(structured_output=False)
def test_simple_text() -> TextContent:
    """Gives text."""
    return text("This is a simple text response for testing.")


@server.tool(structured_output=False)
def test_image_content() -> types.ImageContent:
    """Gives an image."""
    return image()


@server.tool(structured_output=False)
def test_audio_content() -> types.AudioContent:
    """Gives a sound."""
    return types.AudioContent(type="audio", data=SOUND, mime_type="audio/wav")


@server.tool(structured_output=False)
def test_embedded_resource() -> types.EmbeddedResource:
    """Gives a resource."""
    return embedded("test://embedded-resource", "This is an embedded resource content.")


@server.tool(structured_output=False)
def test_multiple_content_types() -> list[types.ContentBlock]:
    """Gives text, an image and a resource."""
    data = json.dumps({"test": "data", "value": 123})
    return [text("Multiple content types test:"), image(), embedded("test://mixed-content-resource", data, "application/json")]


@server.tool()
async def test_tool_with_logging(ctx: Context) -> str:
    """Logs while it works."""
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(words)
        await anyio.sleep(0.05)
    return "done"


@server.tool()
async def test_logging_tool(ctx: Context) -> str:
    """Logs, if it was asked to."""
    await ctx.info("logged")
    return "done"


@server.tool()
async def test_tool_with_progress(ctx: Context) -> str:
    """Reports progress while it works."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await anyio.sleep(0.05)
    return "done"


@server.tool()
def test_error_handling() -> str:
    """Always fails."""
    raise ValueError("This tool intentionally returns an error for testing")


@server.tool()
async def test_sampling(prompt: str, ctx: Context) -> str:
    """Asks the client's model."""
    message = types.SamplingMessage(role="user", content=text(prompt))
    result = await ctx.session.create_message(messages=[message], max_tokens=100)
    return f"LLM response: {getattr(result.content, 'text', '')}"


async def elicited(ctx: Context, message: str, schema: dict[str, Any]) -> str:
    result = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    return f"action={result.action}, content={json.dumps(result.content)}"


@server.tool()
async def test_elicitation(message: str, ctx: Context) -> str:
    """Asks the user."""
    fields = {name: {"type": "string", "description": name} for name in ("username", "email")}
    return "User response: " + await elicited(ctx, message, {"type": "object", "properties": fields, "required": list(fields)})


@server.tool()
async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """Asks the user, with a default for every type."""
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return "Elicitation completed: " + await elicited(ctx, "Please check", {"type": "object", "properties": fields})


@server.tool()
async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    """Asks the user to choose, in every form a choice can have."""
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return "Elicitation completed: " + await elicited(ctx, "Please choose", {"type": "object", "properties": fields})


@server.tool()
def test_missing_capability(ctx: Context) -> str:
    """Needs a client that lends its model."""
    if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
        missing = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "the client does not offer sampling", missing)
    return "done"


@server.tool()
async def test_trigger_tool_change(ctx: Context) -> str:
    """Says that the tools changed."""
    await ctx.notify_tools_changed()
    return "done"


@server.tool()
async def test_trigger_prompt_change(ctx: Context) -> str:
    """Says that the prompts changed."""
    await ctx.notify_prompts_changed()
    return "done"


ASK_NAME = ElicitRequest(params=ElicitRequestFormParams(message="What is your name?", requested_schema=NAME))
CONFIRM = ElicitRequest(
    params=ElicitRequestFormParams(
        message="Please confirm",
        requested_schema={"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
    )
)


def ask_model(question: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(question))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))


ROOTS = types.ListRootsRequest()
Answered = Callable[[Context], str]


def asking(name: str, requests: types.InputRequests, *, state: str | None = None) -> Callable[[Answered], None]:
    """A tool that asks first, and is finished by the decorated function once every answer is there."""

    def register(finish: Answered) -> None:
        async def tool(ctx: Context) -> str | InputRequiredResult:
            if requests.keys() <= (ctx.input_responses or {}).keys() and ctx.request_state == state:
                return finish(ctx)
            return InputRequiredResult(input_requests=requests, request_state=state)

        server.add_tool(tool, name=name, description="Asks before it answers.")

    return register


def content_of(ctx: Context, key: str) -> dict[str, Any]:
    answer = (ctx.input_responses or {})[key]
    return (answer.content or {}) if isinstance(answer, types.ElicitResult) else {}


@asking("test_input_required_result_elicitation", {"user_name": ASK_NAME})
def greet(ctx: Context) -> str:
    return f"Hello, {content_of(ctx, 'user_name').get('name')}!"


@asking("test_streaming_elicitation", {"user_name": ASK_NAME})
def greet_again(ctx: Context) -> str:
    return "done"


@asking("test_input_required_result_sampling", {"capital_question": ask_model("What is the capital of France?")})
def answer_of_model(ctx: Context) -> str:
    answer = (ctx.input_responses or {})["capital_question"]
    return getattr(getattr(answer, "content", None), "text", "")


@asking("test_input_required_result_list_roots", {"client_roots": ROOTS})
def name_roots(ctx: Context) -> str:
    answer = (ctx.input_responses or {})["client_roots"]
    return ", ".join(str(root.uri) for root in answer.roots) if isinstance(answer, types.ListRootsResult) else ""


@asking("test_input_required_result_request_state", {"confirm": CONFIRM}, state="asked once")
def confirm(ctx: Context) -> str:
    return "state-ok"


@asking("test_input_required_result_tampered_state", {"confirm": CONFIRM}, state="asked once")
def confirm_untampered(ctx: Context) -> str:
    return "state-ok"


@asking(
    "test_input_required_result_multiple_inputs",
    {"user_name": ASK_NAME, "greeting": ask_model("Generate a greeting"), "client_roots": ROOTS},
    state="asked for three things",
)
def answered_all(ctx: Context) -> str:
    return f"Hello, {content_of(ctx, 'user_name').get('name')}!"


@server.tool(name="test_input_required_result_multi_round", structured_output=False)
async def multi_round(ctx: Context) -> str | InputRequiredResult:
    """Asks twice."""
    answers = ctx.input_responses or {}
    if ctx.request_state == "two" and "step2" in answers:
        return f"Your color is {content_of(ctx, 'step2').get('color')}"
    if ctx.request_state == "one" and "step1" in answers:
        schema = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
        ask = ElicitRequest(
            params=ElicitRequestFormParams(message="Step 2: What is your favorite color?", requested_schema=schema)
        )
        return InputRequiredResult(input_requests={"step2": ask}, request_state="two")
    ask = ElicitRequest(params=ElicitRequestFormParams(message="Step 1: What is your name?", requested_schema=NAME))
    return InputRequiredResult(input_requests={"step1": ask}, request_state="one")


@server.tool(name="test_input_required_result_capabilities", structured_output=False)
async def only_what_the_client_can(ctx: Context) -> str | InputRequiredResult:
    """Asks by the means the client has."""
    if ctx.input_responses:
        return "done"
    capabilities = ctx.client_capabilities or types.ClientCapabilities()
    requests: types.InputRequests = {}
    if capabilities.elicitation is not None:
        requests["user_name"] = ASK_NAME
    if capabilities.sampling is not None:
        requests["greeting"] = ask_model("Generate a greeting")
    return InputRequiredResult(input_requests=requests, request_state="asked")


@server.prompt()
async def test_input_required_result_prompt(ctx: Context) -> list[UserMessage] | InputRequiredResult:
    """Asks before it gives its words."""
    if "user_context" in (ctx.input_responses or {}):
        return [UserMessage(f"Use this context: {content_of(ctx, 'user_context').get('context')}")]
    schema = {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}
    ask = ElicitRequest(params=ElicitRequestFormParams(message="What context should the prompt use?", requested_schema=schema))
    return InputRequiredResult(input_requests={"user_context": ask})


@server.prompt()
def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@server.prompt()
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt with arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@server.prompt()
def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
    """A prompt with a resource in it."""
    resource = embedded(resourceUri, "Embedded resource content for testing.")
    return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]


@server.prompt()
def test_prompt_with_image() -> list[UserMessage]:
    """A prompt with an image in it."""
    return [UserMessage(image()), UserMessage("Please analyze the image above.")]


@server.resource("test://static-text", mime_type="text/plain", description="Text that does not change.")
def static_text() -> str:
    return "This is the content of the static text resource."


@server.resource("test://static-binary", mime_type="image/png", description="An image that does not change.")
def static_binary() -> bytes:
    return base64.b64decode(IMAGE)


@server.resource("test://watched-resource", mime_type="text/plain", description="Something to watch.")
def watched() -> str:
    return "Watched resource content"


@server.resource("test://template/{id}/data", mime_type="application/json", description="Data by id.")
def template(id: str) -> str:  # noqa: A002 - the template's own name
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


@server.completion()
async def complete(
    ref: types.PromptReference | types.ResourceTemplateReference,
    argument: types.CompletionArgument,
    context: types.CompletionContext | None,
) -> types.Completion:
    found = [word for word in ("paris", "park", "party") if word.startswith(argument.value)]
    return types.Completion(values=found, total=len(found), has_more=False)


async def accept(_ctx: Any, _params: Any) -> types.EmptyResult:
    return types.EmptyResult()


def older_revision(
    method: str, params: type[types.RequestParams], handler: Callable[[Any, Any], Awaitable[Any]] = accept
) -> None:
    server._lowlevel_server.add_request_handler(method, params, handler)


older_revision("logging/setLevel", types.SetLevelRequestParams)
older_revision("resources/subscribe", types.SubscribeRequestParams)
older_revision("resources/unsubscribe", types.UnsubscribeRequestParams)


async def over_stdio(revision: str) -> None:
    """Serve over stdio; a server of 2025-11-25 has never heard of `server/discover`, and the SDK's own cannot be told to forget it."""
    lowlevel = server._lowlevel_server
    heard, hears = anyio.create_memory_object_stream[SessionMessage | Exception](100)
    async with stdio_server() as (read, write), anyio.create_task_group() as group:

        async def let_through() -> None:
            async with heard:
                async for message in read:
                    asked = message.message if isinstance(message, SessionMessage) else None
                    if isinstance(asked, types.JSONRPCRequest) and asked.method == "server/discover" and revision == "2025-11-25":
                        unknown = types.ErrorData(code=types.METHOD_NOT_FOUND, message="Method not found")
                        await write.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=asked.id, error=unknown)))
                    else:
                        await heard.send(message)

        group.start_soon(let_through)
        await lowlevel.run(hears, write, lowlevel.create_initialization_options())
        group.cancel_scope.cancel()


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        anyio.run(over_stdio, sys.argv[2])
        sys.exit()
    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
