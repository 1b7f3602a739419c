import type { Scope } from '@troupe/agents/ports'
import { applyBundle } from '@troupe/bundles'
import { type BundleParts, openBundleParts, TEST_ACTOR } from '@troupe/bundles/testing/bundle-parts'
import type { AgentId, OrganizationId, ProjectId } from '@troupe/contract'
import type { Actor, AuditEntry, Database, Transaction } from '@troupe/storage'

/** The actor that changes teams in tests. */
export const BUILDER: Actor = { kind: 'api_key', id: 'key-1', ip: '127.0.0.1', requestId: 'request-1' }

const sandbox = 'providerId: sandbox, models: [{ modelId: m }]'
const BUNDLE = `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    llmConfigurations:
      - { slug: main, name: Main, default: true, ${sandbox} }
      - { slug: of-one, name: Of one, project: one, ${sandbox} }
      - { slug: off, name: Off, status: disconnected, ${sandbox} }
    credentials:
      - { slug: of-one, name: Of one, project: one, kind: bearer, secret: s, hosts: [one.example] }
    agents:
      - { slug: a, name: A, status: active }
      - { slug: b, name: B }
      - { slug: c, name: C }
      - { slug: in-one, name: In one, project: one }
      - { slug: old, name: Old, status: archived }
  - slug: other
    name: Other
    projects: [{ slug: theirs, name: Theirs }]
    agents: [{ slug: x, name: X }, { slug: y, name: Y }]
`

/** An organization with agents and LLM configurations, and the dependencies of the team operations. */
export interface Teams {
  parts: BundleParts
  /** Scope of the organization; `projectScope` is that of the project `one`. */
  scope: Scope
  projectScope: Scope
  otherScope: Scope
  agent: (slug: string) => AgentId
  llm: (slug: string) => string
  credential: (slug: string) => string
  project: (slug: string) => ProjectId
  /** The audit rows appended since the previous call. */
  audited: () => AuditEntry[]
}

/** Opens an empty database, or seeds `shared`, which its owner closes. */
export async function openTeams(shared?: Database): Promise<Teams & AsyncDisposable> {
  const opened = await openBundleParts(shared)
  await applyBundle(opened, { text: BUNDLE, variables: {}, actor: TEST_ACTOR })
  const audit: AuditEntry[] = []
  const parts = { ...opened, database: recording(opened.database, audit) }
  const { read } = opened.database
  const agents = new Map<string | null, AgentId>()
  const llms = new Map<string, string>()
  const credentials = new Map<string, string>()
  const projects = new Map<string, ProjectId>()
  const ids = new Map<string, OrganizationId>()
  for (const organization of await read.organizations.all()) {
    ids.set(organization.slug, organization.id)
    for (const { slug, id } of await read.agents.list(organization.id)) agents.set(slug, id)
    for (const { slug, id } of await read.llmConfigurations.list(organization.id)) llms.set(slug, id)
    for (const { slug, id } of await read.credentials.list(organization.id)) credentials.set(slug, id)
    for (const { slug, id } of await read.projects.list(organization.id)) projects.set(slug, id)
  }
  const organizationId = of(ids, 'acme')
  return {
    parts,
    scope: { organizationId, projectId: null },
    projectScope: { organizationId, projectId: of(projects, 'one') },
    otherScope: { organizationId: of(ids, 'other'), projectId: null },
    agent: (slug) => of(agents, slug),
    llm: (slug) => of(llms, slug),
    credential: (slug) => of(credentials, slug),
    project: (slug) => of(projects, slug),
    audited: () => audit.splice(0),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

function of<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The bundle of the test has no ${String(key)}.`)
  return value
}

/** Wraps the database to record every audit row that a transaction appends. */
function recording(database: Database, audit: AuditEntry[]): Database {
  const listen = ({ write, ...rest }: Transaction): Transaction => ({
    ...rest,
    write: {
      ...write,
      audit: {
        ...write.audit,
        append(entry) {
          audit.push(entry)
          return write.audit.append(entry)
        },
      },
    },
  })
  return { ...database, transaction: (work) => database.transaction((tx) => work(listen(tx))) }
}
