"""The console's words in Japanese and English."""

from metrics.reporting import report_words
from metrics.reporting.report_words import Language as Language
from metrics.text.word_files import Words, read_words

WORDS: Words = {**report_words.OUTCOMES, **read_words("autonomy.web", "words")}

SAID = frozenset({
    "did_cancel", "did_pause", "did_resume", "resolved", "granted", "denied", "edited", "did_start", "did_switch", "did_wake", "job_saved",
})  # fmt: skip
"""What a page may be told to say of the change that led to it: a link can make it say nothing else."""


def word(key: str, language: Language, **filled: object) -> str:
    """The words for a key; the report's words stand behind ours, and a key that has none is shown as it is."""
    if key not in WORDS:
        return report_words.word(key, language, **filled)
    text = WORDS[key][language]
    return text.format(**filled) if filled else text
