"""Finds calls of a "read-only" tool that would change something: `readOnlyHint` is only a claim."""

import re
from collections.abc import Sequence

from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.policy_words import in_words
from autonomy.policy.requests.request_mood import orders_in
from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.carried_out import (
    changing_action,
    changing_query,
    is_like_code,
    is_of_a_program,
    names,
    only_reads,
)
from autonomy.policy.texts.sql_statements import carries_out_sql, changing_statement, only_selects, speaks_sql
from autonomy.provenance.sources.leaves import last_key, leaves
from discovery.catalog import JsonObject, ToolSpec
from discovery.text.near_names import snake_case

CHANGES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of HTTP."""
METHODS = frozenset(
    {"method", "http_method", "httpmethod", "verb", "http_verb", "request_method", "_method"}
    | {"x_http_method", "x_http_method_override", "x_method_override"}
)
"""Arguments, headers and fields that say by which method of HTTP something is asked for."""
_SAVES = re.compile(
    r"(?:save|write|download|export|store)_(?:to|as|in|path|file|dir|folder)|(?:out|output|dest|destination|target)_?(?:path|file|filename|dir|folder)|to_file"
)
"""Arguments that say where what was read is kept; `output` alone is mostly a format."""


def decides_what_happens(argument: str, path: str) -> bool:
    """Whether an argument, or a member of it, can make a read do more than read."""
    names = _names(argument, path)
    return bool(names & METHODS) or any(map(_SAVES.fullmatch, names))


def change_by_read(spec: ToolSpec, traced: Sequence[TracedValue], arguments: JsonObject, words: str) -> str:
    """The change that a call of a "read-only" tool would make, in a few words; empty if none.

    What stands in `words`, the words of those who may decide, is wanted.
    """
    for value in traced:
        if value.source is SourceClass.WORDS or not decides_what_happens(value.argument, value.path):
            continue
        if value.value.upper() in CHANGES:
            return value.value.upper()
        if value.sink is not Sink.FLAG and any(map(_SAVES.fullmatch, _names(value.argument, value.path))):
            return f"{value.argument} {value.value}"
    for name, value in arguments.items():
        if found := _statement(spec, name, value, words) or _query(spec, name, value, words):
            return found
    return _action(spec, arguments, words) or _command(spec, arguments, words)


def only_queries(spec: ToolSpec, arguments: JsonObject) -> bool:
    """Whether a tool that can also write is only given SQL to carry out that selects.

    One that does more with what it selects (`create_view`, `email_query`) or keeps it somewhere is a write as before.
    """
    stores = (decides_what_happens(name, "$") or snake_case(name).startswith(_DESTINATION) for name in arguments)
    if not carries_out_sql(spec.tool) or any(stores):
        return False
    statements = [value for name, value in arguments.items() if sink_of(name, {}) is Sink.COMMAND or name == "query"]
    is_sql = speaks_sql(f"{spec.name} {spec.description}"[:_LONGEST_DEFINITION].replace("-", " "))
    return is_sql and bool(statements) and all(isinstance(one, str) and only_selects(one) for one in statements)


_DESTINATION = ("out_", "output_", "dest", "target_", "save", "export")
"""How arguments begin that say where what was selected is kept: `destination_table`."""


def _names(argument: str, path: str) -> set[str]:
    """`saveTo` and `save-to` are `save_to`."""
    return {snake_case(name) for name in (argument, last_key(path))}


def _statement(spec: ToolSpec, name: str, value: object, words: str) -> str:
    sink = sink_of(name, {})
    if sink not in (Sink.COMMAND, Sink.QUERY):
        return ""
    is_sql = sink is Sink.COMMAND or speaks_sql(
        f"{spec.name} {spec.description} {spec.parameters.get(name)}"[:_LONGEST_DEFINITION]
    )
    texts = (leaf.value for leaf in leaves([value], key=name) if isinstance(leaf.value, str) and leaf.value not in words)
    return next(filter(None, (changing_statement(text, is_sql=is_sql) for text in texts)), "")


def _query(spec: ToolSpec, name: str, value: object, words: str) -> str:
    definition = f"{spec.name} {spec.description}"[:_LONGEST_DEFINITION]
    query_leaves = leaves([value] if isinstance(value, str) else value, key=name)
    texts = [part for leaf in query_leaves for part in (leaf.value, *_KEY.findall(leaf.path)) if isinstance(part, str)]
    return next((found for text in texts if text not in words and (found := changing_query(text, definition))), "")


_KEY = re.compile(r"\$(?:out|merge)\b")
"""Stages of a pipeline are the keys of its objects."""


def _action(spec: ToolSpec, arguments: JsonObject, words: str) -> str:
    """The change that an argument names as what is to be done, in a tool that is said to read."""
    hands_on = not names("handed_on").isdisjoint(arguments)
    telling = names("action_arguments") | (names("called_tools") if hands_on else frozenset())
    for name, value in arguments.items():
        usual = spec.parameters.get(name, {})
        for leaf in leaves([value] if isinstance(value, str) else value, key=name):
            action = leaf.value
            if not isinstance(action, str) or snake_case(leaf.key or name) not in telling or not changing_action(action):
                continue
            is_wanted = bool(orders_in(words)) and f" {action.lower()} " in in_words(words)
            if action not in (usual.get("default"), usual.get("const")) and not is_wanted:
                return f"{leaf.key or name} {action[:_SHOWN]}"
    return ""


def _command(spec: ToolSpec, arguments: JsonObject, words: str) -> str:
    """The command or code that the call would have carried out and that does not surely read."""
    commands = {name: value for name, value in arguments.items() if snake_case(name) in names("command_arguments")}
    other_parts = {name: value for name, value in arguments.items() if snake_case(name) in names("rest_of_command")}
    subcommands = {name: value for name, value in arguments.items() if snake_case(name) in ("subcommand", "sub_command")}
    if commands or subcommands or is_of_a_program(re.split(r"[_\W]+", snake_case(spec.tool))):
        line = " ".join(_told(value) for value in (*commands.values(), *subcommands.values(), *other_parts.values()))
        if line.strip() and line not in words and not only_reads(line):
            return f"carry out {line[:_SHOWN]}"
    for name, value in arguments.items():
        is_expression = snake_case(name) in names("expression_arguments")
        is_code = is_expression or snake_case(name) in names("code_arguments")
        if is_code and isinstance(value, str) and value not in words and is_like_code(value, is_expression=is_expression):
            return f"carry out {value[:_SHOWN]}"
    return ""


def _told(value: object) -> str:
    parts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return " ".join(part for part in parts if isinstance(part, str))


_SHOWN = 60
"""Characters of a command that a reason shows."""
_LONGEST_DEFINITION = 5_000
"""Characters of a definition in which it says that it takes SQL."""
