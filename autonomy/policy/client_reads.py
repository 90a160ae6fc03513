"""Finds data from other servers that a read of a gateway's client would send out."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from autonomy.policy.dataflow import LOAD
from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.addresses import addresses_in, readable
from autonomy.policy.texts.codes import codes_in
from autonomy.policy.texts.given_addresses import GivenAddresses
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import JsonObject, ToolSpec

MOST_CHARS = 400_000
"""Characters that are remembered of what a provider brought; the oldest are forgotten first."""
_PIECE = 4_096
"""Characters up to which short answers are kept as one: thousands of them are joined in no time then."""
_WINDOW = 60
"""Characters of a passage by which it is known again."""
_NAMES_A_THING = frozenset({Sink.ID, Sink.AMOUNT, Sink.TIME, Sink.FLAG})
"""What a read looks up: a commit or ticket that another provider named is looked up every day."""


class ReadByClient:
    """The data that one client's session has read, by provider."""

    def __init__(self) -> None:
        self._texts: dict[str, deque[str]] = defaultdict(deque)
        self._chars: dict[str, int] = defaultdict(int)

    def add(self, provider: str, text: str) -> None:
        """Take in what a provider answered."""
        texts, brought = self._texts[provider], readable(text[-MOST_CHARS:]).casefold()
        if texts and len(texts[-1]) + len(brought) < _PIECE:
            texts[-1] += f"\n{brought}"
            self._chars[provider] += 1 + len(brought)
        else:
            texts.append(brought)
            self._chars[provider] += len(brought)
        while len(texts) > 1 and self._chars[provider] > MOST_CHARS:
            self._chars[provider] -= len(texts.popleft())

    def carried(self, spec: ToolSpec, arguments: JsonObject) -> str:
        """One sentence about data from other providers in this read that could be an instruction or carry data out; empty if
        there is none.

        What the client's person said is not known, so a value that stands nowhere may be his. A plain page that stands word for
        word in an answer tells nobody anything but that it was opened.
        """
        others = {provider: "\n".join(texts) for provider, texts in self._texts.items() if provider != spec.provider}
        if not others:
            return ""
        for address in addresses_in(arguments):
            if holders := [provider for provider, text in others.items() if _leads_there(address, text)]:
                return f"an address ({address[:80]}) that stands in what {', '.join(holders)} brought would be read"
        for kind, piece in _pieces(spec, arguments):
            if holders := [provider for provider, text in others.items() if piece in text]:
                return f"{kind} of {', '.join(holders)} would be carried to {spec.provider}"
        return ""


def _leads_there(address: str, text: str) -> bool:
    """Whether a text names the host of an address, and the address is no plain page that stands there word for word."""
    folded = address.casefold()
    host = re.split(r"[/?#:]", folded, maxsplit=1)[0] if "@" not in folded else folded
    if not host or not re.search(rf"(?<![\w.-]){re.escape(host)}(?![\w-]|\.\w)", text):
        return False
    plain = GivenAddresses(by_tool={"": frozenset({address})}).has_page(address, ("",))
    return not (plain and re.search(rf"(?<![\w.-]){re.escape(folded)}(?![\w/?#&=%-]|\.\w)", text))


def _pieces(spec: ToolSpec, arguments: JsonObject) -> Iterator[tuple[str, str]]:
    """The codes and the pieces of passages in what a read is told, as they would stand in a text that was read."""
    for name, value in arguments.items():
        if sink_of(name, spec.parameters.get(name, {})) in _NAMES_A_THING:
            continue
        for text in _texts(value, name):
            yield from (("a code or number", code.casefold()) for code in codes_in(text))
            if len(text) > LOAD:
                plain = readable(text).casefold()
                yield from (("a passage", plain[at : at + _WINDOW]) for at in range(0, len(plain) - _WINDOW, _WINDOW // 2))


def _texts(value: Any, name: str) -> Iterator[str]:
    yield from (str(leaf.value)[:MOST_CHARS] for leaf in leaves([value] if isinstance(value, str) else value, key=name))
