"""Learns from results which id and which names belong together."""

from collections import defaultdict
from typing import Any

from autonomy.provenance.leaves import MOST_LEAVES, parsed
from autonomy.provenance.normalize import fold
from autonomy.provenance.word_data import load_words

LONGEST_NAME = 80
_PAIRS = (
    ("user_id", "user_name"),
    ("channel_id", "channel_name"),
    ("author_id", "author_name"),
    ("employee_id", "employee_name"),
)


class Identities:
    """Pairs of id and display name, as any result shows them.

    Two ids that share a name stay two: a stranger who takes somebody's display name does not become that person.
    """

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = defaultdict(set)
        self._ids: dict[str, set[str]] = defaultdict(set)

    def learn(self, result: Any) -> None:
        """Take the pairs of one result."""
        words = load_words("result_keys")
        stack, name_keys = [parsed(result)], frozenset(words["name"])
        for _ in range(MOST_LEAVES):
            if not stack:
                return
            value = stack.pop()
            if isinstance(value, list | tuple):
                stack += value[:MOST_LEAVES]
            elif isinstance(value, dict):
                stack += [item for item in value.values() if isinstance(item, dict | list)]
                self._learn_object(value, name_keys)

    def _learn_object(self, value: dict[str, Any], name_keys: frozenset[str]) -> None:
        profile = value.get("profile")
        named = {**(profile if isinstance(profile, dict) else {}), **value}
        for id_key, name_key in _PAIRS:
            self._pair(value.get(id_key), value.get(name_key))
        if "id" in value:
            for name, item in list(named.items())[:200]:
                if name in name_keys:
                    self._pair(value["id"], item)

    def _pair(self, identifier: Any, name: Any) -> None:
        if isinstance(identifier, str | int) and isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and "\n" not in name:
            folded_id, folded_name = fold(str(identifier)).strip(), fold(name).strip()
            if folded_id and folded_name and folded_id != folded_name:
                self._names[folded_id].add(folded_name)
                self._ids[folded_name].add(folded_id)

    def ids_of(self, name: str) -> frozenset[str]:
        """The folded ids that bear a name; more than one when it is ambiguous."""
        return frozenset(self._ids.get(fold(name).strip(), ()))

    def names_of(self, person: str) -> frozenset[str]:
        """Every folded id and name of whoever an id or name stands for, itself included; two persons of one name give both."""
        key = fold(person).strip()
        ids = self._ids.get(key, set()) | ({key} if key in self._names else set())
        return frozenset({key, *ids}.union(*(self._names[identifier] for identifier in ids)))

    def known_names(self) -> frozenset[str]:
        """Every folded name and id of a pair."""
        return frozenset(self._names) | frozenset(self._ids)
