"""Expands `${…}` variables of a servers file and reports undefined ones."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from discovery.text.redaction import is_secret_name

SERVICE = "jiritsu"
"""The service name of our secrets in the keyring."""
KEYRING = "keyring:"
_BRACED_START = "${"
MOST_NESTED = 50
"""Placeholders within a default: each is read anew for every one around it."""
_BARE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_ENV_PREFIXED = re.compile(r"\$env:([A-Za-z_][A-Za-z0-9_]*)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOST_FOLDERS = {".vscode", ".cursor", ".gemini", ".roo", ".kilocode", ".codex", ".copilot"}


class Expander:
    """Expands the placeholders of a servers file.

    These are `${keyring:NAME}` (the system's keyring, service `jiritsu`), `${VAR}`, `${VAR:-default}` (also if VAR is empty; may
    be nested), `${env:VAR}`, `$env:VAR`, `${input:id}`, `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${/}`
    and `${pathSeparator}`. `bare` adds `$VAR`, for Gemini's files. `$${` is a literal `${`. Names without a value are collected
    in `missing`, so that no server is started with a placeholder for a password.
    """

    def __init__(self, env: Mapping[str, str], *, source: Path | None = None, bare: bool = False) -> None:
        self._env, self._source, self._bare = env, source, bare
        self.missing: list[str] = []
        self.secrets: list[str] = []
        """The values from the keyring, and from variables with a secret's name."""

    def expand(self, text: str) -> str:
        """Fill the placeholders of a text; a name without a value becomes empty and is added to `missing`."""
        if "$" not in text:
            return text
        out, at, closings = list[str](), 0, _closing_braces(text)
        while (start := text.find(_BRACED_START, at)) >= 0:
            if start > at and text[start - 1] == "$":
                out += [self._unbraced(text[at : start - 1]), _BRACED_START]
                at = start + 2
                continue
            end = closings.get(start, -1)
            if end < 0:  # no placeholder, but one may follow inside
                out += [self._unbraced(text[at:start]), _BRACED_START]
                at = start + 2
                continue
            out += [self._unbraced(text[at:start]), self._braced(text[start + 2 : end])]
            at = end + 1
        return "".join([*out, self._unbraced(text[at:])])

    def path(self, text: str) -> Path:
        """Expand a path; a relative one refers to the workspace."""
        path = Path(os.path.expanduser(self.expand(text)))  # noqa: PTH111 - pathlib's raises for an unknown user
        return path if path.is_absolute() else self._workspace / path

    @property
    def _workspace(self) -> Path:
        """The folder of the project: that of the file, or the one above `.vscode`, `.cursor` and the like."""
        folder = self._source.parent if self._source else Path.cwd()
        return folder.parent if folder.name in _HOST_FOLDERS else folder

    def _unbraced(self, text: str) -> str:
        text = _ENV_PREFIXED.sub(lambda found: self._value(found[1], None), text)
        return _BARE.sub(lambda found: self._value(found[1], None), text) if self._bare else text

    def _braced(self, body: str) -> str:
        predefined = {
            "workspaceFolder": str(self._workspace),
            "workspaceFolderBasename": self._workspace.name,
            "userHome": self._env.get("HOME") or str(Path.home()),
            "/": os.sep,
            "pathSeparator": os.sep,
        }
        if body in predefined:
            return predefined[body]
        if body.startswith(KEYRING):
            return self._secret(body.removeprefix(KEYRING))
        name, colon, default = body.partition(":-")
        if name.startswith("env:"):
            name = name.removeprefix("env:")
        elif name.startswith("input:"):
            name = input_variable(name.removeprefix("input:"))
        if not _NAME.fullmatch(name):
            self.missing.append(f"${{{body}}}")
            return ""
        return self._value(name, default if colon else None)

    def _secret(self, name: str) -> str:
        """Return a secret from the keyring; one that does not exist is missing, like a variable without a value."""
        try:
            import keyring  # an extra, and slow to load

            found: str | None = keyring.get_password(SERVICE, name)
        except Exception as error:  # noqa: BLE001 - each backend raises errors of its own, e.g. on a machine without a keyring
            self.missing.append(f"the keyring ({name}): {_why_not(error)}")
            return ""
        if not found:
            self.missing.append(f"keyring:{name} (keyring set {SERVICE} {name})")
        return self._secret_value(found or "")

    def _value(self, name: str, default: str | None) -> str:
        if value := self._env.get(name, ""):
            return self._secret_value(value) if is_secret_name(name) else value
        if default is not None and default.count(_BRACED_START) > MOST_NESTED:
            self.missing.append(f"{name} (more than {MOST_NESTED} placeholders in one default)")
            return ""
        if default is not None:
            return self.expand(default)
        if name not in self._env:
            self.missing.append(name)
        return ""

    def _secret_value(self, value: str) -> str:
        self.secrets.append(value)
        return value


def input_variable(identifier: str) -> str:
    """Return the environment variable that replaces VS Code's `${input:identifier}`."""
    return "JIRITSU_INPUT_" + re.sub(r"[^A-Za-z0-9]", "_", identifier).upper()


_LOADER_VARIABLES = (
    "LD_", "DYLD_", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONHOME", "BASH_ENV", "BASH_FUNC_", "PERL5OPT", "RUBYOPT",
    "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND", "IFS",
)  # fmt: skip
"""Variables that load other code into a program: neither a servers file nor a file of variables has any business setting them."""


def without_loader_variables(env: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The variables that load no other code into a program, and the names of those that do."""
    dropped = [name for name in env if name.upper().startswith(_LOADER_VARIABLES)]
    return {name: value for name, value in env.items() if name not in dropped}, dropped


def read_env_file(file: Path) -> dict[str, str]:
    """Read lines `NAME=value`, also with `export` and quotes; `#` comments and other lines are skipped. Raises OSError."""
    values = {}
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not _NAME.fullmatch(name):
            continue
        quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'"
        values[name] = value[1:-1] if quoted else value.split(" #")[0].rstrip()
    return values


def _closing_braces(text: str) -> dict[int, int]:
    """Return the closing brace of each placeholder, by the place of its `${`; found in one pass, whatever is left open."""
    closings, still_open = dict[int, int](), list[int]()
    for found in _BRACES.finditer(text):
        if found[0] == _BRACED_START:
            still_open.append(found.start())
        elif still_open:
            closings[still_open.pop()] = found.start()
    return closings


_BRACES = re.compile(r"\$\{|\}")


def _why_not(error: Exception) -> str:
    """Say why the keyring cannot be read: it is not installed, or the first sentence of its error."""
    if isinstance(error, ModuleNotFoundError) and error.name == "keyring":
        return "pip install 'jiritsu[keyring]'"
    return str(error).partition(". ")[0][:200] or type(error).__name__
