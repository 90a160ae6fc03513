"""Error patterns in English, Japanese and Chinese.

A failure is told at the beginning of an answer, in a short answer, or in the last line of a program's output. The same words
deep inside a long text are what the text is about (`content_detection` tells short texts that are about something, too).
"""

import re

from autonomy.outcomes.content_detection import is_requested_content

_SHORT = 320
"""Characters of an answer that says nothing but one thing."""
_MEDIUM = 2_000
"""Characters up to which an answer that opens with a failure is about that failure: a message with its details."""

_OPENS = re.compile(
    r"""^(?!\#{1,6}\s)[\W_]{0,4}(?:
        (?:[A-Za-z][\w.'-]*\s){0,3}(?:error|exception|failure)\s?[:：!]
      | error\s(?!handling\b)\w+ing\b[^\n]{0,80}?[:：]
      | [A-Za-z_.]*(?:Error|Exception)\b(?:\[\w+\])?\s*[:：(] | net::ERR_ | (?-i:E[A-Z]{4,12}):\s
      | (?:unable|failed)\s+to\b | traceback\s\(most\srecent
      | エラー[:：]
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADED = re.compile(r"^#{1,6}\s(?:(?:\S+\s){0,3}failed|(?:\S+\s)?(?:error|failure))\W{0,2}\n", re.IGNORECASE)
_RAISED_ALONE = re.compile(
    r"""^(?!\#)[^\n]{0,80}?(?:
        \bobject\s(?:has\sno\sattribute|is\snot\s(?:subscriptable|iterable|callable)) | \b(?:list|string|tuple)\sindex\sout\sof\srange
      | \bof\stype\s\S+\sis\snot\sJSON\sserializable | \bcannot\sread\spropert(?:y|ies)\sof\b | \bis\snot\sa\sfunction\b
      | \bnil\spointer\sdereference | \bis\s(?:nil|undefined)$ | ^unexpected\s(?:token|end\sof)\b | ^segmentation\sfault
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""What programs raise and a tool hands on as its whole answer."""
_OPENS_SHORT = re.compile(
    r"""^[\W_]{0,4}(?:
        (?!(?:\w+\s){0,2}(?:tests?|checks?|builds?|jobs?|runs?|pipelines?|deploys?|deployments?|payments?|logins?|steps?)\sfailed)
        (?:[A-Za-z]+\s){1,3}failed(?:[:：]|\W?$)
      | (?:(?:I'm|I\sam|we're|we\sare)\s)?sorry\b | 申し訳(?:あり|ござい)ません | (?<=❌\s)[^\n]+$
      | (?:error|failed|failure|exception|fatal|panic|aborted)\b | (?:can(?:not|'t)|could\s?n[o']t|could\snot)\b
      | (?:unknown|no\ssuch|invalid|unsupported|missing)\s\w+
      | (?:access|permission)\s(?:was\s)?denied | forbidden\b | unauthori[sz]ed\b | not\sfound\b
      | エラー(?![^\s:：]{0,6}[:：]\s?\d) | 失敗 | 错误 | 失败
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SAYS = re.compile(
    r"""\btimed?[\s-]?out\b | \bnot\sfound\b | \bdo(?:es)?\s(?:not|n't)\sexist\b | \bno\ssuch\b | \bis\snot\s(?:allowed|permitted|defined|supported|valid|available)\b
      | \bnot\s(?:authori[sz]ed|permitted)\b | \b(?:access|permission)\s(?:was\s)?denied\b | \brequired\s(?:property|parameter|argument|field)\b
      | \brate.?limit | \btoo\smany\srequests\b | \bquota\s(?:was\s)?exceeded\b | \b(?:unable|failed)\sto\b | \bcould\s(?:not|n't)\b
      | \bstatus(?:\scode)?:?\s[45]\d\d\b | \bHTTP(?:/[\d.]+)?\s(?:error!?\s?)?[45]\d\d\b | \b(?:connection|request)\s(?:was\s)?(?:refused|reset|failed|aborted)\b
      | \b(?:internal\sserver\serror|bad\s(?:request|gateway)|service\sunavailable|unauthori[sz]ed|forbidden)\b | \b(?:bad|invalid|expired)\s(?:credentials|token|api\skey)\b
      | \bmust\s(?:not\s)?(?:be|have)\s(?:an?\s(?:valid|string|number|integer|list|object)|one\sof|at\s(?:least|most)|greater|less|between|of\stype|positive|unique|set|provided)\b | \ban?\s(?:\w+\s)?error\soccurred\b | \bwent\swrong\b
      | \b(?:was|were|been)\snot\s(?:created|sent|saved|updated|deleted|posted|added|written|applied)\b
      | \bexceeds\s(?:the\s)?(?:maximum|limit) | \bno\s(?:\w+\s){1,3}(?:provided|supplied)\b
      | エラー(?:が|で|に|により|発生|コード|[:：]\s?\D) | (?:提供|対応|サポート)(?:されて|して)いません | 失敗(?:しました|した) | 見つかりません | 存在しません | 権限があ?り?ません | できませんでした | タイムアウト | 超时 | 未找到 | 无法 | 失败""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSES = re.compile(
    r"\b(?:is|are|was) not (?:allowed|permitted)\b|\b(?:access|permission|request) (?:was |has been )?(?:denied|blocked|rejected)\b",
    re.IGNORECASE,
)
_SUCCEEDS = re.compile(
    r"^[\W_]{0,4}(?:success|done\b|ok\b|created|updated|saved|wrote|written|added|sent|posted|deleted|completed?\b|no errors?\b|0 errors?\b|成功|完了)",
    re.IGNORECASE,
)
_FINDS_NOTHING = re.compile(
    r"\b(?:no|zero|0) (?:\w+ ){0,3}(?:found|results?|matches|matched)\b|該当.{0,8}(?:なし|ありません)", re.IGNORECASE
)
_SHELL = re.compile(
    r"^(?:[\w./-]+: ){1,3}(?:line \d+: )?(?:[^\n]{1,200}: )?(?:No such file or directory|command not found|not found|Permission denied|cannot access[^\n]*)$",
    re.IGNORECASE,
)
_RAISED = re.compile(r"^(?:[A-Za-z_][\w.]*)?(?:Error|Exception|KeyboardInterrupt|SystemExit)\b(?::|$)")
_EXITED = re.compile(r"\bexit(?:ed)?(?: with)?(?: (?:code|status))[: =]*([1-9]\d*)\b", re.IGNORECASE)
_ENDED = re.compile(
    r"^\W*(?:(?:the )?(?:command|process|program|script) )?(?:(?:exited|completed|finished|ended|failed) )?(?:with )?"
    r"(?:an? )?(?:exit|return)[ _]?(?:code|status)\W{0,3}(\d+)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in which a tool says how the program that it ran has ended."""
_LOADING = re.compile(r"(?:loading|please wait|読み込み中)\W*", re.IGNORECASE)
_TIMEOUT = re.compile(
    r"\btim(?:ed?|ing)[\s-]?out\b|\boutcome is unknown\b|\b50[24]\b|\b(?:bad gateway|gateway time-?out)\b|タイムアウト|超时",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"tim(?:ed?|ing)[\s-]?out|outcome is unknown|temporar|try(?:ing)? again|too quickly|rate.?limit|too many requests|unavailable|overload|connection (?:was )?(?:refused|reset)"
    r"|\b(?:429|502|503|504)\b|一時的|混み合|時間をおいて|タイムアウト|超时",
    re.IGNORECASE,
)
_STRANGE = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]")
_PAGE = re.compile(r"^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE)
_HEADLINE = re.compile(r"<(title|h1)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_ERROR_HEADLINE = re.compile(
    r"\b[45]\d\d\b|error|denied|forbidden|not found|unavailable|unauthori[sz]ed|bad (?:request|gateway)|just a moment|captcha|robot"
    r"|are you human|sign.?in|log.?in|maintenance|エラー|見つかりません|ログイン|メンテナンス",
    re.IGNORECASE,
)


def tells_of_failure(text: str) -> str:
    """The words by which a text says that what was asked did not happen; empty when it does not say so."""
    text = text.strip()
    if (ended := _ENDED.search(text[-_SHORT:])) is not None:
        return _words(ended.group(0)) if int(ended.group(1)) else ""
    if not text or _SUCCEEDS.match(text):
        return ""
    found = _told(text)
    return "" if found and len(text) <= _MEDIUM and is_requested_content(text) else found


def _told(text: str) -> str:
    """The words of failure at the places where a failure is told."""
    if len(text) <= _MEDIUM and (opening := _OPENS.match(text) or _HEADED.match(text)):
        return _words(opening.group(0))
    if len(text) <= _SHORT and (found := _told_in_short(text)):
        return _words(found.group(0))
    first = text.split("\n", 1)[0]
    if len(text) <= _MEDIUM and len(first) <= 2 * _SHORT and (found := _REFUSES.search(first)):
        return _words(found.group(0))
    return _told_by_a_program(text)


def _told_in_short(text: str) -> re.Match[str] | None:
    if raised := _RAISED_ALONE.match(text):
        return raised
    return None if _FINDS_NOTHING.search(text) else _OPENS_SHORT.match(text) or _SAYS.search(text)


def is_timeout(text: str) -> bool:
    """Whether a failure is that time ran out, somebody in between gave up, or nobody knows what happened for another reason."""
    return bool(_TIMEOUT.search(text[:_MEDIUM]))


def is_passing(text: str) -> bool:
    """Whether a failure may be gone at the next try."""
    return bool(_PASSING.search(text[:_MEDIUM]))


def is_unfinished(text: str) -> bool:
    """Whether a text is a heading with nothing under it, or what a page shows before it has loaded."""
    text = text.strip()
    last = text.rsplit("\n", 1)[-1]
    return len(text) <= _SHORT and (bool(_LOADING.fullmatch(last)) or ("\n" not in text and text.endswith((":", "："))))


def is_garbled(text: str) -> bool:
    """Whether a text is really the bytes of something else."""
    sample = text[:_MEDIUM]
    return len(_STRANGE.findall(sample)) > 2 + 0.02 * len(sample)


def is_page(text: str) -> bool:
    """Whether a text is a web page."""
    return bool(_PAGE.match(text))


def is_error_page(text: str) -> bool:
    """Whether a page's title or first heading speaks of an error, a refusal or a sign-in."""
    return any(_ERROR_HEADLINE.search(found.group(2)) for found in _HEADLINE.finditer(text[:20_000]))


def _told_by_a_program(text: str) -> str:
    """What the end of a program's output says: an exception, a shell's complaint, an exit code."""
    last = text[-1_000:].rstrip().rsplit("\n", 1)[-1].strip()
    if "Traceback (most recent call last)" in text and _RAISED.match(last):
        return _words(last)
    if _SHELL.match(last) and len(text) <= _MEDIUM:
        return _words(last)
    found = _EXITED.search(last)
    return _words(found.group(0)) if found else ""


def _words(found: str) -> str:
    return " ".join(found.split())[:80]
