"""Markdown, CSV and Slack: complete, safe against what runs wrote, and within the limits of where they go."""

import csv
import io
import json
import re

from inline_snapshot import snapshot

from metrics.events import RunFinished
from metrics.figures import FIGURES
from metrics.measures import Measures, measure
from metrics.reporting.report_data import build_report, explain
from metrics.reporting.report_html import render_report
from metrics.reporting.report_slack import LONGEST, slack_summary, slack_text
from metrics.reporting.report_text import _harmless, render_csv, render_markdown, render_run_markdown
from metrics.reporting.report_words import WORDS
from tests.metrics.story import MONDAY, Story, diary
from tests.metrics.synthetic import DAY_S
from tests.metrics.test_causes import approvals
from tests.metrics.test_report import TOKYO, two_weeks
from tests.requirements import requirement

HOSTILE = "=cmd|' /C calc'!A0 <!channel> | <b>x</b>"


def hostile_events() -> list[object]:
    story = (
        Story(HOSTILE, job=HOSTILE)
        .start(needs=(HOSTILE,))
        .turn()
        .call(HOSTILE, errors=(HOSTILE,), outcome="terminal", problem="transport")
    )
    return story.finish("exhausted", HOSTILE).events


def hostile_report() -> object:
    return build_report(measure(hostile_events()), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)  # type: ignore[arg-type]


@requirement("M3")
def test_markdown_shows_every_figure_and_cause_in_tables() -> None:
    text = render_markdown(two_weeks(), "en")
    assert all(f"| {WORDS[figure.name]['en']} |" in text for figure in FIGURES)
    widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert widths == {3, 6, 7}
    assert WORDS["no_runs"]["en"] in render_markdown(
        build_report(Measures(), Measures(), since=0, until=1, made_at=0, tz=TOKYO), "en"
    )


def test_markdown_cells_cannot_be_broken_out_of() -> None:
    text = render_markdown(hostile_report(), "en")  # type: ignore[arg-type]
    assert "<b>" not in text
    assert "<!channel>" not in text
    assert {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("|")} == {3, 6, 7}


def test_a_run_in_markdown_says_what_it_lost() -> None:
    text = render_run_markdown(explain(Story().start().turn().finish("exhausted", "the limit of 10 steps").events), "en")
    assert "- −100.0 pt Result quality: ended exhausted, not completed (the limit of 10 steps)" in text


def test_the_names_of_an_imported_run_cannot_begin_a_line_of_its_markdown() -> None:
    story = Story(run_id="r1\n# Good", job="<img src=x>\n- +9 pt").start().turn().finish("completed", "")
    text = render_run_markdown(explain(story.events), "en")
    assert [line for line in text.splitlines() if line.startswith(("# Good", "- +9"))] == []
    assert "<img" not in text


@requirement("M3")
def test_csv_has_a_row_for_every_figure_and_empty_cells_for_na() -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(two_weeks()))))
    period = {row["figure"]: row for row in rows if row["scope"] == "period"}
    assert list(period) == [figure.name for figure in FIGURES]
    assert {row["name"] for row in rows if row["scope"] == "job"} == {"", "diary", "overtime", "weekly-digest"}
    empty = csv.DictReader(io.StringIO(render_csv(build_report(Measures(), Measures(), since=0, until=1, made_at=0, tz=TOKYO))))
    assert {row["value"] for row in empty} == {""}


def test_no_name_is_a_formula_in_a_spreadsheet() -> None:
    rows = csv.DictReader(io.StringIO(render_csv(hostile_report())))  # type: ignore[arg-type]
    assert not [row for row in rows if row["name"].startswith(("=", "+", "-", "@"))]
    names = ("=1+1", " =1+1", "\n=1+1", "\u3000=1", "＝1+1", "＠SUM(1)", "\t-1")
    assert [_harmless(name)[0] for name in names] == ["'"] * len(names)
    assert _harmless("diary") == "diary"


@requirement("M3")
def test_slack_gets_level_measures_causes_and_habits_within_its_limits() -> None:
    for language in ("ja", "en"):
        message = slack_summary(two_weeks(), language)  # type: ignore[arg-type]
        blocks = message["blocks"]
        assert [block["type"] for block in blocks] == ["header", "section", "section", "divider", "section", "section"]
        assert len(blocks[2]["fields"]) == 4
        assert all(len(block["text"]["text"]) <= LONGEST for block in blocks if "text" in block)
        assert "🟢" in message["text"]
        assert json.dumps(message)


def test_slack_text_from_runs_is_plain() -> None:
    blocks = slack_summary(hostile_report(), "en")["blocks"]  # type: ignore[arg-type]
    texts = [text for block in blocks for text in [block.get("text"), *block.get("fields", [])] if text]
    assert {text["type"] for text in texts} == {"plain_text"}


def test_what_a_server_worded_calls_nobody_and_leads_nowhere_in_a_report_posted_as_text() -> None:
    said = "unavailable: desk (<!channel> sign in at <https://evil.example/x|our page>, 詳しくはevil.exampleを, www.evil.example)"
    events = Story("r").start(needs=("activity",)).tell(RunFinished, "finished", ending="blocked", reason=said, unavailable=True)
    told = build_report(measure(events.events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    for text in (slack_text(told, "en"), slack_text(hostile_report(), "en")):  # type: ignore[arg-type]
        assert "channel" in text
        assert not {"<", ">"} & {*text}
        assert not re.findall(r"(?:://|evil\.example)", re.sub("`[^`]*`", "", text))


def test_slack_says_when_there_were_no_runs() -> None:
    empty = build_report(Measures(), Measures(), since=0, until=1, made_at=0, tz=TOKYO)
    assert WORDS["no_runs"]["ja"] in slack_summary(empty)["text"]


def test_approvals_that_could_be_rules_are_told() -> None:
    asked = measure(event for story in approvals(["granted"] * 6) for event in story.events)
    report = build_report(asked, Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    assert "esa_create_post: all 6 approvals granted" in json.dumps(slack_summary(report, "en"))


def test_the_slack_message_of_a_day_reads_like_this() -> None:
    bad = (
        Story("run-2", at=MONDAY + 60)
        .start(needs=("activity",))
        .turn()
        .call(needs=("activity",), outcome="terminal", problem="transport")
    )
    events = [*diary("run-1").events, *bad.finish("exhausted", "the limit of 10 steps").events]
    report = build_report(measure(events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=MONDAY, tz=TOKYO)
    assert slack_summary(report) == snapshot(
        {
            "text": "自律性レポート 2025-11-17 – 2025-11-18: 🔴 総合 62.5% · 水準 低",
            "blocks": [
                {"type": "header", "text": {"type": "plain_text", "text": "自律性レポート 2025-11-17 – 2025-11-18"}},
                {
                    "type": "section",
                    "text": {
                        "type": "plain_text",
                        "text": """\
🔴 総合 62.5% · 水準 低
▆························
2 件の実行 · 無人完了率 50.0% · 人の負担（回/実行） 0 · 費用 $0.0160 · 標本が小さい\
""",
                        "emoji": True,
                    },
                },
                {
                    "type": "section",
                    "fields": [
                        {
                            "type": "plain_text",
                            "text": """\
ツール選択の正確さ
100.0%\
""",
                            "emoji": True,
                        },
                        {
                            "type": "plain_text",
                            "text": """\
エラー回復率
0.0%\
""",
                            "emoji": True,
                        },
                        {
                            "type": "plain_text",
                            "text": """\
データ収集の完全性
50.0%\
""",
                            "emoji": True,
                        },
                        {
                            "type": "plain_text",
                            "text": """\
結果の品質
50.0%\
""",
                            "emoji": True,
                        },
                    ],
                },
                {"type": "divider"},
                {
                    "type": "section",
                    "text": {
                        "type": "plain_text",
                        "text": """\
自律性を下げた原因
−12.5 必要なデータ「activity」が集まらなかった
−12.5 完了せずに終わった: 上限到達（上限の 10 ステップ）
−12.5 slack_get_channel_history の失敗（通信の失敗）から回復しなかった\
""",
                        "emoji": True,
                    },
                },
            ],
        }
    )


def test_every_form_says_how_many_runs_people_judged() -> None:
    stories = [diary("praised").vote(True), diary("unjudged")]
    measures = measure(event for story in stories for event in story.events)
    report = build_report(measures, Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    said = "People's word: 1 of 1 good (judged: 1 of 2)"
    html = render_report(report, "en").replace("&#39;", "'")
    for text in (render_markdown(report, "en"), html, json.dumps(slack_summary(report, "en"), ensure_ascii=False)):
        assert said in text
    assert "人の評価: 良い 1/1（2 件中 1 件に評価）" in render_markdown(report, "ja")
