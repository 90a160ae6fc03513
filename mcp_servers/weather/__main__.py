"""`python -P -m mcp_servers.weather`: serve over stdio."""

import gc

gc.disable()  # the imports define about six hundred models, none of which is garbage
from mcp_servers.weather.server import main  # noqa: E402

gc.freeze()
gc.enable()

main()
