"""Messages that ask more than one thing: each question is answered, and a later one is read with the earlier only where that is certain."""

from datetime import date
from pathlib import Path

import pytest

from autonomy.llm.offline.query.question_division import asked_again, leaves_out, questions_in, with_day
from autonomy.llm.offline.query.remarks import reading_after
from tests.bench.offline_questions import ask_all
from tests.requirements import requirement
from tests.support.sampling import in_shares

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("message", "questions"),
    [
        ("Who is our tech lead, and what is Leo's title?", ["Who is our tech lead", "what is Leo's title?"]),
        (
            "Hi all. Who wrote to Tom? How many came? Thanks.",
            ["Hi all. Who wrote to Tom?", "How many came? Thanks."],
        ),
        ("What is Tom's email, and who is Leo?", ["What is Tom's email", "who is Leo?"]),
        ("責任者は誰で、肩書きは何ですか。", ["責任者は誰で", "肩書きは何ですか。"]),
        ("PR #1とPR #2はそれぞれ誰が出しましたか", ["PR #1は誰が出しましたか", "PR #2は誰が出しましたか"]),
        ("PR #1とPR #2、今日それぞれ誰が出しましたか", ["PR #1は今日誰が出しましたか", "PR #2は今日誰が出しましたか"]),
        ("When did v1.0 and v1.1 go out?", ["When did v1.0 go out?", "When did v1.1 go out?"]),
        ("索引のPRの番号と、それを承認した人を教えて", ["索引のPRは何番ですか", "索引のPRを承認したのは誰ですか"]),
        ("Who reviewed #512, and what did he ask about?", ["Who reviewed #512", "what did he ask about?"]),
        ("店はどこですか。席はいくつですか。", ["店はどこですか。", "席はいくつですか。"]),
        ("When was it, and on which day?", []),
        ("Who brought buns? What was that again?", []),
        ("Who and what is Fernway?", []),
        ("I know who broke it. Who mends it?", []),
    ],
)
def test_a_sentence_or_a_clause_with_a_question_word_and_something_to_ask_of_is_a_question(
    message: str, questions: list[str]
) -> None:
    assert questions_in(message) == questions


@pytest.mark.parametrize(
    ("before", "question", "again"),
    [
        ("加湿器を出したのは何日で", "誰ですか", "加湿器を出したのは誰ですか"),
        ("颯太さんの肩書きは何で", "今日何をしましたか", "颯太さんは今日何をしましたか"),
        ("索引を足したのは誰で", "いつ本番に出ましたか", ""),
    ],
)
def test_a_question_word_alone_asks_the_question_before_again(before: str, question: str, again: str) -> None:
    assert asked_again(question, before) == again


@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        ("What is Owen's email?", "What did he write today?", "What did Owen write today?"),
        ("What is Tom's title?", "And what is Owen's?", "And what is Owen's title?"),
        ("What did Tom tell Owen?", "What did he write today?", None),
        ("Who is Maya's manager", "what is her email?", None),
        ("美咲さんのメールアドレスは何ですか。", "健太さんのは何ですか。", "健太さんのメールアドレスは何ですか。"),
    ],
)
def test_a_pronoun_or_a_missing_noun_is_filled_only_where_one_thing_can_be_meant(
    before: str, after: str, read: str | None
) -> None:
    found = reading_after(after, before, ["maya", "tom", "owen"], TODAY)
    assert (found and found.question) == read


def test_that_day_is_the_one_day_that_was_named_before() -> None:
    assert with_day("Who was off that day?", "What was said on Friday the 13th?", TODAY)[0] == "Who was off on Friday the 13th?"
    assert with_day("Who was off that day?", "What was said on Monday and Tuesday?", TODAY) == ("Who was off that day?", ())


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("メールアドレスは何ですか。", True),
        ("健太さんは何を書きましたか。", True),
        ("19日に誰が来ましたか。", True),
        ("19日に健太さんは何を書きましたか。", False),
    ],
)
def test_a_japanese_question_leaves_out_the_person_and_the_time_that_were_named_before(question: str, missing: bool) -> None:
    assert leaves_out(question, "19日に健太さんは誰に頼みましたか。", TODAY) is missing


ANSWERED = [
    ("en", "Who is our tech lead, and what is Leo's title?", ["Tom", "Frontend engineer"]),
    ("ja", "健太さんの肩書きは何ですか。美咲さんのも教えてください。", ["テックリード", "デザイナー"]),
    (
        "ja",
        "席替えの張り紙を作ってて、一言欄にSlackのステータスを写してるところなんですが、遥さんのは何になってますか？",
        ["予約APIまわり"],
    ),
]
REFUSED = [
    ("ja", "通知メールが2通届いたのは何というお店ですか。", ["答えられません"]),
    ("en", "What is Tom's email? Who won the world cup in 2014?", ["only a part", "tom@fernway.example"]),
    ("en", "Who is Maya's manager, and what is her email?", ["could not answer"]),
]


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares([*ANSWERED, *REFUSED], of=6))
async def test_each_question_of_a_message_is_answered_or_the_message_is_refused_with_the_part_that_is_known(
    cases: list[tuple[str, str, list[str]]], tmp_path: Path
) -> None:
    asked = await ask_all([{"lang": lang, "sample": lang, "q": message} for lang, message, _ in cases], tmp_path)
    answers = {one.question["q"]: one for one in asked}
    for _, message, says in cases:
        answer = answers[message]
        assert answer.completed is (message in {one for _, one, _ in ANSWERED}), message
        assert [word for word in says if word not in answer.text] == [], message
        assert "maya@" not in answer.text or "Maya's manager" not in message, "her manager's address is asked for"


async def test_one_text_that_answers_two_questions_stands_there_once(tmp_path: Path) -> None:
    message = "When was v3.4.1 released and how many readers were affected?"
    (answer,) = await ask_all([{"lang": "en", "sample": "en", "q": message}], tmp_path)
    assert (answer.completed, answer.text.count("Three readers were affected")) == (True, 1)
