import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'

test('the reference page with a trailing slash redirects to the one without', async () => {
  await using server = await startTestServer()
  const { status, headers } = await server.call('GET /docs/', { key: null })
  expect([status, headers.location]).toEqual([308, '/docs'])
})
