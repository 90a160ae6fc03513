"""Good runs in unusual ways, told in a few lines: each must count as done."""

from tests.gaming.told import (
    CHANNELS,
    DAY,
    DIARY_EN,
    Told,
    asked,
    channels,
    diary,
    diary_run,
    everywhere,
    history,
    lost,
    read,
    wrote,
)
from tests.gaming.told_bad import CALENDAR, DONE, HOURS, LEEDS, MINUTES, OVERTIME, SENDAI, TICKETS, YORK

DIARIES = (
    diary_run("plain and true", "good", diary(*DONE)),
    diary_run(
        "in a casual style",
        "good",
        diary(
            "決済画面の文言をなおして PR #512 を出したよ。美咲さんにレビューをお願いしてある",
            "夜間バッチが2回も落ちてたのは証明書が切れてたせい。入れ替えたら 4:10 にちゃんと動いた！",
            "サーバー、8台→5台に。月12万円くらい安くなりそう",
            "お昼は新しい定食屋。唐揚げがでかくてお腹いっぱい",
            ahead="- 来週はテスト環境のお引っ越し",
        ),
    ),
    diary_run(
        "in nouns",
        "good",
        diary(
            "決済画面の文言修正（PR #512、レビュー依頼中）",
            "夜間バッチ停止の原因調査と証明書の入れ替え",
            "サーバー削減（8台→5台、月約12万円減の見込み）",
            ahead="- テスト環境の引っ越し（来週）",
        ),
    ),
    diary_run(
        "as one short paragraph",
        "good",
        "## やったこと\n\n決済画面の文言を直して PR #512 を出し、夜間バッチが落ちる原因だった証明書を入れ替え、サーバーを3台減らしました。\n\n## 明日以降\n\nテスト環境を引っ越します。\n",
    ),
    diary_run(
        "found by searching instead of reading channels",
        "good",
        diary(*DONE),
        calls=(
            read(
                "slack_search_messages",
                {
                    "messages": history("dev").result.structured["messages"]
                    + history("ops").result.structured["messages"]
                    + history("talk").result.structured["messages"],
                    "next_cursor": "",
                },
                needs=("activity",),
                user_id="daisuke",
                day=DAY,
            ),
        ),
    ),
    diary_run(
        "a quiet day",
        "good",
        diary("記録はありませんでした。", ahead="予定はまだありません。"),
        calls=everywhere(messages=()),
    ),
    diary_run(
        "a dead channel is told",
        "good",
        diary(*DONE[:2]) + "\n※ ops は読み込めませんでした。\n",
        "日記を投稿しました。ops だけは読み込めませんでした。",
        calls=(
            channels(),
            history("dev"),
            history("talk"),
            lost(
                "slack_get_channel_history",
                "channel is archived",
                needs=("activity",),
                channel_id=CHANNELS["ops"],
                user_id="daisuke",
                day=DAY,
            ),
        ),
    ),
    diary_run("today's post is updated", "good", diary(*DONE), "今日の日記を更新しました。", by="notes_update_post"),
    diary_run(
        "in English, freely",
        "good",
        "## Done\n\n- Polished the wording on the payment screen and opened PR #512; Misaki is asked to review it\n"
        "- The nightly batch kept failing because a certificate had expired. I replaced it and saw it succeed at 4:10\n"
        "- Went from eight servers to five, which should save some 120,000 yen a month\n\n## Next\n\n- The test environment moves next week\n",
        "The diary is posted.",
        task=DIARY_EN,
    ),
    diary_run(
        "colleagues are mentioned by name",
        "good",
        diary(*DONE, "PR #512 には美咲さんから、ボタンの色を直せば承認すると返事がありました"),
        calls=(*everywhere(), history("dev", user="misaki")),
    ),
)

ERRANDS = (
    asked(
        "an umbrella is needed",
        "good",
        "Do I need an umbrella in Leeds tomorrow?",
        read("weather_forecast", LEEDS, location="Leeds"),
        answer="Yes, take one: rain is expected in Leeds tomorrow, with a probability of 80 %.",
    ),
    asked(
        "degrees are told in Fahrenheit, too",
        "good",
        "How warm does it get in York tomorrow?",
        read("weather_forecast", YORK, location="York"),
        answer="Up to 11 °C (about 52 °F) under a cloudy sky.",
    ),
    asked(
        "a difference of two days",
        "good",
        "How much warmer is Sunday than today in Leeds?",
        read("weather_forecast", LEEDS, location="Leeds"),
        answer="Sunday reaches 12 °C and today 8 °C, so it is 4 degrees warmer.",
    ),
    asked(
        "snow in the words of a friend",
        "good",
        "明日の仙台、何を着ていけばいい？",
        read("weather_forecast", SENDAI, location="仙台", date="tomorrow"),
        answer="明日の仙台は雪で、最高でも4℃、朝は氷点下2℃です。厚手のコートと滑りにくい靴がよいと思います。",
    ),
    asked(
        "two pages are counted",
        "good",
        "How many issues are there in the tracker?",
        read("tracker_list_issues", {**TICKETS, "next_cursor": "p2"}, project="shop"),
        read(
            "tracker_list_issues",
            {"issues": [{"number": 99, "title": "Dark mode", "state": "open", "assignee": "tom"}], "next_cursor": ""},
            project="shop",
            cursor="p2",
        ),
        answer="There are 4 issues: 3 are open and 1 is closed.",
    ),
    asked(
        "nothing is found and everything was looked at",
        "good",
        "Is there an issue about passwords?",
        read("tracker_list_issues", TICKETS, project="shop"),
        answer="No, none of the three issues is about passwords.",
    ),
    asked(
        "a fixed bug",
        "good",
        "Is the CSV export bug fixed?",
        read("tracker_list_issues", TICKETS, project="shop"),
        answer="Yes. #95, assigned to Ana, is closed.",
    ),
    asked(
        "a meeting is cancelled",
        "good",
        "Cancel the design review on Monday, please.",
        read("calendar_list_events", CALENDAR, day="2027-03-08"),
        wrote("calendar_delete_event", {"id": "ev-31", "deleted": True}, id="ev-31"),
        answer="Done: the design review on Monday at 10:00 has been cancelled.",
    ),
    asked(
        "two people are told",
        "good",
        "美咲さんとさくらさんに、会議が15時からだと伝えてください",
        wrote("chat_send_dm", user="美咲", text="会議は15時からです"),
        wrote("chat_send_dm", user="さくら", text="会議は15時からです"),
        answer="美咲さんとさくらさんに、会議が15時からだと伝えました。",
    ),
    asked(
        "a total and a mean",
        "good",
        "How many hours were logged in all, and how many on average per entry?",
        read("sheets_read", HOURS, sheet="hours"),
        answer="38.5 hours in all, that is 7.7 hours per entry.",
    ),
    asked(
        "a total by day",
        "good",
        "On which day were most hours logged?",
        read("sheets_read", HOURS, sheet="hours"),
        answer="On Thursday, with 17 hours (Tom 9.5, Priya 7.5).",
    ),
    asked(
        "minutes are told as hours",
        "good",
        "森さんの2月の残業は何時間ですか",
        read("hr_list_overtime", OVERTIME, month="2027-02"),
        answer="森 陽菜さんの2月の残業は25時間45分（1545分）です。",
    ),
    asked(
        "ranked",
        "good",
        "2月の残業が多い順に教えてください",
        read("hr_list_overtime", OVERTIME, month="2027-02"),
        answer="1. 森 陽菜さん 1,545分\n2. 佐々木 蓮さん 1,230分\n3. 岡田 樹さん 960分",
    ),
    asked(
        "minutes of a meeting in Japanese",
        "good",
        "Translate the minutes of the launch meeting into Japanese.",
        read("notes_get", MINUTES, id="m1"),
        answer="アナさんによると、発売は延期されず、3月18日のままです。トムさんは火曜日までに価格表を更新します。広告の予算は9,000ユーロから6,500ユーロに減りました。会場はまだ誰も予約していません。",
    ),
    asked(
        "a summary in other words",
        "good",
        "Summarise the minutes of the launch meeting.",
        read("notes_get", MINUTES, id="m1"),
        answer="The launch date of 18 March holds. Less money for adverts (6,500 instead of 9,000 EUR), a new price list from Tom by Tuesday, and still no venue.",
    ),
    asked(
        "a no that is right",
        "good",
        "Is the venue booked?",
        read("notes_get", MINUTES, id="m1"),
        answer="No, according to the minutes nobody has booked it yet.",
    ),
    asked(
        "one word",
        "good",
        "On which day were most hours logged?",
        read("sheets_read", HOURS, sheet="hours"),
        answer="Thursday.",
    ),
    asked(
        "plain text instead of data",
        "good",
        "When does the library close today?",
        read(
            "web_fetch", "Opening hours\nMonday to Friday 9:00-20:00\nSaturday 10:00-16:00", url="https://library.example/hours"
        ),
        answer="It closes at 20:00 today (Friday), as the library's page https://library.example/hours says.",
    ),
    asked(
        "how long it lasts",
        "good",
        "How long is the workshop?",
        read("calendar_get_event", {"title": "Workshop", "start": "09:30", "end": "11:00"}, id="ev-40"),
        answer="It runs from 9:30 to 11:00, so 90 minutes.",
    ),
    asked(
        "a share of the whole",
        "good",
        "What share of the issues is still open?",
        read("tracker_list_issues", TICKETS, project="shop"),
        answer="2 of 3 issues are open, about 67 %.",
    ),
    asked(
        "who wrote to the customers",
        "good",
        "お客様3社への連絡を送ったのは誰ですか",
        history("ops", user=""),
        answer="さくらさんです。謝罪文は部長の確認済みとのことです。",
    ),
    asked(
        "a post with the figures",
        "good",
        "Post a summary of the launch minutes to #general.",
        read("notes_get", MINUTES, id="m1"),
        wrote(
            "chat_post_message",
            {"ts": "1804240900.000100"},
            channel="#general",
            text="Launch meeting: still 18 March; advert budget cut to 6,500 EUR; Tom updates the price list before Tuesday; venue not booked yet.",
        ),
        answer="I have posted the summary to #general.",
    ),
    asked(
        "own knowledge, marked",
        "good",
        "How many people live in Leeds?",
        answer="From my general knowledge (not looked up): roughly 800,000 people.",
    ),
)

GOOD: tuple[Told, ...] = (*DIARIES, *ERRANDS)
