"""Resources of several servers under one roof: whose a URI is, and names for prompts that two servers may share."""

from collections.abc import Iterable

from discovery.catalog import Provider
from discovery.names import full_names


def owner_of(uri: str, providers: Iterable[Provider]) -> str | None:
    """The provider that lists this URI; else the one whose other resources share its scheme and host, if there is but one."""
    listing = [one for one in providers if one.available]
    for one in listing:
        if any(resource.uri == uri for resource in one.resources):
            return one.name
    root = "/".join(uri.split("/")[:3])
    near = [one.name for one in listing if any("/".join(resource.uri.split("/")[:3]) == root for resource in one.resources)]
    return near[0] if len(near) == 1 else None


def prompt_names(providers: Iterable[Provider]) -> dict[str, tuple[str, str]]:
    """Full name → provider, and the provider's own name of the prompt."""
    offered = [(one.name, prompt.name) for one in providers if one.available for prompt in one.prompts]
    return {name: prompt for prompt, name in full_names(offered, reserved=()).items()}
