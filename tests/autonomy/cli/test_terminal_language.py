"""A terminal that cannot write Japanese is spoken to in English, where the locale says nothing."""

import io
import sys
from contextvars import copy_context
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from autonomy.cli import main
from autonomy.cli.commands.init import _one_of
from autonomy.cli.terminal import says_yes
from autonomy.cli.words import terminal_words
from autonomy.locale_language import language_of, language_of_words, machine_timezone
from metrics.reporting.report_words import Language, why_level


@pytest.mark.parametrize(
    ("locale", "encoding", "language"),
    [
        ("C", "ascii", "en"),
        ("C", "utf-8", "ja"),
        ("", "latin-1", "en"),
        ("ja_JP.UTF-8", "ascii", "ja"),
        ("en_US.UTF-8", "utf-8", "en"),
    ],
)
def test_a_terminal_without_japanese_is_english_where_the_locale_says_nothing(
    monkeypatch: pytest.MonkeyPatch, locale: str, encoding: str, language: str
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert language_of({"LANG": locale}) == language


@pytest.mark.parametrize("asked", [["--help"], ["nope"], ["jobs", "check", "diary"], ["config", "show"]])
def test_a_terminal_of_ascii_gets_ascii(tmp_path: Path, asked: list[str], unguarded_loop: None) -> None:
    told = CliRunner(charset="ascii").invoke(main, asked, env={"JIRITSU_HOME": str(tmp_path), "JIRITSU_LANGUAGE": "en"})
    assert told.stdout_bytes.isascii(), "click takes such a stream for one of UTF-8"
    assert told.stderr_bytes.isascii()
    assert told.stdout_bytes + told.stderr_bytes


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("What did 佐藤 遥 write today?", "en"),
        ("What did さとう write in #general today?", "en"),
        ("Slackのreleaseについてのmessageをまとめて", "ja"),
        ("議事録をhttps://docs.example.com/a/team/minutes/of/mayで要約", "ja"),
        ("src/app/main/index/test.py を直して", "ja"),
        ("東京天気", "ja"),
        ("OK", "ja"),
        ("", "ja"),
    ],
)
def test_words_are_answered_in_their_own_language(words: str, language: str) -> None:
    assert language_of_words(words, "ja") == language


@pytest.mark.parametrize(
    ("written", "language"),
    [('language = "ja"\n', "ja"), ('language = "en"\n', "en"), ('language = "auto"\n', "en"), ("not toml", "en"), ("", "en")],
)
def test_a_help_page_speaks_the_language_that_the_settings_file_here_or_above_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str, language: str
) -> None:
    (tmp_path / "jiritsu.toml").write_text(written, encoding="utf-8")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    for name in ("JIRITSU_LANGUAGE", "JIRITSU_CONFIG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert copy_context().run(terminal_words.choose_written_language) == language
    monkeypatch.setenv("JIRITSU_LANGUAGE", "en")
    assert copy_context().run(terminal_words.choose_written_language) == "en", "the environment comes first"


def test_a_level_that_is_not_high_says_why() -> None:
    measures = {"result_quality": 1.0, "tool_selection_accuracy": 1.0, "error_recovery_rate": None}
    assert why_level("high", 1.0, measures, "en") == ""
    assert "nothing was declared" in why_level("medium", 1.0, measures, "en")
    assert "Tool selection accuracy, at 60.0%" in why_level("medium", 0.8, {**measures, "tool_selection_accuracy": 0.6}, "en")
    assert "「結果の品質」の 0.0%" in why_level("low", 0.5, {**measures, "result_quality": 0.0}, "ja")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rnu"], "コマンド 'rnu' はありません。run ですか。"),
        (["jobs", "nwe"], "コマンド 'nwe' はありません。'new' ですか。"),
        (["jobs", "check"], "引数 'FILE' がありません。"),
        (["run", ""], "'GOAL' の値が使えません: 空です。させたいことを書いてください"),
        (["run", "--nope"], "オプション '--nope' はありません。"),
        (["--nope"], "オプション '--nope' はありません。"),
        (["report", "--since", "xx"], "'--since' の値が使えません: 'xx' は last-upgrade でも、7d・12h・2w のような期間でも"),
        (["init", "--where", "9"], "'--where' の値が使えません: '9' は '1', '2', '3' のどれでもありません。"),
        (["run", "diary", "extra"], "余分な引数があります（extra）。"),
        (["init", "--dir"], "オプション '--dir' には値が要ります。"),
    ],
)
def test_wrong_usage_is_told_in_the_terminals_language_and_ends_with_2(words: list[str], told: str) -> None:
    token = terminal_words._LANGUAGE.set("ja")
    try:
        result = CliRunner().invoke(main, words, prog_name="jiritsu")
    finally:
        terminal_words._LANGUAGE.reset(token)
    assert result.exit_code == 2
    assert f"使い方が違います: {told}" in result.stderr
    assert "使い方は 'jiritsu" in result.stderr
    token = terminal_words._LANGUAGE.set("en")
    try:
        assert "Error: " in CliRunner().invoke(main, words, prog_name="jiritsu").stderr
    finally:
        terminal_words._LANGUAGE.reset(token)


@pytest.mark.parametrize("command", [["jobs", "check"], ["run"]])
def test_a_job_is_completed_by_its_name_and_else_as_a_file(command: list[str]) -> None:
    complete = ShellComplete(main, {}, "jiritsu", "_JIRITSU_COMPLETE")
    assert "diary" in [item.value for item in complete.get_completions(command, "dia")]
    assert [item.type for item in complete.get_completions(command, "./jo")] == ["file"]


def test_a_wrong_choice_in_the_setup_is_told_in_the_language_of_the_terminal() -> None:
    @click.command()
    def asking() -> None:
        terminal_words.set_terminal_language("ja")
        click.echo(_one_of(["1", "2", "3"], "どこで", "1", show=False))

    said = copy_context().run(CliRunner().invoke, asking, input="n\n2\n")
    assert "'n' は 1, 2, 3 のどれでもありません。" in said.output
    assert "Error" not in said.output
    assert said.output.splitlines()[-1] == "2"


def test_a_verdict_is_told_without_an_english_word_in_japanese() -> None:
    def tell() -> str:
        terminal_words.set_terminal_language("ja")
        return terminal_words.translate("judge: blocked, no rules declared")

    assert copy_context().run(tell) == "判定: 続行できません。宣言された規則はありません"


@pytest.mark.parametrize(("language", "again"), [("ja", "y か n で答えてください。"), ("en", "Please answer y or n.")])
def test_a_question_that_takes_yes_or_no_is_asked_again_in_the_language_of_the_terminal(language: Language, again: str) -> None:
    @click.command()
    def asking() -> None:
        terminal_words.set_terminal_language(language)
        click.echo(says_yes("Go on?"))

    said = copy_context().run(CliRunner().invoke, asking, input="たぶん\nはい\n")
    assert again in said.output
    assert said.output.splitlines()[-1] == "True"


def test_a_question_that_nobody_answers_and_a_no_end_with_1_and_say_that_nothing_was_done() -> None:
    def ask(words: list[str], given: str) -> tuple[int, str]:
        terminal_words.set_terminal_language("ja")
        done = CliRunner().invoke(main, words, input=given)
        return done.exit_code, done.stderr.splitlines()[-1]

    words = ["runs", "forget", "some-run", "--reason", "asked for"]
    status, last = copy_context().run(ask, words, "")
    assert (status, last.startswith("何もしませんでした"), "`--yes`" in last) == (1, True, True)
    assert copy_context().run(ask, words, "n\n") == (1, "何もしませんでした。")


@pytest.mark.parametrize(
    ("env", "link", "zone"),
    [
        ({"TZ": "Europe/Berlin"}, "/usr/share/zoneinfo/Asia/Tokyo", "Europe/Berlin"),
        ({}, "/usr/share/zoneinfo/America/Argentina/Salta", "America/Argentina/Salta"),
        ({}, "/var/db/timezone/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        ({}, "/usr/share/zoneinfo/Etc/UTC", ""),
        ({"TZ": "UTC"}, "/usr/share/zoneinfo/Asia/Tokyo", ""),
        ({"TZ": "Mars/Olympus"}, "", ""),
        ({"TZ": ":/etc/localtime"}, "", ""),
        ({}, "", ""),
    ],
)
def test_the_time_zone_of_a_machine_is_the_one_it_is_set_to_and_none_for_utc(
    tmp_path: Path, env: dict[str, str], link: str, zone: str
) -> None:
    if link:
        (tmp_path / "localtime").symlink_to(link)
    assert machine_timezone(env, str(tmp_path / "localtime")) == zone
