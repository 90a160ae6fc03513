"""Marks a post with its request and a digest of its text, to detect repeated requests and edits by people.

On esa the stamp is an HTML comment at the end of the text, which readers do not see. A local post has it in its front matter.
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
        """Return the stamp for a text that was written by a request."""
        return cls(_fingerprint(key) if key else "", _fingerprint(_normal(body_md)))

    def put_on(self, body_md: str) -> str:
        """Return the text with the stamp, as it is stored on esa. `split_stamp` returns the text without trailing newlines."""
        return body_md.rstrip("\n") + f"\n\n<!-- jiritsu request={self.request} text={self.text} -->"


def still_ours(body_md: str, stamp: Stamp | None) -> bool:
    """Whether the text is as we wrote it."""
    return stamp is not None and stamp.text == Stamp.of(None, body_md).text


class StampVerdict(Enum):
    """What to do with an existing post of the category and name that is to be created."""

    SAME = "nothing: it says that already"
    REWRITE = "rewrite: it is as we wrote it"
    LEAVE = "leave: someone else wrote or edited it"


def judge(body_md: str, stamp: Stamp | None, new: NewPost) -> StampVerdict:
    """Decide whether to rewrite an existing post, which is allowed only while nobody but us has changed its text."""
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
    """Split a text from esa into what readers see and the stamp."""
    stamps = list(_COMMENT.finditer(text))
    if not stamps:
        return text, None
    bounds = [0, *(at for found in stamps for at in found.span()), len(text)]
    parts = [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    stamp = Stamp(*stamps[0].groups())
    return "\n\n".join(filter(None, parts)), stamp  # what was added behind the stamp stays a paragraph of its own


def append_comment(key: str) -> str:
    """Return the invisible mark of one addition to a post."""
    return f"<!-- jiritsu added={_fingerprint(key)} -->"


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _normal(text: str) -> str:
    """Normalise what editors and servers change on their own: newlines and trailing spaces."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))
