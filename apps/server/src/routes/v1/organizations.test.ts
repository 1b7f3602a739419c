import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'

test('the limits are those in force for the key', async () => {
  await using server = await startTestServer({ organizationRpm: 500 })
  const answer = await server.call('GET /api/v1/organizations/limits', { key: server.seed.keys.limited })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    rate_limits: { org_rpm: 500, key_rpm: 3 },
    file_uploads: {
      enabled: false,
      max_file_size_mb: 16,
      max_total_size_mb: 64,
      max_files_per_request: 10,
      note: 'File uploads for runs are currently disabled.',
    },
  })
})

test('a key without its own limit has key_rpm null', async () => {
  await using server = await startTestServer()
  const { body } = await server.call('GET /api/v1/organizations/limits')
  expect(body).toMatchObject({ rate_limits: { org_rpm: 100_000, key_rpm: null } })
})
