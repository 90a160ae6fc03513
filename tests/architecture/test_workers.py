"""What workers share loses nothing: a test that cannot be collected is told of as without them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {
    "test_good.py": "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_good(n, tmp_path, request):\n    assert request.config.workerinput\n",
    "test_skipped.py": "import pytest\n\npytest.importorskip('no_such_module')\n",
    "test_broken.py": "import no_such_module\n\n\ndef test_never(): ...\n",
}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("files", "told"),
    [(("test_good.py", "test_skipped.py"), "2 passed, 1 skipped in"), (tuple(FILES), "2 passed, 1 skipped, 1 error in")],
    ids=["shared", "collected by each"],
)
def test_what_cannot_be_collected_is_told_where_one_process_collects_for_all_workers(
    tmp_path: Path, files: tuple[str, ...], told: str
) -> None:
    for name in files:
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    options = ["-n", "2", "-p", "tests.conftest", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert told in done.stdout, done.stdout + done.stderr
