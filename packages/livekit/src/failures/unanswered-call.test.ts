import type { CallFailureReason } from '@troupe/voice'
import { ServerError, SipCallError } from 'livekit-server-sdk'
import { describe, expect, test } from 'vitest'
import { toUnansweredCall } from './unanswered-call.ts'

const EVERY_REASON: Record<CallFailureReason, true> = {
  busy: true,
  no_answer: true,
  invalid_number: true,
  carrier_unreachable: true,
  declined: true,
  trunk_auth: true,
  carrier_refused: true,
  media_mismatch: true,
  carrier_error: true,
  carrier_limit: true,
  canceled: true,
  trunk_lost: true,
  infra: true,
  unknown: true,
}

/** A call that ended with a SIP status, in the SDK's error format. */
function withStatus(status: number, phrase: string, code = 'unknown') {
  return new SipCallError('error', 'twirp error unknown: …', 400, code, {
    sip_status_code: String(status),
    sip_status: phrase,
  })
}

function withoutStatus(code: string, message: string, status = 503) {
  return new ServerError('error', `twirp error unknown: ${message}`, status, code)
}

function refused(code: string) {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) })
}

const BY_STATUS: [statuses: number[], reason: CallFailureReason, message: string][] = [
  [[486, 600], 'busy', 'The called party is busy (SIP $).'],
  [[480, 408], 'no_answer', 'The called party is temporarily unavailable (SIP $).'],
  [[404, 410, 484, 485, 604], 'invalid_number', 'The number is not valid or not in service (SIP $).'],
  [[603, 607, 608], 'declined', 'The call was declined (SIP $).'],
  [[401, 407], 'trunk_auth', 'The carrier rejected the trunk credentials.'],
  [[402, 403], 'carrier_refused', 'The carrier refused the call (SIP $): Some Phrase'],
  [[415, 488, 606], 'media_mismatch', 'No common codec with the carrier (SIP $).'],
  [[500, 502, 503, 504, 513, 580], 'carrier_error', 'The carrier failed the call (SIP $).'],
  [[487], 'canceled', 'The call was canceled before it was answered.'],
  [[300, 400, 405, 481, 699], 'unknown', 'The call failed.'],
]

const ROWS = BY_STATUS.flatMap(([statuses, reason, message]) =>
  statuses.map((status) => ({ status, reason, message: message.replace('$', String(status)) })),
)

test.for(ROWS)('SIP $status is $reason', ({ status, reason, message }) => {
  const failure = toUnansweredCall(withStatus(status, 'Some Phrase'), 30)
  expect(failure).toMatchObject({
    failureReason: reason,
    message,
    sipStatusCode: status,
    sipStatus: 'Some Phrase',
  })
})

test('a SIP status decides before the code with which LiveKit reports it', () => {
  expect(toUnansweredCall(withStatus(404, 'Not Found', 'not_found'), 30).failureReason).toBe('invalid_number')
  expect(toUnansweredCall(withStatus(486, 'Busy Here', 'resource_exhausted'), 30).failureReason).toBe('busy')
  expect(toUnansweredCall(withStatus(503, 'Down', 'failed_precondition'), 30).failureReason).toBe(
    'carrier_error',
  )
})

test("a carrier's limit is distinguished from its other failures by the phrase", () => {
  const failure = toUnansweredCall(withStatus(503, 'Concurrent Calls Limit Exceeded'), 30)
  expect(failure).toMatchObject({
    failureReason: 'carrier_limit',
    message: 'The carrier failed the call (SIP 503).',
  })
})

test('a refusal without a phrase ends with a full stop', () => {
  expect(toUnansweredCall(withStatus(403, ''), 30)).toMatchObject({
    message: 'The carrier refused the call (SIP 403).',
    sipStatus: null,
  })
})

const WITHOUT_STATUS: [what: string, error: unknown, reason: CallFailureReason, message: string][] = [
  [
    'the ringing timeout',
    withoutStatus('canceled', 'sip request timed out', 408),
    'no_answer',
    'No answer within 25 seconds.',
  ],
  [
    'a deadline',
    withoutStatus('deadline_exceeded', 'context deadline exceeded'),
    'no_answer',
    'No answer within 25 seconds.',
  ],
  [
    'a timeout of the request',
    new DOMException('aborted', 'TimeoutError'),
    'no_answer',
    'No answer within 25 seconds.',
  ],
  [
    'an invalid number',
    withoutStatus('invalid_argument', 'invalid To header: x', 400),
    'invalid_number',
    'The number is not valid for this carrier.',
  ],
  [
    'an invalid request URI',
    withoutStatus('invalid_argument', 'invalid request URI', 400),
    'invalid_number',
    'The number is not valid for this carrier.',
  ],
  [
    'an address without a host',
    withoutStatus('invalid_argument', 'lookup sip.x.test: no such host', 400),
    'carrier_unreachable',
    "The carrier's address could not be resolved.",
  ],
  [
    'another invalid argument',
    withoutStatus('invalid_argument', 'who knows', 400),
    'unknown',
    'The call failed.',
  ],
  [
    'refused credentials',
    withoutStatus('failed_precondition', 'max auth retry attempts reached', 412),
    'trunk_auth',
    'The carrier rejected the trunk credentials.',
  ],
  [
    'missing credentials',
    withoutStatus('failed_precondition', 'server required auth, but no credentials were provided', 412),
    'trunk_auth',
    'The carrier rejected the trunk credentials.',
  ],
  [
    'a broken SDP',
    withoutStatus('failed_precondition', 'invalid SDP answer', 412),
    'media_mismatch',
    'No common codec with the carrier.',
  ],
  [
    'another precondition',
    withoutStatus('failed_precondition', 'who knows', 412),
    'unknown',
    'The call failed.',
  ],
  [
    'an INVITE that nobody answered',
    withoutStatus('canceled', 'transaction failed to complete (0 intermediate responses)', 408),
    'carrier_unreachable',
    'The carrier did not respond.',
  ],
  [
    'an INVITE that only rang',
    withoutStatus('canceled', 'transaction failed to complete (2 intermediate responses)', 408),
    'no_answer',
    'No answer within 25 seconds.',
  ],
  ['another cancel', withoutStatus('canceled', 'who knows', 408), 'unknown', 'The call failed.'],
  [
    'a carrier that refuses the connection',
    withoutStatus('unavailable', 'dial tcp 192.0.2.1:5060: connection refused'),
    'carrier_unreachable',
    'The carrier did not respond.',
  ],
  [
    'no bridge',
    withoutStatus('unavailable', 'no response from servers'),
    'infra',
    'Voice is temporarily unavailable. Try again shortly.',
  ],
  [
    'a bridge under load',
    withoutStatus('unavailable', 'cpu exhausted'),
    'infra',
    'Voice is temporarily unavailable. Try again shortly.',
  ],
  [
    'a server without SIP',
    withoutStatus('internal', 'sip not connected (redis required)', 500),
    'infra',
    'Voice is temporarily unavailable. Try again shortly.',
  ],
  ['another internal error', withoutStatus('internal', 'who knows', 500), 'unknown', 'The call failed.'],
  [
    'a refused connection',
    refused('ECONNREFUSED'),
    'infra',
    'Voice is temporarily unavailable. Try again shortly.',
  ],
  [
    'a trunk that the server has lost',
    withoutStatus('not_found', 'requested sip trunk does not exist', 404),
    'trunk_lost',
    'The trunk could not be reached.',
  ],
  ['another code', withoutStatus('permission_denied', 'who knows', 403), 'unknown', 'The call failed.'],
  ['an error of our own', new Error('who knows'), 'unknown', 'The call failed.'],
]

describe('without a SIP status', () => {
  test.for(WITHOUT_STATUS)('%s is %3$s', ([, error, reason, message]) => {
    expect(toUnansweredCall(error, 25)).toMatchObject({
      failureReason: reason,
      message,
      sipStatusCode: null,
      sipStatus: null,
      cause: error,
    })
  })
})

test('every reason for a failed call occurs in these tables', () => {
  const seen = new Set([
    ...BY_STATUS.map(([, reason]) => reason),
    ...WITHOUT_STATUS.map(([, , reason]) => reason),
  ])
  expect([...seen, 'carrier_limit'].sort()).toEqual(Object.keys(EVERY_REASON).sort())
})
