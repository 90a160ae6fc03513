"""What a change of a tool's definition means, and what in a definition a person should look at before it is used (S6).

Pure. Called by `discovery.review.pins`. A hash alone would stop at every corrected typo; here a change of wording is told from one of
schema or effect, and wording that gives orders is flagged.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import Any, Literal

from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec
from discovery.schemas.schema import inlined, mended
from discovery.text.search_terms import visible

Kind = Literal["wording", "schema_widened", "schema_narrowed", "schema_changed", "effect_changed", "output_changed"]
"""`schema_changed`: neither wider nor narrower, or not to be told."""


class DefinitionDifference(Frozen):
    """How one definition differs from another."""

    kinds: tuple[Kind, ...] = ()
    lines: tuple[str, ...] = ()
    """One sentence for each difference, for a person."""
    new_addresses: tuple[str, ...] = ()
    """Hosts that the new wording names and the old one did not."""

    @property
    def effect_changed(self) -> bool:
        """Whether the tool now says that it does more harm, or less, than it said: both deserve a look."""
        return "effect_changed" in self.kinds


class Flag(Frozen):
    """Something in a definition that has no business in one."""

    kind: Literal["hidden_characters", "order", "foreign_tool"]
    where: str
    detail: str

    @property
    def sentence(self) -> str:
        """For a person."""
        texts = {
            "hidden_characters": "holds characters that nobody sees ({detail})",
            "order": "speaks to the model rather than of the tool: {detail}",
            "foreign_tool": "speaks of another provider's tool: {detail}",
        }
        return f"{self.where} {texts[self.kind].format(detail=self.detail)}"


def difference(old: ToolSpec, new: ToolSpec) -> DefinitionDifference:
    """What changed from one definition to the next."""
    found = [
        *_wording(old, new),
        *_schema_changes(inlined(mended(old.input_schema)), inlined(mended(new.input_schema)), ""),
        *_effects(old, new),
    ]
    if old.output_schema != new.output_schema:
        found.append(("output_changed", "what it returns is described differently"))
    return DefinitionDifference(
        kinds=tuple(dict.fromkeys(kind for kind, _ in found)),
        lines=tuple(line for _, line in found),
        new_addresses=tuple(sorted(_addresses(_all_text(new)) - _addresses(_all_text(old)))),
    )


Finding = tuple[Kind, str]


def _wording(old: ToolSpec, new: ToolSpec) -> Iterator[Finding]:
    for field in ("title", "description"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield "wording", f"{field}: {_shortened(before)!r} → {_shortened(after)!r}"


def _effects(old: ToolSpec, new: ToolSpec) -> Iterator[Finding]:
    if old.effect != new.effect:
        yield "effect_changed", f"effect: {old.effect} → {new.effect}"
    if old.idempotent != new.idempotent and new.effect is not Effect.READ:
        yield "effect_changed", f"idempotent: {old.idempotent} → {new.idempotent}"


_WORDS = ("description", "title", "default", "examples", "$comment", "deprecated")
_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_COMPARED = {
    "type",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "$defs",
    "definitions",
    *_WORDS,
    *_LEAST,
    *_MOST,
}


def _schema_changes(old: JsonObject, new: JsonObject, at: str) -> Iterator[Finding]:
    """Differences of two schemas without references; `at` is the path of the value they describe."""
    if old == new:
        return
    where = at or "arguments"
    yield from _type_changes(old, new, where)
    yield from _bound_changes(old, new, where)
    yield from _property_changes(old, new, at)
    if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
        yield from _schema_changes(old["items"], new["items"], f"{where}[]")
    elif old.get("items") != new.get("items"):
        yield "schema_changed", f"{where}: other items"
    for key in _WORDS:
        if old.get(key) != new.get(key):
            yield "wording", f"{where}: {key} {_shortened(old.get(key))!r} → {_shortened(new.get(key))!r}"
    for key in sorted((old.keys() | new.keys()) - _COMPARED):
        if old.get(key) != new.get(key):
            yield "schema_changed", f"{where}: other {key}"


def _type_changes(old: JsonObject, new: JsonObject, where: str) -> Iterator[Finding]:
    for key in ("type", "enum"):
        before, after = _members(old.get(key)), _members(new.get(key))
        if before == after:
            continue
        line = f"{where}: {key} {_listed(before)} → {_listed(after)}"
        if after is None or (before is not None and before < after):
            yield "schema_widened", line
        elif before is None or after < before:
            yield "schema_narrowed", line
        else:
            yield "schema_changed", line


def _bound_changes(old: JsonObject, new: JsonObject, where: str) -> Iterator[Finding]:
    for key in (*_LEAST, *_MOST):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        line = f"{where}: {key} {before} → {after}"
        if before is None or after is None:
            yield ("schema_narrowed" if before is None else "schema_widened"), line
        else:
            wider = (after < before) == (key in _LEAST)
            yield ("schema_widened" if wider else "schema_narrowed"), line


def _property_changes(old: JsonObject, new: JsonObject, at: str) -> Iterator[Finding]:
    before, after = _properties(old), _properties(new)
    needed_before, needed_after = set(old.get("required", [])), set(new.get("required", []))
    for name in sorted(before.keys() | after.keys()):
        path = f"{at}.{name}" if at else name
        if name not in before:
            required = name in needed_after
            yield ("schema_narrowed" if required else "schema_widened"), f"{path}: new{', required' if required else ''}"
        elif name not in after:
            yield "schema_narrowed", f"{path}: gone"
        else:
            if (name in needed_before) != (name in needed_after):
                now = name in needed_after
                yield ("schema_narrowed" if now else "schema_widened"), f"{path}: {'now' if now else 'no longer'} required"
            yield from _schema_changes(before[name], after[name], path)
    if old.get("additionalProperties", True) != new.get("additionalProperties", True):
        closed = new.get("additionalProperties", True) is False
        yield (
            ("schema_narrowed" if closed else "schema_widened"),
            f"{at or 'arguments'}: other arguments {'refused' if closed else 'allowed'}",
        )


def _properties(schema: JsonObject) -> dict[str, JsonObject]:
    properties = schema.get("properties")
    found = properties.items() if isinstance(properties, dict) else ()
    return {name: part if isinstance(part, dict) else {} for name, part in found}


def _members(value: Any) -> frozenset[str] | None:
    """What a `type` or `enum` allows; None for everything."""
    if value is None:
        return None
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset([str(value)])


def _listed(members: frozenset[str] | None) -> str:
    return "anything" if members is None else "/".join(sorted(members))


# ── flags ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

_ORDERS = re.compile(
    r"""
    ignore\ (?:all\ |any\ |the\ )*(?:previous|prior|above|other)\ (?:instructions|tools|rules)
  | disregard\ (?:all|any|the|previous|prior)\b
  | (?:do\ not|don't|never)\ (?:tell|inform|mention|reveal|notify|show)\b.{0,30}\buser
  | (?:without|before)\ (?:telling|informing|notifying|asking)\ the\ user
  | system\ prompt
  | </?(?:important|system|instructions?|secret)>
  | (?:before|after|whenever)\ (?:using|calling|invoking|you\ (?:use|call|invoke))\ (?:any|every|all|other|another)\ (?:other\ )?tools?
  | (?:instead\ of|rather\ than)\ (?:using|calling)\ (?:any|other|the\ \w+\ tool)
  | (?:read|include|pass|send|append|attach)\b.{0,60}(?:~/\.|\.ssh|id_rsa|\.env\b|api[ _-]?keys?|credentials|passwords?|conversation\ history|chat\ history)
  | (?:これまで|以前|前|上記)の(?:指示|命令|ルール)を(?:無視|忘れ)
  | (?:ユーザー|利用者|使用者)(?:に|へ)(?:は)?(?:知らせ|伝え|言わ|教え|見せ)(?:ないで|ず|てはいけ|るな|ない)
  | システムプロンプト
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://([^\s/\"'<>)\]]+)", re.IGNORECASE)
_NAME_LIKE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]++(?:[_-][A-Za-z0-9]++)++")


def flags(spec: ToolSpec, foreign_tools: Collection[str] = ()) -> tuple[Flag, ...]:
    """What a person should look at. `foreign_tools` are full and own names of other providers' tools."""
    found: list[Flag] = []
    for where, text in _texts(spec):
        if hidden := _hidden(text):
            found.append(Flag(kind="hidden_characters", where=where, detail=hidden))
        if order := _ORDERS.search(" ".join(visible(text).split())):
            found.append(Flag(kind="order", where=where, detail=repr(_shortened(order.group()))))
        if named := sorted({name for name in _NAME_LIKE.findall(text) if name in foreign_tools}):
            found.append(Flag(kind="foreign_tool", where=where, detail=", ".join(named[:3])))
    return tuple(found)


def _texts(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    yield "name", spec.tool
    yield "title", spec.title
    yield "description", spec.description
    for name, schema in spec.parameters.items():
        yield f"parameter {name}", " ".join([name, *_strings(schema)])


def _all_text(spec: ToolSpec) -> str:
    return " ".join(text for _, text in _texts(spec))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


_JOINERS = {"\u200d", "\u200c", "\ufe0f", "\u00ad", "\ufeff"}
"""Parts of emoji and of some scripts, a hyphen and a byte order mark: invisible, and in honest use."""


_LAYOUT = str.maketrans("\n\t\r", "   ")


def _hidden(text: str) -> str:
    """The invisible characters that can carry a message or turn text around, by code point."""
    if text.translate(
        _LAYOUT
    ).isprintable():  # every category we look for is unprintable: a look at each character costs a thousand times as much
        return ""
    hidden = {
        character for character in text if unicodedata.category(character) in {"Cf", "Co", "Cc"} and character not in "\n\t\r"
    }
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden - _JOINERS)[:5])


def _addresses(text: str) -> set[str]:
    return {host.lower() for host in _ADDRESS.findall(text)}


def _shortened(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 80 else text[:79] + "…"
