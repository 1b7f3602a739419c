import { type Static, Type } from 'typebox'
import { APPROVAL_STATUSES } from '../../approvals/approval.ts'
import { ReviewActor } from '../../reviews/review.ts'
import { Citation } from '../../runs/citation.ts'
import { GuardrailFlag } from '../../runs/guardrail-flag.ts'
import { RunMessage } from '../../runs/message.ts'
import { RunPlan } from '../../runs/plan.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, ApprovalId, LlmConfigId, PromptId, RunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'

const moment = (description: string) => Type.Integer({ description: `${description} Milliseconds.` })

/** One attempt at a model provider. */
const ModelCall = Type.Object({
  purpose: Type.String({ description: '`chat`, `route`, `plan`, `summary`, …' }),
  memberRunId: Nullable(Uuid<RunId>({ description: 'null: a call of the run itself.' })),
  agentId: Nullable(Uuid<AgentId>({ description: 'null: a managed lead.' })),
  agentName: Nullable(Type.String()),
  llmConfigId: Uuid<LlmConfigId>(),
  llmConfigName: Nullable(Type.String({ description: 'null: it is deleted.' })),
  modelId: Type.String(),
  attempt: Type.Integer(),
  isFallback: Type.Boolean(),
  inputTokens: Type.Integer(),
  cachedTokens: Type.Integer(),
  cacheWriteTokens: Type.Integer({
    description: 'Those of `inputTokens` that were written to a cache of the provider.',
  }),
  outputTokens: Type.Integer(),
  reasoningTokens: Type.Integer(),
  hasAllTokens: Type.Boolean({
    description: 'false: the provider did not report them, as for a call that was stopped.',
  }),
  costUsd: Nullable(Type.Number({ description: 'null: the model has no price.' })),
  latencyMs: Type.Integer(),
  firstTokenMs: Nullable(Type.Integer()),
  ok: Type.Boolean(),
  errorCode: Nullable(Type.String()),
  note: Nullable(Type.String({ description: 'An anomaly of an accepted answer.' })),
  promptId: Nullable(
    Uuid<PromptId>({ description: 'The id for `getRunPrompt`; null: the prompt is not kept.' }),
  ),
  providerMessage: Nullable(
    Type.String({
      description:
        "The provider's message about a failed call, without secrets, at most 400 bytes; null: none, or not shown.",
    }),
  ),
})

/** The run of a team's member. */
const MemberRunTrace = Type.Object({
  runId: Uuid<RunId>(),
  stepKey: Type.String({ description: 'Its step in the run of the team: `member:m1:0`.' }),
  agentId: Uuid<AgentId>(),
  agentName: Nullable(Type.String({ description: 'null: it is deleted.' })),
  versionNumber: Nullable(Type.Integer()),
  status: Choice(['queued', 'running', 'completed', 'failed', 'timeout', 'cancelled']),
  success: Nullable(Type.Boolean()),
  input: Nullable(Type.String({ description: 'Its task; null: texts are not kept.' })),
  content: Nullable(Type.String()),
  errorCode: Nullable(Type.String()),
  error: Nullable(Type.String()),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  startedMs: moment('When it started.'),
  completedMs: Nullable(moment('When it ended.')),
})

/** A tool call that waits, or waited, for a person. */
const TracedApproval = Type.Object({
  approvalId: Uuid<ApprovalId>(),
  memberRunId: Nullable(
    Uuid<RunId>({
      description: 'The member that made the call; null: the run itself, or a member that has not ended.',
    }),
  ),
  toolCallId: Type.String(),
  toolName: Type.String(),
  status: Choice(APPROVAL_STATUSES),
  by: Nullable(ReviewActor),
  reason: Nullable(Type.String()),
  askedMs: moment('When the call began to wait.'),
  resolvedMs: Nullable(moment('When it was decided or had expired; null: it waits.')),
})

/** The start time of a tool call. */
const ToolStart = Type.Object({
  runId: Uuid<RunId>({ description: 'Of the message that made the call: the run itself or a member.' }),
  toolCallId: Type.String(),
  startedMs: moment('When it began, after its approval if it needed one.'),
  isStored: Type.Optional(
    Type.Boolean({
      description: 'Whether the run has stored it; otherwise it is inferred from its message.',
    }),
  ),
})

/** The trace of a run of an agent or a team. */
export const AgentRunDetail = Type.Object({
  input: Nullable(Type.String({ description: 'null: texts are not kept, or not shown.' })),
  content: Nullable(Type.String()),
  answeredBy: Nullable(
    Uuid<AgentId>({ description: 'The agent that wrote `content`; null: a managed lead.' }),
  ),
  failoverUsed: Type.Boolean(),
  storesMessages: Type.Boolean({ description: 'Whether the texts of the run are kept.' }),
  tracesInputs: Type.Boolean({
    description:
      'Whether inputs are shown: false if an agent of the run hides them (`privacy.trace_inputs`).',
  }),
  tracesOutputs: Type.Boolean({
    description:
      'Whether outputs are shown: false if an agent of the run hides them (`privacy.trace_outputs`).',
  }),
  flags: Type.Array(GuardrailFlag),
  citations: Type.Array(Citation),
  plan: Nullable(RunPlan),
  messages: Type.Array(RunMessage, {
    description:
      'In chronological order, including those of members; while the run is in flight, its stream has them.',
  }),
  members: Type.Array(MemberRunTrace, { description: 'Ended ones, in the order of their starts.' }),
  approvals: Type.Optional(
    Type.Array(TracedApproval, {
      description: 'Calls that wait or waited for a person, in the order of their requests; at most 500.',
    }),
  ),
  toolStarts: Type.Optional(Type.Array(ToolStart, { description: 'In the order of the messages.' })),
  calls: Type.Array(ModelCall, { description: 'In order; at most 2,000.' }),
  isSettled: Type.Boolean({
    description:
      'false: the run is in flight, or was canceled and its last texts and calls are not stored yet. A canceled run whose process crashed remains so.',
  }),
})
export type AgentRunDetail = Static<typeof AgentRunDetail>
