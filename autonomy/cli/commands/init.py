"""`jiritsu init`: asks at most five questions, writes the settings, and runs a first goal."""

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from autonomy.cli.terminal import readable_answer, say, says_yes
from autonomy.cli.words.terminal_words import set_terminal_language, terminal_language, translate
from discovery.catalog import Frozen
from metrics.text.word_files import Words, in_language, read_words

if TYPE_CHECKING:
    from autonomy.settings import Config

SETTINGS = """\
# Settings of Jiritsu. Every key may also be given as JIRITSU_<KEY> in the environment, which stands above this file.

%(answers)s# The language model, and those to fall back to. Without one the built-in offline planner works: no key, no network.
# model = ["openai:gpt-6.1-sol", "anthropic:claude-sonnet-5-5"]      # keys: OPENAI_API_KEY, ANTHROPIC_API_KEY
# model = ["lmstudio:qwen3-8b"]                                       # a server on this machine

# [models.lmstudio]
# base_url = "http://127.0.0.1:1234/v1"

%(timezone)s
%(language)s# location = "%(place)s"

# Writes that no job declares: allow, ask or deny.
# writes = "ask"

# Whether the model reads each finished answer once more (one more call a run, or two): true may only reject, "decides" also
# settles what the built-in checks of texts doubt. Rules that a job declares and receipts stand above it.
%(second_opinion)s

# [limits]                  # of every run; a job's own stand above them
# turns = 10
# wall_s = 300
# usd = 0.5

# [alerts]                  # where people are told that a schedule paused itself after repeated failures
# channel = "#ops"

%(tools)s                   # how many tools a model is shown at the outset
# share = 0.1               # of its context
# most_tokens = 20000
# Whether the model first cuts a free goal into steps, by which tools are chosen where not all fit (one short call more).
%(steps)s

# [keep]                    # days until what a run did is deleted; 0 keeps it for ever
# runs_days = 90
# log_days = 0

# [[policy]]                # a rule of your own; the first that fits decides, a denial before anything else
# name = "nothing is deleted"
# effects = ["destructive"]
# decision = "deny"
"""

LANGUAGE_LINE = '# language = "auto"          # ja or en; auto takes the language of the locale\n'

SERVERS = """\
{
  // MCP servers, in the form that Claude Desktop, Claude Code and Cursor use. A new entry is a new source of tools.
  "mcpServers": {
    "weather": {
      "command": "%(python)s",
      "args": ["-P", "-m", "mcp_servers.weather"]
    },
    // "slack": { "command": "%(python)s", "args": ["-P", "-m", "mcp_servers.slack"], "env": { "SLACK_BOT_TOKEN": "${SLACK_BOT_TOKEN}" } },
    // "esa": { "command": "%(python)s", "args": ["-P", "-m", "mcp_servers.esa"],
    //          "env": { "ESA_ACCESS_TOKEN": "${ESA_ACCESS_TOKEN}", "ESA_TEAM": "my-team" },
    //          "rate_limit": { "calls": 60, "per_s": 900 } },   // esa takes 75 requests of a user in 15 minutes
    // "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/some/folder"] },
    // "remote": { "type": "http", "url": "https://mcp.example.com/mcp", "headers": { "Authorization": "Bearer ${TOKEN}" } },
  }
}
"""


WORDS: Words = read_words("autonomy.cli", "init")


class InitAnswers(Frozen):
    """The answers to the questions, or the flags in their place."""

    language: Literal["ja", "en", "auto"] = "auto"
    model: str = ""
    base_url: str = ""
    api_key: str = ""
    """Only one that was typed here; the environment's is not written anywhere."""
    imported: tuple[Path, ...] = ()
    slack: bool = False
    where: Literal["1", "2", "3"] = "1"
    goal: str = ""


def _one_of(choices: list[str], words: str, default: str, *, show: bool = True) -> str:
    """Ask until the person chooses one of these, in the language of the terminal."""
    prompt = f"{words} ({', '.join(choices)})" if show else words
    while (answer := readable_answer(click.prompt(prompt, default=default))) not in choices:
        say(f"'{answer}' is not one of {', '.join(choices)}.")
    return answer


@click.command()
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=".", help="The folder to write to.")
@click.option("--language", type=click.Choice(["ja", "en", "auto"]), help="The language of answers, posts and reports.")
@click.option("--model", help="The model, vendor:model-id, called once; `planner` for the offline one.")
@click.option("--base-url", default="", help="The model's address, if it is not the vendor's usual one.")
@click.option(
    "--import",
    "imported",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A servers file to use.",
)
@click.option("--slack/--no-slack", default=None, help="Set up Slack.")
@click.option("--where", type=click.Choice(["1", "2", "3"]), help="Where to run: 1 by hand, 2 as a service, 3 in a container.")
@click.option("--goal", help="The goal to run at the end.")
@click.pass_context
def init(
    ctx: click.Context,
    folder: Path,
    language: Literal["ja", "en", "auto"] | None,
    model: str | None,
    base_url: str,
    imported: tuple[Path, ...],
    slack: bool | None,
    where: Literal["1", "2", "3"] | None,
    goal: str | None,
) -> None:
    """Write a settings file and a servers file, without touching any that exist but for --import; trusts what it writes.

    Asks what no flag says when a person is at the terminal; elsewhere nothing is asked.
    """
    from autonomy.cli.entry import settings_of
    from autonomy.settings import FILE

    config = settings_of(ctx)
    flags = {"language": language, "model": model, "imported": imported or None, "slack": slack, "where": where, "goal": goal}
    asking = sys.stdin.isatty() and sys.stdout.isatty()
    if base_url and not (model or asking):
        raise click.UsageError("--base-url needs --model")
    questions = _Questions(config, base_url, _imports_of(folder), asking=asking and not (folder / FILE).exists())
    try:
        answers = questions.answers({name: value for name, value in flags.items() if value is not None})
    except click.Abort:
        click.echo(err=True)
        say(questions.words["stopped"], err=True)
        raise
    chosen = {name for name in ("language", "model", "base_url") if (name == "base_url" and base_url) or flags.get(name)}
    _write(ctx, folder, answers, questions.words, chosen)
    _tell_next(answers, questions.words)
    if answers.goal:
        _run_first_goal(ctx, folder, answers)


class _Questions:
    """Asks what no flag says. Ends the process when the model that was named by a flag does not answer."""

    def __init__(self, config: "Config", base_url: str, imports: Collection[str] = (), *, asking: bool) -> None:
        self._config, self._base_url, self._imports, self._asking = config, base_url, imports, asking
        self.words = in_language(WORDS, terminal_language())
        """Of the language that is answered; until then of the terminal's."""

    def answers(self, values: dict[str, object]) -> InitAnswers:
        """The answers, in the order in which they are asked for."""
        if "language" not in values and self._asking:
            here = self._config.settings.language
            values["language"] = _one_of(["en", "ja"], self.words["language"], here)
        if (chosen := values.get("language")) == "ja" or chosen == "en":
            set_terminal_language(chosen)
            self.words = in_language(WORDS, chosen)
        values |= self._model(str(values.get("model", "")), by_flag="model" in values)
        if not self._asking:
            for file in () if "imported" in values else self._found():
                say(self.words["found"].format(file=file))
            return InitAnswers.model_validate(values)
        values.setdefault("imported", self._servers())
        if "slack" not in values:
            values["slack"] = says_yes(self.words["slack"])
        if "where" not in values:
            values["where"] = _one_of(["1", "2", "3"], self.words["where"], "1", show=False)
        if "goal" not in values:
            if not values["imported"]:
                say(self.words["only_weather"])
            values["goal"] = click.prompt(self.words["goal"], default="", show_default=False)
        return InitAnswers.model_validate(values)

    def _model(self, model: str, *, by_flag: bool) -> dict[str, str]:
        """The model that answered, with the key that was typed for it."""
        while True:
            if not by_flag and self._asking:
                model = click.prompt(self.words["model"], default="", show_default=False).strip()
            if not model:
                return {"model": ""}
            key = self._key(model)
            if problem := self._problem(model, key):
                why, _, what_to_do = problem.partition("\n")
                say(self.words["silent"].format(model=model, problem=why), err=True)
                if what_to_do:
                    say(what_to_do, err=True)
                if by_flag or not self._asking:
                    from autonomy.cli.entry import EXIT_SETUP

                    sys.exit(EXIT_SETUP)
                continue
            return {"model": model, "api_key": key, "base_url": self._base_url}

    def _key(self, model: str) -> str:
        from autonomy.llm.vendor_list import key_variable, needs_key

        vendor = model.partition(":")[0]
        variable = key_variable(vendor)
        if not self._asking or not needs_key(vendor) or os.environ.get(variable):
            return ""
        return str(
            click.prompt(self.words["key"].format(variable=variable), hide_input=True, default="", show_default=False)
        ).strip()

    def _problem(self, model: str, key: str) -> str:
        """Why the model does not answer; empty when it does."""
        import anyio

        from autonomy.cli.words.terminal_words import config_problem
        from autonomy.errors import ConfigError
        from autonomy.llm.live_check import LiveCheck, check_model, in_a_sentence, remedy
        from autonomy.llm.model_registry import open_model
        from autonomy.settings_files import model_options

        typed = {name: value for name, value in (("api_key", key), ("base_url", self._base_url)) if value}
        models = {**self._config.settings.models, model: {**self._config.settings.models.get(model, {}), **typed}}
        if model.partition(":")[0] == "planner":
            return ""
        try:
            opened = open_model(model, model_options(self._config.settings.model_copy(update={"models": models}), model))
        except ConfigError as error:
            return config_problem(error)
        say(self.words["asked"].format(model=model), err=True)

        async def asked() -> LiveCheck:
            try:
                return await check_model(opened)
            finally:
                await opened.aclose()

        found = anyio.run(asked)
        if found.ok:
            say(self.words["answers"].format(model=model, seconds=found.seconds), err=True)
            return ""
        return f"{translate(in_a_sentence(model, found))}\n    → {translate(remedy(model, found))}"

    def _found(self) -> list[Path]:
        """The servers files of other programs on this machine that are not used yet."""
        from discovery.servers.hosts import host_files

        return [file for file in host_files(Path.cwd(), Path.home()) if str(file.absolute()) not in self._imports]

    def _servers(self) -> tuple[Path, ...]:
        """The files of other programs that the person wants to use."""
        files = self._found()
        if not files:
            say(self.words["none"])
            return ()
        listed = "\n".join(
            f"    {number}  {file}" + (f"  ({', '.join(names)})" if (names := _names_in(file)) else "")
            for number, file in enumerate(files, 1)
        )
        numbered = {str(number): file for number, file in enumerate(files, 1)}
        while True:
            answer = readable_answer(click.prompt(self.words["servers"].format(files=listed), default="", show_default=False))
            parts = answer.replace(",", " ").replace("、", " ").split()
            if answer == "all":
                return tuple(files)
            if (wrong := next((part for part in parts if part not in numbered), None)) is None:
                return tuple(numbered[part] for part in dict.fromkeys(parts))
            say(self.words["which"].format(part=wrong), err=True)


def _imports_of(folder: Path) -> Collection[str]:
    """The files of other programs that the folder's servers file uses already; none where it is not there or cannot be read."""
    from autonomy.settings import OWN_SERVERS
    from discovery.discovery_errors import ServersFileError
    from discovery.servers.hosts import parse

    try:
        imports = parse(folder / OWN_SERVERS).get("imports")
    except ServersFileError:
        return ()
    return {str(path) for path in imports} if isinstance(imports, list) else ()


def _names_in(file: Path) -> list[str]:
    """The names of a file's servers, by which a person knows whether to use it; nothing for one that cannot be read."""
    from discovery.discovery_errors import ServersFileError
    from discovery.servers.hosts import entries, host_of, parse

    try:
        document = parse(file)
        return [entry.name for entry in entries(file, host_of(file, document), document)]
    except ServersFileError:
        return []


def settings_text(answers: InitAnswers, timezone: str = "") -> str:
    """The settings file: what was answered, then every other setting as a comment. `timezone`: of this machine, if known."""
    import json

    lines = [f'language = "{answers.language}"'] if answers.language != "auto" else []
    if answers.model:
        lines.append(f"model = [{json.dumps(answers.model)}]")
    options = {name: value for name in ("base_url", "api_key") if (value := getattr(answers, name))}
    tables = [f"[models.{json.dumps(answers.model)}]", *(f"{name} = {json.dumps(value)}" for name, value in options.items())]
    text = SETTINGS % {
        "answers": "".join(f"{line}\n" for line in (*lines, "")) if lines else "",
        "timezone": f'timezone = "{timezone}"' if timezone else '# timezone = "Asia/Tokyo"',
        "language": LANGUAGE_LINE if answers.language == "auto" else "",
        "place": "Tokyo" if terminal_language() == "en" else "東京",
        "second_opinion": 'second_opinion = "decides"' if _is_hosted(answers) else "# second_opinion = true",
        "tools": "[tools]  " if _is_hosted(answers) else "# [tools]",
        "steps": "steps = true" if _is_hosted(answers) else "# steps = true",
    }
    return text + ("\n" + "\n".join(tables) + "\n" if options else "")


def _is_hosted(answers: InitAnswers) -> bool:
    """Whether the model reads its answers again, and cuts goals into steps: a large one finds most of what rules miss
    (docs/gaming.md), and its steps bring the right tools (docs/search.md). Of a small one on this machine nobody has measured it."""
    from autonomy.llm.vendor_list import needs_key

    return bool(answers.model) and needs_key(answers.model.partition(":")[0])


def _write(ctx: click.Context, folder: Path, answers: InitAnswers, words: dict[str, str], chosen: Collection[str]) -> None:
    """Write what is not there yet, and say which flags (`chosen`) a file that is there kept out. Raises `ConfigError`."""
    from autonomy.cli.entry import settings_of
    from autonomy.locale_language import machine_timezone
    from autonomy.new_files import write_new_file
    from autonomy.settings import FILE, OWN_SERVERS
    from autonomy.settings_files import trust_all, trust_settings
    from discovery.servers.editing import add_import

    timezone = machine_timezone(os.environ)
    servers = SERVERS % {"python": "${JIRITSU_PYTHON}"}
    if answers.slack:  # what is asked in Slack is mostly about what was said there
        servers = servers.replace('// "slack"', '"slack"')
    files = {FILE: settings_text(answers, timezone), OWN_SERVERS: servers}
    for name, text in files.items():
        file = folder / name
        try:
            write_new_file(file, text, private=True)  # may hold a key
        except FileExistsError:
            say(words["kept"].format(file=file))
            for line in _settings_kept_out(answers, chosen) if name == FILE else _servers_kept_out(answers, file, text):
                say(words["kept_out"].format(line=line, file=file))
            continue
        say(words["wrote"].format(file=file))
        if name == OWN_SERVERS:
            say(words["from_now"])
            trust_all(settings_of(ctx).settings, file)
        else:
            if timezone:
                say(words["timezone"].format(timezone=timezone))
            if _is_hosted(answers):
                say(words["second_opinion"])
                say(words["steps"])
            trust_settings(settings_of(ctx), file)
    for imported in answers.imported:
        add_import(folder / OWN_SERVERS, str(imported.absolute()))
        say(f"+ {imported}")


def _servers_kept_out(answers: InitAnswers, file: Path, text: str) -> Iterator[str]:
    """The entry of `text` that Slack needs, unless a servers file that is there names one of Slack."""
    if answers.slack and "slack" not in _names_in(file):
        entry = next(line for line in text.splitlines() if '"slack"' in line)
        yield f"--slack: {entry.strip(' ,')}"


def _settings_kept_out(answers: InitAnswers, chosen: Collection[str]) -> Iterator[str]:
    """For each flag that went into no file, the flag and the lines of the settings file that say the same."""
    import json

    lines = {
        "language": f'language = "{answers.language}"',
        "model": f"model = [{json.dumps(answers.model)}]",
        "base_url": f'base_url = "{answers.base_url}" ([models.{json.dumps(answers.model)}])',
    }
    for name, line in lines.items():
        if name in chosen:
            yield f"--{name.replace('_', '-')}: {line}"


def _tell_next(answers: InitAnswers, words: dict[str, str]) -> None:
    if answers.slack:
        say(words["slack_next"])
    if answers.where != "1":
        say(words[f"where_{answers.where}"])
    say(words["next"])


def _run_first_goal(ctx: click.Context, folder: Path, answers: InitAnswers) -> None:
    """Run what the person wanted first, with the settings just written."""
    from autonomy.cli.commands.run import run

    os.chdir(folder)
    ctx.invoke(run, goal=answers.goal, inputs=(), yes=False, simulate=False, plan=False, as_json=False, quiet=False)
