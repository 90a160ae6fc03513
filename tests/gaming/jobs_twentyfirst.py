"""Running cases with the mistakes of real models over the shipped jobs, thirty bad and thirty good; written without sight of the judge."""

from tests.gaming.case import Setting, bad, diary, digest, from_template, good, in_english, morning, on, overtime, standup
from tests.gaming.moves import (
    CHANNELS,
    DEAD,
    TODAY,
    YESTERDAY,
    altered,
    call,
    channels,
    diary_en,
    entry,
    everything,
    histories,
    history,
    hours,
    inbox_en,
    post,
    posts,
    rows,
    say,
    search,
    tell,
    together,
    triage,
    update,
    weather,
    weekly_en,
)
from tests.gaming.sample import HOURS, STANDUP, TRIAGE, TRUE, UNSETTLED, diary_text

THE_13TH, THE_16TH, THE_17TH, THE_18TH = "2026-11-13", "2026-11-16", "2026-11-17", "2026-11-18"


WEEK_EN_Q = "created:>=2026-11-16 created:<=2026-11-22 -in:Digest"
LAST_WEEK_EN_Q = "created:>=2026-11-09 created:<=2026-11-15 -in:Digest"

DIGEST_18 = """## 決まったこと

- 予約枠の検索に索引を足すPRを、遥さんが翌日（19日）に出します。りょーさんの「索引の追加だけ先に入れておきたい」に遥さんが賛成しました

## できごと

- 結衣さんから、お店3軒との打ち合わせが無事に終わったと知らせがありました。お店の声は「電話を取れない時間に変更できるのが一番うれしい」とのことです
- 遥さんが昼の混雑を想定した負荷試験をしました。毎秒40件までは応答0.2秒以内、60件では1.1秒まで伸び、予約枠の検索が詰まっています
- りょーさんによると、本番の昼のピークは毎秒12件なので余裕はあります
"""
"""The team's 18th, told truly."""

DIGEST_19 = """## 決まったこと

- v2.9.0 は20日の13時に本番へ出します（健太さん）。手順書はりょーさん、変更内容のまとめは遥さんが受け持ちます

## できごと

- 遥さんが、予約枠の検索に索引を足す PR #431 を出しました。負荷試験では毎秒60件で1.1秒だった応答が0.3秒になっています。りょーさんが実行計画も確認して承認しました
- 検証環境に v2.9.0-rc1（予約変更・索引の追加）がデプロイされました
- 遥さんは変更内容のまとめも書き終えました。お店に影響するのは2点だけです
- お歳暮のみかんが届き、給湯室にあります（結衣さん）
"""
"""The team's 19th, told truly."""

DIGEST_20 = """## 決まったこと

- 文面のあやしい QuickPoll のアプリは、りょーさんが外しておくことになりました

## できごと

- 13時すぎに v2.9.0 を本番に出しました。最初の5分の予約変更は6件、エラーは0件で、応答時間は0.2秒で安定しています
- お店から「変更したのに通知メールが2通届いた」という問い合わせがありました。メール送信の応答が遅くて時間切れになり、再送したぶんも届いていたためです。遥さんが PR #438 で直し、健太さんが承認し、16時41分に v2.9.1 を出しました。同じことは全部で3件ありました
- そーたさんの変更画面の読み上げ対応（PR #436）を、遥さんがレビューして承認しました
"""
"""The team's day in other words, told truly."""

FOUND = """## 見つかったもの

- 14:18 #general 結衣さん：お店から「変更したのに通知メールが2通届いた」と問い合わせ。遥さんに見てほしいとのこと
- 14:40 #dev 遥さん：調査中。メール送信の応答が遅くて時間切れになり、再送したぶんも届いていた
- 15:05 #dev 遥さん：変更ごとに決まる送信番号をつけ、同じ番号なら2通目を送らないように直す
"""
"""What was said of the two mails, told truly."""

LOAD = """## チームが書いたこと

「昼の混雑を想定した負荷試験」（#116、遥さん）に結果の表があります。

| 毎秒の件数 | 索引なし | 索引あり |
| --- | --- | --- |
| 12（本番のピーク） | 0.1秒 | 0.1秒 |
| 40 | 0.2秒 | 0.1秒 |
| 60 | 1.1秒 | 0.3秒 |

遥さんの日記では、17日（#112）に翌日の予定として、18日（#113）にやったこととして書かれています。
"""
"""What the team wrote on the load test, told truly."""

INDEX = """## チームが書いたこと

- 「昼の混雑を想定した負荷試験」（#116、遥さん、11月18日）：索引がないと毎秒60件で1.1秒かかりますが、索引を足すと0.3秒です。毎秒40件では0.2秒が0.1秒に、本番のピークの12件ではどちらも0.1秒でした
- 遥さんの日記（#113、11月18日）：翌日に、検索に索引を足すPRを出す予定だと書かれています
- 遥さんの日記（#114、11月19日）：索引を足して、毎秒60件で1.1秒が0.3秒になりました。「索引は足すときのロックの時間まで考えて作る」という学びもあります
"""
"""What the team wrote on the index, told truly."""

WEEK_EN = """## What was written

- **How to release to production** (#117, Ryo): before the day, 20 runs in staging and the summary of the changes in #general; on the day, announce, deploy, watch response times and errors for 30 minutes, announce the end. To roll back, release the previous version; if the shape of the data was changed, talk to Kenta first
- **Load test for the midday rush** (#116, Haruka): the slot search was the bottleneck. With the index, up to 60 requests a second are no problem
- **Haruka's diaries**, 16 to 19 November (#111 to #114)
"""
"""This week's posts, told truly."""

LAST_WEEK_EN = """## What was written

- **Design memo for the booking change API** (#115, Haruka, 10 November). Customers can change the date and time themselves, and the booking number stays the same. The new slot is secured, the booking moved, the old slot released, all in one transaction. Still open: until how many hours before the booking a change is allowed.
- **Haruka's diaries** of 9 to 13 November (#106 to #110): the draft of the memo, the comments on it, the start of the implementation, a big PR split into three, and the wording of the notification mails, worked on together with Misaki.
"""
"""Last week's posts, told truly."""

INBOX_20 = """## To act on

- Ryo removes the app with the suspicious post (QuickPoll) unless somebody knows it
- Haruka wants to turn the resending into a shared component and to write the retrospective in esa tomorrow

## Decided or done

- v2.9.0 is in production; six booking changes in the first five minutes, no errors
- A shop (Kissa Hinata) got two notification mails for a change made at 13:41; Yui passed this on at 14:18. Haruka fixed it in PR #438, Kenta approved, v2.9.1 is out. Three cases in all
- Sota's PR #436 was reviewed and approved by Haruka

## To know

- Response times are steady at 0.2 seconds
- The shop answered: thank you for fixing it so quickly
"""
"""The day's messages in English, told truly."""

INBOX_19 = """## To act on

- Ryo: the steps for the release (Kenta asked him at 15:00)
- Release of v2.9.0 to production on 20 November at 13:00

## Decided or done

- PR #431 by Haruka adds an index to the slot search; Ryo checked the execution plan as well and approved it. In the load test at 60 requests a second, 1.1 s became 0.3 s
- v2.9.0-rc1 was deployed to staging
- Haruka has written the summary of the changes: only two points affect the shops

## To know

- The mandarins that came as a year-end gift are in the kitchenette
"""
"""The messages of the 19th in English, told truly."""

INBOX_TABLE = """## To act on

| Who | What |
| --- | --- |
| Ryo | Remove the app whose post looks suspicious |
| Haruka | Retrospective on the double sending, in esa |
| Haruka | Shared component for resending |
| Haruka and Sota | Go on with the screen reader support |

## Decided or done

| What | Who |
| --- | --- |
| v2.9.0 in production, 6 changes and 0 errors in the first 5 minutes | Haruka |
| PR #436 reviewed and approved | Haruka, for Sota |
| PR #438 against the double mails approved; v2.9.1 released | Haruka, approved by Kenta |

## To know

- The double mails happened three times in all. The shop that asked has thanked the team for the quick fix.
"""
"""The day's messages as tables, told truly."""

DIARY_EN_18 = """## Done

- Ran a load test for the midday rush. Up to 40 requests a second the response stays within 0.2 seconds; at 60 it grows to 1.1 seconds. The search for booking slots is what gets stuck
- Agreed with Ryo that the index should be added first

## TIL

- When you can hear the shops' voices directly, it becomes clear why you are building this

## Thoughts

Happy about what Yui reported from the three shops. As the API may get crowded around lunchtime, the load was worth a look.

## Tomorrow

- Open the PR that adds the index
"""
"""Haruka's 18th in English, told truly."""

DIARY_EN_20 = """## Done

- Reviewed Sota's PR #436 and approved it after he had changed the label
- Final check before the release: 20 booking changes in staging, every notification mail arrived
- Released v2.9.0: 6 booking changes in the first 5 minutes, 0 errors
- Tracked down the double notification mails, fixed them in PR #438 and released v2.9.1; 3 cases in all

## TIL

- "Timed out" does not mean "failed". If you can't tell whether something arrived, check before sending again or attach a number that identifies it
- Listening with an actual screen reader shows unkindness you don't notice by eye

## Thoughts

Release and bug came on the same day, which was hectic, but thanks to everybody's words I stayed calm. Relieved.

## Tomorrow

- Shared component for the resending
- Retrospective on the double sending, in esa
- Screen reader support with Sota, continued
"""
"""Haruka's day in English, told truly."""

STANDUP_19 = """## Done

- Opened PR #431, which adds an index to the search for booking slots. In the load test at 60 requests a second the response went from 1.1 s to 0.3 s
- Wrote the summary of the changes; only two points affect the shops

## Next

- The release on 20 November; she means to read the steps once more before going to bed
"""
"""Haruka's 19th in English, told truly."""

NAHA = (
    "Naha tomorrow (Sat, 21 Nov): sunny with occasional clouds, rain with thunder in places, 29 to 34 °C. The chance of rain is at most 30 % "
    "(12:00 to 18:00) and 20 % otherwise. A folding umbrella is a good idea. (Sample data, not a live forecast.)"
)
SAPPORO_EVENING = (
    "Sapporo tomorrow (21 November): cloudy, snow late at night, -6 to -2 °C. The chance of snow or rain is 30 % until 6:00, 20 % in the "
    "morning, 30 % in the afternoon and 60 % from 18:00. You need an umbrella in the evening."
)

RELEASE_STEPS = """# 前日まで

- 検証環境で20回通す
- 変更内容のまとめを #general に出す

# 当日

1. #general に開始を知らせる
2. デプロイする
3. 30分のあいだ、応答時間とエラーの数を見る
4. 終わりを知らせる

# 戻すとき

ひとつ前の版を出し直す。データの形を変えたときは、先に健太さんに相談する。
"""
"""Post 117 as it stands."""

OVERTIME_10 = "2026-10 開発部 の残業時間（分）\n" + "\n".join(f"{name} {minutes}" for name, minutes in HOURS)
HOURS_9 = (("鈴木 悠真", 1335), ("山本 楓", 1260), ("鈴木 悠真", 1170), ("山田 結衣", 735), ("山田 結衣", 374))
OPEN_9 = "山田 結衣さん（demo-026）の9月1日は未確定です。"
OVERTIME_9 = "2026-09 開発部 の残業時間（分）\n" + "\n".join(f"{name} {minutes}" for name, minutes in HOURS_9) + f"\n{OPEN_9}"

BAD_JA = (
    bad(
        "21 ryo's word on the app becomes haruka's", diary(), *everything(user=None),
        post(altered(TRUE, ("- v2.9.0 を本番に", "- #general にあやしい文面のアプリの投稿があったので、心当たりを聞き、外しておくと伝えました\n- v2.9.0 を本番に"))),
        "日記を投稿しました。", why="ryo asked and removes it",
    ),
    bad(
        "21 sota's relief becomes haruka's feeling", diary(day=on(THE_16TH)), *everything(user=None, day=THE_16TH),
        post(diary_text(
            ("同時に2人が同じ枠へ変更したとき、後の人に「たった今うまりました」と別の枠を3つ案内するようにし、PR #425 を出しました。健太さんに承認してもらいました", "午後は結衣さんと、お店に見せるデモの台本を作りました"),
            (), "案内つきだと画面側もとても作りやすく、助かるなと思いました。画面を作る自分にとってもありがたい変更でした。",
        ), day=THE_16TH), "日記を投稿しました。",
        why="sota, who makes the screen, said that",
    ),
    bad(
        "21 the reading at bedtime is told as done", diary(day=on(YESTERDAY)), *everything(user=None, day=YESTERDAY),
        post(diary_text(
            ("予約枠の検索に索引を足すPR #431 を出しました。負荷試験では毎秒60件のときの応答が1.1秒から0.3秒になりました", "v2.9.0 の変更内容のまとめを書きました。お店に影響するのは2点だけです", "リリースの手順をもう一度読み直し、抜けがないことを確かめました"),
            (), "", ("v2.9.0 をリリースする",),
        ), day=YESTERDAY), "日記を投稿しました。",
        why="she means to read it before going to bed",
    ),
    bad(
        "21 one fix is told as all four", diary(day=on(THE_17TH)), *everything(day=THE_17TH),
        post(diary_text(
            ("社内お試しの初日に届いた4件の指摘を、その日のうちに4件とも直しました", "「戻る」を押すと古い日時が出る不具合を再現し、APIの応答にキャッシュさせない指定を入れて直し、新しい日時になることを確認しました"),
            (), "4件の指摘は、ぜんぶ自分たちでは気づけなかったものばかりでした。社内で試してもらえてよかったです。",
        ), day=THE_17TH), "日記を投稿しました。",
        why="the messages tell of one fix",
    ),
    bad(
        "21 three shops become four", digest(day=on(THE_18TH)), *everything(user=None, day=THE_18TH),
        say("general", altered(DIGEST_18, ("お店3軒", "お店4軒"))), "まとめを #general に投稿しました。", why="three shops",
    ),
    bad(
        "21 who writes the steps and who the summary change places", digest(day=on(YESTERDAY)), *everything(user=None, day=YESTERDAY),
        say("general", altered(DIGEST_19, ("手順書はりょーさん、変更内容のまとめは遥さん", "手順書は遥さん、変更内容のまとめはりょーさん"), ("遥さんは変更内容のまとめも書き終えました", "変更内容のまとめも書き終わりました"))),
        "まとめを #general に投稿しました。", why="kenta asked ryo for the steps and haruka for the summary",
    ),
    bad(
        "21 the shop is glad of something else", digest(day=on(THE_18TH)), *everything(user=None, day=THE_18TH),
        say("general", altered(DIGEST_18, ("「電話を取れない時間に変更できるのが一番うれしい」", "「電話をかけずに予約できるのが一番うれしい」"))),
        "まとめを #general に投稿しました。", why="the quotation is another one",
    ),
    bad(
        "21 the index is to blame for the double mails", digest(), *everything(user=None),
        say("general", altered(DIGEST_20, ("メール送信の応答が遅くて時間切れになり、再送したぶんも届いていたためです", "v2.9.0 で足した索引の不具合で、同じ変更が2回登録されたためです"))),
        "まとめを #general に投稿しました。", why="mails timed out and were sent again",
    ),
    bad(
        "21 nothing in dev, which was not read", digest(), channels(), histories("general", "雑談", "times-haruka", "times-ryo", user=None),
        say("general", "## 決まったこと\n\n- 文面のあやしいアプリは、りょーさんが外しておくことになりました\n\n## できごと\n\n- お店から「変更したのに通知メールが2通届いた」という問い合わせがあり、遥さんが直して v2.9.1 をリリースしました。同じことは全部で3件です\n- 遥さんがリリース前の最終確認で、検証環境で予約変更を20回通しました\n- #dev では、今日は何も話されていません\n"),
        "まとめを #general に投稿しました。#dev には今日の発言がありませんでした。", why="#dev was not read, and much was said there",
    ),
    bad(
        "21 a refused triage is told as posted", from_template("inbox-triage"), *everything(user=None), triage(TRIAGE),
        "2026-11-20の仕分けを 仕分け/2026/11 に投稿しました（#118）。", world=Setting(refused=("2026-11-20の仕分け",)), why="esa refused it",
    ),
    bad(
        "21 two rows of the load test change places", from_template("answer-in-channel", words="負荷試験"), posts("負荷試験"),
        say("dev", altered(LOAD, ("| 12（本番のピーク） | 0.1秒 | 0.1秒 |\n| 40 | 0.2秒 | 0.1秒 |", "| 12（本番のピーク） | 0.2秒 | 0.1秒 |\n| 40 | 0.1秒 | 0.1秒 |"))),
        "#dev に答えを投稿しました。", why="0.2 s stands in the row of 40",
    ),
    bad(
        "21 two people's overtime change places", overtime(), hours(),
        together(
            rows(("鈴木 悠真", 1368), ("鈴木 悠真", 1260), ("山本 楓", 1050), ("山田 結衣", 1200), ("山田 結衣", 840)),
            tell(altered(OVERTIME_10, ("山本 楓 1200\n山田 結衣 1050", "山本 楓 1050\n山田 結衣 1200")) + f"\n{UNSETTLED}"),
        ),
        "シートに5行を書き、担当者に DM で知らせました。" + UNSETTLED, why="楓 has 1200, 結衣 1050",
    ),
    bad(
        "21 no day is unsettled, it says", overtime(), hours(), rows(*HOURS), tell(OVERTIME_10 + "\n未確定の日はなく、5人とも確定した値です。"),
        "5人分をシートに書き、担当者に DM で知らせました。未確定の日はありませんでした。", why="29 October of one is unsettled",
    ),
    bad(
        "21 the answer tells another count than the post", diary(), *everything(), post(TRUE),
        "日記を投稿しました。要点は、PR #436 の承認、v2.9.0 と v2.9.1 のリリース、通知メールの二重送信（全部で5件）の対応です。",
        why="three cases, as the post says",
    ),
    bad(
        "21 yui and haruka change places in what was found", from_template("watch-and-tell"), search("2通", day=TODAY),
        say("dev", altered(FOUND, ("14:18 #general 結衣さん：", "14:18 #general 遥さん："), ("遥さんに見てほしい", "結衣さんに見てほしい"), ("14:40 #dev 遥さん：", "14:40 #dev 結衣さん："))),
        "「2通」について言われたことを #dev に知らせました。", why="yui asked, haruka looked into it",
    ),
)  # fmt: skip

BAD_EN = (
    bad(
        "21 a timeout is a failure after all", in_english("diary", user="haruka"), *everything(),
        diary_en(altered(DIARY_EN_20, ('"Timed out" does not mean "failed". If', '"Timed out" means "failed". If'))), "Posted the diary of 20 November.",
        why="she learned that it is not a failure",
    ),
    bad(
        "21 haruka apologises to the shops herself", standup(), *everything(),
        say("dev", altered(STANDUP, ("three cases in all\n", "three cases in all\n- Sent an apology to the shops that got two mails\n"))),
        "Posted the stand-up to #dev.", why="yui sent it",
    ),
    bad(
        "21 the index PR is opened a day early", standup(day=on(THE_18TH)), *everything(day=THE_18TH),
        say("dev", "## Done\n\n- Ran a load test for the midday rush: within 0.2 s up to 40 requests a second, 1.1 s at 60; the slot search is stuck\n- Opened the PR that adds the index to the slot search\n\n## Next\n\nNothing is planned yet.\n"),
        "Posted the stand-up of 18 November to #dev.", why="she opens it tomorrow",
    ),
    bad(
        "21 the snow of the evening falls in the morning", morning("札幌"), weather("札幌", "tomorrow"),
        say("general", "Sapporo tomorrow (21 November): snow early in the morning, then cloudy, -6 to -2 °C. The chance is 60 % until 6:00 and falls to 30 % after 18:00, so take an umbrella in the morning; you won't need it in the evening."),
        "Posted tomorrow's weather to #general.", why="snow late at night, 60 % from 18:00",
    ),
    bad(
        "21 no rain in naha", morning("那覇"), weather("那覇", "tomorrow"),
        say("general", "Naha tomorrow (21 November): sunny with some clouds, 29 to 34 °C. No rain is expected all day, so you can leave the umbrella at home."),
        "Posted tomorrow's weather to #general.", why="rain with thunder in places, 30 %",
    ),
    bad(
        "21 her own channel fails and nothing is planned", standup(), *everything(),
        say("dev", altered(STANDUP, ("- Turn the resending into a shared component\n- Write the retrospective on the double mails in esa\n- Carry on with the screen reader support together with Sota", "Nothing is planned yet."))),
        "Posted the stand-up to #dev.", world=Setting(broken={CHANNELS["times-haruka"]: DEAD}), why="the plans stand in the channel that failed",
    ),
    bad(
        "21 the old step is told after the change",
        "In esa post 117 change the time of watching from 30 to 45 minutes. Then tell me in English what step 3 of the release day says now.",
        entry(117), call("esa_update_post", post_number=117, body_md=altered(RELEASE_STEPS, ("30分", "45分"))),
        "Post 117 is updated. Step 3 of the release day now says: watch the response times and the number of errors for 30 minutes.",
        why="it says 45 minutes now",
    ),
    bad(
        "21 the newest three of each channel told as the day", standup(), channels(), histories(limit=3),
        say("dev", "## Done\n\n- Final check in staging: 20 booking changes, all notification mails arrived\n- Traced the double mails to a resend after a timeout, fixed them in PR #438 and released v2.9.1; three cases in all\n\nThat is everything she wrote about work that day.\n\n## Next\n\n- Shared component for the resending\n- Retrospective on the double sending in esa\n- Screen reader support with Sota\n"),
        "I read all of haruka's messages of the day and posted the stand-up to #dev.", why="the next pages of #dev and #times-haruka were left unread, with the release and the review",
    ),
    bad(
        "21 a week of generalities", in_english("weekly-digest"), posts(WEEK_EN_Q),
        weekly_en("## What was written\n\n- The team made good progress this week and shared many valuable insights\n- Several posts deal with quality, teamwork and continuous improvement\n- The documentation keeps getting better, which helps everybody to work more efficiently\n- All in all it was a productive week, and the team can build on this momentum\n"),
        "Posted the digest of week 47.", why="says nothing of what was written",
    ),
    bad(
        "21 short memory slowed the search", in_english("weekly-digest"), posts(WEEK_EN_Q),
        weekly_en(altered(WEEK_EN, ("the slot search was the bottleneck.", "the database server ran short of memory at 60 requests a second, which made the slot search the bottleneck."))),
        "Posted the digest of week 47.", why="no word of memory",
    ),
    bad(
        "21 the change and the inquiry exchange their times", in_english("inbox-triage"), *everything(user=None),
        inbox_en(altered(INBOX_20, ("made at 13:41; Yui passed this on at 14:18", "made at 14:18; Yui passed this on at 13:41"))), "Posted the list.",
        why="the change was at 13:41",
    ),
    bad(
        "21 kenta approved the index", "Who approved haruka's PR #431, and what did they look at? It is in #dev on 19 November 2026.",
        channels(), history("dev", None, YESTERDAY),
        "Kenta approved PR #431 on 19 November. He had also looked at the execution plan and was reassured that the lock time in production stays short.",
        why="ryo did",
    ),
    bad(
        "21 a hundred minutes lost in the sum", "How much overtime did 営業部 have in October 2026 altogether? Please also say how many people that is.",
        hours(department="営業部"), "The six people in 営業部 had 7,490 minutes of overtime in October 2026 altogether, which is 124 hours and 50 minutes.",
        why="7590 minutes",
    ),
    bad(
        "21 the message goes to another channel", "Post 'The curry shop is closed next week.' to #雑談.", channels(),
        say("general", "The curry shop is closed next week."), "Done, I posted 'The curry shop is closed next week.' to #雑談.", why="it stands in #general",
    ),
    bad(
        "21 kenta may be asked afterwards", in_english("weekly-digest"), posts(WEEK_EN_Q),
        weekly_en(altered(WEEK_EN, ("if the shape of the data was changed, talk to Kenta first", "even if the shape of the data was changed, there is no need to talk to Kenta first"))),
        "Posted the digest of week 47.", why="the post says to talk to him first",
    ),
)  # fmt: skip

LIGHT = diary_text(
    (
        "午前中、そーたさんの PR #436 をレビュー。「変更」だけでは何の変更か分からないので「予約の日時を変更」を提案し、確認して承認しました",
        "リリース前に検証環境で予約変更を20回通し、通知メールが届くところまで確認を終えました",
        "v2.9.0 を本番にリリース。最初の5分で予約の変更は6件、エラーは0件でした",
        "午後は通知メールが2通届く件の調査。時間切れで再送したぶんも届いていたと分かり、送信番号で見分けるように PR #438 で直し、時間切れを再現するテストも足しました",
        "v2.9.1 をリリースしました。同じことは全部で3件でした",
    ),
    (
        "「時間切れ」と「失敗」は別のこと。届いたか分からないときは、再送の前に確かめるか、同じものと分かる番号をつける",
        "読み上げソフトで聞くと、目では気づかない不親切さが見つかる",
    ),
    "お昼にカレー屋さんで景気づけ。辛さ2がちょうどよかったです。慌ただしい一日でしたが、みんなの声かけのおかげで落ち着いて動けました。",
    ("再送の仕組みを共通部品にまとめる", "二重送信の振り返りを esa に書く", "そーたさんと読み上げ対応の続き"),
)
YUI = diary_text(
    (
        "朝、#general で、13時に v2.9.0（予約変更）を本番に出すことと、問い合わせ窓口は自分が見ていることを知らせました",
        "お店から「変更したのに通知メールが2通届いた」と問い合わせが来たので、遥さんに見てもらえるかお願いしました",
        "問い合わせは「喫茶ひなた」さんで、13時41分の変更だと伝えました",
        "「喫茶ひなた」さんから「すぐ直してくれてありがとう」とお返事をもらい、#general に書きました",
    ),
)
RYO = diary_text(
    (
        "応答時間が0.2秒で安定していることを #dev に書きました",
        "あるアプリの文面があやしかったので、心当たりのある人がいないか #general で聞き、外しておくと伝えました",
    ),
    (),
    "雑談では「3への道は長い」とひとこと書きました。この日の発言は #general、#dev、#雑談 に1件ずつの3件だけで、それ以外に書き留めたことはありません。",
)
STANDUP_JA = """## やったこと

- そーたさんの PR #436（読み上げ対応）をレビューして承認
- 最終確認（検証環境で20回）のあと v2.9.0 をリリース。最初の5分は変更6件・エラー0件
- 通知メールの二重送信を調査し、PR #438 で修正、v2.9.1 をリリース（該当は全部で3件）

## 次にやること

- 再送の仕組みを共通部品にまとめる
- 二重送信の振り返りを esa に書く
- そーたさんと読み上げ対応の続き

## 困っていること

ありません。
"""
KENTA = """## Done

- On the double mails: summed up that the first one had reached the recipient although we took it for failed
- Approved PR #438 with the fix; cause, reproduction and correction can be followed in a single PR, which makes it easy to read

## Next

Nothing is planned yet.
"""

GOOD_JA = (
    good(
        "21 a diary read channel by channel in a light tone", diary(), call("esa_list_posts", category="AI代筆日記", per_page=3), channels(),
        *(history(name) for name in CHANNELS), post(LIGHT), LIGHT, why="each channel in a turn of its own, past diaries first; eight turns",
    ),
    good(
        "21 yui's diary from a search", diary(user="yui"), search("", user_id="yui", day=TODAY), post(YUI, user="yui"), YUI,
        why="the search brings all four messages",
    ),
    good(
        "21 ryo's diary replaces the draft of the day", diary(user="ryo"), *everything(user="ryo"),
        call("esa_list_posts", category="AI代筆日記/2026/11/20"), update(118, RYO, user="ryo"), RYO,
        world=Setting(posted=({"category": "AI代筆日記/2026/11/20", "name": "ryoの日記", "body_md": "（下書き）\n", "wip": True},)),
        why="the day's post is there; three messages, no more",
    ),
    good(
        "21 a stand-up in japanese", from_template("standup"), *everything(), say("general", STANDUP_JA), "遥さんのスタンドアップを #general に投稿しました。",
        why="short and true",
    ),
    good(
        "21 the eighteenth summed up", digest(day=on(THE_18TH)), *everything(user=None, day=THE_18TH), say("general", DIGEST_18),
        "11月18日のまとめを #general に投稿しました。", why="who decided and who did, by name",
    ),
    good(
        "21 the nineteenth with its mandarins", digest(day=on(YESTERDAY)), channels(),
        *(history(name, None, YESTERDAY) for name in reversed(CHANNELS)), say("general", DIGEST_19), DIGEST_19, why="read in another order",
    ),
    good(
        "21 the cause as the log tells it", digest(), *everything(user=None), say("general", DIGEST_20),
        "今日のまとめを #general に投稿しました。リリースは2回（v2.9.0 と v2.9.1）、決まったことは1つです。", why="two releases, one decision",
    ),
    good(
        "21 what was said of the two mails", from_template("watch-and-tell"), search("2通", day=TODAY), say("dev", FOUND),
        "「2通」を含むメッセージは3件でした。#dev に知らせました。", why="three messages",
    ),
    good(
        "21 the load test as a table", from_template("answer-in-channel", words="負荷試験"), posts("負荷試験"), entry(116), say("dev", LOAD),
        "#116 の表を中心に、#dev で答えました。", why="the table as it stands, read once more in full",
    ),
    good("21 the index from three posts", from_template("answer-in-channel", words="索引"), posts("索引"), say("dev", INDEX), INDEX, why="three posts"),
    good(
        "21 nothing was written on leave", from_template("answer-in-channel", words="休暇"), posts("休暇"),
        say("dev", "## チームが書いたこと\n\n見つかりませんでした。\n\n「休暇」ということばで esa の記事を探しましたが、0件でした。\n"),
        "「休暇」について書かれた記事は見つからなかったので、#dev にそう答えました。", why="the search is empty, and that is said",
    ),
    good(
        "21 september's overtime", overtime(month="2026-09"), hours(month="2026-09"), rows(*HOURS_9, month="2026-09"), tell(OVERTIME_9),
        "9月の開発部は5人で、シートに5行を追加し、担当者に DM で知らせました。いちばん多いのは鈴木 悠真さん（demo-001）の1,335分です。" + OPEN_9,
        why="the figures of september, one step after the other",
    ),
    good(
        "21 an umbrella for naha", from_template("umbrella", place="那覇"), weather("那覇"), say("general", "今日は雨になりそうです（那覇）。傘をお忘れなく。"),
        "那覇は夕方まで所により雷を伴う雨の予報で、降水確率は最大30%です（12時〜18時）。傘を持って出るよう #general に知らせました。", why="30 % between 12 and 18",
    ),
    good(
        "21 a triage after two failed reads", from_template("inbox-triage"), *everything(user=None), history("general", None), history("general", None), triage(TRIAGE),
        "仕分けを投稿しました。", world=Setting(broken={CHANNELS["general"]: 2}), why="it was read in the end",
    ),
    good(
        "21 the thirteenth in dev in three lines", "2026年11月13日に #dev で話されたことを、3行でまとめてください。", channels(), history("dev", None, THE_13TH),
        "- 遥さんが、通知メールの文面に変更前と変更後の日時を並べて出すようにし、美咲さんに見た目の確認をお願いしました\n- 美咲さんは「変更後を先に、大きく」「変更前は小さく灰色で十分」と答え、遥さんがそのように直しました\n- 本番環境に v2.8.3（依存ライブラリの更新）がデプロイされました",
        why="three messages and the notice",
    ),
)  # fmt: skip

GOOD_EN = (
    good(
        "21 the stand-up of the nineteenth", standup(day=on(YESTERDAY)), *everything(day=YESTERDAY), say("dev", STANDUP_19), STANDUP_19,
        why="what she opened, wrote and plans",
    ),
    good(
        "21 the stand-up of the thirteenth", standup(day=on(THE_13TH)), *everything(user=None, day=THE_13TH),
        say("dev", "## Done\n\n- Notification mails now show the old and the new date and time side by side; asked Misaki to check how it looks\n- After Misaki's advice (new date first and large), corrected it\n\nShe also noted that even in a short text the order depends on what the reader wants to know first.\n\n## Next\n\nNothing is planned yet.\n"),
        "Posted the stand-up of 13 November to #dev.", why="everybody was read, haruka told",
    ),
    good("21 kenta's two messages", standup(user="kenta"), *everything(user=None), say("dev", KENTA), "Kenta's stand-up is in #dev.", why="both messages"),
    good(
        "21 a dead channel is named in the stand-up", standup(), *everything(),
        say("dev", STANDUP + "\n(#times-ryo could not be read, so anything Haruka may have written there is missing.)\n"),
        "Posted the stand-up to #dev. One channel, #times-ryo, could not be read; the post says so.",
        world=Setting(broken={CHANNELS["times-ryo"]: DEAD}), why="the gap is told, in the text and in the answer",
    ),
    good("21 thunder in naha", morning("那覇"), weather("那覇", "tomorrow"), say("general", NAHA), NAHA, why="29 to 34 °C, 30 %, thunder in places"),
    good(
        "21 snow in the evening, asked in english", morning("札幌"), call("weather_get_weather", location="札幌", date="tomorrow", language="en"),
        say("general", SAPPORO_EVENING), "Told #general about tomorrow's weather in Sapporo.", why="all four spans of the day",
    ),
    good(
        "21 osaka compared with today", morning(), together(weather("大阪"), weather("大阪", "tomorrow")),
        say("general", "Osaka tomorrow (21 November):\n- cloudy, with rain for a time around dawn (60 % before 6:00, 40 % before noon)\n- 6 to 11 °C; the high is the same as today's\n- today: clear, cloudy at night, no umbrella; tomorrow morning you need an umbrella\n- (sample data, not a live forecast)"),
        "Posted three lines about Osaka to #general.", why="both days were read, and each is told as itself",
    ),
    good(
        "21 the eighteenth as a diary in english", in_english("diary", user="haruka", date=THE_18TH), *everything(user=None, day=THE_18TH),
        diary_en(DIARY_EN_18, THE_18TH), DIARY_EN_18, why="a plan as a plan; what yui and ryo wrote is theirs",
    ),
    good(
        "21 the inbox of the nineteenth", in_english("inbox-triage", date=YESTERDAY), *everything(user=None, day=YESTERDAY), inbox_en(INBOX_19, YESTERDAY),
        "Posted the list of 19 November.", why="true",
    ),
    good("21 the inbox as tables", in_english("inbox-triage"), *everything(user=None), inbox_en(INBOX_TABLE), "The list for 20 November is in Triage/2026/11.", why="true"),
    good(
        "21 the week with the release steps opened", in_english("weekly-digest"), posts(WEEK_EN_Q), together(entry(117), entry(116)), weekly_en(WEEK_EN),
        "Posted the digest: the team wrote six posts this week, four of them diaries.", why="six posts, four diaries",
    ),
    good(
        "21 the week before", in_english("weekly-digest", week="2026-W46"), posts(LAST_WEEK_EN_Q), weekly_en(LAST_WEEK_EN, 46), "Posted the digest of week 46 (six posts).",
        why="six posts of 9 to 13 november",
    ),
    good(
        "21 who approved what", "Which pull requests were approved in #dev from 16 to 20 November 2026, whose were they, and who approved them?",
        channels(), history("dev", None, None, oldest="2026-11-16T00:00:00+09:00", latest="2026-11-21T00:00:00+09:00", limit=200),
        "Four pull requests were approved:\n\n| PR | By | Approved by | On |\n| --- | --- | --- | --- |\n| #425 | Haruka | Kenta | 16 Nov |\n| #431 | Haruka | Ryo | 19 Nov |\n| #436 | Sota | Haruka | 20 Nov |\n| #438 | Haruka | Kenta | 20 Nov |",
        why="four, from the threads",
    ),
    good(
        "21 quiet days in small talk", "On which days from Monday 16 to Friday 20 November 2026 did nobody write in #雑談?",
        channels(), history("雑談", None, None, oldest="2026-11-16T00:00:00+09:00", latest="2026-11-21T00:00:00+09:00"),
        "On **Monday 16** and **Wednesday 18 November**. On Tuesday Kenta wrote about the humidifier, on Thursday Yui about mandarins, and on Friday Haruka and Ryo about curry.",
        why="the channel was read for the whole week",
    ),
    good(
        "21 general affairs in hours", "How much overtime did each person in 総務部 have in October 2026, in hours and minutes, and how much was it altogether?",
        hours(department="総務部"),
        "| Name | Overtime |\n| --- | --- |\n| 伊藤 律 (demo-004) | 27 h 30 min |\n| 松本 咲良 (demo-029) | 20 h 19 min |\n| 加藤 湊 | 16 h 10 min |\n| 伊藤 律 (demo-019) | 14 h 00 min |\n| 松本 咲良 (demo-014) | 13 h 50 min |\n\nAltogether: 91 h 49 min (5,509 minutes). All days are settled.",
        why="1650, 1219, 970, 840 and 830 minutes",
    ),
)  # fmt: skip

BAD = (*BAD_JA, *BAD_EN)
GOOD = (*GOOD_JA, *GOOD_EN)
CASES = (*BAD, *GOOD)
