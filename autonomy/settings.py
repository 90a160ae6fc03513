"""The operator's settings, read once from `jiritsu.toml` and the environment.

A value comes from the command line, else the environment (`JIRITSU_…`), else `jiritsu.toml` here or above, else the user's own
`jiritsu.toml`, else its default; `origins` remembers which. No room reads the environment by itself. A file
found in a folder waits for trust (`settings_trust`).
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, available_timezones

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from autonomy.errors import ConfigError
from autonomy.locale_language import language_of, machine_timezone
from autonomy.settings_trust import FILE as TRUSTED
from autonomy.settings_trust import HeldSettings, SettingsTrust, split_by_trust
from discovery.catalog import Frozen, JsonObject
from discovery.text.data_files import parse_toml
from discovery.text.near_names import did_you_mean

FILE = "jiritsu.toml"
OLD_FILE = "config.toml"
"""What the user's own file was called before; it is still read, with a notice."""
OWN_SERVERS = "jiritsu.mcp.json"
"""Our servers file, in the folder where a command runs or in the data directory."""
MOST_BYTES = 1 << 20
"""The largest settings file that is read: a hundred times the longest that somebody wrote by hand."""
FROM_LOCALE = " (auto)"
"""Ends the origin of a language that the locale decided."""

FROM_MACHINE = " (machine)"
"""Ends the origin of a time zone that the machine decided."""

OTHER_VARIABLES = {
    "JIRITSU_HOME": "the data directory",
    "JIRITSU_CONFIG": "the settings file, in place of the one that is found",
    "JIRITSU_WARM": "`0`: run each command in its own process; `1`: wait for a warm process that is busy",
    "JIRITSU_WEB_PASSWORD": "the password of the console's operators (`password` of `[web]`)",
    "JIRITSU_HR_TOKEN": "the token by which `jiritsu mcp hr --http` knows its clients",
    "JIRITSU_GENAI_SEMCONV": "`latest`: count tokens under the newest names of OpenTelemetry's conventions, too",
    "JIRITSU_PYTHON": "set for the servers file: the Python that runs Jiritsu",
    "JIRITSU_SAMPLE": "set for the servers file: the folder of the sample workspace",
    "JIRITSU_MCP_SERVER": "set for each server that is started: the mark by which its processes are found and ended",
    "JIRITSU_COMMON_DIR": "read by `mcp_servers.common`: the folder of its outbox and its ledger",
    "JIRITSU_WEATHER_DATA": "read by `mcp_servers.weather`: `sample`, or a folder of recorded forecasts",
    "JIRITSU_WEATHER_LOCATION": "read by `mcp_servers.weather`: the place that is meant where none is named",
}
"""Variables of ours that are no settings, each with what it is for: docs/reference.md lists them."""


DECIDES: Literal["decides"] = "decides"


def _in_one_sentence(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValueError as error:  # of a union pydantic tells what is wrong with each branch
        raise ValueError(f'must be true, false or "{DECIDES}", not {value!r}') from error


SecondOpinion = Annotated[bool | Literal["decides"], WrapValidator(_in_one_sentence)]
"""Whether a model reads each finished answer: not at all, to reject it (`true`), or to settle doubts, too (`"decides"`)."""


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        near = _zone_meant(name) or did_you_mean(name, available_timezones(), most=2)
        raise ValueError(f"{name!r} is no time zone{near or ': write a region and a city, such as Asia/Tokyo'}") from error
    return name


_OF_ABBREVIATIONS = {
    "AEDT": "Australia/Sydney", "AEST": "Australia/Sydney", "BST": "Europe/London", "CDT": "America/Chicago",
    "CEST": "Europe/Berlin", "CST": "America/Chicago", "EDT": "America/New_York", "HKT": "Asia/Hong_Kong",
    "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "MDT": "America/Denver", "NZDT": "Pacific/Auckland",
    "NZST": "Pacific/Auckland", "PDT": "America/Los_Angeles", "PST": "America/Los_Angeles", "SGT": "Asia/Singapore",
}  # fmt: skip
"""Abbreviations that people write and IANA does not know, each with the best known of its zones."""

_OFFSET = re.compile(r"(?:UTC|GMT)\s*([+-])\s*(\d{1,2})(?::?00)?", re.IGNORECASE)


def _zone_meant(name: str) -> str:
    """What IANA calls a zone that is written as an abbreviation or an offset; its own names of offsets have the sign reversed."""
    if zone := _OF_ABBREVIATIONS.get(name.upper()):
        return f"; did you mean {zone}?"
    if offset := _OFFSET.fullmatch(name):
        return f"; did you mean Etc/GMT{'-' if offset[1] == '+' else '+'}{int(offset[2])}?"
    return ""


Table = TypeVar("Table", bound=BaseModel)
TimeZone = Annotated[str, AfterValidator(_known_zone)]
"""The name of a time zone, such as `Asia/Tokyo` (IANA)."""


class Settings(Frozen):
    """The operator's settings. Each field is a key of `jiritsu.toml`, and `JIRITSU_<KEY>` in the environment."""

    home: Path = Path()
    """The data directory: database, outbox, artefacts."""
    database_url: SecretStr = SecretStr("")
    """`sqlite:///…` or `postgresql://…`; empty is a file in `home`."""
    servers: Path | None = None
    """The servers file; none given takes `jiritsu.mcp.json` here, in `home`, else the built-in sample workspace."""
    jobs: Path | None = None
    """A folder of job files, beside the built-in ones."""
    model: tuple[str, ...] = Field(("planner:offline",), min_length=1)
    """The model, and those to fall back to: `vendor:model-id`, …"""
    models: dict[str, JsonObject] = Field(default_factory=dict)
    """Options by model or vendor: `[models.openai]`, `[models."openai:gpt-6.1-sol"]`."""
    language: Literal["ja", "en"] = "ja"
    """Of answers, posts, reports, hints and the sample; `auto` in the file takes the locale's, Japanese where it says nothing."""
    timezone: TimeZone = "Asia/Tokyo"
    """Of `today`, of what is shown, of schedules; none given takes the machine's, Tokyo where that is UTC or unknown."""
    tenant: str = "default"
    """Whose runs, secrets and costs these are, where several share a database."""
    location: str = "東京"
    """Where "here" is, for questions that do not say; in English "Tokyo" unless it is set."""
    sample_only: bool = False
    """Whether the built-in sample workspace and jobs are used, whatever servers and jobs there are (`--sample`)."""
    sample_company: bool = False
    """Whether the sample has the made-up company of the HR tools, too; of this machine's own companies it never has one."""
    writes: Literal["allow", "ask", "deny"] = "ask"
    """Writes of a goal that no job declares."""
    second_opinion: SecondOpinion = False
    """Whether a model reads each finished answer too, and excuses nothing; `"decides"` settles also what only the built-in checks
    of texts doubt. A job may say otherwise."""
    judge_model: tuple[str, ...] = ()
    """The model that gives second opinions, and those to fall back to; none named, the run's own gives them."""
    policy: tuple[JsonObject, ...] = ()
    """Rules: `[[policy]]` tables (see docs/recipes.md)."""
    limits: JsonObject = Field(default_factory=dict)
    """Defaults for every run: `[limits]`, see `run_state.limits.Limits`."""
    slack: JsonObject = Field(default_factory=dict)
    """Who may ask and approve in Slack: `[slack]`, see `chat.slack.authorization.SlackSettings`."""
    alerts: JsonObject = Field(default_factory=dict)
    """Where people are told of a schedule that paused itself: `[alerts]`, see `notifications.schedule_alerts.AlertSettings`."""
    quiet_hours: JsonObject = Field(default_factory=dict)
    """When nobody is asked or told of what he did not ask for: `[quiet_hours]`, see `run_state.quiet_hours.QuietHours`."""
    report: JsonObject = Field(default_factory=dict)
    """Where and when the report is posted: `[report]`, see `notifications.scheduled_report.ReportSettings`."""
    workers: JsonObject = Field(default_factory=dict)
    """How many runs go on at once and how fast they start: `[workers]`, see `durable.engine.ConcurrencyLimits`."""
    web: JsonObject = Field(default_factory=dict)
    """Where the console listens and who may come in: `[web]`, see `web.web_settings.WebSettings`."""
    gateway: JsonObject = Field(default_factory=dict)
    """Who may stand in front of `jiritsu gateway`: `[gateway]`, see `mcp_gateway.clients.profiles.GatewayClients`."""
    keep: JsonObject = Field(default_factory=dict)
    """For how many days runs and the journal are kept: `[keep]`, see `durable.retention.KeepSettings`."""
    warm: JsonObject = Field(default_factory=dict)
    """How long the warm process stays, and how many spares it keeps: `[warm]`, see `warm.warm_settings.WarmSettings`."""
    key: SecretStr = SecretStr("")
    """Secret that encrypts credentials at rest and seals the journal; several, comma-separated, to rotate."""
    audit_anchors: Path | None = None
    """A file outside of the database to which the end of the log is noted when a run ends, so that an end that was cut off is
    found; none given is one beside the database's file, or in `home`."""
    hold_changed: bool = False
    """Whether a tool whose definition changed waits for `jiritsu servers approve`; else a harmless change passes."""
    tools: JsonObject = Field(default_factory=dict)
    """How many tools a model is shown: `[tools]`, see `discovery.search.offering.OfferLimits`."""
    mcp_enabled: bool = True
    """False gives plain conversation without tools (`MCP_ENABLED`)."""
    log_format: Literal["text", "json"] = "text"
    """The form of the log on stderr: lines for people, or JSON objects with the time and the run for a collector."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """The least severe messages that are logged."""

    _servers_found: bool = PrivateAttr(default=False)

    @property
    def servers_found(self) -> bool:
        """Whether a file that was found in a folder names the servers file: each of its servers then needs trust of its own."""
        return self._servers_found

    @property
    def keys(self) -> tuple[str, ...]:
        """The secrets of `key`, the first in force."""
        return tuple(part.strip() for part in self.key.get_secret_value().split(",") if part.strip())

    def now(self) -> datetime:
        """The present moment in the operator's time zone."""
        return datetime.now(ZoneInfo(self.timezone))


@dataclass(frozen=True)
class Config:
    """Settings, and where each came from."""

    settings: Settings
    origins: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    """What is to be said of variables and files that nobody reads: each may be a misspelt setting."""
    files: tuple[Path, ...] = ()
    """Where settings files are looked for, the weakest first."""
    held: HeldSettings | None = None
    """What of the file that was found waits for trust."""
    trust_file: Path = Path(TRUSTED)
    """Where it is kept which settings files are trusted: in the operator's own data directory."""

    def table(self, key: str, model: type[Table], **more: Any) -> Table:
        """A table of the settings, and `more` that stands elsewhere, read as its model. Raises `ConfigError` naming where it
        stands, the key and the value."""
        try:
            return model.model_validate({**getattr(self.settings, key), **more})
        except ValidationError as error:
            raise ConfigError.of(self.origins[key], error, key, model=model) from error

    @property
    def names_language(self) -> bool:
        """Whether a setting names the language; else it is the locale's."""
        return not self.origins["language"].endswith(FROM_LOCALE)

    @property
    def names_timezone(self) -> bool:
        """Whether somebody named the time zone; else it is the machine's, or none is known."""
        return self.origins["timezone"].removesuffix(FROM_MACHINE) != "default"

    @property
    def database_url(self) -> str:
        """The URL in force."""
        url = self.settings.database_url.get_secret_value()
        return url or f"sqlite:///{self.settings.home / 'jiritsu.db'}"


def load(flags: Mapping[str, Any] | None = None, env: Mapping[str, str] = os.environ, cwd: Path | None = None) -> Config:
    """Read the settings in force. Raises `ConfigError` naming file, key and value."""
    flag_values = {name: value for name, value in (flags or {}).items() if value is not None}
    named_file = flag_values.pop("config", None) or env.get("JIRITSU_CONFIG")
    values: dict[str, Any] = {"home": _home(env)}
    origins = dict.fromkeys(Settings.model_fields, "default")
    origins["home"] = "JIRITSU_HOME" if env.get("JIRITSU_HOME") else "default"
    own, near = _places(flag_values.get("home") or env.get("JIRITSU_HOME"), cwd or _working_directory(), named_file)
    if os.path.lexists(own):
        _take(values, origins, parse_settings(own, read_small_file(own)), str(own))
    home, untrusted, theirs = Path(str(flag_values.get("home") or values["home"])), None, True
    trust_file = home / TRUSTED
    if os.path.lexists(near) and os.path.realpath(near) != os.path.realpath(own):  # of a link to itself as well
        theirs = bool(named_file) or near.parent.resolve() == home.resolve()
        untrusted = _take_found(values, origins, near, None if theirs else SettingsTrust(trust_file))
    _take(values, origins, _from_env(env), "environment")
    _take(values, origins, flag_values, "command line")
    _choose_language(values, origins, env)
    if "timezone" not in values and (zone := machine_timezone(env)):
        values["timezone"], origins["timezone"] = zone, origins["timezone"] + FROM_MACHINE
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigError.of(origins.get(str(error.errors()[0]["loc"][0]), "settings"), error, model=Settings) from error
    settings._servers_found = not theirs and origins["servers"] == str(near)
    places = tuple(dict.fromkeys((own, near)))
    return Config(settings, origins, (*_ignored(env), *_not_in_force(places, settings)), places, untrusted, trust_file)


def _take_found(values: dict[str, Any], origins: dict[str, str], file: Path, trust: SettingsTrust | None) -> HeldSettings | None:
    """Take what a file says, or as long as it is not trusted what is harmless in it; gives what waits. No `trust`: it is the
    operator's own."""
    data = read_small_file(file)  # once: what was checked is what is used
    document = parse_settings(file, data)
    if trust is None or trust.holds(file, data):
        _take(values, origins, document, str(file))
        return None
    _take({}, {}, document, str(file))  # a misspelt key is told of whether it waits or not
    harmless, waits = split_by_trust(document, values)
    _take(values, origins, harmless, str(file))
    return HeldSettings(file, waits, changed=trust.known(file) is not None) if waits else None


def _choose_language(values: dict[str, Any], origins: dict[str, str], env: Mapping[str, str]) -> None:
    """Put the locale's language in the place of `auto`, and the place that goes with the language where none is set."""
    if values.get("language", "auto") == "auto":
        values["language"] = language_of(env)
        origins["language"] += FROM_LOCALE
    if values["language"] == "en":
        values.setdefault("location", "Tokyo")


def _home(env: Mapping[str, str]) -> Path:
    return Path(env.get("JIRITSU_HOME") or platformdirs.user_data_path("jiritsu"))


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise ConfigError("the working directory", "", f"is not there any more: {error.strerror}") from error


def _places(home: str | None, cwd: Path, named_file: str | None) -> tuple[Path, Path]:
    """Where settings files may stand: the user's own, and the one that was named, else the nearest here or above."""
    own = Path(home or platformdirs.user_config_path("jiritsu"))
    user_file = own / OLD_FILE if (own / OLD_FILE).is_file() and not os.path.lexists(own / FILE) else own / FILE
    if named_file and not Path(named_file).is_file():
        raise ConfigError(named_file, "", "there is no such settings file")
    nearest = next((folder / FILE for folder in (cwd, *cwd.parents) if os.path.lexists(folder / FILE)), cwd / FILE)
    return user_file.absolute(), Path(named_file or nearest).absolute()


def _not_in_force(places: Sequence[Path], settings: Settings) -> Iterator[str]:
    """What is to be said of files that are read under an old name, or not at all."""
    for file in places:
        if file.name == OLD_FILE:
            yield f"{file} is read for now: rename it to {FILE}"
        elif (old := file.with_name(OLD_FILE)).is_file() and file == places[0] and file.is_file():
            yield f"{old} is ignored: {file} stands beside it"
    beside = (settings.home / FILE).absolute()
    if beside not in places and beside.is_file():
        yield f"{beside} is ignored: settings are read from {' and '.join(map(str, places))}"


def read_small_file(file: Path) -> bytes:
    """The content of a file that somebody wrote by hand. Raises `ConfigError`, for what is no file or too large as well."""
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ConfigError(file, "", "cannot be read: it is no regular file")  # a pipe would be waited for without end
        if found.st_size > MOST_BYTES:
            raise ConfigError(file, "", f"is {found.st_size:,} bytes large; at most {MOST_BYTES:,} are read")
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(file, "", f"cannot be read: {error.strerror or error}") from error


def parse_settings(file: Path, data: bytes) -> dict[str, Any]:
    """Parse the content of a settings file. Raises `ConfigError` naming the file."""
    try:
        return parse_toml(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise ConfigError(file, "", "is not text in UTF-8: save it in that encoding") from error
    except (ValueError, RecursionError) as error:  # beside what is no TOML: a number of 5,000 digits, a thousand brackets
        raise ConfigError(file, "", f"is not TOML: {str(error)[:200]}{_line_of(str(error), data)}") from error


def _line_of(problem: str, data: bytes) -> str:
    """The line that a parser's problem speaks of, with the quotes that a text on it lacks."""
    found = re.search(r"at line (\d+)", problem)
    lines = data.decode("utf-8-sig").splitlines()
    if found is None or not 1 <= int(found[1]) <= len(lines):
        return ""
    line = lines[int(found[1]) - 1].strip()
    bare = re.fullmatch(r"([\w.-]+) *= *([^\W\d][\w./:-]*)", line)
    return f": {line[:100]}" + (f'; text stands in quotes: {bare[1]} = "{bare[2]}"' if bare else "")


_MODELS = frozenset({"model", "judge_model"})
"""Settings that are one name, or several of which each stands in for the one before it."""


def _take(values: dict[str, Any], origins: dict[str, str], found: Mapping[str, Any], origin: str) -> None:
    for key, value in found.items():
        if key not in Settings.model_fields:
            raise ConfigError(origin, key, f"there is no such setting{did_you_mean(key, Settings.model_fields)}")
        values[key] = [value] if key in _MODELS and isinstance(value, str) else value
        origins[key] = origin


def plain_variables() -> dict[str, str]:
    """`JIRITSU_<KEY>` → key, for the settings that are plain values."""
    tables = "home models policy limits workers keep alerts report slack web gateway tools quiet_hours warm"
    return {"JIRITSU_" + key.upper(): key for key in Settings.model_fields if key not in tables.split()}


def _ignored(env: Mapping[str, str]) -> Iterator[str]:
    """What is to be said of variables that look like settings and are none."""
    known = [*plain_variables(), *OTHER_VARIABLES]
    for name in sorted(env):
        if not name.startswith("JIRITSU_") or name.startswith("JIRITSU_INPUT_") or name in known:
            continue
        if name.removeprefix("JIRITSU_").lower() in Settings.model_fields:
            yield f"{name} is ignored: {name.removeprefix('JIRITSU_').lower()} is a table, which only {FILE} can hold"
            continue
        yield f"{name} is ignored: there is no such setting{did_you_mean(name, known)}"


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    """`JIRITSU_<KEY>` for the settings that are plain values; lists are comma-separated."""
    found: dict[str, Any] = {key: env[name] for name, key in plain_variables().items() if env.get(name)}
    for key in _MODELS & found.keys():
        found[key] = [part.strip() for part in found[key].split(",") if part.strip()]
    if env.get("MCP_ENABLED"):
        found["mcp_enabled"] = env["MCP_ENABLED"]
    return found
