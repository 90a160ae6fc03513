"""Derives the user's language from the environment's locale, and the time zone from that of the machine."""

import locale
import os
import re
import sys
from collections.abc import Mapping
from typing import Literal


def language_of(env: Mapping[str, str]) -> Literal["ja", "en"]:
    """The locale's language; where it says nothing Japanese, or English where nothing Japanese can be written."""
    code = _language_code(env)
    if code in ("", "c", "posix"):
        return "ja" if writes_japanese() else "en"
    return "ja" if code in ("ja", "japanese") else "en"


def language_of_words(words: str, otherwise: Literal["ja", "en"]) -> Literal["ja", "en"]:
    """The language that somebody asks in, of the two that people are answered in; a single Latin word (OK, Slack) tells none."""
    from metrics.text.written_language import written_language

    found = written_language(words)
    return found if found == "ja" or found == "en" else otherwise


def names_japanese(env: Mapping[str, str]) -> bool:
    """Whether the locale itself is Japanese: one that says nothing may be that of a service, whose terminal is its log."""
    return _language_code(env) in ("ja", "japanese")


def locale_of(env: Mapping[str, str]) -> str:
    """The locale that an environment names (POSIX: the first of LC_ALL, LC_MESSAGES and LANG that is set), or nothing."""
    return next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")


def _language_code(env: Mapping[str, str]) -> str:
    name = locale_of(env)
    if not name and sys.platform == "win32":
        name = locale.getlocale()[0] or ""
    return re.split(r"[_.@]", name)[0].lower()


def writes_japanese() -> bool:
    """Whether what this process prints goes out in an encoding that has Japanese; one that is not known is taken to."""
    try:
        "日本".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def machine_timezone(env: Mapping[str, str], localtime: str = "/etc/localtime") -> str:
    """The time zone that a machine is set to, as IANA names it; empty for UTC, which says where nobody lives, and where it is not
    known (Windows)."""
    from zoneinfo import ZoneInfo

    try:
        name = env.get("TZ", "").removeprefix(":") or os.readlink(localtime).partition("zoneinfo/")[2]  # noqa: PTH115 - as it stands
        if "/" not in name or name.startswith(("/", "Etc/")):
            return ""
        return ZoneInfo(name).key
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return ""
