import type { ListenerCallId, ListenerId } from '@troupe/contract'
import type { CallVerdict } from '@troupe/contract/builder'
import type { ListenerCall } from '@troupe/storage'
import { loggedHeaders } from '../webhooks/delivery-recorder.ts'

/** Bytes kept of the body of a refused call, whose sender may be anybody. */
const MAX_REFUSED = 64 * 1024
/** Bytes kept of the body of an accepted call: all that production accepts. */
const MAX_ACCEPTED = 1024 * 1024

/** What came to a listener. */
export interface ArrivedCall {
  id: ListenerCallId
  listenerId: ListenerId
  receivedAt: Date
  ip: string
  distinct: NodeJS.Dict<string[]>
  raw: Buffer
}

/** What came of it. */
export interface CallOutcome {
  verdict: CallVerdict
  status: number
  reason: string | null
}

/** A call as it is kept: without credentials, and cut where nobody has proven anything. */
export function keptCall({ distinct, raw, ...call }: ArrivedCall, outcome: CallOutcome): ListenerCall {
  const kept = raw.subarray(0, outcome.verdict === 'accepted' ? MAX_ACCEPTED : MAX_REFUSED)
  return {
    ...call,
    ...outcome,
    headers: loggedHeaders(distinct),
    body: kept.toString('utf8'),
    bodyBytes: raw.length,
    keptBytes: kept.length,
  }
}
