import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { AgentId, ApprovalId, LlmConfigId, RunId, TeamId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'
import { COORDINATION_MODES } from '../teams/config/team-config.ts'
import { AgentRunResult } from './agent-run-result.ts'
import { TASK_STATUSES } from './plan.ts'
import { TeamRunResult } from './team-run-result.ts'

const ModelRef = Type.Object({ llmConfigId: Uuid<LlmConfigId>(), modelId: Type.String() })
const Source = Type.Object({
  role: Choice(['agent', 'lead', 'member']),
  agentId: Nullable(Uuid<AgentId>()),
  agentName: Type.String(),
  runId: Uuid<RunId>(),
})
const ToolError = Type.Object({ code: Type.String(), message: Type.String() })
const Member = Type.Object({ agentId: Uuid<AgentId>(), name: Type.String() })
const Task = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: Choice(TASK_STATUSES),
  assigneeAgentId: Nullable(Uuid<AgentId>({ description: 'null: the managed lead.' })),
})

const lifecycle = <N extends string, P extends TProperties>(event: N, properties: P) =>
  Type.Object({
    event: Type.Literal(event),
    runId: Uuid<RunId>(),
    seq: Type.Integer({ minimum: 1 }),
    createdAt: UnixSeconds(),
    ...properties,
  })
const within = <N extends string, P extends TProperties>(event: N, properties: P) =>
  lifecycle(event, { source: Source, ...properties })

const tool = { toolCallId: Type.String(), toolName: Type.String() }
const approval = { approvalId: Uuid<ApprovalId>(), ...tool }
const member = { member: Member, memberRunId: Uuid<RunId>() }
const session = { sessionId: Type.String(), userId: Type.String() }

/** `RunStarted` of an agent. */
const AgentRunStarted = lifecycle('RunStarted', {
  kind: Type.Literal('agent'),
  agentId: Uuid<AgentId>(),
  agentName: Type.String(),
  ...session,
})
/** `RunStarted` of a team. */
const TeamRunStarted = lifecycle('RunStarted', {
  kind: Type.Literal('team'),
  teamId: Uuid<TeamId>(),
  teamName: Type.String(),
  mode: Choice(COORDINATION_MODES),
  ...session,
})

/** The payload of each stream event by its name. */
export const STREAM_EVENTS = {
  RunStarted: Type.Union([AgentRunStarted, TeamRunStarted]),
  RunContent: within('RunContent', {
    messageId: Type.String(),
    channel: Choice(['answer', 'trace']),
    delta: Type.String(),
  }),
  RunContentReset: within('RunContentReset', {
    messageId: Type.String(),
    reason: Choice(['tool_calls', 'failover', 'reroute', 'guardrail', 'resumed']),
  }),
  ToolCallStarted: within('ToolCallStarted', { ...tool, args: OpenObject() }),
  ToolCallCompleted: within('ToolCallCompleted', {
    ...tool,
    result: Type.String({ description: 'At most 8 KB; `truncated` is true if it was longer.' }),
    truncated: Type.Boolean(),
    durationMs: Type.Integer(),
  }),
  ToolCallError: within('ToolCallError', { ...tool, error: ToolError }),
  ToolApprovalRequired: within('ToolApprovalRequired', {
    ...approval,
    args: OpenObject(),
    expiresAt: UnixSeconds({ description: 'Without a decision, the call is denied then.' }),
  }),
  ToolApprovalResolved: within('ToolApprovalResolved', {
    ...approval,
    decision: Choice(['approved', 'denied', 'expired']),
    reason: Nullable(Type.String()),
  }),
  MemberRunStarted: within('MemberRunStarted', { ...member, task: Type.String() }),
  MemberRunCompleted: within('MemberRunCompleted', {
    ...member,
    content: Type.String({ description: 'At most 8 KB.' }),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
  }),
  MemberRunError: within('MemberRunError', { ...member, error: ToolError }),
  PlanCreated: within('PlanCreated', {
    plan: Type.Object({
      goal: Type.String(),
      criteria: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
      tasks: Type.Array(Type.Object({ ...Task.properties, dependsOn: Type.Array(Type.String()) })),
    }),
  }),
  TaskUpdated: within('TaskUpdated', { task: Task, previousStatus: Nullable(Choice(TASK_STATUSES)) }),
  TaskIterationStarted: within('TaskIterationStarted', {
    iteration: Type.Integer(),
    maxIterations: Type.Integer(),
  }),
  TaskIterationCompleted: within('TaskIterationCompleted', {
    iteration: Type.Integer(),
    maxIterations: Type.Integer(),
    verdict: Type.String(),
    reason: Type.String(),
  }),
  ModelFailover: within('ModelFailover', {
    purpose: Type.String(),
    from: ModelRef,
    to: ModelRef,
    reason: Type.String(),
  }),
  ModelRequestStarted: within('ModelRequestStarted', { purpose: Type.String(), step: Type.Integer() }),
  ModelRequestCompleted: within('ModelRequestCompleted', {
    purpose: Type.String(),
    step: Type.Integer(),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    durationMs: Type.Integer(),
    finishReason: Type.String(),
  }),
  ReasoningDelta: within('ReasoningDelta', { messageId: Type.String(), delta: Type.String() }),
  RunCompleted: lifecycle('RunCompleted', { result: Type.Union([AgentRunResult, TeamRunResult]) }),
  RunError: lifecycle('RunError', { error: Type.String(), message: Type.String() }),
  RunCancelled: lifecycle('RunCancelled', {
    reason: Choice(['user', 'disconnect', 'shutdown']),
    content: Type.String({ description: 'The text that was written before the cancel.' }),
  }),
} as const

/** The name of a stream event. */
export type StreamEventName = keyof typeof STREAM_EVENTS
/** One stream event as the client reads it. */
export type StreamEvent = { [N in StreamEventName]: Static<(typeof STREAM_EVENTS)[N]> }[StreamEventName]
export const StreamEvent = Type.Unsafe<StreamEvent>({
  anyOf: Object.values(STREAM_EVENTS).flatMap((schema): TSchema[] =>
    'anyOf' in schema ? schema.anyOf : [schema],
  ),
})

/** The events that end a stream. */
export const TERMINAL_EVENTS = [
  'RunCompleted',
  'RunError',
  'RunCancelled',
] as const satisfies StreamEventName[]

export const STREAM_DETAILS = ['answer', 'standard', 'full'] as const
/** The detail level of a stream. */
export type StreamDetail = (typeof STREAM_DETAILS)[number]
/** `?detail=`: the detail level of the stream. */
export const detailQuery = {
  detail: Type.Optional(Choice(STREAM_DETAILS, { default: 'standard' })),
}
