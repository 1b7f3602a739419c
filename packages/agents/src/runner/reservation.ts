import { tokensOf } from '../chain/tokens.ts'
import { historyBytes } from '../memory/replayed-history.ts'
import { pricesOf } from '../run/estimate-call.ts'
import { MAX_OUTPUT_TOKENS, type Spending } from '../run/run-budget.ts'
import type { PreparedRun } from '../run/subject.ts'

/** The amounts that a run in flight reserves in the budgets of the organization and the project: those of its first model call. */
export function reservationOf({
  subject,
  request,
  state,
}: Pick<PreparedRun, 'subject' | 'request' | 'state'>): Spending {
  const { resolved, budget } = subject
  if (!resolved) return { tokens: 0, costMicros: 0 }
  const bytes = (state?.history ?? []).reduce((sum, run) => sum + historyBytes(run), 0)
  const outputTokens = resolved.chain.targets[0].parameters?.maxOutputTokens ?? MAX_OUTPUT_TOKENS
  const inputTokens = tokensOf(request.message.length + bytes)
  const prices = pricesOf(resolved)
  return {
    tokens: Math.min(inputTokens + outputTokens, budget.max_total_tokens ?? Infinity),
    costMicros: prices ? inputTokens * prices.input + outputTokens * prices.output : 0,
  }
}
