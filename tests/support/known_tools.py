"""Keeps what the MCP SDK finds out about a tool's function.

Nearly every test makes its servers anew, of the same functions: the models and schemas of one tool take 4 ms of processor time.
"""

import copy
import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from mcp.server.mcpserver.tools import base
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata, func_metadata

_known: dict[object, FuncMetadata] = {}
_schema = cache(lambda model, options: super(ArgModelBase, model).model_json_schema(**dict(options)))


def keep_known_tools() -> None:
    """From now on a function that is defined again, by the same code with the same annotations and defaults, is known."""
    base.func_metadata = _metadata
    ArgModelBase.model_json_schema = classmethod(lambda cls, **options: copy.deepcopy(_schema(cls, tuple(options.items()))))


def _metadata(func: Callable[..., Any], skip_names: Sequence[str] = (), structured_output: bool | None = None) -> FuncMetadata:
    try:
        key = _key(func), tuple(skip_names), structured_output
        if key not in _known:
            _known[key] = func_metadata(func, skip_names, structured_output)
        return _known[key]
    except (AttributeError, TypeError):  # a callable that is no function, or values that cannot be compared
        return func_metadata(func, skip_names, structured_output)


def _key(func: Callable[..., Any]) -> object:
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
