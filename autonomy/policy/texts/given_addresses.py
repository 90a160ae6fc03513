"""Selects the addresses in results that the plan or the job points at.

A page whose address stands word for word in what the named tool brought carries nothing of the run out when it is opened. A
mailbox that is the only one in what the named tool brought, and stands on a page that the request names by its address, leaves
nothing to choose. Both hold only for answers of reads that no text steered.
"""

import re
from collections.abc import Collection, Mapping

from pydantic import Field

from autonomy.policy.policy_words import policy_words
from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.addresses import is_named, normal
from autonomy.policy.texts.codes import holds_code
from discovery.catalog import Frozen, JsonObject, ToolSpec

LONGEST = 120
"""Characters; what is longer has room for more than the name of a page."""
_PAGE = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}[a-z]{2,24}(?:/[\w.~/-]{0,120})?", re.IGNORECASE | re.ASCII)


class GivenAddresses(Frozen):
    """The normalized addresses in results of the run's unsteered reads."""

    by_tool: Mapping[str, frozenset[str]] = Field(default_factory=dict)
    on_named_pages: frozenset[str] = frozenset()
    """Those of pages whose address the request names: one author, whom the person chose. Anybody can post to a channel."""

    def has_page(self, address: str, givers: Collection[str]) -> bool:
        """Whether a named tool brought this very address, and it is a plain page on a public host: no query, code, port or IP."""
        page = normal(address)
        host, _, path = page.partition("/")
        return (
            len(address) < LONGEST
            and _PAGE.fullmatch(page) is not None
            and host.rpartition(".")[2] not in policy_words("not_public")
            and not any(map(holds_code, (path, *host.split("."))))
            and any(page in self.by_tool.get(tool, ()) for tool in givers)
        )

    def has_only_mailbox(self, address: str, givers: Collection[str]) -> bool:
        """Whether it is the only mail address in all that the named tools brought, and stands on a page that was named."""
        mailbox = normal(address)
        brought = {one for tool in givers for one in self.by_tool.get(tool, ()) if "@" in one}
        return brought == {mailbox} and mailbox in self.on_named_pages


def opens_named_page(spec: ToolSpec, arguments: JsonObject, addresses: frozenset[str]) -> bool:
    """Whether a read goes to an address, and each address it goes to is one of these."""
    hosts = [value for name, value in arguments.items() if sink_of(name, spec.parameters.get(name, {})) is Sink.HOST]
    return bool(hosts) and all(isinstance(host, str) and is_named(normal(host), addresses) for host in hosts)
