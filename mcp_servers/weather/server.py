"""Start the weather server as a plain file: `python server.py`, from any directory and wherever the folder was moved.

The tool itself is in `tools.py`. A file started by its path belongs to no package, so the folder is made one first, under
a name that no installed package has and without touching `sys.path`.
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType

if __name__ == "__main__":
    package = ModuleType("jiritsu_weather")
    package.__path__ = [str(Path(__file__).resolve().parent)]
    sys.modules[package.__name__] = package
    importlib.import_module("jiritsu_weather.tools").main()
