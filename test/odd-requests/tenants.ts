import type { AddressInfo } from 'node:net'
import { AgentId, checkedId, ProjectId, propertyOf } from '@troupe/contract'
import { expect } from 'vitest'
import { knownMigrations } from '../../packages/storage/src/known-migrations.ts'
import { databaseOver } from '../../packages/storage/src/open-pglite.ts'
import { openReusedPglite } from '../../packages/storage/src/sql/testing/reused-pglite.ts'
import { ownOrigin, seedPerson, signIn } from '../../packages/test-kit/src/server/seed-person.ts'
import { startTestServer, type TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { kindAt } from './kinds.ts'

/** The callers of requests. */
export const CALLERS = [
  ...['owner', 'admin', 'member', 'reviewer', 'viewer'],
  ...['operator', 'organization key', 'project key', 'nobody'],
] as const
export type Caller = (typeof CALLERS)[number]
type Headers = Record<string, string>

/**
 * Texts that occur in everything of the other organization, and of the other project. No request contains
 * them.
 */
const MARKS = { organization: 'zq-of-the-other-organization', project: 'zq-of-the-other-project' }

/** A server with two organizations and two projects, which have a resource of each kind. */
export interface Tenants extends AsyncDisposable {
  server: TestServer
  /** On 127.0.0.1. */
  port: number
  headersOf(caller: Caller): Promise<Headers>
  /** A request of the caller ended the sign-in or the membership: the next one is sent by another person. */
  renew(caller: Caller): void
  /** Ids of the other organization, of the other project and of the caller's own, of all kinds. */
  ids: {
    organization: readonly string[]
    project: readonly string[]
    own: readonly string[]
    kindOf: ReadonlyMap<string, string>
  }
  /** The data of others in a response, beyond those that its request named; null: none. */
  leakIn(answer: string, request: string, caller: Caller): string | null
  /** An accepted request has named these ids of others: later answers may repeat them. */
  told(request: string): void
  /** Hashes of the rows of the other organization, by table. */
  rowsOfOther(): Promise<Record<string, string>>
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const idsIn = (text: string) => text.match(UUID) ?? []

export async function startTenants(): Promise<Tenants> {
  await using resources = new AsyncDisposableStack()
  const migrations = await knownMigrations()
  const embedded = await openReusedPglite(migrations)
  const database = resources.use(await databaseOver(embedded, migrations))
  const server = resources.use(
    await startTestServer({ overrides: { database }, env: { TROUPE_TRUSTED_PROXIES: '127.0.0.1' } }),
  )
  const { seed } = server
  const planted = {
    organization: await plant(server, MARKS.organization, seed.otherOrganizationId, null),
    project: await plant(server, MARKS.project, seed.organizationId, seed.otherProjectId),
    own: await plant(server, 'Own', seed.organizationId, seed.projectId),
  }
  const kindOf = new Map(Object.values(planted).flatMap((kinds) => [...kinds]))
  for (const id of Object.values(seed.agents)) kindOf.set(id, 'agent')
  const ids = {
    organization: [...planted.organization.keys()],
    project: [...planted.project.keys()],
    own: [...planted.own.keys()],
  }
  const foreign = new Set(ids.organization)
  const told = new Set<string>()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const signedIn = new Map<Caller, Headers>()
  const headersOf = async (caller: Caller): Promise<Headers> => {
    switch (caller) {
      case 'nobody':
        return {}
      case 'operator':
        return { authorization: `Bearer ${server.adminToken}` }
      case 'organization key':
        return { 'x-api-key': seed.keys.organization }
      case 'project key':
        return { 'x-api-key': seed.keys.project }
      default: {
        const known = signedIn.get(caller)
        if (known) return known
        const person = await seedPerson(database, { organizationId: seed.organizationId, role: caller })
        const headers = { cookie: await signIn(server, person), origin: ownOrigin(server) }
        signedIn.set(caller, headers)
        return headers
      }
    }
  }
  const owned = resources.move()
  return {
    server,
    port,
    headersOf,
    renew: (caller) => void signedIn.delete(caller),
    ids: { ...ids, kindOf, own: [...ids.own, ...Object.values(seed.agents).slice(0, 2), seed.projectId] },
    leakIn(answer, request, caller) {
      // The operator may see every organization.
      if (caller === 'operator') return null
      const sees =
        caller === 'project key' || caller === 'nobody' ? MARKS : { organization: MARKS.organization }
      const mark = Object.values(sees).find((one) => answer.includes(one))
      if (mark !== undefined) return mark
      return idsIn(answer).find((id) => foreign.has(id) && !told.has(id) && !request.includes(id)) ?? null
    },
    told(request) {
      for (const id of idsIn(request)) if (foreign.has(id)) told.add(id)
    },
    async rowsOfOther() {
      const tables = await embedded.driver.execute(
        `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
        [],
      )
      // The last use of a key is written some time after it.
      const hashes: Record<string, string> = {}
      for (const [table] of tables.toSorted()) {
        const [[count, hash] = []] = await embedded.driver.execute(
          `select count(*), md5(string_agg(t.row, ' ' order by t.row)) from (select (to_jsonb(r) - 'last_used_at')::text as row from "${String(table)}" r where organization_id = $1::uuid) t`,
          [seed.otherOrganizationId],
        )
        if (Number(count) > 0) hashes[String(table)] = `${count} ${hash}`
      }
      return hashes
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const GRAPH = (mark: string) => ({
  nodes: [
    { id: 'a', type: 'http-request', name: mark, position: { x: 0, y: 0 }, config: {} },
    { id: 'b', type: 'ai-prompt', name: 'B', position: { x: 0, y: 0 }, config: { prompt: mark } },
  ],
  edges: [{ id: 'e', source: 'a', target: 'b' }],
})

/** One of each kind, with the mark in every text. Returns their ids, each with its kind as `kindAt` names it. */
async function plant(
  server: TestServer,
  mark: string,
  organizationId: TestServer['seed']['organizationId'],
  projectId: string | null,
): Promise<Map<string, string>> {
  const { seed, context } = server
  const person = await seedPerson(context.database, { organizationId, role: 'owner', name: mark })
  const owner = { cookie: await signIn(server, person), origin: ownOrigin(server) }
  const key = organizationId === seed.organizationId ? seed.keys.organization : seed.keys.otherOrganization
  const kindOf = new Map<string, string>([
    [person.userId, 'user'],
    projectId === null ? [organizationId, 'organization'] : [projectId, 'project'],
  ])
  const note = (value: unknown, name: string): void => {
    if (typeof value === 'string' && idsIn(value)[0] === value && !kindOf.has(value))
      kindOf.set(value, kindAt(name))
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) note(inner, Array.isArray(value) ? name : key)
  }
  const post = async (path: string, body: object, headers: Headers): Promise<unknown> => {
    const answer = await server.call(`POST ${path}`, { key: null, headers, body })
    expect([path, answer.status, answer.status < 300 ? null : answer.body]).toEqual([
      path,
      answer.status,
      null,
    ])
    note(answer.body, '')
    // Inside of texts, such as addresses.
    for (const id of idsIn(JSON.stringify(answer.body))) if (!kindOf.has(id)) kindOf.set(id, '')
    return answer.body
  }
  const inBuilder = (path: string, body: object) =>
    post(`/api/builder/v1/organizations/${organizationId}${path}`, body, owner)
  const inPublic = (path: string, body: object) => post(`/api/v1${path}`, body, { 'x-api-key': key })
  const idOf = (body: unknown, name: string) => String(propertyOf(body, name))
  const of = projectId === null ? {} : { projectId }

  const agent = await inBuilder('/agents', {
    ...{ name: mark, description: mark, ...of, config: { instructions: mark } },
  })
  const agentId = idOf(agent, 'agentId')
  const other = await inBuilder('/agents', { name: `${mark} too`, ...of })
  const members = [agentId, idOf(other, 'agentId')].map((one) => ({ agent: one }))
  await inBuilder('/teams', {
    ...{ name: mark, description: mark, ...of, config: { mode: 'handoff', lead: { managed: {} }, members } },
  })
  const workflow = await inBuilder('/workflows', { name: mark, ...of, draft: GRAPH(mark) })
  const workflowPath = `/workflows/${idOf(workflow, 'workflowId')}`
  await inBuilder(`${workflowPath}/publish`, { draftRevision: propertyOf(workflow, 'draftRevision') })
  await inBuilder(`${workflowPath}/listeners`, { kind: 'webhook' })
  await inBuilder('/api-keys', { name: mark, ...of })
  const base = await inPublic('/knowledge-bases', { name: mark, ...of })
  await inPublic(`/knowledge-bases/${idOf(base, 'knowledgeBaseId')}/documents`, { name: 'a.md', text: mark })
  const skill = { 'SKILL.md': `---\nname: ${mark.toLowerCase()}\ndescription: ${mark}.\n---\n` }
  await inPublic('/skills', { files: skill, ...of })
  await inPublic(`/agents/${agentId}/run`, { message: mark, sessionId: crypto.randomUUID(), userId: mark })
  await context.database.memories.change(
    {
      organizationId,
      projectId: projectId === null ? null : checkedId(ProjectId, projectId),
      kind: 'agent',
      entityId: checkedId(AgentId, agentId),
      scope: 'agent',
      userId: mark,
    },
    { add: [{ text: mark, fingerprint: mark }], forget: [] },
    10,
  )
  kindOf.delete(seed.organizationId)
  return kindOf
}
