"""Renders untrusted text as sanitised HTML."""

import re
from functools import cache
from urllib.parse import quote, unquote

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from autonomy.web.annotations import AnnotatedText

TAGS = frozenset({
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "strong", "em", "s", "del", "code", "pre", "blockquote", "ul", "ol",
    "li", "table", "thead", "tbody", "tr", "th", "td", "a",
})  # fmt: skip
_OPEN, _CLOSE, _FACT, _FACT_END, _STOP = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
"""Of the private use area: a text that brings them loses them."""

_MARKS = re.compile("[\ue000-\ue004]")
_MARK = re.compile("([\ue000-\ue003])([0-9]*)\ue004")
_LOST = re.compile("%EE%80%8[0-3](?:[0-9]*)%EE%80%84")
_OUTWARD = re.compile(r'<a href="(?!#)')

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


def coded(text: str) -> Markup:
    """A sentence of ours, in which what stands between backticks is code."""
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(text.split("`")))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])


def annotated(text: AnnotatedText, prefix: str, unsourced: str) -> Markup:
    """Markdown with each sentence that has sources as one element with its note numbers, and what has none marked with
    `unsourced`.

    The marks travel through Markdown as characters that no text holds, and become elements after the sanitiser; it then looks
    once more.
    """
    if len(text.text) > MOST_CHARS:
        return markdown(text.text)
    marks: list[tuple[int, int, str]] = []  # where, inner marks closing first, what
    for number, sentence in enumerate(text.sentences):
        if not sentence.needs_source:
            continue
        marks.append((sentence.start, 1, f"{_OPEN}{number}{_STOP}"))
        marks.append((sentence.end, 0, f"{_CLOSE}{number}{_STOP}"))
        for start, end in sentence.unsourced if sentence.notes else ():
            marks += [(start, 2, f"{_FACT}{_STOP}"), (end, -1, f"{_FACT_END}{_STOP}")]
    clean, parts, last = _MARKS.sub("\ufffd", text.text), list[str](), 0
    for at, _, mark in sorted(marks, key=lambda one: one[:2]):
        parts += [clean[last:at], mark]
        last = at
    html = str(markdown("".join([*parts, clean[last:]])))
    html = _LOST.sub("", html)  # inside of an address

    def element(found: re.Match[str]) -> str:
        kind, number = found.group(1), found.group(2)
        if kind == _FACT:
            return '<span class="unsourced-fact">'
        if kind == _FACT_END:
            return "</span>"
        sentence = text.sentences[int(number)]
        if kind == _OPEN:
            return f'<span class="{"said" if sentence.notes else "unsourced"}">'
        refs = "".join(f'<a href="#{quote(prefix)}-{note}">{note}</a>' for note in sentence.notes)
        return f'</span><sup class="refs">{refs or escape(unsourced)}</sup>'

    html = _MARK.sub(element, html)
    attributes = {"a": {"href"}, "span": {"class"}, "sup": {"class"}}
    schemes = {"http", "https", "mailto"}
    checked = nh3.clean(html, tags={*TAGS, "span", "sup"}, attributes=attributes, url_schemes=schemes, link_rel=None)
    return Markup(_OUTWARD.sub(r'<a rel="noopener noreferrer nofollow" href="', checked))  # noqa: S704 - the sanitiser's own output
