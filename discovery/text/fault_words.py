"""Words pydantic's errors for people."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NUMBER, _WHOLE, _YES_OR_NO, _LIST = "must be a number", "must be a whole number", "must be true or false", "must be a list"

_WORDS: Mapping[str, str] = MappingProxyType({
    "string_type": "must be text", "bool_type": _YES_OR_NO, "bool_parsing": _YES_OR_NO, "int_type": _WHOLE, "int_parsing": _WHOLE,
    "int_from_float": _WHOLE, "float_type": _NUMBER, "float_parsing": _NUMBER, "list_type": _LIST, "tuple_type": _LIST,
    "path_type": "must be a path", "missing": "must be given",
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), "must be an object"),
})  # fmt: skip
"""Replaces messages that name types of Python."""


def fault_words(error: "ErrorDetails") -> str:
    """Say what a value must be, without quoting the value."""
    message = error["msg"].replace("Input should be ", "must be ", 1)
    return _WORDS.get(error["type"], f"{message[0].lower()}{message[1:]}")
