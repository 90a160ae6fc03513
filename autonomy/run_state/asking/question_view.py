"""Renders a question for a person as data: each value, its sink and its sources."""

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from autonomy.policy.decision_table import SourceClass, TracedValue, cell
from autonomy.policy.sinks import Sink
from autonomy.policy.texts.addresses import INVISIBLE
from autonomy.provenance.text.excerpts import excerpt
from autonomy.run_state.asking.approvals import ApprovalQuestion, TextSupport
from discovery.catalog import Effect, Frozen
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_words import effect_in
from metrics.text.phrases import lazy_pattern

LONGEST_DIFF = 400
"""Lines of a text that is compared; longer ones are shown whole."""

QUOTED_CHARS = 120
MOST_QUOTED = 3
"""Sentences without a source that are quoted: the text stands above them, and a card has to stay short."""

_WORDS = {
    "ja": {
        SourceClass.WORDS: "依頼の言葉",
        SourceClass.CHOICE: "ツールの選択肢",
        SourceClass.FIELD: "読んだ項目",
        SourceClass.PASTED: "依頼に貼られた文章",
        SourceClass.OWN: "モデルが書いた文章",
        SourceClass.TEXT: "読んだ文章",
        SourceClass.NOWHERE: "依頼にも、読んだ内容にもない値",
        "chosen": "モデルが選んだ値",
        "returned": "この実行の {need} の書き込みが返した値 (ジョブの指定どおり)",
        "rests_on": "出典を要する {wanting} 文のうち {sourced} 文に出典があります",
        "unsourced": "⚠ 読んだものに出典がありません: {quotes}",
        "of_others": "⚠ 別の人・日・場所について読んだ文です: {quotes}",
        "more": "ほか {n} 件",
        "unusual": "⚠ ",
    },
    "en": {
        SourceClass.WORDS: "from the request",
        SourceClass.CHOICE: "a choice of the tool",
        SourceClass.FIELD: "from a field that was read",
        SourceClass.PASTED: "from what was pasted into the request",
        SourceClass.OWN: "written by the model",
        SourceClass.TEXT: "from text that was read",
        SourceClass.NOWHERE: "in neither the request nor anything that was read",
        "chosen": "chosen by the model",
        "returned": "returned by this run's own write ({need}), as the job says",
        "rests_on": "sentences that have the source they need: {sourced} of {wanting}",
        "unsourced": "⚠ nothing that was read says: {quotes}",
        "of_others": "⚠ was read of another person, day or place: {quotes}",
        "more": "{n} more",
        "unusual": "⚠ ",
    },
}

_EFFECTS = {
    "write": "changes something",
    "destructive": "deletes or overwrites something",
    "outward": "sends something to others",
}

_STRANGE = frozenset({SourceClass.PASTED, SourceClass.TEXT, SourceClass.NOWHERE})


class QuestionItem(Frozen):
    """One argument as a person reads it."""

    argument: str
    value: str
    """Whole, as JSON when it is no text."""
    sources: tuple[str, ...]
    """Where its parts came from, in the reader's language, with the beginning of the place."""
    unusual: bool
    """Whether the table does not let it pass: nobody who may decide gave it."""
    because: tuple[str, ...] = ()
    """Those of its sources for which it is unusual."""
    diff: tuple[str, ...] = ()
    """What changes against the text that it replaces, as lines of a unified diff."""

    def line(self, language: str) -> str:
        """The argument on one line and its sources beneath."""
        mark = _words(language)["unusual"] if self.unusual else ""
        beneath = "".join(f"\n  ↳ {source}" for source in self.sources)
        return f"{mark}{self.argument}: {self.value}{beneath}"


class QuestionView(Frozen):
    """A question as data; every surface shows all of it or does not let it be approved there."""

    tool: str
    effect: str
    """What it does, in the reader's language."""
    reason: str
    """Why a person is asked, in the reader's language."""
    language: str
    items: tuple[QuestionItem, ...]
    suggested: Literal["approve", "deny", ""]
    """The button that may stand out: approving never, once anything comes from text that was read."""


def question_view(question: ApprovalQuestion, language: str = "") -> QuestionView:
    """The question in the reader's language (its own when none is given).

    Of a list of calls every call has an item of its own, which says why it is asked about, and its arguments behind it.
    """
    in_language = language or question.language
    if question.calls:
        return _list_view(question, in_language)
    hostile = any(value.source in _STRANGE for value in question.traced)
    items = [_item(name, question, in_language, hostile=hostile) for name in question.arguments]
    items.sort(key=lambda item: not item.unusual)  # stable: what is unusual first, else as the call has it
    unusual = any(item.unusual for item in items)
    return QuestionView(
        tool=question.tool,
        effect=_effect_in(question.effect, in_language),
        reason=reason_in(in_language, question.reason),
        language=in_language,
        items=tuple(items),
        suggested="deny" if unusual else "" if hostile or not question.traced else "approve",
    )


def _effect_in(effect: str, language: str) -> str:
    """What a call does, for a person who has not read which effects there are."""
    return _EFFECTS[effect] if language == "en" and effect in _EFFECTS else effect_in(effect, language)


def _list_view(question: ApprovalQuestion, language: str) -> QuestionView:
    views = {label: question_view(call, language) for label, call in question.by_label.items()}
    first = sorted(views.items(), key=lambda pair: not any(item.unusual for item in pair[1].items))
    suggestions = {view.suggested for view in views.values()}
    return QuestionView(
        tool=question.tool,
        effect=_effect_in(question.effect, language),
        reason=reason_in(language, question.reason),
        language=language,
        items=tuple(item for label, view in first for item in _listed(label, view)),
        suggested="deny" if "deny" in suggestions else "approve" if suggestions == {"approve"} else "",
    )


def _listed(label: str, view: QuestionView) -> tuple[QuestionItem, ...]:
    """A call of a list: why it is asked about, and each argument under the call's label."""
    head = QuestionItem(argument=label, value=f"({view.effect}) {view.reason}", sources=(), unusual=False)
    return head, *(item.model_copy(update={"argument": f"{label} {item.argument}"}) for item in view.items)


def _item(name: str, question: ApprovalQuestion, language: str, *, hostile: bool) -> QuestionItem:
    value, before = question.arguments[name], question.replaces.get(name, "")
    traced = [one for one in question.traced if one.argument == name or one.argument.startswith(f"{name} ")]
    text = as_text(value)

    def lines(values: Sequence[TracedValue]) -> tuple[str, ...]:
        sources = dict.fromkeys(_source_line(one, language) for one in values)
        return tuple(one.replace(str(value), text) if isinstance(value, bool) else one for one in sources)  # false, as above it

    support = question.texts.get(name)
    unusual = [one for one in traced if _is_unusual(one, question.effect) or (hostile and _is_set_by_the_run(one))]
    return QuestionItem(
        argument=seen(name),
        value=seen(text),
        sources=(*lines(traced), *(support_lines(support, language) if support else ())),
        unusual=bool(unusual),
        because=lines(unusual),
        diff=_diff(before, text) if before else (),
    )


def support_lines(support: TextSupport, language: str) -> Iterator[str]:
    """How many sentences of a text have a source, and which ones a person has to know for himself."""
    words = _words(language)
    yield words["rests_on"].format(wanting=support.wanting, sourced=support.sourced)
    for kind, texts in (("unsourced", support.unsourced), ("of_others", support.of_others)):
        if texts:
            quotes = [f'"{seen(excerpt(" ".join(text.split()), QUOTED_CHARS))}"' for text in texts[:MOST_QUOTED]]
            more = [words["more"].format(n=len(texts) - MOST_QUOTED)] if len(texts) > MOST_QUOTED else []
            yield words[kind].format(quotes=", ".join([*quotes, *more]))


def as_text(value: Any) -> str:
    """An argument for a person: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_JOINS = "\u200d\u180b-\u180d\u180f\ufe00-\ufe0f"
"""What emoji are joined of, and which form of a sign is meant."""
_UNSEEN = lazy_pattern(
    f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in INVISIBLE)}](?<![{_JOINS}])"
    # joins nothing: at the beginning, behind a Latin letter or a blank, beside its like, of other scripts behind an emoji
    f"|(?:(?<![^\x00-\x22\x24-\x29\x2b-\x2f:-\x7f])|(?<=[\ufe00-\ufe0f\u180b-\u180f](?=[^\u200d]))|(?<=\u200d))[{_JOINS}]"
    "|(?<=[\U0001f000-\U0001faff])[\ufe00-\ufe0d]|(?<=[0-9#*])[\ufe00-\ufe0f](?!\u20e3)"
)
_GAP = re.compile(r"(?<![^\S\n])[^\S\n]{40,}|(?<!\n)\n(?:[^\S\n]*\n){5,}")


def seen(text: str) -> str:
    """A text as a person can check it: what nobody sees is named, and what is pushed out of sight comes back into it."""
    named = text if text.isascii() else _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
    return _GAP.sub(_gap, named)


def _gap(found: re.Match[str]) -> str:
    lines = found[0].count("\n")
    return f"\n⟨{lines} ⏎⟩\n" if lines else f" ⟨{len(found[0])} ␣⟩ "


def _source_line(value: TracedValue, language: str) -> str:
    what = f"{seen(value.value)}: " if value.path != "$[0]" or value.sink is Sink.LINK else ""
    place = f" ({' '.join(value.told_by.split())})" if value.told_by else ""
    if value.returned_for:
        return f"{what}{_words(language)['returned'].format(need=value.returned_for)}{place}"
    own_choice = value.sink is Sink.FLAG and value.source is SourceClass.OWN
    return f"{what}{_words(language)['chosen' if own_choice else value.source]}{place}"


def _is_set_by_the_run(value: TracedValue) -> bool:
    """Whether a switch is on that nobody spoke of: beside what a text gave, it may be a text's wish as well."""
    return value.sink is Sink.FLAG and value.source is SourceClass.OWN and value.value != "False"


def _is_unusual(value: TracedValue, effect: str) -> bool:
    reach: Literal["read", "write", "destructive"] = (
        "read" if effect == Effect.READ else "destructive" if effect == Effect.DESTRUCTIVE else "write"
    )
    return cell(reach, value.sink, value.source) != "allow"


def _diff(before: str, after: str) -> tuple[str, ...]:
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > LONGEST_DIFF:
        return ()
    return tuple(difflib.unified_diff(old, new, lineterm="", n=1))[2:]


def _words(language: str) -> dict[Any, str]:
    return _WORDS.get(language, _WORDS["en"])


def suggested_rule(question: ApprovalQuestion) -> str:
    """The operator's rule that would allow this shape from now on, as it stands in the settings; empty where none should be made.

    It fixes where the call goes, leaves plain wording free and lets no other argument in. It holds for the tenant and the job
    that were asked for, or for goals and no job. Nothing that came from text or from nowhere becomes a rule.
    """
    view = question_view(question)
    values = [value for value in question.traced if value.sink not in _FREE]  # an argument may hold several
    decisive = {value.argument for value in values}
    of_this_run = any(value.returned_for for value in values)  # another run makes another thing
    if view.suggested == "deny" or not values or of_this_run or any(value.source not in _FIRM for value in values):
        return ""
    free = [name for name, value in question.arguments.items() if name not in decisive and isinstance(value, str)]
    chosen = {name: str(value) for name, value in question.arguments.items() if name not in free}
    lines = [f"name = {_toml(f'always {question.tool}')}", 'decision = "allow"', f"tool = {_toml(_escape_glob(question.tool))}"]
    lines += [f"job = {_toml(_escape_glob(question.job))}"]
    lines += [f"tenant = {_toml(_escape_glob(question.tenant))}"] if question.tenant else []
    table = ", ".join(f"{_toml(name)} = {_toml(_escape_glob(text))}" for name, text in chosen.items())
    return "\n".join(["[[policy]]", *lines, f"arguments = {{ {table} }}", f"free = {_toml(sorted(free))}"])


_FREE = frozenset({Sink.TEXT, Sink.QUERY, Sink.LINK})
_FIRM = frozenset({SourceClass.WORDS, SourceClass.CHOICE, SourceClass.FIELD})


def _escape_glob(text: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in text)


def _toml(value: str | list[str]) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML takes no raw one


def shown(view: QuestionView) -> Sequence[str]:
    """Every item as text, with its diff, for surfaces that show lines."""
    return [item.line(view.language) + "".join(f"\n{line}" for line in item.diff) for item in view.items]
