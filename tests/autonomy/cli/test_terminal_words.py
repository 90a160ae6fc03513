"""The terminal speaks one language: every sentence of ours has its Japanese, and no output mixes the two."""

import ast
import itertools
import re
import sys
from collections.abc import Iterator
from contextvars import Context
from datetime import date
from pathlib import Path
from string import Formatter
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from autonomy.cli.commands import init, live_servers
from autonomy.cli.words import terminal_words
from autonomy.cli.words.terminal_words import config_problem, sentences, set_terminal_language, translate
from autonomy.cli.words.text_columns import columns_of, cut, folded, padded, table_lines
from autonomy.errors import ConfigError
from autonomy.jobs.explaining import SENTENCES
from autonomy.jobs.inputs import InputType, read_input
from autonomy.jobs.trigger_settings import MessageTrigger, message_problem
from autonomy.jobs.webhook import WebhookTrigger, webhook_problem
from autonomy.settings import load as load_settings
from discovery.catalog import Provider, ProviderState
from metrics.text.word_files import in_language
from tests.requirements import requirement
from tests.support.command import jiritsu, warm_interpreter
from tests.support.sampling import in_part

HOUSE = Path(__file__).parents[3] / "autonomy"
JAPANESE = re.compile("[ぁ-ヿ一-鿿（）。「」]")
ENGLISH = re.compile(r"(?:\b[a-z']{2,}\b[ ;]+){2}\b[a-z']{2,}\b")
"""Three words in a row; what stands in backquotes and behind # is for a shell."""

SPOKEN = {
    "announce": 0,
    "say": 0,
    "agreed": 0,
    "translate": 0,
    "ConfigError": 2,
    "StoreError": 0,
    "RunConflict": 0,
    "UnknownRun": 0,
    "RuleConflict": 1,
}
SPOKEN |= {"announce": 0, "UsageError": 0, "BadParameter": 0}
"""What is called with a sentence, and which of its arguments that is."""

FOR_PROGRAMMERS = ("bridge", "mcp_gateway", "hr", "warm", "agent", "run_state", "database.py")
"""Rooms whose errors a vendor or the programmer of a toolset reads."""

LISTS_AND_SHELL = ("{}", "jiritsu servers import {}", "Authorization: Bearer {}", "{}: {}", "jiritsu: {}: {}")
"""Lines without a word of ours, and lines to be copied into a shell or a settings file."""

NOTES = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("notes")


@server.tool(description="{said}")
def change_note(title: str) -> str:
    return title


server.run()
"""

LEFT = frozenset(
    {
        "the engine is already running in this process",
        "the outcome of {} is known: it happened",
        "another process has taken over as {} while the database was away",
        "{} cannot be made: {}",
        "the database is damaged: {}",
        "keeps {} out by {}, which covers others too: change it there",
        "the encoding of this output has no Japanese: try PYTHONIOENCODING=utf-8",  # said where none can be written
    }
)
"""What nobody meets but who mends the program."""


@pytest.fixture(autouse=True)
def _in_japanese() -> Iterator[None]:
    token = terminal_words._LANGUAGE.set("ja")
    yield
    terminal_words._LANGUAGE.reset(token)


def variants(node: ast.expr) -> list[str]:
    """The texts that an expression can give, its values as {}."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            parts = [variants(one.value if isinstance(one, ast.FormattedValue) else one) for one in values]
            return ["".join(part) for part in itertools.product(*parts)]
        case ast.IfExp():
            return variants(node.body) + variants(node.orelse)
        case ast.BinOp(op=ast.Add()):
            return [one + other for one in variants(node.left) for other in variants(node.right)]
        case ast.Call(func=ast.Name(id="did_you_mean")):
            return ["", "; did you mean {}?"]
        case _:
            return ["{}"]


def said() -> Iterator[str]:
    """Every sentence that the code hands to the terminal, or raises for it."""
    for file in sorted(HOUSE.rglob("*.py")):
        if file.relative_to(HOUSE).parts[0] in FOR_PROGRAMMERS:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if len(node.args) > SPOKEN.get(called, 1_000):
                    yield from variants(node.args[SPOKEN[called]])
                for function, sentence in itertools.pairwise(node.args):  # handed on, as to a thread
                    if isinstance(function, ast.Name) and SPOKEN.get(function.id) == 0:
                        yield from variants(sentence)


def is_translated(sentence: str) -> bool:
    """Whether it is told in Japanese with all its values; an address, a figure or a name stays as it is."""
    words = re.sub(r"`[^`]*`", "", sentence.replace("{}", ""))
    if not re.search(r"[a-z]{2,}[ :]+[a-z]{2,}", words):
        return True
    shown = sentence.replace("{}", "value-7")
    return bool(JAPANESE.search(translate(shown))) and translate(shown).count("value-7") == shown.count("value-7")


def test_every_sentence_that_is_said_has_its_japanese() -> None:
    sentences_said = {one.strip() for one in said()} - set(LISTS_AND_SHELL) - LEFT
    assert len(sentences_said) > 250
    assert [sentence for sentence in sorted(sentences_said) if not is_translated(sentence)] == []


def test_every_warning_about_settings_has_its_japanese(tmp_path: Path) -> None:
    (tmp_path / "jiritsu.toml").write_text("", encoding="utf-8")
    (tmp_path / "autonomy.toml").write_text("", encoding="utf-8")
    env = {"JIRITSU_HOME": str(tmp_path), "JIRITSU_MODLE": "x", "JIRITSU_ZZZZZZ": "x", "JIRITSU_LIMITS": "x"}
    warnings = load_settings({}, env=env, cwd=tmp_path).ignored
    assert len(warnings) >= 3
    assert [
        warning for warning in warnings if ENGLISH.search(translate(warning)) or not JAPANESE.search(translate(warning))
    ] == []


@pytest.mark.parametrize("kind", ["date", "month", "week", "person", "channel"])
def test_what_is_wrong_with_an_input_is_said_in_japanese(kind: InputType) -> None:
    with pytest.raises(ValueError, match="is no ") as problem:
        read_input(kind, "a,b", date(2026, 11, 26))
    shown = translate(f"jobs/x.md: inputs.d: {problem.value}")
    assert JAPANESE.search(shown), shown
    assert " is no " not in shown


def test_a_sentence_without_its_japanese_is_noticed() -> None:
    assert not is_translated("nobody has ever translated {} words of this")


def test_every_sentence_reads_back_with_its_values() -> None:
    assert len(sentences()) > 500
    for sentence in sentences():
        places = [place for _, place, _, _ in Formatter().parse(sentence) if place]
        shown = translate(sentence.format(**{place: f"v-{place}-v" for place in places}))
        assert JAPANESE.search(shown), sentence
        assert all(f"v-{place}-v" in shown for place in places), sentence
        assert len("".join(literal for literal, _, _, _ in Formatter().parse(sentence))) >= 4, (
            f"it would fit anything: {sentence}"
        )


def test_every_line_of_a_job_is_explained_in_japanese() -> None:
    assert [meaning for meaning in SENTENCES if not JAPANESE.search(translate(meaning))] == []


def test_signs_in_front_stay_and_a_sentence_within_a_sentence_is_read_too() -> None:
    assert translate("  … waiting for slack: it is still starting for 2 s") == "  … slack を待っています: まだ起動中です（2 秒）"
    assert translate("x is off, and does not run by itself: `jiritsu jobs resume x` enables it").startswith("x は無効")


@pytest.mark.parametrize("words", ["Look at the weather.", "", "done", "a: b", "A title is not a path.", "x" * 3_000])
def test_words_of_somebody_else_stay_as_they_are(words: str) -> None:
    assert translate(words) == words


def test_how_a_run_ended_is_told_in_japanese_within_a_sentence_too() -> None:
    assert translate("run 20261129-1 has ended: completed") == "実行 20261129-1 は終わっています: 完了"
    assert translate("run 20261129-1 has not ended: it is waiting") == "実行 20261129-1 は終わっていません（人の判断待ち）"


def test_english_stays_english() -> None:
    set_terminal_language("en")
    assert translate("no runs yet") == "no runs yet"


def test_one_is_no_plural() -> None:
    set_terminal_language("en")
    said = [translate(one) for one in ("◇ 1 tools, 1 offered", "11 tools, 2 offered", "1 tools of 2 providers, fresh")]
    assert said == ["◇ 1 tool, 1 offered", "11 tools, 2 offered", "1 tool of 2 providers, fresh"]


@pytest.mark.parametrize(
    ("locale", "reader", "language"), [("C.UTF-8", True, "ja"), ("C.UTF-8", False, "en"), ("en_US.UTF-8", True, "en")]
)
def test_a_locale_that_says_nothing_is_japanese_to_a_person_and_english_in_a_log(
    locale: str, reader: bool, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, locale)
    monkeypatch.setattr("sys.stderr.isatty", lambda: reader, raising=False)
    assert Context().run(terminal_words.terminal_language) == language, "where nobody chose"


@pytest.mark.parametrize(("named", "language"), [("en", "en"), ("ja", "ja"), ("auto", "ja"), ("", "ja")])
def test_before_the_settings_are_read_the_variable_stands_above_the_locale(
    monkeypatch: pytest.MonkeyPatch, named: str, language: str
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.setenv("JIRITSU_LANGUAGE", named)
    assert Context().run(terminal_words.terminal_language) == language


def test_columns_are_filled_by_what_a_terminal_shows() -> None:
    assert (padded("ab", 6), padded("手動", 6), padded("手動です", 6)) == ("ab    ", "手動  ", "手動です")


@requirement("Y2")
def test_a_table_keeps_its_columns_where_they_fit_and_never_leaves_a_narrow_terminal() -> None:
    rows = [("diary", "30 18 * * 1-5", "off", "日記を書いて投稿する"), ("overtime", "", "by hand", "残業集計")]
    wide = ["diary     30 18 * * 1-5  off      日記を書いて投稿する", "overtime                 by hand  残業集計"]
    assert list(table_lines(rows, sys.maxsize)) == [[line] for line in wide], "a pipe has no end"
    assert list(table_lines(rows, 40)) == [
        ["diary     30 18 * * 1-5  off", "  日記を書いて投稿する"],
        ["overtime                 by hand", "  残業集計"],
    ]
    folded = list(table_lines(rows, 16))
    assert folded[0][:2] == ["diary", "  30 18 * * 1-5"]
    assert folded[1] == ["overtime", "  by hand", "  残業集計"], "an empty cell takes no line"
    assert all(columns_of(line) <= 16 for lines in folded for line in lines), "a longer cell is broken"
    assert "".join(folded[0][3:]).replace(" ", "") == "日記を書いて投稿する", "and nothing of it is lost"
    assert list(table_lines([], 40)) == []
    assert (cut("日記を書く", 10), cut("日記を書く", 9), cut("日記を書く", 8)) == ("日記を書く", "日記を書…", "日記を…")


COMMANDS = (
    "run diary", "runs list", "runs show 2", "runs show none", "jobs list", "jobs check diary", "jobs history diary", "jobs next diary",
    "jobs pause diary", "jobs list", "jobs pause overtime", "jobs history none", "jobs new", "jobs new standup", "jobs new standup", "jobs new answer-in-channel",
    "run none", "doctor --slack", "discover", "discover nothinglikeit", "servers list", "servers disable weather", "servers review", "config show",
    "approvals list", "effects list", "audit verify", "report", "warm status", "slack scopes", "serve", "tools call none",
    "backup copy.db", "backup copy.db", "restore none.db",
)  # fmt: skip
FROM_OUTSIDE = ("discover", "run diary", "runs show 2", "config show", "servers list")
"""Their output holds what servers, messages and jobs say of themselves."""


def mixed(text: str, foreign: re.Pattern[str]) -> list[str]:
    """The lines that hold the other language, but for what a shell takes and what a job's file says itself."""
    shown = (re.sub(r"`[^`]*`|^jiritsu (?:jobs|run) .*|# .*|{{.*?}}|/\S+|--\S+", "", line) for line in text.splitlines())
    return [line for line in shown if foreign.search(line)]


@requirement("Y1")
@pytest.mark.parametrize(
    ("locale", "foreign", "commands"),
    in_part(
        [
            pytest.param("ja_JP.UTF-8", ENGLISH, COMMANDS[::2], id="every other in ja"),
            pytest.param("ja_JP.UTF-8", ENGLISH, COMMANDS[1::2], id="the others in ja"),
            pytest.param("en_US.UTF-8", JAPANESE, COMMANDS[1::6], id="some in en"),
            pytest.param("en_US.UTF-8", JAPANESE, COMMANDS, id="en"),
        ],
        every=2,
    ),
)
def test_a_japanese_terminal_says_nothing_in_english_and_an_english_one_nothing_in_japanese(
    home: Path, locale: str, foreign: re.Pattern[str], commands: tuple[str, ...]
) -> None:
    found = {}
    for command in commands:
        done = jiritsu(*command.split(), home=home, LC_ALL=locale)
        ours = done.stderr if command in FROM_OUTSIDE else done.stdout + done.stderr
        if command == "jobs check diary":  # what the file says stands on the left
            ours = "\n".join(line[55:] for line in ours.splitlines())
        if lines := mixed(ours, foreign):
            found[command] = lines
    assert not found, "\n".join(f"{command}: {line}" for command, lines in found.items() for line in lines)


@requirement("Y1")
@pytest.mark.parametrize("command", ["discover", "run メモの一覧", "servers probe notes"])
def test_a_server_that_waits_for_trust_is_told_of_in_japanese(home: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "jiritsu.mcp.json").write_text('{"mcpServers": {"notes": {"command": "python3", "args": ["notes.py"]}}}')
    done = jiritsu(*command.split(), home=home, cwd=tmp_path, LC_ALL="ja_JP.UTF-8")
    assert "jiritsu servers trust notes" in done.stdout + done.stderr
    assert mixed(done.stdout + done.stderr.partition("──")[0], ENGLISH) == []  # what follows is folded in the midst of words


@requirement("Y1")
def test_what_a_server_says_of_its_tools_is_no_sentence_of_ours(home: Path) -> None:
    said = "Change a note. What is not passed stays as it is."
    script = home / "notes.py"
    script.write_text(NOTES.format(said=said))
    assert jiritsu("servers", "add", "notes", "--", warm_interpreter(), str(script), home=home).returncode == 0
    assert said in jiritsu("discover", home=home, LC_ALL="ja_JP.UTF-8").stdout


@pytest.mark.parametrize(
    "sentence",
    [
        webhook_problem("answer", WebhookTrigger(secret_env="KEY"), {}),
        message_problem("answer", MessageTrigger(channel="C1AB"), {}),
        webhook_problem("answer", WebhookTrigger(secret_env="KEY"), {"KEY": "short"}),
        "answer can be used: 0 needs, of which none change something; nothing is delivered.",
        "? line 2: # 42 behind title is a YAML comment; quote the value if it belongs to it",
        "line 2: '#42' would be lost, since YAML reads it as a comment; put the value in double quotes, or a blank after the # of a comment",
    ],
)
def test_what_a_check_of_a_job_finds_is_told_in_japanese_to_its_end(sentence: str) -> None:
    shown = translate(sentence)
    assert JAPANESE.search(shown)
    assert not re.search(r"(?i)\b(?:the|of|none|set|used|line|value|webhook of)\b", shown), shown


def test_init_speaks_the_language_of_the_terminal_until_another_is_chosen(tmp_path: Path) -> None:
    def words(given: dict[str, object]) -> dict[str, str]:
        questions = init._Questions(load_settings(env={"JIRITSU_HOME": str(tmp_path)}, cwd=tmp_path), "", asking=False)
        questions.answers({"imported": (), **given})
        return questions.words

    assert words({}) == in_language(init.WORDS, "ja")
    assert words({"language": "auto"}) == in_language(init.WORDS, "ja")
    assert words({"language": "en"}) == in_language(init.WORDS, "en")
    assert all(both.keys() == {"ja", "en"} for both in init.WORDS.values())
    asked = [both for both in init.WORDS.values() if both["en"][1:5] == " of "]
    assert [both["ja"][:4] for both in asked] == [f"{both['en'][0]}/5 " for both in asked] != []


@pytest.mark.parametrize(
    "sentence",
    [
        "✗ server esa: parked: needs ESA_TEAM",
        "✗ server esa: parked: comes from /work/x.json and waits for `jiritsu servers trust esa`",
        "! settings file: /work/jiritsu.toml was found here and is not trusted: model, key wait",
        "warning: /work/jiritsu.toml was found here and is not trusted: model waits; look at it with `jiritsu config trust x`",
        "/work/x.json: mcpServers.a.args: must be a list",
        "/work/x.json: mcpServers.a: url must be http or https, not 'ftp://a'",
        "/work/x.json: mcpServers.a.timeout: 30 means 0.03 s here, under 1 s or endless; the default applies (`timeout_s`: seconds)",
        "rows[].hours: the result has no 'rows'; it has lines, total",
        "'#ops' is no id of a channel (C0123ABC): Slack shows it at the end of the channel's details",
        "http://a answered in 1.5 s, did not call the tool it was asked to, reads 128,000 tokens",
        "rows 3 to 4 are gone",
        "run 2026-1 departs from its recording at turn-2/model: it was taken then and is not now, nor are 2 others",
        "20261129-1 turn-1: the row does not follow from the one before it",
        "no row has an anchor outside the database; what was cut off later could not be told",
        "the log is chained without a key, and now one is set: it may have been written anew without it; `jiritsu keys rotate` seals it as it is",
    ],
)
def test_what_waits_for_the_operator_is_told_in_one_language(sentence: str) -> None:
    head, _, detail = sentence.partition(": ") if sentence.startswith("!") else ("", "", sentence)
    shown = translate(detail)
    assert JAPANESE.search(shown), (head, shown)
    assert not ENGLISH.search(re.sub(r"`[^`]*`", "", shown)), shown


def test_a_setting_that_is_wrong_is_told_in_the_language_of_the_terminal() -> None:
    shown = config_problem(ConfigError("environment", "OPENAI_API_KEY", "is not set, and openai:x needs it"))
    assert shown == "environment: OPENAI_API_KEY: 設定されていません。openai:x に必要です"


@pytest.mark.parametrize(
    ("reason", "mend"),
    [
        ("needs A_TOKEN, B_TEAM", "set A_TOKEN, B_TEAM"),
        ("comes from x and waits for `jiritsu servers trust esa`", ""),
        ("needs `url`", ""),
        (
            "timed out",
            "mend its entry in the servers file and try it with `jiritsu servers probe esa`; "
            "`jiritsu servers log esa` has all that it said",
        ),
    ],
)
def test_how_to_make_a_server_start_fits_why_it_does_not(reason: str, mend: str) -> None:
    assert live_servers._mend(Provider(name="esa", state=ProviderState.DEGRADED, reason=reason)) == mend


@pytest.mark.parametrize(
    ("state", "transport", "reason", "named"),
    [
        ("parked", "http", "HTTP 401 Unauthorized", "headers"),
        ("degraded", "http", "127.0.0.1:9: connection refused", "url"),
        ("parked", "stdio", "x.json: mcpServers.a.args: must be a list", "entry"),
    ],
)
def test_nobody_is_sent_to_the_log_of_a_server_that_never_ran_here(state: str, transport: Any, reason: str, named: str) -> None:
    mend = live_servers._mend(Provider(name="a", state=ProviderState(state), transport=transport, reason=reason))
    assert named in mend
    assert "servers log" not in mend
    assert JAPANESE.search(translate(mend))


class _Written(BaseModel):
    language: Literal["ja", "en"] = "ja"
    turns: int = Field(1, ge=1, le=9)
    share: float = Field(1.0, gt=0, lt=2)
    on: bool = True
    name: str = Field("ab", pattern="^a", min_length=1, max_length=3)
    names: list[str] = []


@pytest.mark.parametrize(
    "written",
    [
        {"language": "fr"}, {"turns": "x"}, {"turns": []}, {"turns": 1.5}, {"turns": 0}, {"turns": 99}, {"share": 0}, {"share": 2},
        {"share": "x"}, {"share": []}, {"on": "maybe"}, {"on": []}, {"name": 3}, {"name": ""}, {"name": "abcd"}, {"name": "b"}, {"names": 3},
    ],
    ids=str,
)  # fmt: skip
def test_what_pydantic_finds_is_told_in_japanese(written: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as found:
        _Written.model_validate(written)
    problem = ConfigError.of("jiritsu.toml", found.value, model=_Written).problem
    shown = translate(problem)
    assert "使えません" in shown, problem
    assert not re.search(r"[a-z]{2,} [a-z]{2,}", shown), shown


@requirement("Y2")
def test_prose_folds_at_words_and_what_is_copied_stays_whole() -> None:
    hint = "    → set JIRITSU_KEY to a secret, then `jiritsu keys rotate --yes`, or none"
    assert list(folded(hint, 34)) == [
        "    → set JIRITSU_KEY to a secret,",
        "      then",
        "      `jiritsu keys rotate --yes`,",
        "      or none",
    ]
    command = "jiritsu run /tmp/a-long-path/jobs/weekly.md --sample en --simulate"
    path = "/tmp/" + "x" * 60
    assert (list(folded(command, 20)), list(folded(f"file: {path}", 20))) == ([command], ["file:", f"  {path}"])
    japanese = "鍵がないので、記録に封をできません。`jiritsu keys rotate` で鍵を作れます。"
    lines = list(folded(japanese, 30))
    assert all(columns_of(line) <= 30 for line in lines)
    assert [line for line in lines if line.strip()[0] in "、。"] == []
    assert sum("`jiritsu keys rotate`" in line for line in lines) == 1
