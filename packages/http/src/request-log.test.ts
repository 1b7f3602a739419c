import { Writable } from 'node:stream'
import { createLogger } from '@troupe/telemetry/logger'
import { startTestServer } from '@troupe/test-kit/server'
import { expect, test, vi } from 'vitest'

test('the log finds a request and its tenant, and contains no content, key or credential', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(piece, _encoding, done) {
      lines.push(String(piece))
      done()
    },
  })
  const log = createLogger({ level: 'trace' }, sink)
  await using server = await startTestServer({ overrides: { log } })
  const { keys, organizationId, agents } = server.seed
  const headers = { authorization: 'Bearer topsecret-bearer', cookie: 'topsecret-cookie' }
  await server.call('POST /api/v1/agents', {
    headers: { ...headers, 'x-request-id': 'find-me' },
    body: {
      name: 'topsecret-name',
      config: { instructions: 'topsecret-instructions', metadata: { apiKey: 'topsecret' } },
    },
  })
  await server.call('POST /api/v1/agents', { headers, body: '{"name":"topsecret-broken' })
  await server.call('GET /api/v1/agents?status=topsecret-query', { key: 'topsecret-unknown-key' })
  await server.call('GET /topsecret-path')
  await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
    body: { message: 'topsecret-message' },
  })
  vi.spyOn(server.context.database.read.agents, 'page').mockRejectedValueOnce(
    new Error('the database is away'),
  )
  await server.call('GET /api/v1/agents?page=1')

  const text = lines.join('')
  expect(text).not.toContain('topsecret')
  for (const key of Object.values(keys)) expect(text).not.toContain(key)
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.find(({ requestId }) => requestId === 'find-me')).toMatchObject({
    level: 'info',
    organizationId,
    method: 'POST',
    route: '/api/v1/agents',
    status: 201,
    durationMs: expect.any(Number),
  })
  expect(entries.find(({ level }) => level === 'error')).toMatchObject({
    err: { message: 'the database is away', stack: expect.any(String) },
  })
})
