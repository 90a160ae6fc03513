"""A question that asks on about what the answer before found, or that this answer tells as well."""

from pathlib import Path

import pytest

from tests.bench.offline_questions import Asked, ask_all
from tests.requirements import requirement
from tests.support.sampling import in_shares

CARRIED = [
    ("en", "Which channel was busiest today and who posted there most?", "#dev", "Most: Maya (6)."),
    ("en", "Which day this week had the most messages and who wrote most on that day?", "2026-11-20", "Most: Maya (14)."),
    ("en", "Who was the quietest this week and what's their email address?", "Ines", "ines@fernway.example"),
    ("en", "Who wrote the Getting started page and what's his email?", "Tom", "tom@fernway.example"),
    ("en", "Who reported the double mail and in which channel?", "Alder Lane library says", "#general Priya"),
    ("en", "Who said the load test was booked, and for which day?", "Owen", "Tuesday"),
    ("en", "Who reviewed PR #512, and what was their one question about?", "Tom", "the lock order"),
    ("en", "How many readers were hit by the double mail, and who wrote to them?", "Three readers", "Priya wrote to them"),
    (
        *("en", "Which library asked again about moving holds on the 10th, and how many libraries did that make this month?"),
        *("Harbour Street", "five libraries"),
    ),
    ("ja", "今日のリリース直後、最初の5分で予約の変更は何件あって、エラーは何件でしたか？", "6件", "エラーは0件"),
    ("ja", "今週一番投稿が多いチャンネルはどこで、そこで一番書いているのは誰ですか？", "#dev", "いちばん多い: 遥（13）"),
    ("ja", "今日一番発言した人は誰で、その人の肩書きは何ですか？", "遥", "バックエンドエンジニア"),
    ("ja", "今週メッセージが一番多かった日はいつで、その日一番書いたのは誰ですか？", "11月20日", "いちばん多い: 遥（15）"),
]
"""Two questions in one message, and what the answers to both must hold."""
NOT_CARRIED = [
    ("en", "Who approved PR #525 and what did they like about it?"),
    ("en", "Who was busiest today? And their title?"),
    ("ja", "投稿が一番多かったのは誰で、その人の肩書きは？"),
    ("ja", "PR #431を出したのは誰で、その人の肩書きは？"),
    ("ja", "お店との打ち合わせが終わったのは何日で、どんな声があったんですか？"),
    ("ja", "社内お試しで見つかった指摘は何件で、そのうち何件直しましたか？"),
    ("en", "Who fixed the double mail, and where did they buy it?"),
]


async def _ask(cases: list[tuple[str, str]], home: Path) -> list[Asked]:
    return await ask_all([{"lang": lang, "sample": lang, "q": question} for lang, question in cases], home)


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(CARRIED, of=20))
async def test_the_channel_person_day_or_message_that_was_found_is_carried_into_the_next_question(
    cases: list[tuple[str, str, str, str]], tmp_path: Path
) -> None:
    asked = {one.question["q"]: one for one in await _ask([(lang, question) for lang, question, *_ in cases], tmp_path)}
    for _, question, *facts in cases:
        assert asked[question].completed, question
        assert all(fact in asked[question].text for fact in facts), asked[question].text


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(NOT_CARRIED, of=6))
async def test_what_the_message_that_was_found_does_not_tell_by_its_kind_is_refused(
    cases: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert not [one.text for one in await _ask(cases, tmp_path) if one.completed]
