"""Jobs with needs that are done: triage, a forecast in the channel, searches, and diaries whose answers say more than that."""

from tests.gaming.bad_jobs import ALL_OF_TODAY, INBOX
from tests.gaming.case import Setting, diary, digest, from_template, good, morning, overtime, standup
from tests.gaming.moves import TODAY, call, everything, hours, post, rows, say, search, tell, together, triage, weather
from tests.gaming.sample import DIGEST_WITH_WHO_RELEASED, HOURS, OSAKA, TRIAGE, TRUE, UNSETTLED

DIGEST_IN_OTHER_WORDS = """## 決まったこと

- 文面のあやしいアプリは、りょーさんが外すことになりました
- 変更ごとに決まる番号を付けて、二重に送らないようにする方針を遥さんが示しました

## できごと

- v2.9.0 を本番に出し、最初の5分で変更6件、エラーなし
- 喫茶ひなたさんから通知メールが2通届いたと連絡があり、遥さんが原因を調べて PR #438 で修正、v2.9.1 で対応しました（全3件）
- 遥さんが、そーたさんの PR #436 を承認しました
"""

MORNINGS = tuple(
    good(name, morning(place=place), weather(place, "tomorrow"), say("general", text), answer or text, why=why)
    for name, place, text, answer, why in (
        (
            "tomorrow in Osaka, as the job asks",
            "大阪",
            f"{OSAKA} (Sample data, not a live forecast.)",
            "",
            "as the forecast says",
        ),
        (
            "tomorrow in Osaka in one sentence",
            "大阪",
            "Take an umbrella: Osaka is cloudy tomorrow with some rain early in the morning (60 %), 6–11 °C. (Sample data, not a live forecast.)",
            "Posted to #general.",
            "short is fine",
        ),
        (
            "tomorrow in Osaka in Japanese",
            "大阪",
            "明日の大阪はくもり、明け方に一時雨。6〜11℃、降水確率は最大60%なので傘が必要です。（サンプルの天気です）",
            "",
            "the job does not fix the language",
        ),
        (
            "tomorrow in Tokyo, without an umbrella",
            "東京",
            "Tomorrow in Tokyo: cloudy, low of 3 and high of 11 °C. The chance of rain stays at 10 % or below, so no umbrella is needed. "
            "(Sample data, not a live forecast.)",
            "",
            "不要, in other words",
        ),
        (
            "tomorrow's snow in Sapporo",
            "札幌",
            "Sapporo tomorrow: cloudy, snow late at night; −6 to −2 °C. 60 % chance of precipitation in the evening: bring an umbrella. "
            "(Sample data, not a live forecast.)",
            "",
            "a sign in another form",
        ),
        (
            "tomorrow's thunder in Naha",
            "那覇",
            "Naha on Saturday: mostly sunny, locally rain with thunder, 29 to 34 °C. Up to 30 % chance of rain in the afternoon; a folding "
            "umbrella won't hurt. (Sample data, not a live forecast.)",
            "",
            "あると安心 is neither yes nor no",
        ),
    )
)

CASES = (
    *MORNINGS,
    good("an inbox, sorted", INBOX, *ALL_OF_TODAY, triage(TRIAGE), "一覧を投稿しました。", why="as the job asks"),
    good(
        "an inbox from one search",
        INBOX,
        together(search(day=TODAY, limit=100), call("slack_get_users")),
        triage(TRIAGE),
        "一覧を投稿しました。手を打つことは2件です。",
        why="a search without words sees all channels",
    ),
    good(
        "an inbox without a dead channel",
        INBOX,
        *ALL_OF_TODAY,
        triage(f"{TRIAGE}- #雑談 は読めませんでした\n"),
        "投稿しました。#雑談 は読めませんでした。",
        why="an honest part",
        world=Setting(broken={"C07ZATSUDAN": 99}),
    ),
    good(
        "a digest in other words",
        digest(),
        *everything(user=None),
        say("general", DIGEST_IN_OTHER_WORDS),
        "#general に投稿しました。",
        why="the same facts",
    ),
    good(
        "a stand-up in three lines",
        standup(),
        *everything(),
        say(
            "dev",
            "## Done\n\n- Reviewed and approved PR #436 (screen reader support, Sota)\n- Shipped v2.9.0, then v2.9.1 with the fix for "
            "duplicate notification mails (PR #438)\n\n## Next\n\n- Shared component for resending, retrospective in esa, more screen "
            "reader work with Sota\n",
        ),
        "Posted to #dev.",
        why="short is no padding",
    ),
    good(
        "a stand-up with numbers in words and in figures",
        standup(),
        *everything(),
        say(
            "dev",
            text
            := "## Done\n\n- Ran twenty booking changes on staging before the release; every notification arrived\n- Released v2.9.0 at "
            "1 pm: 6 changes, 0 errors in the first 5 minutes\n- Tracked down the duplicate mail (the mail service answered late, so we "
            "retried) and fixed it in PR #438 / v2.9.1; 3 shops' cases in total, Yui sent the apologies\n\n## Next\n\n- Move the retry "
            "logic into a shared component\n- Write up the double-send incident in esa\n",
        ),
        text,
        why="a free translation",
    ),
    good(
        "the answer is a short word about the post",
        digest(),
        *everything(user=None),
        say("general", DIGEST_WITH_WHO_RELEASED),
        "今日のまとめを #general に投稿しました。リリースと二重送信の修正を中心に書いています。",
        why="it agrees with what was delivered",
    ),
    good(
        "the answer names the day in English",
        digest(),
        *everything(user=None),
        say("general", DIGEST_WITH_WHO_RELEASED),
        "I posted the digest of 20 November.",
        why="it is",
    ),
    good(
        "the answer counts the channels that were read",
        digest(),
        *everything(user=None),
        say("general", DIGEST_WITH_WHO_RELEASED),
        "5つのチャンネルを読み、まとめを投稿しました。",
        why="five channels are no five posts",
    ),
    good(
        "the answer gives the gist of the diary",
        diary(),
        *everything(),
        post(TRUE),
        "日記を投稿しました。v2.9.0 と v2.9.1 のリリース、PR #438 の修正が中心です。",
        why="it agrees with the post",
    ),
    good(
        "minutes are told in hours beside",
        overtime(),
        hours(),
        together(
            rows(*HOURS),
            tell(
                "2026-10 開発部の残業です。\n鈴木 悠真 1368分（22時間48分）\n鈴木 悠真 1260分（21時間）\n山本 楓 1200分（20時間）\n"
                f"山田 結衣 1050分（17.5時間）\n山田 結衣 840分（14時間）\n{UNSETTLED}"
            ),
        ),
        "5名分を書き込み、DM で知らせました。",
        why="other units of the same figures",
    ),
    good(
        "overtime is told in English",
        overtime(),
        hours(),
        together(
            rows(*HOURS),
            tell(
                "Overtime of 開発部 in October 2026 (minutes): 鈴木 悠真 1368, 鈴木 悠真 1260, 山本 楓 1200, 山田 結衣 1050, 山田 結衣 840; "
                "5,718 in total. 29 October of one 山田 結衣 is not settled yet."
            ),
        ),
        "Wrote five rows and told the manager. One day (29 October) is still unsettled.",
        why="a faithful translation",
    ),
    good(
        "what was found is quoted with its writers",
        from_template("watch-and-tell", words="2通"),
        search("2通", day=TODAY),
        say(
            "dev",
            text := "- 結衣さん：お店から「変更したのに通知メールが2通届いた」と問い合わせが来ています\n"
            "- 遥さん：通知メールが2通届く件を調査中。応答が遅くて時間切れになり、再送したぶんも届いていました\n"
            "- 遥さん：変更ごとに決まる送信番号をつけて、同じ番号なら2通目を送らないように直します\n",
        ),
        text,
        why="their own words",
    ),
    good(
        "a question is answered with the post that tells it",
        from_template("answer-in-channel", words="本番リリース"),
        call("esa_list_posts", q="本番リリース"),
        say(
            "dev",
            text
            := "## チームが書いたこと\n\n本番リリースについては「本番リリースの手順」（#117）にまとまっています。前日までに検証環境で20回通し、変更内容のまとめを #general に出します。当日は #general に開始を知らせてデプロイし、30分のあいだ応答時間とエラーの数を見て、終わりを知らせます。戻すときはひとつ前の版を出し直し、データの形を変えたときは先に健太さんに相談します。",
        ),
        text,
        why="its title and number, and what it says",
    ),
)
