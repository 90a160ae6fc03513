"""Decodes words in a description that are base64, hexadecimal digits or escape sequences."""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

_BASE64 = re.compile(r"(?<![\w/+=-])[A-Za-z0-9+/]{20,}={0,2}(?![\w/+=])")
_DIGITS = re.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[ :]?){10,}(?![0-9A-Za-z])")
_ESCAPES = re.compile(r"(?:(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|&#(?:\d{2,7}|x[0-9A-Fa-f]{2,6});)[ ]?){6,}")
_PERCENT = re.compile(r"(?<!\S)(?:[\w.,'-]*+%[0-9A-Fa-f]{2}){3,}[\w.,'-]*")
"""A word of its own: in an address such escapes are what they should be."""
_WORDS = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 2
"""One word may be a sample value; two make a saying."""


def decoded_texts(text: str) -> Iterator[str]:
    """The readable texts that the encoded parts of a text decode to; nothing for keys, digests and single words."""
    for found in _BASE64.finditer(text):
        yield from _readable(_bytes_of_base64(found[0]))
    for found in _DIGITS.finditer(text):
        yield from _readable(bytes.fromhex(re.sub("[ :]", "", found[0])))
    for found in _ESCAPES.finditer(text):
        units = re.sub(r"\\[ux]([0-9A-Fa-f]+)", lambda unit: chr(int(unit[1], 16)), found[0])
        yield from _words(html.unescape(units))
    for found in _PERCENT.finditer(text):
        yield from _words(unquote(found[0]))


def _bytes_of_base64(text: str) -> bytes:
    plain = text.rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return b""


def _readable(content: bytes) -> Iterator[str]:
    try:
        yield from _words(content.decode())
    except UnicodeDecodeError:
        return


def _words(text: str) -> Iterator[str]:
    if text.isprintable() and len(_WORDS.findall(text.replace("_", " "))) >= _FEWEST_WORDS:
        yield text
