"""Filler is recognised; lists, tables and short notes are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import padding_of

NOTE = """## やったこと

- PR #436 をレビューしました。ボタンの読み上げが「変更」だけだと分からないので提案をコメントしました
- v2.9.0 を本番にリリースしました。予約の変更が最初の5分で6件、エラーは0件です

| 店 | 件数 |
|----|------|
| 東京 | 12 |
| 大阪 | 30 |
"""


@pytest.mark.parametrize(
    ("text", "evidence", "reason"),
    [
        ("頑張りました。" * 40, 500, "repetition"),
        ("あああああああああああああああああああああああああああ", 500, "repetition"),
        ("今日も一日しっかり頑張りました。\n" * 4, 500, "repetition"),
        ("## やったこと\n\n---\n\n## TIL\n", 500, "empty"),
        ("", 500, "empty"),
        (NOTE * 6, None, "compressible"),
        ("".join(f"{at}番目の作業として資料{at * 7}を丁寧に読み込み整理しました。" for at in range(60)), 100, "oversized"),
    ],
)
def test_filler(text: str, evidence: int | None, reason: str) -> None:
    assert reason in padding_of(text, evidence).reasons


@pytest.mark.parametrize(
    "text",
    [
        *(
            NOTE,
            "\n\n".join(
                f"### 店ごとの件数と担当者\n\n| 店の名前 | 今日の件数 |\n| --- | --- |\n| 店{at} | {at * 7} |" for at in (1, 2, 3)
            ),
        ),
        "東京は晴れ、6〜11℃です。",
        "- はい\n- はい\n- いいえ",
        "A short answer.",
        "=" * 60 + "\n本文です。",
    ],
)
def test_honest_texts(text: str) -> None:
    assert not padding_of(text, 400).reasons


@given(st.text(max_size=500), st.none() | st.integers(0, 1000))
def test_any_text_can_be_measured(text: str, evidence: int | None) -> None:
    found = padding_of(text, evidence)
    assert 0 < found.compression <= 1
