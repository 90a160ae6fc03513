"""Which actions a goal asks for, and how many, by the words of the data file."""

import pytest

from autonomy.completion.rules.asked.asked_actions import ASKED, asked_kinds, english_counts, japanese_counts
from autonomy.provenance.text.word_data import load_words
from metrics.text.verb_forms import joining, te_form


def test_every_verb_leads_to_kinds_of_receipts_that_exist() -> None:
    kinds = {*load_words("claims")["kinds"]}
    for table in (ASKED.nouns, ASKED.verbs, ASKED.english):
        assert all(shown and set(shown) <= kinds for shown in table.values())
    assert {*ASKED.joined} <= {*ASKED.verbs}
    assert {*ASKED.nouns, *ASKED.verbs, *ASKED.english} >= ASKED.inside


@pytest.mark.parametrize("noun", ASKED.nouns)
def test_a_noun_asks_in_its_polite_forms_and_not_by_itself(noun: str) -> None:
    shown = [ASKED.nouns[noun]]
    assert asked_kinds(f"#dev に{noun}してください") == shown
    for please in (
        "お願いします",
        "お願いいたします",
        "お願い致します",
        "お願い申し上げます",
        "お願いしてもらえますか",
        "お願い。",
    ):
        assert asked_kinds(f"#dev への{noun}を{please}") == shown
        assert asked_kinds(f"#dev に{noun}{please}") == shown
    assert asked_kinds(f"#dev の{noun}を教えて") == []


@pytest.mark.parametrize("verb", ASKED.verbs)
def test_a_japanese_verb_asks_with_its_ending_alone(verb: str) -> None:
    asked, done = te_form(verb), te_form(verb).translate({ord("て"): "た", ord("で"): "だ"})
    assert asked_kinds(f"#dev に{asked}ください") == [ASKED.verbs[verb]]
    assert asked_kinds(f"#dev に{done}人は誰?") == []
    if verb in ASKED.joined:
        assert asked_kinds(f"#dev にお{joining(verb)}ください") == [ASKED.verbs[verb]]


def test_what_is_asked_for_as_people_speak_is_asked_for() -> None:
    shown = [ASKED.verbs["書き込む"]]
    assert asked_kinds("#雑談に「プリンは美咲さんのです」って書いといて") == shown
    assert asked_kinds("#dev に送っといてください") == [ASKED.verbs["送る"]]
    assert asked_kinds("#dev に書いといた人は誰?") == []


@pytest.mark.parametrize("goal", ["最初に知らせてくれたのは誰ですか", "誰が直してくれましたか", "いつ送ってもらえた?"])
def test_a_favour_that_was_done_is_not_asked_for(goal: str) -> None:
    assert asked_kinds(goal) == []


def test_what_others_asked_for_or_wanted_to_do_is_not_asked_for() -> None:
    assert asked_kinds("How many libraries have been asking for a way to move holds?") == []
    assert asked_kinds("Who wanted to move the meeting?") == []
    assert asked_kinds("Which of these did I ask you to send?") == [ASKED.english["send"]]
    assert asked_kinds("Who asked, then send it to Tom") == [ASKED.english["send"]]


@pytest.mark.parametrize(
    ("goal", "order"),
    [
        ("Tell me what to {} in #dev.", "Tell me what Ann said and {} it in #dev."),
        ("Tell me which event to {}.", "Look up which event it is, and {} it."),
        ("Who do we have to {}?", "See who is on call to {} them the plan of #dev."),
        ("Name the customers to {}.", "Please find the customers to {} them."),
        ("List the messages to {} to.", "I want you to {} in #dev."),
    ],
)
@pytest.mark.parametrize("verb", sorted(ASKED.english.keys() - ASKED.inside))
def test_a_deed_by_which_something_to_be_told_is_named_is_not_asked_for(goal: str, order: str, verb: str) -> None:
    assert asked_kinds(goal.format(verb)) == []
    assert asked_kinds(order.format(verb)) == [ASKED.english[verb]]


@pytest.mark.parametrize("verb", ASKED.english)
def test_an_english_verb_asks_at_the_head_of_a_clause(verb: str) -> None:
    assert asked_kinds(f"{verb.title()} it in #dev") == [ASKED.english[verb]]
    assert asked_kinds(f"Read #dev and then {verb} it") == [ASKED.english[verb]]
    assert asked_kinds(f"Who did {verb} it in #dev?") == []


@pytest.mark.parametrize("goal", ["「#dev に投稿してください」とは誰が言った?", 'Who wrote "please send it to #dev"?'])
def test_what_a_goal_quotes_is_not_asked(goal: str) -> None:
    assert asked_kinds(goal) == []


@pytest.mark.parametrize("request_word", ASKED.requests)
def test_every_ending_of_a_request_asks(request_word: str) -> None:
    assert asked_kinds(f"田中さんに伝えて{request_word}") == [ASKED.verbs["伝える"]]


@pytest.mark.parametrize("word", sorted(ASKED.inside))
def test_a_verb_that_may_mean_the_answer_asks_only_beside_a_place_outside_of_it(word: str) -> None:
    asked = f"{word}して" if word in ASKED.nouns else word if word.isascii() else te_form(word)
    goal = f"{asked} a poem" if word.isascii() else f"詩を{asked}ください"
    assert asked_kinds(goal) == []
    assert asked_kinds(f"{goal} #dev") != [] or not word.isascii()
    assert asked_kinds(f"#dev {goal}") != [] or word.isascii()


def test_things_are_counted_in_figures_and_in_words() -> None:
    for counter in ASKED.counters:
        assert list(japanese_counts(f"記事を3{counter}投稿して")) == [3]
    for word, number in ASKED.numbers.items():
        assert list(english_counts(f"Write {word.title()} short posts")) == [number]
    for thing in ASKED.counted:
        assert list(english_counts(f"3 {thing.rstrip('?')}")) == [3]
    assert list(japanese_counts("3時に投稿して")) == []
    assert list(english_counts("two people")) == []
