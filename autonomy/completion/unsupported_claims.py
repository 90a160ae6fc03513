"""Finds claims of an effect that no receipt supports.

Pure. A text may well tell what other people posted, or hand over a letter it has written; a claim is the run's own only where
the run tried to write, or where it was asked to send something out.
"""

import re

_SENDING = r"投稿|送信|公開|共有|返信|アップロード|お送り"
_CHANGING = r"作成|更新|登録|保存|書き込み|追記|削除"
_DONE = r"(?:を完了)?(?:しました|いたしました|済みです|完了しました)"
_PASSIVE = r"\b(?:I(?:'ve| have)?|has been|have been|was|were|successfully) "

_SENT = re.compile(rf"(?:{_SENDING}){_DONE}|{_PASSIVE}(?:posted|sent|published|uploaded|shared)\b", re.IGNORECASE)
_CHANGED = re.compile(rf"(?:{_CHANGING}){_DONE}|{_PASSIVE}(?:created|updated|saved|written|deleted)\b", re.IGNORECASE)
_ASKS_TO_SEND = re.compile(
    rf"(?:{_SENDING}|送っ|送り|送る|知らせ|伝え|書き込|DM)|\b(?:post|send|publish|upload|share|reply|notify|tell|message)\b",
    re.IGNORECASE,
)


def unproven_claims(text: str, goal: str, *, tried_to_write: bool) -> tuple[str, ...]:
    """The phrases that claim an effect of this run's, given that no tool has given a receipt for any."""
    if tried_to_write:
        return claims_in(text)
    return _found(text, _SENT) if _ASKS_TO_SEND.search(goal) else ()


def claims_in(text: str) -> tuple[str, ...]:
    """Every phrase that tells of something posted, sent or changed, whoever did it."""
    return _found(text, _SENT, _CHANGED)


def _found(text: str, *patterns: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.group(0) for pattern in patterns for match in pattern.finditer(text)))
