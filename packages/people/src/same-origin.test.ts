import type { DomainError, RequestHeaders } from '@troupe/contract'
import { expect, test } from 'vitest'
import { createOriginCheck } from './same-origin.ts'

function answer(publicUrl: string, headers: RequestHeaders): string {
  try {
    createOriginCheck(publicUrl)({ headers })
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
