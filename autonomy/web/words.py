"""The console's words in Japanese and English."""

from collections.abc import Mapping

from metrics.reporting import report_words
from metrics.reporting.report_words import Language as Language
from metrics.text.word_files import as_pairs, read_words

WORDS: Mapping[str, tuple[str, str]] = {**report_words.OUTCOMES, **as_pairs(read_words("autonomy.web", "words"))}


SAID = frozenset(
    {
        "did_cancel",
        "did_pause",
        "did_resume",
        "resolved",
        "granted",
        "denied",
        "edited",
        "did_start",
        "did_switch",
        "did_wake",
        "job_saved",
    }
)
"""What a page may be told to say of the change that led to it: a link can make it say nothing else."""


def word(key: str, language: Language, **filled: object) -> str:
    """The words for a key; the report's words stand behind ours, and a key that has none is shown as it is."""
    if key not in WORDS:
        return report_words.word(key, language, **filled)
    text = WORDS[key][0 if language == "ja" else 1]
    return text.format(**filled) if filled else text
