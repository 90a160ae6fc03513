"""Marks a post with its request and a digest of its text, to detect repeats and edits by people.

esa keeps it as an HTML comment at the end of the text, invisible to readers; a local post keeps it in its front matter.
"""

import hashlib
import re
from dataclasses import dataclass
from enum import Enum

from mcp_servers.esa.team import NewPost

_COMMENT = re.compile(r"\n*<!-- jiritsu request=([0-9a-f]*) text=([0-9a-f]+) -->\s*")


@dataclass(frozen=True)
class Stamp:
    """Fingerprints of the request's idempotency key (empty without one) and of the text."""

    request: str
    text: str

    @classmethod
    def of(cls, key: str | None, body_md: str) -> "Stamp":
        """The stamp for a text written by a request."""
        return cls(_fingerprint(key) if key else "", _fingerprint(_normal(body_md)))

    def put_on(self, body_md: str) -> str:
        """The text as it stands on esa; `split_stamp` gives the text back, without line ends at its end."""
        return body_md.rstrip("\n") + f"\n\n<!-- jiritsu request={self.request} text={self.text} -->"


def still_ours(body_md: str, stamp: Stamp | None) -> bool:
    """Whether the text is as we wrote it."""
    return stamp is not None and stamp.text == Stamp.of(None, body_md).text


class StampVerdict(Enum):
    """The action for an existing post with the category and name of the one to be created."""

    SAME = "nothing: it says that already"
    REWRITE = "rewrite: it is as we wrote it"
    LEAVE = "leave: someone else wrote or edited it"


def judge(body_md: str, stamp: Stamp | None, new: NewPost) -> StampVerdict:
    """Whether an existing post may be rewritten: only while nobody but us has touched its text."""
    if _normal(body_md) == _normal(new.body_md):
        return StampVerdict.SAME
    if not still_ours(body_md, stamp):
        return StampVerdict.LEAVE
    if stamp and new.key and stamp.request == Stamp.of(new.key, "").request:
        return StampVerdict.SAME
    return StampVerdict.REWRITE


NOTES = {
    StampVerdict.SAME: "A post of this category and name exists and says this already; nothing was changed.",
    StampVerdict.REWRITE: "A post of this category and name existed; its text was replaced, the old one is kept as a revision.",
    StampVerdict.LEAVE: (
        "A post of this category and name exists and was written or edited by someone else, so it was left as it is. "
        "To change it, read it with esa_get_post and use esa_update_post or esa_append_post with its number."
    ),
}


def split_stamp(text: str) -> tuple[str, Stamp | None]:
    """A text from esa as readers see it, and the stamp on it."""
    found = _COMMENT.search(text)
    return (_COMMENT.sub("", text), Stamp(found[1], found[2])) if found else (text, None)


def append_comment(key: str) -> str:
    """The invisible mark of one addition to a post."""
    return f"<!-- jiritsu added={_fingerprint(key)} -->"


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _normal(text: str) -> str:
    """Without what editors and servers change on their own: line ends, trailing blanks."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))
