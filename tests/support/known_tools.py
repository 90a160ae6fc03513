"""Keeps what the MCP SDK finds out about a tool's function and about the form of its results.

Nearly every test makes its servers anew, of the same functions: the models and schemas of one tool take 4 ms of processor time, and
what checks its results takes more.
"""

import inspect
import marshal
from collections.abc import Callable
from functools import cache, wraps
from typing import Annotated, Any, get_args, get_origin
from weakref import WeakKeyDictionary

from mcp.client.session import ClientSession
from mcp.server.mcpserver.tools import base
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase

_keys = WeakKeyDictionary[Callable[..., Any], object]()
_schema = cache(lambda model, options: marshal.dumps(super(ArgModelBase, model).model_json_schema(**dict(options))))


@cache
def keep_known_tools() -> None:
    """From now on a function that is defined again, by the same code with the same annotations and defaults, is known; and so is a form
    of results that was read before."""
    base.func_metadata = _known(base.func_metadata)
    base.find_context_parameter = _known(base.find_context_parameter)
    base.find_resolved_parameters = _known(base.find_resolved_parameters)
    ArgModelBase.model_json_schema = classmethod(lambda cls, **options: marshal.loads(_schema(cls, tuple(options.items()))))
    ClientSession._output_schema_validator = _known_forms(ClientSession._output_schema_validator)


def _known(find: Callable[..., Any]) -> Callable[..., Any]:
    found: dict[object, Any] = {}

    @wraps(find)
    def found_once(func: Callable[..., Any], **more: Any) -> Any:
        try:
            key = _key(func), repr(more)
            if key not in found:
                found[key] = find(func, **more)
            return found[key]
        except (AttributeError, TypeError):  # a callable that is no function, or values that cannot be compared
            return find(func, **more)

    return found_once


def _known_forms(read: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[bytes, Any] = {}

    @wraps(read)
    def read_once(session: Any, name: str, schema: dict[str, Any]) -> Any:
        validators, form = session._tool_output_validators, marshal.dumps(schema)
        if name not in validators and form in known:
            validators[name] = known[form]
        known[form] = read(session, name, schema)
        return known[form]

    return read_once


def _key(func: Callable[..., Any]) -> object:
    if func not in _keys:
        _keys[func] = _signature(func)
    return _keys[func]


def _signature(func: Callable[..., Any]) -> object:
    """What the signature of a function is made of. Equal values of two types (1 and True) are told apart."""
    plain = inspect.unwrap(func)
    if any(isinstance(one, str) for one in plain.__annotations__.values()) or hasattr(plain, "__signature__"):
        raise TypeError("what its annotations name is not known here")
    annotations = tuple((name, _annotation_key(one)) for name, one in plain.__annotations__.items())
    return type(func), func.__name__, plain.__code__, repr((plain.__defaults__, plain.__kwdefaults__)), annotations


def _annotation_key(annotation: Any) -> object:
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *metadata = get_args(annotation)
    return kind, repr(metadata)  # a field of pydantic's is equal to no other
