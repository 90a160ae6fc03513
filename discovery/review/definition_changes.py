"""Classifies a changed tool definition: cosmetic, compatible or different.

A hash alone would hold a tool for every changed line break.
"""

import json
import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any, Literal

from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec
from discovery.review.descriptors import hidden_characters, shortened, texts_of
from discovery.schemas.schema import inlined, mended

Kind = Literal["wording", "meaning", "schema_widened", "schema_narrowed", "schema_changed", "effect_changed", "output_changed"]
"""`wording`: the same words with other punctuation or layout; `meaning`: other words; `schema_changed`: neither wider nor
narrower, or that cannot be decided."""


class DefinitionDifference(Frozen):
    """The difference between two definitions."""

    kinds: tuple[Kind, ...] = ()
    lines: tuple[str, ...] = ()
    """One sentence for each difference, for a person."""
    new_addresses: tuple[str, ...] = ()
    """Hosts that only the new definition names."""

    @property
    def meaning_changed(self) -> bool:
        """Whether anything but wording and effect differs; a changed effect is separate, because the operator may declare it."""
        return bool(set(self.kinds) - {"wording", "effect_changed"}) or bool(self.new_addresses)

    @property
    def effect_changed(self) -> bool:
        """Whether the declared effect differs, in either direction."""
        return "effect_changed" in self.kinds


def difference(old: ToolSpec, new: ToolSpec) -> DefinitionDifference:
    """Compare two definitions of a tool."""
    before, after = inlined(mended(old.input_schema)), inlined(mended(new.input_schema))
    found = [*_wording(old, new), *_schema_changes(before, after, ""), *_effects(old, new)]
    # texts in definitions that nothing refers to: a model may see them, too
    unreferenced = [
        set(_texts(schema)) - set(_texts(whole)) for schema, whole in ((old.input_schema, before), (new.input_schema, after))
    ]
    if unreferenced[1] - unreferenced[0]:
        found.append(("schema_changed", "arguments: other words in definitions that nothing refers to"))
    if old.output_schema != new.output_schema:
        found.append(("output_changed", "what it returns is described differently"))
    return DefinitionDifference(
        kinds=tuple(dict.fromkeys(kind for kind, _ in found)),
        lines=tuple(line for _, line in found),
        new_addresses=tuple(sorted(_hosts(new) - _hosts(old))),
    )


Finding = tuple[Kind, str]


def _wording(old: ToolSpec, new: ToolSpec) -> Iterator[Finding]:
    for field, before, after in (
        ("title", old.title, new.title),
        ("description", _description(old), _description(new)),
        ("title", old.second_title, new.second_title),
    ):
        if before != after:
            yield _kind_of(before, after), f"{field}: {_shortened(before)!r} → {_shortened(after)!r}"


def _description(spec: ToolSpec) -> str:
    return cleandoc(spec.whole_description) or spec.description


def _kind_of(before: Any, after: Any) -> Literal["wording", "meaning"]:
    """Return `wording` if two texts differ only in spaces, line breaks, quotation marks, dashes, Markdown, a full stop at the
    end, a capital at the beginning, or the order of names in a list.

    Any other letter, comma or number can reverse the meaning of a sentence.
    """
    if not isinstance(before or "", str) or not isinstance(after or "", str):
        return "meaning"
    if hidden_characters(before or "") != hidden_characters(after or ""):
        return "meaning"
    return "wording" if _plainly_set(before or "") == _plainly_set(after or "") else "meaning"


_TYPOGRAPHY: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {
    ord(sign): plain
    for signs, plain in (("‘’‚´", "'"), ("“”„«»", '"'), ("‐‑–—−•", "-"), ("…", "..."), ("\u3000\u00a0", " "))
    for sign in signs
}
"""Full-width characters, quotation marks, dashes, dots. Not all of NFKC, which turns 10² into 102."""
_EMPHASIS = re.compile(r"(?<![^\s(\"'])(\*\*|[*`])(?=[^\W_])([^*`\n]{1,200}?)(?<=[^\s*`])\1(?![^\s).,:;!?\"'])")
"""`**word**` as a separate word, not part of a path with stars."""
_LINE_MARKS = re.compile(r"(?m)^[ \t]*(?:#{1,6}|[-*+])[ \t]+(?!\d)")
_FULL_STOP = re.compile(r"(?:(?<=[^\W\d_])|(?<=\)))[.。]\s*$")
"""Only after a letter, because `2.` may be a version."""
_CAPITAL = re.compile(r"^[A-Z](?=[a-z]*(?:[ ,.\n]|$))")

_NAMES = re.compile(
    r"(?im)\b((?:allowed|available|supported|permitted|enabled) [\w -]{1,40}: )([\w.-]{1,60}(?:, [\w.-]{1,60}){2,300})$"
)
"""`Allowed commands: ls, cat, wc`, which a server with a Python set lists in another order at each start.

The order of other lists may matter: `Run in this order: backup, migrate`.
"""


def _plainly_set(text: str) -> str:
    text = _NAMES.sub(lambda found: found[1] + ", ".join(sorted(found[2].split(", "))), text)
    text = _LINE_MARKS.sub("", text.translate(_TYPOGRAPHY))
    text = _CAPITAL.sub(lambda found: found[0].lower(), _FULL_STOP.sub("", _EMPHASIS.sub(r"\2", text)))
    return " ".join(text.split())


def _effects(old: ToolSpec, new: ToolSpec) -> Iterator[Finding]:
    if old.effect != new.effect:
        yield "effect_changed", f"effect: {old.effect} → {new.effect}"
    if old.idempotent != new.idempotent and new.effect is not Effect.READ:
        yield "effect_changed", f"idempotent: {old.idempotent} → {new.idempotent}"


_WORDS = ("description", "title", "default", "examples", "$comment", "deprecated")
_PROSE = ("description", "title", "$comment")
"""The keywords that hold prose; the others of `_WORDS` are values, in which every character counts."""
_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_COMPARED = {"type", "enum", "properties", "required", "additionalProperties", "items", "$defs", "definitions"} | {
    *_WORDS, *_LEAST, *_MOST
}  # fmt: skip


def _schema_changes(old: JsonObject, new: JsonObject, at: str) -> Iterator[Finding]:
    """Compare two schemas without references; `at` is the path of the value that they describe."""
    if _same(old, new):
        return
    where = at or "arguments"
    yield from _type_changes(old, new, where)
    yield from _bound_changes(old, new, where)
    yield from _property_changes(old, new, at)
    if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
        yield from _schema_changes(old["items"], new["items"], f"{where}[]")
    elif not _same(old.get("items"), new.get("items")):
        yield "schema_changed", f"{where}: other items"
    for key in _WORDS:
        if not _same(old.get(key), new.get(key)):
            yield (
                _kind_of(old.get(key), new.get(key)) if key in _PROSE else "meaning",
                f"{where}: {key} {_shortened(old.get(key))!r} → {_shortened(new.get(key))!r}",
            )
    for key in sorted((old.keys() | new.keys()) - _COMPARED):
        if not _same(old.get(key), new.get(key)):
            yield "schema_changed", f"{where}: other {key}"


def _same(old: Any, new: Any) -> bool:
    """Whether two values are one in JSON, where `true` is not 1."""
    return bool(old == new) and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _texts(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            stack += [part for key, part in one.items() if key != "$ref"]
        elif isinstance(one, list):
            stack += one


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
        elif not isinstance(before, int | float) or not isinstance(after, int | float):
            yield "schema_changed", line
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
    """Return the values that a `type` or `enum` allows, as JSON; None for everything."""
    if value is None:
        return None
    return frozenset(map(json.dumps, value if isinstance(value, list) else [value]))


def _listed(members: frozenset[str] | None) -> str:
    return "anything" if members is None else "/".join(sorted(str(json.loads(one)) for one in members))


_ADDRESS = re.compile(r"https?://([^\s/\"'<>)\]]+)", re.IGNORECASE)


def _hosts(spec: ToolSpec) -> set[str]:
    return {host.lower() for host in _ADDRESS.findall(" ".join(text for _, text in texts_of(spec)))}


def _shortened(value: Any) -> str:
    return shortened("" if value is None else str(value))
