"""Messages of several clauses: the one that asks is answered alone only where no other may restrict it."""

from datetime import date
from pathlib import Path

import pytest

from autonomy.llm.offline.query.remarks import Reading, readings
from autonomy.llm.offline.questions.question_reading import normalize_chat
from tests.bench.offline_questions import ask_all
from tests.requirements import requirement
from tests.support.sampling import in_shares

PEOPLE = ("maya", "tom", "owen", "leo")
TODAY = date(2026, 11, 20)
ASKED = "who wrote to the readers?"


def read(message: str) -> list[Reading]:
    return list(readings(message, PEOPLE, TODAY))


@pytest.mark.parametrize(
    ("message", "question"),
    [
        (f"Busy team, wow. {ASKED}", ASKED),
        ("what did Maya release this afternoon? sounds like a lot of work", "what did Maya release this afternoon?"),
        ("tom looks tired. what is his email?", "what is Tom's email?"),
        ("owen says hi. where does he sit", "where does Owen sit"),
        ("my boss wants to know who wrote to the readers", "who wrote to the readers"),
        ("would you mind telling me who wrote to the readers?", ASKED),
        ("新人なんですが、みかんはどこですか？", "みかんはどこですか？"),
        ("みかんどこ？まとめを書いてるんで助かります", "みかんどこ？"),
        ("number of the mail fix, have to put it on a slide", "number of the mail fix"),
    ],
)
def test_the_clause_that_asks_is_read_alone_with_the_person_in_place_of_the_pronoun(message: str, question: str) -> None:
    assert question in [one.question for one in read(message)]


@pytest.mark.parametrize(
    "message",
    ["遥さんは今日何を言っていた？それと、結衣さんは？", "遥さんは今日何を言っていた？結衣さんは？", f"{ASKED} And Tom?"],
)
def test_a_second_question_without_a_question_word_is_not_left_aside(message: str) -> None:
    assert read(message) == []


@pytest.mark.parametrize(
    ("beside", "owed"),
    [
        ("Yesterday was hard.", "Yesterday"),
        ("It was 3.4.1.", "3.4.1"),
        ("Two of us know.", "Two"),
        ("We are in osaka.", "osaka"),
        ("I am going to Kyoto.", "Kyoto"),
        ("Leo was off.", "leo"),
        ("See #dev for more.", "#dev"),
        ("コーヒーです。", "コーヒー"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_date_a_place_a_number_and_a_name_beside_the_question_are_owed(beside: str, owed: str, first: bool) -> None:
    found = read(f"{beside} {ASKED}" if first else f"{ASKED} {beside}")
    assert found
    assert all(owed in one.owed for one in found)


RESTRICTING = [
    "Not the old one.",
    "Only staging.",
    'They call it "hold".',
    "Everyone but me knows.",
    "How is that?",
    "Unless it failed.",
    "I mean the index.",
    "本番じゃなくて検証です。",
]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("beside", RESTRICTING)
def test_a_negation_a_condition_a_quotation_and_a_second_question_are_never_left_aside(beside: str, first: bool) -> None:
    assert read(f"{beside} {ASKED}" if first else f"{ASKED} {beside}") == []


@pytest.mark.parametrize(
    ("message", "owed"),
    [
        ("I have a demo on Monday. who wrote to the readers?", False),
        ("I was off on Monday. who wrote to the readers?", True),
        ("I was off on Monday. what did Maya say on Tuesday?", False),
        ("I am off on Monday. how will the weather be?", True),
    ],
)
def test_a_day_that_somebody_tells_of_himself_is_owed_unless_the_question_is_of_another_time(message: str, owed: bool) -> None:
    assert [bool(one.owed) for one in read(message)] == [owed]


@pytest.mark.parametrize(
    "beside", ["I need the second one.", "I already know of Tom's.", "My question is about staging.", "本番のほうです。"]
)
def test_what_somebody_means_wants_or_knows_of_a_thing_is_not_left_aside(beside: str) -> None:
    assert read(f"{beside} {ASKED}") == []


@pytest.mark.parametrize("message", [ASKED, "Tom met Leo. where does he sit?", "The design is done. how was it fixed?"])
def test_one_clause_a_pronoun_for_one_of_two_and_a_manner_are_left_as_they_are(message: str) -> None:
    assert read(message) == []


def test_what_a_question_owes_is_put_where_its_language_has_room() -> None:
    assert Reading("which library complained?", (), ()).with_words(["mail", "twice"]) == "which library complained mail twice?"
    assert Reading("何個消しましたか", (), ()).with_words(["アラート"]) == "アラート、何個消しましたか"
    assert Reading(ASKED, (), ()).with_words(["readers"]) == ASKED


def test_interjections_and_missing_apostrophes_of_chat_are_read_but_a_negation_stays_one() -> None:
    assert normalize_chat("hows the release going lol?") == "how's the release going?"
    assert "can't" in normalize_chat("tell me who cant deploy")


SAID = [
    ("en", "Owen seems chatty haha. whats his email?", "owen@fernway.example", "Owen seems chatty."),
    ("en", "everybody talks about some mail that came twice?? which library was it that complained", "", ""),
    ("en", "I work with the payroll team. when was the load test?", "Load test finished", "I work with the payroll team."),
    ("en", "I work with the payroll team. when was the test?", "", ""),
    ("en", "I work with Tom. when was the load test?", "Load test finished", "I work with Tom."),
    ("en", "the runbook is long. how many errors did the load test throw?", "", ""),
    ("en", "reader asks where's my book. what do i do?", "", ""),
    ("en", "so maya has something in her slack status, what is it about?", "", ""),
    ("ja", "戻る押すと古い日時が出るやつ、どうやって直した？", "", ""),
    ("ja", "なんで2通も届いちゃったの？ざっくりでいいので", "時間切れ", ""),
    ("en", "my laptop is lost and I only began on Wednesday. who's our site reliability person?", "Owen", "I only began"),
    ("en", "I missed Tuesday. What did Owen write in #dev?", "Nothing found", "I missed Tuesday."),
    ("ja", "電話のあと手が止まってます…v2.9.1が本番にデプロイされたのは何時ですか？", "16:41", "手が止まってます…"),
    ("ja", "検証環境なんですが、v2.9.0はいつデプロイされましたか？", "", ""),
    ("ja", "検証環境の話をしてます。v2.9.0はいつデプロイされましたか？", "", ""),
    (
        "en",
        "I couldn't sleep last night, haha. How many readers were affected by the double mail?",
        "Three readers",
        "I couldn't",
    ),
    ("en", "Lovely weather out there, isn't it? Anyway, who books the load tests?", "Load test is booked", "Lovely weather"),
    ("ja", "昨日は早退してしまって話についていけてません。v2.9.1で直したのは何ですか？", "二重送信", "昨日は早退"),
    ("ja", "引っ越しの片付けが終わらなくて寝不足です笑 加湿器を出したのは誰ですか？", "加湿器を出しました", "寝不足"),
    ("ja", "昨日はお休みでした。涼さんはdevで何と言っていましたか？", "承認します", "昨日は"),
    ("en", "It's my second week and I'm loving it here. Who took the blue umbrella?", "Owen: Me", "It's my second week"),
    ("ja", "帰る前にひとつだけ！味噌は誰が仕込みましたか？", "味噌を仕込みました", "帰る前に"),
    ("en", "I was off on Wednesday. What did Maya merge?", "PR #521", "I was off"),
]


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(SAID, of=16))
async def test_an_answer_names_what_it_leaves_aside_and_holds_what_that_names_of_the_workspace(
    cases: list[tuple[str, str, str, str]], tmp_path: Path
) -> None:
    asked = await ask_all([{"lang": lang, "sample": lang, "q": message} for lang, message, _, _ in cases], tmp_path)
    answers = {one.question["q"]: one for one in asked}
    for _, message, says, aside in cases:
        assert answers[message].completed is bool(says), message
        assert says in answers[message].text, message
        assert aside in answers[message].text, message
