import { ServerError } from 'livekit-server-sdk'
import { expect, test } from 'vitest'
import { toMediaPlaneError } from './media-plane-failure.ts'

const failedFetch = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
const answered = (status: number, code: string | undefined) => new ServerError('x', 'x', status, code)

test.for<[what: string, error: unknown, reason: string, mayHaveHappened: boolean]>([
  ['a refused connection', failedFetch('ECONNREFUSED'), 'unavailable', false],
  ['an unknown host', failedFetch('ENOTFOUND'), 'unavailable', false],
  [
    'refused connections to two addresses',
    new TypeError('fetch failed', {
      cause: new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]),
    }),
    'unavailable',
    false,
  ],
  ['a connection that broke', failedFetch('ECONNRESET'), 'unavailable', true],
  ['a timeout', new DOMException('x', 'TimeoutError'), 'unavailable', true],
  ['an internal error', answered(500, 'internal'), 'unavailable', true],
  ['no node', answered(503, 'unavailable'), 'unavailable', true],
  ['a proxy without a server', answered(502, undefined), 'unavailable', true],
  ['a limit of the server', answered(429, 'resource_exhausted'), 'unavailable', false],
  ['a missing room', answered(404, 'not_found'), 'not_found', false],
  ['a wrong address', answered(404, 'bad_route'), 'refused', false],
  ['wrong credentials', answered(401, 'unauthenticated'), 'refused', false],
  ['an error of our own', new Error('x'), 'unavailable', true],
])('%s', ([, error, reason, mayHaveHappened]) => {
  expect(toMediaPlaneError(error, 'create the room')).toMatchObject({
    reason,
    mayHaveHappened,
    cause: error,
    message: expect.stringContaining('The media server did not create the room'),
  })
})
