import { type Static, Type } from 'typebox'

/** The cost of a run. Tokens include every model call, even failed attempts that reported usage. */
export const RunMetrics = Type.Object({
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  latencyMs: Type.Integer({ description: 'From acceptance to the result.' }),
  model: Type.Null({ description: 'Always null.' }),
  failoverUsed: Type.Boolean({ description: 'Whether a fallback model served any call.' }),
})
export type RunMetrics = Static<typeof RunMetrics>
