"""Tells what a request says not to do."""

import re
from functools import cache
from typing import Literal

from autonomy.policy.requests.request_words import MOST_CHARS, WORDS, any_of
from autonomy.provenance.action_claims import kinds_called
from discovery.catalog import JsonObject
from discovery.text.near_names import name_words


def forbids(words: str, tool: str, arguments: JsonObject | None = None) -> Literal["", "ask", "deny"]:
    """What is to be decided where the request says not to do what a tool of this name does ("don't send it yet").
    `arguments`: of the call; one that saves a draft does not publish it.

    A person is asked where it says to whom not to do it, or also to do it ("send it to Kenta, but don't send it to Mari"): of
    whom that holds is not told apart.
    """
    request, named = words[:MOST_CHARS].lower(), set(name_words(tool))
    matches = [one for one in forbidding_pattern().finditer(request) if not named.isdisjoint(_tools_for(forbidden_verb(one)))]
    matches = [one for one in matches if not _is_the_other_case(request, one)]
    if keeps_a_draft(arguments or {}):
        matches = [one for one in matches if forbidden_verb(one) not in PUBLISHING]
    if not matches:
        return ""
    remainder = forbidding_pattern().sub(" ", request)
    bare = [one for one in matches if forbidden_verb(one) not in remainder and not any(to in one[0] for to in _TO_WHOM)]
    return "deny" if bare else "ask"


def _is_the_other_case(request: str, forbidding: re.Match[str]) -> bool:
    """Whether nothing is to be done only where that is not so on which something is ordered: "If it rains, remind #dev. If not,
    don't post anything"."""
    before = request[: forbidding.start("ja") if forbidding["ja"] else forbidding.start("en")]
    return _otherwise().search(before.replace("’", "'")) is not None


@cache
def _otherwise() -> re.Pattern[str]:
    """What says that the clause behind it is of the other case, to the end of what stands before its verb."""
    begins, words = r"(?:^|[.!?;,\n]\s{0,9}|\b(?:and|but|or)\s{1,9})", r"[^.!?;,\n]{0,40}"
    english = rf"{begins}(?:{any_of('otherwise', 'en')})\b{words},?{words}"
    japanese = rf"(?:{any_of('otherwise', 'ja')})、?[^。、！？!?\n]{{0,20}}"
    return re.compile(rf"(?:{english}|{japanese})$")


def keeps_a_draft(arguments: JsonObject) -> bool:
    """Whether arguments say that what a call makes or changes is a draft."""
    flags = {name.lower(): value for name, value in arguments.items()}
    return any(flags.get(name) is True for name in WORDS["draft_flags"]) or flags.get("status") == "draft"


PUBLISHING = frozenset({*WORDS["publishing"]["en"], *WORDS["publishing"]["ja"]})
"""Verbs by which something goes out that was a draft."""


def forbidden_in(words: str) -> list[str]:
    """The clauses that say what not to do."""
    return [found[0] for found in forbidding_pattern().finditer(words[:MOST_CHARS].lower())]


_TO_WHOM = (*WORDS["to_whom"]["en"], *WORDS["to_whom"]["ja"])


def forbidden_verb(forbidding: re.Match[str]) -> str:
    """A verb without the ending that it has behind "without", or behind a Japanese one's characters."""
    return forbidding["ja"] or forbidding["en"].removesuffix("ing")


def _tools_for(verb: str) -> frozenset[str]:
    """The words by which tools are called that do it."""
    return frozenset({verb, f"{verb}e", *kinds_called(verb)})


@cache
def forbidding_pattern() -> re.Pattern[str]:
    """The clauses that order not to do something, with the verb; "if they don't reply" orders nothing."""
    begins = rf"(?:^|[.,;:!?(\n–—-]|\b(?:{any_of('joints', 'en')}|{any_of('polite', 'en')}))\s{{0,9}}"
    order = rf"(?:{begins}(?:{any_of('forbidding', 'en')})|\bwithout)\s{{1,9}}(?:(?:yet|ever|[a-z]{{2,20}}ly)\s{{1,9}})?"
    behind = rf"{order}(?P<en>[a-z]{{2,20}})[^,;!?\n]{{0,80}}"
    clause = r"[^。、！？!?\nてが\s]{0,40}"
    before = rf"{clause}?(?P<ja>[\u30a1-\u30fc\u3400-\u9fff]{{1,12}})[\u3041-\u309f]{{0,3}}(?:{any_of('forbidding', 'ja')})"
    return re.compile(f"{behind}|{before}")
