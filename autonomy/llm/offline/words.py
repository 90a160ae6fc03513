"""How alike two short texts are, in Japanese, English, or one of each: the offline planner's only sense of meaning.

Cut as `discovery.text.search_terms` does it; words that mean the same in an argument's name (`body_md`, `text`, 本文) count as one concept.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from discovery.text.lexicon import english_for
from discovery.text.search_terms import stem
from discovery.text.search_terms import terms as cut

Key = TypeVar("Key")

CONCEPTS: tuple[tuple[str, ...], ...] = (
    ("message", "messages", "メッセージ", "発言", "書き込み", "会話", "やりとり"),
    ("channel", "channels", "room", "チャンネル", "チャネル", "部屋"),
    ("post", "article", "entry", "page", "document", "記事", "投稿", "ページ", "文書"),
    ("diary", "journal", "日記", "日報"),
    ("user", "member", "people", "person", "author", "ユーザー", "ユーザ", "メンバー", "人"),
    ("history", "activity", "log", "履歴", "活動", "行動"),
    ("list", "all", "一覧", "すべて", "全て"),
    ("search", "find", "query", "検索", "探す"),
    ("read", "get", "fetch", "show", "取得", "読む", "読み", "集め", "収集"),
    ("create", "publish", "add", "new", "write", "save", "作成", "公開", "書く", "登録", "追加"),
    ("send", "notify", "送信", "送る", "通知"),
    ("update", "edit", "change", "更新", "編集", "変更"),
    ("text", "body", "content", "markdown", "md", "本文", "内容"),
    ("title", "name", "subject", "題名", "タイトル", "名前", "件名"),
    ("category", "folder", "path", "カテゴリ", "フォルダ", "分類"),
    ("day", "date", "日付", "日"),
    ("start", "oldest", "since", "from", "after", "開始"),
    ("end", "latest", "until", "to", "before", "終了"),
    ("style", "文体", "書き方", "スタイル"),
    ("thread", "reply", "replies", "スレッド", "返信"),
    ("past", "previous", "recent", "過去", "最近"),
    ("weather", "forecast", "rain", "umbrella", "天気", "予報", "気象", "雨", "傘", "降水"),
    ("temperature", "気温", "温度"),
    ("place", "location", "city", "area", "region", "場所", "地名", "地点", "都市", "地域"),
    ("employee", "staff", "worker", "従業員", "社員"),
    ("attendance", "timesheet", "勤怠", "出勤"),
    ("overtime", "残業"),
    ("sheet", "spreadsheet", "シート", "表"),
    ("schedule", "calendar", "event", "予定", "カレンダー"),
    ("task", "issue", "todo", "ticket", "タスク", "課題", "チケット"),
    ("file", "ファイル"),
)
"""Words that stand for the same thing; the first names it."""

TIME_WORDS: Mapping[str, tuple[str, ...]] = {
    "today": ("今日", "本日", "きょう"),
    "tomorrow": ("明日", "あした", "あす", "翌日"),
    "day_after_tomorrow": ("明後日", "あさって"),
    "yesterday": ("昨日", "きのう"),
    "week": ("週間", "今週", "一週間", "1週間", "this week"),
    "month": ("今月", "月間", "this month"),
}
"""How people say what a schema's enum spells in English."""

_NOISE = frozenset(
    [
        "id",
        "ids",
        "of",
        "one",
        "only",
        "used",
        "using",
        "at",
        "most",
        "into",
        "per",
        "via",
        "such",
        "e",
        "g",
        "the",
        "a",
        "an",
        "md",
    ]
)
_JAPANESE_CONCEPTS = tuple((word, group[0]) for group in CONCEPTS for word in group if not word.isascii())
_ENGLISH_CONCEPTS = {stem(word): group[0] for group in CONCEPTS for word in group if word.isascii()}

english_for("")  # its table is read now, at import, and not on the event loop


_JAPANESE_CONCEPT = re.compile(
    "|".join(re.escape(word) for word, _ in sorted(_JAPANESE_CONCEPTS, key=lambda pair: -len(pair[0])))
)


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """What a text is about: stems, pairs of Japanese characters, and `#concepts`, in which both languages meet."""
    plain = [term for term in cut(_JAPANESE_CONCEPT.sub(" ", text)) if term not in _NOISE]
    english = [term for word in english_for(text) for term in cut(word)]
    concepts = {f"#{concept}" for word, concept in _JAPANESE_CONCEPTS if word in text}
    return frozenset(
        {f"#{_ENGLISH_CONCEPTS[term]}" if term in _ENGLISH_CONCEPTS else term for term in plain + english} | concepts
    )


ASIDE = frozenset(
    f"#{word}"
    for word in ["read", "create", "list", "search", "send", "update", "day", "start", "end", "text", "title", "place", "past"]
) | {term for word, said in TIME_WORDS.items() for one in (word, *said) for term in terms(one)}
"""What says how and for when something is asked, not about what."""


def alike(one: str, other: str) -> float:
    """From 0 (nothing in common) to 1 (the same words), for names such as `body_md` and `text`."""
    left, right = terms(one), terms(other)
    if one == other:
        return 1.0
    return len(left & right) / len(left | right) if left and right else 0.0


def ranked(query: str, texts: Mapping[Key, Sequence[tuple[str, float]]]) -> list[tuple[Key, float]]:
    """Order keys by what their texts share with the query: rare words count more, and each text by its weight.

    Keys that share nothing are left out; equals keep the order they came in.
    """
    wanted = terms(query)
    known = {key: [(terms(text), weight) for text, weight in parts] for key, parts in texts.items()}
    rarity = {term: _rarity(term, known.values()) for term in wanted}
    scores = {
        key: sum(rarity[term] * max((weight for held, weight in parts if term in held), default=0.0) for term in wanted)
        for key, parts in known.items()
    }
    return sorted(((key, score) for key, score in scores.items() if score > 0), key=lambda pair: -pair[1])


def _rarity(term: str, texts: Iterable[list[tuple[frozenset[str], float]]]) -> float:
    everyone = list(texts)
    having = sum(any(term in held for held, _ in parts) for parts in everyone)
    word = 0.3 if term in ASIDE else 1.0 if term.startswith("#") or term.isascii() else 0.5
    return word * math.log(1.0 + (1 + len(everyone)) / (1 + having))
