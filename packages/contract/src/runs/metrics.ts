import { type Static, Type } from 'typebox'

/** What a run cost. Tokens count every model call of the run, failed attempts that reported usage included. */
export const RunMetrics = Type.Object({
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  latencyMs: Type.Integer({ description: 'From acceptance to the result.' }),
  model: Type.Null({ description: 'Always null.' }),
  failoverUsed: Type.Boolean({ description: 'Whether a fallback model served any call.' }),
})
export type RunMetrics = Static<typeof RunMetrics>
