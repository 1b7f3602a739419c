import type { VoiceSessionId } from '@troupe/contract'
import { type CallResults, DIALER_SILENCE_MS } from '../sessions/call-results.ts'
import type { VoiceSessionKey } from '../sessions/session.ts'
import type { CallParts } from './call-parts.ts'
import type { CallStore, UnseenAnswer } from './call-store.ts'

const SEEN_MS = 1_000
/** LiveKit's `sip.callStatus` of an answered call. */
const ANSWERED = 'active'

/**
 * Keeps a call from being taken over by a heartbeat, until disposed. An unreachable database only skips a
 * round.
 */
export function dialerSeen(
  { calls, now }: Pick<CallParts, 'calls' | 'now'>,
  key: VoiceSessionKey,
): Disposable {
  const timer = setInterval(() => void calls.dialerSeen(key, new Date(now())).catch(() => {}), SEEN_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * Activates calls that were answered after their dialing process had died: their agents see the answer. While that
 * process lives, it alone decides, because the status of a call may become active too early.
 */
export async function takeUnseenAnswers(
  {
    calls,
    results,
    now,
  }: { calls: Pick<CallStore, 'answeredUnseen'>; results: CallResults; now: () => number },
  workerId: string,
  jobs: readonly { sessionId: VoiceSessionId; callStatus: string | null; sipCallId: string | null }[],
): Promise<void> {
  const answers = jobs.flatMap(({ sessionId, callStatus, sipCallId }): UnseenAnswer[] =>
    callStatus === ANSWERED && sipCallId !== null ? [{ sessionId, sipCallId }] : [],
  )
  if (answers.length === 0) return
  const at = now()
  const dialerSeenBefore = new Date(at - DIALER_SILENCE_MS)
  const taken = await calls.answeredUnseen(workerId, answers, { at: new Date(at), dialerSeenBefore })
  for (const _ of taken) results.callResolved('answered', null)
}
