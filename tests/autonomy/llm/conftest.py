"""A vendor of OpenAI's dialect, and somebody who hears a model's text as it is written."""

from collections.abc import Iterator

import pytest

from tests.support.openai_chat import OpenAIChat


@pytest.fixture
def fake() -> Iterator[OpenAIChat]:
    with OpenAIChat() as server:
        yield server


class Listening:
    def __init__(self) -> None:
        self.pieces: list[str] = []

    async def __call__(self, piece: str) -> None:
        self.pieces.append(piece)

    @property
    def text(self) -> str:
        return "".join(self.pieces)
