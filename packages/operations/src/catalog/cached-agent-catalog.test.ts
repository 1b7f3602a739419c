import { randomBytes } from 'node:crypto'
import { AgentId, AgentVersionId, newId, OrganizationId, TeamId, TeamVersionId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { SecretBox } from '@troupe/secrets'
import type { AgentRecord, LlmConfigurationRecord, TeamRecord } from '@troupe/storage'
import { beforeEach, expect, test } from 'vitest'
import { CachedAgentCatalog } from './cached-agent-catalog.ts'

const ORG = newId(OrganizationId)
const AGENT = newId(AgentId)
const TEAM = newId(TeamId)
const GONE = newId(TeamVersionId)
const box = new SecretBox([{ id: 'k1', key: randomBytes(32) }])

let now: number
let name: string
let reads: number
let unreadable: string[]
let configurations: LlmConfigurationRecord[]
let listener: (signal: Signal) => void
let catalog: CachedAgentCatalog

beforeEach(() => {
  now = 0
  name = 'first'
  reads = 0
  unreadable = []
  configurations = []
  catalog = new CachedAgentCatalog({
    source: {
      agent: async (_organizationId, id) => {
        reads += 1
        const seen = name
        await new Promise(setImmediate)
        return id === AGENT ? ({ id, name: seen } as AgentRecord) : null
      },
      agentVersion: async (_organizationId, versionId) => {
        reads += 1
        return { id: AGENT, versionId, name } as AgentRecord
      },
      team: async (_organizationId, id) => {
        reads += 1
        return id === TEAM ? ({ id, versionId: 'current', name } as TeamRecord) : null
      },
      teamVersion: async (_organizationId, versionId) => {
        reads += 1
        return versionId === GONE ? null : ({ id: TEAM, versionId, name } as TeamRecord)
      },
      llmConfigurations: async () => {
        reads += 1
        return configurations
      },
      budgets: async () => {
        reads += 1
        return []
      },
    },
    box,
    signals: {
      subscribe: (given) => {
        listener = given
        return () => {}
      },
    },
    clock: { now: () => now },
    onUnreadable: (id) => unreadable.push(id),
  })
})

const configuration = (id: string, sealedCredentials: string | null) =>
  ({
    id,
    sealedCredentials,
    createdAt: new Date(5),
    models: [],
    settings: {},
  }) as unknown as LlmConfigurationRecord

test('concurrent misses share one read, and a warm agent needs none', async () => {
  await Promise.all(Array.from({ length: 20 }, () => catalog.agent(ORG, AGENT)))
  await catalog.agent(ORG, AGENT)
  expect(reads).toBe(1)
})

test('a read in progress during a change never serves later requests', async () => {
  const early = catalog.agent(ORG, AGENT)
  name = 'second'
  catalog.forget(ORG)
  const [before, after] = await Promise.all([early, catalog.agent(ORG, AGENT)])
  expect(before?.name).toBe('first')
  expect(after?.name).toBe('second')
  expect((await catalog.agent(ORG, AGENT))?.name).toBe('second')
})

test('a change elsewhere arrives by signal, and without one within five seconds', async () => {
  await catalog.agent(ORG, AGENT)
  name = 'second'
  listener({ kind: 'config_changed', organizationId: newId(OrganizationId) })
  expect((await catalog.agent(ORG, AGENT))?.name).toBe('first')
  listener({ kind: 'config_changed', organizationId: ORG })
  expect((await catalog.agent(ORG, AGENT))?.name).toBe('second')
  name = 'third'
  now += 5_000
  expect((await catalog.agent(ORG, AGENT))?.name).toBe('third')
})

test('an unknown agent is read every time', async () => {
  const unknown = newId(AgentId)
  expect(await catalog.agent(ORG, unknown)).toBeNull()
  expect(await catalog.agent(ORG, unknown)).toBeNull()
  expect(reads).toBe(2)
})

test('teams and versions of agents are read again after a change and after five seconds', async () => {
  const version = newId(AgentVersionId)
  const names = async () => [
    (await catalog.team(ORG, TEAM))?.name,
    (await catalog.agentVersion(ORG, version))?.name,
  ]
  expect(await names()).toEqual(['first', 'first'])
  name = 'second'
  expect(await names()).toEqual(['first', 'first'])
  expect(reads).toBe(2)
  now += 5_000
  expect(await names()).toEqual(['second', 'second'])
  name = 'third'
  listener({ kind: 'config_changed', organizationId: ORG })
  expect(await names()).toEqual(['third', 'third'])
})

test('a version of a team has no age, and is read again after a change', async () => {
  const version = newId(TeamVersionId)
  expect(await catalog.teamVersion(ORG, version)).toMatchObject({ teamId: TEAM, versionId: version })
  now += 3_600_000
  await catalog.teamVersion(ORG, version)
  expect(reads).toBe(1)
  catalog.forget(ORG)
  await catalog.teamVersion(ORG, version)
  expect(reads).toBe(2)
})

test('missing teams and versions are read every time', async () => {
  const missing = newId(TeamId)
  const ask = async () => [await catalog.team(ORG, missing), await catalog.teamVersion(ORG, GONE)]
  expect(await ask()).toEqual([null, null])
  expect(await ask()).toEqual([null, null])
  expect(reads).toBe(4)
})

test('credentials are decrypted once, and a configuration that no key decrypts is omitted', async () => {
  const sealed = box.seal('{"apiKey":"sk"}', { purpose: 'llm_configuration.credentials', id: 'a' })
  configurations = [configuration('a', sealed), configuration('b', sealed), configuration('c', null)]
  const found = await catalog.llmConfigurations(ORG)
  expect(found.map(({ id, connection }) => [id, connection.credentials])).toEqual([
    ['a', { apiKey: 'sk' }],
    ['c', {}],
  ])
  expect(unreadable).toEqual(['b'])
  expect(await catalog.llmConfigurations(ORG)).toBe(found)
})

test('the entries of all organizations have a budget of bytes, and so have those of each', async () => {
  const MB = 1024 * 1024
  name = 'x'.repeat(MB)
  const last = newId(AgentVersionId)
  const ids = [...Array.from({ length: 19 }, () => newId(AgentVersionId)), last]
  let other = ORG
  for (const id of ids) await catalog.agentVersion(ORG, id)
  expect(catalog.bytes).toBeGreaterThan(5 * MB)
  expect(catalog.bytes).toBeLessThanOrEqual(9 * MB)
  for (let n = 0; n < 40; n += 1) {
    other = newId(OrganizationId)
    for (const id of ids) await catalog.agentVersion(other, id)
    expect(catalog.bytes).toBeLessThanOrEqual(128 * MB)
  }
  reads = 0
  await catalog.agentVersion(other, last)
  expect(reads).toBe(0)
  await catalog.agentVersion(ORG, last)
  expect(reads).toBe(1)
})
