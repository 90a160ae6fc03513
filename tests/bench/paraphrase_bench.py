"""How well true paraphrases are told from altered and invented sentences, by words and by meaning (the `embeddings` extra).

    python -m tests.bench.paraphrase_bench

True are the sentences that the good told runs delivered (`tests/gaming/told_*.py`: another style, a summary, a translation). Altered are the same with one figure
changed, each figure once. Invented are sentences of such a workplace that stand nowhere in the run's messages.
"""

import re
from collections.abc import Iterator, Sequence

from autonomy.completion.evidence import RunEvidence
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.unread_answers import unheard
from autonomy.llm.model import Task
from autonomy.provenance.attribution import attribute
from autonomy.provenance.sentence_vectors import encoder
from autonomy.provenance.support import Attribution
from tests.autonomy.provenance.unsourced import unsupported_facts
from tests.gaming import told_fourth, told_later, told_third
from tests.gaming.told import Told
from tests.gaming.told_good import DIARIES

GOOD = (*DIARIES, *told_later.GOOD, *told_third.GOOD, *told_fourth.GOOD)
INVENTED = {
    "ja": (
        "新人の採用面接に同席して質問をしました",
        "午後は経理と来期の予算を話し合いました",
        "取引先の工場を見学し、製造の流れを教わりました",
        "セキュリティ研修の資料を作り、全員に配りました",
        "健康診断に行き、昼は軽く済ませました",
        "展示会のブースの設営を手伝いました",
        "お客様に新しい料金表を説明しました",
        "古いサーバーの廃棄の見積もりを取りました",
        "チームで決済画面の名称を投票で決めました",
        "PR のレビューのやり方を見直す会を開きました",
        "夜間に障害があり、電話で起こされました",
        "証明書の更新を自動で行う仕組みを作りました",
    ),
    "en": (
        "I sat in on an interview with a new colleague",
        "We discussed next year's budget with accounting",
        "I visited a supplier's factory and saw how parts are made",
        "I wrote slides for a security training",
        "We agreed on a new name for the payment screen",
        "I ordered two new laptops for the team",
        "An outage at night woke everybody up",
        "I automated the renewal of certificates",
        "The review guidelines were rewritten",
        "I explained the new price list to a customer",
        "We painted the meeting room on the third floor",
        "Tests of the login page now run in parallel",
    ),
}


def main() -> None:
    """Print the tables."""
    runs = [(told, RunEvidence.of(told.context()), _delivered(told)) for told in GOOD if told.job in ("diary", "digest")]
    for name, encode in (("words", None), ("meaning", encoder())):
        if name == "meaning" and encode is None:
            print("meaning: the embeddings extra is not installed")  # noqa: T201 - a bench prints
            continue
        true: list[tuple[bool, float]] = []
        invented: list[tuple[bool, float]] = []
        for told, evidence, text in runs:
            true += _scores(attribute(text, evidence.sources, evidence.about, encode))
            lies = "。\n".join(INVENTED[told.task.language])
            invented += _scores(attribute(lies, evidence.sources, evidence.about, encode))
        area = _auc([score for _, score in true], [score for _, score in invented])
        found, passed = sum(has for has, _ in true), sum(has for has, _ in invented)
        print(  # noqa: T201 - a bench prints
            f"{name}: true sentences with a source {found} of {len(true)}, invented ones {passed} of {len(invented)}, AUC {area:.2f}"
        )
    own = [_is_unheard(told, sentence) for told, _, text in runs for sentence in _statements(text, told)]
    made_up = [_is_unheard(told, lie) for told, _, _ in runs for lie in INVENTED[told.task.language]]
    print(  # noqa: T201 - a bench prints
        f"as the whole answer to a question, of which nothing was read: true {sum(own)} of {len(own)}, invented {sum(made_up)} of {len(made_up)}"
    )
    caught = [hit for _, evidence, text in runs for hit in _altered(text, evidence)]
    flagged = [bool(unsupported_facts(attribute(text, evidence.sources, evidence.about))) for _, evidence, text in runs]
    print(f"altered figures found {sum(caught)} of {len(caught)}")  # noqa: T201 - a bench prints
    print(f"true texts with a figure in doubt {sum(flagged)} of {len(flagged)}")  # noqa: T201 - a bench prints


def _statements(text: str, told: Told) -> list[str]:
    found = attribute(text, RunEvidence.of(told.context()).sources)
    return [sentence.text for sentence in found.sentences if not sentence.neutral]


def _is_unheard(told: Told, answer: str) -> bool:
    """Whether the check of free answers doubts a sentence, had the run's reads been made for a question."""
    ctx = told.context()
    asked = Task(goal="What happened?" if answer.isascii() else "何がありましたか", language=told.task.language)
    ctx.request = ctx.request.model_copy(update={"task": asked, "job": ""})
    ctx.records[:] = [record for record in ctx.records if record.effect == "read"]
    return any(unheard(Case(ctx, answer)))


def _delivered(told: Told) -> str:
    texts = [value for call in told.calls if call.receipt for value in call.arguments.values() if isinstance(value, str)]
    return max(texts, key=len, default="")


def _scores(found: Attribution) -> Iterator[tuple[bool, float]]:
    """Of each sentence that wants a source: whether it has one, and how near the nearest is."""
    return ((bool(sentence.units), sentence.score) for sentence in found.sentences if not sentence.neutral)


def _auc(good: Sequence[float], bad: Sequence[float]) -> float:
    pairs = [(one > other) + 0.5 * (one == other) for one in good for other in bad]
    return sum(pairs) / len(pairs)


def _altered(text: str, evidence: RunEvidence) -> Iterator[bool]:
    """Whether each figure of two digits or more, once changed, is told as one without a source."""
    for match in re.finditer(r"(?<![\d:.,])\d{2,}(?![\d:.,])", text):
        other = str(int(match.group()) + 7)
        changed = text[: match.start()] + other + text[match.end() :]
        found = attribute(changed, evidence.sources, evidence.about)
        yield any(fact.start <= match.start() < fact.end for fact in unsupported_facts(found))


if __name__ == "__main__":
    main()
