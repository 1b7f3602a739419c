import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { AgentId, RunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** One message of a run: no history, no system text, no reasoning. */
export const RunMessage = Type.Object({
  id: Type.String(),
  role: Choice(['user', 'assistant', 'tool']),
  content: Nullable(Type.String()),
  toolCalls: Nullable(
    Type.Array(
      Type.Object({
        toolCallId: Type.String(),
        name: Type.String(),
        arguments: Type.Unknown(),
        status: Choice(['ok', 'error', 'denied']),
        result: Nullable(Type.String({ description: 'The text that the model read.' })),
        ms: Nullable(Type.Integer({ description: 'null for a call that was not executed.' })),
      }),
    ),
  ),
  toolCallId: Nullable(Type.String()),
  toolName: Nullable(Type.String()),
  isError: Nullable(Type.Boolean()),
  agentId: Nullable(Uuid<AgentId>()),
  agentName: Nullable(Type.String()),
  runId: Uuid<RunId>(),
  createdAt: UnixSeconds(),
})
export type RunMessage = Static<typeof RunMessage>
