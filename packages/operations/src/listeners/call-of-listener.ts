import type { ListenerCallId, ListenerId } from '@troupe/contract'
import type { CallVerdict } from '@troupe/contract/builder'
import type { ListenerCall } from '@troupe/storage'
import { loggedHeaders } from '../webhooks/delivery-recorder.ts'

/** Maximum stored bytes of the body of a refused call, because anybody may have sent it. */
const MAX_REFUSED = 64 * 1024
/** Maximum stored bytes of the body of an accepted call: as many as production accepts. */
const MAX_ACCEPTED = 1024 * 1024

/** A call as received by a listener. */
export interface ArrivedCall {
  id: ListenerCallId
  listenerId: ListenerId
  receivedAt: Date
  ip: string
  distinct: NodeJS.Dict<string[]>
  raw: Buffer
}

/** The outcome of a call. */
export interface CallOutcome {
  verdict: CallVerdict
  status: number
  reason: string | null
}

/** A call in its stored form: without credentials, and shortened if its sender was not authenticated. */
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
