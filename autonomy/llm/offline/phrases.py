"""What the offline planner says in its own words, in the languages it speaks."""

_PHRASES = {
    "ja": {
        "unmet": "オフラインプランナーです。「{need}」を満たせなかったので、ここで止めました。{problem}",
        "no_tool": "それに使える道具が見つかりませんでした。",
        "no_value": "道具 {tool} を見つけましたが、引数 {argument} に入れる値が分かりませんでした。",
        "tool_failed": "道具 {tool} の答え: {error}",
        "depends": "先に要る「{need}」が満たされていません。",
        "out_of_steps": "続けるための手順が残っていませんでした。",
        "skipped": "注: 「{need}」は得られませんでした。{problem}",
        "created": "投稿先: {where}",
        "updated": "更新先: {where}",
        "rehearsed": "試行なので、{tool} は呼んでいません。上の内容を送る予定でした。",
        "no_fit": "オフラインプランナーです。「{goal}」に使える道具が見つからないので、答えられません。モデルを設定すると、道具なしでも答えられます。",
        "undeclared": "オフラインプランナーです。書き込みはジョブに宣言されたものだけを行うので、「{goal}」は実行していません。ジョブにするか、モデルを設定してください。",
        "cannot": "オフラインプランナーです。「{goal}」には答えられませんでした。{problem}",
        "source": "（オフラインプランナーの回答です。{tool} の結果をそのまま載せています）",
        "read_as": "「{before}」を「{after}」と読み替えました。",
        "wet": "はい、傘が必要です（降水確率は最大{percent}%）。",
        "unsure": "念のため傘があると安心です（降水確率は最大{percent}%）。",
        "dry": "いいえ、傘はなくても大丈夫そうです（降水確率は最大{percent}%）。",
    },
    "en": {
        "unmet": 'This is the offline planner. It stopped because it could not meet "{need}". {problem}',
        "no_tool": "No tool was found for it.",
        "no_value": "The tool {tool} was found, but there was no value for its argument {argument}.",
        "tool_failed": "The tool {tool} answered: {error}",
        "depends": 'What it builds on, "{need}", is not met.',
        "out_of_steps": "There were no steps left to go on.",
        "skipped": 'Note: "{need}" could not be had. {problem}',
        "created": "Posted to: {where}",
        "updated": "Updated: {where}",
        "rehearsed": "A rehearsal: {tool} was not called. It would have been sent the text above.",
        "no_fit": 'This is the offline planner. It found no tool for "{goal}" and cannot answer; a configured model could, even without tools.',
        "undeclared": 'This is the offline planner. It writes only what a job declares, so "{goal}" was not done. Make it a job, or configure a model.',
        "cannot": 'This is the offline planner. It could not answer "{goal}". {problem}',
        "source": "(An answer of the offline planner: what {tool} returned, as it is.)",
        "read_as": '"{before}" was read as "{after}".',
        "wet": "Yes, take an umbrella (chance of rain up to {percent}%).",
        "unsure": "An umbrella may be wise (chance of rain up to {percent}%).",
        "dry": "No, you should not need an umbrella (chance of rain up to {percent}%).",
    },
}


class Regret(str):
    """A text that says why there is no answer: to the host it is a refusal, not a result."""

    __slots__ = ()


def say(language: str, phrase: str, **values: object) -> str:
    """A phrase in that language, English when it is not spoken here."""
    return _PHRASES.get(language, _PHRASES["en"])[phrase].format(**values)
