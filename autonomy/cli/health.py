"""Checks whether a worker is ready, for a container's health check.

`python -m autonomy.cli.health [ADDRESS]`: exit code 0 where a worker says it is ready.
"""

import sys

import httpx2

from autonomy.cli.terminal import say

ADDRESS = "http://127.0.0.1:9464/readyz"


def main(address: str = ADDRESS) -> int:
    """Ask the address once; 0 where a worker says that it is ready, else 1, with why on stderr."""
    try:
        answer = httpx2.get(address, timeout=4, trust_env=False)  # a proxy that the container is told does not reach us
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        say(f"{address}: {type(error).__name__}: {error}", err=True)
        return 1
    if answer.status_code != 200:
        say(f"{address}: {answer.text}", err=True)
    return 0 if answer.status_code == 200 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
