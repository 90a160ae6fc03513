"""Counts, ranks and comparisons over the sample workspaces: each part of a question is in the answer, or there is none."""

from pathlib import Path

import pytest

from tests.autonomy.llm.offline.test_sample_questions import ask_each
from tests.requirements import requirement
from tests.support.sampling import in_shares

TOLD = [
    (
        "ja",
        "10月の残業時間を教えて",
        ["合計 553時間1分", "- 小林 颯太 (製造部, demo-008): 35時間15分", "- 小林 颯太 (製造部, demo-023): 32時間30分"],
    ),
    ("en", "Who posted the most in #random?", ["Most: Ines (4).", "- Maya: 2"]),
    ("en", "Which channel did Priya never post in?", ["- random\n- notes-maya\n- notes-owen"]),
    ("en", "Messages with at least 3 reactions", ["Finished the scarf", "at least 3 reactions"]),
    ("en", "How many posts are tagged diary?", ["There are 12."]),
    ("en", "Which posts are in the Support category?", ["Answers to common questions"]),
    ("en", "Who has never written a post?", ["- Ines\n- Leo\n"]),
    ("en", "Total overtime of the sales department in August, in minutes", ["6255 minutes"]),
    ("en", "Which day this week will be the coldest in Sapporo", ["Coldest: 2026-11-24 (Tue) (low -8℃).", "2026-11-20 (Fri): –"]),
    ("en", "Is it going to be colder tomorrow than today in Sapporo?", ["Cooler: 2026-11-21 (Sat) (high "]),
    ("en", "How many messages did people other than Maya write today?", ["There are 11."]),
    ("en", "How many times did Maya mention Leo?", ["There are 3."]),
    ("en", "Who posted after 15:00 today?", ["- Priya: 1", "after 15:00"]),
    ("en", "When will it rain in Tokyo?", ["Rain is likeliest: 2026-11-25 (Wed), 2026-11-26 (Thu) (30%)."]),
    ("en", "When will it rain in Tokyo today?", ["The chance of rain is 0% throughout.\n- 6:00–12:00: 0%"]),
    ("en", "Which day this week is likeliest to rain in Osaka?", ["Rain is likeliest: 2026-11-21 (Sat) (60%).", "this week"]),
    ("en", "Will it be above 15 degrees in Tokyo this week?", ["Days: 1\n- 2026-11-26 (Thu): 16℃", "above 15 degrees"]),
    ("en", "Who wrote the most posts?", ["Most: Maya (13).\n- Maya: 13\n- Tom: 2", "Read as: posts"]),
    ("en", "How many posts did each person write?", ["- Priya: 1\n- Ines: 0"]),
    ("en", "How many people wrote posts this month?", ["People: 4\n- Maya: 13"]),
    ("en", "How many people wrote messages this month?", ["People: 6\n- Maya: 36"]),
    ("en", "How many messages did people write this month?", ["There are 74."]),
    ("en", "On which day were the most posts written?", ["Most: 2026-11-06 (Fri), ", "(Thu) (2)."]),
    ("en", "Who replied the most?", ["Most: Maya (12).\n- Maya: 12\n- Tom: 6"]),
    ("en", "How many departments are there?", ["There are 5.\n- 人事部"]),
    ("en", "Which channels are there?", ["- #general\n- #dev\n- #random\n- #notes-maya\n- #notes-owen\n\n", "Read as: channels"]),
    ("en", "Which people are in the workspace?", ["- Maya (Maya Lindqvist, Backend engineer)\n- Tom", "people of the workspace"]),
    ("en", "What is #random for?", ["- #random topic: Anything goes, purpose: Not about work"]),
    ("en", "Which time zone is Leo in?", ["- Leo time zone: Asia/Tokyo"]),
    ("en", "When was demo-029 hired?", ["hire date: 2023-04-01"]),
    ("en", "Who was hired in 2015?", ["demo-001", "demo-025", "2015, without 1 who have left"]),
    ("en", "Who wrote the runbook?", ["owen: Runbooks/Release"]),
    ("en", "List today's deployments", ["Deployed v3.4.0", "Deployed v3.4.1", "Read as: messages, 2026-11-20 (Fri), Deploy bot"]),
    ("en", "Who reacted with a rocket to the release of v3.4.0?", ["- Tom\n- Owen\n- Leo\n"]),
    (
        "en",
        "How many minutes of overtime did demo-008 do in June 2026?",
        ["730", "the company counts 40 minutes, the hours worked give 90"],
    ),
    (
        "en",
        "Find Priya's posts from the 16th to the 20th",
        ["Read as: messages, 2026-11-16 (Mon)", "Milltown", "Alder Lane answered"],
    ),
    ("ja", "涼さんの役職は？", ["りょー 役職: SRE"]),
    ("ja", "設計メモは誰が書いた？", ["haruka: 設計/予約変更APIの設計メモ"]),
    ("ja", "いちばん新しい手順書は？", ["本番リリースの手順", "「手順書」"]),
    ("ja", "今週の#雑談を見せて", ["加湿器", "3への道", "#雑談\n"]),
    ("ja", "そーたさんの本名は？", ["本名: 高橋 颯太"]),
    ("ja", "健太 今日 何件", ["2 件です。"]),
    ("ja", "チャンネルは何がありますか", ["- #general\n- #dev\n- #雑談\n- #times-haruka\n- #times-ryo\n\n"]),
    ("ja", "今日いちばん最初に発言した人", ["2026-11-20 09:28 #general 結衣"]),
    ("ja", "先週と今週、メッセージが多いのはどっち？", ["多いのは 今週", "（55）", ": 31"]),
    ("ja", "返信がいちばん多くついたメッセージを教えて", ["返信 4 件", "2通届いた"]),
    ("ja", "10月に残業が30時間を超えた人は何人いますか", ["3 人です。", "35時間15分"]),
    ("ja", "8月と9月、山本楓さんの残業はどっちが多い？", ["多いのは 2026-08"]),
    ("ja", "明日の大阪、何時ごろ雨が降りそう？", ["降水確率がいちばん高い: 0時から6時（60%）"]),
    ("ja", "札幌は明日と今日、寒いのはどっち？", ["（最高"]),
    ("ja", "記事を一番多く書いたのは誰？", ["いちばん多い: 遥（14）\n- 遥: 14\n- 健太: 1", "読み方: 記事"]),
    ("en", "On how many days did Maya write messages this month?", ["Days: 9\n- 2026-11-20 (Fri): 14"]),
    ("en", "How many people replied today?", ["People: 6\n- Maya: 6"]),
    ("en", "Did Priya write to Maya about the mail?", ["@Maya can you have a look?"]),
    ("en", "How many reactions did Maya get?", ["15 reactions"]),
    ("ja", "今日返信したのは何人？", ["5 人です。"]),
    ("ja", "今月、何人がメッセージを書いた？", ["6 人です。\n- 遥: 41"]),
    ("ja", "記事は何人が書きましたか", ["4 人です。\n- 遥: 14"]),
    ("ja", "入社が一番早い人は誰？", ["demo-001): 2015-04-01", "退職者 2 人を除く"]),
    ("ja", "昨日 dev で健太さんは何を頼んでいましたか？", ["手順書", "頼みごと"]),
    ("ja", "日記以外の記事は何件？", ["5 件です。"]),
    ("ja", "今日、雑談で遥さん以外に発言した人はいますか", ["- りょー: 1\n"]),
    ("en", "How many messages were posted in #general this morning?", ["There are 2.", "this morning, 2026-11-20"]),
    ("en", "Who was the last to post in #general this morning?", ["11:45 #general Maya"]),
    ("en", "How many messages were posted in #dev this afternoon?", ["There are 9.", "12:42", "this afternoon"]),
    ("ja", "今朝の #general のメッセージは何件？", ["1 件です。", "今朝"]),
]
"""Questions with what stands in their answers."""

LEFT_OUT = [
    ("en", "Who posted the most in #random about dragons?", "dragons"),
    ("en", "Who worked overtime on 3 October?", "3 October"),
    ("en", "Which messages from Maya got no reactions?", "no reactions"),
    ("en", "Who posted the most on weekdays?", "weekdays"),
    ("en", "How many messages did Maya receive today?", "receive"),
    ("en", "Which messages were for Leo?", "Leo"),
    ("en", "How many messages to Maya were there today?", "to Maya"),
    ("en", "Who got the most messages?", "the most"),
    ("en", "How many replies did Tom get?", "get"),
    ("en", "How many people said thanks in #general?", "thanks"),
    ("en", "How many people wrote in #dev and #general today?", "general"),
    ("en", "How many people thanked somebody today?", "thanked"),
    ("ja", "健太さんへのメッセージを見せて", "健太"),
    ("ja", "返信を一番多くもらった人は？", "もらった"),
    ("ja", "結衣さんより発言が多い人は誰？", "多い"),
    ("ja", "遥さんだけが発言した日は何日？", "だけ"),
    ("ja", "東京と火星、明日寒いのはどっち？", "どっち"),
    ("en", "Did Leo post anything yesterday every week?", "every"),
    ("ja", "今日、遥さんに届いたメッセージ", "遥"),
    ("ja", "今日、健太さんに来たメッセージは？", "健太"),
]
"""Questions of which a count would leave something out, and what a refusal names."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(TOLD, of=40))
async def test_a_count_a_rank_and_a_comparison_hold_every_part_of_the_question(
    cases: list[tuple[str, str, list[str]]], tmp_path: Path
) -> None:
    asked = {one.question["q"]: one for one in await ask_each([(lang, q, "") for lang, q, _ in cases], tmp_path)}
    for _, question, said in cases:
        assert asked[question].completed, question
        assert [one for one in said if one not in asked[question].text] == [], asked[question].text
        assert not asked[question].doubts, question


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(LEFT_OUT, of=12))
async def test_a_count_that_would_leave_something_out_is_none(cases: list[tuple[str, str, str]], tmp_path: Path) -> None:
    asked = {one.question["q"]: one for one in await ask_each([(lang, q, "") for lang, q, _ in cases], tmp_path)}
    for _, question, named in cases:
        assert not asked[question].completed, asked[question].text
        assert named in asked[question].text, question


ORDERED = [
    ("en", "Which esa posts did Owen write, oldest first?", ["Load test at 60", "Releasing to production"]),
    ("en", "Which esa posts did Owen write, newest first?", ["Releasing to production", "Load test at 60"]),
    ("ja", "今日の雑談のメッセージを新しい順に見せて", ["3への道は長い", "辛さ2でちょうど"]),
]
"""Questions that say in which order all of them are listed, and what stands in their answers in that order."""


@requirement("V9")
async def test_oldest_first_asks_for_an_order_and_not_for_the_oldest_alone(tmp_path: Path) -> None:
    asked = {one.question["q"]: one for one in await ask_each([(lang, q, "") for lang, q, _ in ORDERED], tmp_path)}
    for _, question, said in ORDERED:
        assert asked[question].completed, asked[question].text
        places = [asked[question].text.find(one) for one in said]
        assert -1 not in places, asked[question].text
        assert places == sorted(places), asked[question].text
