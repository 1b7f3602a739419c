import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { type BodyTarget, bodyTargets } from './bodies.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { HOSTILE_BODIES } from './hostile-values.ts'
import { costlyDocuments } from './send-documents.ts'

// One hostile body for each operation, another place and kind for each. hostile-documents.test.ts sends them all.

let server: TestServer
let targets: BodyTarget[]
beforeAll(async () => {
  server = await startTestServer()
  targets = await bodyTargets(server)
})
afterAll(() => server[Symbol.asyncDispose]())

test('a hostile body of 1 MB has a short response and low cost', { timeout: 300_000 }, async () => {
  const sampled = targets.map((target, at) => {
    const documents = [...HOSTILE_BODIES, ...hostileDocuments(target.schema, target.base, target.known)]
    return { target, document: documents[(at * 37) % documents.length] ?? HOSTILE_BODIES[0] }
  })
  expect(await costlyDocuments(server, sampled as Parameters<typeof costlyDocuments>[1])).toEqual([])
})
