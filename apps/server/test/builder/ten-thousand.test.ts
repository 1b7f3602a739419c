import { propertyOf } from '@troupe/contract'
import { type BulkDatabase, openBulkDatabase } from '@troupe/test-kit/seed-many-runs'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { ECHO_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

const COUNT = 10_000
/** Max milliseconds for a page of a list, with the machine busy with other tests. */
const MOST_MS = 400

const bulk: BulkDatabase | null = await openBulkDatabase()

describe.skipIf(bulk === null)(`an organization with ${COUNT} agents, teams and workflows`, () => {
  let server: TestServer
  let owner: BuilderClient
  beforeAll(async () => {
    if (!bulk) return
    server = await startTestServer({ overrides: { database: bulk.database } })
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    owner = await asMember(server, 'owner')
    const { organizationId, agents } = server.seed
    const agent = agents.organization
    const { teamId } = await seedTeam(bulk.database, { organizationId, projectId: null })
    const workflow = await seedWorkflow(bulk.database, {
      ...{ organizationId, projectId: null, name: 'Echo', graph: ECHO_GRAPH },
    })
    await bulk.insertCopies({ table: 'agents', id: agent, count: COUNT })
    await bulk.insertCopies({ table: 'teams', id: teamId, count: COUNT })
    await bulk.insertCopies({ table: 'workflows', id: workflow, count: COUNT })
  }, 300_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await bulk?.[Symbol.asyncDispose]()
  })

  async function asked(path: string): Promise<{ names: unknown[]; total: unknown; ms: number }> {
    const beganMs = performance.now()
    const { status, body } = await owner.send(`GET /${path}`)
    const ms = performance.now() - beganMs
    expect([status, body]).toEqual([200, expect.anything()])
    const rows = propertyOf(body, 'data')
    const names = Array.isArray(rows) ? rows.map((row) => propertyOf(row, 'name')) : []
    return { names, total: propertyOf(body, 'total'), ms }
  }

  // Time limits: a page that reads every row in full takes seconds.
  test.for(['agents', 'teams', 'workflows'])('%s: any page and any item is found quickly', {
    retry: 2,
  }, async (list) => {
    await asked(`${list}?limit=50`)
    const newest = await asked(`${list}?limit=50&sort=-updatedAt`)
    const far = await asked(`${list}?limit=50&page=200&sort=name`)
    const found = await asked(`${list}?limit=50&sort=name&q=copy%20987`)
    expect(newest.names.length).toBe(50)
    expect(Number(newest.total)).toBeGreaterThan(COUNT)
    expect(far.names.length).toBe(50)
    expect(found.names).toContain('Copy 9876')
    expect(found.total).toBe(11)
    for (const { ms } of [newest, far, found]) expect(ms).toBeLessThan(MOST_MS)
  })

  // The uses of all rows are found in one pass over all configurations: one pass for each row took thirty times as long.
  test('a page of 30 connections costs little more than a page of one', { retry: 2 }, async () => {
    for (let n = 0; n < 30; n += 1) {
      const given = {
        slug: `many-${n}`,
        name: `Many ${n}`,
        providerId: 'sandbox',
        models: [{ modelId: 'm' }],
      }
      // A retry finds them.
      expect([201, 409]).toContain((await owner.send('POST /llm-configurations', given)).status)
    }
    await asked('llm-configurations?limit=30')
    const one = await asked('llm-configurations?limit=1')
    const many = await asked('llm-configurations?limit=30')
    expect(many.names.length).toBe(30)
    expect(many.ms / one.ms).toBeLessThan(4)
  })
})
