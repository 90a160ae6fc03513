"""Finds phrases that claim an action of the run, and those that no receipt proves."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text.normalize import fold, normalize, normalize_with_offsets
from autonomy.provenance.text.sentences import FEWEST_TERMS, Sentence, sentences_in, terms
from autonomy.provenance.text.word_data import alternatives, load_words
from discovery.text.near_names import name_words
from metrics.text.phrases import lazy_pattern, patterns_of
from metrics.text.quotations import paired

_PHRASES = patterns_of("autonomy.provenance")

REPORTED = 0.7
"""Share of a sentence's terms that one unit of a read holds when the sentence retells it."""


class ActionClaim(NamedTuple):
    """One phrase that claims an action."""

    kind: str
    """`post`, `mail`, `send`, `notify`, `share`, `create`, `add`, `update`, `run`, `delete`, `book`, `pay` or `save`."""
    text: str
    start: int
    end: int
    target: str = ""
    """To whom or where, as written; empty when the phrase names nobody in particular."""
    thing: str = ""
    """What was made, by the name of a kind of things in `claims.json`; empty where that tells no tool from another."""


class ActionReceipt(NamedTuple):
    """The proof of one write."""

    kinds: frozenset[str]
    """Kinds of action it proves; see `kinds_of_tool`."""
    targets: tuple[str, ...] = ()
    """Names and ids of where it went: tool, provider, scalar arguments, ids of the answer."""


def kinds_of_tool(name: str) -> frozenset[str]:
    """The kinds of action that a tool's name speaks of: `esa_create_post` creates and posts."""
    words = frozenset(name_words(name))
    found = frozenset(kind for kind, form in load_words("claims")["kinds"].items() if words.intersection(form["tools"]))
    return found & _OF_DRAFTS if "draft" in words and not words & _SENDING else found


_OF_DRAFTS = frozenset({"create", "save", "update", "delete"})
"""What can be done to a draft that still leaves it one."""
_SENDING = frozenset({"send", "publish", "post", "submit"})


def verbs_of_tool(name: str) -> frozenset[str]:
    """The words of a tool's name that speak of an action: `create` and `post` of `esa_create_post`."""
    words = frozenset(name_words(name))
    return frozenset(word for form in load_words("claims")["kinds"].values() for word in words.intersection(form["tools"]))


def claims_in(text: str) -> tuple[ActionClaim, ...]:
    """Every claim of an action of the run's own: what others did, what was quoted, planned, asked or denied is none."""
    return tuple(claim for _, claim in _claims(text))


def told_deeds(text: str) -> tuple[str, ...]:
    """The clauses of a text that tell of something as done by whoever speaks, in any words, each once.

    What is only read, chosen or put into words is no deed; what is made ready and goes out is one.
    """
    return tuple(
        dict.fromkeys(deed for sentence in sentences_in(text) for deed in _deeds(normalize(sentence.text).rstrip("。.!！")))
    )


def _deeds(sentence: str) -> Iterator[str]:
    if not _KANA.search(sentence):
        clauses = _PHRASES["parts_a_sentence"].split(sentence)
        reading, ready = (load_words("claims")[kind]["en"] for kind in ("reads_or_words", "makes_ready"))
        for clause, following in _with_following(clauses):
            begin = _PHRASES["begins_with_a_deed"].match(clause)
            if not begin or _DID_NOTHING.match(clause, begin.end()):
                continue
            deed = begin["deed"].lower()
            if deed not in reading and not (deed in ready and _has_the_same(following)):
                yield clause
        return
    *leading, last = sentence.split("、")
    if _PHRASES["ends_with_a_deed"].search(last):
        deed_clauses = [clause for clause in leading if _PHRASES["goes_on_to_a_deed"].search(clause)]
        for clause, following in _with_following([*deed_clauses, last]):
            verb = f"{clause[-VERB:]}、"
            is_ready = _said_as("makes_ready").search(verb) and _has_the_same(following)
            if not (is_ready or _said_as("reads_or_words").search(verb) or _PHRASES["told_of_others"].search(clause)):
                yield clause


def _with_following(clauses: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(clauses, [*clauses[1:], ""], strict=True)


def _has_the_same(following: str) -> bool:
    """Whether a clause only goes on with what the one before it made ready: drafted the diary and posted it."""
    return bool(following) and _PHRASES["has_the_same"].search(following) is not None


_DID_NOTHING = re.compile(r"\s{1,4}(?:nothing|none|neither|no)\b", re.IGNORECASE)
VERB = 8
"""Characters at the end of a Japanese clause, where its verb stands."""
_KANA = lazy_pattern(r"[\u3041-\u3096]")


@cache
def _said_as(kind: str) -> re.Pattern[str]:
    return re.compile(alternatives(load_words("claims")[kind]["ja"]))


def unproven_claims(
    text: str,
    receipts: Sequence[ActionReceipt],
    sources: Sources | None = None,
    *,
    goal: str = "",
    tried_to_write: bool = True,
) -> tuple[ActionClaim, ...]:
    """The claims left when each receipt has proved one of each of its kinds; a claim that is repeated counts once.

    `sources`: a sentence that retells a result of a read is no claim, and names are matched through ids. Where nothing was
    written and nothing was tried, a text may hand over what it wrote itself: only actions that the `goal` asks for are claims
    then.
    """
    asked_kinds = None if tried_to_write or receipts else kinds_asked_for(goal)
    index = sources.index if sources else None
    open_receipts = [(receipt, set(receipt.kinds)) for receipt in receipts]
    seen_claims: set[tuple[str, str]] = set()
    unproven = []
    for sentence, claim in _claims(text):
        key = (claim.kind, fold(claim.target))
        if (
            key in seen_claims
            or (asked_kinds is not None and claim.kind not in asked_kinds and not _is_own_deed(claim, sentence))
            or (index and (_retells(sentence.text, index) or _retells(_cell_of(sentence, claim), index)))
        ):
            continue
        seen_claims.add(key)
        is_all = fold(sentence.text).strip(" .!。") == fold(
            claim.text
        )  # `Sent.` in front of whom it was sent to is no second one
        if not _use_up(claim, open_receipts, sources, is_again=is_all):
            unproven.append(claim)
    return tuple(unproven)


def _is_own_deed(claim: ActionClaim, sentence: Sentence) -> bool:
    """Whether `I` is said of an action that no text of an answer can be, also as the second of two: `I found her and wrote to her`."""
    if claim.target[:1] == "#":  # no text of an answer stands in a channel
        return True
    clause = sentence.text if claim.text.lower().startswith("and ") else claim.text
    return claim.kind in _DEEDS and bool(_I_DID.match(clause))


_DEEDS = frozenset({"run", "delete", "pay", "book", "mail", "send", "notify"})
_I_DID = lazy_pattern(r"(?:I|we)\b", re.IGNORECASE)


@lru_cache(maxsize=64)  # several checks of a judgement ask, with a dozen patterns each
def kinds_asked_for(goal: str) -> frozenset[str]:
    """The kinds of action that a goal asks for in words."""
    return frozenset(kind for kind, pattern in _asks().items() if pattern.search(goal))


def kinds_called(word: str) -> frozenset[str]:
    """The kinds of action that a verb asks for, in whatever ending a Japanese one stands."""
    kinds = load_words("claims")["kinds"].items()
    return frozenset(kind for kind, form in kinds if word in (_ENDING.sub("", form_word.lower()) for form_word in form["asks"]))


_ENDING = lazy_pattern(r"[\u3041-\u309f]{1,4}$")


@cache
def _asks() -> dict[str, re.Pattern[str]]:
    found = {}
    for kind, form in load_words("claims")["kinds"].items():
        words = [re.escape(word) if not word.isascii() or word.isupper() else rf"\b{word}\b" for word in form["asks"]]
        found[kind] = re.compile("|".join(words) or r"(?!)", re.IGNORECASE)
    # whoever is asked to send, post or tell may say any of these
    outward = "|".join(pattern.pattern for kind, pattern in found.items() if kind in OUTWARD)
    return found | dict.fromkeys(OUTWARD, re.compile(outward, re.IGNORECASE))


OUTWARD = frozenset({"post", "mail", "send", "notify", "share"})
"""Kinds of action by which something reaches other people."""


def _use_up(
    claim: ActionClaim, receipts: list[tuple[ActionReceipt, set[str]]], sources: Sources | None, *, is_again: bool = False
) -> bool:
    """Whether a receipt of the claim's kind and target is left; it is used up for this kind, unless more is said of it."""
    accepted = load_words("claims")["kinds"][claim.kind]["proved_by"]
    for receipt, left in receipts:
        kind = next((kind for kind in accepted if kind in left), None)
        if kind and (not claim.target or _reaches(claim.target, receipt, sources)) and _is_such_a_thing(claim.thing, receipt):
            if not is_again:
                left.discard(kind)
            return True
    return False


def _is_such_a_thing(thing: str, receipt: ActionReceipt) -> bool:
    """Whether a write may have made a thing of this kind, by the words of its tool, its provider and where it went."""
    if not thing:
        return True
    if thing == "dm" and any(target[:1] == "#" for target in receipt.targets):
        return False  # what stands in a channel is no message to one person
    shown = fold(" ".join(receipt.targets))
    return any(word in shown for word in load_words("claims")["things"][thing]["tools"])


def _thing(sentence: str, match: re.Match[str]) -> str:
    """The kind of thing that the phrase says was made: right in front of it in Japanese, right behind it in English."""
    japanese = _kind_is_japanese(match)
    beside = sentence[max(0, match.start() - 12) : match.start()] if japanese else sentence[match.end() : match.end() + 40]
    words = load_words("claims")
    articles = alternatives(words["articles"])
    things: dict[str, dict[str, list[str]]] = words["things"]
    for name, form in things.items():
        if japanese and any(beside.endswith((f"{word}を", f"{word}も")) for word in form["ja"]):
            return name
        if not japanese and re.match(rf" (?:\w+ )?(?:{articles}) (?:{alternatives(form['en'])})\b", beside, re.IGNORECASE):
            return name
    return ""


def _reaches(target: str, receipt: ActionReceipt, sources: Sources | None) -> bool:
    called = target.lstrip("#@")
    names = sources.identities.names_of(called) | sources.mailboxes_of(called) if sources else frozenset({fold(called)})
    reached = [fold(written) for written in receipt.targets]
    return any(name in written or (len(written) > 2 and written in name) for name in names for written in reached if name)


def _cell_of(sentence: Sentence, claim: ActionClaim) -> str:
    """The cell of a table's row in which a claim stands; the sentence, where it is no row."""
    at = claim.start - sentence.start
    return sentence.text[sentence.text.rfind("|", 0, at) + 1 :].partition("|")[0]


def _retells(text: str, index: UnitIndex) -> bool:
    words = frozenset(term for term in terms(text) if not term.isdigit())  # the day and time before a quoted message
    if len(words) < FEWEST_TERMS:
        return False
    return any(index.containment(words, [at]) >= REPORTED for at in index.shortlist(words, 8))


def denied_in_vain(text: str, receipts: Sequence[ActionReceipt], sources: Sources) -> Iterator[ActionClaim]:
    """What a text says that the run has not done, or could not do, and a receipt shows.

    A receipt that the text tells of beside it shows nothing of what else could not be done.
    """
    told = [claim for _, claim in _claims(text)]
    untold = [one for one in receipts if not any(_use_up(claim, [(one, set(one.kinds))], sources) for claim in told)]
    for sentence, claim in _claims(text, denying=True):
        shown = any(_use_up(claim, [(one, set(one.kinds))], sources) for one in untold)
        if shown and not _retells(sentence.text, sources.index):
            yield claim


def _claims(text: str, *, denying: bool = False) -> Iterator[tuple[Sentence, ActionClaim]]:
    pattern, is_none = (_denials(), _is_denied_of_others) if denying else (_pattern(), _is_no_claim)
    for sentence in sentences_in(text):
        if sentence.heading or text[text.rfind("\n", 0, sentence.start) + 1 : sentence.start].lstrip().startswith(">"):
            continue
        normal = normalize_with_offsets(sentence.text)
        spoken = _QUOTED.sub(lambda quote: "\x00" * len(quote.group()), normal.text)
        for match in pattern.finditer(spoken):
            if not is_none(spoken, match) and not _is_a_cell(text, sentence, spoken, match):
                start, end = normal.span(*match.span("claim"))
                target = _target(spoken, match)
                thing = _thing(spoken, match)
                yield (
                    sentence,
                    ActionClaim(
                        _kind(match), sentence.text[start:end], sentence.start + start, sentence.start + end, target, thing
                    ),
                )


def _is_a_cell(text: str, sentence: Sentence, spoken: str, match: re.Match[str]) -> bool:
    """Whether the phrase is the first cell of a table's row or a label before a figure: a state that is counted, no claim."""
    if match.start() > 0:
        return False
    in_a_row = text[text.rfind("\n", 0, sentence.start) + 1 :].lstrip().startswith("|")
    return bool(_CELL_ENDS.match(spoken, match.end()) if in_a_row else _LABEL_ENDS.match(spoken, match.end()))


_CELL_ENDS = lazy_pattern(r"[*_\s]{0,4}(?:[(（][^()（）|]{1,30}[)）][*_\s]{0,4})?\|")
_LABEL_ENDS = lazy_pattern(r"[*_]{0,2}\s?(?::|–|—|-)?[*_]{0,2}\s?[¥$€£]?\d")
_QUOTED = paired('「『"`', most=300)


@cache
def _pattern() -> re.Pattern[str]:
    words = load_words("claims")
    done, not_done = alternatives(words["ja_done"]), alternatives(words["ja_not_done"])
    forms = []
    for kind, form in words["kinds"].items():
        forms.append(rf"(?P<ja_{kind}>(?:{alternatives(form['ja'])})(?:を|が)?(?:{done})(?!{not_done}))")
        if kind in _DEEDS - {"run"}:  # 下書きを削除し、日記を投稿しました
            forms.append(rf"(?P<jc_{kind}>(?:{alternatives(form['ja'])})し(?=、))")
        if form["ja_verbs"]:
            verbs = [*form["ja_verbs"], *(left for verb in form["ja_verbs"] for left in _as_left(verb))]
            forms.append(rf"(?P<jv_{kind}>(?:{alternatives(verbs)})(?!{not_done}))")
        english = alternatives(form["en"])
        lead = r"\b(?:(?:I|we)(?:'ve| have)?|has been|have been|was|were|been|successfully|and)(?: also| now| already| successfully| just){0,2} "
        forms.append(rf"(?P<en_{kind}>(?:{lead}|^)(?:{english})\b(?! by (?!me\b|us\b|Jiritsu\b|{_MEANS}\b)))")
    return re.compile(f"(?P<claim>{'|'.join(forms)})", re.IGNORECASE)


_MEANS = r"(?:a |an |the )?(?:direct |private )?(?:message|mail|e-?mail|dm|post|text|phone)"
"""By what somebody is told, which is nobody who told it."""


def _as_left(verb: str) -> Iterator[str]:
    """A verb in ました as what it left behind: 送ってあります, 知らせておきました."""
    if (stem := verb.removesuffix("ました")) != verb:
        joined = f"{stem[:-1]}って" if stem.endswith("り") else f"{stem}て"
        yield from (joined + ending for ending in ("あります", "ある", "おきました", "おいた"))


@cache
def _denials() -> re.Pattern[str]:
    """The phrases that deny what those of `_pattern` claim."""
    from metrics.text.verb_forms import base_of_joining, bases_of_past, denials, gerund  # commands that only read need no forms

    kinds = load_words("claims")["kinds"].items()
    forms, denied = [], alternatives(denials("する"))
    for kind, form in kinds:
        forms.append(rf"(?P<ja_{kind}>(?:{alternatives(form['ja'])})(?:を|が|は|も|に)?(?:{denied}|失敗))")
        stems = [stem for verb in form["ja_verbs"] if (stem := verb.removesuffix("ました")) != verb]
        verbs = [*map(base_of_joining, stems), *(f"{stem[:-1]}する" for stem in stems if stem.endswith("し"))]
        if found := [one for verb in verbs for one in denials(verb)]:
            forms.append(rf"(?P<jv_{kind}>(?:{alternatives(found)}))")
        past = [(first, rest) for one in form["en"] for first, _, rest in [one.partition(" ")]]
        verbs = [f"{base} {rest}".strip() for first, rest in past for base in (first, *bases_of_past(first))]
        gerunds = [gerund(base) for first, _ in past for base in bases_of_past(first)]
        english = rf"{_NOT_DONE}(?:{alternatives(verbs)})\b(?!{_ELSE})|\b(?:{alternatives(gerunds)})\b[^.;,\n]{{0,40}} failed\b"
        forms.append(rf"(?P<en_{kind}>{english})")
    return re.compile(f"(?P<claim>{'|'.join(forms)})", re.IGNORECASE)


_NOT_DONE = (
    r"\b(?:(?:could|did|was|were|has|have|had|am|is|are|can)(?: not|n['’]t)|cannot|can['’]t|unable to|failed to|never)"
    r"(?: (?:been|be|able to|actually|yet|successfully|manage to)){0,3} "
)
_ELSE = r"[^.;,\n]{0,40}\b(?:any|anything|anybody|anyone|else|other|others|rest|again|twice|more)\b"
"""Behind a verb: what was not done beside what was."""


def _kind(match: re.Match[str]) -> str:
    return next(name[3:] for name, text in match.groupdict().items() if text is not None and name != "claim")


def _is_no_claim(sentence: str, match: re.Match[str]) -> bool:
    """Whether somebody else is said to have done it, or it is only supposed, hoped, asked or denied."""
    before = _without_what_was_told(sentence[: match.start()])
    if _PHRASES["of_nothing"].match(sentence[match.end() :]) or _is_of_others(sentence, match):
        return True
    if (
        match["claim"].lower().startswith("and ")
        and _ENGLISH_ACTOR.search(before)
        and before.split()[0].lower() not in _own_verbs()
        and not _PHRASES["own_english_subject"].search(before)
    ):
        return True
    return bool(_UNREAL.search(_own_clause(before)[-60:]))


def _is_of_others(sentence: str, match: re.Match[str]) -> bool:
    """Whether somebody else is said to have done it."""
    clause = _own_clause(_without_what_was_told(sentence[: match.start()]))
    return bool(_OTHER_SUBJECT.search(clause) or _ENGLISH_OTHER.search(clause))


def _is_denied_of_others(sentence: str, match: re.Match[str]) -> bool:
    """Whether a phrase denies what somebody else did: Maya could not post it."""
    return _is_of_others(sentence, match) or bool(_PHRASES["a_name_in_front"].search(sentence[: match.start()]))


def _own_clause(before: str) -> str:
    """The end of what stands before a claim, from the clause on in which whoever speaks is the subject."""
    return re.split(r"[、,;]\s?", before)[-1] if _OWN_SUBJECT.search(before) else before


def _without_what_was_told(before: str) -> str:
    """What stands before a claim, without the words that somebody was told by it: Xさんに、Yさんは休みです、と [メールを送りました]."""
    return _PHRASES["told_to_somebody"].sub("", before)


@cache
def _own_verbs() -> frozenset[str]:
    """Verbs with which a note of one's own deeds begins: `Posted it and sent a DM.` has no other subject."""
    return frozenset(form.split()[0] for kind in load_words("claims")["kinds"].values() for form in kind["en"])


_OWN_SUBJECT = _PHRASES["own_subject"]
_ENGLISH_ACTOR = lazy_pattern(r"^[A-Z][\w'-]+(?: [A-Z][\w'-]+)? ")
_ENGLISH_OTHER = _PHRASES["of_others"]
_UNREAL = _PHRASES["unreal"]
_OTHER_SUBJECT = lazy_pattern(
    "(?:" + "|".join(map(re.escape, load_words("claims")["other_subjects"])) + r")\s?(?:が|は|も|から|より)(?!の)"
    r"|[A-Za-z][\w-]{1,30}\s?(?:が|から|より)(?!の)|\b[A-Z]?[a-z][\w-]{1,30}\s?(?:は|も)"
)


def _target(sentence: str, match: re.Match[str]) -> str:
    """To whom or where the phrase says it went."""
    if _kind_is_japanese(match):
        before = _EMPTIED.sub("\x00", _without_what_was_told(sentence[: match.start()]))[-80:]
        found = _JAPANESE_TARGET.search(before) or _JAPANESE_CHANNEL.search(before)
        counts = found and before[: found.start("target")][-1:].isdecimal()  # 118名に: so many people, and none of them by name
        name = found["target"] if found and not counts else ""
        if name[:1] not in ("#", "@") and _PHRASES["changes_into"].match(match["claim"]):
            return ""
    else:
        verb = match.end("claim") - len(match["claim"].split()[-1])
        found = _ENGLISH_OBJECT.match(sentence, verb) or _PHRASES["sent_somebody_something"].match(sentence, verb)
        if found is None and _SOMEBODY_TOLD.match(sentence, verb):
            return ""  # what stands behind them is what they were told, and when
        found = found or _ENGLISH_TARGET.match(sentence, match.end())
        name = found["target"] if found else ""
    name = name.strip().strip("\x00")
    return "" if not name or fold(name) in _anyone() else name


def _kind_is_japanese(match: re.Match[str]) -> bool:
    return not match["claim"].isascii()


_HONORIFICS = alternatives(load_words("names")["honorifics"])
_JAPANESE_TARGET = lazy_pattern(
    rf"(?P<target>[#@][\w.-]{{1,60}}|(?:[A-Za-z0-9][A-Za-z0-9_.-]{{0,60}}|[一-龯々]{{1,12}}(?:\s[一-龯々]{{1,8}})?|[ァ-ヶー]{{2,20}}|(?<![一-龯々])[ぁ-ん]{{2,8}}?))"
    rf"\s?(?:{_HONORIFICS})?\s?(?:に|へ|宛に|宛てに|あてに)(?:も、?)?[^にへ、。]{{0,40}}$"
)
_EMPTIED = lazy_pattern("\x00+")
"""A quotation, however long, stands between where it went and the verb."""
_JAPANESE_CHANNEL = lazy_pattern(r"(?P<target>#[^\s、。]{1,40}?)\s?で(?:も)?$")
"""#general で共有しました."""
_ENGLISH_TARGET = lazy_pattern(
    r"(?:(?:(?!: )[^.;\n]){0,80}?\b(?:(?:to|in|on|into)\s+(?:the\s+)?|with\s+(?=[*_]{0,2}(?-i:[#@A-Z])))[*_]{0,2}(?P<target>[#@]?[\w.-]*\w(?:\s[A-Z][\w-]+)?)(?![\w-]|\.\w|['’]s\b|\s[A-Z][\w-]*['’]s\b))"
)
"""In whose thread it is says nothing of to whom it went."""

_ENGLISH_OBJECT = lazy_pattern(
    r"\b(?:told|notified|informed|alerted|messaged|e?mailed|dmed)\s(?P<target>[#@][\w.-]*\w|(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])[\w-]+)?)\b",
    re.IGNORECASE,
)
"""Who is told stands right behind the word, without a preposition."""
_SOMEBODY_TOLD = lazy_pattern(
    r"\b(?:told|notified|informed|alerted|messaged|e?mailed|dmed) (?:the|my|your|our|their|his|her|them|him|you|everybody|everyone)\b",
    re.IGNORECASE,
)


@cache
def _anyone() -> frozenset[str]:
    return frozenset(fold(word) for word in load_words("claims")["anyone"])


def receipt_of(tool: str, arguments: Any, provider: str = "", identifiers: Sequence[str] = ()) -> ActionReceipt:
    """The receipt of one write that succeeded: its kinds by the tool's name, its targets from short scalar arguments."""
    values = list(arguments.values()) if isinstance(arguments, dict) else []
    scalars = (one for value in values for one in _several(value)[:MOST_LISTED] if isinstance(one, str | int))
    short = [text for one in scalars if len(text := str(one)) <= 120]
    kinds = kinds_of_tool(tool)
    if "send" in kinds and any(_MAILBOX.fullmatch(str(one).strip()) for value in values for one in _several(value)):
        kinds |= {"mail"}
    return ActionReceipt(kinds, tuple(value for value in (tool, provider, *short, *identifiers) if value))


MOST_LISTED = 50
"""Of the members of one argument: several recipients."""


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


_MAILBOX = lazy_pattern(r"(?:[^<>@\n]{0,100}<)?[\w.+%-]{1,64}@[\w.-]{1,253}\.[A-Za-z]{2,24}>?")
"""What is sent to one is mail, whatever the tool is called."""
