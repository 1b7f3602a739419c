import { AgentId, CredentialId, checkedId, KnowledgeBaseId, SkillId } from '@troupe/contract'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builderRows } from '../src/builder-lists/builder-rows.ts'
import { knowledgeReader } from '../src/knowledge/reader.ts'
import { openDatabase } from '../src/open-database.ts'
import { skillReader } from '../src/skills/reader.ts'
import type { SqlClient, SqlDriver } from '../src/sql/client/sql-client.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { drizzleOver } from '../src/tables/drizzle/drizzle.ts'
import { createTenant, type Tenant } from './contract/tenant.ts'
import { migrateUrl } from './migrate-url.ts'
import { type PlanNode, type Touched, touched } from './plan-nodes.ts'

const OWNERS = 5_000
/** Few, as in a real organization: a search for the users of a base covers all of them. */
const BASES = 50
/** More than any statement may touch per plan node, far less than all references or owners. */
const TOUCHED = 200

/** The id of the `n`th agent, workflow and so on. */
const idOf = (kind: number, n: number) => `00000000-0000-4000-800${kind}-${String(n).padStart(12, '0')}`
const idIn = (kind: number, n: string) =>
  `('00000000-0000-4000-800${kind}-' || lpad((${n})::text, 12, '0'))::uuid`
const [AGENT, WORKFLOW, CREDENTIAL, BASE, SKILL] = [1, 2, 3, 4, 5]

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)(`with ${OWNERS} agents and workflows with references`, () => {
  const owned = new AsyncDisposableStack()
  let driver: SqlDriver
  let tenant: Tenant
  let worst: Touched[] = []

  /** Executes each statement under EXPLAIN ANALYZE and returns no rows. */
  const explain = async (text: string, values: Parameters<SqlClient['execute']>[1]) => {
    const [row] = await driver.execute(`explain (analyze, format json) ${text}`, values)
    const [{ Plan }] = row?.[0] as [{ Plan: PlanNode }]
    worst = [...worst, ...touched(Plan)].toSorted((a, b) => b.rows - a.rows)
    return []
  }
  const explaining: SqlClient = { query: ({ text }, values) => explain(text, values), execute: explain }
  const rows = builderRows(explaining)

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const { url } = owned.use(await postgres.createDatabase())
    driver = owned.use(openPool({ url, size: 2, onError: () => {}, statementMs: null }))
    const database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: false }))
    tenant = await createTenant(database)
    const o = tenant.organizationId
    const numbers = `generate_series(1, ${OWNERS}) n`
    await driver.script(`
      insert into agents (id, organization_id, name, status, config, config_schema_version, version_id, version_number)
        select ${idIn(AGENT, 'n')}, '${o}', 'Agent ' || n, 'active', '{}', 1, gen_random_uuid(), 1 from ${numbers};
      insert into workflows (id, organization_id, name, draft, draft_hash, draft_triggers, draft_revision, version_number)
        select ${idIn(WORKFLOW, 'n')}, '${o}', 'Workflow ' || n, '{"nodes": [], "edges": []}', 0, '{}', 1, 0 from ${numbers};
      insert into credentials (id, organization_id, slug, name, kind, sealed_secret, secret_set_at, hosts)
        select ${idIn(CREDENTIAL, 'n')}, '${o}', 'c' || n, 'C' || n, 'bearer', 's', now(), '{}' from ${numbers};
      insert into knowledge_bases (id, organization_id, name, lang, chunk_tokens, overlap_tokens)
        select ${idIn(BASE, 'n')}, '${o}', 'B' || n, 'english', 500, 50 from generate_series(1, ${BASES}) n;
      insert into config_references (organization_id, owner_kind, owner_id, path, target_kind, target_id, target_slug)
        select '${o}'::uuid, 'agent', ${idIn(AGENT, 'n')}, 'config.tools.0.auth_credential_id', 'credential', ${idIn(CREDENTIAL, 'n')}, null
          from ${numbers}
        union all
        select '${o}'::uuid, 'agent', ${idIn(AGENT, 'n')}, 'config.knowledge.base_ids.0', 'knowledge_base', ${idIn(BASE, 'n')}, null
          from ${numbers}
        union all
        select '${o}'::uuid, 'agent', ${idIn(AGENT, 'n')}, 'config.skills.0.slug', 'skill', null::uuid, 's' || n from ${numbers}
        union all
        select '${o}'::uuid, 'workflow', ${idIn(WORKFLOW, 'n')}, 'nodes.a.config.agentId', 'agent', ${idIn(AGENT, 'n')}, null
          from ${numbers};
      analyze;`)
  })
  afterAll(() => owned.disposeAsync())

  it.each<[name: string, ask: (at: Tenant) => Promise<unknown>, most?: number]>([
    [
      'a credential',
      ({ organizationId: o }) => rows.credentials.byId(o, checkedId(CredentialId, idOf(CREDENTIAL, 7))),
    ],
    [
      'an agent',
      ({ organizationId: o }) => rows.resourceUsers.callingAgents(o, checkedId(AgentId, idOf(AGENT, 7))),
    ],
    [
      'bases',
      ({ organizationId: o }) => rows.resourceUsers.of(o, 'knowledge_base', [idOf(BASE, 7), idOf(BASE, 8)]),
    ],
    [
      'something of another project',
      ({ organizationId: o, projectA }) => rows.resourceUsers.elsewhere(o, idOf(CREDENTIAL, 7), projectA),
    ],
    [
      'a base',
      ({ organizationId: o }) =>
        knowledgeReader(drizzleOver(explaining)).agentsUsing(o, checkedId(KnowledgeBaseId, idOf(BASE, 7))),
    ],
    [
      'things to move',
      ({ organizationId: o }) => rows.projectMoves.things(o, [{ kind: 'agent', id: idOf(AGENT, 7) }]),
    ],
    [
      'moves and their users',
      ({ organizationId: o }) =>
        rows.projectMoves.uses(o, [
          { kind: 'agent', id: idOf(AGENT, 7) },
          { kind: 'credential', id: idOf(CREDENTIAL, 9) },
        ]),
      // The references are never scanned as a whole. A table with so few owners may be, if the planner expects many
      // matches.
      OWNERS,
    ],
    [
      'moves by slug',
      ({ organizationId: o }) => rows.projectMoves.slugUses(o, [{ kind: 'agent', id: idOf(AGENT, 7) }]),
    ],
    [
      'a skill',
      ({ organizationId }) =>
        skillReader(drizzleOver(explaining)).agentsUsing({
          ...{ organizationId, projectId: null, slug: 's7' },
          id: checkedId(SkillId, idOf(SKILL, 7)),
        }),
    ],
  ])('the users of %s are read without the others', async (_, ask, most = TOUCHED) => {
    worst = []
    await ask(tenant)
    expect(worst.length).toBeGreaterThan(0)
    expect(worst[0]?.rows, JSON.stringify(worst.slice(0, 6))).toBeLessThanOrEqual(most)
  })
})
