"""Exchanges one word of each known question for another of its kind, and shows where the answer stays the same.

`python -m tests.bench.exchanged_words [FILE.jsonl ...] [--one-of N --from K]`: of the questions that are answered rightly, each gets up
to one question of every kind below. The same answer to another question is a fault, unless it tells both; a person has to read them.
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from tests.bench.offline_questions import DATA, Asked, ask_all, read_questions

CYCLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "person": (
        ("Maya", "Leo", "Priya", "Tom", "Ines", "Owen"),
        ("遥", "健太", "美咲", "颯太", "結衣", "涼"),
    ),
    "day": (
        ("yesterday", "today", "tomorrow"),
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
        ("this week", "last week"),
        ("昨日", "今日", "明日"),
        ("月曜", "火曜", "水曜", "木曜", "金曜"),
        ("今週", "先週"),
    ),
    "place": (
        ("Osaka", "Sapporo", "Sendai", "Naha", "Tokyo", "Kyoto"),
        ("大阪", "札幌", "仙台", "那覇", "東京", "京都"),
        ("#dev", "#general", "#random"),
        ("#雑談", "#dev", "#general"),
    ),
    "noun": (
        ("bakery", "library", "museum"),
        ("scarf", "umbrella", "jacket"),
        ("release", "refund", "meeting"),
        ("mail", "letter", "invoice"),
        ("hold", "loan", "fine"),
        ("test", "training", "contract"),
        ("screen", "printer", "keyboard"),
        ("backup", "archive", "network"),
        ("カレー", "ラーメン", "パスタ"),
        ("味噌", "醤油", "豆腐"),
        ("みかん", "りんご", "ぶどう"),
        ("予約", "契約", "返品"),
        ("画面", "印刷", "電源"),
        ("リリース", "リハーサル", "レンタル"),
        ("メール", "葉書", "請求"),
        ("試験", "研修", "監査"),
        ("店", "駅", "寮"),
    ),
    "verb": (
        ("approved", "rejected"),
        ("approve", "reject"),
        ("fixed", "broke"),
        ("fix", "break"),
        ("started", "stopped"),
        ("start", "stop"),
        ("wrote", "deleted"),
        ("write", "delete"),
        ("reported", "hid"),
        ("released", "withdrew"),
        ("moved", "lost"),
        ("suggested", "forbade"),
        ("posted", "erased"),
        ("reacted", "objected"),
        ("承認", "却下"),
        ("直し", "壊し"),
        ("書い", "消し"),
        ("始ま", "終わ"),
        ("報告", "隠蔽"),
        ("投稿", "削除"),
        ("見つけ", "見落とし"),
        ("決ま", "変わ"),
    ),
    "turned": (
        ("most", "fewest"),
        ("longest", "shortest"),
        ("highest", "lowest"),
        ("latest", "earliest"),
        ("last", "first"),
        ("newest", "oldest"),
        ("more", "fewer"),
        ("before", "after"),
        ("多", "少な"),
        ("最初", "最後"),
        ("最高", "最低"),
        ("最新", "最古"),
        ("新し", "古"),
        ("長", "短"),
        ("前", "後"),
    ),
}
"""Words that stand for one another in a question and never mean the same."""
ANY_NOUN = (
    (re.compile(r"(?<=\b(?:the|our) )(?!first|last|most)[a-z]{4,}(?= (?!ago)|\?)"), "walrus"),
    (
        re.compile(
            "(?<![\u3400-\u9fff])(?![今昨明先来毎一前]|月曜|火曜|水曜|木曜|金曜)[\u3400-\u9fff]{2,4}(?=[をがに]|の(?!は))"
        ),
        "珊瑚",
    ),
)
"""A noun, whichever it is, and one of which nothing speaks."""
_THING = re.compile("(?<![\u3400-\u9fffのん])(?![今昨明先来毎一前]|月曜|火曜|水曜|木曜|金曜)(?=[\u3400-\u9fff]{2,4}[をが])")
_END, _BEGINNING = re.compile(r"(?<=[a-z0-9])\?$"), re.compile("^(?=.*[\u3041-\u309f])")
NEGATED = (
    (re.compile(r"\b(did|does|do|is|are|was|were|has|have|can|should) ", re.IGNORECASE), r"\1 not "),
    (re.compile(r"^(Who|What) (\w+ed|wrote|said|found|got) "), r"\1 never \2 "),
    (re.compile("ました(?!か?ら)"), "ませんでした"),
    (re.compile("(?<=[しいっえけげせべめれ])た(?=のは|の[？?]|[？?]|人)"), "ていない"),
)

INSERTED = {
    "possession": ((re.compile(r"\b(?:the|our) (?!first|last|most|only)(?=[a-z]{3,})"), "Zoe's "), (_THING, "佐藤さんの")),
    "ability": ((re.compile(r"^Who (?=\w+ed\b)"), "Who should have "), (re.compile("したの(?=は誰)"), "できるの")),
    "others": ((re.compile(r"^(Who|What)\b(?! else)"), r"\1 else"), (re.compile("^(?=誰|何)"), "ほかに")),
    "year": ((_END, " in 2019?"), (_BEGINNING, "2019年に")),
    "place": ((_END, " in Paris?"), (_BEGINNING, "パリで")),
    "condition": ((re.compile("^(?=[A-Z][a-z])"), "If it rained, "), (_BEGINNING, "雨が降ったら、")),
    "means": ((_END, " by telephone?"), (_BEGINNING, "電話で")),
    "frequency": ((_END, " every week?"), (_BEGINNING, "毎週")),
    "rank": ((re.compile(r"\b(?<=the )(?!first|last|most|only)(?=[a-z]{3,})"), "second "), (_THING, "2番目の")),
    "limit": (
        (re.compile(r"\b(?=the (?!first|last|most|only))"), "only "),
        (re.compile("(?<=[\u3400-\u9fff])(?=[をが])"), "だけ"),
    ),
}
"""What makes another question of one when it is put in; the second of each is for Japanese."""


def exchanged(text: str) -> Iterator[tuple[str, str]]:
    """The kinds of change, each with the question that comes of it: the first word of a kind that the question holds."""
    for kind, cycles in CYCLES.items():
        for cycle in cycles:
            found = next(((word, at) for word in cycle if (at := _standing(word, text)) >= 0), None)
            if found:
                word, at = found
                others = [one for one in cycle if _standing(one, text) < 0]
                if others:
                    yield kind, text[:at] + others[len(text) % len(others)] + text[at + len(word) :]
                break
    denied = re.search(r"\b(?:not|no|never|nothing|nobody)\b|n['’]t\b|ない|ませ", text, re.IGNORECASE)
    for kind, patterns in (("any noun", ANY_NOUN), ("negated", () if denied else NEGATED), *INSERTED.items()):
        changes = (pattern.sub(word, text, count=1) for pattern, word in patterns)
        yield from ((kind, changed) for changed in changes if changed != text)


def _standing(word: str, text: str) -> int:
    found = re.search(rf"(?<![\w#]){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word), text)
    return found.start() if found else -1


def told(one: Asked) -> str:
    """What an answer tells, without how it was read and where it comes from."""
    own = re.compile(
        r"^(?:\(An answer of|（オフラインプランナー|Read as:|読み方:|This holds|No text|質問の語|質問では|Not a question)"
    )
    said = re.sub(r"file://\S*/esa/", "", one.text)
    return "\n".join(line for line in said.splitlines() if line.strip() and not own.match(line))


async def unmoved(questions: Sequence[dict[str, Any]], home: Path) -> tuple[Counter[str], list[tuple[str, Asked, Asked]]]:
    """How many questions are answered right, how many were put of each kind, and those with the answer that they came from."""
    right = [one for one in await ask_all(questions, home / "first") if one.grade == "right"]
    changes = [(one, kind, text) for one in right for kind, text in exchanged(one.question["q"])]
    asked = await ask_all([{**one.question, "q": text, "number": n} for n, (one, _, text) in enumerate(changes)], home / "second")
    pairs = [(changes[one.question["number"]], one) for one in asked]
    same = [(kind, first, second) for (first, kind, _), second in pairs if second.completed and told(first) == told(second)]
    counts = Counter({"right": len(right)})
    counts.update(kind for _, kind, _ in changes)
    counts.update(f"{kind}, completed" for (_, kind, _), second in pairs if second.completed)
    counts.update(f"{kind}, same" for kind, _, _ in same)
    return counts, same


def main(arguments: Sequence[str]) -> None:
    """Print the counts, and each pair of questions with the one answer."""
    one_of, begin = (int(arguments[arguments.index(one) + 1]) if one in arguments else 1 for one in ("--one-of", "--from"))
    files = [Path(one) for one in arguments if one.endswith(".jsonl")] or sorted(DATA.glob("offline_questions*.jsonl"))
    questions = [one for file in files for one in read_questions(file)][begin - 1 :: one_of]
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "first").mkdir()
        (Path(home) / "second").mkdir()
        counts, same = anyio.run(partial(unmoved, questions, Path(home)))
    sys.stdout.write(f"{dict(sorted(counts.items()))}\n")
    for kind, first, second in same:
        sys.stdout.write(f"\n[{kind}] {first.question['q']}\n  -> {second.question['q']}\n  {second.text[:400]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
