"""One of our own servers over HTTP, with its local data: `python -m tests.conformance.house_server NAME PORT DIRECTORY`."""

import importlib
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn

SAMPLE = Path(__file__).parents[2] / "autonomy/jobs/diary/sample"
NAMES = ("weather", "slack", "esa", "common")


def build(name: str, directory: str) -> Any:
    """The server object, reading from the sample workspace and writing into the directory."""
    module = importlib.import_module(f"mcp_servers.{name}.server")
    if name == "weather":
        source = module.source_from({"JIRITSU_WEATHER_DATA": "sample"}, lambda: datetime.now(UTC))
        return module.create_server(source, now=lambda: datetime.now(UTC))
    environments = {
        "slack": {"SLACK_EXPORT_DIR": f"{SAMPLE}/slack", "SLACK_OUTBOX": f"{directory}/slack.jsonl"},
        "esa": {"ESA_LOCAL_DIR": f"{directory}/esa", "ESA_SEED_DIR": f"{SAMPLE}/esa"},
        "common": {"JIRITSU_COMMON_DIR": f"{directory}/common"},
    }
    return module.server_from_environment(environments[name])


if __name__ == "__main__":
    app = build(sys.argv[1], sys.argv[3]).streamable_http_app()
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
