import { UnansweredCall } from '@troupe/voice'
import { ServerError, SipCallError } from 'livekit-server-sdk'
import { isTimeout, isWithoutAnswer } from './media-plane-failure.ts'
import { sipPhrase } from './sip-phrase.ts'
import { type ClassifiedFailure, classifySipStatus } from './sip-status-failure.ts'

/**
 * The cause of an unanswered call. The carrier's SIP status takes precedence: a 404 arrives as `not_found` and a 486 as
 * `resource_exhausted`, so LiveKit's codes alone would be misleading.
 */
export function toUnansweredCall(error: unknown, ringingTimeoutS: number): UnansweredCall {
  const status = sipStatusOf(error)
  if (status !== null) {
    const { reason, message } = classifySipStatus(status.statusCode, status.status ?? '')
    return new UnansweredCall(reason, message, status, { cause: error })
  }
  const { reason, message } = classifyWithoutStatus(error, ringingTimeoutS)
  return new UnansweredCall(reason, message, { statusCode: null, status: null }, { cause: error })
}

function sipStatusOf(error: unknown): { statusCode: number; status: string | null } | null {
  if (!(error instanceof SipCallError)) return null
  const statusCode = error.sipStatusCode
  if (statusCode === undefined || !Number.isInteger(statusCode) || statusCode < 300) return null
  return { statusCode, status: sipPhrase(error.sipStatus ?? '') || null }
}

const INFRA: ClassifiedFailure = {
  reason: 'infra',
  message: 'Voice is temporarily unavailable. Try again shortly.',
}
const UNREACHABLE: ClassifiedFailure = {
  reason: 'carrier_unreachable',
  message: 'The carrier did not respond.',
}
const UNKNOWN: ClassifiedFailure = { reason: 'unknown', message: 'The call failed.' }

function classifyWithoutStatus(error: unknown, ringingTimeoutS: number): ClassifiedFailure {
  const noAnswer: ClassifiedFailure = {
    reason: 'no_answer',
    message: `No answer within ${ringingTimeoutS} seconds.`,
  }
  if (isTimeout(error)) return noAnswer
  if (isWithoutAnswer(error)) return INFRA
  if (!(error instanceof ServerError)) return UNKNOWN
  // LiveKit writes "twirp error unknown: " in front of some messages, so only parts are compared.
  const text = error.message.toLowerCase()
  switch (error.code) {
    case 'deadline_exceeded':
      return noAnswer
    case 'canceled':
      return classifyCanceled(text, noAnswer)
    case 'invalid_argument':
      return classifyInvalid(text)
    case 'failed_precondition':
      return classifyPrecondition(text)
    case 'unavailable':
      // The same code is used for a carrier that refuses the connection.
      return text.includes('no response from servers') || text.includes('cpu exhausted') ? INFRA : UNREACHABLE
    case 'internal':
      return text.includes('sip not connected') ? INFRA : UNKNOWN
    case 'not_found':
      return { reason: 'trunk_lost', message: 'The trunk could not be reached.' }
    default:
      return UNKNOWN
  }
}

/** The bridge counts the provisional responses of a transaction that ended without a final one. */
function classifyCanceled(text: string, noAnswer: ClassifiedFailure): ClassifiedFailure {
  if (text.includes('sip request timed out')) return noAnswer
  if (text.includes('transaction failed to complete')) {
    return text.includes('transaction failed to complete (0 ') ? UNREACHABLE : noAnswer
  }
  return UNKNOWN
}

function classifyPrecondition(text: string): ClassifiedFailure {
  if (text.includes('sdp')) return { reason: 'media_mismatch', message: 'No common codec with the carrier.' }
  const isAuth = ['auth', 'credential', 'header'].some((part) => text.includes(part))
  return isAuth ? { reason: 'trunk_auth', message: 'The carrier rejected the trunk credentials.' } : UNKNOWN
}

function classifyInvalid(text: string): ClassifiedFailure {
  if (text.includes('invalid to header') || text.includes('invalid request uri')) {
    return { reason: 'invalid_number', message: 'The number is not valid for this carrier.' }
  }
  const isAddress = ['dns', 'lookup', 'resolve', 'address', 'no such host'].some((part) =>
    text.includes(part),
  )
  return isAddress
    ? { reason: 'carrier_unreachable', message: "The carrier's address could not be resolved." }
    : UNKNOWN
}
