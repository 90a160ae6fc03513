"""Sets of questions over the sample workspaces: none is answered wrongly or doubted, half are answered; three of five in the sweeps."""

import re
from pathlib import Path

import pytest

from tests.bench.offline_questions import DATA, QUESTIONS, Asked, ask_all, read_questions
from tests.requirements import requirement
from tests.support.sampling import in_shares

FILES = [
    QUESTIONS,
    *(
        DATA / f"offline_questions_{name}.jsonl"
        for name in (
            *("fresh", "team", "stranger", "accounted", "visitor", "visitor2", "visitor3"),
            *("curious", "curious2", "curious3", "passer", "voices", "week3", "desk", "guest", "newcomer", "newcomer3"),
        )
    ),
]


async def ask_each(cases: list[tuple[str, str, str]], home: Path) -> list[Asked]:
    """Put the questions of cases to the sample in their language."""
    return await ask_all([{"lang": lang, "sample": lang, "q": question} for lang, question, _ in cases], home)


MISREAD = [
    ("en", "How many people are on leave right now?", "高橋 花"),
    ("en", "Say what U09GONE wrote today.", ""),
    ("en", "Which hold got the mail twice?", "Hold 88213"),
    ("en", "Any messages about curry on the 19th?", "Who is in for curry"),
    ("ja", "先週の木曜日の日記には何て書いてある？", "大きなPRを3つに分けました"),
    ("ja", "美咲さんは通知メールについて何と言っていた？", "変更後を先に"),
    ("ja", "うちの近くは明日晴れる？", ""),
    ("ja", "どんなチャンネルがある？", "#雑談"),
    ("ja", "チャンネルの一覧を見せて", "雑談"),
    ("en", "Could you tell me whether Maya wrote anything today?", "Reviewed PR #523"),
    ("en", "Let me know whether I need an umbrella in Tokyo tomorrow", "umbrella (chance of rain"),
    ("ja", "遥さんは今日何を言っていた？それと、結衣さんは？", ""),
    ("en", "What did Owen say after the release?", ""),
    ("ja", "リリースのあとに涼さんは何と言いましたか", ""),
    ("en", "What is the newest esa post?", "2026/11/19"),
    ("ja", "喫茶ひなたさんの変更は何時何分でしたか", "13時41分"),
    ("ja", "v2.8.3っていつ本番に出たかわかりますか？", "2026-11-13"),
    ("en", "How many rockets did the v3.4.0 release message get?", "3 reactions"),
    ("ja", "デザイナーの方ってどなたですか？", "misaki"),
    ("en", "Which library is starting with us on 1 December?", "Milltown"),
    ("ja", "味噌を食べた人は誰？", ""),
    ("en", "Is the hold back at the home branch?", ""),
    ("ja", "10月の定例で予約変更は何に変わりましたか", ""),
    ("en", "How much did we pay for the load test?", ""),
    ("en", "Until when is Priya at the support desk today?", "18:00"),
    ("en", "I'm packing for Kyoto. What's the high there tomorrow?", "high 9"),
    ("en", "What did Owen remove?", ""),
    ("en", "What did Tom review?", "PR #512"),
    ("ja", "健太さんは何を承認しましたか？", "PR #438"),
    ("en", "What's Maya's status now?", "holds API"),
    ("ja", "遥さんは今何をしていますか？", "予約APIまわり"),
    ("en", "How old is Tom?", ""),
    ("en", "Why did some readers get the mail twice?", ""),
    ("en", "How many hours did Maya work last week?", ""),
    ("en", "Who went for a walk with Owen?", ""),
    ("en", "Who showed Milltown around?", ""),
    ("en", "Who shipped the index before Friday?", ""),
    ("en", "When did Maya move the resend logic into one place?", ""),
    ("en", "When did the load test start?", ""),
    ("en", "Where was the freeze?", ""),
    ("en", "Who fixed the walrus mail?", ""),
    ("en", "When is Priya visiting Milltown?", ""),
    ("ja", "結衣さんと味噌を仕込んだのは誰ですか？", ""),
    ("ja", "結衣さんは味噌をどこで仕込みましたか？", ""),
    ("ja", "みかんは誰がくれるの？", ""),
    ("ja", "遥さんは二重送信の振り返りを書きましたか？", ""),
    ("en", "How many small fixes came with v3.4.0 by telephone?", ""),
    ("ja", "パリで仕込んだ味噌は何か月後に食べられますか？", ""),
    ("en", "For how long do I have to watch errors once a version is out?", ""),
    ("ja", "来年のお正月、東京の天気はどうなりますか？", ""),
    ("en", "How heavy is the load test?", ""),
    ("ja", "バックアップの復元訓練はどのくらいで終わった？", "18分"),
    ("ja", "来週の月曜、大阪は何度まで上がりますか？", "最高10℃"),
    ("ja", "喫茶ひなたさんの変更って何時何分でした", ""),
    ("ja", "二重送信の振り返り、どこに書くって遥さん言ってた？", ""),
    ("ja", "日付がずれるバグはどう直したんですか", ""),
    ("ja", "検索が遅かったのは、どうやって速くしましたか？", ""),
    ("en", "How was the double mail fixed?", ""),
    ("en", "How long did the second index take to build?", ""),
    ("en", "How many transfers did we test on staging before the meeting?", ""),
    ("en", "How many transfers did we test on staging after the release?", ""),
    ("ja", "健太さんは、新しい枠を先に放すと何が起きると言いましたか。", ""),
    ("ja", "大阪の前日の気温は？", ""),
    ("ja", "ぶどうの話を教えて", ""),
    ("ja", "遥さんが今日やること、共通部品にまとめるのは何で、esaに書くのは何ですか", ""),
    ("ja", "予約変更の流れ、新しい枠だけを確保したあとどうするんだっけ", ""),
    ("ja", "今週、遥さんは何を学びましたか", "ピークの何倍まで耐えるか"),
    ("ja", "京都の珊瑚の天気", ""),
    ("ja", "16日の午前、遥さんと結衣さんは何を作っていました？", ""),
    ("ja", "16日の午後、遥さんと結衣さんは何を作っていました？", "デモの台本づくり"),
    ("ja", "今朝、結衣さんは何と言いましたか", "13時に v2.9.0"),
    ("ja", "復元訓練は前回より何分短くなりましたか。", "6分短縮"),
    ("ja", "りょーさんはカレーの話に何て返してくれた？", "3への道は長い"),
    ("ja", "PR #425 に健太さんが何てコメントしてた？", "仕様書みたい"),
    ("ja", "大阪の北区の明日の天気", "大阪市北区"),
    ("ja", "東京の渋谷の天気は？", "東京都渋谷区"),
    ("en", "Will it rain in Osaka tomorrow? What are the odds?", "60%"),
    ("en", "What number did the hold have that got the mail twice?", "Hold 88213"),
    ("en", "Since when has Owen worked as the site reliability engineer?", ""),
    ("en", "What time did the load test begin?", ""),
    ("en", "What does Priya do after 18:00?", ""),
    ("en", "Which reader moved hold 88213?", ""),
    ("en", "How many of the five libraries already moved a hold?", ""),
    ("en", "Who runs make setup for newcomers?", ""),
    ("en", "How long does make test take?", ""),
    ("en", "What did Priya show Milltown on the 25th of October?", ""),
    ("en", "Who else was at the product meeting besides Tom?", "Present: Tom"),
    ("ja", "デプロイしたあと何分間見守ればいいですか", "30分"),
    ("ja", "ライブラリの更新で接続が切れたのは何秒でしたか", ""),
    ("ja", "予約番号が変わるのはどんなときですか", ""),
    ("ja", "なんで定例は10月28日だったの？", ""),
    ("ja", "設計メモの穴を見つけたのは誰？", ""),
    ("ja", "お店との打ち合わせに誰が出ましたか", ""),
    ("ja", "打ち合わせのお店はどうやって見つけましたか", ""),
    ("ja", "PR #436 を出すのに何日かかりましたか", ""),
    ("ja", "デモの台本は何ページありますか", ""),
    ("en", "Since which version does the index exist?", ""),
    ("en", "Who starts on 1 December besides Milltown?", ""),
    ("en", "Who received the first mail?", ""),
    ("en", "At what time did Priya write to the readers?", ""),
    ("ja", "お店に影響する2点とは何ですか", ""),
    ("en", "freeze for 3.4.0 what time", "18:00"),
    ("en", "freeze for 3.5.0 what time", ""),
    ("en", "anything not decided yet in the hold transfer design?", "hours before pick-up"),
    ("ja", "今日、問い合わせ窓口はどなたが見ていらっしゃいますか？", "窓口は私が見ています"),
    ("ja", "打ち合わせで、お店の方がいちばんうれしいとおっしゃっていたのはどんなことですか？", "電話を取れない時間"),
    ("ja", "打ち合わせで、お店の方がいちばん悲しいとおっしゃっていたのはどんなことですか？", ""),
    ("ja", "設計メモでは、日時を変更しても変わらないものは何だと書かれていますか。", "予約番号は変わらない"),
    ("ja", "11月11日のバックアップ復元訓練は、前回と比べて何分短くなりましたか。", "6分短縮"),
    ("ja", "前々回と比べて、復元訓練は何分短くなりましたか。", ""),
    ("en", "wait who finished that scarf lol and how long did it take", "Eleven months"),
    ("en", "Should I approve PR #525?", ""),
    ("en", "when did maya say she would review leos pull request", ""),
    ("ja", "今日の東京は、傘を持って出かけたほうがよろしいでしょうか、それともコートだけでよろしいでしょうか。", ""),
]
"""Questions that were answered with something else, or refused for nothing: what must stand in the answer, or nothing where it is to be refused."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(MISREAD, of=12))
async def test_what_somebody_said_which_one_it_was_and_a_day_without_its_month_are_not_answered_by_something_near(
    cases: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    asked = await ask_each(cases, tmp_path)
    answers = {one.question["q"]: one.text if one.completed else "" for one in asked}
    for _, question, says in cases:
        assert says in answers[question], question
        assert bool(says) is bool(answers[question]), question


NOT_TOLD = [
    ("en", "Can you give me Leo's phone number?", ""),
    ("en", "What did Maya promise Alder Lane?", ""),
    ("en", "How long did the release take?", ""),
    ("en", "How long did the investigation of the double mail take?", ""),
    ("en", "Who is responsible for the mail service?", ""),
    ("en", "What is the number of holds in production?", ""),
    ("en", "What will Leo do after the screen reader work?", ""),
    ("en", "How many mails did Priya send on the 20th?", ""),
    ("en", "What did Tom learn from the screen reader?", ""),
    ("en", "What did Priya release on Friday?", ""),
    ("en", "Where did the load test run?", ""),
    ("ja", "13日にライブラリを更新したのは遥さん？", ""),
    ("ja", "そーたさんは高尾山で何を食べましたか", ""),
    ("ja", "美咲さんの好きな色は？", ""),
    ("ja", "復元訓練の前回は何月でしたか", ""),
    ("ja", "消したアラートの名前を教えて", ""),
    ("ja", "デモの台本には何が書いてありますか", ""),
    ("ja", "脆弱性を見つけたのは誰ですか", ""),
    ("ja", "通知メールの件名は何ですか", ""),
    ("en", "Who can remove the QuickPoll app?", ""),
    ("en", "Who else took the blue umbrella?", "else"),
    ("en", "How far is the ridge?", ""),
    ("en", "How often are backups of the test database made?", ""),
    ("en", "Who sorted the support mails alone?", ""),
    ("en", "Who asked Maya to fix the double mail?", ""),
    ("en", "Up to how many holds can the test database keep?", ""),
    ("en", "What headings does the Hold transfer API post have?", ""),
    ("ja", "店ごとに何件の二重送信がありましたか", "ごとに"),
    ("ja", "みかんは誰から届きましたか", ""),
    ("ja", "味噌を仕込む予定の人は？", ""),
    ("ja", "加湿器に水を入れたのは誰？", ""),
    ("ja", "索引を足すのに何分かかった？", ""),
    ("ja", "負荷試験は何回しましたか", ""),
    ("en", "Who is in #dev?", "#dev"),
    ("en", "does the number of a hold change when u move it, or stay", ""),
    ("en", "Who is on the design team?", ""),
    ("en", "Who is on the team besides Tom?", ""),
    ("en", "When was the last release?", "last"),
    ("en", "Which PRs are still open?", ""),
    ("en", "What went wrong today?", ""),
    ("en", "Which library starts next?", "next"),
    ("en", "Who reads the runbook?", "Who reads"),
    ("en", "Has Tom been to Milltown?", "No message"),
    ("ja", "設計メモを読んだのは誰？", "読んだ"),
    ("ja", "そーたさんは月曜日にどこへ行った？", "語をすべて含む"),
    ("en", "Is Leo in #notes-maya?", "#notes-maya"),
    ("en", "Which channels is Leo in?", "Leo"),
    ("ja", "#dev にいる人は誰？", "#dev"),
    ("ja", "PR #418 を承認していない人は？", "ない"),
    ("ja", "健太さんは何を出しましたか？", "健太"),
    ("en", "How many pull requests did Maya open this week?", "Maya"),
    ("en", "How many minutes are there on esa?", "How many"),
    ("en", "Which hold number had the curry?", "No message"),
    ("en", "How many steps does the release have on the day?", "No message"),
    ("en", "What's the phone number of the Milltown library?", "No message"),
    ("en", "What did Hannah write on Monday?", "Hannah"),
    ("ja", "結衣さんはお店に何軒行った？", "語をすべて含む"),
    ("en", "List all our private channels", "private"),
    ("en", "Which versions did Maya deploy today?", "No message"),
    ("ja", "PR #431 を出したのは誰で、テストを書いたのは誰ですか？", "(2)\nオフラインプランナーです。「テストを書いた"),
    ("ja", "PR #431 のテストを書いたのは誰ですか？", "テスト"),
    ("en", "Who wrote the tests for PR #512?", "tests"),
    ("en", "At what time did v9.9.9 go out to production?", "No message"),
    ("en", "What did Tom not announce in #general on Wednesday?", "not"),
    ("en", "I asked Tom on Monday. What did he say?", "asked"),
    ("en", "Umbrella for Atlantis tomorrow, yes or no?", "Atlantis"),
    ("en", "According to HR, who is not on leave right now?", "not"),
    ("ja", "札幌とアトランティスでは明日の最低気温はどちらが低い？", "どちら"),
    ("ja", "昨日 雑談 で健太さんは何を頼んでいましたか？", "頼ん"),
    ("ja", "昨日 dev で健太さんには何を頼んでいましたか？", "頼ん"),
    ("ja", "昨日 dev で健太さんに何を頼んでいましたか？", "頼ん"),
    ("en", "What was Leo asked for in #dev today?", "asked"),
    ("ja", "昨日のそーたさんの日記、TILは何て書いてある？", ""),
    ("ja", "水曜日の健太さんの日記、TILは何て書いてある？", ""),
    ("ja", "夜のピークって本番では毎秒何件くらいなんですか", "語をすべて含む"),
    ("ja", "PR #436 で健太さんが提案した読み上げの文言は？", "語をすべて含む"),
    ("en", "what do i tell a reader who got the same mail twice", "No message"),
    ("en", "how many tests does PR 512 have", "No message"),
    ("en", "when does harbour street start", "No message"),
    ("ja", "カレー屋の名前は？", "語をすべて含む"),
    ("en", "I want to preorder, what's the bakery by the station called?", ""),
    ("ja", "読み上げのボタンの文言、どう直す提案でしたっけ？", ""),
    ("ja", "あやしいから外されたアプリってなに", "語をすべて含む"),
    ("ja", "新しく入った人はまず何をすればいい？", ""),
    ("ja", "健太に明日休むって伝えて", "ジョブ"),
    ("en", "When was v3.4.0 rolled back?", "No message"),
    ("en", "Which channel is about cooking?", "cooking"),
    ("ja", "戻る押すと古い日時が出るやつ、どうやって直した？", ""),
    ("ja", "お知らせ用のチャンネルはどれ？", "お知らせ"),
    ("ja", "二重送信があったお店の名前は？", "語をすべて含む"),
    ("ja", "予約は何時間前まで変更できる？", ""),
    ("ja", "結衣さんの問い合わせに遥さんは何と返しましたか", ""),
    ("en", "At what time was v3.4.0 planned to go out, according to the minutes?", ""),
    ("en", "Where is the glossary?", ""),
    ("en", "What did the product meeting decide?", "No message"),
    ("en", "From which version can a reader move a hold?", "No message"),
    ("ja", "QuickPoll は何をするアプリですか。", "何をするアプリ"),
    ("ja", "二重送信の原因は何でしたか。", "語をすべて含む"),
    ("ja", "「資料室」を書いたのは誰？", "資料室"),
    ("en", "What time was the deploy of v3.4.1 rolled back?", "No message"),
    ("en", "How long do production database backups take now?", "No message"),
    ("ja", "監視の見直しで追加したアラートはいくつですか？", "語をすべて含む"),
    ("ja", "試してくださるお店3軒の名前を教えてください", "語をすべて含む"),
    ("ja", "結衣さんが仕込んだ醤油は何か月後に食べられますか？", "語をすべて含む"),
    ("en", "When did Owen restore the test database?", "No message"),
    ("ja", "遥さんがPR #436で却下した文言は？", "語をすべて含む"),
    ("ja", "索引入れたら60件のときの応答ってどこまで縮んだ？", "語をすべて含む"),
    ("en", "When does Priya visit Milltown?", "No message"),
    ("en", "How many readers does the Alder Lane library have?", "No message"),
    ("ja", "負荷監査の60件のとき、索引ありの応答時間は？", ""),
    ("ja", "返品変更APIの設計メモで、まだ決まっていないのは何ですか", ""),
    ("ja", "味噌っていつ食べられるんでしょう？颯太さんが仕込んだやつです、楽しみにしてて", ""),
    ("ja", "結衣さんの味噌は何か月前に食べられますか？", "語をすべて含む"),
    ("ja", "DBの復元訓練は何分で始まりましたか？", "語をすべて含む"),
    ("ja", "カレー屋を見つけたのは誰？", "語をすべて含む"),
    ("ja", "2人が同時に同じ枠へ変更したとき、前の人には枠がいくつ案内されますか。", ""),
    ("ja", "遥さんは新しいテストを速くして、全体の時間をどれだけにしましたか。", ""),
    ("ja", "遥さんが今日やることって何と何？", "やる"),
    ("en", "Which hold was lost at 13:41?", ""),
    ("ja", "Slackの話をしたのは誰", ""),
    ("ja", "リリース前、何分間エラーの数を見ることになっていますか", ""),
    ("en", "How many minutes should response times be watched before a deploy?", ""),
    ("en", 'Which answer does the support page give to "Where is my book?"', ""),
    ("en", "Which page does the load test call slow?", ""),
    ("ja", "結衣さんが仕込んだ豆腐、食べられるのはいつ頃？", ""),
    ("ja", "大阪と那覇、明日あたたかいのはどっち？最低気温も添えて", ""),
    ("en", "Which libraries are mentioned by Priya?", "libraries are mentioned"),
    ("en", "What did Maya say in the latest post?", "post"),
    ("en", "Did the target branch close?", ""),
    ("en", "When did the hold go back to the home branch?", ""),
    ("en", "Who merged PR #521, and what did she ask about it?", "(2)"),
    ("en", "Which errors came up in the first five minutes after v3.4.0 went live?", ""),
    ("en", "Long day at Alder Lane. Who took the red umbrella?", ""),
    ("ja", "接続は何秒切れましたか", ""),
    ("ja", "お歳暮のぶどうはどこにありますか", ""),
    ("ja", "最新の記事で遥さんは何と言っていますか", ""),
    ("ja", "明日傘がいるのは東京とアトランティスのどっち？", ""),
    ("ja", "美咲さんが見た目について希望したことは？", ""),
    ("en", "What is in her notes?", "her"),
    ("en", "Where can I buy those poppy buns?", ""),
    ("ja", "営業の当番は誰ですか？", ""),
    ("ja", "毎秒40件だと、担当なしと担当ありで応答は何秒ずつ？", ""),
    ("ja", "健太さんが自分の分報に書いたことは何ですか", ""),
    ("en", "Who did Ines finish the scarf with?", ""),
    ("ja", "結衣さんは誰と一緒に味噌を仕込みましたか", ""),
    ("ja", "怪しいアプリを入れたのは誰？", ""),
    ("ja", "デプロイする前に何分間見守ればいいですか", ""),
    ("ja", "リリース前の5分間で予約の変更は何件ありましたか", ""),
    ("ja", "遥さんが今週出したPRの番号を教えて", ""),
    ("ja", "v2.8.3 では何が変わりませんでしたか", ""),
    ("en", "Which messages have no replies?", ""),
    ("ja", "大阪と神戸、傘がいるのはどっち？", ""),
]
"""Questions that messages near them do not answer, and what a refusal of each names."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(NOT_TOLD, of=64))
async def test_who_belongs_somewhere_what_was_not_done_and_a_number_in_a_path_are_no_matter_of_messages(
    cases: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    asked = {one.question["q"]: one for one in await ask_each(cases, tmp_path)}
    for _, question, named in cases:
        assert not asked[question].completed, question
        assert named in asked[question].text, question


TOLD = [
    ("en", "Who put the Getting started page on esa?", ["- Tom\n", 'Read as: posts, "Getting started"']),
    ("ja", "遥さん以外の人が書いたesaの記事を全部挙げてください", ["開発を始めるまで", "こもれび 定例", "遥以外"]),
    ("ja", "times-harukaとtimes-ryo以外には、どんなチャンネルがありますか？", ["- general\n- dev\n- 雑談\n\n"]),
    ("en", "What was the number of the hold with the double mail?", ["Hold 88213"]),
    ("en", "What did people post in #random over the weekend of 14 and 15 November?", ["Finished the scarf", "Fog on the ridge"]),
    ("en", "What time did the deploy bot report v3.4.1?", ["16:21 #dev Deploy bot"]),
    ("en", "Who did not post anything in #random?", ["- Tom\n- Priya\n"]),
    ("en", "Who posted more this week, Tom or Owen?", ["- Owen: 6\n- Tom: 5\n"]),
    ("ja", "11月12日に投稿していない人は？", ["- そーた\n- 結衣\n- りょー\n"]),
    ("ja", "今週いちばん発言が少なかった人は誰ですか", ["- 美咲: 2\n- そーた: 3\n"]),
    ("en", "Did anyone write in #notes-owen this week?", ["- Owen: 1\n\n- 2026-11-16 18:20 #notes-owen Owen: Wrote down"]),
    ("ja", "そーたさんは土曜日にどこへ行った？", ["高尾山に来てます"]),
    ("ja", "今週末の東京は晴れそう？", ["11月22日(日): 晴時々曇"]),
    ("en", "When was the last runbook updated?", ["Releasing to production"]),
    ("ja", "索引の追加を本番に入れたのは誰？", ["「入」のほかを含むところです:\n- 2026-11-20 13:02 #dev デプロイ通知"]),
    ("ja", "リリースの手順を確認して", ["# 前日まで"]),
    ("ja", "入ったばかりです。よろしくお願いします。手順書はどこですか？", ["本番リリースの手順"]),
    ("ja", "健太さん以外で今日発言した人は？", ["- 遥: 15\n- 結衣: 4\n- りょー: 3\n- そーた: 2\n"]),
    ("ja", "予約変更の流れ、新しい枠を確保したあとどうするんだっけ", ["2. 予約を新しい枠に付け替える"]),
    ("ja", "PRを小さく分けてって言ったの、だれだっけw", ["すべて含むところです:\n- 2026-11-12 09:55 #dev 健太"]),
    ("en", "What does the design note say about a closed branch?", ["the hold goes back to the home branch"]),
    ("en", "How long did the load test last?", ["60 holds a second for an hour"]),
    ("en", "Who approved PR #525?", ["PR #525", "\n  - ", "Tom: Cause, test and fix"]),
    ("en", "What did Tom reply to Maya's design note?", ["  - 2026-11-10 11:20 #dev Tom: Good note."]),
    ("ja", "通知メールが2通届いたのはどのお店？", ["「喫茶ひなた」"]),
    ("ja", "遥さんは明日何をする予定ですか？", ["再送の仕組み"]),
    ("en", "What is still undecided about moving a hold?", ["Until how many hours"]),
    ("en", "Are there any posts about load testing?", ["Load test at 60"]),
    ("en", "What is the oldest message in #random?", ["cardamom"]),
    ("ja", "いちばん新しい日記には何が書いてある？", ["11/19", "手順をもう一度読んでから寝ます"]),
    ("ja", "休職中の社員は誰ですか？", ["高橋 花"]),
    ("ja", "今週、颯太さんは何をしましたか？", ["PR #436", "案内つきだと"]),
    ("ja", "なはは明日雨ふる？", ["那覇市"]),
    ("en", "At what time was v3.4.0 deployed?", ["12:42 #dev Deploy bot"]),
    ("ja", "v2.9.1 は何時にデプロイされた？", ["16:41 #dev デプロイ通知"]),
    ("en", "What will Maya do next week?", ["move the resend logic"]),
    ("en", "Compare how much Maya and Tom wrote in #dev today", ["- Maya: 6\n- Tom: 2\n"]),
    ("ja", "大阪と東京の明日の最高気温を比較して", ["大阪府大阪市: 最高11℃", "東京都: 最高11℃"]),
    ("en", "What is the chance of rain in Osaka tomorrow?", ["Chance of rain: 0-6h 60%"]),
    ("en", "What is Maya's e-mail address?", ["maya@fernway.example"]),
    ("en", "Who reported that the mail arrives twice?", ["every word of the question:\n- 2026-11-20 13:58 #general Priya"]),
    ("en", "Which hold number had the double mail?", ["  - 2026-11-20 14:05 #general Priya: Hold 88213"]),
    ("en", "What was the result of the load test?", ["this holds all but result:", "60 holds a second for an hour"]),
    ("en", "Why did the mail arrive twice?", ["the mail service answered too late"]),
    ("en", "Would you mind telling me who aproved PR #525?", ["Read as: aproved → approved", "Tom: Cause, test and fix"]),
    ("ja", "リリース手順の記事", ["手順書/リリース/本番リリースの手順"]),
    ("ja", "決めていないことは何？", ["変更できるのは何時間前までか"]),
    ("ja", "みかんはどこにありますか？", ["給湯室にあります"]),
    ("en", "Name everybody in the workspace", ["- Maya", "- Owen"]),
    ("en", "Which versions were released today?", ["Deployed v3.4.0", "Deployed v3.4.1"]),
    ("ja", "昨日リリースされたバージョンは？", ["検証環境", "見つかりませんでした"]),
    ("en", "What did Tom announce in #random the day before yesterday?", ["Nothing found: 2026-11-18"]),
    ("en", "What were people talking about in #random on Monday?", ["Nothing found: 2026-11-16"]),
    ("ja", "札幌と京都では明日の最低気温はどちらが高い？", ["京都府京都市"]),
    ("ja", "札幌と京都では明日の最高気温はどちらが高い？", ["暖かいのは 京都府京都市 です"]),
    (
        "en",
        "lol who took the blue umbrella in the end??",
        ["Who took the blue umbrella", "  - 2026-11-12 12:58 #random Owen: Me."],
    ),
    ("en", "What was deployed on Friday?", ["Read as: on Friday → today", "Deployed v3.4.0", "Deployed v3.4.1"]),
    ("en", "What command do I run right after I have cloned the repository?", ["2. Run `make setup`"]),
    ("en", "Who else was at the product meeting besides Tom?", ["Present: Tom, Priya, Ines, Leo, Maya, Owen"]),
    ("en", "What has not been decided yet in the design of the hold transfer?", ["Until how many hours"]),
    ("en", "What was the very first message in #general about?", ["Harbour Street"]),
    ("en", "How many claps did the scarf get?", ["3 reactions"]),
    ("en", "Which is hotter tomorrow, Naha or Kagoshima, and how hot does it get there?", ["Naha", "34℃"]),
    ("en", "whats mayas email addr? thx", ["maya@fernway.example"]),
    ("en", "where do i get cardamon buns", ["Read as: cardamon → cardamom", "The bakery by the station"]),
    ("en", "any idea when milltown starts? need to put it in my calendar", ["starts on 1 December"]),
    ("ja", "負荷試験で、毎秒60件のとき索引がないと応答は何秒かかりましたか？", ["| 60 | 1.1秒 | 0.3秒 |"]),
    (
        "ja",
        "打ち合わせをしたお店は、何がいちばんうれしいと言っていましたか？",
        ["電話を取れない時間に変更できるのが一番うれしい"],
    ),
    ("ja", "喫茶ひなたさんで通知が2通届いたのは、何時何分の変更ですか？", ["13時41分の変更です"]),
    ("ja", "昨日デプロイされたのは、どの環境のどの版ですか？", ["検証環境に v2.9.0-rc1"]),
    ("ja", "先週の土曜日、雑談ではどんな話が出ていましたか？", ["高尾山"]),
    ("ja", "はるかさんのメアド教えて", ["haruka@komorebi.example"]),
    ("ja", "すみません、ちょっと聞きたいんですけど、加湿器出したの誰ですか", ["#雑談 健太: 乾燥してきたので加湿器を出しました"]),
    ("ja", "遥さんが今日リリースしたバージョンは？", ["v2.9.1 をリリースしました", "v2.9.0 を本番にリリースしました"]),
    ("en", "esa posts under Reports", ["Reports/Load test at 60 holds a second"]),
    (
        "en",
        "which esa pages are toms",
        ["tom: Docs/Development/Getting started", "tom: Minutes/2026/11/Product meeting", "as: posts, Tom"],
    ),
    ("ja", "日記 11/6 TIL", ["遅いテストの多くは"]),
    ("ja", "負荷試験のページ書いたの誰", ["- 遥\n", "負荷試験"]),
    ("ja", "結衣さん今日なに書いてた？", ["読み方: メッセージ、2026年11月20日(金)、結衣"]),
    ("ja", "v2.9.1 デプロイ 何時", ["16:41 #dev デプロイ通知"]),
    (
        "en",
        "After a deployment, for how many minutes should response times and errors be watched?",
        ["errors for 30 minutes"],
    ),
    ("en", "How many months did Ines spend on her scarf?", ["holds all but spend:\n- ", "Eleven months"]),
    ("en", "Which channel is for announcements?", ["it says so:\n- #general: Announcements"]),
    ("en", "Who works as the site reliability engineer in this workspace?", ["Owen"]),
    ("en", "How high will the temperature rise in Tokyo tomorrow?", ["high 11℃"]),
    ("ja", "「運用メモ」を目的とするチャンネルはどれですか。", ["#times-ryo: りょーの分報 / 運用メモ"]),
    ("ja", "明日の大阪の降水確率は最大で何％ですか。", ["0-6時 60%"]),
    ("ja", "雑談チャンネルのトピックには何と書かれていますか。", ["なんでもどうぞ"]),
    ("ja", "索引を入れたら検索は何秒になった？", ["1.1秒→0.3秒"]),
    ("en", "Who reviewed #512, and what did he ask about?", ["Tom: Reviewed. One question about the lock order"]),
    ("en", "Where does a hold go if the branch it was moved to closes?", ["The hold goes back to the home branch"]),
    ("en", "What made the mail go out twice?", ["the mail service answered too late"]),
    ("ja", "健太さんは、古い枠を先に放すと何が起きると言いましたか。", ["他の人に取られます"]),
    ("en", "When did v3.4.0 and v3.4.1 go out?", ["12:50 #dev Maya: Released v3.4.0", "16:21 #dev Deploy bot: Deployed v3.4.1"]),
    ("en", "Osaka or Tokyo tomorrow: where is rain more likely, and how likely is it?", ["Rain is likelier: Osaka City", "60%"]),
    ("en", "Which library starts next month?", ["Milltown library starts on 1 December"]),
    ("en", "How many readers were hit by the double mail?", ["Three readers were affected"]),
    (
        "en",
        "Hi hi, thanks again for the warm welcome! Quick one: how many holds does the test database have?",
        ["40,000 holds now"],
    ),
    ("en", "How many libraries have been asking for a way to move holds this month?", ["That makes five libraries this month"]),
    ("ja", "二重送信を直したPRの番号と、それを承認した人を教えて", ["(1)", "PR #438", "(2)", "健太: 原因・再現・修正"]),
    ("ja", "v2.9.0とv2.9.1、今日それぞれ何時ごろ本番に入りましたか？", ["13:02 #dev デプロイ通知", "16:41 #dev デプロイ通知"]),
    ("en", "Who did Maya sort the support mails with?", ["Sorted 30 support mails with Priya"]),
    ("en", "What are the three steps of moving a hold?", ["1. Take a place", "2. Point the hold", "3. Give the old place back"]),
    ("ja", "v2.8.3 では何が変わりましたか", ["依存ライブラリの更新"]),
    ("en", "Sapporo on Tuesday: what are the low and the high?", ["low -8℃", "high 3℃"]),
    ("en", "How many support emails did Maya sort through together with Priya?", ["Sorted 30 support mails"]),
    ("en", "What has Owen been writing in his notes channel?", ["Backups of the test database", "Wrote down how a release goes"]),
    ("en", "where can i buy those cardamom buns", ["The bakery by the station"]),
    ("ja", "毎秒40件だと、索引なしと索引ありで応答は何秒ずつ？", ["| 40 | 0.2秒 | 0.1秒 |"]),
    ("ja", "デプロイしたあと何分間見守ればいいですか", ["30分のあいだ"]),
    ("ja", "今オンコールの当番は誰ですか？", ["オンコール当番"]),
    ("ja", "キャッシュしない指定を入れてくれたのは誰で、いつの話ですか", ["2026-11-17 13:40 #dev 遥"]),
    ("ja", "明日傘がいるのは東京と大阪のどっち？降水確率は何%？", ["不要(降水確率は最大10%)", "必要(降水確率は最大60%)"]),
    ("ja", "二重送信は合計何件起きて、どのバージョンで直りましたか？", ["全部で3件", "v2.9.1"]),
    ("ja", "demo-015の9月の勤怠を見せて", ["date: 2026-09-01, day_type: weekday, clock_in: 08:56", "date: 2026-09-30"]),
]
"""Questions with what stands in their answers."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(TOLD, of=64))
async def test_authors_are_counted_and_threads_edges_of_time_and_plans_are_read(
    cases: list[tuple[str, str, list[str]]], tmp_path: Path
) -> None:
    asked = {one.question["q"]: one for one in await ask_each([(lang, q, "") for lang, q, _ in cases], tmp_path)}
    for _, question, said in cases:
        assert asked[question].completed, question
        assert [one for one in said if one not in asked[question].text] == [], question
        assert not asked[question].doubts, question


NEWCOMER = [
    ("en", "I have just joined. Which page should I read first?", ["Getting started #docs #onboarding"]),
    ("en", "What does the team work on?", ["Building Fernway, the hold desk for small libraries"]),
    ("en", "What's new today?", ["13:58 #general Priya: Alder Lane library", "17:40 #notes-maya"]),
    ("en", "What is in this sample?", ["- #random", "- Owen (Owen Hale", "- Runbooks: 1"]),
    ("ja", "入社したばかりです。最初に読む記事はどれですか。", ["開発を始めるまで"]),
    ("ja", "このチームは何を作っていますか。", ["予約サービス「こもれび」の開発"]),
    ("en", "Who is on the team?", ["- Tom (Tom Akande, Tech lead)", "- Priya"]),
    ("en", "Who works here?", ["- Owen (Owen Hale, Site reliability engineer)"]),
    ("en", "What happened this week?", ["2026-11-16 09:10 #general Priya: Milltown", "2026-11-20 17:40 #notes-maya"]),
    ("ja", "誰がチームにいますか？", ["- 美咲 (鈴木 美咲, デザイナー)"]),
    ("ja", "昨日チームで何があった？", ["12:50 #雑談 結衣: お歳暮のみかん"]),
    ("ja", "今日は何があった？", ["16:58 #general 結衣: 「喫茶ひなた」さん"]),
    ("ja", "手順書はどこ", ["手順書/リリース/本番リリースの手順"]),
]
"""What a newcomer asks first, and what stands in the answers."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(NEWCOMER, of=6))
async def test_what_a_newcomer_asks_first_is_answered_from_what_the_workspace_tells_of_itself(
    cases: list[tuple[str, str, list[str]]], tmp_path: Path
) -> None:
    asked = await ask_all(
        [{"lang": lang, "sample": lang, "q": question, "says": says} for lang, question, says in cases], tmp_path
    )
    assert [(one.question["q"], one.text, one.doubts) for one in asked if one.grade != "right"] == []


BY_STRUCTURE = [
    ("en", 'Who is the author of "Answers to common questions"?', ["- Priya\n"]),
    ("ja", "「開発を始めるまで」の作成者は誰ですか。", ["- 健太\n"]),
    ("ja", "「本番リリースの手順」を書いたのは誰ですか。", ["- りょー (渡辺 涼)\n"]),
    ("en", "What is the last step of a release?", ["4. Say in #general that it is done"]),
    ("en", "Which step comes last when a hold is moved?", ["# Steps"]),
    ("ja", "リリース当日、いちばん最初にすることは何ですか。", ["1. #general に開始を知らせる"]),
    ("ja", "お試しの手順で、最後に押すのは何のボタンですか。", ["3) 変更ボタンを押す"]),
    ("en", "Who approved Leo's pull request #523?", ["Maya: Approved."]),
    ("ja", "リリースのあと応答時間どうだった？りょーさんなんか言ってたはず", ["応答時間も0.2秒"]),
    ("en", "What caused the double mail?", ["the mail service answered too late"]),
    ("en", "From which version can I move my hold?", ["From v3.4.0 on"]),
    ("en", "Who works in customer support?", ["Priya Raman"]),
    ("en", "Which department does employee demo-013 belong to?", ["製造部"]),
    ("en", "What is #notes-maya about?", ["topic: Maya thinks aloud"]),
    ("ja", "設計メモでまだ決めていないことは何ですか。", ["変更できるのは何時間前までか"]),
    ("en", "For which day was the load test booked?", ["Tuesday morning"]),
    ("en", "Who wrote to the readers about the double mail?", ["Priya wrote to them"]),
    ("ja", "二重送信は全部で何件起きましたか。", ["全部で3件"]),
    ("ja", "いま休職中の従業員は誰ですか。", ["高橋 花"]),
    ("ja", "健太さんと颯太さん、今日はどちらが多く発言した？", ["同じです: 2。"]),
    ("ja", "先月、開発部で残業が一番多かった人は？", ["demo-016"]),
    ("en", "Who was it that asked about the blue umbrella?", ["Leo: Who took"]),
    ("ja", "11月12日の19時を過ぎてからSlackに書いたのは誰ですか", ["- 遥: 1"]),
]
"""Questions for an author by the title, a step by its place, a reply to a request, a day; and what stands in their answers."""


@requirement("V9")
@pytest.mark.parametrize("cases", in_shares(BY_STRUCTURE, of=32))
async def test_titles_places_of_steps_and_pull_requests_are_read_as_such(
    cases: list[tuple[str, str, list[str]]], tmp_path: Path
) -> None:
    asked = await ask_all(
        [{"lang": lang, "sample": lang, "q": question, "says": says} for lang, question, says in cases], tmp_path
    )
    assert [(one.question["q"], one.text, one.doubts) for one in asked if one.grade != "right"] == []


LISTED = [
    ("ja", "健太さんが書いた記事を教えて", "kenta"),
    ("ja", "喫茶ひなたからの返事は？", "すぐ直してくれてありがとう"),
    ("en", "How many posts has Maya written this month?", "There are 13."),
    ("ja", "チャンネルは何個ありますか？", "5 件です。"),
]
"""Questions whose answers are lines of fields, and what they say."""


@requirement("V9")
async def test_an_answer_of_listed_fields_is_not_doubted_where_nothing_compares_by_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "autonomy.provenance.sentence_vectors._INSTALLED", False
    )  # as the first command of the README installs it
    asked = await ask_each(LISTED, tmp_path)
    said = {question: says for _, question, says in LISTED}
    assert [(one.question["q"], one.doubts) for one in asked if one.doubts or not one.completed] == []
    assert [one.question["q"] for one in asked if said[one.question["q"]] not in one.text] == []


async def test_a_quoted_reply_is_not_doubted_where_a_list_has_the_channel_in_another_ones_row(tmp_path: Path) -> None:
    asked = await ask_each([("en", "Who took the blue umbrella?", "")], tmp_path)
    assert [(one.completed, one.doubts, "Owen: Me." in one.text) for one in asked] == [(True, "", True)]


@requirement("V9")
@pytest.mark.parametrize(
    ("file", "every"),
    [pytest.param(FILES[0], 12, id="twelfth"), *(pytest.param(file, 1, id=file.stem, marks=pytest.mark.sweep) for file in FILES)],
)
async def test_no_question_over_the_sample_workspace_is_answered_wrongly_and_half_are_answered(
    file: Path, every: int, tmp_path: Path
) -> None:
    asked = await ask_all(read_questions(file)[::every], tmp_path)
    assert [(one.question["q"], one.text) for one in asked if one.grade == "wrong"] == []
    assert [(one.question["q"], one.doubts) for one in asked if one.grade == "doubted"] == []
    for language in ("ja", "en"):
        answerable = [one for one in asked if one.question["lang"] == language and not one.question.get("refuse")]
        assert sum(one.grade == "right" for one in answerable) * 2 >= len(answerable)
    weather = [one.text for one in asked if one.question["lang"] == "en" and any("weather" in name for name, _ in one.calls)]
    assert weather or file != FILES[0], "the first list asks for weather, so that the next line can fail"
    assert not [text for text in weather if re.search("[\u3040-\u30ff]", text)]


@requirement("V9")
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("chat", 2),
        ("guest2", 3),
        ("newcomer2", 3),
        ("newcomer4", 3),
        ("newcomer5", 4),
        ("newcomer6", 4),
        ("newcomer10", 2),
        ("newcomer11", 3),
        ("newcomer13", 2),
        ("newcomer14", 2),
        ("engineer", 2),
    ],
)
async def test_no_chatty_question_is_answered_wrongly_though_fewer_than_half_are_answered(
    name: str, of: int, tmp_path: Path
) -> None:
    asked = await ask_all(read_questions(DATA / f"offline_questions_{name}.jsonl"), tmp_path)
    assert [(one.question["q"], one.text, one.doubts) for one in asked if one.grade in ("wrong", "doubted")] == []
    assert sum(one.grade == "right" for one in asked) * of >= len(asked)
