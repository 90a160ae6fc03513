"""The mutants as data: one TOML file a room, each entry a snippet of the code, what stands in its place, and what that breaks."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = tuple(sorted(file.stem for file in Path(__file__).parent.glob("*.toml")))


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    room: str
    file: str
    """From the repository's root."""
    old: str
    """A snippet that stands once in the file."""
    new: str
    breaks: str
    """What goes wrong with it, in words."""
    tests: tuple[str, ...]
    """The tests of its own room that must notice: files, or single tests as pytest names them."""

    @property
    def source(self) -> str:
        """The file with the fault in it. Raises ValueError when the snippet is not there, or not once."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.room}: {self.file}: the snippet stands there {text.count(self.old)} times: {self.old!r}")
        return text.replace(self.old, self.new)


def load(rooms: Sequence[str] = ROOMS) -> tuple[Mutant, ...]:
    """All mutants of these rooms, in their order."""
    found = []
    for room in rooms:
        data = tomllib.loads((Path(__file__).parent / f"{room}.toml").read_text(encoding="utf-8"))
        usual = data.pop("tests")
        for entry in data.pop("mutant"):
            found.append(Mutant(room=room, **{**entry, "tests": tuple(entry.get("tests", usual))}))
    return tuple(found)


def spread(mutants: Sequence[Mutant], count: int) -> tuple[Mutant, ...]:
    """So many of them, evenly out of all rooms; always the same ones, so that a guard does not fail by chance."""
    step = max(1.0, len(mutants) / max(1, count))
    return tuple(mutants[int((number + 0.5) * step)] for number in range(min(count, len(mutants))))
