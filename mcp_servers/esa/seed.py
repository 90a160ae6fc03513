"""Fills an empty local directory with posts, dated so that the newest day is yesterday."""

import re
import shutil
import tempfile
from datetime import date, timedelta
from pathlib import Path

_DAY_FOLDERS = re.compile(r"(\d{4})/(\d{2})/(\d{2})")
_DAY = re.compile(r"^((?:created|updated)_at: )(\d{4}-\d{2}-\d{2})", re.MULTILINE)


def seed_posts(source: Path, directory: Path, today: date) -> None:
    """Copy the posts of `source` to `directory` unless that has posts. Dates in front matter and in folders (YYYY/MM/DD) are
    moved. Raises ValueError if there is nothing to copy or the directory cannot be written."""
    if _holds_posts(directory):
        return
    files = sorted(file for file in source.rglob("*") if file.is_file())
    texts = {file.relative_to(source): file.read_text(encoding="utf-8") for file in files if file.suffix == ".md"}
    if not texts:
        raise ValueError(f"ESA_SEED_DIR: {source} holds no Markdown posts")
    days = [date.fromisoformat(day) for text in texts.values() for _, day in _DAY.findall(text)]
    shift = today - timedelta(days=1) - max(days) if days else timedelta()
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory.parent, prefix=f".{directory.name}-") as beside:
            _lay_out(texts, files, Path(beside) / "seed", shift)
            # moved atomically, so that a crash leaves all posts or none, and only one of several starting servers succeeds
            seed = Path(beside) / "seed"
            try:
                seed.replace(directory)
            except OSError:
                if not _holds_posts(directory):
                    raise
    except OSError as error:
        raise ValueError(f"ESA_LOCAL_DIR: {error.filename}: {error.strerror}") from error


def _holds_posts(directory: Path) -> bool:
    return next(directory.rglob("*.md"), None) is not None


def _lay_out(texts: dict[Path, str], files: list[Path], directory: Path, shift: timedelta) -> None:
    for path, text in texts.items():
        target = directory / _DAY_FOLDERS.sub(
            lambda found: _shift_day("-".join(found.groups()), shift).replace("-", "/"), path.as_posix()
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_DAY.sub(lambda found: found[1] + _shift_day(found[2], shift), text), encoding="utf-8")
    for file in files:
        if file.suffix == ".json":
            shutil.copyfile(file, directory / file.name)


def _shift_day(day: str, shift: timedelta) -> str:
    return (date.fromisoformat(day) + shift).isoformat()
