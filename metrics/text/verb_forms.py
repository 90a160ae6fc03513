"""Inflects verbs: the forms in which Japanese ones order or deny something, and the bases of English ones."""

import re
from collections.abc import Callable, Iterator

_ROWS = {
    "う": ("い", "え", "って", "わ"),
    "く": ("き", "け", "いて", "か"),
    "ぐ": ("ぎ", "げ", "いで", "が"),
    "す": ("し", "せ", "して", "さ"),
    "つ": ("ち", "て", "って", "た"),
    "ぬ": ("に", "ね", "んで", "な"),
    "ぶ": ("び", "べ", "んで", "ば"),
    "む": ("み", "め", "んで", "ま"),
    "る": ("り", "れ", "って", "ら"),
}
"""How the last character of a verb of five rows changes: in the form that joins it to the next one, in the imperative, in the
form with て, and in the one that is denied."""
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


def base_of_joining(stem: str) -> str:
    """The verb of which a form joins the next one: 送る of 送り, 伝える of 伝え; of 見 and its like no rule tells it."""
    return next((f"{stem[:-1]}{last}" for last, forms in _ROWS.items() if forms[0] == stem[-1]), f"{stem}る")


def denials(verb: str) -> Iterator[str]:
    """The forms in which a verb says that something was not, or could not be, done: 送らなかった, 送れませんでした, 送っていない,
    送られていません, 公開できず."""
    if verb.endswith("する"):
        denied, able, passive = f"{verb[:-2]}し", f"{verb[:-2]}でき", f"{verb[:-2]}され"
    elif _is_of_one_row(verb):
        denied, able, passive = verb[:-1], f"{verb[:-1]}れ", f"{verb[:-1]}られ"
    else:
        denied = f"{verb[:-1]}{_ROWS[verb[-1]][3]}"
        able, passive = f"{verb[:-1]}{_ROWS[verb[-1]][1]}", f"{denied}れ"
    yield from (f"{joining(verb)}ませんでした", f"{denied}なかった")
    left = (f"{form}{so}" for form in (te_form(verb), f"{able}て", f"{passive}て") for so in ("", "い", "おり"))
    yield from (f"{form}{ending}" for form in (able, passive, *left) for ending in ("ません", "なかった", "ない"))
    yield from (f"{form}ず" for form in (able, passive, f"{verb[:-2]}せ" if verb.endswith("する") else denied))


def _is_of_one_row(verb: str) -> bool:
    """Whether a verb keeps its stem, as 伝える and 閉じる do, and 送る does not; of 見る and its like no rule tells it."""
    return bool(_E_OR_I.search(verb))


def base_of_gerund(word: str, is_known: Callable[[str], bool]) -> str:
    """The verb of which an English word is the gerund: `share` of sharing, `cancel` of cancelling; a known one before others."""
    stem = word.lower().removesuffix("ing")
    single = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return next((base for base in (stem, f"{stem}e", single) if is_known(base)), stem)


_IRREGULAR = {
    "bought": "buy",
    "dmed": "dm",
    "paid": "pay",
    "re-ran": "re-run",
    "reran": "rerun",
    "sent": "send",
    "told": "tell",
    "written": "write",
    "wrote": "write",
}


def bases_of_past(word: str) -> Iterator[str]:
    """What may be the base of an English verb's past: `post` of posted, `share` of shared, `cancel` of cancelled, `send` of sent;
    forms that no verb has stand beside it."""
    lower = word.lower()
    if lower in _IRREGULAR:
        yield _IRREGULAR[lower]
    elif lower.endswith("ed"):
        stem = lower[:-2]
        yield from (stem, f"{stem}e")
        if stem[-2:-1] == stem[-1:]:
            yield stem[:-1]
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"


def gerund(base: str) -> str:
    """The gerund of an English verb: `sharing` of share, `posting` of post."""
    return f"{base[:-1] if base.endswith('e') and not base.endswith('ee') else base}ing"
