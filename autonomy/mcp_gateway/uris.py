"""Resources of several servers under one roof: whose a URI is, and names for prompts that two servers may share."""

import re
from collections import Counter
from collections.abc import Iterable

from discovery.catalog import Provider
from discovery.names import full_names


def owner_of(uri: str, providers: Iterable[Provider]) -> str | None:
    """The provider that lists this URI, or a template it fits; else the one whose other resources share its scheme and host, if
    there is but one."""
    listing = [one for one in providers if one.available]
    for one in listing:
        if any(resource.uri == uri for resource in one.resources):
            return one.name
    fitting = [one.name for one in listing if any(_fits(uri, template.uri_template) for template in one.templates)]
    if fitting:
        return fitting[0]
    root = "/".join(uri.split("/")[:3])
    near = [one.name for one in listing if any("/".join(resource.uri.split("/")[:3]) == root for resource in one.resources)]
    return near[0] if len(near) == 1 else None


def _fits(uri: str, template: str) -> bool:
    """Whether a URI may be a filled-in template (RFC 6570): what stands outside of the braces must be there."""
    plain = re.split(r"\{[^{}]*\}", template)
    return uri == template or (len(plain) > 1 and re.fullmatch(".+".join(map(re.escape, plain)), uri) is not None)


def owner_of_template(template: str, providers: Iterable[Provider]) -> str | None:
    """The provider that lists this template."""
    return next((one.name for one in providers for listed in one.templates if listed.uri_template == template), None)


def prompt_names(providers: Iterable[Provider], *, own: bool = False) -> dict[str, tuple[str, str]]:
    """Name for clients → provider, and the provider's own name of the prompt; `own`: where no two share it that one is kept."""
    offered = [(one.name, prompt.name) for one in providers if one.available for prompt in one.prompts]
    full = {name: prompt for prompt, name in full_names(offered, reserved=()).items()}
    if not own:
        return full
    times = Counter([*(prompt for _, prompt in offered), *full])
    return {prompt[1] if times[prompt[1]] <= 1 else name: prompt for name, prompt in full.items()}
