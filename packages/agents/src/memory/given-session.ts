import type { HistoryLimits, HistoryRun, SessionState } from '../ports/session-state.ts'
import type { GivenExchange } from '../run/run-request.ts'

/**
 * The state of a run whose caller keeps the conversation: its newest exchanges within the limits of a stored session.
 */
export function givenSession(
  exchanges: readonly GivenExchange[],
  ownerUserId: string,
  { maxBytes, maxRuns }: Pick<HistoryLimits, 'maxBytes' | 'maxRuns'>,
): SessionState {
  const history: HistoryRun[] = []
  let left = maxBytes
  for (let at = exchanges.length - 1; at >= 0 && history.length < maxRuns; at -= 1) {
    const exchange = exchanges[at]
    if (!exchange) break
    const { user: input, assistant: content } = exchange
    left -= Buffer.byteLength(input) + Buffer.byteLength(content)
    if (left < 0) break
    history.unshift({ seq: at + 1, status: 'completed', input, content, answeredBy: null })
  }
  return { sessionRowId: null, ownerUserId, summary: null, history, unsummarisedBytes: 0 }
}
