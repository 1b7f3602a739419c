import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createGuardedFetch } from '@troupe/safe-fetch'
import { expect, test } from 'vitest'
import { failureReason } from './failure-reason.ts'

const coded = (fields: object, cause?: Error) =>
  Object.assign(new Error('to ann@acme.test', { cause }), fields)

test.each([
  [coded({ code: 'EENVELOPE', responseCode: 550 }), 'EENVELOPE 550'],
  [coded({ code: 'EAUTH', responseCode: 535 }, coded({ code: 'ERR_X' })), 'EAUTH 535, ERR_X'],
  [new DOMException('took too long', 'TimeoutError'), 'TimeoutError'],
  [coded({ code: 'ann@acme.test' }), 'Error'],
  [coded({ name: 'ann@acme.test' }), 'Error'],
  [new AggregateError([coded({ code: 'ENETUNREACH' })], 'all of 10.0.0.1'), 'AggregateError, ENETUNREACH'],
  ['ann@acme.test', 'unknown'],
])('%s is reported by names and codes only', (error, reason) => {
  expect(failureReason(error)).toBe(reason)
})

test('a refused connection is reported below the TypeError of fetch', async () => {
  await using outgoing = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'] })
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  taken.close()
  await once(taken, 'close')
  const error = await outgoing.fetch(`http://127.0.0.1:${port}/secret`).catch((thrown: unknown) => thrown)
  expect(failureReason(error)).toBe('TypeError, ECONNREFUSED')
})

test('a forbidden address is reported as such', async () => {
  await using outgoing = createGuardedFetch({ allowedNetworks: [] })
  const error = await outgoing.fetch('http://127.0.0.1/secret').catch((thrown: unknown) => thrown)
  expect(failureReason(error)).toBe('TypeError, ADDRESS_NOT_ALLOWED')
})
