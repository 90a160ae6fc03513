"""Words that a text may say in another way, and those without which it says something else."""

from autonomy.llm.offline.lookup.word_classes import denials_of, synonyms_of
from autonomy.llm.offline.lookup_words import alternatives, turns
from tests.requirements import requirement


@requirement("V9")
def test_what_turns_a_sentence_is_never_left_out() -> None:
    turning = (
        "before",
        "after",
        "until",
        "rejected",
        "broke",
        "withdrew",
        "lent",
        "borrowed",
        "closed",
        "most",
        "first",
        "却下",
        "消",
    )
    assert [word for word in turning if not turns(word)] == []
    assert not turns("complained")


def test_an_irregular_form_is_the_same_verb() -> None:
    assert {"buy", "bought"} <= set(alternatives("bought"))
    assert "sent" in alternatives("send")


@requirement("V9")
def test_words_that_deny_one_another_are_no_synonyms() -> None:
    assert "reject" in denials_of(["accepted"])
    assert "measure" in synonyms_of("measurement")
    assert "suggest" in synonyms_of("suggestion")
    assert "product" not in synonyms_of("production"), "a product is no production"
    pairs = [
        ("open", "close"),
        ("lend", "borrow"),
        ("before", "after"),
        ("buy", "sell"),
        ("accept", "reject"),
        ("increase", "decrease"),
    ]
    assert [pair for pair in pairs if pair[1] in synonyms_of(pair[0]) or pair[0] in synonyms_of(pair[1])] == []
