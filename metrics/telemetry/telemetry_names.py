"""Names of OpenTelemetry's GenAI conventions.

Sources: the GenAI semantic conventions (open-telemetry/semantic-conventions-genai, status Development), as the newest official
helper
`opentelemetry-util-genai` 1.3b0 emits them. What has no agreed name is ours, `jiritsu.*`. Since the conventions moved to a
repository of their own there is no package of constants for them.
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
"""The run's id again: Langfuse groups by it."""

CHAT, EXECUTE_TOOL, INVOKE_AGENT, INVOKE_WORKFLOW = "chat", "execute_tool", "invoke_agent", "invoke_workflow"

TOKEN_USAGE = "gen_ai.client.token.usage"  # noqa: S105 - as above
OPERATION_DURATION = "gen_ai.client.operation.duration"
TOOL_DURATION = "gen_ai.execute_tool.duration"
AGENT_DURATION = "gen_ai.invoke_agent.duration"
WORKFLOW_DURATION = "gen_ai.invoke_workflow.duration"
LATEST_USAGE = "gen_ai.client.inference.usage.{}_tokens"
"""The counters of the newest text of the conventions, which no helper emits yet; on request only."""

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
