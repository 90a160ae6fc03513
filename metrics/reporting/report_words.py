"""Report wording in Japanese and English, and number formats."""

from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from typing import Literal

from metrics.intervals import Estimate
from metrics.reporting.reason_words import ENDINGS, reason_in, rule_in

Language = Literal["ja", "en"]

WORDS: Mapping[str, tuple[str, str]] = {
    "title": ("自律性レポート", "Autonomy report"),
    "run_title": ("実行の説明", "One run, explained"),
    "na": ("該当なし", "n/a"),
    "read_back_confirmed": ("読み返して確認済み", "read back and confirmed"),
    "read_back_absent": ("読み返しても見当たらない", "read back and not found"),
    "read_back_not_declared": ("読み返す手段なし", "cannot be read back"),
    "period": ("期間", "Period"),
    "made_at": ("作成", "Made at"),
    "runs": ("実行", "Runs"),
    "runs_count": ("{n} 件の実行", "{n} runs"),
    "no_runs": ("この期間に実行はありません。", "There were no runs in this period."),
    "under_way": ("実行中", "under way"),
    "rehearsals": ("試行（集計外）", "rehearsals, left out"),
    "level": ("水準", "Level"),
    "levels": ("水準の内訳", "Levels"),
    "unproven": ("（完了を確かめる宣言がないので「高」にはなりません）", " (no more: nothing was declared that could prove it)"),
    "not_high": ("「高」でないわけ: 完了を確かめる宣言がありません。", "Not high: nothing was declared that could prove it."),
    "weakest": (
        "最も低い指標は「{name}」の {share} です（高は 90%、中は 70% から）。",
        "The weakest measure is {name}, at {share} (high begins at 90%, medium at 70%).",
    ),
    "high": ("高", "high"),
    "medium": ("中", "medium"),
    "low": ("低", "low"),
    "overall": ("総合", "Overall"),
    "tool_selection_accuracy": ("ツール選択の正確さ", "Tool selection accuracy"),
    "error_recovery_rate": ("エラー回復率", "Error recovery rate"),
    "data_collection_completeness": ("データ収集の完全性", "Data collection completeness"),
    "result_quality": ("結果の品質", "Result quality"),
    "completion": ("完了率", "Completion"),
    "unattended_completion": ("無人完了率", "Unattended completion"),
    "completion_with_one_touch": ("人手1回以内の完了率", "Completion with one touch at most"),
    "not traced": ("読んだものからたどれなかった点（ご確認ください）:", "Could not be traced to what was read, please check:"),
    "liked": ("良いと評価された割合", "Liked by people"),
    "judged_by_people": ("人が評価した実行の割合", "Runs that people judged"),
    "feedback": ("人の評価：良い {good}/{judged}（{runs} 件中 {judged} 件に評価）", "People's word: {good} of {judged} good ({judged} of {runs} runs were judged)"),
    "human_load": ("人の負担（回/実行）", "Human load (touches per run)"),
    "interventions": ("介入（回/実行）", "Interventions per run"),
    "approvals_asked": ("承認依頼", "Approvals asked"),
    "approvals_granted": ("承認された割合", "Approvals granted"),
    "approvals_expired": ("期限切れの割合", "Approvals expired"),
    "call_success": ("ツール呼び出しの成功率", "Tool call success"),
    "retries": ("再試行（回/実行）", "Retries per run"),
    "cured_by_retry": ("再試行で直った割合", "Failures cured by retry"),
    "cured_by_alternative": ("代替ツールで直った割合", "Failures cured by an alternative"),
    "alternatives_tried": ("試した代替ツール", "Alternatives tried"),
    "alternatives_succeeded": ("代替ツールの成功率", "Alternatives that succeeded"),
    "effects_done": ("確認できた書き込み", "Writes acknowledged"),
    "effects_unknown": ("結果不明の書き込み", "Writes of unknown outcome"),
    "rate_limit_waits": ("レート制限による待ち時間", "Held back by rate limits"),
    "turns": ("ターン数", "Turns per run"),
    "calls": ("呼び出し数", "Calls per run"),
    "tokens": ("トークン/実行", "Tokens per run"),
    "cost_usd": ("費用", "Cost"),
    "cost_per_run": ("費用/実行", "Cost per run"),
    "duration": ("所要時間", "Duration"),
    "model_fallback": ("代替モデルの割合", "Replies by a fallback model"),
    "prompt_cache_hits": ("キャッシュ済み入力の割合", "Input tokens from cache"),
    "catalog_fresh": ("最新カタログの割合", "Runs on a fresh catalog"),
    "all_providers_up": ("全プロバイダー稼働の割合", "Runs with all providers up"),
    "measure": ("指標", "Measure"),
    "value": ("値", "Value"),
    "interval": ("95% 区間", "95 % interval"),
    "sample": ("n", "n"),
    "before": ("前の期間", "Period before"),
    "change": ("変化", "Change"),
    "better": ("改善", "better"),
    "worse": ("悪化", "worse"),
    "within_chance": ("偶然の範囲", "within chance"),
    "small": ("標本が小さい", "small sample"),
    "trend": ("推移", "Trend"),
    "hour": ("1時間ごと", "by hour"),
    "day": ("日ごと", "by day"),
    "week": ("週ごと", "by week"),
    "month": ("月ごと", "by month"),
    "time": ("時間", "Time"),
    "endings": ("終わり方", "Endings"),
    "ending": ("終わり方", "Ending"),
    "queued": ("順番待ち", "queued"),
    "running": ("実行中", "running"),
    "paused": ("一時停止", "paused"),
    "interrupted": ("途切れ", "interrupted"),
    **ENDINGS,
    "simulated": ("試行", "simulated"),
    "closed": ("終了（他のエージェント）", "closed"),
    "why": ("自律性を下げた原因", "What cost autonomy"),
    "why_note": ("失われた点の合計を原因ごとに分けたものです。すべて足すと失点の全体になります。", "Every point lost, traced to what cost it; together they are the whole loss."),
    "nothing_lost": ("失われた点はありません。", "No points were lost."),
    "cause": ("原因", "Cause"),
    "points": ("失点", "Points"),
    "share": ("割合", "Share"),
    "times": ("回数", "Times"),
    "evidence": ("証拠", "Evidence"),
    "suggestion": ("対処", "What to change"),
    "habits": ("規則にできる承認", "Approvals that could be rules"),
    "habit": ("{tool} の承認は {times} 回すべて{answer}（95% 下限 {low}）", "{tool}: all {times} approvals {answer} (at least {low} with 95 % confidence)"),
    "granted": ("許可", "granted"),
    "decided_allow": ("規則が許可", "allowed by rule"),
    "decided_ask": ("人に確認", "a person is asked by rule"),
    "decided_deny": ("規則が拒否", "denied by rule"),
    "receipt_done": ("控え: 実行済み", "receipt: done"),
    "receipt_unknown": ("控え: 結果不明", "receipt: outcome unknown"),
    "receipt_reconciled": ("控え: 照合済み", "receipt: reconciled"),
    "denied": ("拒否", "denied"),
    "expired": ("期限切れ", "expired"),
    "figures": ("そのほかの数字", "All figures"),
    "jobs": ("ジョブ別", "By job"),
    "tenants": ("テナント別", "By tenant"),
    "models": ("モデル別", "By model"),
    "providers": ("プロバイダー別", "By provider"),
    "tools": ("ツール別", "By tool"),
    "job": ("ジョブ", "Job"),
    "tenant": ("テナント", "Tenant"),
    "model": ("モデル", "Model"),
    "provider": ("プロバイダー", "Provider"),
    "tool": ("ツール", "Tool"),
    "ad_hoc": ("（単発の依頼）", "(ad-hoc goals)"),
    "latency": ("時間の使い道", "Where the time goes"),
    "phase": ("段階", "Phase"),
    "phase_model": ("モデルの応答", "Model"),
    "phase_tools": ("ツールの実行", "Tools"),
    "phase_people": ("人の承認待ち", "Waiting for people"),
    "phase_own": ("その他", "The rest"),
    "phase_total": ("全体", "Whole run"),
    "mean": ("平均", "Mean"),
    "p50": ("中央値", "Median"),
    "p95": ("95% 点", "95th percentile"),
    "worth_a_look": ("見ておきたい実行", "Worth a look"),
    "reasons": ("理由", "Reasons"),
    "latest": ("最近の実行", "Latest runs"),
    "pictures": ("自律性の低かった実行", "The least autonomous runs"),
    "run": ("実行", "Run"),
    "started": ("開始", "Started"),
    "reason": ("理由", "Reason"),
    "repeats": ("繰り返しの信頼性", "Reliability when repeated"),
    "any_of_k": ("k 回のうち1回以上完了 (pass@k)", "At least one of k completed (pass@k)"),
    "all_of_k": ("k 回すべて完了 (pass^k)", "All k completed (pass^k)"),
    "tasks": ("課題数", "Tasks"),
    "table": ("表で見る", "As a table"),
    "replies": ("応答", "Replies"),
    "failures": ("失敗", "Failures"),
    "fallbacks": ("代替として", "As fallback"),
    "input_tokens": ("入力", "Input tokens"),
    "output_tokens": ("出力", "Output tokens"),
    "cached_tokens": ("キャッシュ", "Cached"),
    "success": ("成功率", "Success"),
    "mischosen": ("不適切な選択", "Refused before"),
    "asked": ("承認依頼", "Asked"),
    "retried": ("再試行", "Retried"),
    "replaced": ("代替で回答", "Replaced"),
    "touches": ("人手", "Touches"),
    "timeline": ("タイムライン", "Timeline"),
    "turn": ("ターン", "Turn"),
    "what": ("出来事", "What"),
    "from_s": ("開始 (秒)", "From (s)"),
    "to_s": ("終了 (秒)", "To (s)"),
    "detail": ("詳細", "Detail"),
    "state": ("状態", "State"),
    "judge": ("判定", "Judge"),
    "limits": ("上限", "Limits"),
    "people": ("人", "People"),
    "call": ("呼び出し", "call"),
    "attempt": ("失敗した試行", "failed attempt"),
    "alternative": ("代替ツール", "alternative"),
    "approval": ("承認", "approval"),
    "person": ("人", "person"),
    "limit": ("上限", "limit"),
    "ok": ("成功", "ok"),
    "cured": ("回復", "cured"),
    "refused": ("拒否", "refused"),
    "waiting": ("待ち", "waiting"),
    "neutral": ("—", "—"),
    "verdict_complete": ("完了", "complete"),
    "verdict_continue": ("続行", "continue"),
    "verdict_blocked": ("終えられない", "blocked"),
    "definitions": ("定義は docs/measures.md にあります。", "Definitions: docs/measures.md."),
    "data": ("データ (JSON)", "Data (JSON)"),
    "effect_read": ("読み取り", "read"),
    "effect_write": ("書き込み", "write"),
    "effect_destructive": ("消去・上書き", "destructive"),
    "effect_outward": ("外部への送信", "outward"),
    "effect_elicitation": ("サーバーからの質問", "a server's question"),
    "effect_sampling": ("モデルの貸し出し", "a reply of the model for a server"),
}  # fmt: skip

CAUSES: Mapping[str, tuple[str, str]] = {
    "sign: names left out": ("依頼に挙げられたものが、ほとんどどの呼び出しにも出てこない", "hardly anything that the goal names stands in any call"),
    "sign: no last words": ("何も言わずに終わった", "it ends without a word"),
    "sign: announces": ("最後の言葉が次の作業の予告で終わる", "its last words announce a next step"),
    "sign: asks back": ("質問で終わった", "it ends with a question"),
    "sign: admits": ("できなかったことを二つ以上認めている", "it admits more than one failure"),
    "sign: few calls": ("長い依頼のわりに呼び出しが少ない", "so few calls for so long an order"),
    "sign: few words": ("長い依頼のわりに報告が短い", "so few words after so long an order"),
    "sign: hands over": ("手作業を残している", "it leaves something to be done by hand"),
    "sign: not finished": ("終わったとどこにも言っていない", "it nowhere says that it finished"),
    "sign: ends in error": ("最後の呼び出しが失敗した", "its last call failed"),
    "sign: trouble": ("ツールがうまく使えなかったと言っている", "it speaks of trouble with its tools"),
    "sign: leaves": ("残りや事情について述べている", "it speaks of what is left, or of a reason"),
    "sign: again": ("同じ呼び出しを繰り返した", "it made the same call again"),
    "unknown_tool": ("存在しないツール {subject} を呼んだ", "called {subject}, a tool that does not exist"),
    "invalid_arguments": ("{subject} の引数が不正（{detail}）", "{subject} was given wrong arguments ({detail})"),
    "unreadable": ("{subject} の引数が読めない", "{subject} was given arguments nobody can read"),
    "denied": ("{subject} がポリシー「{detail}」で拒否された", "{subject} was refused by the policy rule “{detail}”"),
    "repeated": ("{subject} を同じ引数で繰り返し、同じ結果だった", "{subject} was called again with the same arguments and result"),
    "beside_the_point": ("{subject} はどの必要データにも役立たなかった", "{subject} served none of the declared needs"),
    "no_tool_chosen": ("「{subject}」が必要なのにツールを使わなかった", "“{subject}” is needed and no tool was called at all"),
    "not_recovered": ("{subject} の失敗（{detail}）から回復しなかった", "{subject} failed ({detail}) and nothing made up for it"),
    "model_failed": ("モデル {subject} が応答できなかった（{detail}）", "the model {subject} gave no usable reply ({detail})"),
    "need_unmet": ("必要なデータ「{subject}」が集まらなかった", "the need “{subject}” has no evidence"),
    "not_completed": ("完了せずに終わった：{subject}（{detail}）", "ended {subject}, not completed ({detail})"),
    "provider_unavailable": ("サーバーに接続できなかった（{detail}）", "servers could not be reached ({detail})"),
    "disliked": ("人が結果を良くないと言った", "a person said that the result is not good"),
    "rule_unheld": ("完了規則「{subject}」が成り立たない", "the completion rule “{subject}” does not hold"),
    "grounding": ("読んだものに出典のない記述がある", "something told has no source in what was read"),
    "coverage": ("読むべきものが残っている", "something that should have been read was left"),
    "traced": ("読んだものからたどれない点がある", "something told could not be traced to what was read"),
    "subject": ("対象の人・日・場所とは別のことが書かれている", "something told is about another person, day or place"),
    "effect_unproven": ("{subject} の結果を確認できない", "nothing proves that {subject} took effect"),
}  # fmt: skip


PROBLEMS: Mapping[str, tuple[str, str]] = {
    "unknown_tool": ("存在しないツール", "no such tool"),
    "invalid_arguments": ("引数が不正", "wrong arguments"),
    "unreadable": ("引数が読めない", "unreadable arguments"),
    "soft_failure": ("失敗を告げる回答", "its answer tells of a failure"),
    "tool_error": ("ツールのエラー", "an error of the tool"),
    "transport": ("通信の失敗", "the connection"),
    "limit": ("上限", "a limit"),
    "refused_plan": ("認められない計画", "a plan that does not stand"),
}
"""What was wrong with a call, by its code (`events.CallFinished.problem`)."""

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "ok": ("成功", "ok"),
    "empty": ("該当なし", "nothing there"),
    "suspicious": ("要注意", "suspicious"),
    "retryable": ("一時的な失敗", "retryable failure"),
    "terminal": ("失敗", "failed"),
    "denied": ("不許可", "denied"),
    "unknown_outcome": ("結果不明", "outcome unknown"),
    "not_run": ("実行せず", "not run"),
}
"""How a call ended, by its code (`events.Outcome`)."""


def word(key: str, language: Language, **filled: object) -> str:
    """The word in that language; a key that is no word of ours is shown as it is."""
    found = WORDS.get(key)
    text = found[language == "en"] if found else key
    return text.format(**filled) if filled else text


def effect_in(effect: str, language: str) -> str:
    """What a call does to the world; an effect that has no words is shown as it is."""
    return word(f"effect_{effect}", "ja" if language == "ja" else "en") if f"effect_{effect}" in WORDS else effect


def level_in(level: str | None, overall: float | None, language: Language) -> str:
    """A level with what keeps it from being high, where the score (0 to 1) alone would make it so."""
    return word(level or "na", language) + (word("unproven", language) if is_unproven(level, overall) else "")


def is_unproven(level: str | None, overall: float | None) -> bool:
    """Whether a level is medium only because nothing was declared that could prove the score (0 to 1)."""
    from metrics.autonomy import level_of  # not at the top: lists of runs need the words alone

    return level == "medium" and level_of(overall, proven=True) == "high"


def why_level(level: str | None, overall: float | None, measures: Mapping[str, float | None], language: Language) -> str:
    """Why a level is not high, in a sentence: nothing proves it, or the measure (0 to 1) that weighs most; empty where it is."""
    from metrics.autonomy import level_of

    known = {name: value for name, value in measures.items() if value is not None}
    if level in (None, "high") or not known:
        return ""
    if level == "medium" and level_of(overall, proven=True) == "high":
        return word("not_high", language)
    weakest = min(known, key=lambda name: known[name])
    return word("weakest", language, name=word(weakest, language), share=f"{100 * known[weakest]:.0f}%")


def cause(kind: str, subject: str, detail: str, language: Language) -> str:
    """A cause as a sentence."""
    named = word(subject, language) if kind == "not_completed" else subject
    ours = rule_in(language, detail) if kind == "denied" else reason_in(language, detail)
    problem = PROBLEMS[detail][language == "en"] if detail in PROBLEMS else ours
    text = CAUSES[kind][language == "en"].format(subject=named or "?", detail=problem)
    return text.replace("（）", "").replace(" ()", "").replace("「」", "")


def reasons(found: Iterable[tuple[str, str, str]], language: Language) -> str:
    """Several reasons in one line."""
    return ("；" if language == "ja" else "; ").join(cause(*reason, language) for reason in found)


def problem_in(text: str, language: Language) -> str:
    """An outcome or problem by its code, or a sentence of ours, as this reader reads it."""
    codes = {**OUTCOMES, **PROBLEMS}
    return codes[text][language == "en"] if text in codes else reason_in(language, text)


def number(value: float | None, unit: str, language: Language) -> str:
    """A value with its unit, as people write it."""
    if value is None:
        return word("na", language)
    match unit:
        case "share":
            return f"{value:.1%}"
        case "usd":
            return f"${value:,.2f}" if abs(value) >= 0.1 else f"${value:.4f}"
        case "s":
            return seconds(value)
        case "tokens":
            return f"{value:,.0f}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def seconds(value: float | None) -> str:
    """A duration, two figures at least."""
    if value is None:
        return "—"
    if value < 60:
        return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def interval(estimate: Estimate, unit: str, language: Language) -> str:
    """An estimate's interval; a dash where there is none."""
    if estimate.low is None or estimate.high is None:
        return "—"
    return f"{number(estimate.low, unit, language)} – {number(estimate.high, unit, language)}"


def signed(value: float | None, unit: str, language: Language) -> str:
    """A change, with its sign; changes of shares in percentage points."""
    if value is None:
        return "—"
    size = f"{abs(100 * value):.1f} pt" if unit == "share" else number(abs(value), unit, language)
    if not any(digit in size for digit in "123456789"):
        return f"±{size}"
    return f"{'+' if value > 0 else '−'}{size}"


def moment(at: float, tz: tzinfo) -> str:
    """A time for people, to the minute."""
    return datetime.fromtimestamp(at, tz).strftime("%Y-%m-%d %H:%M")
