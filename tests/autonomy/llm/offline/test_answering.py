"""Goals in words, without declared needs: the offline planner finds the tool and its arguments in the words."""

from typing import Any

import pytest

from autonomy.llm.model import Task
from autonomy.llm.offline.answering import chances_of_rain, subjects
from autonomy.llm.offline.planner import OfflinePlanner
from tests.autonomy.llm.offline.conversation import Answer, Refused, Tool, converse
from tests.requirements import requirement

CHANCES = {"today": [10, 60], "tomorrow": [0, 10], "week": [30]}


def forecast(arguments: dict[str, Any]) -> Any:
    if arguments["location"] == "火星":
        raise Refused("「火星」に日本国内の地名が見つかりません。")
    day = arguments.get("date", "today")
    return Answer(
        f"{arguments['location']}の{day}の天気: くもり",
        {"days": [{"date": "2026-11-21", "rain_chances": [{"percent": percent} for percent in CHANCES[day]]}]},
    )


WEATHER = Tool(
    "weather_get_weather",
    "日本国内の天気予報。傘が要るかもわかる (weather forecast)",
    {
        "location": {"type": "string", "description": "場所の名前"},
        "date": {"type": "string", "enum": ["today", "tomorrow", "week"], "default": "today"},
    },
    forecast,
    required=("location",),
)
SKY = Tool(
    "sky_forecast",
    "Weather forecast for a city.",
    {"city": {"type": "string"}, "when": {"type": "string", "description": "today, tomorrow or week"}},
    lambda a: forecast({"location": a["city"], "date": a.get("when", "today")}),
    required=("city",),
)
PEOPLE = Tool("crm_list_employees", "List the employees", {"cursor": {"type": "string"}}, lambda _: "佐藤\n田中")


async def ask(goal: str, *tools: Tool, **inputs: str):
    return await converse(OfflinePlanner(), Task(goal=goal, inputs=inputs), tools or (PEOPLE, WEATHER))


@requirement("C4", "L6")
@pytest.mark.parametrize(
    ("goal", "arguments"),
    [
        ("東京の天気を教えて", {"location": "東京"}),
        ("大阪の明日の天気は？", {"location": "大阪", "date": "tomorrow"}),
        ("つくばの週間天気", {"location": "つくば", "date": "week"}),
        ("「津」の天気", {"location": "津"}),
        ("weather in Osaka tomorrow?", {"location": "Osaka", "date": "tomorrow"}),
        ("横浜市に明日行くけど傘持って行くべき？", {"location": "横浜市", "date": "tomorrow"}),
    ],
)
async def test_place_and_day_come_from_the_words(goal, arguments):
    said = await ask(goal)
    assert said.calls == [("weather_get_weather", arguments)]
    assert f"{arguments['location']}の{arguments.get('date', 'today')}の天気: くもり" in said.text


async def test_another_weather_tool_with_other_argument_names_serves_as_well():
    said = await ask("大阪の明日の天気は？", SKY, PEOPLE)
    assert said.calls == [("sky_forecast", {"city": "大阪", "when": "tomorrow"})]


@requirement("C4")
async def test_whether_an_umbrella_is_needed_is_answered_with_yes_and_the_numbers_for_the_usual_place():
    said = await ask("今日は傘が必要？", location="京都")
    assert said.calls == [("weather_get_weather", {"location": "京都", "date": "today"})]
    assert said.text.startswith("はい、傘が必要です（降水確率は最大60%）。\n京都のtodayの天気")
    assert (await ask("明日の京都は傘いる？")).text.startswith("いいえ、傘はなくても大丈夫そうです（降水確率は最大10%）。")


async def test_the_answer_says_whose_words_it_gives():
    said = await ask("東京の天気を教えて")
    assert said.text.endswith("（オフラインプランナーの回答です。weather_get_weather の結果をそのまま載せています）")


async def test_two_places_are_asked_for_in_one_turn_and_one_that_fails_does_not_spoil_the_other():
    said = await ask("東京と大阪の天気")
    assert [arguments["location"] for _, arguments in said.calls] == ["東京", "大阪"]
    assert said.turns == 2
    assert "大阪のtoday" in (await ask("火星と大阪の天気")).text


async def test_without_a_place_it_says_which_argument_is_missing():
    said = await ask("今日は傘が必要？")
    assert said.calls == []
    assert "weather_get_weather" in said.text
    assert "location" in said.text


async def test_a_tool_s_error_is_passed_on_in_words():
    said = await ask("火星の天気")
    assert "日本国内の地名が見つかりません" in said.text


async def test_a_value_the_error_offers_is_taken_and_said():
    def ambiguous(arguments: dict[str, Any]) -> Any:
        if arguments["location"] == "池田町":
            raise Refused("「池田町」は複数あります。次のどれかを location に指定してください: 北海道池田町、長野県池田町")
        return "晴れ"

    said = await ask("池田町の天気", Tool(WEATHER.name, WEATHER.description, WEATHER.properties, ambiguous, ("location",)))
    assert said.called(WEATHER.name)[1]["location"] in ("北海道池田町", "長野県池田町")
    assert "「池田町」を「" in said.text


async def test_when_something_is_asked_for_says_nothing_about_what():
    people = Tool("chat_messages", "Read what people said: their messages", {"day": {"type": "string"}}, lambda _: "おはよう")
    assert [name for name, _ in (await ask("今日の発言を教えて", WEATHER, people)).calls] == ["chat_messages"]


async def test_data_is_told_line_by_line():
    posts = [
        {
            "number": 1,
            "full_name": "日記/今日",
            "message": "投稿しました",
            "created_by": "haruka",
            "updated_at": "2026-11-21T18:30:00+09:00",
        }
    ]
    tool = Tool("wiki_list_posts", "List the posts", {}, lambda _: {"posts": posts})
    assert (await ask("記事を見せて", tool)).text.startswith("- 2026-11-21T18:30 haruka: 日記/今日\n")


@pytest.mark.parametrize("goal", ["こんにちは", "日本の首都は？", "来期の予算案をまとめて", "予定を教えて", "tell me a joke"])
async def test_what_no_tool_speaks_of_is_not_answered_with_the_nearest_one(goal):
    said = await ask(goal)
    assert said.calls == []
    assert "オフラインプランナー" in said.text


@pytest.mark.parametrize(
    "goal", ["メッセージを投稿して", "東京の天気を調べて、チャンネルに送って", "日記を書いて", "Post the weather to general"]
)
async def test_a_goal_in_words_never_writes_and_says_so_instead_of_doing_half(goal):
    post = Tool("chat_post_message", "メッセージを投稿する", {"text": {"type": "string"}}, lambda _: "ok", ("text",), "outward")
    said = await ask(goal, post, WEATHER, PEOPLE)
    assert said.calls == []
    assert "ジョブに宣言されたものだけ" in said.text


@pytest.mark.parametrize("goal", ["東京の天気について書いてあることを教えて", "明日更新される東京の天気予報"])
async def test_asking_about_something_written_is_no_order_to_write(goal):
    assert [name for name, _ in (await ask(goal)).calls][:1] == [WEATHER.name]


async def test_english_is_answered_in_english():
    said = await converse(OfflinePlanner(), Task(goal="do I need an umbrella in Tokyo today?", language="en"), [WEATHER])
    assert said.text.startswith("Yes, take an umbrella (chance of rain up to 60%).")


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("東京の天気を教えてください", ["東京"]),
        ("さいたまの天気", ["さいたま"]),
        ("今日は傘が必要？", []),
        ("明日の東京は雨が降りますか", ["東京"]),
        ("お天気ボットさん、名古屋の今週の天気を調べて", ["名古屋"]),
        ("雨竜町の天気", ["雨竜町"]),
        ("人吉市の明日の天気", ["人吉市"]),
    ],
)
def test_names_are_what_is_left_of_a_question(goal, found):
    assert subjects(goal, WEATHER.definition) == found


def test_chances_of_rain_are_read_wherever_they_stand_and_nothing_else_is():
    data = {"temp": 21, "pops": ["10", "20%"], "day": {"precipitation_probability": 70, "rain": {"from": "2026-11-21T06:00"}}}
    assert chances_of_rain(data) == [10, 20, 70]
