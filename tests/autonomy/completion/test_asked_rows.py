"""What is told of rows, and how it can be shown, is held against what was read."""

from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from autonomy.agent.prompt import what_is_missing
from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.provenance import sentence_vectors
from tests.gaming.told import Told, asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")

SHEET = read(
    "sheet_month",
    "| Name | Team | Overtime (h:mm) |\n|---|---|---|\n| Aiko Tanaka | Backend | 47:20 |\n| Ben Carter | Backend | 38:45 |\n"
    "| Chika Mori | Mobile | 45:00 |\n| Emi Sato | SRE | 61:05 |",
)
OVER = "Who went over 45 hours of overtime in February?"
STOCK = read("file_read", "品名,在庫\nコピー用紙,12\nトナー,30\n封筒,80\n電池,5")
LOW = "在庫が20個を下回る物を挙げて"
REVENUE = read("file_read", "region,jan_eur,feb_eur\nNorth,48200,51650\nSouth,61900,58420\nOnline,72300,70115\nEast,1000,600")
LOST = "Which region lost the most revenue from January to February?"
POLICY = read("wiki_get", "# Incidents\n\nSeverity 1 is announced within 15 minutes, even if the cause is **unknown**.")
QUOTED = "What exactly does our wiki say about severity 1? Quote it."
EVENTS = read(
    "calendar_list",
    {
        "timeZone": "Europe/London",
        "items": [
            {"summary": "Board prep", "start": "2027-03-08T09:00:00-05:00", "end": "2027-03-08T10:00:00-05:00"},
            {"summary": "Dentist", "start": "2027-03-08T10:00:00+00:00", "end": "2027-03-08T10:45:00+00:00"},
        ],
    },
)
LONDON = "When is my board prep on Monday? I am in London."


def found(question: str, evidence: object, answer: str) -> str:
    told: Told = asked("told", "good", question, evidence, answer=answer)  # type: ignore[arg-type]
    verdict = judge(AssistantMessage(text=answer), told.context())
    return "; ".join((*verdict.findings, *verdict.remarks))


@pytest.mark.parametrize(
    ("question", "evidence", "answer"),
    [
        (OVER, SHEET, "Over 45 hours:\n\n- Emi Sato: 61:05\n- Aiko Tanaka: 47:20\n\nChika Mori landed on exactly 45:00."),
        (LOW, STOCK, "2つあります。\n\n- コピー用紙: 12\n- 電池: 5"),
        (LOST, REVENUE, "South lost the most: €3,480, from €61,900 to €58,420."),
        (LOST, REVENUE, "East lost the most of its revenue: 40 %, from €1,000 to €600."),
        (QUOTED, POLICY, "> Severity 1 is announced within 15 minutes, even if the cause is unknown."),
        (LONDON, EVENTS, "Your board prep is from 14:00 to 15:00."),
    ],
)
def test_what_fits_the_question_counts_as_done(question: str, evidence: object, answer: str) -> None:
    assert found(question, evidence, answer) == ""


def test_a_count_may_be_that_of_any_list_of_the_answer() -> None:
    log = read(
        "log_read", "02:00 INFO started\n02:10 WARN disk is slow\n02:20 ERROR copy of IMG_1 failed\n02:34 INFO finished status=ok"
    )
    answer = "Finished at 02:34.\n\n- started at 02:00\n\n2点ありました。\n\n- 02:10 disk is slow\n- 02:20 copy of IMG_1 failed"
    assert "2点" not in found("バックアップはどうでしたか", log, answer)


def _forecast(weather: str, umbrella: str) -> object:
    day = {"date": "2026-11-29", "weather": weather, "temp_max_c": 13, "rain_percent": 0, "umbrella": umbrella}
    return read("weather_get_weather", {"location": "Tokyo", "days": [day]})


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("In Tokyo today it is clear, at times cloudy, with a high of 13°C and a 0% chance of rain.", True),
        ("Today in Tokyo the temperature is at most 13 °C, and the chance of rain is at most 0 %.", True),
        ("**Tokyo, today:** clear, at times cloudy. Max 13 °C, 0 % rain.", True),
        ("The maximum temperature is 13°C. The probability of rain is 0%, so no umbrella is needed.", True),
        ("It will rain in Tokyo today; take an umbrella.", False),
    ],
)
def test_a_chance_of_nothing_is_told_of_none_of_it(answer: str, holds: bool) -> None:
    forecasts = (
        _forecast("晴れ 時々 くもり", "不要"),
        _forecast("clear, at times cloudy", "not needed (chance of rain up to 0%)"),
    )
    for forecast in forecasts:
        assert (found("What is the weather in Tokyo today?", forecast, answer) == "") is holds, forecast


def test_an_answer_that_gives_up_though_something_was_read_is_no_answer() -> None:
    forecast, question = _forecast("clear", "not needed"), "What is the weather in Tokyo today?"
    log = read(
        "log_read", "02:20 ERROR An error occurred while copying\n02:30 WARN the index could not be read\n02:34 INFO finished"
    )
    for asked_of, evidence, answer, ending in [
        (question, forecast, "I could not read the weather.", "unanswered"),
        (question, forecast, "An error occurred.", "unanswered"),
        (question, forecast, "天気を読み取れませんでした。", "unanswered"),
        (question, forecast, "The weather could not be retrieved. Please try again later.", "unanswered"),
        (question, forecast, "I'm sorry. I was not able to determine the weather in Tokyo.", "unanswered"),
        (question, forecast, "天気の取得に失敗しました。後でもう一度お試しください。", "unanswered"),
        (question, forecast, "I could not read the wind. It is clear, and at most 13 degrees.", "completed"),
        ("What went wrong in the backup?", log, "An error occurred while copying.", "completed"),
        ("What about the index in the backup?", log, "The index could not be read.", "completed"),
    ]:
        told: Told = asked("told", "good", asked_of, evidence, answer=answer)  # type: ignore[arg-type]
        assert judge(AssistantMessage(text=answer), told.context()).ending == ending, answer


def test_a_refusal_after_tools_that_were_out_of_reach_does_not_blame_the_model() -> None:
    failed = lost("weather_get_weather", "the server cannot be reached")
    reply = AssistantMessage(text="I could not answer that.", stop_reason="refusal")
    for kind, reason in [
        ("retryable", "no tool worked: weather_get_weather: the server cannot be reached"),
        ("terminal", "the model could not or would not do it"),
    ]:
        call = failed.model_copy(update={"result": failed.result.model_copy(update={"kind": kind})})
        told: Told = asked("told", "good", "What is the weather in Tokyo today?", call, answer=reply.text)
        verdict = judge(reply, told.context())
        assert (verdict.ending, verdict.reason) == ("declined", reason)


def test_no_encoder_is_loaded_for_a_refusal_but_where_something_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_texts: Sequence[str]) -> list[object]:
        raise AssertionError("loaded")

    monkeypatch.setattr(sentence_vectors, "_INSTALLED", True)
    monkeypatch.setattr(sentence_vectors, "_encoded", load)
    text = "No message tells of a parcel from abroad."
    refused, answered = (AssistantMessage(text=text, stop_reason=why) for why in ("refusal", "end"))
    for reply, calls, loads in [
        (refused, (SHEET,), False),
        (answered, (SHEET,), True),
        (refused, (SHEET, wrote("wiki_post", {"id": 7}, body="Nobody has said anything of that here.")), True),
    ]:
        run: Told = asked("told", "good", "Did a parcel come?", *calls, answer=text)
        with pytest.raises(AssertionError, match="loaded") if loads else nullcontext():
            assert judge(reply, run.context()).ending == "declined"


def test_a_doubted_sentence_that_quotes_the_line_it_rests_on_counts() -> None:
    stock = read("file_read", "品名,発注点,在庫\n竹ざる,30,42\n木べら,30,12")
    doubted = "竹ざるの発注はまだです。"
    shown = found("竹ざるは発注した？", stock, doubted)
    quoted = found("竹ざるは発注した？", stock, "竹ざるの発注はまだです（「発注点: 30, 在庫: 42」）。")
    assert "does not agree" not in quoted or "does not agree" not in shown


def test_the_remark_says_how_to_show_what_was_reckoned_or_doubted() -> None:
    plain = what_is_missing(("the answer is empty",))
    reckoned = what_is_missing(("『42%』 has no source",))
    doubted = what_is_missing(("'it failed' does not agree with what was read: 'it passed'",))
    assert "reckoning" not in plain
    assert "quotation marks" not in plain
    assert "42 % (5 / 12)" in reckoned
    assert "in quotation marks" in doubted
