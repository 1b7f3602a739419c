import type { DomainError, RequestHeaders } from '@troupe/contract'
import { describe, expect, test } from 'vitest'
import { createOriginCheck } from './same-origin.ts'

function answer(publicUrl: string, headers: RequestHeaders, hasPublicUrl = true): string {
  try {
    createOriginCheck({ publicUrl, hasPublicUrl })({ headers })
    return 'passes'
  } catch (error) {
    return (error as DomainError).code
  }
}

test.each([
  ['the public URL, behind a proxy that names another host', 'https://troupe.test', 'http://10.0.0.3'],
  ['the host that was asked', 'http://127.0.0.1:3000', '127.0.0.1:3000'],
])('%s passes', (_name, origin, host) => {
  const publicUrl = origin.startsWith('https') ? 'https://troupe.test/base' : 'http://localhost:3000'
  expect(answer(publicUrl, { origin, host })).toBe('passes')
})

test.each([
  ['no Origin', undefined],
  ['the Origin of a sandbox or without a referrer', 'null'],
  ['another site', 'https://evil.test'],
  ['another port', 'https://troupe.test:8443'],
  ['plain http of the same host', 'http://troupe.test'],
  ['a longer host', 'https://troupe.test.evil.test'],
  ['two Origins', ['https://troupe.test', 'https://troupe.test']],
])('%s is forbidden', (_name, origin) => {
  expect(answer('https://troupe.test', { origin, host: 'troupe.test' })).toBe('forbidden')
})

describe('a Host that the caller chooses', () => {
  const rebound = (publicUrl: string, host: string, hasPublicUrl: boolean) =>
    answer(publicUrl, { origin: `${new URL(publicUrl).protocol}//${host}`, host }, hasPublicUrl)

  test.each([
    // A page of the name's owner, who resolves the name to this server.
    ['http://localhost:3000', 'evil.test:3000', false],
    ['http://localhost:3000', 'localhost.evil.test', false],
    ['http://localhost:3000', '127.0.0.1.nip.io:3000', false],
    ['http://localhost:3000', '192.168.1.5:3000', true],
    ['https://troupe.test', 'evil.test', true],
    ['https://troupe.test', '127.0.0.1', true],
    ['https://troupe.test', 'localhost', true],
  ])('%s: a page at %s is forbidden', (publicUrl, host, hasPublicUrl) => {
    expect(rebound(publicUrl, host, hasPublicUrl)).toBe('forbidden')
  })

  test.each([
    ['http://localhost:3000', '127.0.0.1:3000', true],
    ['http://127.0.0.1:3000', 'localhost:3000', true],
    ['http://localhost:3000', '[::1]:3000', true],
    ['http://localhost:3000', '192.168.1.5:3000', false],
    ['http://localhost:3000', '[fd00::5]:3000', false],
  ])('%s: a page at %s passes', (publicUrl, host, hasPublicUrl) => {
    expect(rebound(publicUrl, host, hasPublicUrl)).toBe('passes')
  })

  test('an Origin that is not the Host is forbidden', () => {
    const headers = { origin: 'http://127.0.0.1:9999', host: '127.0.0.1:3000' }
    expect(answer('http://localhost:3000', headers, false)).toBe('forbidden')
  })
})
