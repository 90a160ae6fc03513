"""A host in a process of its own, to be killed: opens a gateway over the servers given as JSON, says `ready`, and waits.

A second argument stands for the namespace of its processes: gateways of other namespaces leave its servers alone.
"""

import json
import sys
from contextlib import suppress

import anyio

from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.local import processes


async def main() -> None:
    if sys.argv[2:]:
        processes._namespace = lambda: sys.argv[2]
    servers = [ServerConfig.model_validate(entry) for entry in json.loads(sys.argv[1])]
    async with open_gateway(servers) as gateway:
        await gateway.catalog()
        print("ready", flush=True)  # noqa: T201 - the test waits for it
        await anyio.sleep_forever()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        anyio.run(main)
