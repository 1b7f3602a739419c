import { createMemoryLimiter, RateLimitedError } from '@troupe/rate-limits'
import { expect, test, vi } from 'vitest'
import { PasswordResets } from './password-resets.ts'

function open(mail: (email: string) => Promise<unknown> = async () => {}) {
  const mails: string[] = []
  const log = { error: vi.fn(), warn: vi.fn() }
  const resets = new PasswordResets({
    counter: createMemoryLimiter(),
    log,
    mail: (email) => {
      mails.push(email)
      return mail(email)
    },
  })
  return { resets, mails, log }
}
const from = (ip: string) => ({ ip, countedAddress: ip })
const refused = (request: Promise<void>) =>
  request.then(
    () => false,
    (error: unknown) => (error instanceof RateLimitedError ? true : Promise.reject(error)),
  )

test('a request gets its response before the account is looked up and the mail is sent', async () => {
  const gate = Promise.withResolvers<void>()
  const { resets, mails } = open(() => gate.promise)
  await resets.request(from('192.0.2.1'), 'ana@acme.test')
  expect(mails).toEqual([])
  const stopped = resets[Symbol.asyncDispose]()
  await expect.poll(() => mails).toEqual(['ana@acme.test'])
  gate.resolve()
  await stopped
})

test('an address has 3 requests for one account and 20 for all accounts; refused requests do not count', async () => {
  const { resets } = open()
  const ask = (email: string, ip = '192.0.2.1') => refused(resets.request(from(ip), email))
  for (let at = 0; at < 3; at += 1) expect(await ask('Ana@acme.test')).toBe(false)
  for (let at = 0; at < 30; at += 1) expect(await ask('ana@ACME.test')).toBe(true)
  for (let at = 0; at < 17; at += 1) expect(await ask(`${at}@acme.test`)).toBe(false)
  expect(await ask('one-more@acme.test')).toBe(true)
  expect(await ask('ana@acme.test', '192.0.2.2')).toBe(false)
})

test('behind a proxy that is not configured, one visitor does not use up the requests of the others', async () => {
  const { resets } = open()
  const ask = (countedAddress: string | null, email: string) =>
    refused(resets.request({ ip: '172.18.0.1', countedAddress }, email))
  for (let at = 0; at < 20; at += 1) expect(await ask('203.0.113.7', `${at}@acme.test`)).toBe(false)
  expect(await ask('203.0.113.7', 'one-more@acme.test')).toBe(true)
  expect(await ask('198.51.100.9', 'ana@acme.test')).toBe(false)
  expect(await ask(null, 'ben@acme.test')).toBe(false)
})

test('an account gets 5 mails per hour for all addresses, and further requests look the same', async () => {
  const { resets, mails } = open()
  for (let at = 0; at < 40; at += 1) {
    expect(await refused(resets.request(from(`192.0.2.${at}`), 'ana@acme.test'))).toBe(false)
  }
  await resets[Symbol.asyncDispose]()
  expect(mails).toHaveLength(5)
})

test('invalid addresses are not looked up, and a mail that fails is only logged', async () => {
  const { resets, mails, log } = open(async () => {
    throw new Error('the mail server is away')
  })
  for (const email of ['', 'ana', '@', 'a@b@c', 'ana\0@acme.test', `${'x'.repeat(100_000)}@acme.test`]) {
    await resets.request(from('192.0.2.1'), email)
  }
  await resets.request(from('192.0.2.1'), 'ana@acme.test')
  await resets[Symbol.asyncDispose]()
  expect(mails).toEqual(['ana@acme.test'])
  expect(log.error).toHaveBeenCalledOnce()
})

test('a hundred mails wait at most', async () => {
  const gate = Promise.withResolvers<void>()
  const { resets, mails, log } = open(() => gate.promise)
  for (let at = 0; at < 120; at += 1) await resets.request(from(`192.0.2.${at}`), `${at}@acme.test`)
  gate.resolve()
  await resets[Symbol.asyncDispose]()
  expect(mails).toHaveLength(100)
  expect(log.warn).toHaveBeenCalledTimes(20)
})
