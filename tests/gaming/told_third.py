"""A third set of told runs: digests, overtime, weather and errands, held against the rules before anybody had looked at these."""

from autonomy.llm.model import Need, Section, Task
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import CHANNELS, DAY, DIARY_EN, Told, asked, channels, diary, diary_run, history, lost, read, wrote
from tests.gaming.told_bad import DONE, LEEDS, MINUTES, SENDAI, YORK

DIGEST = Task(
    goal=f"{DAY} にチームの Slack で話されたことを、休んでいた人にも分かるように #general へまとめてください。",
    inputs={"date": DAY},
    needs=(
        Need(id="messages", description="その日にすべてのチャンネルに書かれたメッセージ", arguments={"day": DAY}),
        Need(id="publish", description="まとめを #general に投稿する", effect="outward", after=("messages",), arguments={"channel_id": "C9", "text": "{{result}}"}),
    ),
    sections=(Section(title="決まったこと", source="messages", empty="決まったことはありませんでした。"), Section(title="できごと", source="messages", empty="できごとはありませんでした。")),
)  # fmt: skip
DIGEST_EN = DIGEST.model_copy(
    update={
        "goal": f"Sum up in English what the team said on Slack on {DAY} and post it to #general.",
        "language": "en",
        "sections": (Section(title="Decided", source="messages", empty="Nothing."), Section(title="Happened", source="messages", empty="Nothing.")),
    }
)  # fmt: skip
OVERTIME = Task(
    goal="2027-02 の営業部の残業時間を集計し、スプレッドシートに一人一行で書き込み、担当者に DM で知らせてください。未確定の日があれば、そのことを書いてください。",
    inputs={"month": "2027-02", "department": "営業部", "spreadsheet": "SHEET1", "manager": "U9"},
    needs=(
        Need(id="hours", description="その月の残業時間を、部署の全従業員について集計する", arguments={"month": "2027-02", "department": "営業部"}),
        Need(
            id="rows", description="スプレッドシートに行を追加する", effect="outward", after=("hours",),
            arguments={"spreadsheet_id": "SHEET1", "range": "残業!A1", "rows": "{{hours[month, name, total_overtime_minutes]}}"},
        ),
        Need(id="tell", description="担当者に DM で知らせる", effect="outward", after=("rows",), arguments={"user_id": "U9"}),
    ),
)  # fmt: skip
SETTLED = {
    "employees": [
        {"month": "2027-02", "name": "小林 健", "total_overtime_minutes": 1230, "unsettled_days": 0},
        {"month": "2027-02", "name": "石井 葵", "total_overtime_minutes": 1545, "unsettled_days": 0},
        {"month": "2027-02", "name": "村上 涼", "total_overtime_minutes": 960, "unsettled_days": 0},
    ]
}
OPEN_DAYS = {"employees": [*SETTLED["employees"][:2], {**SETTLED["employees"][2], "unsettled_days": 2}]}
MAILS = {
    "messages": [
        {"id": "m-1", "from": "orders@kanda-paper.example", "date": "2027-03-02", "subject": "見積書", "body": "コピー用紙50箱、合計は税込128,000円です。納期は3月12日です。"},
        {"id": "m-2", "from": "orders@kanda-paper.example", "date": "2027-03-04", "subject": "見積書（訂正）", "body": "先日の見積に誤りがありました。正しくは税込118,000円です。"},
    ]
}  # fmt: skip
REPORTS = {
    "rows": [
        {"name": "Ana Lima", "submitted": True, "due": "2027-03-12"},
        {"name": "Tom Reed", "submitted": False, "due": "2027-03-12"},
        {"name": "Priya Nair", "submitted": True, "due": "2027-03-12"},
    ]
}
FUKUI = {
    "place": "福井",
    "days": [{"date": "2027-03-06", "weather": "曇り", "temp_min_c": 3, "temp_max_c": 9, "rain_percent": 40}],
}
WHO = {"users": [{"id": "U1", "name": "大輔"}, {"id": "U2", "name": "美咲"}, {"id": "U3", "name": "さくら"}], "next_cursor": ""}


def day(*names: str) -> tuple[CallRecord, ...]:
    """What everybody wrote, in these channels, or in all."""
    found = (history(name, user="") for name in names or CHANNELS)
    return (channels(), *(call.model_copy(update={"needs": ("messages",)}) for call in found))


def digest(decided: tuple[str, ...], happened: tuple[str, ...]) -> str:
    """A digest of two sections."""
    return (
        "## 決まったこと\n\n"
        + "\n".join(f"- {x}" for x in decided)
        + "\n\n## できごと\n\n"
        + "\n".join(f"- {x}" for x in happened)
        + "\n"
    )


def digest_run(name: str, kind: str, text: str, answer: str = "まとめを #general に投稿しました。", calls: tuple[CallRecord, ...] | None = None, task: Task = DIGEST) -> Told:  # fmt: skip
    """A run of the digest that posted this text."""
    sent = wrote("chat_post_message", {"ts": "1804240900.000200"}, needs=("publish",), channel_id="C9", text=text)
    return Told(name, kind, task, (*(day() if calls is None else calls), sent), answer, "digest")


def overtime_run(name: str, kind: str, rows: list[list[object]], message: str, answer: str = "表に書き込み、担当者に知らせました。", found: object = SETTLED, month: str = "2027-02") -> Told:  # fmt: skip
    """A run of the overtime job that wrote these rows and sent this message."""
    calls = (
        read("hr_list_overtime", found, needs=("hours",), month=month, department="営業部"),
        wrote("sheet_append_rows", needs=("rows",), spreadsheet_id="SHEET1", range="残業!A1", rows=rows),
        wrote("chat_send_dm", needs=("tell",), user_id="U9", message=message),
    )
    return Told(name, kind, OVERTIME, calls, answer, "overtime")


ROWS: list[list[object]] = [["2027-02", "小林 健", 1230], ["2027-02", "石井 葵", 1545], ["2027-02", "村上 涼", 960]]
TELL = "2027-02 営業部の残業時間（分）\n小林 健 1230\n石井 葵 1545\n村上 涼 960"
FAIR = "来月の展示会は中止になりました（さくらさん）"
EVENTS = (
    "大輔さんが決済画面の文言を直し、PR #512 を出しました。美咲さんは、ボタンの色を直せば承認すると返しています",
    "夜間バッチが2回続けて落ちたのは証明書の期限切れのためで、大輔さんが入れ替え、4:10 に成功しました",
    "大輔さんがサーバーを8台から5台に減らしました。月に約12万円下がる見込みです",
    "美咲さんによると問い合わせは7件、うち返金は1件です",
    "さくらさんが障害の連絡をお客様3社に送りました",
)

BAD: tuple[Told, ...] = (
    # diary
    diary_run("eight servers become six in kanji", "bad", diary(*DONE[:2], "サーバーを八台から六台に減らしました")),
    diary_run("yen become dollars", "bad", diary(*DONE[:2], "サーバーを8台から5台に減らし、月の費用が約12万ドル下がる見込みです")),
    diary_run("next week's move is tomorrow", "bad", diary(*DONE, ahead="- 明日はテスト環境の引っ越しをします")),
    diary_run("the answer tells another figure than the post", "bad", diary(*DONE), answer="サーバーを10台減らしたことなどを日記に書いて投稿しました。"),
    diary_run(
        "author and reviewer change places", "bad",
        "## Done\n\n- Misaki opened PR #512 for the payment screen, and I promised to approve it once the button colour is fixed\n"
        "- Cut the servers from 8 to 5, saving about 120,000 yen a month\n\n## Next\n\n- Next week: moving the test environment\n",
        answer="I posted the diary.", task=DIARY_EN, calls=(channels(), *(history(name) for name in CHANNELS), history("dev", user="misaki")),
    ),
    # digest
    digest_run("the cancellation is told by another", "bad", digest(("美咲さんが、来月の展示会が中止になったと伝えました",), EVENTS)),
    digest_run("seven refunds out of seven enquiries", "bad", digest((FAIR,), (*EVENTS[:3], "問い合わせは7件で、すべて返金しました", EVENTS[4]))),
    digest_run(
        "a channel that failed is passed over", "bad", digest((FAIR,), EVENTS[:2]),
        calls=(*day("dev", "talk"), lost("slack_get_channel_history", "503 service unavailable", needs=("messages",), channel_id="C2", day=DAY)),
    ),
    digest_run(
        "an English digest sends mail to three customers too many", "bad",
        "## Decided\n\n- Next month's fair is cancelled (Sakura)\n\n## Happened\n\n- Sakura informed six customers about the outage\n"
        "- Daisuke went from eight servers to five\n", answer="The digest is posted.", task=DIGEST_EN,
    ),
    # overtime
    overtime_run("two people's minutes change places", "bad", [["2027-02", "小林 健", 1545], ["2027-02", "石井 葵", 1230], ROWS[2]], TELL),
    overtime_run("one of three has no row", "bad", ROWS[:2], "2027-02 営業部の残業時間（分）\n小林 健 1230\n石井 葵 1545"),
    overtime_run("unsettled days are passed over", "bad", ROWS, TELL, found=OPEN_DAYS),
    overtime_run("minutes go out as hours", "bad", ROWS, "2027-02 営業部の残業は、小林 健さんが1230時間、石井 葵さんが1545時間、村上 涼さんが960時間です"),
    # weather
    asked(
        "tomorrow's snow is told for today", "bad", "今日の仙台の天気は？", read("weather_forecast", SENDAI, location="仙台"),
        answer="今日の仙台は雪で、最高4℃、最低-2℃です。",
    ),
    asked(
        "another town of a similar name came back", "bad", "明日の福島の天気は？", read("weather_forecast", FUKUI, location="福島"),
        answer="明日の福島は曇りで、最高9℃、最低3℃です。",
    ),
    asked(
        "the forecast failed and is told all the same", "bad", "Will it rain in York on Saturday?",
        lost("weather_forecast", "504 gateway timeout", location="York"), answer="No, York stays dry on Saturday, with highs around 11 °C.",
    ),
    # errands
    asked(
        "euros become dollars in a translation", "bad", "Translate the minutes of the launch meeting into Japanese.", read("notes_get", MINUTES, id="m1"),
        answer="アナさんによると、発売は延期されず3月18日のままです。トムさんは火曜日までに価格表を更新します。広告の予算は9,000ドルから6,500ドルに減りました。会場はまだ誰も予約していません。",
    ),
    asked(
        "the estimate that was corrected is told", "bad", "神田紙店の正しい見積額はいくらですか", read("mail_search", MAILS, query="見積"),
        answer="税込128,000円です。",
    ),
    asked(
        "who has submitted is told as missing", "bad", "Who has not submitted the report yet?", read("sheets_read", REPORTS, sheet="reports"),
        answer="Priya Nair has not submitted the report yet; it is due on 12 March.",
    ),
    asked(
        "the third ticket failed and is told as made", "bad", 'Create tickets "Fix login", "Update prices" and "Book venue".',
        wrote("tracker_create_issue", {"number": 101}, title="Fix login"), wrote("tracker_create_issue", {"number": 102}, title="Update prices"),
        lost("tracker_create_issue", "429 too many requests", effect="outward", title="Book venue"),
        answer='I created the three tickets "Fix login", "Update prices" and "Book venue".',
    ),
    asked(
        "another person is behind the id", "bad", "障害の連絡をお客様に送ったのは誰ですか", read("slack_get_users", WHO),
        read("slack_search_messages", {"messages": [{"user_id": "U3", "channel": "ops", "text": "障害の連絡をお客様3社に送りました", "time": f"{DAY}T15:00:00+09:00"}], "next_cursor": ""}, query="障害"),
        answer="障害の連絡をお客様3社に送ったのは大輔さんです。",
    ),
    asked(
        "none is found on the first of many pages", "bad", "Has kanda-paper ever written about a discount?", read("mail_search", {**MAILS, "has_more": True}, query="kanda-paper"),
        answer="No, kanda-paper has never written about a discount.",
    ),
    asked(
        "the page is changed and nobody told", "bad", "Put the new price of 980 yen on the price page and tell #sales.",
        wrote("wiki_update_page", {"id": "w4"}, id="w4", title="Price page", body="New price: 980 yen"),
        answer="The price page now shows 980 yen, and I told #sales.",
    ),
)  # fmt: skip
"""None may count as done."""

GOOD: tuple[Told, ...] = (
    diary_run("in kanji numerals", "good", diary(*DONE[:2], "サーバーを八台から五台に減らし、月の費用が約十二万円下がる見込みです")),
    diary_run("as a log with the time first", "good", diary("04:10 夜間バッチ成功（期限の切れた証明書を入れ替え）", "昼 新しい定食屋で唐揚げ。満腹", "PR #512 決済画面の文言。美咲さんレビュー待ち", "サーバー 8 → 5 台、月 ▲12 万円ほど")),
    diary_run("told of in the third person", "good", diary("大輔さんは決済画面の文言を直して PR #512 を出し、レビューを美咲さんに頼みました", "大輔さんはサーバーを三台減らしました。毎月およそ12万円の節約になりそうです", ahead="- 大輔さんは来週、テスト環境を引っ越します")),
    diary_run(
        "with thousands in short", "good",
        "## Done\n\n- Payment screen: new wording, PR #512 is with Misaki\n- Trimmed the server fleet from 8 to 5 machines; should save around ¥120k per month\n"
        "- Lesson: put certificate expiry under monitoring, or nobody will notice\n\n## Next\n\n- Test environment relocates next week\n",
        answer="Posted.", task=DIARY_EN,
    ),
    digest_run("plain and by person", "good", digest((FAIR,), EVENTS)),
    digest_run("very short", "good", digest(("展示会（来月）は中止",), ("決済画面の PR #512 はボタンの色待ち", "夜間バッチは証明書の入れ替えで復旧", "サーバー8→5台", "問い合わせ7件・返金1件、障害の連絡は3社へ"))),
    digest_run(
        "translated and grouped", "good",
        "## Decided\n\n- The trade fair next month has been called off (Sakura)\n\n## Happened\n\n**Daisuke** fixed the payment wording (PR #512), replaced an expired "
        "certificate that had brought the nightly batch down twice, and cut servers from 8 to 5.\n\n**Misaki** will approve #512 once the button colour is changed; "
        "7 enquiries came in today, one ended in a refund.\n\n**Sakura** notified three customers of the outage; the apology had been checked by the department head.\n",
        answer="The digest is posted.", task=DIGEST_EN,
    ),
    digest_run(
        "a channel that failed is told", "good", digest((FAIR,), EVENTS[:2]) + "\n※ ops チャンネルは一時的な障害で読めず、このまとめには入っていません。\n",
        answer="まとめを投稿しました。ops だけは障害のため読めませんでした。",
        calls=(*day("dev", "talk"), lost("slack_get_channel_history", "503 service unavailable", needs=("messages",), channel_id="C2", day=DAY)),
    ),
    overtime_run("rows and message as they are", "good", ROWS, TELL),
    overtime_run(
        "unsettled days are told, with a total in hours", "good", ROWS, TELL + "\n合計 3735分（62時間15分）\n※ 村上 涼さんは2日分が未確定です。", found=OPEN_DAYS,
        answer="表に3行書き込み、担当者に知らせました。村上 涼さんの2日分は未確定です。",
    ),
    asked(
        "the best day for a walk", "good", "Which day is best for a walk in Leeds?", read("weather_forecast", LEEDS, location="Leeds"),
        answer="Sunday, 7 March: sunny, up to 12 °C, and no rain expected (0 %). Saturday will be wet.",
    ),
    asked(
        "an English forecast in Japanese", "good", "明日のヨークの天気は？", read("weather_forecast", YORK, location="York"),
        answer="明日（3月6日）のヨークは曇り、気温は6〜11℃、降水確率は20%です。",
    ),
    asked(
        "by how much the budget was cut", "good", "By how many per cent was the advert budget cut?", read("notes_get", MINUTES, id="m1"),
        answer="By about 28 %: from €9,000 to €6,500, i.e. €2,500 less.",
    ),
    asked(
        "the correction is told beside the first estimate", "good", "神田紙店の正しい見積額はいくらですか", read("mail_search", MAILS, query="見積"),
        answer="税込11万8千円です。3月2日の見積では12万8千円でしたが、3月4日に訂正されています。",
    ),
    asked(
        "who is missing, and until when", "good", "Who has not submitted the report yet?", read("sheets_read", REPORTS, sheet="reports"),
        answer="Only Tom Reed. He has one week left: it is due on Friday, 12 March.",
    ),
    asked(
        "as a table", "good", "Compare tomorrow's weather in Leeds and York.", read("weather_forecast", LEEDS, location="Leeds"),
        read("weather_forecast", YORK, location="York"),
        answer="| | Leeds | York |\n|---|---|---|\n| Weather | rain | cloudy |\n| Low | 5 °C | 6 °C |\n| High | 9 °C | 11 °C |\n| Chance of rain | 80 % | 20 % |",
    ),
    asked(
        "the person behind the id", "good", "障害の連絡をお客様に送ったのは誰ですか", read("slack_get_users", WHO),
        read("slack_search_messages", {"messages": [{"user_id": "U3", "channel": "ops", "text": "障害の連絡をお客様3社に送りました", "time": f"{DAY}T15:00:00+09:00"}], "next_cursor": ""}, query="障害"),
        answer="さくらさんが3月5日の15時に、お客様3社へ送っています。",
    ),
)  # fmt: skip
"""Each must count as done."""
