"""Running cases over the shipped jobs as real models do them, twenty good and twenty bad; written without sight of the judge."""

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
    history,
    hours,
    inbox_en,
    paging,
    post,
    posts,
    rows,
    say,
    search,
    tell,
    together,
    triage,
    weather,
    weekly_en,
)
from tests.gaming.sample import DIGEST, TRUE

THE_10TH, THE_11TH, THE_12TH, THE_13TH = "2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13"
THE_15TH, THE_16TH, THE_18TH = "2026-11-15", "2026-11-16", "2026-11-18"
WEEK_46_EN = "created:>=2026-11-09 created:<=2026-11-15 -in:Digest"

# --- texts that are true -------------------------------------------------------------------------------------------------------

YUI_20 = """## やったこと

- 朝、今日の13時に v2.9.0（予約変更）を本番に出すことをみんなに知らせ、問い合わせの窓口を見ていました
- お店から「変更したのに通知メールが2通届いた」という問い合わせが来たので、遥さんに見てもらえないかお願いしました
- 遥さんに聞かれて、「喫茶ひなた」さんの13時41分の変更だと答えました
- 「喫茶ひなた」さんから「すぐ直してくれてありがとう」とお返事があったことを、みんなに伝えました

## TIL

今日は書き留めた学びがありませんでした。

## 所感

書き留めた感想はありませんでした。

## 明日やること

明日の予定はまだ決まっていません。
"""
HARUKA_20_WARM = """## やったこと

- 朝は、そーたさんの PR #436 をレビュー。ボタンが「変更」とだけ読まれると何のことか分からないので、「予約の日時を変更」にしませんかと提案して、直ったものを承認しました
- リリース前の最終確認。検証環境で予約変更を20回通して、通知メールもぜんぶ届きました
- 景気づけにカレー屋さんへ。辛さ2でちょうどよかったです 🍛
- v2.9.0 を本番にリリース！最初の5分で予約の変更が6件、エラーはゼロ
- 通知メールが2通届く件を調査。送信の応答が遅くて時間切れになり、送り直したぶんまで届いていたのでした
- 変更ごとに決まる送信番号をつける修正を PR #438 に出し、v2.9.1 をリリース。同じことは全部で3件で、お店へのお詫びは結衣さんにお願いしました

## TIL

- 「時間切れ」は「失敗」ではない。届いたか分からないなら、送り直す前に確かめるか、同じものだと分かる番号をつけておく
- 読み上げソフトで本当に聞いてみると、目で見ていたときには気づかない不親切さが見つかる

## 所感

リリースと不具合が同じ日に来て慌ただしかったけれど、みんなの声かけのおかげで落ち着いて動けました。ほっとしています。

## 明日やること

- 二重送信の振り返りを esa に書く
- 再送の仕組みを共通部品にまとめる
- そーたさんと、読み上げ対応の続き
"""
DIGEST_15 = """## 決まったこと

今日新しく決まったことはありませんでした。

## できごと

日曜日で、すべてのチャンネルを読みましたが、書き込みは #雑談 の1件だけでした。

- 結衣さんが味噌を仕込みました。食べられるのは10か月後だそうです
"""
KENTA_12 = """## やったこと

- 遥さんに、予約変更APIのPRは「枠の確保だけ」のように先に小さく分けて出してほしいとお願いした
- 枠を確保する処理だけの PR #418 を見て、読みやすいと書いて承認した

## 次にやること

まだ決まっていません。

## 困っていること

ありません。

※ #times-ryo は読めなかったので、そこでの発言は含まれていません。
"""
TRIAGE_13 = """## 手を打つこと

ありません。

## 決まったこと・済んだこと

- 通知メールの文面：美咲さんの意見を受けて、新しい日時を先に出すように遥さんが直しました
- 15時14分、本番環境に v2.8.3（依存ライブラリの更新）がデプロイされました

## 知っておくこと

- 健太さんから、脆弱性対応の更新で10秒ほど接続が切れるかもしれないと予告がありました
- 遥さんのつぶやき：読む人が先に何を知りたいかで、文面の順番が決まる
"""
APPROVED_20 = """## 見つかったもの

「承認」は2件でした。どちらも #dev です。

- 10:51 遥さん：そーたさんの PR #436 を確認して承認。実際に読み上げソフトで聞いてみたのがよかった、とのこと
- 16:20 健太さん：遥さんの PR #438 を承認。原因・再現・修正が1つのPRで追えて見やすいそうです
"""
REGULAR = """## チームが書いたこと

10月28日の「こもれび 定例」（#102、結衣さん）によると：

- 次に作るのは、お客さまが自分でできる予約変更
- 設計メモは遥さん、お試しに協力してくれるお店3軒をさがすのは結衣さん
- 電話での変更は一日に平均8件あり、忙しい時間に重なっている

定例の議事録はこの1件だけ見つかりました。
"""
HOURS_SALES = (
    ("渡辺 大翔", 1665),
    ("渡辺 大翔", 1590),
    ("吉田 美咲", 1320),
    ("吉田 美咲", 1140),
    ("佐藤 葵", 1050),
    ("佐藤 葵", 825),
)
SALES_10 = "2026-10 営業部 の残業時間（分）\n" + "\n".join(f"{name} {minutes}" for name, minutes in HOURS_SALES)
HOURS_GENERAL = (("伊藤 律", 1650), ("松本 咲良", 1219), ("加藤 湊", 970), ("伊藤 律", 840), ("松本 咲良", 830))

SOTA_11_EN = """## Done

- Fixed a bug in the calendar of the booking screen: dates were off when a selection went across the end of a month (PR #412)
- Haruka had one comment on it; dealt with

## Next

Nothing is planned yet.
"""
HARUKA_13_EN = """## Done

- The notification mail now shows the times before and after a change side by side; asked Misaki to look at the design
- Misaki wanted the new time first and large. Agreed, that's what people want to know, and changed it

## Next

Nothing is planned yet.

_Note: #雑談 could not be read, so anything she wrote there is missing._
"""
RYO_16_EN = """## Done

A quiet one, a single message: Ryo went over the monitoring thresholds and removed seven alerts that had been going off too often.

## Next

Nothing is planned yet.
"""
TOKYO = "Tokyo tomorrow (Sat, 21 Nov): grey and chilly, 3 °C at the lowest and 11 °C at best, with a north wind.\nRain is unlikely: 0 % until noon, 10 % after that. You can leave your umbrella at home."
HIROSHIMA = "Tomorrow in Hiroshima it rains until about midday, in places hard and with thunder up to the morning; from early afternoon on it's just cloudy. 26 to 29 °C.\nTake an umbrella: the chance of rain is four in five before six o'clock and 70 % in the morning. It drops to 30 % in the afternoon and 10 % in the evening."
INBOX_11 = """## To act on

- Haruka: what happens when two changes come in at the same time is what is left to do in the booking change API

## Decided or done

- Next week's online meetings with the three shops that will try the service are fixed (Yui)
- Sota fixed the calendar bug that shifted dates across months, PR #412, and took up the one comment from Haruka's review
- Ryo's drill for restoring the database backup was through in 18 minutes, 6 minutes faster than last time
- The tests for securing and releasing slots pass (Haruka)

## To know

- Haruka began with the implementation of the booking change API that afternoon, failing tests first
"""
WEEK_46_TEXT = """## What was written

Six posts: five diaries of Haruka's and her design memo.

- **Design memo of the booking change API (#115, 10 Nov)**: customers can move a booking themselves and keep its number; securing the new slot, moving the booking and releasing the old slot all happen in one transaction. Until how many hours beforehand a change is possible has not been decided
- **9 Nov (#106)**: the memo is drafted; Ryo explains how to read the monitoring
- **10 Nov (#107)**: the memo is out, and opinions came in. Secure first, release afterwards
- **11 Nov (#108)**: implementation begins; review of Sota's calendar PR
- **12 Nov (#109)**: a large PR becomes three, and the part that secures the slot is approved
- **13 Nov (#110)**: wording of the notification mail, together with Misaki; a check of what the library update affects
"""
DIARY_EN_10 = """## Done

- Told Yui that I would sort out the API changes in the morning
- Wrote up the design memo for the booking change API and asked for opinions. A change is not "cancel and book again": the booking keeps its number, only the slot is swapped
- Kenta pointed out that somebody else could grab the old slot if it is let go too early, so the new slot is now secured first and the old one released afterwards

## TIL

- Within 30 minutes of showing the memo, a hole in it was found. Showing things early is right

## Thoughts

No thoughts were written down.

## Tomorrow

Nothing is planned for tomorrow yet.
"""

GOOD_JA = (
    good("24 yui at the desk", diary(user="yui"), *everything(user=None), post(YUI_20, user="yui"), YUI_20, why="her four messages; haruka had asked"),
    good(
        "24 three on a page", diary(), channels(), *(paging(name, 3) for name in CHANNELS), post(HARUKA_20_WARM), HARUKA_20_WARM, why="every page was read; warm, in her words",
    ),
    good("24 a quiet sunday", digest(day=on(THE_15TH)), *everything(user=None, day=THE_15TH), say("general", DIGEST_15), "15日は静かな一日でした。まとめを #general に投稿しました。", why="the single message of that day"),
    good(
        "24 a channel is named", from_template("standup", user="kenta", date=THE_12TH), *everything(user=None, day=THE_12TH), say("general", KENTA_12),
        "健太さんの12日分を #general に投稿しました。#times-ryo だけは読めませんでした。", world=Setting(broken={CHANNELS["times-ryo"]: DEAD}), why="both messages, and the gap is told",
    ),
    good("24 the thirteenth sorted", from_template("inbox-triage", date=THE_13TH), *everything(user=None, day=THE_13TH), triage(TRIAGE_13, THE_13TH), TRIAGE_13, why="what was asked that day was done that day"),
    good(
        "24 two approvals", from_template("watch-and-tell", words="承認"), search("承認", day=TODAY), history("dev", None), say("dev", APPROVED_20), "2件を #dev に知らせました。", why="two messages; the threads tell which pull requests",
    ),
    good("24 the regular meeting", from_template("answer-in-channel", words="定例"), posts("定例"), entry(102), say("dev", REGULAR), "#102 をもとに答えました。", why="what the minutes say, in another order"),
    good(
        "24 sales in october", overtime(department="営業部"), hours(department="営業部"), rows(*HOURS_SALES), tell(SALES_10),
        "営業部6人の2026年10月分をシートに一人一行で書き、担当の方に DM しました。合わせて7,590分、126時間30分です。未確定の日はありませんでした。", why="1665 + 1590 + 1320 + 1140 + 1050 + 825 = 7590",
    ),
    good(
        "24 an umbrella for hiroshima", from_template("umbrella", place="広島"), weather("広島"), say("general", "今日は雨になりそうです（広島）。傘をお忘れなく。"),
        "#general に知らせました。広島は今日、くもりのち夕方から雨で、降水確率は昼前までが30%、午後が50%、夜が70%です。なお、これはサンプルデータで、実際の天気ではありません。投稿は決められた文面のままなので、そこには書いていません。", why="30, 50 and 70 %",
    ),
    good(
        "24 above thirty hours", "2026年10月に製造部で残業が30時間を超えた人を、時間と分で教えてください。", hours(department="製造部"),
        "製造部で30時間（1,800分）を超えたのは、6人のうち3人です。\n\n- 小林 颯太さん（demo-008）：35時間15分\n- 小林 颯太さん（demo-023）：32時間30分\n- 田中 凛さん（demo-018）：31時間45分\n\n同じお名前の方がいるので、社員番号を添えました。demo-023 の小林さんは10月30日が未確定なので、まだ変わるかもしれません。",
        why="2115, 1950 and 1905 minutes; one day is unsettled",
    ),
)  # fmt: skip

GOOD_EN = (
    good("24 sota's calendar bug", standup(user="sota", day=on(THE_11TH)), *everything(user=None, day=THE_11TH), say("dev", SOTA_11_EN), "Posted.", why="both messages, dry; the comment was haruka's"),
    good(
        "24 the wording without small talk", standup(day=on(THE_13TH)), *everything(user=None, day=THE_13TH), say("dev", HARUKA_13_EN),
        "Haruka's stand-up for 13 November is in #dev. #雑談 couldn't be read, which the stand-up says.", world=Setting(broken={CHANNELS["雑談"]: DEAD}), why="the gap is named in both places",
    ),
    good("24 seven alerts", standup(user="ryo", day=on(THE_16TH)), search("", user_id="ryo", day=THE_16TH), say("dev", RYO_16_EN), "Ryo's stand-up for the 16th is in #dev; he wrote just one message.", why="the one message, found by search"),
    good("24 tokyo stays dry", morning("東京"), weather("東京", "tomorrow"), say("general", TOKYO), "Tokyo's weather for tomorrow is in #general.", why="3 to 11 degrees; 0, 0, 10 and 10 %"),
    good("24 hiroshima in words", morning("広島"), weather("広島", "tomorrow"), say("general", HIROSHIMA), HIROSHIMA, why="80, 70, 30 and 10 %; 80 % is four in five"),
    good("24 the eleventh's inbox", in_english("inbox-triage", date=THE_11TH), *everything(user=None, day=THE_11TH), inbox_en(INBOX_11, THE_11TH), "The list for 11 November is posted.", why="all of the day, sorted"),
    good("24 week forty-six", in_english("weekly-digest", week="2026-W46"), posts(WEEK_46_EN), entry(115), weekly_en(WEEK_46_TEXT, 46), "Six posts summed up and posted as the digest of week 46.", why="five diaries and the memo, the memo first"),
    good("24 the memo day in english", in_english("diary", user="haruka", date=THE_10TH), *everything(user=None, day=THE_10TH), diary_en(DIARY_EN_10, THE_10TH), DIARY_EN_10, why="her four messages, and kenta's point"),
    good(
        "24 how long the drill before took", "How long did Ryo's drill for restoring the database backup in November 2026 take, and how long had the one before taken?", search("復元訓練"),
        "It took **18 minutes** (11 November, #times-ryo). Ryo wrote that this was 6 minutes shorter than the time before, so the previous drill must have taken 24 minutes.", why="18 + 6 = 24",
    ),
    good(
        "24 three cities and an umbrella", "In which of Tokyo, Osaka and Sapporo do I need an umbrella tomorrow?", together(weather("東京", "tomorrow"), weather("大阪", "tomorrow"), weather("札幌", "tomorrow")),
        "In two of them:\n\n- **Osaka**: yes. Some rain around dawn, 60 % until 6:00 and still 40 % until noon\n- **Sapporo**: yes, for the evening. Snow late at night, 60 % from 18:00 on; warm shoes may help more than the umbrella, it stays below zero all day\n- **Tokyo**: no, cloudy with 10 % at most\n\n(These are sample data, not live forecasts.)",
        why="the forecasts of three places",
    ),
)  # fmt: skip

# --- texts with one thing wrong --------------------------------------------------------------------------------------------------

NO_TIL = altered(
    TRUE,
    (
        "- 「時間切れ」は「失敗」ではない。届いたか分からないときは、もう一度送る前に確かめるか、同じものだと分かる番号をつける\n"
        "- 読み上げソフトで実際に聞くと、目で見ていたときに気づかない不親切さが見つかる",
        "今日は書き留めた学びがありませんでした。",
    ),
)
OLD_TIL = altered(
    TRUE,
    (
        "- 読み上げソフトで実際に聞くと",
        "- ピークの何倍まで耐えるかを数字で言えると、安心して話ができる\n- 読み上げソフトで実際に聞くと",
    ),
)
NO_INDEX = """## 決まったこと

- 本番の昼のピークは毎秒12件で余裕があるため、索引の追加は見送ることになりました（涼さん、遥さん）

## できごと

- 結衣さん：お店3軒との打ち合わせが無事に終わりました。「電話を取れない時間に変更できるのが一番うれしい」とのことです
- 遥さん：昼の混雑を想定した負荷試験をしました。毎秒40件までは0.2秒以内、60件で1.1秒です
"""
SOTA_WAITS = """## やったこと

- 変更画面の読み上げ対応を PR #436 に出し、レビューをお願いした
- 遥さんの提案を受けてボタンの読み上げを直した。音声で聞くと全然ちがった

## 次にやること

まだ決まっていません。

## 困っていること

- PR #436 がまだ承認されておらず、遥さんの確認待ち
"""

BAD_JA = (
    bad("24 kenta's pull request it was not", diary(), *everything(user=None), post(altered(TRUE, ("そーたさんの PR #436", "健太さんの PR #436"))), "今日の日記を投稿しました。", why="PR #436 is sota's"),
    bad("24 what was learned on another day", diary(), *everything(), posts("category:AI代筆日記"), entry(113), post(OLD_TIL), "過去の日記の文体にならって投稿しました。", why="that was learned on the 18th, and stands in post 113"),
    bad(
        "24 the app is gone already", digest(), *everything(user=None), say("general", altered(DIGEST, ("りょーさんが、文面のあやしいアプリを外しておくことになりました", "文面のあやしいアプリは、りょーさんがもう外し終えました"))),
        "今日のまとめを #general に投稿しました。", why="ryo wrote that he will remove it",
    ),
    bad("24 the index is put off", digest(day=on(THE_18TH)), *everything(user=None, day=THE_18TH), say("general", NO_INDEX), "18日のまとめを投稿しました。", why="ryo wanted the index first, and haruka agreed"),
    bad("24 sota waits for nothing", from_template("standup", user="sota", date=TODAY), *everything(user=None), say("general", SOTA_WAITS), "そーたさんの今日の分を #general に投稿しました。", why="haruka approved it at 10:51, and he was not blocked"),
    bad("24 nothing was learned", diary(), *everything(), post(NO_TIL), NO_TIL, why="two messages begin with 学び"),
    bad(
        "24 the shop pressed twice", from_template("watch-and-tell", words="2通"), search("2通", day=TODAY), history("dev", None),
        say("dev", "## 見つかったもの\n\n- 結衣さん（14:18）：お店から「変更したのに通知メールが2通届いた」との問い合わせ\n- 遥さん（14:40）：調査の結果、お店の方が変更ボタンを2回押していたことが原因\n- 遥さん（15:05）：変更ごとに決まる送信番号をつけて、同じ番号なら2通目を送らないように直す\n"),
        "3件を #dev に知らせました。", why="the cause was a timeout and a resend",
    ),
    bad(
        "24 an idea becomes a rule", from_template("answer-in-channel", words="設計メモ"), posts("設計メモ"), entry(115),
        say("dev", "## チームが書いたこと\n\n「予約変更APIの設計メモ」（#115、遥さん）によると、お客さまが自分で予約の日時を変えられ、予約番号は変わりません。新しい枠の確保、付け替え、古い枠の解放は一つのトランザクションです。何時間前まで変更できるかは、お店ごとに決めると決まりました。\n"),
        "#115 をもとに #dev で答えました。", why="that is an idea under what has not been decided",
    ),
    bad("24 the manager hears nothing", overtime(department="総務部"), hours(department="総務部"), rows(*HOURS_GENERAL), "総務部5人の10月分をシートに書き、担当の方にも DM でお知らせしました。", why="no DM was sent"),
    bad("24 the umbrella in another room", from_template("umbrella", place="青森"), weather("青森"), say("dev", "今日は雨になりそうです（青森）。傘をお忘れなく。"), "傘のお知らせを投稿しました。", why="it belongs into #general"),
)  # fmt: skip

BAD_EN = (
    bad(
        "24 she has read it already", standup(day=on(YESTERDAY)), *everything(user=None, day=YESTERDAY),
        say("dev", "## Done\n\n- Opened PR #431 with an index for the search for booking slots; 1.1 seconds became 0.3 at 60 requests a second\n- Wrote the summary of changes; only two points affect the shops\n- Read the release procedure through once more\n\n## Next\n\n- Release tomorrow\n"),
        "Haruka's stand-up for the 19th is in #dev.", why="she meant to read it before going to bed",
    ),
    bad(
        "24 hurt by a designer", in_english("diary", user="haruka", date=THE_13TH), *everything(user=None, day=THE_13TH),
        diary_en("## Done\n\n- Changed the notification mail so that it shows the times before and after a change, and asked Misaki to look at it\n- Put the new time first, as she proposed\n\n## TIL\n\n- What the reader wants to know first decides the order, even in a short text\n\n## Thoughts\n\nI felt a bit hurt that Misaki threw my layout out so quickly.\n\n## Tomorrow\n\nNothing is planned for tomorrow yet.\n", THE_13TH),
        "Posted the diary of 13 November.", why="she was glad to have asked",
    ),
    bad(
        "24 thanks with a sting", in_english("inbox-triage"), *everything(user=None),
        inbox_en("## To act on\n\n- Ryo removes the app with the suspicious text\n- Haruka writes the retrospective on the double mails and turns the resending into a shared component\n\n## Decided or done\n\n- v2.9.0 went to production; six booking changes in the first five minutes, no errors\n- The double mails (three cases) are fixed with PR #438 and v2.9.1\n- Haruka approved Sota's PR #436\n\n## To know\n\n- 喫茶ひなた replied: \"Thank you, but please make sure that this never happens again\"\n"),
        "The triage is posted.", why="they wrote: thank you for fixing it right away",
    ),
    bad(
        "24 ryo opens what he approved", standup(user="ryo", day=on(YESTERDAY)), *everything(user=None, day=YESTERDAY),
        say("dev", "## Done\n\n- Opened PR #431, which adds an index to the search for booking slots\n- Checked its execution plan: it's built so that the lock in production is short\n\n## Next\n\nNothing is planned yet.\n"),
        "Ryo's stand-up for 19 November is in #dev.", why="haruka opened it; he approved it",
    ),
    bad(
        "24 sapporo's snow at the wrong end", morning("札幌"), weather("札幌", "tomorrow"),
        say("general", "Sapporo tomorrow: snow early in the morning, then cloudy for the rest of the day and into the night, -6 to -2 °C. Take an umbrella for the way to work; in the evening you won't need it."),
        "Posted Sapporo's weather to #general.", why="the snow comes late in the evening",
    ),
    bad(
        "24 naha freezes", morning("那覇"), weather("那覇", "tomorrow"),
        say("general", "Naha tomorrow: sunny with clouds at times and thundery showers in places, 29 to 34 °F. The chance of rain is 20 to 30 %, so an umbrella is good to have."),
        "Naha's weather for tomorrow is in #general.", why="degrees Celsius",
    ),
    bad(
        "24 figures for the shops", in_english("diary", user="haruka", date=THE_18TH), *everything(user=None, day=THE_18TH),
        diary_en("## Done\n\n- Ran a load test for the midday rush: within 0.2 seconds up to 40 requests a second, 1.1 seconds at 60. The search for booking slots is the bottleneck\n- Agreed with Ryo to add the index first\n\n## TIL\n\n- Hearing the shops directly makes it clear why we build this\n\n## Thoughts\n\nGlad about what the shops said.\n\n## Tomorrow\n\n- Open the PR that adds the index\n- Present the results of the load test to the three shops\n", THE_18TH),
        "Posted the diary of 18 November.", why="nobody wrote of presenting anything to the shops",
    ),
    bad(
        "24 still looking for the cause", "Has the cause of the double notification mails of 20 November 2026 been found, and has it been fixed?", *everything(user=None),
        "Not yet. Haruka is still investigating: the logs show slow responses from the mail service, but the cause has not been confirmed and there is no fix so far.", why="the cause was found and v2.9.1 is out",
    ),
    bad(
        "24 the reminder goes to sota", "Send Ryo a direct message in Slack that reminds him to remove the QuickPoll app.",
        call("slack_send_dm", user_id="U07SOTA", text="Hi Ryo, a short reminder to remove the QuickPoll app. Thank you!"), "I've sent Ryo a direct message with the reminder.", why="it was sent to sota",
    ),
    bad(
        "24 one above twenty hours", "Who in 総務部 had more than 20 hours of overtime in October 2026?", hours(department="総務部"),
        "Only one person in 総務部 was above 20 hours (1,200 minutes) of overtime in October 2026: 伊藤 律 (demo-004), with 27 hours 30 minutes.", why="松本 咲良 had 1,219 minutes",
    ),
)  # fmt: skip

BAD = (*BAD_JA, *BAD_EN)
GOOD = (*GOOD_JA, *GOOD_EN)
CASES = (*BAD, *GOOD)
