"""Recognizes the files that say what this machine runs or keep its secrets: settings, jobs, servers, shell start files, keys."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote

from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.addresses import readable
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import JsonObject, ToolSpec

_KEEPS_SECRETS = re.compile(
    r"(?<![^/\\])(?:\.(?:aws|ssh|gnupg|kube|docker|netrc|npmrc|pypirc|pgpass|my\.cnf|env(?:\.(?!example|sample|template)\w{1,20})?)|"
    r"\.config[/\\](?:gh|hub|gcloud|op|rclone|doctl)|\.(?:bash|zsh|python|psql|mysql)_history|shadow|id_(?:rsa|dsa|ecdsa|ed25519)|proc[/\\]\w{1,20}[/\\]environ|"
    r"[\w.-]{1,60}\.(?:pem|p12|pfx|kdbx|keystore)|jiritsu\.(?:db|toml)|(?:[\w.-]{0,60}[_.-])?(?:credentials|secrets)(?:\.\w{1,10})?)(?![^/\\])",
    re.IGNORECASE,
)
"""The usual names of such files and folders, which stand in no index that an honest run follows."""
_STARTS_PROGRAMS = re.compile(
    r"(?<![^/])(?:\.(?:bash|z|k|c|tc)?(?:rc|shrc)|\.(?:bash_|z|x)?(?:profile|login|logout|env|shenv)|\.bash_aliases|config\.fish|"
    r"\.xinitrc|\.xsession|\.vimrc|\.envrc|\.gitconfig|\.git/(?:config|hooks)|crontab|cron\.\w{1,8}|systemd|launchagents|launchdaemons|"
    r"etc/(?:profile|profile\.d|environment(?:\.d)?|rc\.local|rc\.d|init(?:\.d)?|inittab|pam\.d|sudoers(?:\.d)?|ld\.so\.\w{1,20}|zsh|zshenv|"
    r"zprofile|bash\.bashrc|update-motd\.d|udev|apt/apt\.conf\.d|passwd|group|fstab)|var/spool/cron|fish/conf\.d|\.pam_environment|\.inputrc|"
    r"start menu/programs/startup|(?:site|user)customize\.py|(?:site|dist)-packages/[^/]{1,99}\.pth|\.husky|\.vscode/tasks\.json|"
    r"autostart|authorized_keys|microsoft\.powershell_profile\.ps1|profile\.ps1|trusted-servers\.json|jiritsu\.mcp\.json|"
    r"\.?mcp(?:[_-](?:config|settings))?\.json|claude_desktop_config\.json|cline_mcp_settings\.json|\.claude\.json|\.codex|\.gemini)(?![^/])"
)
"""What shells, schedulers, git and the hosts of MCP servers read when they start, in lower case."""
_NOT_A_PATH = frozenset({Sink.TEXT, Sink.QUERY, Sink.COMMAND})


def keeps_secrets(path: str) -> bool:
    """Whether a path goes to what programs keep their secrets in."""
    return _KEEPS_SECRETS.search(path) is not None


def guarded_files(spec: ToolSpec, arguments: JsonObject, own: Sequence[str]) -> Iterator[str]:
    """The paths in a call of what says what this machine runs, or keeps its secrets. `own`: absolute paths of our own files."""
    for name, value in arguments.items():
        if sink_of(name, spec.parameters.get(name, {})) not in _NOT_A_PATH:
            texts = (leaf.value for leaf in leaves([value] if isinstance(value, str) else value))
            yield from (text for text in texts if isinstance(text, str) and is_guarded(text, own))


def is_guarded(path: str, own: Sequence[str]) -> bool:
    """Whether a path, or a pattern of such, goes to one of those files.

    Of a relative one nobody knows the folder: it counts where it goes on from an end of one of our own.
    """
    if len(path) > _LONGEST:
        return False
    plain = normal_path(path)
    if keeps_secrets(plain) or _STARTS_PROGRAMS.search(plain):
        return True
    return any(_leads_to(plain, normal_path(file)) for file in own)


@lru_cache(maxsize=256)  # our own files are asked for at each write
def normal_path(path: str) -> str:
    """A path as file servers read it, in lower case: some file systems tell no capitals."""
    plain = readable(unquote(path)).strip().replace("\\", "/").casefold()
    plain = re.sub(r"^file:/{0,2}(?:localhost)?(?=/)", "", plain)
    path = posixpath.normpath(_IN_HOME.sub("~", _OF_PROCESS.sub(lambda found: "" if found["what"] == "cwd" else "/", plain)))
    return re.sub("^//+", "/", path)  # POSIX lets two slashes be something else, and Linux does not


_OF_PROCESS = re.compile(
    r"^/{1,9}proc/{1,9}(?:self|thread-self|\d{1,9})/{1,9}(?:task/{1,9}\d{1,9}/{1,9})?(?P<what>cwd|root)(?:/{1,9}|$)"
)
_IN_HOME = re.compile(r"^(?:\$home|\$\{home\}|%userprofile%)(?=/|$)")


def _leads_to(path: str, file: str) -> bool:
    if path.startswith("/"):
        return path == file or path.startswith(f"{file}/")
    parts = [part for part in path.split("/") if part not in ("..", "~")]
    ends = file.split("/")
    is_file = "." in parts[-1] if parts else False  # `jobs` alone may be any folder
    return is_file and any(ends[-length:] == parts[:length] for length in range(1, len(parts) + 1))


_LONGEST = 4_096
"""Characters of a path on Linux."""
