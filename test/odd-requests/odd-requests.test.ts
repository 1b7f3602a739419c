import { expect, test } from 'vitest'
import { oddTargets } from './requests.ts'
import { sendOddRequests } from './send-requests.ts'
import { startTenants } from './tenants.ts'

// Two requests of each operation; the files beside this one send many, and `SEED=7` sends others.

test('odd requests of every operation and caller are not errors of the server, and say nothing of other tenants', {
  timeout: 180_000,
}, async () => {
  const outcome = await sendOddRequests(({ server }) => oddTargets(server), 2)
  console.log(`seed ${outcome.seed}, ${outcome.sent} requests: ${JSON.stringify(outcome.statuses)}`)
  expect(outcome).toMatchObject({ faults: [], changed: [] })
  expect(outcome.sent).toBeGreaterThan(500)
})

test('texts, ids and changed rows of the other organization are noticed', async () => {
  await using tenants = await startTenants()
  const { server, leakIn } = tenants
  const key = server.seed.keys.otherOrganization
  const before = await tenants.rowsOfOther()
  const listed = JSON.stringify((await server.call('GET /api/v1/agents', { key })).body)
  expect(leakIn(listed, '', 'owner')).toContain('of-the-other-organization')
  const [id = ''] = tenants.ids.organization
  expect(leakIn(`{"id":"${id}"}`, '', 'viewer')).toBe(id)
  expect(leakIn(`{"id":"${id}"}`, `GET /api/v1/agents/${id}`, 'viewer')).toBe(null)
  const projects = JSON.stringify((await server.call('GET /api/v1/agents')).body)
  expect(leakIn(projects, '', 'organization key')).toBe(null)
  expect(leakIn(projects, '', 'project key')).toContain('of-the-other-project')
  await server.call('POST /api/v1/agents', { key, body: { name: 'One more' } })
  const after = await tenants.rowsOfOther()
  expect([before.agents, Object.keys(before).length > 8]).toEqual([expect.any(String), true])
  expect(after.agents).not.toBe(before.agents)
})
