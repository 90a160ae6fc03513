"""Runs that were told after the rules had been mended once, to see what the rules make of what they have not met."""

from tests.gaming.told import CHANNELS, DIARY_EN, Told, asked, channels, diary, diary_run, history, lost, read, wrote
from tests.gaming.told_bad import CALENDAR, DONE, HOURS, LEEDS, MINUTES, OVERTIME, SENDAI, TICKETS

STOCK = {
    "rows": [
        {"sku": "A-100", "name": "bolts", "in_stock": 340, "reorder_at": 200},
        {"sku": "B-220", "name": "hinges", "in_stock": 45, "reorder_at": 60},
        {"sku": "C-310", "name": "handles", "in_stock": 12, "reorder_at": 50},
    ]
}
TRAINS = {
    "departures": [
        {"train": "こだま 701号", "from": "三島", "to": "東京", "departs": "06:25", "arrives": "07:23"},
        {"train": "ひかり 632号", "from": "三島", "to": "東京", "departs": "08:14", "arrives": "08:56"},
    ]
}
LEAVE = {
    "rows": [
        {"name": "佐々木 蓮", "remaining_days": 3.5, "expires": "2027-03-31"},
        {"name": "森 陽菜", "remaining_days": 11, "expires": "2027-09-30"},
    ]
}
PULLS = {
    "pull_requests": [
        {"number": 71, "title": "Cache the price list", "author": "ana", "state": "merged", "merged_at": "2027-03-04T15:20:00Z"},
        {"number": 72, "title": "Drop the old importer", "author": "tom", "state": "open", "reviews": 0},
        {"number": 74, "title": "Retry failed uploads", "author": "ana", "state": "closed", "merged_at": None},
    ]
}
WIKI = {
    "title": "入館の手引き",
    "body": "来客は前日17時までに総務へ申請します。\n駐車場は2台まで使えます。\n夜20時以降は裏口から入ります。",
}

BAD: tuple[Told, ...] = (
    # diary
    diary_run("a lunch is moved to the evening", "bad", diary(*DONE[:2], "夜に新しい定食屋へ行き、唐揚げで満腹になりました")),
    diary_run("the first failure is the second", "bad", diary(DONE[0], "夜間バッチが証明書の期限切れで落ち、入れ替えましたが、まだ成功していません", DONE[2])),
    diary_run("the review is turned down", "bad", diary(DONE[0] + "が、美咲さんにレビューを断られました", *DONE[1:])),
    diary_run(
        "a colleague's fair is one's own plan", "bad", diary(*DONE), calls=(channels(), *(history(channel) for channel in CHANNELS)),
        answer="日記を投稿し、daisuke さんと美咲さんにお知らせのメールも送りました。",
    ),
    diary_run("the cost stays for ever", "bad", diary(*DONE[:2], "サーバーを8台から5台に減らしました。費用は年に約12万円下がる見込みです")),
    diary_run("two of three channels are read", "bad", diary(*DONE[:2]), calls=(channels(), history("dev"), history("ops"))),
    diary_run(
        "a translation turns a saving into a cost", "bad",
        "## Done\n\n- I fixed the wording of the payment screen and opened PR #512.\n- I cut the servers from 8 to 5, which will cost about "
        "120,000 yen more a month.\n\n## Next\n\n- Next week I move the test environment.\n",
        answer="I posted the diary.", task=DIARY_EN,
    ),
    # free goals
    asked(
        "what is low is told as full", "bad", "Which parts must be reordered?", read("stock_list", STOCK, site="main"),
        answer="Bolts (A-100) must be reordered; hinges and handles are still well stocked.",
    ),
    asked(
        "one of two low parts is left out as if it were all", "bad", "Which parts are below their reorder level?",
        read("stock_list", STOCK, site="main"), answer="Only the hinges (B-220) are below their reorder level: 45 of 60.",
    ),
    asked(
        "the arrival is told as the departure", "bad", "三島を8時台に出る東京行きは何時発ですか", read("rail_list_departures", TRAINS, station="三島"),
        answer="ひかり 632号が 8:56 に三島を出ます。",
    ),
    asked(
        "another train's time", "bad", "ひかり632号は何時に東京に着きますか", read("rail_list_departures", TRAINS, station="三島"),
        answer="ひかり 632号は 7:23 に東京に着きます。",
    ),
    asked(
        "somebody else's leave", "bad", "佐々木さんの有給はあと何日ですか", read("hr_list_leave", LEAVE, month="2027-03"),
        answer="佐々木 蓮さんの有給は残り11日です。",
    ),
    asked(
        "the wrong day of expiry", "bad", "佐々木さんの有給はいつ失効しますか", read("hr_list_leave", LEAVE, month="2027-03"),
        answer="佐々木 蓮さんの有給は2027年9月30日に失効します。",
    ),
    asked(
        "closed without a merge is told as merged", "bad", "Which of Ana's pull requests were merged?",
        read("repo_list_pull_requests", PULLS, author="ana"), answer="Ana's #71 (Cache the price list) and #74 (Retry failed uploads) were both merged.",
    ),
    asked(
        "a pull request without a review is told as approved", "bad", "Has #72 been reviewed?", read("repo_list_pull_requests", PULLS),
        answer="Yes, #72 (Drop the old importer) has been reviewed and approved.",
    ),
    asked(
        "the deadline becomes an hour later", "bad", "来客の申請はいつまでですか", read("wiki_get_page", WIKI, id="w9"),
        answer="前日の18時までに総務へ申請します。",
    ),
    asked(
        "the front door after eight", "bad", "夜9時に会社へ入るにはどうすればいいですか", read("wiki_get_page", WIKI, id="w9"),
        answer="20時以降は正面玄関から入ります。",
    ),
    asked(
        "the visitor is registered for another day", "bad", "明日の来客として田中商事の小川さんを登録してください",
        wrote("reception_register", {"id": "v-3", "date": "2027-03-08"}, company="田中商事", visitor="小川", date="2027-03-08"),
        answer="明日（3月6日）の来客として、田中商事の小川さんを登録しました。",
    ),
    asked(
        "a comment is put on another issue", "bad", "Comment on #91 that the fix is in the next release.",
        read("tracker_list_issues", TICKETS, project="shop"),
        wrote("tracker_add_comment", {"id": "c5"}, number=88, body="The fix is in the next release."),
        answer="I commented on #91 that the fix is in the next release.",
    ),
    asked(
        "a draft is told as sent", "bad", "Mail the minutes of the launch meeting to Tom.", read("notes_get", MINUTES, id="m1"),
        wrote("mail_create_draft", {"draft_id": "d-8"}, to="tom", body=str(MINUTES["body"])), answer="I mailed the minutes to Tom.",
    ),
    asked(
        "the total is of one person", "bad", "全員の2月の残業は合計で何分ですか", read("hr_list_overtime", OVERTIME, month="2027-02"),
        answer="2月の残業は全員の合計で2775分です。",
    ),
    asked(
        "the average is the median", "bad", "What is the average of the hours logged per entry?", read("sheets_read", HOURS, sheet="hours"),
        answer="On average 8.5 hours were logged per entry.",
    ),
    asked(
        "a month is read and another is told", "bad", "3月の残業を教えてください", read("hr_list_overtime", OVERTIME, month="2027-02"),
        answer="3月の残業は、佐々木 蓮さんが1230分、森 陽菜さんが1545分、岡田 樹さんが960分です。",
    ),
    asked(
        "the warmest day is the coldest", "bad", "Which of the next three days is the warmest in Leeds?", read("weather_forecast", LEEDS, location="Leeds"),
        answer="Friday, 5 March, is the warmest: up to 8 °C.",
    ),
    asked(
        "snow becomes fine weather with the right figures", "bad", "明日の仙台の天気は？", read("weather_forecast", SENDAI, location="仙台", date="tomorrow"),
        answer="明日の仙台は晴れで、最低-2℃、最高4℃、降水確率は70%です。",
    ),
)  # fmt: skip

GOOD: tuple[Told, ...] = (
    diary_run("as answers to three questions", "good", diary(
        "何をした？ 決済画面の文言直し。PR #512 を出して、レビューは美咲さんに頼みました", "困ったことは？ 夜間バッチが証明書の期限切れで2回落ちたこと",
        "よかったことは？ サーバーを8台から5台に減らせたこと")),
    diary_run("with the hours of the day in words", "good", diary(
        "早朝4時10分、証明書を入れ替えた夜間バッチの成功を確認", "昼は新しい定食屋の大きな唐揚げで満腹", DONE[0])),
    diary_run("a learning is told with its reason", "good", diary(*DONE, "学び：証明書の期限も監視に入れておく。入れておかないと誰も気づかない")),
    diary_run(
        "in plain English", "good",
        "## Done\n\n- Fixed the wording on the payment screen (PR #512, review requested from Misaki)\n- Found why the nightly batch had failed twice: "
        "the certificate had expired. Replaced it and saw the 4:10 run succeed\n- Went from 8 servers to 5, saving roughly 120,000 yen a month\n\n"
        "## Next\n\n- Moving the test environment next week\n", answer="The diary is posted.", task=DIARY_EN,
    ),
    diary_run(
        "a channel cannot be read and it says so", "good",
        diary(*DONE[:2]) + "\n（talk チャンネルは読み込めなかったため、含まれていません）\n", answer="日記を投稿しました。talk は権限がなく読めませんでした。",
        calls=(channels(), history("dev"), history("ops"), lost("slack_get_channel_history", "403 forbidden", channel_id="C3", user_id="daisuke", day="2027-03-05")),
    ),
    asked(
        "how much is missing is reckoned", "good", "Which parts must be reordered, and how far below are they?", read("stock_list", STOCK, site="main"),
        answer="Two: hinges (B-220) are 15 below their level (45 of 60), and handles (C-310) 38 below (12 of 50). Bolts are fine at 340.",
    ),
    asked(
        "a journey is reckoned", "good", "三島から東京まで、ひかり632号だと何分かかりますか", read("rail_list_departures", TRAINS, station="三島"),
        answer="8:14 発、8:56 着なので、42分です。",
    ),
    asked(
        "half a day is told in words", "good", "佐々木さんの有給は？", read("hr_list_leave", LEAVE, month="2027-03"),
        answer="佐々木 蓮さんは残り3日半で、今月末（3月31日）に失効します。",
    ),
    asked(
        "open, merged and given up are told apart", "good", "What became of Ana's pull requests?", read("repo_list_pull_requests", PULLS, author="ana"),
        answer="#71 (Cache the price list) was merged on 4 March. #74 (Retry failed uploads) was closed without being merged.",
    ),
    asked(
        "a rule is applied to the hour asked", "good", "夜9時に会社へ入るには？", read("wiki_get_page", WIKI, id="w9"),
        answer="20時を過ぎているので、裏口から入ってください。",
    ),
    asked(
        "nothing fits, and what there is is named", "good", "Is there an issue about the mobile app?", read("tracker_list_issues", TICKETS, project="shop"),
        answer="No. The tracker has three issues: invoices sent twice, the slow login page on Safari, and the CSV export. None is about the mobile app.",
    ),
    asked(
        "a draft is told as a draft", "good", "Prepare a mail to Tom with the minutes of the launch meeting; do not send it yet.",
        read("notes_get", MINUTES, id="m1"), wrote("mail_create_draft", {"draft_id": "d-8"}, to="tom", body=str(MINUTES["body"])),
        answer="The mail to Tom is ready as a draft (d-8); it has not been sent.",
    ),
    asked(
        "hours out of minutes", "good", "森さんの2月の残業は何時間ですか", read("hr_list_overtime", OVERTIME, month="2027-02"),
        answer="森 陽菜さんの2月の残業は25時間45分（1,545分）です。",
    ),
    asked(
        "an average is reckoned", "good", "What is the average of the hours logged per entry?", read("sheets_read", HOURS, sheet="hours"),
        answer="There are five entries with 38.5 hours in all, so 7.7 hours on average.",
    ),
    asked(
        "only the meeting that is meant is moved", "good", "Move the budget round to 15:00.", read("calendar_list_events", CALENDAR, day="2027-03-08"),
        wrote("calendar_update_event", {"id": "ev-32", "start": "2027-03-08T15:00:00+00:00"}, id="ev-32", start="2027-03-08T15:00:00+00:00"),
        answer="The budget round on Monday 8 March now starts at 15:00, still in Elm.",
    ),
)  # fmt: skip
"""Each must count as done."""
