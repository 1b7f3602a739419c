import { type Static, type TProperties, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'
import { AgentRunResult } from './agent-run-result.ts'

const ModelRef = Type.Object({ llmConfigId: Uuid(), modelId: Type.String() })
const Source = Type.Object({
  role: Choice(['agent', 'lead', 'member']),
  agentId: Nullable(Uuid()),
  agentName: Type.String(),
  runId: Uuid(),
})

const lifecycle = <N extends string, P extends TProperties>(event: N, properties: P) =>
  Type.Object({
    event: Type.Literal(event),
    runId: Uuid(),
    seq: Type.Integer({ minimum: 1 }),
    createdAt: UnixSeconds(),
    ...properties,
  })
const within = <N extends string, P extends TProperties>(event: N, properties: P) =>
  lifecycle(event, { source: Source, ...properties })

/** The payload of each stream event by its name. */
export const STREAM_EVENTS = {
  RunStarted: lifecycle('RunStarted', {
    kind: Type.Literal('agent'),
    agentId: Uuid(),
    agentName: Type.String(),
    sessionId: Type.String(),
    userId: Type.String(),
  }),
  RunContent: within('RunContent', {
    messageId: Type.String(),
    channel: Choice(['answer', 'trace']),
    delta: Type.String(),
  }),
  RunContentReset: within('RunContentReset', {
    messageId: Type.String(),
    reason: Choice(['tool_calls', 'failover', 'reroute', 'guardrail']),
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
  RunCompleted: lifecycle('RunCompleted', { result: AgentRunResult }),
  RunError: lifecycle('RunError', { error: Type.String(), message: Type.String() }),
  RunCancelled: lifecycle('RunCancelled', {
    reason: Choice(['user', 'disconnect', 'shutdown']),
    content: Type.String({ description: 'What was written before the cancel.' }),
  }),
} as const

/** The name of a stream event. */
export type StreamEventName = keyof typeof STREAM_EVENTS
/** One stream event as the client reads it. */
export type StreamEvent = { [N in StreamEventName]: Static<(typeof STREAM_EVENTS)[N]> }[StreamEventName]
export const StreamEvent = Type.Unsafe<StreamEvent>({ anyOf: Object.values(STREAM_EVENTS) })

/** The events that end a stream. */
export const TERMINAL_EVENTS = [
  'RunCompleted',
  'RunError',
  'RunCancelled',
] as const satisfies StreamEventName[]

export const STREAM_DETAILS = ['answer', 'standard', 'full'] as const
/** How much of a run a stream shows. */
export type StreamDetail = (typeof STREAM_DETAILS)[number]
/** `?detail=`: how much of the run the stream shows. */
export const detailQuery = {
  detail: Type.Optional(Choice(STREAM_DETAILS, { default: 'standard' })),
}
