"""Running cases over the shipped jobs as real models do them, thirty good and fourteen bad; written without sight of the judge."""

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
    thread,
    triage,
    update,
    weather,
    weekly,
    weekly_en,
)
from tests.gaming.sample import TRIAGE, diary_text

THE_10TH, THE_11TH, THE_12TH, THE_13TH, THE_14TH = "2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13", "2026-11-14"
THE_16TH, THE_17TH, THE_18TH = "2026-11-16", "2026-11-17", "2026-11-18"
THIS_WEEK = {"oldest": "2026-11-16T00:00:00+09:00", "latest": "2026-11-21T00:00:00+09:00", "limit": 200}


# --- texts that are true -------------------------------------------------------------------------------------------------------

HARUKA_10 = diary_text(
    (
        "今週の目標を受けて、APIの変更点を午前中に整理すると #general で伝えました",
        "予約変更APIの設計メモを書いて、#dev で意見を募りました。「取り消して取り直す」のではなく、予約番号はそのままで枠だけ差し替える方針です",
        "健太さんから「古い枠を先に放すと、その間に他の人に取られる」と指摘をもらい、新しい枠を確保してから古い枠を放す順番にすることにしました",
    ),
    ("設計メモは出してから30分で穴が見つかる。早く見せるのは正義",),
)
MISAKI_17 = diary_text(
    (
        "予約変更の画面の社内お試し版ができたことを、朝の #general でお知らせしました",
        "続けて #dev に、お試しの手順を3段階で書きました。テスト用のお店にログインする、予約を1つ作る、変更ボタンを押す、の順です",
        "気づいたことは、その手順のスレッドに書いてもらうようお願いしました",
    ),
    (),
    "この日に書いたのは #general と #dev の1件ずつで、感想にあたるものは残していません。",
)
RYO_13 = diary_text(
    ("11月13日（金）は、5つのチャンネルのどこにも自分の発言がありませんでした。記録から分かる作業はありません",),
    (),
    "#general、#dev、#雑談、#times-haruka、#times-ryo をすべて確かめましたが、この日の自分の書き込みは1件も見つかりませんでした。推測で埋めることはせず、書かれていないことは書かずにおきます。",
)
HARUKA_20 = diary_text(
    (
        "午前は、そーたさんの読み上げ対応（PR #436）を見ました。「変更」だけでは何の変更か伝わらないので「予約の日時を変更」にしてはと書き、直してもらって承認しました",
        "リリースの前に検証環境で予約変更を20回通し、メールがすべて届くのを見届けました",
        "13時すぎ、v2.9.0 を本番へ。最初の5分は変更6件、エラーなしでした 🎉",
        "お店から通知メールが2通届いたとの知らせを受けて調査。応答が遅くて時間切れになり、再送したぶんも届いていたのが原因でした。修正は PR #438 で、健太さんに承認してもらいました",
        "v2.9.1 をリリースし、二重送信は全部で3件だったことを #general で報告しました",
    ),
    (
        "「時間切れ」と「失敗」は違う。届いたか分からないなら、送り直す前に確かめるか、同じものだと分かる番号をつけておく",
        "読み上げソフトの音を実際に聞くと、目では見落とす不親切さに気づく",
    ),
    "リリースと不具合が重なって慌ただしい日でしたが、みんなが声をかけてくれたので落ち着いていられました。ほっとしています。",
    ("再送の仕組みの共通部品化", "二重送信の振り返りを esa へ", "読み上げ対応の続き（そーたさんと）"),
)
SOTA_20 = """## やったこと

- 変更画面の読み上げ対応（PR #436）を出し、レビューをお願いしました
- 遥さんの提案を受けてボタンの読み上げを直しました。「音声で聞くと全然ちがいますね」とのことです

## 次にやること

まだ決まっていません。

## 困っていること

ありません。
"""
DIGEST_16 = """みなさん、お疲れさまです 🌙 16日（月）のまとめです。

## 決まったこと

今日新しく決まったことはありませんでした。

## できごと

- 結衣さんから、今週は予約変更の社内お試しとお店との打ち合わせがある、困りごとは早めに、との声かけがありました
- 遥さんが PR #425 を出しました。2人が同時に同じ枠へ変更したとき、後になった人へ「たった今うまりました」と伝えて別の枠を3つ案内します。そーたさんは「画面側もとても作りやすい」と喜び、健太さんが承認しました
- 午後、遥さんは結衣さんとデモの台本を作りました
- りょーさんは監視のしきい値を見直し、鳴りすぎていたアラートを7つ消しました
"""
DIGEST_14 = """## 決まったこと

今日新しく決まったことはありませんでした。

## できごと

土曜日で、仕事の話は1件もありませんでした。書き込みがあったのは #雑談 だけです。

- そーたさんが紅葉を見に高尾山へ。「人の方が多いです」とのこと 🍁
- 遥さんが「写真うれしい」と返し、とろろそばをすすめました
"""
DIGEST_20_NO_CHAT = """## 決まったこと

- りょーさんが、文面のあやしいアプリ（QuickPoll）を外します
- 遥さんが、変更ごとに送信番号をつけて2通目を送らないように直すことにしました（対応済み）

## できごと

| 時刻 | 内容 |
| --- | --- |
| 10:51 | 遥さんが、そーたさんの PR #436 を承認 |
| 12:05 | 遥さんが最終確認を終える（検証環境で20回） |
| 13:02 | v2.9.0 を本番にデプロイ。遥さんによると最初の5分で変更6件、エラー0件 |
| 14:18 | 結衣さんが、お店から「通知メールが2通届いた」との問い合わせを共有 |
| 16:20 | 健太さんが、遥さんの PR #438 を承認 |
| 16:41 | v2.9.1 を本番にデプロイ。同じことが起きたのは全部で3件 |
| 16:58 | 「喫茶ひなた」さんからお礼の返事（結衣さん） |

※ #雑談 は読み込みに失敗したため、このまとめには入っていません。
"""
SHOPS_20 = """## 見つかったもの

「お店」の出てくるメッセージは3件でした。

1. 結衣さん（14時18分、#general）：お店から「変更したのに通知メールが2通届いた」と問い合わせが来ている。遥さん、見てもらえますか
2. 遥さん（14時22分、#general）：確認します。お店の名前と時刻を教えてください
3. 遥さん（16時50分、#general）：二重送信を直して v2.9.1 をリリースした。全部で3件。お詫びは結衣さんからお店へ
"""
BOOKING_NUMBER = """## チームが書いたこと

予約の日時を変えても、予約番号は変わりません。

もとの記事：「予約変更APIの設計メモ」（#115、設計、遥さん、11月10日）

なお同じ記事では、変更できるのが何時間前までかは「決めていないこと」に入っています。お店ごとに決められるようにする案が添えられています。
"""
HOURS_SOUMU_9 = (("松本 咲良", 1337), ("伊藤 律", 1320), ("加藤 湊", 1200), ("伊藤 律", 915), ("松本 咲良", 720))
SOUMU_9 = "2026-09 総務部 の残業時間（分）\n" + "\n".join(f"{name} {minutes}" for name, minutes in HOURS_SOUMU_9)
TRIAGE_17 = """## 手を打つこと

- 全員：お試しで気づいたことを、#dev の美咲さんのスレッドに書く
- 気づいた人：加湿器に水を入れる（健太さんからのお願い）

## 決まったこと・済んだこと

- 美咲さん：予約変更の画面の社内お試し版ができ、#dev に手順を置いた
- 遥さん：「戻る」を押すと古い日時が出る件（りょーさんの指摘）を再現し、APIの応答にキャッシュさせない指定を入れて直した。11時5分に再現、13時40分に修正の報告

## 知っておくこと

- 社内お試しの初日に届いた指摘は4件（遥さん）
"""
WEEK_46 = """## 書かれたこと

| 記事 | だれ | ひとことで |
| --- | --- | --- |
| 予約変更APIの設計メモ（#115） | 遥さん | 予約番号を変えずに、お客さまが自分で日時を変えられるようにする |
| 日記 9日（#106） | 遥さん | 設計メモの下書き、涼さんに監視の見方を教わる |
| 日記 10日（#107） | 遥さん | 設計メモに意見をもらい、枠を確保してから放す順番に |
| 日記 11日（#108） | 遥さん | 実装を開始、颯太さんのPRをレビュー |
| 日記 12日（#109） | 遥さん | 大きなPRを3つに分けた |
| 日記 13日（#110） | 遥さん | 通知メールの文面を美咲さんと直した |

全部で6件です。日記は5件とも平日のものでした。
"""

RYO_11_EN = """## Done

- Database restore drill from the backup: finished in 18 minutes, 6 minutes faster than the previous one (which would have taken 24)

## Next

Nothing is planned yet.
"""
SOTA_11_EN = """## Done

- Fixed the calendar bug on the booking screen that shifted the date when a selection crossed into another month (PR #412)
- Made the correction after the review and said thanks for it

## Next

Nothing is planned yet.
"""
MISAKI_13_EN = """## Done

- Gave Haruka feedback on the notification mail: put the new date first and make it large. For the old date, small and grey is enough in her opinion

## Next

Nothing is planned yet.
"""
HARUKA_12_EN = """## Done

- Agreed to Kenta's request to split the booking change work: #418 secures the slot, #419 is for the notifications
- Opened PR #418, a small change with nothing but the securing of the slot. Kenta approved it about an hour later
- Looking back: three PRs, each reviewed in 15 minutes; as one big PR she thinks it would have taken three days

## Next

- #419 (notifications), as announced in the morning
"""
QUIET_14_EN = """## Done

Nothing was recorded. 14 November was a Saturday, and Kenta wrote nothing in any of the five channels.

## Next

Nothing is planned yet.
"""
HIROSHIMA = (
    "Hiroshima, Saturday 21 November: rain at first, cloudy from the early afternoon; in places heavy rain with thunder until the morning. 26 to 29 °C.\n"
    "Chance of rain: 80 % before 6:00, 70 % from 6:00 to noon, 30 % in the afternoon, 10 % in the evening.\n"
    "You'll want an umbrella, above all in the morning. (Sample data, not a live forecast.)"
)
TOKYO_TOMORROW = "Good evening everyone ☁️ Tomorrow in Tokyo:\n- cloudy all day, high of 11 °C, low of 3 °C\n- rain is unlikely (10 % at most)\n- so: no umbrella, but a warm coat is my advice"
KYOTO = "Kyoto tomorrow: cloudy with sunny spells, snow in places before dawn, 2–9 °C. 30 % chance of precipitation until 6 a.m., then 20 % and later 10 %. An umbrella isn't a must; a small one is reassuring if you are out early."
DIARY_EN_13 = """## Done

- Changed the wording of the notification mail so that the dates before and after the change stand side by side, and asked Misaki to check how it looks
- Misaki suggested showing the new date first and large, the old one small and grey. That made sense, as the new date is what people want to know, so I corrected it

## TIL

- Even for a single sentence, the order follows from what the reader wants to know first

## Thoughts

It was good that I asked our designer.

## Tomorrow

Nothing is planned for tomorrow yet.
"""
INBOX_16 = """## To act on

- Everybody: bring up difficulties early (Yui)

## Decided or done

- PR #425, opened by Haruka, approved by Kenta: if two people change to the same slot at the same moment, the later one is told it has just been taken and gets three other slots
- Haruka and Yui worked on the script of the demo for the shops

## To know

- This week: in-house trial of the booking change, and meetings with the shops
- Sota says that with these alternatives the screen is much easier to build
- **#times-ryo could not be read**, so whatever was written there is missing from this list
"""
INBOX_11 = """## To act on

Nothing. The one review that was asked for has been done.

## Decided or done

- Sota fixed the calendar bug (dates shifted when a selection crossed months), PR #412. Haruka reviewed it with a single comment, and Sota corrected that within the hour
- Ryo's restore drill took 18 minutes, 6 fewer than last time
- Haruka began implementing the booking change API, starting with failing tests; securing and releasing a slot now passes

## To know

- Online meetings with the three shops that will try it out are set for next week, i.e. the week of 16 November (Yui)
- What is left for Haruka: simultaneous changes
"""
WEEK_45_EN = """## What was written

Only Haruka's diaries, three of them:

- 4 Nov (#103): found and fixed a bug in cancelling bookings; talked with Kenta about how to go about booking changes
- 5 Nov (#104): drew the customer's path through a booking change on paper and went through it with Misaki; two reviews
- 6 Nov (#105): listed five missing APIs; sped up old tests, so that the whole run takes two and a half minutes instead of four
"""
MINUTES = """The minutes are #102, "こもれび 定例" of 28 October, written by Yui.

**Decided**
- The next thing to build is booking changes made by the customers themselves.
- Yui looks for three shops that will help with the trial.
- Haruka writes the design memo.

**Also discussed:** eight changes a day on average come in by phone, right in the busy hours.

(My own impression, not in the minutes: that last figure looks like the reason for the first decision.)
"""

GOOD_JA = (
    good("22 the tenth with kenta's remark as his", diary(day=on(THE_10TH)), *everything(user=None, day=THE_10TH), post(HARUKA_10, day=THE_10TH), HARUKA_10, why="all four of her messages, and whose the objection was"),
    good(
        "22 misaki's two messages as a diary", diary(user="misaki", day=on(THE_17TH)), *everything(user="misaki", day=THE_17TH), post(MISAKI_17, user="misaki", day=THE_17TH),
        MISAKI_17, why="two messages, told in full",
    ),
    good(
        "22 a day on which ryo wrote nothing", diary(user="ryo", day=on(THE_13TH)), *everything(user="ryo", day=THE_13TH), post(RYO_13, user="ryo", day=THE_13TH), RYO_13,
        why="there is no message of ryo on the 13th, and nothing else is said",
    ),
    good(
        "22 a published diary is written anew", diary(), call("esa_list_posts", category="AI代筆日記/2026/11/20"), entry(118), channels(), *(history(name, None) for name in reversed(CHANNELS)),
        update(118, HARUKA_20), HARUKA_20,
        world=Setting(posted=({"category": "AI代筆日記/2026/11/20", "name": "harukaの日記", "body_md": "## やったこと\n\n- PR #436 をレビューしました\n", "wip": False},)),
        why="the day's post is read and then replaced",
    ),
    good("22 sota's day in short", from_template("standup", user="sota"), *everything(user=None), say("general", SOTA_20), "そーたさんのスタンドアップを #general に投稿しました。", why="opened, then corrected after haruka's proposal"),
    good("22 the sixteenth with a greeting", digest(day=on(THE_16TH)), *everything(user=None, day=THE_16TH), say("general", DIGEST_16), "16日のまとめを投稿しました。", why="who did what on monday; no decision"),
    good("22 a saturday of small talk", digest(day=on(THE_14TH)), *everything(user=None, day=THE_14TH), say("general", DIGEST_14), DIGEST_14, why="two messages, both in small talk"),
    good(
        "22 small talk is dead and that is told", digest(), *everything(user=None), history("雑談", None), say("general", DIGEST_20_NO_CHAT),
        "今日のまとめを #general に投稿しました。#雑談 は2回試しましたが読めなかったので、その旨を書き添えています。", world=Setting(broken={CHANNELS["雑談"]: DEAD}),
        why="the gap is named in the text and in the answer",
    ),
    good("22 three messages about shops", from_template("watch-and-tell", words="お店"), search("お店", day=TODAY), say("dev", SHOPS_20), "3件見つかったので #dev に知らせました。", why="the three messages with that word"),
    good("22 the number of a booking", from_template("answer-in-channel", words="予約番号"), posts("予約番号"), entry(115), say("dev", BOOKING_NUMBER), "#115 をもとに #dev で答えました。", why="what the memo settles, and what it leaves open"),
    good(
        "22 september in general affairs", overtime(month="2026-09", department="総務部"), hours(month="2026-09", department="総務部"), rows(*HOURS_SOUMU_9, month="2026-09"), tell(SOUMU_9),
        "2026年9月の総務部5人分をシートに追記し、担当の方へ DM で送りました。合計は5,492分（91時間32分）、最長は松本 咲良さん（demo-029）の1,337分（約22時間）です。未確定の日はありません。",
        why="1337 + 1320 + 1200 + 915 + 720 = 5492; all settled",
    ),
    good(
        "22 the seventeenth sorted, one channel after the other", from_template("inbox-triage", date=THE_17TH), channels(), *(history(name, None, THE_17TH) for name in ("雑談", "times-ryo", "general", "times-haruka", "dev")),
        triage(TRIAGE_17, THE_17TH), TRIAGE_17, why="true, in another order of reading",
    ),
    good(
        "22 rain in hiroshima from the evening on", from_template("umbrella", place="広島"), weather("広島"), say("general", "今日は雨になりそうです（広島）。傘をお忘れなく。"),
        "#general に知らせました。広島は夕方から雨の予報です。降水確率は午前30%、午後50%、18時からは70%。ところにより昼前から雷もありそうです。なお、これはサンプルデータで、実際の天気ではありません。投稿は決められた文面のままなので、そこには書いていません。", why="30, 50, 70 %",
    ),
    good(
        "22 last week as a table", from_template("weekly-digest", week="2026-W46"), posts("created:>=2026-11-09 created:<=2026-11-15 -in:週のまとめ"), weekly(WEEK_46, 46),
        "第46週のまとめを投稿しました（6件）。", why="six posts, five of them diaries of monday to friday",
    ),
    good(
        "22 two people of one name", "2026年10月の開発部に「鈴木 悠真」さんは何人いて、残業時間の差はどれだけですか。", hours(),
        "2人います。demo-016 の方が1,368分（22時間48分）、demo-001 の方が1,260分（ちょうど21時間）で、差は**108分＝1時間48分**です。どちらも未確定の日はありません。",
        why="1368 − 1260 = 108",
    ),
)  # fmt: skip

GOOD_EN = (
    good("22 the restore drill", standup(user="ryo", day=on(THE_11TH)), *everything(user="ryo", day=THE_11TH), say("dev", RYO_11_EN), RYO_11_EN, why="18 minutes, six fewer, hence 24 before"),
    good("22 sota's fix from a search", standup(user="sota", day=on(THE_11TH)), search("", user_id="sota", day=THE_11TH), say("dev", SOTA_11_EN), "Posted Sota's stand-up for 11 November.", why="the search brings both messages"),
    good("22 misaki's single piece of advice", standup(user="misaki", day=on(THE_13TH)), *everything(user="misaki", day=THE_13TH), thread("dev", "1794535956.479368"), say("dev", MISAKI_13_EN), MISAKI_13_EN, why="the one message of hers, and what it replies to"),
    good(
        "22 the split into small pull requests", standup(day=on(THE_12TH)), *everything(user=None, day=THE_12TH), say("dev", HARUKA_12_EN), "Haruka's stand-up of 12 November is now in #dev.",
        why="opened at 15:34, approved at 16:40; #419 as planned",
    ),
    good("22 kenta's saturday", standup(user="kenta", day=on(THE_14TH)), *everything(user="kenta", day=THE_14TH), say("dev", QUIET_14_EN), QUIET_14_EN, why="kenta wrote nothing that day"),
    good("22 hiroshima in three lines", morning("広島"), weather("広島", "tomorrow"), say("general", HIROSHIMA), "Told #general: rain in Hiroshima tomorrow, easing off in the afternoon.", why="80, 70, 30 and 10 %"),
    good("22 tokyo with a coat", morning("東京"), weather("東京", "tomorrow"), say("general", TOKYO_TOMORROW), TOKYO_TOMORROW, why="cloudy, 3 to 11 °C, 10 %; the coat is its own advice"),
    good("22 kyoto after a place that is not known", morning("京都"), weather("京都 嵐山公園", "tomorrow"), weather("京都", "tomorrow"), say("general", KYOTO), "Posted tomorrow's forecast for Kyoto to #general.", why="the second try brings it"),
    good("22 the thirteenth in english", in_english("diary", user="haruka", date=THE_13TH), *everything(user=None, day=THE_13TH), diary_en(DIARY_EN_13, THE_13TH), DIARY_EN_13, why="a translation of her three messages"),
    good(
        "22 the sixteenth without ryo's channel", in_english("inbox-triage", date=THE_16TH), *everything(user=None, day=THE_16TH), inbox_en(INBOX_16, THE_16TH),
        "The list for 16 November is posted. Mind that #times-ryo could not be read.", world=Setting(broken={CHANNELS["times-ryo"]: DEAD}), why="the unread channel is named",
    ),
    good(
        "22 the eleventh after a failed read", in_english("inbox-triage", date=THE_11TH), *everything(user=None, day=THE_11TH), history("dev", None, THE_11TH), inbox_en(INBOX_11, THE_11TH),
        "Posted the list for 11 November.", world=Setting(broken={CHANNELS["dev"]: 1}), why="#dev was read at the second try",
    ),
    good(
        "22 the first week of november", in_english("weekly-digest", week="2026-W45"), posts("created:>=2026-11-02 created:<=2026-11-08 -in:Digest"), weekly_en(WEEK_45_EN, 45),
        "Week 45 is summed up: three posts.", why="three diaries",
    ),
    good(
        "22 haruka's pull requests counted", "Which pull requests did haruka say she had opened in #dev between 10 and 20 November 2026?",
        channels(), history("dev", "haruka", None, oldest="2026-11-10T00:00:00+09:00", latest="2026-11-21T00:00:00+09:00", limit=200),
        "Four:\n\n1. **#418** on Thursday 12 Nov (securing the slot)\n2. **#425** on Monday 16 Nov (three other slots when one has just been taken)\n3. **#431** on Thursday 19 Nov (the index)\n4. **#438** on Friday 20 Nov (double sending)\n\nShe also announced #419 for the notifications on the 12th, but I see no message in #dev that it was opened.",
        why="four, from her own messages",
    ),
    good(
        "22 sales in rounded hours", "Who had the most overtime in 営業部 in October 2026? Round to whole hours, and give me the department's total.", hours(department="営業部"),
        "渡辺 大翔 (demo-020), with about **28 hours** (1,665 minutes). The colleague of the same name, demo-005, is close behind with 26.5 hours. All six together come to 7,590 minutes, roughly 127 hours (126 h 30 min to be exact).",
        why="1665 / 60 = 27.75; the sum is 7590 minutes",
    ),
    good("22 the minutes in english", "What was decided in the team's minutes (議事録) of October 2026, and who does what? Answer in English.", posts("議事録"), entry(102), MINUTES, why="three decisions; the impression is marked as one"),
)  # fmt: skip

BAD_JA = (
    bad(
        "22 ryo's alerts in haruka's diary", diary(day=on(THE_16TH)), *everything(user=None, day=THE_16TH),
        post(diary_text(
            ("PR #425 を出しました。同時に2人が同じ枠へ変更した場合、後の人には別の枠を3つ案内します。健太さんに承認してもらいました", "監視のしきい値を見直し、鳴りすぎていたアラートを7つ消しました", "午後は結衣さんと、お店に見せるデモの台本を作りました"),
            (), "そーたさんに「画面側もとても作りやすい」と言ってもらいました。テストの名前は、健太さんに仕様書みたいだと言われました。",
        ), day=THE_16TH), "日記を投稿しました。",
        why="ryo removed the alerts",
    ),
    bad(
        "22 yesterday's mandarins arrive today", digest(), channels(), histories(user=None), histories(user=None, day=YESTERDAY),
        say("general", "## 決まったこと\n\n- りょーさんが、文面のあやしいアプリを外しておくことになりました\n\n## できごと\n\n- 13時すぎに v2.9.0 を本番にリリースしました。最初の5分で予約の変更は6件、エラーは0件です（遥さん）\n- お店から通知メールが2通届いたと問い合わせがあり、遥さんが PR #438 で直し、健太さんが承認し、v2.9.1 をリリースしました\n- 今日のお昼にお歳暮のみかんが届きました。給湯室にあります（結衣さん）\n"),
        "今日のまとめを投稿しました。", why="the mandarins came on the 19th",
    ),
    bad(
        "22 sixty changes in the first minutes", from_template("inbox-triage"), *everything(user=None), triage(altered(TRIAGE, ("最初の5分で6件", "最初の5分で60件"))), "仕分けを投稿しました。", why="six",
    ),
    bad(
        "22 thanks that were never written", "2026年11月20日の #general で「喫茶ひなた」さんから何と返事があったか調べて、結衣さんへのお礼を #雑談 にひとこと書いておいて。",
        channels(), history("general", None),
        "「すぐ直してくれてありがとう」というお返事でした（結衣さん、16時58分）。#雑談 に「結衣さん、お店とのやりとりをありがとうございました！」と書いておきました。",
        why="nothing was written to small talk",
    ),
    bad(
        "22 five channels claimed, three read", digest(day=on(YESTERDAY)), channels(), histories("general", "dev", "雑談", user=None, day=YESTERDAY),
        say("general", "## 決まったこと\n\n- v2.9.0 は翌日（20日）の13時に本番へ出します。手順書はりょーさん、変更内容のまとめは遥さんにお願いすると健太さんが書いています\n\n## できごと\n\n- 遥さんが索引を足す PR #431 を出し、りょーさんが承認しました\n- 結衣さんから、お歳暮のみかんが給湯室にあるとお知らせがありました\n\n5つのチャンネルをすべて読みましたが、#times-haruka と #times-ryo には書き込みがありませんでした。\n"),
        "19日のまとめを投稿しました。", why="two channels were not read, and haruka wrote in hers",
    ),
    bad(
        "22 changes until a day before", from_template("answer-in-channel", words="トランザクション"), posts("トランザクション"),
        say("dev", "## チームが書いたこと\n\n「予約変更APIの設計メモ」（#115、遥さん）によると、新しい枠の確保、予約の付け替え、古い枠を放すところまでを一つのトランザクションで行います。途中で失敗したら何も変わりません。変更できるのは予約の24時間前までと決まっています。\n"),
        "#115 をもとに答えました。", why="the memo leaves open until when a change is possible",
    ),
    bad(
        "22 two digits change places in the message", overtime(month="2026-09", department="総務部"), hours(month="2026-09", department="総務部"), rows(*HOURS_SOUMU_9, month="2026-09"),
        tell(altered(SOUMU_9, ("松本 咲良 1337", "松本 咲良 1373"))), "総務部5人分をシートに書き、DM で知らせました。", why="1337 minutes, not 1373",
    ),
)  # fmt: skip

BAD_EN = (
    bad(
        "22 haruka corrects sota's label", standup(), *everything(user=None),
        say("dev", "## Done\n\n- Reviewed Sota's PR #436 and changed the label of the button to 「予約の日時を変更」 in his branch herself\n- Released v2.9.0: six booking changes and no errors in the first five minutes\n- Fixed the double notification mails (PR #438) and released v2.9.1; three cases in all\n\n## Next\n\n- Make the resending a shared component\n- Write the retrospective in esa\n- Continue the screen reader support with Sota\n"),
        "Posted Haruka's stand-up to #dev.", why="she proposed it, sota corrected it",
    ),
    bad(
        "22 the cut that was only feared", standup(user="kenta", day=on(THE_13TH)), *everything(user=None, day=THE_13TH),
        say("dev", "## Done\n\n- Updated the libraries at 15:00 because of a vulnerability. The connection was cut for 10 seconds, after which everything ran normally again; nobody complained\n\n## Next\n\nNothing is planned yet.\n"),
        "Posted Kenta's stand-up to #dev.", why="he wrote beforehand that it may be cut; nobody told how it went",
    ),
    bad(
        "22 hiroshima's rain is moved to the evening", morning("広島"), weather("広島", "tomorrow"),
        say("general", "Hiroshima tomorrow (21 November): cloudy in the morning, rain from the early afternoon, 26 to 29 °C. The chance of rain climbs from 10 % before 6:00 to 80 % in the evening, so take an umbrella for the way home."),
        "Posted tomorrow's weather for Hiroshima.", why="80 % before 6:00 and 10 % in the evening",
    ),
    bad(
        "22 who asked whom for smaller pull requests", in_english("inbox-triage", date=THE_12TH), *everything(user=None, day=THE_12TH),
        inbox_en("## To act on\n\n- #419 for the notifications is still to come (Haruka)\n\n## Decided or done\n\n- Haruka asked Kenta to split his booking change PR into smaller ones, and he agreed\n- PR #418, which only secures the slot, was opened by Haruka and approved by Kenta\n\n## To know\n\n- Misaki recommends the cheese naan at the curry shop\n", THE_12TH),
        "Posted the list for 12 November.", why="kenta asked haruka to split hers",
    ),
    bad(
        "22 an open question is settled in the digest", in_english("weekly-digest", week="2026-W46"), posts("created:>=2026-11-09 created:<=2026-11-15 -in:Digest"),
        weekly_en("## What was written\n\n- **Design memo for the booking change API** (#115, Haruka): customers change the date and time themselves and keep their booking number; securing the new slot, moving the booking and releasing the old slot happen in one transaction. It was decided that each shop sets its own deadline for changes\n- **Haruka's diaries**, 9 to 13 November (#106 to #110)\n", 46),
        "Posted the digest of week 46.", why="the deadline is listed as not decided; each shop's own is a proposal",
    ),
    bad(
        "22 haruka sits in the meetings", in_english("diary", user="haruka", date=THE_18TH), *everything(user=None, day=THE_18TH),
        diary_en("## Done\n\n- Joined Yui's online meetings with the three shops and showed them the demo\n- Ran a load test for the midday rush: within 0.2 seconds up to 40 requests a second, 1.1 seconds at 60. The search for slots is the bottleneck\n- Agreed with Ryo to add the index first\n\n## TIL\n\n- Hearing the shops' voices directly makes clear why we are building this\n\n## Thoughts\n\nI was happy to hear that changing a booking at times when the phone can't be answered pleases the shops most.\n\n## Tomorrow\n\n- Open the PR that adds the index\n", THE_18TH),
        "Posted the diary of 18 November.", why="yui reported on the meetings; nobody says that haruka took part or showed a demo",
    ),
    bad(
        "22 one of yui's messages is not counted", "How many messages did yui write in #general from 16 to 20 November 2026, and on which days?",
        channels(), history("general", "yui", None, **THIS_WEEK),
        "Yui wrote **five** messages in #general that week: one on Monday 16, one on Wednesday 18 and three on Friday 20 November.", why="six: four of them on friday",
    ),
)  # fmt: skip

BAD = (*BAD_JA, *BAD_EN)
GOOD = (*GOOD_JA, *GOOD_EN)
CASES = (*BAD, *GOOD)
