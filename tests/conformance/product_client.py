"""`jiritsu` itself as the client under test: `python -m tests.conformance.product_client URL`, started once per scenario.

What a user would do: write a servers file, sign in with a browser where the server wants it, and run a job whose terms say that a
server's questions are answered with the defaults it proposes. The model is a loopback fake that calls every tool it is offered.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.conformance.client import ARGUMENTS, CLIENT_METADATA_URL, NOT_SIGNED_IN
from tests.support.command import command_line
from tests.support.openai_chat import OpenAIChat, Request, Step, call, reply

JOB = """---
title: Call everything
language: en
approval: { questions: defaults }
---
Call every tool.
"""
BROWSER = "curl --silent --location --max-time 20 --output /dev/null %s"
"""A person who agrees to everything: follows the authorization page's redirect to where the answer is waited for."""
SIGN_INS = 3
"""How often a person signs in again when a call is refused for want of a scope."""
NOT_DONE = 4
"""How a run ends that says itself that a call failed: some scenarios have tools that must fail."""
KEY = "L2xWVpJ0pR6cUp3vJ0Ywq3YkUq2mB0h0S1s2T9wXQ5c="


class CallsEverything(OpenAIChat):
    """A model that calls what the suite names, else each tool once, and then says that it is done."""

    def __init__(self, wanted: list[dict[str, Any]]) -> None:
        super().__init__()
        self._wanted = wanted

    def next_step(self, request: Request) -> Step:
        """Calls first; once results are there, an answer."""
        self.requests.append(request)
        schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in request.body.get("tools", ())}
        offered = list(schemas)
        if any(message["role"] == "tool" for message in request.body["messages"]) or not offered:
            return reply("Done.")
        named = {name.removeprefix("suite_"): name for name in offered if name.startswith("suite_")}
        calls = self._wanted or [
            {"name": own, "arguments": ARGUMENTS.get(own) or filled(schemas[name])} for own, name in named.items()
        ]
        made = [call(named.get(one["name"], one["name"]), one["arguments"], f"call_{number}") for number, one in enumerate(calls)]
        return reply(calls=made) if made else reply("Done.")


def filled(schema: dict[str, Any]) -> dict[str, Any]:
    """What a model writes for the arguments that a tool requires."""
    words: dict[str, Any] = {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    properties = schema.get("properties", {})
    return {name: words.get(properties.get(name, {}).get("type", "string"), "x") for name in schema.get("required", ())}


def main(url: str, scenario: str, context: dict[str, Any]) -> int:
    """Sign in where that is what the scenario is about, run the job; the exit code."""
    with tempfile.TemporaryDirectory() as directory, CallsEverything(context.get("toolCalls", [])) as model:
        home = Path(directory)
        server: dict[str, Any] = {"type": "http", "url": url}
        if scenario.startswith("auth/"):
            server["oauth"] = {
                "clientId": context.get("client_id", CLIENT_METADATA_URL),
                **({"clientSecret": context["client_secret"]} if "client_secret" in context else {}),
            }
        (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"suite": server}}))
        (home / "everything.md").write_text(JOB)
        env = {"PATH": os.environ["PATH"], "HOME": directory, "LANG": "C.UTF-8", "JIRITSU_KEY": KEY, "BROWSER": BROWSER,
               "COMPATIBLE_BASE_URL": model.url}  # fmt: skip

        def jiritsu(*arguments: str) -> int:
            return subprocess.run(command_line("--home", directory, *arguments), env=env, cwd=home, check=False).returncode

        if not scenario.startswith("auth/"):
            code = jiritsu("--model", "compatible:all", "run", "everything.md", "--yes")
            return 0 if code == NOT_DONE else code
        for _ in range(SIGN_INS):
            if jiritsu("servers", "sign-in", "suite", "--timeout", "60") != 0:
                return NOT_SIGNED_IN
            if jiritsu("--model", "compatible:all", "run", "everything.md", "--yes") == 0:
                return 0
        return NOT_SIGNED_IN


if __name__ == "__main__":
    code = main(
        sys.argv[1], os.environ.get("MCP_CONFORMANCE_SCENARIO", ""), json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    )
    Path(os.environ["CONFORMANCE_EXIT_FILE"]).write_text(str(code))  # the suite does not look at exit codes
    sys.exit(code)
