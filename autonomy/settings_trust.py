"""Decides what a settings file that was found in a folder may set before the operator trusts it."""

import hashlib
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autonomy.errors import ConfigError
from discovery.text.redaction import redact_address, redact_data

FILE = "trusted-settings.json"
"""In the data directory that the operator named, never in one that a found file names."""
MOST_PLACE_CHARS = 40
"""Of a place's name. It is put into the words of a run as the operator's own, where a sentence could give orders."""


def _place(name: Any, _: Any) -> bool:
    signs = set(" ,.'-・、")
    return isinstance(name, str) and len(name) <= MOST_PLACE_CHARS and all(one.isalnum() or one in signs for one in name)


def _stricter_writes(value: Any, in_force: Any) -> bool:
    order = ("allow", "ask", "deny")
    return value in order and order.index(value) >= order.index(in_force if in_force in order else "ask")


HARMLESS: Mapping[str, Callable[[Any, Any], bool]] = {
    "language": lambda given, _: isinstance(given, str),  # words only
    "timezone": lambda given, _: isinstance(given, str),  # the name of a zone, or it is refused
    "location": _place,
    "log_format": lambda given, _: isinstance(given, str),  # the same records in another form
    "writes": _stricter_writes,  # as strict as what is in force, or stricter
    "hold_changed": lambda given, _: given is True,  # asks more
    "mcp_enabled": lambda given, _: given is False,  # takes all tools away
}
"""Key → whether a value (and the one in force) can apply before trust: none gives a run more than it has, or sends anything
elsewhere. `limits` are sifted one by one: `lowered`. A new setting waits for trust unless it is put here with its reason."""


@dataclass(frozen=True)
class HeldSettings:
    """A settings file that was found and is not trusted, and its keys that wait for that."""

    file: Path
    keys: tuple[str, ...]
    changed: bool
    """Whether it was trusted before with another content."""

    @property
    def fix(self) -> str:
        """The command that shows and trusts the file."""
        return f"jiritsu config trust {shlex.quote(str(self.file))}"

    @property
    def summary(self) -> str:
        """The waiting keys, in words."""
        why = "has changed since it was trusted" if self.changed else "was found here and is not trusted"
        return f"{self.file} {why}: {', '.join(self.keys)} {'wait' if len(self.keys) > 1 else 'waits'}"


def split_by_trust(found: Mapping[str, Any], in_force: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Split an untrusted file into what applies at once, given the values in force, and the names of what waits."""
    takes = {key: value for key, value in found.items() if key in HARMLESS and HARMLESS[key](value, in_force.get(key))}
    waits = [key for key in found if key not in takes and key != "limits"]
    if "limits" in found:
        limits, own = found["limits"], in_force.get("limits")
        low = lowered(limits, own)
        waits += [f"limits.{name}" for name in limits if name not in low] if isinstance(limits, dict) else ["limits"]
        if low and isinstance(own, dict):
            takes["limits"] = {**own, **low}
    return takes, tuple(waits)


def lowered(limits: Any, own: Any) -> dict[str, Any]:
    """The limits that are below one of the operator's own; where he has set none, only the run knows what is lower."""
    if not isinstance(limits, dict) or not isinstance(own, dict):
        return {}
    numbers = {
        name: value for name, value in limits.items() if type(value) in (int, float) and type(own.get(name)) in (int, float)
    }
    return {name: value for name, value in numbers.items() if value <= own[name]}


def shown_lines(document: Mapping[str, Any], above: str = "") -> list[str]:
    """The values of a file, a line each, without secrets; of the database only the password is hidden, because its address is
    what a person trusts."""
    lines = []
    for key, hidden in redact_data(dict(document)).items():
        value = redact_address(str(document[key])) if key == "database_url" else hidden
        name = f"{above}{key}"
        lines += (
            shown_lines(value, f"{name}.")
            if isinstance(value, dict)
            else [f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}"]
        )
    return lines


class SettingsTrust:
    """The settings files that the operator trusts, by path and content, stored beside the trusted servers."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def holds(self, file: Path, data: bytes) -> bool:
        """Whether the file is trusted with this content. Raises `ConfigError` when what is kept is damaged."""
        return bool(self._read().get(_name(file), {}).get("fingerprint") == _fingerprint(data))

    def known(self, file: Path) -> tuple[str, ...] | None:
        """The lines of the content that was trusted last; None for a file that never was."""
        entry = self._read().get(_name(file))
        return None if entry is None else tuple(map(str, entry.get("lines", ())))

    def trust(self, file: Path, data: bytes, lines: list[str], *, at: float) -> None:
        """Trust the file with this content from now on; `at` in seconds since the epoch. Raises `ConfigError` and `OSError`."""
        self._write({**self._read(), _name(file): {"fingerprint": _fingerprint(data), "at": at, "lines": lines}})

    def revoke(self, file: Path) -> bool:
        """Take trust back; whether there was any. Raises `ConfigError` and `OSError`."""
        entries = self._read()
        known = entries.pop(_name(file), None) is not None
        if known:
            self._write(entries)
        return known

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            entries = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise ConfigError(self.file, "", f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            raise ConfigError(self.file, "", "must hold an object of objects by path")
        return entries

    def _write(self, entries: dict[str, dict[str, Any]]) -> None:
        from discovery.durable_files import replace_file  # what only a change of trust needs

        replace_file(self.file, json.dumps(entries, ensure_ascii=False, indent=2) + "\n", mode=0o600)


def _name(file: Path) -> str:
    """The file, however its folder is reached. A file that is a link stays the link: what it says is meant for its folder."""
    return str(file.parent.resolve() / file.name)


def _fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
