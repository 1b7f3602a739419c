import { type Static, Type } from 'typebox'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { RunId, TeamId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { Citations } from './citation.ts'
import { guardrailFlags } from './guardrail-flag.ts'
import { RunMessage } from './message.ts'
import { RunMetrics } from './metrics.ts'
import { RunPlan } from './plan.ts'

/** The answer of a team run. */
export const TeamRunResult = Type.Object({
  runId: Uuid<RunId>(),
  teamId: Uuid<TeamId>(),
  teamName: Type.String(),
  content: Type.String({ description: "The lead's synthesis, or the routed member's response (`handoff`)." }),
  sessionId: Type.String(),
  userId: Type.String(),
  createdAt: UnixSeconds(),
  success: Type.Boolean(),
  metrics: RunMetrics,
  messages: Nullable(Type.Array(RunMessage, { description: 'null unless `include_messages` was true.' })),
  ...guardrailFlags,
  citations: Citations,
  plan: Type.Optional(RunPlan),
})
export type TeamRunResult = Static<typeof TeamRunResult>
