"""Defines what a backend of an esa team can do, and the records that go in and out."""

from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel, Field

EXCERPT_CHARACTERS = 200

Sort = Literal["updated", "created", "number"]
Order = Literal["desc", "asc"]


class PostSummary(BaseModel):
    """A post without its text."""

    number: int = Field(description="The post's number, which identifies it")
    name: str = Field(description="Title, without category and tags")
    category: str = Field(description="Category path such as 日報/2026/11/21; empty at the top")
    full_name: str = Field(description="Category, title and tags in one line")
    tags: list[str]
    wip: bool = Field(description="True while it is a draft, false once it is shipped")
    url: str
    created_at: str
    updated_at: str
    created_by: str = Field(description="screen_name of the author")
    updated_by: str = Field(description="screen_name of who changed it last")
    revision_number: int = Field(description="Counts the changes; pass it as original_revision_number when updating")
    message: str = Field("", description="Note on the last change")
    excerpt: str = Field("", description="The beginning of the text")


class Post(PostSummary):
    """A post with its text."""

    body_md: str = Field(description="The whole text in Markdown")


class PostPage(BaseModel):
    """A page of posts."""

    posts: list[PostSummary]
    total_count: int
    next_page: int | None = Field(None, description="Pass as page to read on; null at the end")


class SavedPost(BaseModel):
    """The receipt of a change."""

    number: int
    name: str
    category: str
    full_name: str
    tags: list[str]
    wip: bool
    url: str
    revision_number: int
    created: bool = Field(description="True if the post is new; false if it existed before")
    changed: bool = Field(description="False if the post was left as it was")
    overlapped: bool = Field(
        False, description="True if the text was changed by others at the same place; both versions are in it"
    )
    note: str = Field("", description="What was done, and what to do if that was not wanted")


class Member(BaseModel):
    """A member of the team."""

    screen_name: str = Field(description="The name to use in searches such as user:haruka")
    name: str
    email: str = ""
    role: str = ""
    posts_count: int = 0


class MemberPage(BaseModel):
    """A page of members."""

    members: list[Member]
    total_count: int
    next_page: int | None = Field(None, description="Pass as page to read on; null at the end")


class Category(BaseModel):
    """A category with its own posts (not those of its subcategories)."""

    name: str = Field(description="Category path")
    posts_count: int


class Categories(BaseModel):
    """The categories in use."""

    categories: list[Category]
    complete: bool = Field(True, description="False if there were too many posts to look at; narrow with category")


class Tag(BaseModel):
    """A tag and how often it is used."""

    name: str
    posts_count: int


class Tags(BaseModel):
    """The tags in use, most used first."""

    tags: list[Tag]
    complete: bool = Field(True, description="False if there were too many posts to look at")


@dataclass(frozen=True)
class Search:
    """The criteria of a search. `category` includes all categories below it."""

    q: str = ""
    category: str = ""
    sort: Sort = "updated"
    order: Order = "desc"
    page: int = 1
    per_page: int = 20


@dataclass(frozen=True)
class NewPost:
    """A post to be created. `key` identifies the request, so that it is not carried out twice."""

    name: str
    body_md: str
    category: str = ""
    tags: tuple[str, ...] = ()
    wip: bool = True
    message: str = ""
    key: str | None = None


@dataclass(frozen=True)
class PostChange:
    """The changes to a post. None leaves a field as it is. The original is the text that the change was made from."""

    name: str | None = None
    body_md: str | None = None
    category: str | None = None
    tags: tuple[str, ...] | None = None
    wip: bool | None = None
    message: str = ""
    original_revision_number: int | None = None
    original_body_md: str | None = None


class Team(Protocol):
    """A backend. All operations raise `ToolError` with a sentence that tells the model what to do next."""

    async def search(self, search: Search) -> PostPage:
        """Return one page of the posts that match."""

    async def get(self, number: int) -> Post:
        """Return one post with its text."""

    async def create(self, new: NewPost) -> SavedPost:
        """Create a post. If one of the same category and name exists, rewrite it, but only if it is still as we wrote it."""

    async def update(self, number: int, change: PostChange) -> SavedPost:
        """Change a post. If the change names its original, it is merged with others' changes since (3-way merge)."""

    async def append(self, number: int, text: str, message: str, key: str | None) -> SavedPost:
        """Add text at the end of a post, once for each key."""

    async def members(self, page: int, per_page: int) -> MemberPage:
        """Return one page of the members."""

    async def categories(self, category: str) -> Categories:
        """Return the categories at and below one."""

    async def tags(self) -> Tags:
        """Return the tags in use."""

    async def aclose(self) -> None:
        """Close the backend's connections."""


def full_name(category: str, name: str, tags: list[str]) -> str:
    """Return esa's one-line name of a post, `category/name #tag #tag`."""
    return " ".join([f"{category}/{name}" if category else name, *(f"#{tag}" for tag in tags)])


def excerpt(body_md: str) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(body_md.split())
    return line if len(line) <= EXCERPT_CHARACTERS else line[: EXCERPT_CHARACTERS - 1] + "…"


def receipt(post: Post, *, created: bool, changed: bool, overlapped: bool = False, note: str = "") -> SavedPost:
    """Return the receipt of a change. `post`: the post after it."""
    fields = post.model_dump(include=set(SavedPost.model_fields))
    return SavedPost(**fields, created=created, changed=changed, overlapped=overlapped, note=note)
