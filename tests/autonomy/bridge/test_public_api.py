"""What the bridge exports, typed; and what it says where an extra is missing."""

import inspect
import subprocess
import sys
from typing import get_type_hints

import pytest

import autonomy.bridge as bridge
from autonomy.bridge import bridge_errors
from autonomy.errors import JiritsuError
from tests.requirements import requirement

NEEDS_CLAUDE = {"ClaudeCodeModel"}


def exported(name):
    if name in NEEDS_CLAUDE:
        pytest.importorskip("claude_agent_sdk")
    return getattr(bridge, name)


@requirement("FR-013", "SC-007")
@pytest.mark.parametrize("name", ["convert_tool", "convert_tool_with_deps", "convert_tools_to_mcp_server", "DepsContext"])
def test_the_public_names_of_the_specification_are_exported(name):
    assert name in bridge.__all__
    assert callable(exported(name))


@requirement("SC-007")
@pytest.mark.parametrize("name", bridge.__all__)
def test_every_exported_name_is_there(name):
    assert exported(name) is not None


def test_exactly_the_names_that_have_a_home_are_exported():
    assert set(bridge.__all__) == set(bridge._HOME_OF) | {
        name for name in vars(bridge_errors) if name.endswith(("Error", "Stopped"))
    } - {"JiritsuError"}


def public_functions():
    for name in bridge.__all__:
        if name in NEEDS_CLAUDE:
            continue
        found = getattr(bridge, name)
        if inspect.isfunction(found):
            yield pytest.param(found, id=name)
        elif inspect.isclass(found) and found.__module__.startswith("autonomy.bridge"):
            for member, function in inspect.getmembers(found, inspect.isfunction):
                if not member.startswith("_") and function.__module__.startswith("autonomy.bridge"):
                    yield pytest.param(function, id=f"{name}.{member}")


@requirement("SC-008")
@pytest.mark.parametrize("function", list(public_functions()))
def test_every_public_function_is_typed(function):
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    assert all(parameter.annotation is not parameter.empty for parameter in parameters)
    assert inspect.signature(function).return_annotation is not inspect.Signature.empty


@requirement("SC-008")
def test_every_method_of_the_model_is_typed():
    pytest.importorskip("claude_agent_sdk")
    for name in ("set_agent_toolsets", "_process_function_tools", "request", "request_stream"):
        hints = get_type_hints(getattr(bridge.ClaudeCodeModel, name))
        assert "return" in hints


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bridge.nothing


@requirement("SC-005")
def test_the_errors_form_the_tree_of_the_specification():
    assert issubclass(bridge_errors.ToolValidationError, ValueError)
    for error in (
        bridge_errors.UnsupportedDepsTypeError,
        bridge_errors.ToolsetNotRegisteredError,
        bridge_errors.ToolNotFoundError,
        bridge_errors.TypeHintResolutionError,
    ):
        assert issubclass(error, bridge_errors.ClaudeCodeError)
    assert all(issubclass(getattr(bridge_errors, name), JiritsuError) for name in bridge.__all__ if name.endswith("Error"))
    drawn = bridge_errors.__doc__
    assert all(name in drawn for name, found in vars(bridge_errors).items() if inspect.isclass(found) and name != "Iterable")


def python(code, *arguments):
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, timeout=120)


WITHOUT = "import sys\nfor name in ('pydantic_ai', 'claude_agent_sdk'): sys.modules[name] = None\n"


def test_importing_the_bridge_loads_no_heavy_package():
    code = "import sys, autonomy.bridge; print([n for n in ('mcp', 'pydantic_ai', 'claude_agent_sdk', 'openai') if n in sys.modules])"
    assert python(code).stdout.strip() == "[]"


def test_what_needs_an_extra_names_it():
    extras = {
        "autonomy.bridge.toolset_server": "pydantic-ai",
        "autonomy.bridge.ClaudeCodeModel": "claude",
        "autonomy.bridge.convert_tool(tool)": "claude",
    }
    code = """
import autonomy.bridge
from types import SimpleNamespace as N
tool = N(name='t', description='', function=print, parameters_json_schema={})
for use in sys.argv[1:]:
    try:
        eval(use)
    except Exception as error:
        print(type(error).__name__, error)
"""
    told = python(WITHOUT + code, *extras).stdout.splitlines()
    for line, extra in zip(told, extras.values(), strict=True):
        assert line.startswith("MissingExtraError ")
        assert f"install the extra '{extra}' (pip install 'jiritsu[{extra}]')" in line


def test_without_any_extra_the_rest_of_the_bridge_works():
    code = """
import anyio, dataclasses, autonomy.bridge as bridge
from types import SimpleNamespace as N
@dataclasses.dataclass
class D: a: int
assert bridge.deserialize_deps(bridge.serialize_deps(D(1)), D) == D(1)
tool = N(name='t', description='', function=lambda: 'ok', parameters_json_schema={'type': 'object'})
assert anyio.run(bridge.bridge_tool(tool).handler, {})['content'][0]['text'] == 'ok'
assert bridge.create_mcp_server_from_tools([tool])['type'] == 'sdk'
print('works')
"""
    done = python(WITHOUT + code)
    assert done.stdout.strip() == "works", done.stderr


def test_a_package_of_nobodys_extra_is_reported_as_it_is():
    from autonomy.bridge.extras import load_optional

    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_optional("no_such_module")
