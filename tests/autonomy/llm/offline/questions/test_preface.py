"""What speaks of the asking alone is taken out of a message; a clause with any other word stays."""

import pytest

from autonomy.llm.offline.questions.question_reading import normalize_chat


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("Good afternoon! Quick question: who is in?", "who is in?"),
        ("I was wondering whether you could tell me who is in.", "who is in."),
        ("Sorry if this was asked before - when does it start there?", "when does it start there?"),
        ("Not sure if this is the right place, but what does the runbook say?", "what does the runbook say?"),
        ("I can't find it anywhere... where do the figures live?", "where do the figures live?"),
        ("Do you know if there were any errors? cheers", "there were any errors?"),
        ("Who wrote the runbook? I forgot, sorry!", "Who wrote the runbook?"),
        ("hey, quick one: who's the one that took it", "who took it"),
        ("(new here) which channel is it", "which channel is it"),
        ("どこでしたか（うろ覚えですみません）", "どこでしたか"),
        ("急ぎではないのですが、味噌はいつ食べられますか", "味噌はいつ食べられますか"),
        ("うーん、思い出せない…高尾山に行ったのは誰", "高尾山に行ったのは誰"),
        ("もしご存じでしたら、店の名前は", "店の名前は"),
        ("味噌が食べられるのはいつ頃か知りたいです。", "味噌が食べられるのはいつ頃か"),
        ("First week and already a bit lost, haha. Who's the tech lead?", "Who's the tech lead?"),
        ("Brr, it's freezing in this office. How cold is Naha?", "How cold is Naha?"),
        ("Hiya, still finding my feet. Which Slack channels are there?", "Which Slack channels are there?"),
        ("今日は寒いですね。味噌はいつ食べられますか", "味噌はいつ食べられますか"),
    ],
)
def test_what_speaks_of_the_asking_is_no_part_of_the_question(message: str, question: str) -> None:
    assert normalize_chat(message) == question


@pytest.mark.parametrize(
    "message",
    [
        "Not on Friday, but when does it start?",
        "I asked about the index, but who wrote the runbook?",
        "Not the one in staging, who deployed the other?",
        "Did anybody ask who took the umbrella?",
        "本番ではないのですが、いつ出ますか",
        "みかん、どこにありますか",
        "日記以外で、誰が書きましたか",
        "先週の質問、誰が答えましたか",
        "Busy morning on staging. Who merged the PR?",
        "Lovely coffee. Who brought it?",
        "検証環境でバタバタしていました。いつ出ましたか",
    ],
)
def test_a_clause_that_says_anything_else_stays(message: str) -> None:
    assert normalize_chat(message) == message
