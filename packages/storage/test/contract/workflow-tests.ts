import { randomUUID } from 'node:crypto'
import { newId, ReviewId, TestCaseId, UserId, WorkflowRunId } from '@troupe/contract'
import type { NewReview, NewTest, NewWorkflowRun, ReviewRequest } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import type { SqlClient, SqlDriver } from '../../src/sql/client/sql-client.ts'
import { acceptRun } from '../../src/workflow-runs/accept-run.ts'
import { claimRun } from '../../src/workflow-runs/claim-run.ts'
import { budgetFixture, budgetOf } from './budget-fixture.ts'
import { rowsWhere } from './inspect.ts'
import { type Subject, SYSTEM } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  GRAPH,
  newWorkflowVersionId,
  nodeRun,
  type Publisher,
  publishedBy,
  publisher,
  RUNNING,
  rowOf,
  startOf,
  WAITING,
  workflowOf,
} from './workflow-builders.ts'

type Seed = NewTest['seeds'][number]

const seed = (nodeId: string, changes: Partial<Seed> = {}): Seed => ({
  nodeId,
  path: null,
  output: { of: nodeId },
  handles: null,
  variables: null,
  iterations: null,
  origin: 'typed',
  fromRunId: null,
  ...changes,
})

const TERMS = {
  scope: { kind: 'from', nodeId: 'b', path: null },
  effects: ['b'],
  secretNames: ['pin'],
} as const

const tester = () => newId(UserId)

/** The version of a tested draft. */
async function drafted(
  db: Database,
  { tenant, workflow }: Pick<Publisher, 'tenant' | 'workflow'>,
  contentHash = 'hash',
) {
  const { organizationId } = tenant
  const draft = { organizationId, id: workflow.id, graph: GRAPH, contentHash, createdBy: SYSTEM }
  return db.transaction(({ write }) => write.workflows.keepDraft(draft))
}

/** The start of a test of a draft by a person. */
async function testOf(
  db: Database,
  from: Pick<Publisher, 'tenant' | 'workflow'>,
  { seeds = [], ...changes }: Partial<NewWorkflowRun> & { seeds?: readonly Seed[] } = {},
): Promise<NewWorkflowRun> {
  const test = { ...TERMS, versionId: await drafted(db, from), seeds }
  return startOf(from, { source: 'builder', apiKeyId: null, startedByUserId: tester(), test, ...changes })
}

async function testing(
  db: Database,
  from: Pick<Publisher, 'tenant' | 'workflow'>,
  changes: Parameters<typeof testOf>[2] = {},
): Promise<NewWorkflowRun> {
  const run = await testOf(db, from, changes)
  const outcome = await db.transaction(({ accept }) => accept(run))
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
  return run
}

/** A client that records the names of its statements. */
function listening(client: SqlClient, asked: string[]): SqlClient {
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (statement: { name?: string }, ...rest: unknown[]) => {
        asked.push(statement.name ?? '')
        return Reflect.apply(target.query, target, [statement, ...rest])
      }
    },
  })
}

const REQUEST: ReviewRequest = {
  title: 'Refund',
  instructions: '',
  show: [],
  fields: [],
  reviewers: { kind: 'roles', roles: ['owner'], userIds: [] },
  approvalsRequired: 2,
  requireRejectComment: false,
  allowSelfApproval: false,
  allowApiKeys: true,
  timeoutSeconds: 30 * 24 * 3600,
  notify: { emails: ['ana@example.com'], webhookUrl: null },
}
const review = (): NewReview => ({
  reviewId: newId(ReviewId),
  path: '',
  nodeId: 'ask',
  request: REQUEST,
  link: { hash: randomUUID(), sealed: 'sealed' },
})

export function workflowTestsContract(subject: Subject, client: () => SqlDriver): void {
  const { put, used } = budgetFixture(subject, client)

  describe('a test of a workflow', () => {
    it('is claimed with its scope and its seeds, by every worker and after every reload', async () => {
      const db = subject()
      const from = await publisher(db)
      const fromRunId = newId(WorkflowRunId)
      const seeds = [
        seed('a', { origin: 'run', fromRunId, handles: ['true'], path: '' }),
        seed('loop', { iterations: [1, null, { x: '\u00e9' }], variables: { total: 3 }, output: null }),
        seed('c', { output: [1, 2], path: 'loop[3]', origin: 'pin' }),
      ]
      const run = await testing(db, from, { seeds })
      const test = { ...TERMS, seeds, testerId: run.startedByUserId }
      const first = await claimed(db, run, { leaseSeconds: -1 })
      expect(first).toMatchObject({ test, nodeRuns: [], versionId: run.test?.versionId })
      const next = await claimed(db, run)
      expect(next.test).toEqual(test)
      await commit(db, next, RUNNING, { nodeRuns: [nodeRun('a', { seeded: true })] })
      const reloaded = await db.workflowRuns.reload(next.fence)
      expect(reloaded).toMatchObject({ test, nodeRuns: [{ nodeId: 'a', seeded: true }] })
    })

    it('costs other runs no statement: a claim of a run reads no seeds', async () => {
      const db = subject()
      const from = await publisher(db)
      const asked: string[] = []
      const claim = claimRun(listening(client(), asked))
      const run = await accepted(db, from)
      await claim({ runId: run.runId, slice: 0 }, 'w', 30)
      expect(asked).toEqual(['claim_queued_workflow_run'])
      asked.length = 0
      const test = await testing(db, from)
      await claim({ runId: test.runId, slice: 0 }, 'w', 30)
      expect(asked).toEqual(['claim_queued_workflow_run', 'read_workflow_run_seeds'])
    })

    it('copies its seeds before it takes the lock of its organization, and leaves none of a refused start', async () => {
      const db = subject()
      const from = await publisher(db)
      const startedByUserId = tester()
      for (const _ of [1, 2]) await testing(db, from, { startedByUserId })
      const asked: string[] = []
      const start = async () => {
        const run = await testOf(db, from, { startedByUserId, seeds: [seed('a')] })
        const outcome = await client().transaction((tx) => acceptRun(listening(tx, asked), true)(run))
        return { outcome, run }
      }
      const third = await start()
      expect(third.outcome.kind).toBe('accepted')
      expect(asked).toEqual(['write_workflow_run_seeds', 'accept_workflow_run'])
      const fourth = await start()
      expect(fourth.outcome.kind).toBe('tests_in_flight')
      expect(await rowsWhere(client(), 'workflow_run_seeds', 'run_id', third.run.runId)).toHaveLength(1)
      expect(await rowsWhere(client(), 'workflow_run_seeds', 'run_id', fourth.run.runId)).toEqual([])
    })

    it('uses no run that was erased, lost a step, or exceeds 50 MB', async () => {
      const db = subject()
      const from = await publisher(db)
      const copiedFrom = (runId: WorkflowRunId, nodeId: string): Seed => ({
        ...seed(nodeId, { origin: 'run', fromRunId: runId, path: '', output: null }),
        copy: { path: '', first: null, writers: [], fields: null },
      })
      const source = await accepted(db, from)
      await client().query(
        {
          name: 'insert_heavy_node_runs',
          text: `insert into workflow_node_runs (run_id, organization_id, path, node_id, status, seq, output, handles)
            select $1::uuid, $2::uuid, '', 'n' || i, 'completed', i, to_json(repeat('x', 20 * 1024 * 1024)), '{out}'
            from generate_series(1, 3) i`,
        },
        [source.runId, from.tenant.organizationId],
      )
      const outcomeOf = async (nodeIds: string[], runId: WorkflowRunId = source.runId) => {
        const run = await testOf(db, from, { seeds: nodeIds.map((id) => copiedFrom(runId, id)) })
        const { kind } = await db.transaction(({ accept }) => accept(run))
        const seeds = await rowsWhere(client(), 'workflow_run_seeds', 'run_id', run.runId)
        return [kind, seeds.map((row) => String(row.output).length > 1_000_000)]
      }
      expect(await outcomeOf(['n1', 'n2'])).toEqual(['accepted', [true, true]])
      expect(await outcomeOf(['n1', 'n2', 'n3'])).toEqual(['seeds_too_large', []])
      expect(await outcomeOf(['n1', 'n4'])).toEqual(['seeds_gone', []])
      const elsewhere = await publisher(db)
      const foreign = await accepted(db, elsewhere)
      expect(await outcomeOf(['n1'], foreign.runId)).toEqual(['seeds_gone', []])
      await client().query(
        { name: 'erase_source', text: 'update workflow_runs set trace_erased = true where id = $1' },
        [source.runId],
      )
      expect(await outcomeOf(['n1'])).toEqual(['seeds_gone', []])
    })

    it('copies an output with the fields of a chosen handle, and keeps the digits and the order of the others', async () => {
      const db = subject()
      const from = await publisher(db)
      const source = await accepted(db, from)
      const outputs: [nodeId: string, output: string | null][] = [
        ['object', '{"reason":"r","price":1.50,"categoryId":"urgent"}'],
        ['text', '"only a text"'],
        ['nothing', null],
      ]
      for (const [seq, [nodeId, output]] of outputs.entries()) {
        await client().query(
          {
            name: 'insert_node_run_to_copy',
            text: `insert into workflow_node_runs (run_id, organization_id, path, node_id, status, seq, output, handles)
              values ($1::uuid, $2::uuid, '', $3, 'completed', $4, $5::json, '{urgent}')`,
          },
          [source.runId, from.tenant.organizationId, nodeId, seq + 1, output],
        )
      }
      const seeds = outputs.map(([nodeId]) => ({
        ...seed(nodeId, { fromRunId: source.runId, output: null, handles: ['later'] }),
        copy: { path: '', first: null, writers: [], fields: { categoryId: 'later', category: 'Later' } },
      }))
      const run = await testOf(db, from, { seeds })
      expect(await db.transaction(({ accept }) => accept(run))).toMatchObject({ kind: 'accepted' })
      const stored = await client().query<{ id: string; output: string | null; handles: string[] }>(
        {
          name: 'read_seeds_as_text',
          text: `select node_id as id, replace(output::text, ' ', '') as output, to_json(handles) as handles
            from workflow_run_seeds where run_id = $1::uuid order by n`,
        },
        [run.runId],
      )
      expect(stored.map(({ id, output, handles }) => [id, output, handles])).toEqual([
        ['object', '{"reason":"r","price":1.50,"categoryId":"later","category":"Later"}', ['later']],
        ['text', '"onlyatext"', ['later']],
        ['nothing', null, ['later']],
      ])
    })

    it('runs a draft before anything is published; equal graphs are one version without a number', async () => {
      const db = subject()
      const from = await publisher(db)
      const { tenant } = from
      const workflow = workflowOf(tenant)
      await db.transaction(({ write }) => write.workflows.insert(workflow))
      const run = await testing(db, { tenant, workflow })
      expect(await rowOf(client(), run)).toMatchObject({
        kind: 'test',
        deployment_id: null,
        source: 'builder',
      })
      const { organizationId } = tenant
      expect(await drafted(db, { tenant, workflow })).toBe(run.test?.versionId)
      expect(await drafted(db, { tenant, workflow }, 'other')).not.toBe(run.test?.versionId)
      const page = { page: 1, limit: 20 }
      expect(await db.read.workflows.versions(organizationId, workflow.id, page)).toEqual({
        rows: [],
        total: 0,
      })
      expect(await db.read.builder.workflowVersions.page(organizationId, workflow.id, page)).toEqual({
        rows: [],
        total: 0,
      })
      const id = run.test?.versionId ?? newWorkflowVersionId()
      expect(await db.read.workflows.versionById(organizationId, id)).toBeNull()
      expect(await db.read.workflows.versionGraph(organizationId, id)).toEqual(GRAPH)
      expect(
        await db.transaction(({ write }) => write.workflows.restore(organizationId, workflow.id, id)),
      ).toBeNull()
    })

    it('runs only a version of its own workflow', async () => {
      const db = subject()
      const from = await publisher(db)
      const other = await publisher(db)
      const sibling = await publishedBy(db, from.tenant)
      for (const versionId of [other.versionId, sibling.versionId, newWorkflowVersionId()]) {
        const run = await testOf(db, from, { test: { ...TERMS, versionId, seeds: [] } })
        expect(await db.transaction(({ accept }) => accept(run))).toEqual({ kind: 'version_changed' })
      }
      const run = await testing(db, from, { test: { ...TERMS, versionId: from.versionId, seeds: [] } })
      expect((await claimed(db, run)).versionId).toBe(from.versionId)
    })

    it('is one of at most three per person; the oldest is named', async () => {
      const db = subject()
      const from = await publisher(db)
      const startedByUserId = tester()
      const base = Date.now()
      const runs = []
      for (const at of [2, 1, 3]) {
        runs.push(await testing(db, from, { startedByUserId, createdAt: base + at }))
      }
      const fourth = await testOf(db, from, { startedByUserId, createdAt: base + 4 })
      expect(await db.transaction(({ accept }) => accept(fourth))).toEqual({
        kind: 'tests_in_flight',
        runIds: [runs[1], runs[0], runs[2]].map((run) => run?.runId),
      })
      await testing(db, from)
      await accepted(db, from, { startedByUserId })
      const { organizationId } = from.tenant
      const oldest = runs[1]?.runId ?? fourth.runId
      expect(
        await db.workflowRuns.cancel({ organizationId, projectId: null, isTest: true }, oldest),
      ).toMatchObject({ cancelled: true })
      expect(await db.transaction(({ accept }) => accept(fourth))).toMatchObject({ kind: 'accepted' })
    })

    it('of two concurrent ones by one person for the last place, one gets it', async () => {
      const db = subject()
      const from = await publisher(db)
      const startedByUserId = tester()
      await testing(db, from, { startedByUserId })
      await testing(db, from, { startedByUserId })
      const starts = await Promise.all([1, 2, 3].map(() => testOf(db, from, { startedByUserId })))
      const outcomes = await Promise.all(starts.map((run) => db.transaction(({ accept }) => accept(run))))
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
        'accepted',
        'tests_in_flight',
        'tests_in_flight',
      ])
    })

    it('takes a slot, and changes no budget of runs', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1 })
      const budget = budgetOf(from.tenant, { limitMicros: 1_000_000 })
      await put(budget)
      const before = await rowsWhere(client(), 'budgets', 'id', budget.id)
      const run = await testing(db, from)
      expect(await used(budget)).toBe(0)
      expect(await rowsWhere(client(), 'budgets', 'id', budget.id)).toEqual(before)
      const refused = startOf(from)
      expect(await db.workflowRuns.accept(refused)).toMatchObject({ status: 'concurrency_limit_reached' })
      await db.workflowRuns.cancel({ ...from.tenant.scope, isTest: true }, run.runId)
      await accepted(db, from)
      expect(await used(budget)).toBe(1_000_000)
      await put({ ...budget })
      expect(await used(budget)).toBe(1_000_000)
    })

    it('is found only by readers of tests', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const [test, run] = [await testing(db, from), await accepted(db, from)]
      const { workflowRuns, reviews } = db
      const page = { page: 1, limit: 20 }
      for (const [here, there] of [
        [scope, test.runId],
        [{ ...scope, isTest: true }, run.runId],
      ] as const) {
        expect(await workflowRuns.find(here, there)).toBeNull()
        expect(await workflowRuns.nodes(here, there, page)).toBeNull()
        expect(await workflowRuns.cancel(here, there)).toBeNull()
        expect(await workflowRuns.pause(here, there)).toBeNull()
        expect(await workflowRuns.resume(here, there)).toBeNull()
        expect(await reviews.ofRun(here, there, page)).toBeNull()
      }
      const asTest = { ...scope, isTest: true }
      expect(await workflowRuns.find(asTest, test.runId)).toMatchObject({ status: 'queued' })
      await claimed(db, test)
      expect(await workflowRuns.pause(asTest, test.runId)).toMatchObject({ paused: true })
      expect(await workflowRuns.resume(asTest, test.runId)).toMatchObject({ resumed: true })
      expect(await workflowRuns.cancel(asTest, test.runId)).toMatchObject({ cancelled: true })
    })

    it('whose worker was cancelled reports that to it with its commit', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await testing(db, from)
      const held = await claimed(db, run)
      await db.workflowRuns.cancel({ ...from.tenant.scope, isTest: true }, run.runId)
      expect(await commit(db, held, DONE)).toEqual({ kind: 'lost', status: 'cancelled' })
    })
  })

  describe('the source of a test', () => {
    it('has every step of its frames, however many others there are, and their number', async () => {
      const db = subject()
      const from = await publisher(db)
      const { runId } = await accepted(db, from)
      const { organizationId } = from.tenant
      await client().query(
        {
          name: 'insert_many_node_runs',
          text: `insert into workflow_node_runs (run_id, organization_id, path, node_id, status, seq)
            select $1::uuid, $2::uuid, '', 'n' || i, 'completed', 6000 + i from generate_series(1, 6000) i
            union all select $1::uuid, $2::uuid, 'loop[' || i || ']', 'a', 'completed', i from generate_series(1, 6000) i`,
        },
        [runId, organizationId],
      )
      const source = await db.observed.testSource(organizationId, runId, [''])
      const inRoot = source?.steps.filter(({ path }) => path === '') ?? []
      expect([inRoot.length, source?.steps.length, source?.stepCount]).toEqual([6_000, 11_000, 12_000])
      expect(await db.observed.testSource(organizationId, runId, ['', 'loop[6000]'])).toMatchObject({
        steps: expect.arrayContaining([expect.objectContaining({ path: 'loop[6000]', nodeId: 'a' })]),
      })
    })
  })

  describe('a review of a test', () => {
    async function opened(db: Database) {
      const from = await publisher(db)
      const run = await testing(db, from)
      const asked = review()
      const nodeRuns = [nodeRun('ask', { status: 'waiting', handles: null, completedAt: null })]
      const { fence, organizationId } = await claimed(db, run)
      await db.workflowRuns.commit({
        ...{ fence, organizationId, to: WAITING, waiter: null, variables: null, nodeRuns, iterations: [] },
        reviews: [asked],
      })
      return { from, run, asked, testerId: run.startedByUserId }
    }

    it('asks only the person who runs the test, sends no notification, and ends within a day', async () => {
      const db = subject()
      const { from, run, asked, testerId } = await opened(db)
      const { scope } = from.tenant
      const found = await db.reviews.find({ ...scope, testerId }, asked.reviewId)
      expect(found).toMatchObject({
        isTest: true,
        runId: run.runId,
        reviewers: { kind: 'users', roles: [], userIds: [testerId] },
        approvalsRequired: 1,
        allowSelfApproval: true,
        allowApiKeys: false,
      })
      expect((found?.expiresAt ?? 0) - (found?.createdAt ?? 0)).toBe(24 * 3600 * 1000)
      expect(await rowsWhere(client(), 'reviews', 'id', asked.reviewId)).toMatchObject([
        {
          notify: { emails: [], webhookUrl: null },
          notify_due_at: null,
          token_hash: null,
          token_sealed: null,
        },
      ])
      expect((await db.reviews.takeDueNotices(60)).map(({ reviewId }) => reviewId)).not.toContain(
        asked.reviewId,
      )
      await client().query(
        {
          name: 'expire_one_review',
          text: `update reviews set expires_at = now() - interval '1 second' where id = $1::uuid`,
        },
        [asked.reviewId],
      )
      const deliveries = await db.reviews.expire()
      expect(deliveries).toContainEqual({ lane: 'workflows', runId: run.runId, slice: 1 })
      expect(await db.reviews.answers(run.runId)).toMatchObject([{ nodeId: 'ask', decision: 'timeout' }])
    })

    it('is seen and decided by no other person', async () => {
      const db = subject()
      const { from, asked, testerId } = await opened(db)
      const { scope } = from.tenant
      const filter = { status: null, workflowId: null, page: 1, limit: 20 }
      const idsOf = async (as: UserId | null | undefined) =>
        (await db.reviews.page({ ...scope, ...(as !== undefined && { testerId: as }) }, filter)).rows.map(
          ({ reviewId }) => reviewId,
        )
      for (const other of [undefined, null, tester()]) {
        const as = { ...scope, ...(other !== undefined && { testerId: other }) }
        expect(await db.reviews.find(as, asked.reviewId)).toBeNull()
        expect(await idsOf(other)).toEqual([])
        expect(await db.transaction(({ reviews }) => reviews.lock(as, asked.reviewId))).toBeNull()
      }
      expect(await db.reviews.link(asked.reviewId)).toMatchObject({ hash: null })
      expect(await idsOf(testerId)).toEqual([asked.reviewId])
      const locked = await db.transaction(({ reviews }) =>
        reviews.lock({ ...scope, testerId }, asked.reviewId),
      )
      expect(locked).toMatchObject({ isRunActive: true, startedBy: { userId: testerId } })
    })
  })

  describe('pins and test cases', () => {
    const pinned = (from: Publisher, nodeId: string, output: unknown = nodeId) =>
      subject().transaction(({ write }) =>
        write.pins.put({
          ...{ organizationId: from.tenant.organizationId, workflowId: from.workflow.id, nodeId },
          ...{ output, shown: output, handles: null, inputHash: 'h', fromRunId: null, secretNames: [] },
        }),
      )
    const cased = (from: Publisher) =>
      subject().transaction(({ write }) =>
        write.testCases.insert({
          ...{
            id: newId(TestCaseId),
            organizationId: from.tenant.organizationId,
            workflowId: from.workflow.id,
          },
          ...{ triggerNodeId: null, payload: {}, mocks: [], secretNames: [], fromRunId: null },
          ...{ name: 'Case', blocking: true, version: 1, expectation: { status: 'completed', output: null } },
        }),
      )
    const deletedAt = (from: Publisher, days: number) =>
      client().execute(
        'update workflows set deleted_at = now() - make_interval(days => $2::int) where id = $1::uuid',
        [from.workflow.id, days],
      )
    const removedAt = (from: Publisher, nodeId: string, days: number) =>
      client().execute(
        `update workflow_pins set removed_at = now() - make_interval(days => $3::int)
        where workflow_id = $1::uuid and node_id = $2`,
        [from.workflow.id, nodeId, days],
      )
    const list = async (from: Publisher) =>
      (await subject().read.pins.list(from.tenant.organizationId, from.workflow.id)).map(
        ({ nodeId }) => nodeId,
      )
    const rows = async (from: Publisher, table: 'workflow_pins' | 'workflow_test_cases') =>
      (await rowsWhere(client(), table, 'workflow_id', from.workflow.id)).length

    it('are deleted with a workflow that was deleted before the time, and with no other', async () => {
      const [old, young, there] = [
        await publisher(subject()),
        await publisher(subject()),
        await publisher(subject()),
      ]
      for (const from of [old, young, there]) {
        await pinned(from, 'a')
        await cased(from)
      }
      await deletedAt(old, 31)
      await deletedAt(young, 29)
      await subject().draftChanges.sweep(new Date(Date.now() - 30 * 86_400_000))
      const left = async (from: Publisher) => [
        await rows(from, 'workflow_pins'),
        await rows(from, 'workflow_test_cases'),
      ]
      expect([await left(old), await left(young), await left(there)]).toEqual([
        [0, 0],
        [1, 1],
        [1, 1],
      ])
    })

    it('a pin of a removed step is out of effect, is restored only with the same step, and is deleted after the time', async () => {
      const from = await publisher(subject())
      const { organizationId } = from.tenant
      const workflowId = from.workflow.id
      const change = (verb: 'setAside' | 'bringBack' | 'cover', steps: Record<string, string>) =>
        subject().transaction<unknown>(({ write }) =>
          write.pins[verb](organizationId, workflowId, new Map(Object.entries(steps))),
        )
      for (const id of ['a', 'b', 'c', 'd']) await pinned(from, id)
      const removed = { a: 'hash a', b: 'hash b', c: 'hash c', unpinned: 'hash' }
      expect(await change('setAside', removed)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
      expect(await list(from)).toEqual(['d'])
      // An inactive pin keeps the step that it belongs to.
      expect(await change('setAside', { a: 'later step' })).toEqual([])
      expect(await subject().read.pins.size(organizationId, workflowId, 'x')).toMatchObject({ count: 1 })
      expect(await change('bringBack', { a: 'hash a', b: 'another step' })).toEqual(['a'])
      expect(await list(from)).toEqual(['a', 'd'])
      // Later steps with the id of a removed step are removed too, and restored one after the other.
      await change('cover', { a: 'no kept pin', b: 'second' })
      await change('cover', { b: 'third' })
      expect(await change('bringBack', { b: 'third' })).toEqual(['b'])
      expect(await change('bringBack', { b: 'third' })).toEqual([])
      expect(await list(from)).toEqual(['a', 'd'])
      expect(await change('bringBack', { b: 'hash b' })).toEqual(['b'])
      expect(await list(from)).toEqual(['a', 'b', 'd'])
      expect(await change('setAside', { b: 'hash b' })).toEqual(['b'])
      await subject().transaction(({ write }) =>
        write.pins.deleteAside(organizationId, workflowId, ['a', 'b', 'unpinned']),
      )
      await change('bringBack', { b: 'hash b' })
      expect(await list(from)).toEqual(['a', 'd'])
      await removedAt(from, 'c', 29)
      const sweep = () => subject().draftChanges.sweep(new Date(Date.now() - 30 * 86_400_000))
      await sweep()
      expect(await rows(from, 'workflow_pins')).toBe(3)
      await removedAt(from, 'c', 31)
      await sweep()
      expect(await rows(from, 'workflow_pins')).toBe(2)
    })

    it('of the pins of removed steps, a workflow keeps the newest 4 MB', async () => {
      const [from, other] = [await publisher(subject()), await publisher(subject())]
      const removed = async (of: Publisher, id: string) => {
        await pinned(of, id, 'x'.repeat(1_000_000))
        await subject().transaction(({ write }) =>
          write.pins.setAside(of.tenant.organizationId, of.workflow.id, new Map([[id, 'hash']])),
        )
      }
      await removed(other, 'other')
      await pinned(from, 'there', 'y'.repeat(1_000_000))
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await removed(from, id)
      expect(await rows(from, 'workflow_pins')).toBe(5)
      expect(await list(from)).toEqual(['there'])
      expect(await rows(other, 'workflow_pins')).toBe(1)
    })
  })

  describe('after seven days', () => {
    it('ended tests are deleted with their seeds and their drafts, and runs are kept', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const [ended, running] = [await testing(db, from, { seeds: [seed('a')] }), await testing(db, from)]
      await commit(db, await claimed(db, run), DONE)
      await commit(db, await claimed(db, ended), DONE)
      const only = await testing(db, await publishedBy(db, from.tenant))
      await commit(db, await claimed(db, only), DONE)
      await db.drafts.sweep(new Date(Date.now() - 3_600_000))
      expect(await rowOf(client(), ended)).toMatchObject({ kind: 'test' })
      await db.drafts.sweep(new Date(Date.now() + 3_600_000))
      const left = async ({ runId }: NewWorkflowRun) =>
        (await rowsWhere(client(), 'workflow_runs', 'id', runId)).length
      expect([await left(run), await left(running)]).toEqual([1, 1])
      expect([await left(ended), await left(only)]).toEqual([0, 0])
      expect(await rowsWhere(client(), 'workflow_run_seeds', 'run_id', ended.runId)).toEqual([])
      const graphOf = (version?: NewTest['versionId']) =>
        db.read.workflows.versionGraph(from.tenant.organizationId, version ?? newWorkflowVersionId())
      expect(await graphOf(running.test?.versionId)).toEqual(GRAPH)
      expect(await graphOf(only.test?.versionId)).toBeNull()
      expect(await graphOf(from.versionId)).toEqual(GRAPH)
    })
  })
}
