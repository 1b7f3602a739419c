import { randomUUID } from 'node:crypto'
import { newId, ReviewId } from '@troupe/contract'
import type { ClaimedWorkflowRun, NewReview, ReviewRequest, WorkflowCommit } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../src/audit/port.ts'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import type { Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  earlier,
  nodeRun,
  PATIENT,
  type Publisher,
  publisher,
  RUNNING,
  rowOf,
  WAITING,
} from './workflow-builders.ts'

const BY = { type: 'user', id: randomUUID(), name: 'Ana' } as const
const REQUEST: ReviewRequest = {
  title: 'Refund',
  instructions: 'Look.',
  show: [{ label: 'Card', value: '4111' }],
  fields: [{ name: 'amount', label: 'Amount', type: 'number', options: [], required: true, value: 12 }],
  reviewers: { kind: 'members', roles: [], userIds: [] },
  approvalsRequired: 1,
  requireRejectComment: false,
  allowSelfApproval: true,
  allowApiKeys: true,
  timeoutSeconds: null,
  notify: { emails: [], webhookUrl: null },
}

const newReview = (changes: Partial<ReviewRequest> = {}, nodeId = 'ask'): NewReview => ({
  reviewId: newId(ReviewId),
  path: '',
  nodeId,
  request: { ...REQUEST, ...changes },
  link: { hash: randomUUID(), sealed: 'sealed' },
})

/** A commit that opens reviews with the rows of their nodes. */
function open(
  db: Database,
  { fence, organizationId }: Pick<ClaimedWorkflowRun, 'fence' | 'organizationId'>,
  reviews: NewReview[],
  to: WorkflowCommit['to'] = WAITING,
) {
  const nodeRuns = reviews.map(({ nodeId, request }) =>
    nodeRun(nodeId, { status: 'waiting', handles: null, completedAt: null, input: request }),
  )
  return db.workflowRuns.commit({
    fence,
    organizationId,
    to,
    waiter: null,
    variables: null,
    nodeRuns,
    iterations: [],
    reviews,
  })
}

/** A run that waits for one review. */
async function waiting(db: Database, from: Publisher, changes: Partial<ReviewRequest> = {}) {
  const run = await accepted(db, from)
  const taken = await claimed(db, run)
  const review = newReview(changes)
  expect(await open(db, taken, [review])).toMatchObject({ kind: 'committed', status: 'awaiting_approval' })
  return { run, taken, reviewId: review.reviewId }
}

const approve = (db: Database, { tenant }: Publisher, reviewId: ReviewId) =>
  db.transaction(async ({ reviews }) => {
    const review = await reviews.lock(tenant.scope, reviewId)
    if (!review) return null
    const { runId } = review
    const decision = { by: BY, comment: null, data: { amount: 5 } }
    return reviews.settle({ reviewId, runId, status: 'approved', decision })
  })

export function reviewsContract(subject: Subject, client: () => SqlClient): void {
  describe('a review', () => {
    it('opens with the commit of its node, and not with one whose fence is lost', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const lost = await claimed(db, run, { workerId: 'lost', leaseSeconds: -1 })
      const taken = await claimed(db, run, { workerId: 'other' })
      expect(await open(db, lost, [newReview()])).toMatchObject({ kind: 'lost' })
      expect(await rowsWhere(client(), 'reviews', 'run_id', run.runId)).toEqual([])
      const first = newReview({ timeoutSeconds: 60 })
      await open(db, taken, [first], RUNNING)
      await open(db, taken, [newReview({ title: 'Again' })], RUNNING)
      const found = await db.reviews.ofRun(from.tenant.scope, run.runId, { page: 1, limit: 10 })
      expect(found?.total).toBe(1)
      const [stored] = found?.rows ?? []
      expect(stored).toMatchObject({
        reviewId: first.reviewId,
        title: 'Refund',
        status: 'open',
        approvals: 0,
      })
      expect((stored?.expiresAt ?? 0) - (stored?.createdAt ?? 0)).toBe(60_000)
    })

    it('belongs to its organization and project', async () => {
      const db = subject()
      const from = await publisher(db)
      const stranger = await publisher(db)
      const { reviewId, run } = await waiting(db, from)
      expect(await db.reviews.find(from.tenant.scope, reviewId)).toMatchObject({ reviewId })
      for (const scope of [
        stranger.tenant.scope,
        { ...from.tenant.scope, projectId: randomUUID() as never },
      ]) {
        expect(await db.reviews.find(scope, reviewId)).toBeNull()
        expect(await db.reviews.ofRun(scope, run.runId, { page: 1, limit: 10 })).toBeNull()
        expect(await db.transaction(({ reviews }) => reviews.lock(scope, reviewId))).toBeNull()
      }
      const filter = { status: null, workflowId: null, page: 1, limit: 10 }
      expect(await db.reviews.page(stranger.tenant.scope, filter)).toEqual({ rows: [], total: 0 })
    })

    it('that is decided makes its waiting run due with a new turn', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, reviewId } = await waiting(db, from)
      const settled = await approve(db, from, reviewId)
      expect(settled?.delivery).toEqual({ lane: 'workflows', runId: run.runId, slice: 1 })
      expect(await rowOf(client(), run)).toMatchObject({
        status: 'running',
        slice: 1,
        wake: false,
        waits_for: null,
      })
      expect(await db.reviews.answers(run.runId)).toEqual([
        {
          path: '',
          nodeId: 'ask',
          decision: 'approved',
          comment: null,
          data: { amount: 5 },
          reviewedBy: BY,
          reviewedAt: Math.floor((settled?.decidedAt ?? 0) / 1000),
        },
      ])
      expect(await approve(db, from, reviewId)).toBeNull()
      const taken = await claimed(db, run, { slice: 1 })
      const nodeRuns = [nodeRun('ask', { handles: ['approved'] })]
      const { fence, organizationId } = taken
      await db.workflowRuns.commit({
        fence,
        organizationId,
        to: RUNNING,
        waiter: null,
        variables: null,
        nodeRuns,
        iterations: [],
      })
      expect(await db.reviews.answers(run.runId)).toEqual([])
    })

    it('that is decided while a worker owns the run marks it: the worker does not release it', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      const review = newReview()
      await open(db, taken, [review], RUNNING)
      expect((await approve(db, from, review.reviewId))?.delivery).toBeNull()
      expect(await rowOf(client(), run)).toMatchObject({ status: 'running', slice: 0, wake: true })
      expect(await open(db, taken, [], WAITING)).toEqual({ kind: 'wake' })
    })

    it('that is decided while its run is paused leaves it paused, and due when it is resumed', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, reviewId } = await waiting(db, from)
      await db.workflowRuns.pause(from.tenant.scope, run.runId)
      expect((await approve(db, from, reviewId))?.delivery).toBeNull()
      expect(await rowOf(client(), run)).toMatchObject({ status: 'paused', waits_for: null })
      expect(await db.workflowRuns.resume(from.tenant.scope, run.runId)).toMatchObject({
        status: 'running',
        delivery: { slice: 1 },
      })
    })

    it.for([
      [
        'a cancel',
        async (db: Database, from: Publisher, { run }) =>
          void (await db.workflowRuns.cancel(from.tenant.scope, run.runId)),
      ],
      [
        'a commit that fails the run',
        async (db: Database, _from: Publisher, { taken }) =>
          void (await open(db, taken, [], { status: 'failed', output: null, error: 'Node x failed.' })),
      ],
    ] as [
      string,
      (
        db: Database,
        from: Publisher,
        run: { run: Awaited<ReturnType<typeof accepted>>; taken: ClaimedWorkflowRun },
      ) => Promise<void>,
    ][])('is withdrawn by %s', async ([, end]) => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      const review = newReview({ notify: { emails: ['ana@acme.test'], webhookUrl: null } })
      await open(db, taken, [review], RUNNING)
      await end(db, from, { run, taken })
      const [row] = await rowsWhere(client(), 'reviews', 'run_id', run.runId)
      expect(row).toMatchObject({
        status: 'withdrawn',
        token_sealed: null,
        notify_due_at: null,
        decision: null,
      })
      expect(await approve(db, from, review.reviewId)).toBeNull()
    })

    it('is withdrawn by the watchdog that ends its run, and by a commit that opens it and fails at once', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      await open(db, taken, [newReview()], RUNNING)
      for (let slice = 0; slice < 3; slice += 1) {
        if (slice > 0) await claimed(db, run, { slice, leaseSeconds: -1 })
        else
          await client().query(
            {
              name: 'lose_lease',
              text: `update workflow_runs set lease_until = now() - interval '1 s' where id = $1::uuid`,
            },
            [run.runId],
          )
        await db.workflowRuns.sweep(PATIENT)
      }
      expect(await rowOf(client(), run)).toMatchObject({ status: 'failed' })
      expect(await rowsWhere(client(), 'reviews', 'run_id', run.runId)).toMatchObject([
        { status: 'withdrawn' },
      ])

      const other = await accepted(db, from)
      const end = { status: 'failed', output: null, error: 'Node x failed.' } as const
      await open(db, await claimed(db, other), [newReview()], end)
      expect(await rowsWhere(client(), 'reviews', 'run_id', other.runId)).toMatchObject([
        { status: 'withdrawn' },
      ])
    })

    it('expires once in concurrent sweeps', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run } = await waiting(db, from, { timeoutSeconds: -1 })
      const later = await waiting(db, from, { timeoutSeconds: 60 })
      const swept = await Promise.all([db.reviews.expire(), db.reviews.expire(), db.reviews.expire()])
      expect(swept.flat().filter(({ runId }) => runId === run.runId)).toEqual([
        { lane: 'workflows', runId: run.runId, slice: 1 },
      ])
      expect(await db.reviews.answers(run.runId)).toMatchObject([
        { decision: 'timeout', data: { amount: 12 }, reviewedBy: null, comment: null },
      ])
      expect(await rowOf(client(), later.run)).toMatchObject({ status: 'awaiting_approval' })
    })

    it('is notified by one process at a time, and by none after its end', async () => {
      const db = subject()
      const from = await publisher(db)
      const notify = { emails: ['ana@acme.test'], webhookUrl: null }
      const { reviewId } = await waiting(db, from, { notify })
      const mine = (notices: { reviewId: string }[]) => notices.filter((one) => one.reviewId === reviewId)
      const taken = await Promise.all([db.reviews.takeDueNotices(60), db.reviews.takeDueNotices(60)])
      expect(mine(taken.flat())).toMatchObject([{ attempt: 1, sealedLink: 'sealed', notify }])
      expect(await db.reviews.noticed(reviewId, { notify, retrySeconds: 0 })).toBe(true)
      expect(mine(await db.reviews.takeDueNotices(0))).toMatchObject([{ attempt: 2 }])
      await approve(db, from, reviewId)
      expect(mine(await db.reviews.takeDueNotices(0))).toEqual([])
      expect(await db.reviews.noticed(reviewId, null)).toBe(false)
    })

    it('has its votes in the order in which they were cast, also within a millisecond', async () => {
      const db = subject()
      const from = await publisher(db)
      const { reviewId } = await waiting(db, from, { approvalsRequired: 9 })
      const { scope } = from.tenant
      const voters = ['9', '8', '7', '6', '5', '4', '3', '2', '1'].map((name) => `user:${name}`)
      await db.transaction(async ({ reviews }) => {
        await reviews.lock(scope, reviewId)
        const said = { name: 'Ana', decision: 'approve', comment: null, data: {}, found: {} } as const
        const { organizationId } = scope
        const vote = (voter: string) => reviews.vote({ reviewId, voter, organizationId, ...said })
        for (const voter of voters) await vote(voter)
        await vote('user:5')
      })
      const votes = (await db.reviews.votes([reviewId])).get(reviewId) ?? []
      expect(votes.map(({ voter }) => voter)).toEqual([...voters.filter((one) => one !== 'user:5'), 'user:5'])
      expect(new Set(votes.map(({ at }) => at)).size).toBe(9)
    })

    it('keeps the reviewer and loses the shown values when the trace of its run is erased', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, reviewId } = await waiting(db, from)
      const { organizationId } = from.tenant.scope
      await db.transaction(async ({ reviews }) => {
        await reviews.lock(from.tenant.scope, reviewId)
        const said = { name: 'Ana', decision: 'approve', comment: 'Less' } as const
        const values = { data: { amount: 5 }, found: { amount: 12 } }
        await reviews.vote({ reviewId, voter: `user:${BY.id}`, organizationId, ...said, ...values })
      })
      await approve(db, from, reviewId)
      const votes = async () => (await db.reviews.votes([reviewId])).get(reviewId)
      expect(await votes()).toMatchObject([{ data: { amount: 5 }, found: { amount: 12 } }])
      const audited = (entityId: string): AuditEntry => ({
        ...{ organizationId, projectId: null, action: 'review.approved', entityKind: 'review', entityId },
        actor: { kind: 'user', id: BY.id, ip: null, requestId: null },
        before: { data: { amount: 12 } },
        after: { runId: run.runId, by: BY, comment: 'Less', data: { amount: 5 } },
      })
      const other = randomUUID()
      await db.transaction(({ write }) => write.audit.appendAll([audited(reviewId), audited(other)]))
      await db.workflowRuns.cancel(from.tenant.scope, run.runId)
      await earlier(client(), run, 31 * 24 * 3_600)
      await db.workflowRuns.sweepExpired(Date.now())
      expect(await rowsWhere(client(), 'audit_log', 'entity_id', reviewId)).toMatchObject([
        { before: null, after: { runId: run.runId, by: BY, comment: 'Less' } },
      ])
      expect(await votes()).toMatchObject([{ name: 'Ana', comment: 'Less', data: {}, found: {} }])
      const [erased] = await rowsWhere(client(), 'audit_log', 'entity_id', reviewId)
      expect(erased?.after).not.toHaveProperty('data')
      expect(await rowsWhere(client(), 'audit_log', 'entity_id', other)).toMatchObject([
        { before: { data: { amount: 12 } }, after: { data: { amount: 5 } } },
      ])
      expect(await db.reviews.find(from.tenant.scope, reviewId)).toMatchObject({
        status: 'approved',
        title: 'Refund',
        instructions: '',
        shown: [],
        fields: [],
        decision: { by: BY, comment: null, data: {} },
      })
    })
  })
}
