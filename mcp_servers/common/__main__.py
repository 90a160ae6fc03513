"""`python -P -m mcp_servers.common`: serve over stdio."""

import gc

gc.disable()  # what is imported defines some six hundred models, and nothing of them is garbage
from mcp_servers.common.server import main  # noqa: E402

gc.freeze()
gc.enable()

main()
