"""Reads which element of a page a reference stands for, from the snapshot of a browser's server."""

import re
from collections import Counter
from typing import NamedTuple

from autonomy.policy.policy_words import in_words

REFERENCES = frozenset({"ref", "uid", "element_ref", "target_ref", "start_ref", "end_ref"})
"""Arguments that say which element of the page is meant."""
MOST_CHARS = 400_000
"""Of a snapshot."""
_ELEMENT = re.compile(r'(?m)^[ ]{0,400}- ([a-z]{1,20}) "((?:[^"\\\n]|\\.){1,200})"[^"\n:]{0,200}?\[ref=([A-Za-z0-9_-]{1,40})\]')
_ELEMENT_BY_UID = re.compile(r'(?m)^[ ]{0,400}uid=([A-Za-z0-9_-]{1,40}) ([A-Za-z]{1,20}) "((?:[^"\\\n]|\\.){1,200})"')
_MENTION = re.compile(r"(?:\[ref=|\buid=)([A-Za-z0-9_-]{1,40})")
_ACTED_ON = frozenset(
    ("button", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "tab", "menuitem", "option", "slider")
)
"""Roles of what a page offers by itself; a link may stand in anybody's comment and leads anywhere."""
_SHORTEST_LABEL = 3


class PageElement(NamedTuple):
    """An element of a page, by its role and accessible name."""

    role: str
    label: str
    is_alone: bool
    """Whether no other element of the page is called so."""

    def is_said(self, words: str) -> bool:
        """Whether the words call it by its whole name, and it is no link."""
        label = in_words(self.label)
        is_whole = len(label.strip()) >= _SHORTEST_LABEL and label in in_words(words)
        return is_whole and self.is_alone and self.role in _ACTED_ON


def elements_of(snapshot: str) -> dict[str, PageElement]:
    """The named elements of a page by their references. A reference that stands twice stands for none: text of the page could
    have written one of the lines."""
    text = snapshot[:MOST_CHARS]
    found = [(ref, role, label) for role, label, ref in _ELEMENT.findall(text)]
    found += [(ref, role.lower(), label) for ref, role, label in _ELEMENT_BY_UID.findall(text)]
    mentions, labels = Counter(_MENTION.findall(text)), Counter(in_words(label) for _, _, label in found)
    return {ref: PageElement(role, label, labels[in_words(label)] == 1) for ref, role, label in found if mentions[ref] == 1}
