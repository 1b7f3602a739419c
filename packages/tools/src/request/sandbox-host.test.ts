import { propertyOf } from '@troupe/contract'
import { expect, test } from 'vitest'
import { withSandboxHost } from './sandbox-host.ts'

const passed: string[] = []
const fetch = withSandboxHost(async (input) => {
  passed.push(String(input))
  return new Response('real')
})

test('sandbox.test echoes the request, without headers', async () => {
  const response = await fetch('https://sandbox.test/articles?about=tides', {
    method: 'POST',
    headers: { authorization: 'Bearer secret' },
    body: new Blob(['{"limit":2}']),
  })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({
    method: 'POST',
    path: '/articles',
    query: { about: 'tides' },
    body: { limit: 2 },
  })
  expect(passed).toEqual([])
})

test('a key of the query that repeats is a list', async () => {
  const response = await fetch('https://sandbox.test/orders?tag=a&fields=state&tag=b')
  expect(propertyOf(await response.json(), 'query')).toEqual({ tag: ['a', 'b'], fields: 'state' })
})

test('a body that is not JSON is a text, and a missing one null', async () => {
  const bodyOf = async (init: RequestInit) =>
    propertyOf(await (await fetch('https://sandbox.test/', init)).json(), 'body')
  expect(await bodyOf({ method: 'PUT', body: '{half' })).toBe('{half')
  expect(await bodyOf({})).toBeNull()
})

test('every other host is reached unchanged', async () => {
  for (const url of ['https://sandbox.test.example/', 'https://a.sandbox.test/']) {
    expect(await (await fetch(url)).text()).toBe('real')
  }
  expect(passed).toEqual(['https://sandbox.test.example/', 'https://a.sandbox.test/'])
})
