"""Tells whether words name a file or folder, folder by folder."""

import re
from collections.abc import Sequence
from typing import Any

from autonomy.policy.policy_words import policy_words

LONGEST_PATH, LONGEST_TEXT = 300, 2_000
_PATH = re.compile(r"(?:~?/)?(?:[\w-][\w.\- ]{0,100}/){0,12}[\w-][\w.\- ]{0,100}")
"""A path through no parent folder."""


def is_file(value: str) -> bool:
    """Whether a value is the path of a file with a known ending, or of anything in a folder."""
    return len(value) <= LONGEST_PATH and _PATH.fullmatch(value) is not None and ("/" in value or _ending(value) != "")


def is_file_named(value: Any, texts: Sequence[str]) -> bool:
    """Whether a value is the path of a file or folder that short texts name."""
    path = value.removeprefix("./") if isinstance(value, str) else ""
    return is_file(path) and is_said_whole(path, [text for text in texts if len(text) <= LONGEST_TEXT])


def is_said_whole(path: str, texts: Sequence[str]) -> bool:
    """Whether each folder and the name stand in the words as they are, name and ending together.

    A path from a root begins with one that stands there as a whole: "the files in /srv/docs … into summary.md".
    """
    parts = path.split("/")
    if parts[0] in ("", "~"):
        heads = ("/".join(parts[:length]) for length in range(len(parts) - 1, 1, -1))
        head = next((head for head in heads if any(stands_whole(head, text) for text in texts)), "")
        parts = path.removeprefix(f"{head}/").split("/") if head else [path]
    return all(any(stands_whole(part, text) for text in texts) for part in parts)


def _ending(name: str) -> str:
    ending = name.rpartition(".")[2] if "." in name else ""
    return ending if ending.lower() in policy_words("file_endings") or ending in _OF_TEXTS else ""


_OF_TEXTS = frozenset(policy_words("text_endings"))
"""Endings that are also of hosts, and so not in the list by which addresses are told from files."""


def stands_whole(part: str, text: str) -> bool:
    """Whether a name stands there, and not as a piece of a longer one; a folder from a root not as that of another."""
    from_root = "/" in part
    before = r"A-Za-z0-9_." + ("~/:" if from_root else "")  # `~/docs`, `https://srv/docs` and `C:/docs` are not `/docs`
    behind = r"[A-Za-z0-9_-]|\.[A-Za-z0-9]" + (r"|/\w" if from_root else "")
    return re.search(rf"(?<![{before}-]){re.escape(part)}(?!{behind})", text) is not None
