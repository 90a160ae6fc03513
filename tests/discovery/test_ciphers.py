"""One secret, a key of its own for each use, and what was stored stays readable."""

import pytest
from cryptography.fernet import InvalidToken

from discovery.ciphers import cipher_for

STORED = b"gAAAAABrAlznccpz2BTlH-JQ2TwKtvvV_BtJYne8H37wD-clpLd6kUS9ZX4qAPK6zVBH87MsnTuOIYyZaOTD_XeoNEHhT8jDhA=="
"""Written by an earlier version, for the use `jiritsu runs` and the secret below."""
SECRET = "an operator's secret"


def test_what_an_earlier_version_stored_is_still_opened() -> None:
    assert cipher_for("jiritsu runs", [SECRET]).decrypt(STORED) == b"kept"


def test_what_one_use_wrote_no_other_opens() -> None:
    with pytest.raises(InvalidToken):
        cipher_for("jiritsu credentials", [SECRET]).decrypt(STORED)


def test_the_first_secret_writes_and_all_of_them_open() -> None:
    rotated = cipher_for("use", ["newer", "older"])
    assert rotated.decrypt(cipher_for("use", ["older"]).encrypt(b"x")) == b"x"
    assert cipher_for("use", ["newer"]).decrypt(rotated.encrypt(b"y")) == b"y"
