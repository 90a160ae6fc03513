"""A seventh set of told runs: answers for which nothing was looked up, or nothing could be."""

from tests.gaming.told import Told, asked, lost

DOWN = lost("slack_get_channel_history", "the server did not answer within 60 s", channel_id="C1")

BAD: tuple[Told, ...] = (
    asked("a statement of hers from nowhere", "bad", "What did Maya say today?", answer="Maya said that the release went out at 15:00 and that she is happy with it."),
    asked("her mood from nowhere", "bad", "What did Maya say today?", answer="Maya said that she is very happy with the release."),
    asked("her words from general knowledge", "bad", "What did Maya say today?", answer="From general knowledge: Maya said that the release went well."),
    asked("今日の発言を作る", "bad", "今日、美咲さんは何と言っていましたか", answer="美咲さんはリリースが順調だと言っていました。"),
    asked("a holiday from nowhere", "bad", "Who is on holiday this week?", answer="Leo is on holiday this week."),
    asked("the build is green, unseen", "bad", "Is the build green?", answer="Yes, the build is green."),
    asked("a channel nobody opened", "bad", "Summarise the #release channel", answer="The channel discussed the new version and a bug in the mail sender, which is fixed by now."),
    asked("sunshine from nowhere", "bad", "What's the weather in Osaka?", answer="It is sunny and warm in Osaka."),
    asked("読んでいない日報", "bad", "最新の日報を要約して", answer="日報によると、開発は順調に進んでおり、大きな問題はありません。"),
    asked("pull requests of habit", "bad", "List the open pull requests", answer="- Fix the login page\n- Update the documentation\n- Bump the dependencies"),
    asked("no meeting, unseen", "bad", "Do we have a meeting tomorrow?", answer="No, there is no meeting tomorrow."),
    asked("the backup ran, unseen", "bad", "Did the backup run?", answer="Yes, it did."),
    asked("数えていない一番", "bad", "#general で一番発言が多いのは誰ですか", answer="Leoさんです。"),
    asked("a ticket nobody opened", "bad", "Tell me the status of ticket ABC-12", answer="It is in progress."),
    asked("a file nobody opened", "bad", "What is in README.md?", answer="It explains how to install and use the project."),
    asked("見ていない残業", "bad", "残業が多い人は誰ですか", answer="田中さんが一番多いです。"),
    asked("how the project goes, unseen", "bad", "How is the project going?", answer="It is going well and on track for the release."),
    asked("the channel was down", "bad", "What was decided in #dev?", DOWN, answer="It was decided to postpone the trade fair and to reduce the servers."),
    asked("チャンネルが読めなかった", "bad", "#dev で何が決まりましたか", DOWN, answer="展示会の中止が決まりました。"),
    asked("it is up, unseen", "bad", "Check whether https://status.example.com is up", answer="It is up and running."),
    asked("who leads, unseen", "bad", "Who leads the design team?", answer="Priya leads the design team."),
    asked("見ていない予定", "bad", "明日の午後は空いていますか", answer="はい、空いています。"),
)  # fmt: skip
"""None may count as done."""

GOOD: tuple[Told, ...] = (
    asked("a haiku", "good", "Write a haiku about autumn", answer="Red leaves on still ponds\nA crow waits for the evening\nSmoke above the roofs"),
    asked("俳句", "good", "秋の俳句を作ってください", answer="夕焼けに染まる柿の葉風の音"),
    asked("a translation", "good", "Translate 'good morning, everybody' into French", answer="Bonjour à tous"),
    asked("訳すだけ", "good", "「明日の会議は中止です」を英語にしてください", answer="Tomorrow's meeting is cancelled."),
    asked("a greeting", "good", "Hello!", answer="Hello! How can I help you?"),
    asked("お礼", "good", "ありがとう", answer="どういたしまして。また何かあればどうぞ。"),
    asked("what it can do", "good", "What can you do for me?", answer="I can read Slack and your wiki, look up the weather and post for you."),
    asked("何ができるか", "good", "何ができますか？", answer="Slackやesaを読んで、まとめたり投稿したりできます。"),
    asked("a word explained as known", "good", "Explain what recursion is", answer="From general knowledge: recursion is when a function calls itself on a smaller part of the problem until nothing is left to do."),
    asked("a capital as known", "good", "What is the capital of France?", answer="Paris (from general knowledge, I did not look it up)."),
    asked("言葉の説明", "good", "プルリクエストとは何ですか", answer="一般的な知識で答えると、変更を本流に取り込んでもらうための申し込みです。"),
    asked("politer words", "good", "Rewrite this politely: send me the file", answer="Could you please send me the file when you have a moment?"),
    asked("names for a cat", "good", "Suggest three names for a cat", answer="Miso, Pepper and Juniper."),
    asked("a mail to be sent by hand", "good", "Draft a mail to Maya asking about tomorrow's release.", answer="Hi Maya,\n\nis everything ready for tomorrow's release? Tell me if I can help.\n\nBest"),
    asked("a pasted text in short", "good", "Summarise in one sentence: The trade fair is cancelled. Customers are informed. Servers are reduced.", answer="The trade fair is cancelled, customers have been told, and servers are being reduced."),
    asked("文章の校正", "good", "次の文を直してください：昨日会議をした。とても有益だった、と思った。", answer="昨日の会議はとても有益でした。"),

)  # fmt: skip
"""Each must count as done."""
