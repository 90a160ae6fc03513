"""Recognises messages about failures in English, Japanese and Chinese.

A failure is stated at the beginning of an answer, in a short answer, or in the last line of a program's output. The same words in
the middle of a long text are its subject. `content_detection` recognises short texts with such a subject.
"""

import re

from autonomy.outcomes.content_detection import is_requested_content
from discovery.text.characters import is_plain_ascii
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.outcomes")

_SHORT = 320
"""Characters of an answer that is a single message."""
_MEDIUM = 2_000
"""Characters of an answer that begins with a failure and may be a message with details."""


class _AnyCase:
    """A case-insensitive pattern that is first searched for in the lower-cased text. Most answers do not match, and matching with
    case is twice as fast."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        lowered = re.sub(r"[A-Z]{2,}", lambda word: word.group().lower(), pattern.pattern)
        self._pattern, self._lowered = pattern, lazy_pattern(lowered, pattern.flags & ~re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match anywhere in the text."""
        return self._pattern.search(text) if self._lowered.search(text.lower()) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of the text."""
        return self._pattern.match(text) if self._lowered.match(text.lower()) else None


_OPENS = _PHRASES["opens_with_failure"]
_HEADED = lazy_pattern(r"^#{1,6}\s(?:(?:\S+\s){0,3}failed|(?:\S+\s)?(?:error|failure))\W{0,2}\n", re.IGNORECASE)
_RAISED_ALONE = _AnyCase(_PHRASES["raised_alone"])
"""An exception of a program that is the whole answer of a tool."""
_OPENS_SHORT = _PHRASES["opens_short_with_failure"]
_SAYS = _AnyCase(_PHRASES["says_failure"])
_REFUSES = _AnyCase(_PHRASES["refuses"])
_SUCCEEDS = _PHRASES["opens_with_success"]
_FINDS_NOTHING = _PHRASES["finds_nothing"]
_SHELL = _PHRASES["shell_fails"]
_RAISED = lazy_pattern(r"^(?:[A-Za-z_][\w.]*)?(?:Error|Exception|KeyboardInterrupt|SystemExit)\b(?::|$)")
_EXITED = lazy_pattern(r"\bexit(?:ed)?(?: with)?(?: (?:code|status))[: =]*([1-9]\d*)\b", re.IGNORECASE)
_ENDED = lazy_pattern(
    r"^\W*(?:(?:the )?(?:command|process|program|script) )?(?:(?:exited|completed|finished|ended|failed) )?(?:with )?"
    r"(?:an? )?(?:exit|return)[ _]?(?:code|status)\W{0,3}(\d+)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in which a tool states the exit code of a program that it ran."""
_ENDS = ("exit", "return")
"""Each such line contains one of these words, which are searched for first, because that is fast."""
_LOADING = _PHRASES["loading"]
_TIMEOUT = _PHRASES["out_of_time"]
_PASSING = _PHRASES["passing"]
_STRANGE = lazy_pattern(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]")
_PAGE = lazy_pattern(r"^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE)
_HEADLINE = lazy_pattern(r"<(title|h1)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_ERROR_HEADLINE = _PHRASES["error_headline"]


def tells_of_failure(text: str) -> str:
    """Return the words by which a text states a failure; empty if it does not."""
    text = text.strip()
    end = text[-_SHORT:]
    lower = end.lower()
    if any(word in lower for word in _ENDS) and (ended := _ENDED.search(end)) is not None:
        return _words(ended.group(0)) if int(ended.group(1)) else ""
    if not text or _SUCCEEDS.match(text):
        return ""
    found = _words_of_failure(text)
    return "" if found and len(text) <= _MEDIUM and is_requested_content(text) else found


def _words_of_failure(text: str) -> str:
    """Return the words that state a failure, at the places where it is usually stated."""
    if len(text) <= _MEDIUM and (opening := _OPENS.match(text) or _HEADED.match(text)):
        return _words(opening.group(0))
    if len(text) <= _SHORT and (found := _short_failure(text)):
        return _words(found.group(0))
    first = text.split("\n", 1)[0]
    if len(text) <= _MEDIUM and len(first) <= 2 * _SHORT and (found := _REFUSES.search(first)):
        return _words(found.group(0))
    return _program_failure(text)


def _short_failure(text: str) -> re.Match[str] | None:
    if raised := _RAISED_ALONE.match(text):
        return raised
    found = _OPENS_SHORT.match(text) or _SAYS.search(text)
    return None if found is None or _FINDS_NOTHING.search(text) else found


def is_timeout(text: str) -> bool:
    """Whether a failure means that the outcome is unknown, because of a timeout, a gateway that gave up, or another reason."""
    return bool(_TIMEOUT.search(text[:_MEDIUM]))


def is_passing(text: str) -> bool:
    """Whether a failure may be temporary."""
    return bool(_PASSING.search(text[:_MEDIUM]))


def is_unfinished(text: str) -> bool:
    """Whether a text is a heading without content, or what a page shows while it loads."""
    text = text.strip()
    last = text.rsplit("\n", 1)[-1]
    return len(text) <= _SHORT and (bool(_LOADING.fullmatch(last)) or ("\n" not in text and text.endswith((":", "："))))


def is_garbled(text: str) -> bool:
    """Whether a text is really binary data."""
    sample = text[:_MEDIUM]
    return not is_plain_ascii(sample) and len(_STRANGE.findall(sample)) > 2 + 0.02 * len(sample)


def is_page(text: str) -> bool:
    """Whether a text is a web page."""
    return bool(_PAGE.match(text))


def is_error_page(text: str) -> bool:
    """Whether the title or a main heading of a page is about an error, a refusal or a sign-in."""
    return any(_ERROR_HEADLINE.search(found.group(2)) for found in _HEADLINE.finditer(text[:20_000]))


def _program_failure(text: str) -> str:
    """Return the failure at the end of a program's output: an exception, a shell's error, or an exit code."""
    last = text[-1_000:].rstrip().rsplit("\n", 1)[-1].strip()
    if "Traceback (most recent call last)" in text and _RAISED.match(last):
        return _words(last)
    if _SHELL.match(last) and len(text) <= _MEDIUM:
        return _words(last)
    found = _EXITED.search(last)
    return _words(found.group(0)) if found else ""


def _words(found: str) -> str:
    return " ".join(found.split())[:80]
