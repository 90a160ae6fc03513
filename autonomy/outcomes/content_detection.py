"""Detects text that is requested content (code, logs, lists), not an error message.

A log of errors, code that raises one, and an encyclopaedia's entry about one contain the same words as an error message. They are
recognised by their form.
"""

import re

from metrics.text.phrases import lazy_pattern

_LISTED = lazy_pattern(
    r"""^\s*(?:
        \d+[.)]\s | [-*+•]\s | \[\w+\]\s            # numbered, bulleted, a diff; [ERROR] and [INFO]
      | \[?\d{4}-\d\d-\d\d | \d{1,2}:\d\d\b         # a day or a time, as logs and chats have
      | [0-9a-f]{6,40}\s | [\w./-]+:\d+:             # a commit; a place in a file
      | /?[\w.-]+/[\w./-]+\s*$ | [^|\n]+\|[^|\n]+    # a path; a row of a table
    )""",
    re.VERBOSE,
)
_BEGINS_CODE = lazy_pattern(
    r"""^\s*(?:(?:async\s)?def\s\w+\( | class\s\w+[\s(:{] | import\s[\w{"'] | from\s\S+\simport\b | function\s\w*\( | \#include\b
      | (?:const|let|var)\s\w+\s= | (?:public|private|static)\s\w+\s | [\w.]+\s=\s[\[{(] )""",
    re.VERBOSE,
)
_DEFINES = lazy_pattern(
    r"""^(?!(?i:cannot|could|failed|unable|invalid|unknown|no|there|this|it|you|we)\b)(?:
        [A-Z][\w\s,'-]{1,60}?\s(?:is|was|are|were)\s(?:an?|the)\s(?!error|invalid|unknown|problem)
      | [a-z][\w\s-]{1,40}\s\((?:noun|verb|adjective|adverb)\) | [a-z]\w+:\san?\s
    )""",
    re.VERBOSE,
)
_COMMIT = lazy_pattern(r"^(?:feat|fix|docs|chore|refactor|test|build|ci|perf|style|revert)(?:\([\w-]+\))?!?: ")
_ADDRESS = lazy_pattern(r"^\s*https?://\S+\s*$")


def is_requested_content(text: str) -> bool:
    """Whether a text of at most a page has the form of content: a definition, a commit, a list, code, or search results."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or _DEFINES.match(text) or _COMMIT.match(text):
        return bool(lines)
    is_list = bool(_LISTED.match(lines[0])) and 3 * sum(1 for line in lines if _LISTED.match(line)) >= 2 * len(lines)
    has_results = sum(1 for line in lines if _ADDRESS.match(line)) > 1  # several titles with their addresses
    return len(lines) > 1 and (is_list or bool(_BEGINS_CODE.match(lines[0])) or has_results)
