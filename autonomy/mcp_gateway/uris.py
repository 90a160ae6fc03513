"""Resolves resource URIs and prompt names to servers."""

import re
from collections import Counter
from collections.abc import Iterable

from discovery.catalog import Provider
from discovery.names import full_names

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def owner_of(uri: str, providers: Iterable[Provider]) -> str | None:
    """Find the provider of a URI, or return None.

    It is the only one that offers the URI, else the only one that has resources of its scheme and host. If several offer it, the
    result is None: nobody gets a request by coming first.
    """
    listing = [one for one in providers if one.available]
    if names := offering_servers(uri, listing):
        return names[0] if len(names) == 1 else None
    root = "/".join(uri.split("/")[:3])
    near = [one.name for one in listing if any("/".join(resource.uri.split("/")[:3]) == root for resource in one.resources)]
    return near[0] if len(near) == 1 else None


def offering_servers(uri: str, providers: Iterable[Provider]) -> list[str]:
    """Return the names of the available providers that list a URI or template, else of those whose template fits it most closely,
    so that one like `{+any}` yields to every more specific one."""
    listing = [one for one in providers if one.available]
    if names := [one.name for one in listing if _lists(one, uri)]:
        return names
    fixed = {one.name: max((_fixed_chars(uri, each.uri_template) for each in one.templates), default=-1) for one in listing}
    most = max(fixed.values(), default=-1)
    return [name for name, chars in fixed.items() if chars == most >= 0]


def _lists(provider: Provider, uri: str) -> bool:
    return any(resource.uri == uri for resource in provider.resources) or is_template(uri, [provider])


def is_template(uri: str, providers: Iterable[Provider]) -> bool:
    """Return whether any of these providers lists this as a template."""
    return any(listed.uri_template == uri for one in providers for listed in one.templates)


def _fixed_chars(uri: str, template: str) -> int:
    """Return how many characters a template (RFC 6570) has outside of braces if it fits a URI; else -1.

    Each placeholder stands for at least one character. It takes linear time, unlike a regular expression with many of them.
    """
    first, *others = _PLACEHOLDER.split(template)
    fixed = len(first) + sum(map(len, others))
    if not others:
        return fixed if uri == template else -1
    *between, last = others
    at, end = len(first), len(uri) - len(last)
    if not (uri.startswith(first) and uri.endswith(last)):
        return -1
    for piece in between:
        found = uri.find(piece, at + 1, end)
        if found < 0:
            return -1
        at = found + len(piece)
    return fixed if at < end else -1


def prompt_names(providers: Iterable[Provider], *, own: bool = False) -> dict[str, tuple[str, str]]:
    """Return the name for clients → the provider and its own name of the prompt. `own`: use the provider's own name where it is
    unique, instead of the full name."""
    offered = [(one.name, prompt.name) for one in providers if one.available for prompt in one.prompts]
    full = {name: prompt for prompt, name in full_names(offered, reserved=()).items()}
    if not own:
        return full
    times = Counter([*(prompt for _, prompt in offered), *full])
    return {prompt[1] if times[prompt[1]] <= 1 else name: prompt for name, prompt in full.items()}
