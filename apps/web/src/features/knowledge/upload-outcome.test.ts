import { expect, test } from 'vitest'
import { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { addedUpload, uploadOutcome } from './upload-outcome.ts'

test.for([
  [
    'a kind of file that cannot be read',
    new CallFailure('unsupported_document', 'No.', { status: 422 }),
    false,
  ],
  ['a file that is too large', new CallFailure('payload_too_large', 'No.', { status: 413 }), false],
  [
    'a knowledge base that is gone',
    new CallFailure('knowledge_base_not_found', 'No.', { status: 404 }),
    false,
  ],
  ['a lost connection', new CallFailure('offline', 'No.'), true],
  ['a full disk', new CallFailure('storage_unavailable', 'No.', { status: 503 }), true],
  ['too many requests', new CallFailure('rate_limit_exceeded', 'No.', { status: 429 }), true],
  ['an ended session', new CallFailure('unauthorized', 'No.', { status: 401 }), true],
] as const)('after %s, a file is sent again only where that can help', ([, failure, mayRetry]) => {
  expect(uploadOutcome({ ok: false, failure })).toEqual({ state: 'failed', note: 'No.', mayRetry })
})

test('an empty file is not sent', () => {
  expect(addedUpload(1, new File([], 'empty.txt'))).toMatchObject({ state: 'failed', mayRetry: false })
  expect(addedUpload(2, new File(['x'], 'x.txt'))).toMatchObject({ state: 'waiting' })
})
