"""Loads the files that the settings name: servers, models, policy, jobs.

Nothing is kept open here.
"""

import glob
import os
import re
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from autonomy.errors import ConfigError
from autonomy.jobs.job_folders import BUILT_IN, own_folders
from autonomy.llm.model import ModelOptions
from autonomy.llm.vendor_list import address_in, key_variable, needs_key
from autonomy.policy.operator_rules import PolicyRule
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.settings import OWN_SERVERS, Config, Settings, parse_settings, read_small_file
from autonomy.settings_trust import SettingsTrust, shown_lines
from discovery.catalog import JsonObject
from discovery.discovery_errors import ServersFileError
from discovery.durable_files import replace_file
from discovery.servers.editing import put_key
from discovery.servers.hosts import host_of, parse
from discovery.servers.server_config import ServerConfig
from discovery.servers.servers_file import Servers, load_servers
from discovery.servers.trust import FILE as TRUSTED
from discovery.servers.trust import TrustStore
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from autonomy.policy.policy import Policy

SAMPLE = BUILT_IN / "diary"
"""The sample workspace: what runs when no servers file is there."""


def sample_folder(settings: Settings) -> Path:
    """The sample workspace in the language of the settings."""
    return SAMPLE if settings.language == "ja" else BUILT_IN / settings.language / "diary"


def on_sample(settings: Settings) -> bool:
    """Whether the servers in force are the sample's."""
    return servers_file(settings).is_relative_to(BUILT_IN)


def read_servers(settings: Settings) -> Servers:
    """The servers file in force; none where tools are switched off."""
    if not settings.mcp_enabled:
        return Servers()
    return servers_of(settings, servers_file(settings))


def servers_of(settings: Settings, file: Path) -> Servers:
    """The servers of a file. One that merely lies in the working directory, or that only a file found in a folder names, may
    have come with somebody's project: each of its servers needs trust."""
    trusted = TrustStore(settings.home / TRUSTED).approvals()
    lies_here = settings.servers is None and file.parent == Path.cwd() and file.parent != settings.home
    found = not settings.sample_only and (lies_here or (settings.servers_found and file == settings.servers))
    return load_servers(file, env=server_environment(settings), trusted=trusted, found=found)


def trust_all(settings: Settings, file: Path) -> None:
    """Approve every server of a file as it stands."""
    store = TrustStore(settings.home / TRUSTED)
    for server in servers_of(settings, file.absolute()).servers:
        store.trust(server, at=time.time())


def trust_settings(config: Config, file: Path) -> None:
    """Approve a settings file as it stands. Raises `ConfigError` and `OSError`."""
    data = read_small_file(file)
    lines = shown_lines(parse_settings(file, data))
    SettingsTrust(config.trust_file).trust(file, data, lines, at=time.time())


def servers_file(settings: Settings) -> Path:
    """The servers file in force. Raises `ConfigError` when the one that was named is not there."""
    sample = sample_folder(settings) / "servers.json"
    if settings.sample_only:
        return sample
    if settings.servers is not None:
        if not settings.servers.is_file():
            raise ConfigError(settings.servers, "", "there is no such servers file")
        return settings.servers
    own = [folder / OWN_SERVERS for folder in (Path.cwd(), settings.home)]
    return next((file for file in own if os.path.lexists(file)), sample)


def own_servers_file(settings: Settings) -> Path:
    """The file of ours that is in force, else a new one here. Raises `ConfigError` for another host's, which is never written."""
    file = servers_file(settings)
    if on_sample(settings):
        return Path.cwd() / OWN_SERVERS
    if (host := host_of(file, parse(file))) != "jiritsu":
        raise ConfigError(file, "", f"belongs to {host}; make your own with `jiritsu init` and `jiritsu servers import {file}`")
    return file


def switch_server(settings: Settings, name: str, turn: str, shown: str) -> None:
    """`trust`, `revoke`, `enable` or `disable` a server, as the commands of these names do.

    `shown`: which version of its entry (`ServerConfig.approval`) the person was shown who trusts it. Raises `ConfigError`, also
    where the entry is another by now.
    """
    with _as_config_error(name):
        server = _entry(settings, name)
        trusted = TrustStore(settings.home / TRUSTED)
        if turn == "trust" and server.approval != shown:
            raise ConfigError("servers", name, "its entry is another than the one that was shown: look again")
        if turn == "trust":
            trusted.trust(server, at=time.time())
        elif turn == "revoke":
            trusted.revoke(name)
        else:
            put_key(own_servers_file(settings), name, "disabled", True if turn == "disable" else None)


def set_effect(settings: Settings, name: str, tool: str, effect: str) -> None:
    """Say what a tool does, above what its server says; `tool` is the server's own name of it. Raises `ConfigError`."""
    with _as_config_error(name):
        effects = _entry(settings, name).effects
        known = {pattern: one.model_dump(mode="json", exclude_none=True) for pattern, one in effects.items()}
        entry = {**known.pop(tool, {}), "effect": effect}
        _put_key(settings, name, "effects", {tool: entry, **known})  # the first glob that fits counts


def switch_tool(settings: Settings, name: str, tool: str, *, on: bool) -> None:
    """Keep one tool of a server, by its own name, out of the catalog, or let it in again. Raises `ConfigError`."""
    with _as_config_error(name):
        own = glob.escape(tool)
        others = [pattern for pattern in _entry(settings, name).exclude if pattern not in (tool, own)]
        if on and (covering := [pattern for pattern in others if fnmatchcase(tool, pattern)]):
            raise ConfigError(
                "servers", f"{name}.exclude", f"keeps {tool} out by {covering[0]!r}, which covers others too: change it there"
            )
        _put_key(settings, name, "exclude", (others if on else [*others, own]) or None)


def _put_key(settings: Settings, name: str, key: str, value: object) -> None:
    with trust_kept(settings, name):
        put_key(own_servers_file(settings), name, key, value)


@contextmanager
def trust_kept(settings: Settings, name: str) -> Iterator[None]:
    """A change of an entry by the operator, after which a server that was trusted still is. Raises `ConfigError`."""
    was_trusted = _entry(settings, name).trusted
    yield
    if was_trusted and not (changed := _entry(settings, name)).trusted:
        TrustStore(settings.home / TRUSTED).trust(changed, at=time.time())


def server_entries(settings: Settings) -> Mapping[str, ServerConfig]:
    """The entries of the servers file. Raises `ConfigError`."""
    with _as_config_error():
        return {server.name: server for server in servers_of(settings, servers_file(settings)).servers}


def server_entry_now(settings: Settings, name: str) -> ServerConfig | None:
    """The current entry of a server in the servers file, and whether it is trusted; None if unreadable."""
    try:
        return server_entries(settings).get(name)
    except ConfigError:
        return None


def _entry(settings: Settings, name: str) -> ServerConfig:
    found = servers_of(settings, servers_file(settings))
    server = found.get(name)
    if server is None:
        raise ConfigError("servers", name, f"there is no such server{did_you_mean(name, (one.name for one in found.servers))}")
    return server


@contextmanager
def _as_config_error(name: str = "") -> Iterator[None]:
    try:
        yield
    except (ServersFileError, OSError) as error:
        raise ConfigError("servers", name, str(error)) from error


def server_logs(settings: Settings) -> Path:
    """The log files of the servers."""
    return settings.home / "logs" / "servers"


def server_environment(settings: Settings) -> Mapping[str, str]:
    """The variables that a servers file may refer to: the environment's, where we and our samples are, time zone and language."""
    own = {
        "JIRITSU_HOME": str(settings.home),
        "JIRITSU_LANGUAGE": settings.language,
        "JIRITSU_PYTHON": sys.executable,
        "JIRITSU_SAMPLE": str(sample_folder(settings) / "sample"),
        "JIRITSU_TIMEZONE": settings.timezone,
    }
    return {**os.environ, **own}


def model_options(settings: Settings, name: str) -> ModelOptions:
    """The options of one model: its vendor's, and its own above them.

    Key and address come from the usual variables when none is given: `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`, …
    """
    vendor = name.partition(":")[0]
    options = {**settings.models.get(vendor, {}), **settings.models.get(name, {})}
    variable = key_variable(vendor)
    options.setdefault("api_key", os.environ.get(variable, ""))
    options.setdefault("base_url", address_in(vendor, os.environ))
    if needs_key(vendor) and not options["api_key"] and not options.get("base_url"):
        raise ConfigError("environment", variable, f"is not set, and {name} needs it")
    try:
        return ModelOptions.model_validate(options)
    except ValidationError as error:
        raise ConfigError.of("settings", error, "models", name, model=ModelOptions) from error


def check_models(config: Config) -> None:
    """Whether the options of every model can be read. Raises `ConfigError` naming where they stand, the key and the value."""
    if not config.settings.models:
        return
    from autonomy.llm.model_registry import known_vendors  # here: most settings files have no such table

    for name, options in config.settings.models.items():
        if (vendor := name.partition(":")[0]) not in known_vendors():
            why = f"{vendor!r} is no known vendor{did_you_mean(vendor, known_vendors())}"
            raise ConfigError(config.origins["models"], f"models.{name}", why)
        try:
            ModelOptions.model_validate(options)
        except ValidationError as error:
            raise ConfigError.of(config.origins["models"], error, "models", name, model=ModelOptions) from error


def quiet_hours(config: Config) -> QuietHours | None:
    """The installation's quiet hours, if there are any. Raises `ConfigError` naming where they stand, the key and the value."""
    text = config.settings.quiet_hours
    try:
        return QuietHours.model_validate({"timezone": config.settings.timezone, **text}) if text else None
    except ValidationError as error:
        raise ConfigError.of(config.origins["quiet_hours"], error, "quiet_hours", model=QuietHours) from error


def read_policy(settings: Settings, *, origin: str) -> "Policy":
    """The operator's rules. Raises `ConfigError` naming the file they came from, the rule and the key."""
    from autonomy.policy.policy import Policy  # nineteen modules that only a call needs

    rules = []
    for number, table in enumerate(settings.policy, 1):
        try:
            rules.append(PolicyRule.model_validate({"name": f"rule {number}", **table}))
        except ValidationError as error:
            raise ConfigError.of(origin, error, "policy", number, model=PolicyRule) from error
    return Policy(rules=tuple(rules), free_writes=settings.writes)


def own_files(config: Config) -> tuple[str, ...]:
    """What says how Jiritsu runs here, as absolute paths: a tool that writes there could give itself any right."""
    settings, here = config.settings, Path.cwd()
    found = [
        *config.files,
        config.trust_file,
        settings.home,
        *own_folders(settings),
        here / OWN_SERVERS,
        settings.home / OWN_SERVERS,
    ]
    found += [file for file in (settings.servers, settings.audit_anchors) if file is not None]
    return tuple(dict.fromkeys(form.as_posix() for file in found for form in (file.absolute(), file.resolve())))


def file_of_rules(config: Config) -> Path:
    """The settings file whose `[[policy]]` are in force; the operator's own where there are none."""
    return next((file for file in config.files if str(file) == config.origins["policy"]), config.files[0])


def add_rule(config: Config, rule: str) -> None:
    """Put a rule, as TOML, behind the others. Raises `OSError`, and `ConfigError` where the rules stand in another form."""
    file = file_of_rules(config)
    text = _text_of(file)
    parse_settings(file, (changed := f"{text.rstrip()}\n\n{rule}\n".lstrip()).encode())
    _change(config, file, changed)


def rules_in(file: Path) -> tuple[str, ...]:
    """The `[[policy]]` tables of a settings file as they stand there, in order, which is that of the rules."""
    text = _text_of(file)
    return tuple(text[begin:end].strip() for begin, end in _places_of_rules(text))


def remove_rule(config: Config, number: int) -> None:
    """Take the rule of this number (from 1) out of its file, and nothing else. Raises `OSError`, and `ConfigError` where that
    cannot be done safely: the file is as before then."""
    file = file_of_rules(config)
    text = _text_of(file)
    begin, end = _places_of_rules(text)[number - 1]
    changed = f"{text[:begin].rstrip()}\n\n{text[end:].lstrip()}".strip() + "\n"
    if not _is_without(number, tomllib.loads(text), changed):
        raise ConfigError(str(file), "policy", f"rule {number} cannot be told from what is around it; take it out by hand")
    _change(config, file, changed)


def _is_without(number: int, before: JsonObject, changed: str) -> bool:
    """Whether a changed settings file says what it said before, but for one rule."""
    try:
        after = tomllib.loads(changed)
    except tomllib.TOMLDecodeError:
        return False
    rules = before.get("policy", [])
    return {"policy": [], **after} == {**before, "policy": rules[: number - 1] + rules[number:]}


def _places_of_rules(text: str) -> list[tuple[int, int]]:
    """Where each `[[policy]]` table begins and ends; blank lines and comments at its end speak of the next one."""
    places, begins, ends, at = list[tuple[int, int]](), -1, 0, 0
    for line in text.splitlines(keepends=True):
        head = line.strip()
        if head.startswith("["):
            places += [(begins, ends)] if begins >= 0 else []
            begins = at if _RULE.match(head) else -1
        at += len(line)
        if head and not head.startswith("#"):
            ends = at
    return [*places, (begins, len(text))] if begins >= 0 else places


_RULE = re.compile(r"\[\[\s*policy\s*\]\]")


def _text_of(file: Path) -> str:
    """Read a settings file, without the byte order mark that some editors of Windows put before it."""
    return read_small_file(file).decode("utf-8-sig") if file.is_file() else ""


def _change(config: Config, file: Path, after: str) -> None:
    """Write a settings file anew; it stays as trusted as it was."""
    trusted = file.is_file() and SettingsTrust(config.trust_file).holds(file, read_small_file(file))
    replace_file(file, after)
    if trusted:
        trust_settings(config, file)
