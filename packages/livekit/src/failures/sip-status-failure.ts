import type { CallFailureReason } from '@troupe/voice'

/** The meaning of a final SIP status of a call, with the message for the caller of the API. */
export interface ClassifiedFailure {
  reason: CallFailureReason
  message: string
}

const BUSY = new Set([486, 600])
const NO_ANSWER = new Set([480, 408])
const INVALID_NUMBER = new Set([404, 410, 484, 485, 604])
const DECLINED = new Set([603, 607, 608])
const TRUNK_AUTH = new Set([401, 407])
const CARRIER_REFUSED = new Set([402, 403])
const MEDIA_MISMATCH = new Set([415, 488, 606])
const CANCELED = 487

/** `phrase` is already sanitized by `sipPhrase`; it may be empty. */
export function classifySipStatus(status: number, phrase: string): ClassifiedFailure {
  if (BUSY.has(status)) return failure('busy', `The called party is busy (SIP ${status}).`)
  if (NO_ANSWER.has(status)) {
    return failure('no_answer', `The called party is temporarily unavailable (SIP ${status}).`)
  }
  if (INVALID_NUMBER.has(status)) {
    return failure('invalid_number', `The number is not valid or not in service (SIP ${status}).`)
  }
  if (DECLINED.has(status)) return failure('declined', `The call was declined (SIP ${status}).`)
  if (TRUNK_AUTH.has(status)) return failure('trunk_auth', 'The carrier rejected the trunk credentials.')
  if (CARRIER_REFUSED.has(status)) {
    const refused = `The carrier refused the call (SIP ${status})`
    return failure('carrier_refused', phrase === '' ? `${refused}.` : `${refused}: ${phrase}`)
  }
  if (MEDIA_MISMATCH.has(status)) {
    return failure('media_mismatch', `No common codec with the carrier (SIP ${status}).`)
  }
  if (status >= 500 && status <= 599) {
    const isLimit = phrase.toLowerCase().includes('limit exceeded')
    return failure(
      isLimit ? 'carrier_limit' : 'carrier_error',
      `The carrier failed the call (SIP ${status}).`,
    )
  }
  if (status === CANCELED) return failure('canceled', 'The call was canceled before it was answered.')
  return failure('unknown', 'The call failed.')
}

function failure(reason: CallFailureReason, message: string): ClassifiedFailure {
  return { reason, message }
}
