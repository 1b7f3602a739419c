import { AgentId, checkedId, newId, ProjectId, RunId, SessionRowId } from '@troupe/contract'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentReader } from '../src/agents/reader.ts'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import { observation } from '../src/run-explorer/run-explorer.ts'
import { readJournal } from '../src/runs/jobs/claim-job.ts'
import { jobStore } from '../src/runs/jobs/store.ts'
import { runStore } from '../src/runs/store.ts'
import type { SqlClient, SqlDriver } from '../src/sql/client/sql-client.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { drizzleOver } from '../src/tables/drizzle/drizzle.ts'
import { outputOf } from './contract/job-builders.ts'
import { endOf, memberOf, runOn, sessionOf, targetOf, usage } from './contract/run-builders.ts'
import { createTenant, type Tenant } from './contract/tenant.ts'
import { migrateUrl } from './migrate-url.ts'
import { type PlanNode, type Touched, touched } from './plan-nodes.ts'

const ROWS = 20_000
/** More than any statement may touch per plan node, far less than a scan would. */
const TOUCHED = 200

const MEMBER = newId(AgentId)
const FAILING = newId(AgentId)

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)(`with ${ROWS} rows of each kind in one organization`, () => {
  const owned = new AsyncDisposableStack()
  const session = {
    kind: 'agent' as const,
    entityId: newId(AgentId),
    sessionId: 'session-7',
    projectId: null,
  }
  let database: Database
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
  const explaining: SqlClient = {
    query: ({ text }, values) => explain(text, values),
    execute: explain,
  }

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const { url } = owned.use(await postgres.createDatabase())
    driver = owned.use(openPool({ url, size: 2, onError: () => {}, statementMs: null }))
    database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: false }))
    tenant = await createTenant(database)
    const { organizationId: o, apiKeyId } = tenant
    const numbers = `generate_series(1, ${ROWS}) n`
    await driver.script(`
      insert into sessions (id, organization_id, kind, entity_id, session_id, user_id, last_seq)
        select gen_random_uuid(), '${o}', 'agent', '${session.entityId}', 'session-' || n, 'ana', 3 from ${numbers};
      insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
          input, content, user_id, include_messages, api_key_id, worker_id, log_trimmed, created_at, completed_at)
        select gen_random_uuid(), '${o}', 'agent', entity_id, entity_id, id, 1, 'api_stream', 'completed', 'in', 'out',
          'ana', false, '${apiKeyId}', 'w', true, now(), now() from sessions;
      insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
          input, content, user_id, include_messages, api_key_id, log_trimmed, created_at, completed_at)
        select gen_random_uuid(), '${o}', 'agent', entity_id, entity_id, id, 2, 'api_async', 'completed', 'in', 'out',
          'ana', false, '${apiKeyId}', true, now(), now() from sessions;
      insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, parent_run_id, step_key,
          source, status, input, content, user_id, include_messages, api_key_id, log_trimmed, created_at, completed_at)
        select gen_random_uuid(), '${o}', 'agent', '${MEMBER}', entity_id, session_row_id, id, 'member:m' || n, source,
          status, 'in', 'out', 'ana', false, '${apiKeyId}', true, now(), now()
        from runs, generate_series(1, 2) n where source = 'api_async';
      insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
          input, user_id, include_messages, api_key_id, worker_id, lease_until, limit_seconds, deadline_at, created_at)
        select gen_random_uuid(), '${o}', 'agent', entity_id, entity_id, id, 3, 'api_async', 'running', 'in', 'ana', false,
          '${apiKeyId}', 'w', now() + interval '1 day', 900, now() + interval '1 day', now() from sessions limit 100;
      insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
          input, error_code, error_message, user_id, include_messages, api_key_id, log_trimmed, created_at, completed_at)
        select gen_random_uuid(), '${o}', 'agent', '${FAILING}', entity_id, id, 0, 'api_async', 'failed', 'in', 'x',
          'Provider ' || row_number() over () || ' failed.', 'ana', false, '${apiKeyId}', true,
          now() + (row_number() over () - ${ROWS}) * interval '1 second', now() from sessions;
      insert into run_steps (run_id, key, organization_id, output) select id, 'a', '${o}', '{}' from runs;
      insert into usage_records (organization_id, run_id, purpose, llm_config_id, model_id, attempt, is_fallback,
          input_tokens, cached_tokens, output_tokens, reasoning_tokens, usage_incomplete, latency_ms, ok, user_id)
        select '${o}', id, 'chat', id, 'm', 1, false, 1, 0, 1, 0, false, 1, true, 'ana' from runs;
      insert into run_events (run_id, seq, seq_from, organization_id, event, data)
        select id, 1, 1, '${o}', 'RunStarted', '{}' from runs;
      insert into run_messages (run_id, idx, organization_id, role, content, created_at)
        select id, 0, '${o}', 'user', 'in', now() from runs;
      insert into idempotency_keys (api_key_id, path, key, organization_id, body_hash, run_id, created_at)
        select '${apiKeyId}', '/run', id::text, '${o}', 'h', id, now() from runs where source = 'api_stream';
      insert into agents (id, organization_id, name, status, config, config_schema_version, version_id, version_number, created_at)
        select gen_random_uuid(), '${o}', 'A', 'draft', '{}', 1, gen_random_uuid(), 1, now() - n * interval '1 second'
        from ${numbers};
      analyze;`)
  })
  afterAll(() => owned.disposeAsync())

  const expectFew = async (work: () => Promise<unknown>) => {
    worst = []
    await work()
    expect(worst.length).toBeGreaterThan(0)
    expect(worst[0]?.rows, JSON.stringify(worst.slice(0, 3))).toBeLessThan(TOUCHED)
  }

  it.each(['new', 'known'])('no statement of a run on a %s session reads more than a few', async (which) => {
    const { organizationId, scope } = tenant
    const key = {
      ...session,
      organizationId,
      isPlayground: false,
      sessionId: which === 'new' ? 'unheard of' : session.sessionId,
    }
    const run = runOn(tenant, key, { idempotency: { path: '/run', key: which, bodyHash: 'h' } })
    const [runs, jobs] = [runStore(explaining), jobStore(explaining)]
    const event = { seqFrom: 2, seq: 2, event: 'RunError', data: {}, cuts: null }
    const end = endOf(run, { usage: [usage()], events: [event], storeMessages: false })
    await expectFew(() =>
      runs.session(key, {
        maxBytes: 100,
        maxRuns: 10,
        toolRuns: 2,
        toolBytes: 1_000,
        stateBytes: 100_000,
        beforeSeq: null,
      }),
    )
    await expectFew(() => runs.start(run))
    await expectFew(() => runs.appendEvents(run.runId, organizationId, [event], null))
    await expectFew(() => runs.finish(end))
    await expectFew(() => runs.settleCancelled(end))
    await expectFew(() => runs.cancel(scope, targetOf(run)))
    await expectFew(() => runs.find(scope, targetOf(run)))
    await expectFew(() => runs.eventsAfter(run.runId, 0))
    await expectFew(() => jobs.ended(run.workerId, [run.runId, newId(RunId)]))
    await expectFew(() => jobs.renewLeases(run.workerId, [run.runId], 30))
    await expectFew(() => runs.failLost({ all: false, errorCode: 'x', errorMessage: 'x' }))
    await expectFew(() => runs.sweepExpired({ eventsBefore: 1, idempotencyBefore: 1 }))
  })

  it('no statement of a job reads more than the jobs in flight', async () => {
    const { organizationId, scope } = tenant
    const [ended] = await driver.execute(
      "select id from runs where source = 'api_async' and session_seq = 2 limit 1",
      [],
    )
    const [flying] = await driver.execute(
      "select id, session_row_id from runs where status = 'running' limit 1",
      [],
    )
    const session = sessionOf(tenant, { kind: 'agent' })
    const fence = { workerId: 'w', slice: 0 }
    const [runs, jobs] = [runStore(explaining), jobStore(explaining)]
    await expectFew(() => runs.start(runOn(tenant, session, { source: 'api_async' })))
    for (const id of [ended, flying].map((row) => checkedId(RunId, String(row?.[0])))) {
      const run = runOn(tenant, session, { runId: id, source: 'api_async' })
      const event = { seqFrom: 2, seq: 2, event: 'RunError', data: {}, cuts: null }
      const step = { members: [memberOf('member:m9:0')], usage: [usage()], events: [event] }
      await expectFew(() => jobs.claim({ runId: id, slice: 0 }, 'w', 30))
      await expectFew(() => readJournal(explaining, id))
      await expectFew(() => jobs.commitStep({ runId: id, fence, key: 'k', step: outputOf(1), ...step }))
      await expectFew(() => jobs.dispatched({ runId: id, slice: 0 }, 60))
      await expectFew(() => runs.appendEvents(id, organizationId, [event], fence))
      await expectFew(() => runs.find(scope, targetOf(run, { entityId: null })))
      await expectFew(() => runs.finish(endOf(run, { ...step, fence, storeMessages: false })))
      await expectFew(() => jobs.yield(id, fence))
      await expectFew(() => runs.settleCancelled(endOf(run, { ...step, fence })))
      await expectFew(() => runs.cancel(scope, targetOf(run, { entityId: null })))
    }
    const sessionRowId = checkedId(SessionRowId, String(flying?.[1]))
    await expectFew(() =>
      runs.memberHistory(sessionRowId, MEMBER, {
        maxBytes: 100,
        maxRuns: 10,
        toolRuns: 2,
        toolBytes: 1_000,
        stateBytes: 100_000,
      }),
    )
    await expectFew(() => jobs.sweep({ dispatchSeconds: 60, queueSeconds: 60, redeliverSeconds: 60 }))
    await expectFew(() => jobs.recover())
  })

  it('causes of failures read the newest thousand failures, and a page of one cause reads failures only', async () => {
    const { organizationId } = tenant
    const every = {
      kinds: null,
      entityId: null,
      statuses: null,
      sources: null,
      from: null,
      to: null,
      apiKeyId: null,
    }
    const all = {
      ...every,
      tag: null,
      userId: null,
      sessionId: null,
      isTest: null,
      projectId: null,
      cause: null,
    }
    const observed = observation(explaining)
    const mostOf = async (work: () => Promise<unknown>) => {
      worst = []
      await work()
      return worst[0]?.rows ?? 0
    }
    expect(await mostOf(() => observed.failureCauses(organizationId, all))).toBe(1_001)
    const cause = 'Provider … failed.'
    const page = { after: null, limit: 100 }
    for (const entityId of [null, FAILING]) {
      const filter = { ...all, cause, entityId }
      // The index of failures, or that of the agent if the planner estimates it as cheaper than sorting, but never the
      // table.
      expect(await mostOf(() => observed.runs(organizationId, filter, page))).toBeLessThanOrEqual(ROWS)
      expect(await mostOf(() => observed.failureCauses(organizationId, filter))).toBeLessThanOrEqual(ROWS)
    }
    const { causes, grouped, isCut } = await database.observed.failureCauses(organizationId, all)
    expect({ grouped, isCut }).toEqual({ grouped: 1_000, isCut: true })
    expect(causes).toMatchObject([{ entityId: FAILING, entityName: null, code: 'x', cause, count: 1_000 }])
    expect((await database.observed.runs(organizationId, { ...all, cause }, page)).rows).toHaveLength(100)
  })

  it('Home reads the newest failures by their end, from an index', async () => {
    const { organizationId } = tenant
    const observed = observation(explaining)
    for (const projectId of [null, newId(ProjectId)]) {
      worst = []
      // EXPLAIN returns no rows of the statement itself.
      await expect(observed.attention(organizationId, projectId)).rejects.toThrow('returned no row')
      const most = worst.find(({ what }) => what.endsWith(' runs'))
      expect(most?.rows, JSON.stringify(most)).toBeLessThanOrEqual(projectId === null ? 2_000 : ROWS)
    }
    const { failures } = await database.observed.attention(organizationId, null)
    expect(failures).toMatchObject([{ entityId: FAILING, count: 2_000 }])
  })

  it('a page of agents reads only that page', async () => {
    const filter = { status: null, projectId: null, page: 1, limit: 20 }
    await expectFew(() =>
      firstStatement((client) => agentReader(drizzleOver(client)).page(tenant.scope, filter)),
    )
  })

  /** The page itself; the exact total that follows it reads the index of the organization. */
  async function firstStatement(work: (client: SqlClient) => Promise<unknown>): Promise<void> {
    let first = true
    const client: SqlClient = {
      ...explaining,
      async execute(text, values) {
        const rows = first ? await explain(text, values) : []
        first = false
        return rows
      },
    }
    await work(client)
  }
})
