import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { type BodyTarget, bodyTargets } from './bodies.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { HOSTILE_BODIES } from './hostile-values.ts'
import { costlyDocuments, type SentDocument } from './send-documents.ts'

// Bodies of 1 MB that are wide, deep or fail many times, at every place of the schema of every operation. New operations are
// included automatically. `.ci/run` sends one to each (sampled-documents.test.ts).

let server: TestServer
let targets: BodyTarget[]
beforeAll(async () => {
  server = await startTestServer()
  targets = await bodyTargets(server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Operations with the same body share its places: the first one tries every place, the others a sample. */
const OF_OTHERS = 13

function* documentsOf(target: BodyTarget, tried: Set<string>): Generator<SentDocument> {
  for (const document of HOSTILE_BODIES) yield { target, document }
  let repeated = 0
  for (const document of hostileDocuments(target.schema, target.base, target.known)) {
    const kind = document.name.replace(/^draft\.(?=config)/, '')
    if (tried.has(kind)) repeated += 1
    if (tried.has(kind) && repeated % OF_OTHERS !== 0) continue
    tried.add(kind)
    yield { target, document }
  }
}

/** Each part reports its own findings: on a busy machine the whole takes more than half an hour. */
const PARTS = 8

describe('a hostile body of 1 MB', { timeout: 1_800_000 }, () => {
  test.for(
    Array.from({ length: PARTS }, (_, part) => part),
  )('has a short response and low cost for every operation (part %d)', async (part) => {
    const tried = new Set<string>()
    const all = targets.flatMap((target) => [...documentsOf(target, tried)])
    expect(all.length).toBeGreaterThan(2_000)
    const own = all.filter((_, index) => index % PARTS === part)
    expect(await costlyDocuments(server, own)).toEqual([])
  })
})
