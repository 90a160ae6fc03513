"""Inflects verbs: the forms in which Japanese ones order something, and the base of English gerunds."""

import re
from collections.abc import Callable, Iterator

_ROWS = {
    "う": ("い", "え", "って"),
    "く": ("き", "け", "いて"),
    "ぐ": ("ぎ", "げ", "いで"),
    "す": ("し", "せ", "して"),
    "つ": ("ち", "て", "って"),
    "ぬ": ("に", "ね", "んで"),
    "ぶ": ("び", "べ", "んで"),
    "む": ("み", "め", "んで"),
    "る": ("り", "れ", "って"),
}
"""How the last character of a verb of five rows changes: in the form that joins it to the next one, in the imperative, and in
the form with て."""
_E_OR_I = re.compile(r"[いきぎしじちにひびみりえけげせぜてでねへべめれ]る$")


def joining(verb: str) -> str:
    """The form by which a verb in its dictionary form joins the next one: 送り of 送る, 伝え of 伝える, 公開し of 公開する."""
    if verb.endswith("する"):
        return f"{verb[:-2]}し"
    return verb[:-1] if _is_of_one_row(verb) else f"{verb[:-1]}{_ROWS[verb[-1]][0]}"


def te_form(verb: str) -> str:
    """The form with て of a verb in its dictionary form: 送って of 送る, 書き込んで of 書き込む, 公開して of 公開する."""
    if verb.endswith("する") or _is_of_one_row(verb):
        return f"{joining(verb)}て"
    return f"{verb[:-1]}{_ROWS[verb[-1]][2]}"


def imperatives(verb: str) -> Iterator[str]:
    """The plain imperatives of a verb: 送れ, 伝えろ, 公開しろ, 公開せよ, 送りなさい."""
    yield f"{joining(verb)}なさい"
    if verb.endswith("する"):
        yield from (f"{verb[:-2]}しろ", f"{verb[:-2]}せよ")
    elif _is_of_one_row(verb):
        yield f"{joining(verb)}ろ"
    else:
        yield f"{verb[:-1]}{_ROWS[verb[-1]][1]}"


def _is_of_one_row(verb: str) -> bool:
    """Whether a verb keeps its stem, as 伝える and 閉じる do, and 送る does not; of 見る and its like no rule tells it."""
    return bool(_E_OR_I.search(verb))


def base_of_gerund(word: str, is_known: Callable[[str], bool]) -> str:
    """The verb of which an English word is the gerund: `share` of sharing, `cancel` of cancelling; a known one before others."""
    stem = word.lower().removesuffix("ing")
    single = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return next((base for base in (stem, f"{stem}e", single) if is_known(base)), stem)
