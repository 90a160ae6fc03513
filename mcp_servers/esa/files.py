"""Stores posts as Markdown files, written atomically.

A post is at `<category>/<name>.md`, and its earlier texts are at `.revisions/<number>/<revision>.md`.
"""

import logging
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path

from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.esa import post_front_matter
from mcp_servers.esa.stamp import Stamp
from mcp_servers.esa.team import Post, excerpt, full_name

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

_OURS = (
    "number",
    "title",
    "tags",
    "published",
    "created_at",
    "updated_at",
    "created_by",
    "updated_by",
    "revision_number",
    "message",
)
_STAMP = ("written_request", "written_text")
_NOT_IN_CATEGORIES = re.compile(r"[\\\x00-\x1f]")
_NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|\x00-\x1f]')
MAX_STEM_BYTES = 200
"""Bytes of a file's name without `.md`, because file systems allow 255. The full name is in the front matter."""
_FIRST_UNNUMBERED = 1_000_000_000
"""Posts without a number get one from their path, from here on. Numbers that we assign stay below."""


@dataclass(frozen=True)
class StoredPost:
    """A post, its file, our stamp on it, and the entries that others wrote in its front matter."""

    post: Post
    file: Path
    stamp: Stamp | None = None
    other_head: tuple[tuple[str, str], ...] = ()


class PostFiles:
    """The posts in the directory of a local team."""

    def __init__(self, directory: Path, zone: tzinfo) -> None:
        self._directory, self._zone = directory, zone
        self._read: dict[Path, tuple[tuple[int, int, int], StoredPost]] = {}

    def all(self) -> list[StoredPost]:
        """Return every post. A file that cannot be read is logged and left out."""
        stored = []
        for file in sorted(self._directory.rglob("*.md")):
            if not any(part.startswith(".") for part in file.relative_to(self._directory).parts):
                try:
                    stored.append(self._load(file))
                except (OSError, ValueError) as error:
                    log.warning("%s is left out: %s", file, error)
        return stored

    def revision(self, number: int, revision_number: int) -> str | None:
        """Return the text of a post at a revision, or None if it was not kept."""
        with suppress(FileNotFoundError):
            # with the line ends that it was written with
            return self._revision_file(number, revision_number).read_bytes().decode()
        return None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock, so that no other process writes between reading and writing. Raises ToolError for errors of files."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with (self._directory / ".lock").open("ab") as handle:
                if sys.platform != "win32":
                    fcntl.flock(handle, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise ToolError(
                f"Nothing was saved: {error.filename or self._directory}: {error.strerror}. Check ESA_LOCAL_DIR."
            ) from error

    def place(self, category: str, name: str) -> Path:
        """Return a path for a new post that is not taken. Raises ToolError for a category that is invalid, such as `..`."""
        folder = self._directory
        for part in category.split("/") if category else []:
            if not part or part.startswith(".") or _NOT_IN_CATEGORIES.search(part):
                raise ToolError(f"{category!r} is no category. Write names separated by single slashes, such as 日報/2026/11/21.")
            folder /= part
        stem = _NOT_IN_NAMES.sub("_", name).lstrip(".").encode()[:MAX_STEM_BYTES].decode(errors="ignore") or "_"
        file, count = folder / f"{stem}.md", 1
        while file.exists():
            count += 1
            file = folder / f"{stem} ({count}).md"
        return file

    def save(self, stored: StoredPost, before: StoredPost | None = None) -> Post:
        """Write a post atomically. The text before is kept as a revision, and the file before is deleted if the post moved."""
        if before is not None:
            _write(self._revision_file(before.post.number, before.post.revision_number), before.post.body_md)
        _write(stored.file, post_front_matter.join(_head(stored), stored.post.body_md))
        if before is not None and before.file != stored.file:
            before.file.unlink()
        return self._load(stored.file).post

    def _revision_file(self, number: int, revision_number: int) -> Path:
        return self._directory / ".revisions" / str(number) / f"{revision_number}.md"

    def _load(self, file: Path) -> StoredPost:
        status = file.stat()
        version = (status.st_mtime_ns, status.st_size, status.st_ino)  # some clocks of files have ticks of seconds
        if file not in self._read or self._read[file][0] != version:
            self._read[file] = (version, self._parse(file, status.st_mtime))
        return self._read[file][1]

    def _parse(self, file: Path, modified: float) -> StoredPost:
        head, body = post_front_matter.split(file.read_bytes().decode("utf-8"))
        path = file.relative_to(self._directory)
        category = path.parent.as_posix() if path.parent.parts else ""
        name, tags = head.get("title") or file.stem, post_front_matter.as_list(head.get("tags", ""))
        created_at = self._moment(file, head, "created_at", modified)
        post = Post(
            number=_number(file, head.get("number")) or _FIRST_UNNUMBERED + zlib.crc32(path.as_posix().encode()),
            name=name,
            category=category,
            full_name=full_name(category, name, tags),
            tags=tags,
            wip=head.get("published", "true") != "true",
            url=file.resolve().as_uri(),
            created_at=created_at,
            updated_at=self._moment(file, head, "updated_at", modified) if "updated_at" in head else created_at,
            created_by=head.get("created_by", ""),
            updated_by=head.get("updated_by") or head.get("created_by", ""),
            revision_number=_number(file, head.get("revision_number")) or 1,
            message=head.get("message", ""),
            excerpt=excerpt(body),
            body_md=body,
        )
        request, text = (head.get(key, "") for key in _STAMP)
        others = tuple((key, value) for key, value in head.items() if key not in _OURS + _STAMP)
        return StoredPost(post, file, Stamp(request, text) if text else None, others)

    def _moment(self, file: Path, head: post_front_matter.Head, key: str, modified: float) -> str:
        try:
            moment = datetime.fromisoformat(head[key]) if key in head else datetime.fromtimestamp(int(modified), self._zone)
        except ValueError:
            raise ValueError(f"{file.name}: {key}: {head[key]!r} is no date") from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=self._zone)).isoformat()


def next_number(posts: Iterable[StoredPost]) -> int:
    """Return the number after the highest one assigned."""
    return max((stored.post.number for stored in posts if stored.post.number < _FIRST_UNNUMBERED), default=0) + 1


def moved(stored: StoredPost, post: Post, file: Path, stamp: Stamp | None) -> StoredPost:
    """Return the stored post with another content, file and stamp. The entries of others in its front matter stay."""
    return replace(stored, post=post, file=file, stamp=stamp)


def _number(file: Path, text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal():
        raise ValueError(f"{file.name}: {text!r} is no number")
    return int(text)


def _head(stored: StoredPost) -> post_front_matter.Head:
    post = stored.post
    head = {
        "number": str(post.number),
        "title": post.name,
        "tags": ", ".join(post.tags),
        "published": "false" if post.wip else "true",
        "created_at": post.created_at,
        "updated_at": post.updated_at,
        "created_by": post.created_by,
        "updated_by": post.updated_by,
        "revision_number": str(post.revision_number),
        "message": post.message,
    }
    if stored.stamp:
        head.update(zip(_STAMP, (stored.stamp.request, stored.stamp.text), strict=True))
    return head | dict(stored.other_head)


def _write(file: Path, text: str) -> None:
    """Write a file atomically: a temporary file beside it replaces it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(beside).replace(file)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    with suppress(OSError):  # Windows opens no folders, and some file systems do not sync them
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
