import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'

/** `config.memory`: the memory of a session, and the memory that outlives it. */
export const MemoryConfig = Type.Object({
  history: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      max_runs: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
      max_tokens: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
      tool_traffic_runs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    }),
  ),
  summary: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      trigger_tokens: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 100_000 })),
    }),
  ),
  user_memories: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      scope: Type.Optional(Choice(['agent', 'project'])),
      max: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    }),
  ),
})
