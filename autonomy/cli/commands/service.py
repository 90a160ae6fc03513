"""`jiritsu service`: installs a worker that the machine starts and restarts."""

import os
import re
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import click

from autonomy.cli.terminal import say, show

SYSTEMD = """\
[Unit]
Description=Jiritsu worker
Documentation=https://www.freedesktop.org/software/systemd/man/systemd.exec.html
After=network-online.target
Wants=network-online.target
# A worker that cannot start is tried again for as long as the machine is up: its database may come later.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart={command} worker --listen {listen}
WorkingDirectory={folder}
Environment={data}
{settings}{locale}{path}Environment=JIRITSU_LOG_FORMAT=json
EnvironmentFile=-{secrets}
# The folders named below: what is not there when it starts stays read-only, or keeps it from starting.
ExecStartPre=+{as_user}mkdir -p -m 700 {home}
ExecStartPre=-+{as_user}mkdir -p -m 700 {caches}
Restart=always
RestartSec=5
# A worker gives its calls ten seconds, and ends the servers it started itself.
TimeoutStopSec=30
KillMode=mixed
# 130 is how a worker ends that was told to stop.
SuccessExitStatus=130
{user}
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ProtectHome={protect_home}
# Servers write here, too: name the folders that yours write to in a line of the same kind (npx and uvx keep what they start in those of the second).
ReadWritePaths=-{home}
ReadWritePaths={optional_caches}
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
CapabilityBoundingSet=
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=yes
LockPersonality=yes
RestrictRealtime=yes
SystemCallArchitectures=native

[Install]
WantedBy={target}
"""

LAUNCHD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>jiritsu.worker</string>
  <key>ProgramArguments</key>
  <array>{arguments}</array>
  <key>WorkingDirectory</key><string>{folder}</string>
  <key>EnvironmentVariables</key>
  <dict><key>JIRITSU_HOME</key><string>{home}</string>{settings}{locale}<key>JIRITSU_LOG_FORMAT</key><string>json</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ExitTimeOut</key><integer>30</integer>
  <key>StandardErrorPath</key><string>{home}/worker.log</string>
</dict>
</plist>
"""

OF_A_USER = """\
# It runs as you. Without the next line systemd 252 can do nothing of what follows: it ends with 218/CAPABILITIES.
# Where a start ends with 217/USER the machine forbids user namespaces: install with --system there.
PrivateUsers=yes"""

BOOTED = Path("/run/systemd/system")
"""It is there where systemd runs the machine (sd_booted(3)); a container may have its programs alone."""

CACHES = (".npm", ".cache", ".local/share/uv")
"""Folders of a person's home in which npx and uvx keep the servers that they start."""


@click.group()
def service() -> None:
    """Install a worker as a service: systemd on Linux, launchd on macOS."""


@service.command()
@click.option("--system", is_flag=True, help="Install for the whole machine (systemd, as root) instead of for you.")
@click.option("--kind", type=click.Choice(["systemd", "launchd"]), help="The service manager. Default: what this system has.")
@click.option("--listen", default="127.0.0.1:9464", show_default=True, help="The address of /healthz, /readyz and /metrics.")
@click.option("--print", "only_print", is_flag=True, help="Show the file, and write nothing.")
@click.pass_context
def install(ctx: click.Context, system: bool, kind: str | None, listen: str, only_print: bool) -> None:
    """Write the file of a worker for this folder's settings, and say how to start it. A file that is there is left as it is."""
    from autonomy.cli.entry import settings_of
    from autonomy.cli.listen import split_address
    from autonomy.errors import ConfigError
    from autonomy.new_files import write_new_file

    config = settings_of(ctx)
    kind = kind or ("launchd" if sys.platform == "darwin" else "systemd")
    split_address("--listen", listen)
    home = config.settings.home.absolute()
    settings_file = (ctx.find_root().obj or {}).get("config") or os.environ.get("JIRITSU_CONFIG")
    settings = (
        Path(settings_file).absolute() if settings_file else None
    )  # one that was found is found there too, and waits for trust there
    file, text, then = _launchd(home, listen, settings) if kind == "launchd" else _systemd(home, listen, settings, system=system)
    if only_print:
        show(text)
        return
    make_folder(home, _owner() if system else "")
    try:
        write_new_file(file, text)
    except FileExistsError as error:
        why = "is there already: remove it first, or see it with `jiritsu service install --print`"
        raise ConfigError(file, "", why) from error
    say(f"wrote {file}")
    if kind == "systemd" and not BOOTED.is_dir():
        say(
            "! systemd does not run this machine, so nothing starts that file: `jiritsu worker` does, or a container (docs/deployment.md)"
        )
    for line in then:
        say(line)


def _systemd(home: Path, listen: str, settings: Path | None, *, system: bool) -> tuple[Path, str, list[str]]:
    """The unit's file, its text, and what to do next. Raises `ConfigError` for a path that a unit cannot hold."""
    from autonomy.errors import ConfigError

    user = _owner() if system else ""
    if system and _is_strangers(home, user):
        line = "jiritsu service install --system --print | sudo tee /etc/systemd/system/jiritsu.service"
        raise ConfigError(
            "service", "--system", f"{home} is not a folder of {user}, as whom it would run: without sudo, `{line}`"
        )
    secrets = Path("/etc/jiritsu/secrets.env") if system else home / "secrets.env"
    folder = Path("/etc/systemd/system") if system else _config_home() / "systemd" / "user"
    caches = [_quoted(str(_home_of(user) / name)) for name in CACHES]
    text = SYSTEMD.format(
        command=" ".join(_quoted(part) for part in _command()),
        listen=listen,
        folder=_escaped(str(Path.cwd())),
        data=_assigned("JIRITSU_HOME", home),
        home=_quoted(str(home)),
        settings=f"Environment={_assigned('JIRITSU_CONFIG', settings)}\n" if settings else "",
        locale=f"Environment=LANG={_locale()}\n" if _locale() else "",
        path=f"Environment={_assigned('PATH', path)}\n" if (path := _path()) else "",
        caches=" ".join(caches),
        optional_caches=" ".join(f"-{folder}" for folder in caches),
        as_user=f"runuser -u {user} -- " if user not in ("", "root") else "",
        secrets=_escaped(str(secrets)),
        user=f"User={user}" if system else OF_A_USER,
        protect_home="read-only",
        target="multi-user.target" if system else "default.target",
    )
    control = "sudo systemctl" if system else "systemctl --user"
    then = [
        f"Secrets: one NAME=value a line in {secrets}, readable by you alone (chmod 600)",
        f"{control} daemon-reload && {control} enable --now jiritsu",
        f"{'journalctl' if system else 'journalctl --user'} -u jiritsu -f",
    ]
    return (
        folder / "jiritsu.service",
        text,
        then if system else [*then, "loginctl enable-linger   # so that it runs while you are away"],
    )


def _path() -> str:
    """The PATH in force, on which this shell finds the programs of servers (npx, uvx): a service has a shorter one.

    Empty for one that a unit cannot hold.
    """
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]  # noqa: PTH117
    return os.pathsep.join(dict.fromkeys(folder for folder in folders if not re.search(r"[\s'\"\\\\$]", folder)))


def _home_of(user: str) -> Path:
    """The home of whom the service runs as; nothing named is the person at the terminal."""
    with suppress(RuntimeError):  # no list of users names him
        return Path(f"~{user}").expanduser()
    return Path.home()


def make_folder(folder: Path, user: str) -> None:
    """Make the folder and those above it; what root makes for another `user` is his, who could not write there otherwise."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if user not in ("", "root") and sys.platform != "win32" and os.geteuid() == 0:
        from pwd import getpwnam

        for one in missing:
            os.chown(one, getpwnam(user).pw_uid, getpwnam(user).pw_gid)


def _is_strangers(home: Path, user: str) -> bool:
    """Whether the data directory lies in root's home, where a service of somebody else cannot go: what sudo makes of it."""
    return user != "root" and home.is_relative_to(_home_of("root"))


def _launchd(home: Path, listen: str, settings: Path | None) -> tuple[Path, str, list[str]]:
    from xml.sax.saxutils import escape

    arguments = "".join(f"<string>{escape(part)}</string>" for part in (*_command(), "worker", "--listen", listen))
    settings_entry = f"<key>JIRITSU_CONFIG</key><string>{escape(str(settings))}</string>" if settings else ""
    language = f"<key>LANG</key><string>{_locale()}</string>" if _locale() else ""
    language += f"<key>PATH</key><string>{escape(_path())}</string>" if _path() else ""
    text = LAUNCHD.format(
        arguments=arguments, folder=escape(str(Path.cwd())), home=escape(str(home)), settings=settings_entry, locale=language
    )
    file = Path.home() / "Library" / "LaunchAgents" / "jiritsu.worker.plist"
    read_log = f"tail -f {shlex.quote(f'{home}/worker.log')}"
    return file, text, [f"launchctl bootstrap gui/$(id -u) {shlex.quote(str(file))}", read_log]


def _command() -> list[str]:
    """The program that runs now, by its whole path: a service has another PATH."""
    return [sys.executable, "-P", "-m", "autonomy.cli"]


def _owner() -> str:
    from autonomy.cli.entry import who

    return os.environ.get("SUDO_USER") or who()


def _locale() -> str:
    """The locale in force here, which says the language where no setting does: a service has none of its own."""
    from autonomy.locale_language import locale_of

    locale = locale_of(os.environ)
    return locale if re.fullmatch(r"[\w.@-]+", locale) else ""


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _assigned(name: str, value: Path | str) -> str:
    """An assignment in a unit, quoted as a whole (systemd.exec, Environment=). Raises `ConfigError`."""
    plain = _escaped(str(value))
    return f'"{name}={plain}"' if " " in plain else f"{name}={plain}"


def _quoted(text: str) -> str:
    """A word of a unit, where a blank ends one outside of quotes (systemd.syntax). Raises `ConfigError` as `_escaped` does."""
    text = _escaped(text)
    return f'"{text}"' if " " in text else text


def _escaped(text: str) -> str:
    """A value that is one path to the end of its line, in which a quote would be part of the path (`WorkingDirectory=`).

    Raises `ConfigError` for what a unit cannot hold.
    """
    from autonomy.errors import ConfigError

    if any(character in text for character in "\n\r\"'\\$"):
        raise ConfigError("service", text, "holds a character that a unit file cannot carry: move it to a plain path")
    return text.replace("%", "%%")
