import { forEachConcurrently } from '@troupe/durable-work'
import type { SessionState } from '../ports/session-state.ts'
import type { RunContext } from '../run/run-context.ts'
import { checkText, type Guarded } from './check-text.ts'

const CONCURRENT_CHECKS = 4

/**
 * A conversation kept by the caller, as a stored session would have it: input rules have changed its messages, and
 * an exchange with a blocked message is omitted. The caller still has the original texts.
 *
 * @throws the signal's reason
 */
export async function guardedHistory(
  ctx: RunContext,
  guarded: Guarded,
  state: SessionState | null,
): Promise<SessionState | null> {
  const rules = guarded.rules.input
  if (!state || state.sessionRowId !== null || rules.length === 0) return state
  // The flags of a result are those of its own message.
  const quiet: RunContext = { ...ctx, output: { ...ctx.output, flags: [] } }
  const inputs: (string | null)[] = []
  await forEachConcurrently(state.history, CONCURRENT_CHECKS, async ({ input }, at) => {
    const verdict = await checkText(
      quiet,
      guarded,
      { stage: 'input', rules, key: `history:${at}` },
      { text: input },
    )
    inputs[at] = verdict.blocked === null ? verdict.text : null
  })
  const history = state.history.flatMap((run, at) => {
    const input = inputs[at]
    return typeof input === 'string' ? [{ ...run, input }] : []
  })
  return { ...state, history }
}
