"""The redactor: no secret of a known form gets through, and ordinary text is left alone."""

import hashlib
import json
import re
import time
import uuid
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.catalog import ContentPart, ToolOutput
from discovery.text.redaction import (
    HIDDEN,
    HIDDEN_VALUE,
    TOKEN_FORMATS,
    Redaction,
    is_secret_name,
    redact,
    redact_data,
    secrets_in_arguments,
)
from tests.requirements import requirement
from tests.support.sampling import in_part

AROUND = [
    "{}",
    "the key {} is wrong",
    "Incorrect API key provided: {}.",
    '{{"said": "{}"}}',
    "(see {})",
    "鍵は{}です",
    "a\n{}\nb",
    "--x={}",
    "_{}_",
    "id_{}",
    '{{\\"said\\": \\"{}\\"}}',
    "first\\n{}\\nnext",
    "https://e.example/?q=%22{}%22",
    "\\u0022{}\\u0022",
    "鍵：{}。",
]


@requirement("K9")
def test_forty_formats_at_least_are_known() -> None:
    assert len(TOKEN_FORMATS) >= 40


@requirement("K9")
@pytest.mark.parametrize("begins", in_part(range(0, len(TOKEN_FORMATS), 8), every=6))
@settings(max_examples=3)
@given(data=st.data())
def test_no_token_of_a_known_format_gets_through(begins: int, data: st.DataObject) -> None:
    for vendor, pattern in list(TOKEN_FORMATS.items())[begins : begins + 8]:
        token = data.draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True))
        shown = redact(data.draw(st.sampled_from(AROUND)).format(token))
        assert token not in shown, vendor
        assert HIDDEN in shown, vendor
        body = re.sub(r"^\W*\w{0,12}[-_.:]", "", token)
        assert not any(piece in shown for piece in (body[-16:], body[:16]) if len(piece) == 16 and len(set(piece)) > 4), vendor


@requirement("K9")
@pytest.mark.parametrize("token", ["ghp_" + "Zb3kD9wQx7Lm" * 3, "AKIA" + "2345ABCDEFGH" + "QRST"])
def test_a_token_is_hidden_whatever_stands_around_it(token: str) -> None:
    for around in AROUND:
        assert token not in redact(around.format(token)), around


@requirement("K9")
def test_a_token_of_a_fixed_length_is_hidden_between_underscores() -> None:
    assert redact(f"_BSA{'0' * 28}_") == f"_{HIDDEN}_"


@requirement("K9")
@pytest.mark.parametrize("length", [31, 34])
def test_a_secret_at_the_end_of_a_sentence_is_hidden(length: int) -> None:
    secret = "0007Q~" + "0" * length  # its alphabet has the full stop, too
    assert secret not in redact(f"Incorrect API key provided: {secret}.")
    assert secret not in redact(f"Incorrect API key provided: {secret}. Ask again")


WITHOUT_A_FORM = "2d84bbc0d2b1f827a406A68aacf7bab43ddc68a8"
"""As services give them whose keys begin with nothing of their own."""


@requirement("K9")
@pytest.mark.parametrize(
    "told",
    [
        "curl -u me:{} https://e.example", "mysqldump -u me -p{} shop", "run --api-key={} now", "token => {}", "<token>{}</token>", 'set API_KEY "{}"', "ENV API_KEY {}",
        "machine e.example login me password {}", "APIトークン：{}", "パスワード: {}", "トークンは「{}」", '{{\\"api_key\\": \\"{}\\"}}',
        '{{"name": "api_key", "value": "{}"}}', "api_key%3D{}", "api_key:\n  {}", '$env:API_KEY = "{}"', 'token=b"{}"', "token=b'{}'",
        'Token("{}")', "api-key ({})", "API key is {}", "token＝{}", 'password="a\\\\{}"',
    ],
)  # fmt: skip
def test_a_secret_without_a_form_is_hidden_behind_its_name_however_that_is_written(told: str) -> None:
    shown = redact(told.format(WITHOUT_A_FORM))
    assert not any(WITHOUT_A_FORM[at : at + 8] in shown for at in range(len(WITHOUT_A_FORM) - 8))


@requirement("K9")
@pytest.mark.parametrize("broken", ["\n", "\n    ", "\r\n", "\\\n"])
@pytest.mark.parametrize("at", [14, 24, 60])
def test_a_token_that_is_broken_over_two_lines_is_hidden_whole(broken: str, at: int) -> None:
    token = "sk-ant-api03-" + "aB3dE5gH7j" * 9
    shown = redact(f"the key is\n{token[:at]}{broken}{token[at:]} and no other")
    assert not any(token[place : place + 12] in shown for place in range(13, len(token) - 12))
    assert shown.endswith("and no other")


@requirement("K9")
def test_a_pair_of_name_and_value_is_known_for_a_secret() -> None:
    assert redact_data({"name": "api_key", "value": "abc"}) == {"name": "api_key", "value": HIDDEN_VALUE}
    assert redact_data({"name": "city", "value": "abc"}) == {"name": "city", "value": "abc"}


SECRET = st.text(st.sampled_from("abcdefghijkmnpqrstuvwxyzABCDEFGH23456789_-!%+"), min_size=8, max_size=40).filter(
    lambda text: not text.isalpha() and text[0].isalnum()
)


@requirement("K9")
@given(secret=SECRET)
def test_what_a_name_or_an_address_calls_secret_is_hidden(secret: str) -> None:
    for form in (
        "DB_PASS={}", "GITHUB_PAT={}", "export AWS_SECRET_ACCESS_KEY={}", "password: {}", '"client_secret": "{}"', "'apiKey': '{}'",
        "postgresql://me:{}@db.example/x", "redis://:{}@cache:6379/0", "https://e.example/mcp?api_key={}&team=a", "Set-Cookie={}",
        "Server=db;Password={};Encrypt=true", "DefaultEndpointsProtocol=https;AccountKey={};EndpointSuffix=core",
        "https://b.example/f?sv=1&sig={}", "machine e.example login me password {}",
    ):  # fmt: skip
        assert secret not in redact(form.format(secret)), form


@requirement("K9")
@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer abcDEF123456.ghi_789-xyz",
        "authorization: Basic bWU6c2VjcmV0LXBhc3M=",
        "Bearer a1b2c3d4e5f6a7b8c9d0",
    ],
)
def test_what_signs_a_request_in_is_hidden(header: str) -> None:
    assert header.split()[-1] not in redact(header)


@requirement("K9")
@pytest.mark.parametrize(
    "text",
    [
        "run 01JD8Z7Q3N5V9W2X4Y6A8B0C1D was completed in 3.2 s",
        "1234 of 5000 tokens used; the limit of 5000 tokens; max_tokens: 512",
        "environment: OPENAI_API_KEY: is not set, and openai:any needs it",
        "token: expired, password: required, secret: none",
        "xoxo, sk-learn-is-a-library-of-many-words and key-value pairs; task-force; risk-averse-behaviour-of-markets",
        "the basic authentication scheme and the bearer of this message",
        "database_url: 'sqlite://' names no file",
        "https://example.com/search?q=umbrella&page=2#top and mail to taro@example.jp at 10:30:00",
        "model openai:gpt-6.1-sol, anthropic:claude-sonnet-5-5, ollama:qwen3:8b",
        "SLACK_BOT_TOKEN=${SLACK_BOT_TOKEN} --token ${T} password=$DB_PASS",
        "/usr/lib/python3.11/site-packages/passlib/handlers.py:12: author=me path=/x pattern=a.*b",
        "今日は東京で会議がありました。パスワードを変えてください。",
        "SLACK_BOT_TOKEN: 設定されていません（xoxb-…）。",
        "トークン数：120000、パスワード：必須、秘密鍵の期限：2026-12-31",
        "the password file /usr/lib/python3.11/site-packages/passlib2 is read; secret:\n  name: a\nnext-line-of-prose-with-words",
        "token tests/autonomy/policy/test_attacks_from_inside.py and api key\nthat-is-written-in-two-lines of-ordinary-words",
        "next_page=3 tenant=default job=diary turn-2/call-1/finished",
        "tokens: 512",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text) == text


@requirement("K9")
@given(
    st.uuids(),
    st.binary(max_size=40),
    st.integers(0, 10**12),
    st.text(st.characters(codec="utf-8", exclude_characters="=:"), max_size=60),
)
def test_ids_digests_and_free_text_stay(one: uuid.UUID, data: bytes, number: int, text: str) -> None:
    digest, short = hashlib.sha256(data).hexdigest(), hashlib.sha1(data).hexdigest()
    told = f"{one} {one.hex} {digest} {short} sha256:{digest} run-{number} {number}"
    assert redact(told) == told
    words = re.sub(r"bearer|basic|token|[?&]", "", text, flags=re.IGNORECASE)
    assert redact(words) == words


@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "attack",
    in_part(
        [
            "a:",
            "://",
            "?a",
            "://a:",
            "sk-",
            "eyJ",
            "xoxb-1-",
            "password='",
            'password="\\\\',
            "a-1\\n",
            "token ",
            "<token>",
            "-u a:",
            "machine a login ",
            "a=b&?",
            "-----BEGIN PRIVATE KEY-----",
        ],
        every=8,
    ),
)
def test_text_made_to_be_slow_is_read_in_linear_time(attack: str) -> None:
    """Quadratic, 200,000 characters would take minutes, which the test's own limit of time would end."""
    assert isinstance(redact(attack * (200_000 // len(attack))), str)


@requirement("K9")
@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ({"api_key": "abc"}, {"api_key": HIDDEN_VALUE}),
        ({"api_key": "${KEY}", "key_env": "KEY_NAME", "token": ""}, {"api_key": "${KEY}", "key_env": "KEY_NAME", "token": ""}),
        ({"headers": {"X-Team": "abc", "X-B": "${B}"}}, {"headers": {"X-Team": HIDDEN_VALUE, "X-B": "${B}"}}),
        ({"limits": {"tokens": 5000}}, {"limits": {"tokens": 5000}}),
        ({"clients": [{"name": "a", "token": "abc"}]}, {"clients": [{"name": "a", "token": HIDDEN_VALUE}]}),
        (
            {"args": ["--api-key", "abc", "--pass=abc", "-v"]},
            {"args": ["--api-key", HIDDEN_VALUE, f"--pass={HIDDEN_VALUE}", "-v"]},
        ),
        ({"tokens": ["abc", "def"]}, {"tokens": [HIDDEN_VALUE, HIDDEN_VALUE]}),
        ({"model": ["openai:any"], "wall_s": 3.5, "on": True}, {"model": ["openai:any"], "wall_s": 3.5, "on": True}),
    ],
)
def test_data_is_shown_without_what_its_names_call_secret(data: Any, shown: Any) -> None:
    assert redact_data(data) == shown
    json.dumps(redact_data(data))


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *[(name, True) for name in ("DB_PASS", "GITHUB_PAT", "PGPASSWORD", "clientSecret", "X-Api-Key", "DATABASE_URL", "Cookie", "ACCESSTOKEN", "--token")],
        *[(name, False) for name in ("PATH", "path", "bypass", "compass", "keyboard", "token_env", "AWS_ACCESS_KEY_ID", "pattern", "tokens_used", "monkey")],
    ],
)  # fmt: skip
def test_a_name_says_whether_its_value_is_secret(name: str, secret: bool) -> None:
    assert is_secret_name(name) is secret


@requirement("K9")
def test_the_secrets_of_a_command_line_are_those_that_are_not_shown() -> None:
    given = [
        "--dsn=postgresql://app:pass-one@db.example/x",
        "--token",
        "value-two",
        "https://e.example/?key=value-three&page=4",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "--region=tokyo",
    ]
    assert list(secrets_in_arguments(given)) == [
        "postgresql://app:pass-one@db.example/x",
        "pass-one",
        "value-two",
        "value-three",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    ]


@requirement("K9")
def test_a_placeholder_in_a_command_line_and_the_scheme_before_a_secret_stay() -> None:
    placeholders = ["--token", "$TOKEN", "--pass=${PASS}", "--key=abc"]
    assert redact_data(placeholders) == [*placeholders[:3], "--key=abc"]
    assert redact("token=Bearer a1b2c3d4e5f6a7b8c9d0") == f"token=Bearer {HIDDEN}"


@requirement("K9")
@pytest.mark.parametrize(
    "argument",
    [
        "https://me:first-one@e.example/?token=second-one",
        "--url=https://me:first-one@e.example/?token=second-one",
        '{"key": "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "password": "second-one"} token=x',
        "postgresql://me:first-one@db.example/x password=second-one",
    ],
)
def test_of_an_argument_with_several_secrets_none_is_shown(argument: str) -> None:
    (shown,) = redact_data([argument])
    assert not [secret for secret in ("first-one", "second-one", "ghp_abc") if secret in shown], shown


@requirement("K9")
def test_what_a_server_was_given_as_secret_stands_nowhere_in_its_answer() -> None:
    redaction = Redaction.of_secrets(
        {"Authorization": "Bearer given-secret", "PATH": "/usr/local/bin"}, ["--token", "other-secret"], ["given-secret-and-more"]
    )
    said = "given-secret-and-more, given-secret, other-secret, /usr/local/bin"
    hidden = f"{HIDDEN}, {HIDDEN}, {HIDDEN}, /usr/local/bin"
    part = ContentPart(kind="resource", uri=said, data=said)
    given = ToolOutput(
        text=said, whole=said, structured={said: [said, 1]}, parts=(part,), meta={"m": said}, blocks=({"t": said},)
    )
    shown = redaction.output(given)
    assert (shown.text, shown.whole, shown.structured) == (hidden, hidden, {hidden: [hidden, 1]})
    assert (shown.parts[0].uri, shown.parts[0].data, shown.meta, shown.blocks) == (
        hidden,
        hidden,
        {"m": hidden},
        ({"t": hidden},),
    )


@requirement("K9")
@pytest.mark.parametrize(
    "said",
    [
        "the server said: MISTRAL_API_KEY={}",
        "401: env: GITHUB_TOKEN={} is not valid",
        "error=bad request: password={}",
        "command: PGPASSWORD={} psql",
        'answer: "refresh_token": "{}"',
        "headers: X-Cybozu-API-Token: {}",
        "headers = X-ChatWorkToken={}; accept=any",
        "response: Set-Cookie: session={}",
        "said: Authorization: SSWS {}",
        "said: TOGETHER_KEY={}",
        "npm: //registry.example/:_authToken={}",
    ],
)
def test_a_pair_behind_another_name_is_a_pair(said: str) -> None:
    secret = "a6D092e7e73c57834ed0C37d522f057aafe923b1"
    assert secret not in redact(said.format(secret))
    assert redact(said.format(secret)).startswith(said[:4])


@requirement("K9")
@pytest.mark.parametrize(
    "said",
    [
        "SORT_KEY=created_at_of_the_first_record",
        "CACHE_KEY=v2:tools:list",
        "said: token: expired",
        "note: tokens: 512",
        "a=b=c=d, e: f",
    ],
)
def test_what_only_looks_like_a_pair_stays(said: str) -> None:
    assert redact(said) == said


def test_pairs_in_pairs_are_read_once() -> None:
    longest = {}
    for piece in ("a=", "a: ", "token=", 'token="', "X_KEY=", "a=b, "):
        texts = [piece * (size // len(piece)) for size in (20_000, 80_000)]
        seconds = []
        for text in texts:
            start = time.process_time()
            redact(text)
            seconds.append(time.process_time() - start)
        assert seconds[1] < 16 * seconds[0] + 0.5, piece
        longest[piece] = seconds[1]
    assert max(longest.values()) < 25 * longest["a="], (
        longest
    )  # what a key is given was read to its end at each: 79 times as long
