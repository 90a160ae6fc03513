"""`python -P -m mcp_servers.esa`: serve over stdio."""

import gc
import sys

gc.disable()  # the imports define about six hundred models, none of which is garbage
from mcp_servers.esa.server import main  # noqa: E402

gc.freeze()
gc.enable()

# `main` sets up logging, and the SDK would import 40 modules for a handler of its own that is then not used
sys.modules["rich.console"] = None  # type: ignore[assignment]
main()
