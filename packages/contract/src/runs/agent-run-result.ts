import { type Static, Type } from 'typebox'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { AgentId, RunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { Citations } from './citation.ts'
import { guardrailFlags } from './guardrail-flag.ts'
import { RunMessage } from './message.ts'
import { RunMetrics } from './metrics.ts'

/** The answer of an agent run. */
export const AgentRunResult = Type.Object({
  runId: Uuid<RunId>(),
  agentId: Uuid<AgentId>(),
  agentName: Type.String(),
  content: Type.String({ description: 'The reply.' }),
  sessionId: Type.String(),
  userId: Type.String(),
  createdAt: UnixSeconds(),
  success: Type.Boolean(),
  metrics: RunMetrics,
  messages: Nullable(Type.Array(RunMessage, { description: 'null unless `include_messages` was true.' })),
  ...guardrailFlags,
  citations: Citations,
})
export type AgentRunResult = Static<typeof AgentRunResult>
