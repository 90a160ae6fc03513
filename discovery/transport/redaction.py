"""Redacts secrets given to a server from its stderr and answers."""

from collections.abc import Iterable
from typing import Any

from discovery.catalog import ToolOutput
from discovery.servers.server_config import SECRET_NAME, Launch

HIDDEN = "***"
SHORTEST = 8
"""Characters of a value that is worth hiding; a shorter one would tear holes into ordinary text."""


class Redaction:
    """Hides some values wherever they occur."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = sorted({value for value in values if len(value) >= SHORTEST}, key=len, reverse=True)

    @classmethod
    def of_secrets(cls, launch: Launch) -> "Redaction":
        """The values whose names say that they are secret; a path or an address a server was given may well stand in its
        answers."""
        given = {**launch.env, **launch.headers}
        named = [value for name, value in given.items() if SECRET_NAME.search(name)]
        return cls([*named, *(value.removeprefix("Bearer ") for value in named)])

    def text(self, text: str) -> str:
        """The text without the values."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return text

    def output(self, output: ToolOutput) -> ToolOutput:
        """A tool's answer without the values."""
        if not self._values:
            return output
        parts = tuple(part.model_copy(update={"data": self.text(part.data), "uri": self.text(part.uri)}) for part in output.parts)
        told = {"text": self.text(output.text), "structured": self.data(output.structured), "parts": parts}
        return output.model_copy(update={**told, "meta": self.data(output.meta), "blocks": tuple(map(self.data, output.blocks))})

    def data(self, data: Any) -> Any:
        """JSON data without the values."""
        match data:
            case str():
                return self.text(data)
            case dict():
                return {self.text(name): self.data(value) for name, value in data.items()}
            case list():
                return [self.data(value) for value in data]
            case _:
                return data
