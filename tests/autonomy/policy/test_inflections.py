"""Verbs of requests in all their forms, in both languages: what orders a deed is an order in each of them."""

import pytest

from autonomy.policy.requests.request_mood import orders_in, without_questions
from metrics.text.verb_forms import base_of_gerund, imperatives, joining, te_form

DEEDS = {
    "公開する": "記事を", "投稿する": "記事を", "送信する": "メールを", "送る": "メールを", "返信する": "メールに", "転送する": "メールを",
    "共有する": "記事を", "通知する": "結果を#devに", "連絡する": "結果を健太さんに", "登録する": "予定を", "起票する": "チケットを",
    "追加する": "行を", "更新する": "記事を", "変更する": "予定を", "追記する": "記事に", "書き込む": "シートに", "書き足す": "記事に",
    "削除する": "記事を", "消す": "記事を", "取り消す": "予定を", "キャンセルする": "予定を", "予約する": "会議室を", "購入する": "本を",
    "注文する": "本を", "振り込む": "代金を", "支払う": "代金を", "アップロードする": "画像を", "流す": "#devに", "作る": "記事を",
    "保存する": "結果をファイルに", "再起動する": "サーバーを", "デプロイする": "最新版を", "直す": "記事を", "移す": "予定を",
    "閉じる": "チケットを", "伝える": "結果を健太さんに", "知らせる": "結果を健太さんに", "載せる": "記事を", "招待する": "健太さんを",
    "断る": "招待を", "渡す": "資料を健太さんに", "置く": "資料をフォルダに",
}  # fmt: skip
BEHIND_TE = (
    "", "ください", "下さい", "ね", "くれ", "くれますか？", "くれませんか？", "ほしいです", "欲しい", "もらえますか？", "もらえないでしょうか",
    "いただけますでしょうか", "頂けませんか？", "いただけると助かります", "もらえると嬉しいです", "いただければ幸いです", "くれると助かる", "おいてください",
    "もらいたいです", "ちょうだい", "くださるとありがたいです", "から、#dev に知らせてください", "おき、#dev に一言知らせてください",
)  # fmt: skip
JOINED = (
    "、#dev に知らせてください", "、#times-haruka に一言知らせてください", "、結果を教えてください", "、その旨を健太さんにDMで伝えてください", "、終わったら知らせて",
)  # fmt: skip
BEHIND_A_NOUN = (
    "をお願いします", "お願いいたします", "をお願い致します", "をお願い申し上げます", "をお願いできますか？", "をよろしく", "を頼みます", "をお願い",
)  # fmt: skip


def japanese_orders() -> list[str]:
    """Each deed in each form."""
    found = []
    for verb, what in DEEDS.items():
        found += [f"{what}{te_form(verb)}{ending}" for ending in BEHIND_TE]
        found += [f"{what}{joining(verb)}{ending}" for ending in JOINED]
        found += [f"{what}{form}" for form in imperatives(verb)]
        if verb.endswith("する"):
            found += [f"{what[:-1]}の{verb[:-2]}{ending}" for ending in BEHIND_A_NOUN]
            found += [f"{what}ご{verb[:-2]}ください"]
        else:
            found += [f"{what}お{joining(verb)}ください"]
    return found


VERBS = {
    "post": "posting the summary in #dev", "publish": "publishing the article", "upload": "uploading the picture",
    "send": "sending the summary to Kenta", "forward": "forwarding the mail to Kenta", "share": "sharing the sheet with Kenta",
    "notify": "notifying #dev of the result", "message": "messaging Kenta", "email": "emailing Kenta", "create": "creating a ticket",
    "file": "filing a ticket", "add": "adding a row to the sheet", "update": "updating the article", "rename": "renaming the file",
    "delete": "deleting the draft", "cancel": "cancelling the meeting", "book": "booking a room", "schedule": "scheduling a meeting",
    "buy": "buying the book", "pay": "paying the invoice", "restart": "restarting the server", "save": "saving it to a file",
    "write": "writing a post about it", "close": "closing the ticket", "move": "moving the meeting", "invite": "inviting Kenta",
    "decline": "declining the invitation", "merge": "merging the pull request", "assign": "assigning the ticket to Kenta",
}  # fmt: skip
ENGLISH = (
    "{does}.", "Please {does}.", "Could you {does}?", "Would you mind {doing}?", "I'd like you to {does}.", "You should {does}.",
    "Be sure to {does}.", "Make sure to {does}.", "Make sure that you {does}.", "Don't forget to {does}.", "Remember to {does}.",
    "Go ahead and {does}.", "Read #dev, then {does}.", "If there is news, {does}.", "How about {doing}?", "I'd appreciate you {doing}.",
    "{does} and let me know when it is done.", "{does} and let #general know.", "Your task is to {does}.", "The goal is to {does}.",
    "Task: {does}.", "Feel free to {does}.", "Why don't you {does}?", "- {does}", "1. Read #dev\n2. {does}",
)  # fmt: skip


def english_orders() -> list[str]:
    """Each verb in each form."""
    forms = [(f"{verb} {doing.split(' ', 1)[1]}", doing) for verb, doing in VERBS.items()]
    return [form.format(does=does, doing=doing) for does, doing in forms for form in ENGLISH]


@pytest.mark.parametrize("orders", [japanese_orders(), english_orders()], ids=["ja", "en"])
def test_a_deed_is_ordered_in_whatever_form_of_its_verb(orders: list[str]) -> None:
    assert [words for words in orders if not orders_in(words) or not without_questions(words).strip()] == []


@pytest.mark.parametrize(
    "words",
    [
        "先週健太さんが公開し、承認された記事を教えてください",
        "調査し、登録しているサービスを一覧にしてください",
        "記事を読み、結果を教えてください",
        "資料を確認し、要点を教えてください",
        "会議の流れを教えて",
        "昨日の障害の報告はだれが送りましたか？",
        "ご確認ください",
        "Why don't you tell me what was posted?",
        "Would you mind checking the calendar?",
        "Make sure to read the whole page.",
        "How about listing the open tickets?",
    ],
)
def test_what_asks_to_be_told_orders_nothing_in_whatever_form(words: str) -> None:
    assert orders_in(words) == 0


def test_forms_of_a_verb_follow_its_class() -> None:
    assert [joining(verb) for verb in ("送る", "書き込む", "伝える", "閉じる", "払う", "公開する")] == [
        "送り",
        "書き込み",
        "伝え",
        "閉じ",
        "払い",
        "公開し",
    ]
    assert [te_form(verb) for verb in ("送る", "書き込む", "伝える", "流す", "書く", "公開する")] == [
        "送って",
        "書き込んで",
        "伝えて",
        "流して",
        "書いて",
        "公開して",
    ]
    assert list(imperatives("送る")) == ["送りなさい", "送れ"]
    assert list(imperatives("伝える")) == ["伝えなさい", "伝えろ"]
    known = {"share", "post", "cancel"}
    assert [base_of_gerund(word, known.__contains__) for word in ("sharing", "posting", "cancelling", "zipping")] == [
        "share", "post", "cancel", "zipp",
    ]  # fmt: skip
