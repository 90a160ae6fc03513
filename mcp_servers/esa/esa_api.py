"""The backend for a real team: esa's API v1."""

from collections import Counter
from typing import Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.esa.api_client import ApiClient, EsaOutcomeUnknown, Raw
from mcp_servers.esa.stamp import NOTES, Stamp, StampVerdict, append_comment, judge, split_stamp, still_ours
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
    excerpt,
    full_name,
    receipt,
)

PER_PAGE = 100
"""The most items that esa gives at once."""
MAX_PAGES = 5
"""How many pages one tool call reads at most, because esa allows only 75 requests in 15 minutes."""


class ApiTeam:
    """Implements `team.Team` with esa's API. Our stamp is a comment at the end of a text, which readers do not see."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client
        self._creating = anyio.Lock()

    async def search(self, search: Search) -> PostPage:
        """Return one page of the posts that match."""
        q = " ".join(part for part in (search.q, _term("in", search.category)) if part)
        answer = await self._client.read(
            "posts", q=q, page=search.page, per_page=search.per_page, sort=search.sort, order=search.order
        )
        return PostPage(
            posts=[PostSummary(**_post(raw).model_dump(exclude={"body_md"})) for raw in answer["posts"]],
            total_count=answer["total_count"],
            next_page=answer["next_page"],
        )

    async def get(self, number: int) -> Post:
        """Return one post with its text."""
        return _post(await self._client.read(f"posts/{number}"))

    async def create(self, new: NewPost) -> SavedPost:
        """Create a post. If one of the same category and name exists, rewrite it, but only if it is still as we wrote it."""
        async with self._creating:  # so that the same request sent twice finds what the first has created
            existing = await self._find(new)
            return await (self._create(new) if existing is None else self._create_again(existing, new))

    async def _create(self, new: NewPost) -> SavedPost:
        fields = {
            "name": _escaped(new.name),
            "category": new.category,
            "tags": list(new.tags),
            "wip": new.wip,
            "message": new.message,
        }
        try:
            raw = await self._client.write("POST", "posts", {**fields, "body_md": _stamped(new.body_md, new.key)})
        except EsaOutcomeUnknown as unknown:
            return await self._after_lost_answer(new, unknown)
        return receipt(_post(raw), created=True, changed=True)

    async def update(self, number: int, change: PostChange) -> SavedPost:
        """Change a post. If the change names its original, esa merges it with others' changes since (3-way merge)."""
        before = await self._client.read(f"posts/{number}")
        fields: dict[str, Any] = {
            "name": change.name and _escaped(change.name),
            "category": change.category,
            "tags": None if change.tags is None else list(change.tags),
            "wip": change.wip,
            "message": change.message or None,
        }
        if change.body_md is not None:
            fields |= _new_text(before, change)
        after = await self._patch(number, fields)
        overlapped = bool(after.get("overlapped"))
        note = (
            "Someone changed the same lines meanwhile; read the post with esa_get_post and mend the text." if overlapped else ""
        )
        changed = after["revision_number"] != before["revision_number"]
        return receipt(_post(after), created=False, changed=changed, overlapped=overlapped, note=note)

    async def append(self, number: int, text: str, message: str, key: str | None) -> SavedPost:
        """Add text at the end of a post, once for each key."""
        mark = append_comment(key) if key else ""
        if mark and mark in (before := await self._client.read(f"posts/{number}"))["body_md"]:
            return receipt(
                _post(before), created=False, changed=False, note="This text had been added before; nothing was changed."
            )
        content = f"{text}\n\n{mark}" if mark else text
        try:
            raw = await self._client.write(
                "POST", f"posts/{number}/append", {"content": content} | ({"message": message} if message else {})
            )
        except EsaOutcomeUnknown as unknown:
            if not mark or mark not in (raw := await self._client.read(f"posts/{number}"))["body_md"]:
                raise ToolError(
                    f"The outcome is unknown: esa did not answer ({unknown}), so the text may or may not have been added. "
                    "Read the post with esa_get_post before adding anything again."
                ) from unknown
        return receipt(_post(raw), created=False, changed=True)

    async def members(self, page: int, per_page: int) -> MemberPage:
        """Return one page of the members."""
        answer = await self._client.read("members", page=page, per_page=per_page)
        members = [Member.model_validate(raw) for raw in answer["members"]]
        return MemberPage(members=members, total_count=answer["total_count"], next_page=answer["next_page"])

    async def categories(self, category: str) -> Categories:
        """Return the categories, at and below one, of the newest posts, because the API has no list of categories."""
        raws, complete = await self._all("posts", "posts", q=_term("in", category))
        counts = Counter(raw["category"] or "" for raw in raws)
        return Categories(
            categories=[Category(name=name, posts_count=counts[name]) for name in sorted(counts)], complete=complete
        )

    async def tags(self) -> Tags:
        """Return the tags in use."""
        raws, complete = await self._all("tags", "tags")
        tags = sorted((Tag.model_validate(raw) for raw in raws), key=lambda tag: -tag.posts_count)
        return Tags(tags=tags, complete=complete)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _find(self, new: NewPost) -> Raw | None:
        """Return the post of the same category and name, or None. Raises ToolError if there are too many posts to be sure."""
        q = _term("on", new.category) if new.category else _term("title", new.name)
        raws, complete = await self._all("posts", "posts", q=q)
        for raw in raws:
            if (raw["category"] or "", _unescaped(raw["name"])) == (new.category, new.name):
                return raw
        if not complete:
            raise ToolError(
                f"Nothing was created: the category {new.category!r} has more than {MAX_PAGES * PER_PAGE} posts, too many to be sure that "
                "none has this name. Choose a narrower category, such as one with the date."
            )
        return None

    async def _create_again(self, existing: Raw, new: NewPost) -> SavedPost:
        body_md, stamp = split_stamp(existing["body_md"])
        verdict = judge(body_md, stamp, new)
        if verdict is not StampVerdict.REWRITE:
            return receipt(_post(existing), created=False, changed=False, note=NOTES[verdict])
        raw = await self._patch(
            existing["number"],
            {
                "body_md": _stamped(new.body_md, new.key),
                "tags": list(new.tags),
                "wip": existing["wip"] and new.wip,
                "message": new.message or None,
                "original_revision": _original(existing, existing["body_md"]),
            },
        )
        return receipt(_post(raw), created=False, changed=True, overlapped=bool(raw.get("overlapped")), note=NOTES[verdict])

    async def _after_lost_answer(self, new: NewPost, unknown: EsaOutcomeUnknown) -> SavedPost:
        try:
            found = await self._find(new)
        except ToolError:
            found = None
        if found is None:
            raise ToolError(
                f"The outcome is unknown: esa did not answer ({unknown}), so the post may or may not have been created. "
                "Call esa_create_post again with the same category and name: it makes no second post."
            ) from unknown
        return receipt(_post(found), created=True, changed=True)

    async def _patch(self, number: int, fields: dict[str, Any]) -> Raw:
        try:
            return await self._client.write(
                "PATCH", f"posts/{number}", {key: value for key, value in fields.items() if value is not None}
            )
        except EsaOutcomeUnknown as unknown:
            raise ToolError(
                f"The outcome is unknown: esa did not answer ({unknown}), so post {number} may or may not have been changed. "
                "Read it with esa_get_post; the same change can safely be sent again."
            ) from unknown

    async def _all(self, path: str, key: str, **parameters: Any) -> tuple[list[Raw], bool]:
        """Return the items of the first `MAX_PAGES` pages, and whether these are all."""
        items: list[Raw] = []
        page: int | None = 1
        for _ in range(MAX_PAGES):
            answer = await self._client.read(path, page=page, per_page=PER_PAGE, **parameters)
            items += answer[key]
            page = answer["next_page"]
            if page is None:
                return items, True
        return items, False


def _new_text(before: Raw, change: PostChange) -> dict[str, Any]:
    """Return the fields for a new text: the text, stamped if the old one was still as we wrote it, and the original for
    merging."""
    body_md, stamp = split_stamp(before["body_md"])
    text = change.body_md or ""
    fields: dict[str, Any] = {"body_md": _stamped(text, None) if still_ours(body_md, stamp) else text}
    original = change.original_body_md
    if change.original_revision_number is not None and original is None:
        if change.original_revision_number != before["revision_number"]:
            raise ToolError(
                f"Nothing was changed: post {before['number']} has revision {before['revision_number']} by now. Pass the text you changed "
                "as original_body_md, or read the post again with esa_get_post and make the change on that text."
            )
        original = body_md
    if original is not None:
        dressed = stamp.put_on(original) if stamp else original
        fields["original_revision"] = _original(before, dressed) | {
            "number": change.original_revision_number or before["revision_number"]
        }
    return fields


def _original(raw: Raw, body_md: str) -> dict[str, Any]:
    return {"body_md": body_md, "number": raw["revision_number"], "user": raw["updated_by"]["screen_name"]}


def _stamped(body_md: str, key: str | None) -> str:
    return Stamp.of(key, body_md).put_on(body_md)


def _post(raw: Raw) -> Post:
    """Convert a post of the API to that of the tools."""
    body_md, _ = split_stamp(raw["body_md"])
    name, category = _unescaped(raw["name"]), raw["category"] or ""
    return Post(
        number=raw["number"],
        name=name,
        category=category,
        full_name=full_name(category, name, raw["tags"]),
        tags=raw["tags"],
        wip=raw["wip"],
        url=raw["url"],
        created_at=raw["created_at"],
        updated_at=raw["updated_at"],
        created_by=raw["created_by"]["screen_name"],
        updated_by=raw["updated_by"]["screen_name"],
        revision_number=raw["revision_number"],
        message=raw.get("message") or "",
        excerpt=excerpt(body_md),
        body_md=body_md,
    )


def _term(field: str, value: str) -> str:
    """Return a term of esa's search language; empty for an empty value."""
    if not value:
        return ""
    return f'{field}:"{value}"' if any(character.isspace() for character in value) else f"{field}:{value}"


def _escaped(name: str) -> str:
    """Escape / and # in a name, which esa would read as a category and a tag (docs.esa.io/posts/102)."""
    return name.replace("#", "&#35;").replace("/", "&#47;")


def _unescaped(name: str) -> str:
    return name.replace("&#47;", "/").replace("&#35;", "#")
