"""Names of OpenTelemetry's GenAI conventions.

They follow the GenAI semantic conventions (open-telemetry/semantic-conventions-genai, status Development) as the newest official
helper, `opentelemetry-util-genai` 1.3b0, emits them. What has no agreed name is called `jiritsu.*`. No package offers these
conventions as constants.
"""

OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
CONVERSATION = "gen_ai.conversation.id"
WORKFLOW_NAME = "gen_ai.workflow.name"
AGENT_NAME = "gen_ai.agent.name"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens"
TOKEN_TYPE = "gen_ai.token.type"  # noqa: S105 - a kind of token of language models
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_CALL_ID = "gen_ai.tool.call.id"
ERROR_TYPE = "error.type"
SESSION = "session.id"
"""Holds the run's id as well, because Langfuse groups by this attribute."""

PROVIDERS = {"google": "gcp.gemini", "mistral": "mistral_ai", "x-ai": "x_ai"}
"""Our name of a vendor → the conventions' value of `PROVIDER`, where they differ."""

CHAT, EXECUTE_TOOL, INVOKE_AGENT, INVOKE_WORKFLOW = "chat", "execute_tool", "invoke_agent", "invoke_workflow"

TOKEN_USAGE = "gen_ai.client.token.usage"  # noqa: S105 - as above
OPERATION_DURATION = "gen_ai.client.operation.duration"
TOOL_DURATION = "gen_ai.execute_tool.duration"
AGENT_DURATION = "gen_ai.invoke_agent.duration"
WORKFLOW_DURATION = "gen_ai.invoke_workflow.duration"
LATEST_USAGE = "gen_ai.client.inference.usage.{}_tokens"
"""Counters of the newest text of the conventions, which no helper emits yet. Emitted on request only."""

AGENT = "jiritsu"
JOB = "jiritsu.job"
TENANT = "jiritsu.tenant"
TURN = "jiritsu.turn"
TRIGGER = "jiritsu.trigger"
ENDING = "jiritsu.ending"
LEVEL = "jiritsu.autonomy.level"
OVERALL = "jiritsu.autonomy.overall"
MEASURE = "jiritsu.autonomy.{}"
SIMULATED = "jiritsu.simulated"
FALLBACK = "jiritsu.model.fallback"
COST = "jiritsu.cost.usd"
TOOL_PROVIDER = "jiritsu.tool.provider"
EFFECT = "jiritsu.tool.effect"
OUTCOME = "jiritsu.tool.outcome"
ATTEMPTS = "jiritsu.tool.attempts"
CURED_BY = "jiritsu.tool.cured_by"
DECISION = "jiritsu.decision"
RULE = "jiritsu.decision.rule"
APPROVAL = "jiritsu.approval.answer"
APPROVAL_LATENCY = "jiritsu.approval.latency"
RUNS = "jiritsu.runs"
AUTONOMY = "jiritsu.autonomy"
RETRIES = "jiritsu.tool.retries"

_SECONDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
BUCKETS = {
    TOKEN_USAGE: tuple(4**power for power in range(14)),
    OPERATION_DURATION: _SECONDS,
    TOOL_DURATION: _SECONDS,
    AGENT_DURATION: (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6),
    WORKFLOW_DURATION: (1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200),
    APPROVAL_LATENCY: (1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400),
    AUTONOMY: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
}
"""Histogram → upper bounds of its buckets, for `gen_ai.*` as the conventions give them. An SDK's own begin with 0 and 5."""
