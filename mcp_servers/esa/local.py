"""The backend for a team without a token: Markdown posts in folders, with revisions."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.esa.files import PostFiles, StoredPost, moved, next_number
from mcp_servers.esa.merge import merge
from mcp_servers.esa.query import predicate
from mcp_servers.esa.stamp import NOTES, Stamp, StampVerdict, append_comment, judge, still_ours
from mcp_servers.esa.team import (
    Categories,
    Category,
    Member,
    MemberPage,
    NewPost,
    Post,
    PostChange,
    PostPage,
    PostSummary,
    SavedPost,
    Search,
    Tag,
    Tags,
    full_name,
    receipt,
)


class LocalTeam:
    """Implements `team.Team` with a directory. Nothing is ever deleted, because each change keeps the text before."""

    def __init__(self, directory: Path, user: str, zone: tzinfo, now: Callable[[], datetime]) -> None:
        """`user`: the author of our posts. `zone`: of dates in files that name none."""
        self._directory, self._user, self._now = directory, user, now
        self._files = PostFiles(directory, zone)

    async def search(self, search: Search) -> PostPage:
        """Return one page of the posts that match."""
        return await anyio.to_thread.run_sync(self._search, search)

    async def get(self, number: int) -> Post:
        """Return one post with its text."""
        return (await anyio.to_thread.run_sync(self._find, number)).post

    async def create(self, new: NewPost) -> SavedPost:
        """Create a post. If one of the same category and name exists, rewrite it, but only if it is still as we wrote it."""
        return await anyio.to_thread.run_sync(self._create, new)

    async def update(self, number: int, change: PostChange) -> SavedPost:
        """Change a post. If the change names its original, it is merged with others' changes since (3-way merge)."""
        return await anyio.to_thread.run_sync(self._update, number, change)

    async def append(self, number: int, text: str, message: str, key: str | None) -> SavedPost:
        """Add text at the end of a post, once for each key."""
        return await anyio.to_thread.run_sync(self._append, number, text, message, key)

    async def members(self, page: int, per_page: int) -> MemberPage:
        """Return one page of the people in `members.json` and of everyone who wrote a post."""
        members = await anyio.to_thread.run_sync(self._members)
        start = (page - 1) * per_page
        more = start + per_page < len(members)
        return MemberPage(
            members=members[start : start + per_page], total_count=len(members), next_page=page + 1 if more else None
        )

    async def categories(self, category: str) -> Categories:
        """Return the categories at and below one."""
        posts = await anyio.to_thread.run_sync(self._matching, f'in:"{category}"')
        counts = Counter(post.category for post in posts)
        return Categories(categories=[Category(name=name, posts_count=counts[name]) for name in sorted(counts)])

    async def tags(self) -> Tags:
        """Return the tags in use."""
        counts = Counter(tag for post in await anyio.to_thread.run_sync(self._matching, "") for tag in post.tags)
        return Tags(tags=[Tag(name=name, posts_count=count) for name, count in counts.most_common()])

    async def aclose(self) -> None:
        """Close nothing, because nothing is open."""

    def _matching(self, q: str) -> list[Post]:
        matches = predicate(q)
        return [stored.post for stored in self._files.all() if matches(stored.post)]

    def _search(self, search: Search) -> PostPage:
        below = f' in:"{search.category}"' if search.category else ""
        posts = self._matching(search.q + below)
        order: dict[str, Callable[[Post], float]] = {
            "number": lambda post: post.number,
            "created": lambda post: datetime.fromisoformat(post.created_at).timestamp(),
            "updated": lambda post: datetime.fromisoformat(post.updated_at).timestamp(),
        }
        posts.sort(key=order[search.sort], reverse=search.order == "desc")
        start, end = (search.page - 1) * search.per_page, search.page * search.per_page
        return PostPage(
            posts=[PostSummary(**post.model_dump(exclude={"body_md"})) for post in posts[start:end]],
            total_count=len(posts),
            next_page=search.page + 1 if end < len(posts) else None,
        )

    def _find(self, number: int) -> StoredPost:
        for stored in self._files.all():
            if stored.post.number == number:
                return stored
        raise ToolError(f"There is no post {number} here. Find its number with esa_list_posts.")

    def _create(self, new: NewPost) -> SavedPost:
        with self._files.locked():
            posts = self._files.all()
            for stored in posts:
                if (stored.post.category, stored.post.name) == (new.category, new.name):
                    return self._create_again(stored, new)
            now = self._moment()
            post = Post(
                number=next_number(posts),
                name=new.name,
                category=new.category,
                full_name=full_name(new.category, new.name, list(new.tags)),
                tags=list(new.tags),
                wip=new.wip,
                url="",
                created_at=now,
                updated_at=now,
                created_by=self._user,
                updated_by=self._user,
                revision_number=1,
                message=new.message,
                body_md=new.body_md,
            )
            file = self._files.place(new.category, new.name)
            saved = self._files.save(StoredPost(post, file, Stamp.of(new.key, new.body_md)))
        return receipt(saved, created=True, changed=True)

    def _create_again(self, stored: StoredPost, new: NewPost) -> SavedPost:
        verdict = judge(stored.post.body_md, stored.stamp, new)
        if verdict is not StampVerdict.REWRITE:
            return receipt(stored.post, created=False, changed=False, note=NOTES[verdict])
        change = PostChange(body_md=new.body_md, tags=new.tags, wip=stored.post.wip and new.wip, message=new.message)
        saved = self._save(stored, change, new.body_md, Stamp.of(new.key, new.body_md))
        return receipt(saved, created=False, changed=True, note=NOTES[verdict])

    def _update(self, number: int, change: PostChange) -> SavedPost:
        with self._files.locked():
            stored = self._find(number)
            body, overlapped = self._merged(stored.post, change)
            if overlapped and stored.post.wip and change.wip is False:
                raise ToolError(
                    f"Nothing was published: someone changed the same lines of post {number} since that revision. "
                    "Read the post with esa_get_post and make the change on that text."
                )
            foreign = change.body_md is not None and body != change.body_md
            name = change.name or stored.post.name
            category = stored.post.category if change.category is None else change.category
            for other in self._files.all():
                if (other.post.category, other.post.name) == (category, name) and other.post.number != number:
                    raise ToolError(
                        f"Nothing was changed: post {other.post.number} is named {name!r} there. Choose another name."
                    )
            stamp = Stamp.of(None, body) if still_ours(stored.post.body_md, stored.stamp) else None
            saved = self._save(stored, change, body, stamp)
        changed = saved.revision_number != stored.post.revision_number
        note = "Someone changed the post meanwhile; what he changed is in the text, too." if foreign else ""
        if overlapped:
            note = "Someone changed the same lines meanwhile; both versions are in the text, marked <<<<<<< and >>>>>>>."
        return receipt(saved, created=False, changed=changed, overlapped=overlapped, note=note)

    def _merged(self, post: Post, change: PostChange) -> tuple[str, bool]:
        if change.body_md is None:
            return post.body_md, False
        original = change.original_body_md
        if original is None and change.original_revision_number not in (None, post.revision_number):
            original = self._files.revision(post.number, change.original_revision_number or 0)
            if original is None:
                raise ToolError(
                    f"Nothing was changed: revision {change.original_revision_number} of post {post.number} is not known here. "
                    "Read the post with esa_get_post and make the change on that text."
                )
        return (change.body_md, False) if original is None else merge(original, post.body_md, change.body_md)

    def _append(self, number: int, text: str, message: str, key: str | None) -> SavedPost:
        with self._files.locked():
            stored = self._find(number)
            mark = append_comment(key) if key else ""
            if mark and mark in stored.post.body_md:
                return receipt(
                    stored.post, created=False, changed=False, note="This text had been added before; nothing was changed."
                )
            body = "\n\n".join(part for part in (stored.post.body_md.rstrip("\n"), text, mark) if part) + "\n"
            saved = self._save(stored, PostChange(message=message), body, stored.stamp)
        return receipt(saved, created=False, changed=True)

    def _save(self, stored: StoredPost, change: PostChange, body: str, stamp: Stamp | None) -> Post:
        """Write the changed post as its next revision, unless nothing changes."""
        before = stored.post
        tags = before.tags if change.tags is None else list(change.tags)
        after = before.model_copy(
            update={
                "name": change.name or before.name,
                "category": before.category if change.category is None else change.category,
                "tags": tags,
                "wip": before.wip if change.wip is None else change.wip,
                "body_md": body,
            }
        )
        if after == before:
            return before
        after = after.model_copy(
            update={
                "updated_at": self._moment(),
                "updated_by": self._user,
                "revision_number": before.revision_number + 1,
                "message": change.message,
            }
        )
        stays = (after.category, after.name) == (before.category, before.name)
        file = stored.file if stays else self._files.place(after.category, after.name)
        return self._files.save(moved(stored, after, file, stamp), stored)

    def _members(self) -> list[Member]:
        posts = self._matching("")
        counts = Counter(post.created_by for post in posts)
        known = {member.screen_name: member for member in self._listed_members()}
        names = [*known, *sorted({post.created_by for post in posts if post.created_by} - set(known))]
        return [
            known.get(name, Member(screen_name=name, name=name)).model_copy(update={"posts_count": counts[name]})
            for name in names
        ]

    def _listed_members(self) -> list[Member]:
        file = self._directory / "members.json"
        if not file.is_file():
            return []
        try:
            return [Member.model_validate(item) for item in json.loads(file.read_bytes())]
        except ValueError as error:
            raise ToolError(
                f"{file} cannot be read: {error}. It should be a list of objects with screen_name and name."
            ) from error

    def _moment(self) -> str:
        return self._now().isoformat(timespec="seconds")
