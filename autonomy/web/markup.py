"""Renders untrusted text as sanitised HTML."""

from functools import cache
from urllib.parse import unquote

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

TAGS = frozenset(
    [
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "br",
        "hr",
        "strong",
        "em",
        "s",
        "del",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
    ]
)
MOST_CHARS = 200_000
"""A longer text is shown as it is: laying out Markdown takes time, and nobody reads that much of it."""


def markdown(text: str) -> Markup:
    """Markdown as HTML. HTML in it is shown, not obeyed; images are left out, because fetching one tells somebody."""
    if len(text) > MOST_CHARS:
        return Markup("<pre>{}</pre>").format(text)
    clean = nh3.clean(
        _parser().render(text),
        tags=set(TAGS),
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)  # noqa: S704 - the sanitiser's own output


def link(target: str) -> Markup:
    """A receipt's target: a link where it is a web address, else words. A `javascript:` or `file:` address is never a link."""
    if target.startswith(("https://", "http://")):
        return Markup('<a href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>').format(target, unquote(target))
    return Markup("<code>{}</code>").format(unquote(target)) if target else escape("")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
