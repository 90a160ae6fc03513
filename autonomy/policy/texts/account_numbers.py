"""Finds an account's or a telephone's number in a text, in groups or without."""

import re
from collections.abc import Sequence
from typing import Any

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_NUMBER = re.compile(r"\+?\d{7,20}")
_BETWEEN_GROUPS = re.compile(r"[ \u00a0()./-]")
LONGEST_NUMBER = 60
"""Characters, with those between its groups."""


def is_number_named(value: Any, texts: Sequence[str]) -> bool:
    """Whether a text holds exactly this IBAN (its check digits are right) or number of seven figures and more, however it is
    grouped: `DE89 3704 …` is `DE893704…`. A number with `+` is another one than that without."""
    if not isinstance(value, str) or len(value) > LONGEST_NUMBER:
        return False
    plain = _BETWEEN_GROUPS.sub("", value.strip())
    if _IBAN.fullmatch(plain) and _is_checked(plain):
        between, before, behind = r"[ \u00a0-]?", "", ""
    elif _NUMBER.fullmatch(plain):
        between, before, behind = r"[ \u00a0()./-]{0,2}", r"(?<!\+)(?<![\d)][ ./-])", r"(?![ ()./-]{1,2}\d)"
    else:
        return False
    grouped = between.join(map(re.escape, plain))
    pattern = re.compile(rf"(?<![A-Za-z0-9]){before}{grouped}(?![A-Za-z0-9]){behind}")
    return any(pattern.search(text) for text in texts)


def _is_checked(iban: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 13616)."""
    return int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1
