import type { ApprovalVerdict, ClaimedJob, NewApproval, NewRun } from '@troupe/agents/ports'
import { AgentId, ApprovalId, newId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { claimed, jobOn, stepOf, sweptSlice } from './job-builders.ts'
import { endOf, targetOf } from './run-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

const HOUR_MS = 3_600_000
/** Rounds per race; on PGlite they run one after the other. */
const ROUNDS = 25

function approvalOf(changes: Partial<NewApproval> = {}): NewApproval {
  return {
    ...{
      approvalId: newId(ApprovalId),
      stepKey: 'call:0.0:approval',
      agentId: newId(AgentId),
      argsHash: 'hash',
      asks: [],
    },
    ...{
      toolCallId: 'call_0_0',
      toolName: 'pay',
      args: { b: 1, a: 2 },
      expiresAt: Date.now() + HOUR_MS,
      notice: null,
    },
    ...changes,
  }
}

/** A job in progress that has requested an approval. */
async function asking(db: Database, tenant: Tenant, changes: Partial<NewApproval & NewRun> = {}) {
  const run = await jobOn(db, tenant, { storeMessages: changes.storeMessages ?? true })
  const job = await claimed(db, run)
  const approval = approvalOf(changes)
  const step = stepOf(run, job.fence, { key: approval.stepKey, approval })
  expect(await db.jobs.commitStep(step)).toBe(true)
  return { run, job, approval, park: () => db.jobs.park(run.runId, job.fence) }
}

interface Resting {
  slice: number
  waits: boolean
  due: boolean
  leased: boolean
}

type Asked = Awaited<ReturnType<typeof asking>>

/** A decision as made by the operation; returns the status that it found or set. */
function decide(
  db: Database,
  { organizationId }: Tenant,
  { approval }: Asked,
  status: ApprovalVerdict['status'],
) {
  return db.transaction(async (tx): Promise<{ found: string; delivery: Delivery | null }> => {
    const locked = await tx.approvals.lock(organizationId, approval.approvalId)
    if (locked?.status !== 'pending') return { found: locked?.status ?? 'gone', delivery: null }
    const delivery = await tx.approvals.settle(locked, { status, reason: 'because', resolvedBy: null })
    return { found: 'pending', delivery }
  })
}

export function approvalsContract(subject: Subject, driver: () => SqlDriver): void {
  const rowOf = async ({ run }: { run: NewRun }) => {
    const text = `select slice, waiting_since is not null as waits, coalesce(dispatch_due_at <= now(), false) as due,
      lease_until is not null as leased from runs where id = $1::uuid`
    const [row] = await driver().query<Resting>({ name: 'resting_job', text }, [run.runId])
    if (!row) throw new Error('no row')
    return row
  }

  describe('approvals of tool calls', () => {
    it('are written with their step, once, and shown to their organization and project only', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const other = await createTenant(db)
      const asked = await asking(db, tenant)
      const { approval, run, job } = asked
      const again = stepOf(run, job.fence, { key: approval.stepKey, approval: { ...approval, args: {} } })
      expect(await db.jobs.commitStep(again)).toBe(true)
      const { rows, total } = await db.approvals.page(tenant.scope, { status: 'pending', page: 1, limit: 5 })
      const { approvalId, args, expiresAt } = approval
      expect([total, rows]).toMatchObject([
        1,
        [{ approvalId, args, expiresAt, runId: run.runId, status: 'pending' }],
      ])
      expect(Object.keys(rows[0]?.args ?? {})).toEqual(['b', 'a'])
      expect(await db.approvals.page(other.scope, { status: null, page: 1, limit: 5 })).toMatchObject({
        total: 0,
      })
      expect(await db.approvals.find(other.organizationId, approvalId)).toBeNull()
      expect(await decide(db, other, asked, 'approved')).toMatchObject({ found: 'gone' })
      expect(await db.approvals.verdict(approvalId)).toBeNull()
    })

    it('the addresses that an approval asks are a list, so that a part of an address is not asked', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const asks = ['anna@acme.test', 'ben@acme.test']
      const { approval } = await asking(db, tenant, { asks })
      const found = await db.approvals.find(tenant.organizationId, approval.approvalId)
      expect(found?.asks).toEqual(asks)
      expect(found?.asks.includes('na@acme.test')).toBe(false)
    })

    it('a worker that has lost its job writes none, and parks nothing', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { run, park } = await asking(db, tenant)
      const approval = approvalOf({ stepKey: 'late' })
      const fence = { workerId: 'other', slice: 0 }
      expect(await db.jobs.commitStep(stepOf(run, fence, { key: 'late', approval }))).toBe(false)
      expect(await db.approvals.find(tenant.organizationId, approval.approvalId)).toBeNull()
      expect(await db.jobs.park(run.runId, fence)).toBeNull()
      await db.jobs.yield(run.runId, { workerId: 'w', slice: 0 })
      expect(await park()).toBeNull()
    })

    it('a parked job has no worker, is due at its deadline, and its working time is paused', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const asked = await asking(db, tenant)
      const { run, job, approval } = asked
      expect(await asked.park()).toEqual({ slice: 1, dueAt: approval.expiresAt })
      expect(await rowOf(asked)).toEqual({ slice: 1, waits: true, due: false, leased: false })
      // A day of waiting, far beyond the job's own limit.
      await driver().execute(
        `update runs set waiting_since = waiting_since - interval '1 day', deadline_at = deadline_at - interval '1 day'
         where id = $1::uuid`,
        [run.runId],
      )
      expect(await sweptSlice(db, run)).toBeNull()
      await db.jobs.recover()
      expect(await rowOf(asked)).toMatchObject({ slice: 1, waits: true, due: false })
      const { delivery } = await decide(db, tenant, asked, 'approved')
      expect(delivery).toEqual({ lane: 'jobs', runId: run.runId, slice: 2 })
      expect(await db.jobs.claim({ runId: run.runId, slice: 1 }, 'w', 30)).toBeNull()
      const next: ClaimedJob = await claimed(db, run, { slice: 2 })
      expect(Math.abs(next.deadlineAt - job.deadlineAt)).toBeLessThan(5_000)
      expect(await db.approvals.verdict(approval.approvalId)).toEqual({
        status: 'approved',
        reason: 'because',
      })
    })

    it('the delivery at the deadline claims the job, whose approval expires', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const asked = await asking(db, tenant, { expiresAt: Date.now() - 1_000 })
      await asked.park()
      expect(await sweptSlice(db, asked.run)).toBe(1)
      await claimed(db, asked.run, { slice: 1 })
      expect(await rowOf(asked)).toMatchObject({ waits: false, leased: true })
      const { approvalId } = asked.approval
      expect(await db.approvals.find(tenant.organizationId, approvalId)).toMatchObject({ status: 'expired' })
      expect(await db.approvals.verdict(approvalId)).toEqual({ status: 'expired', reason: null })
      expect(await decide(db, tenant, asked, 'approved')).toEqual({ found: 'expired', delivery: null })
    })

    it('a decision concurrent with a park always makes the job due', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await asking(db, tenant)
        const both = [() => asked.park(), () => decide(db, tenant, asked, 'approved')]
        if (round % 2 === 1) both.reverse()
        await Promise.all(both.map((one) => one()))
        expect(await rowOf(asked)).toMatchObject({ waits: false, due: true, leased: false })
      }
    })

    it('of two concurrent decisions one counts, and the other finds it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await asking(db, tenant)
        await asked.park()
        const [yes, no] = await Promise.all([
          decide(db, tenant, asked, 'approved'),
          decide(db, tenant, asked, 'denied'),
        ])
        const verdict = await db.approvals.verdict(asked.approval.approvalId)
        expect([yes.found, no.found].sort()).toEqual([verdict?.status, 'pending'].sort())
        expect([yes.delivery, no.delivery].filter((one) => one !== null)).toHaveLength(1)
        expect(await rowOf(asked)).toMatchObject({ slice: 2, waits: false })
      }
    })

    it('of a concurrent decision and expiry one counts', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await asking(db, tenant, { expiresAt: Date.now() + (round % 5) })
        await asked.park()
        const [made, verdict] = await Promise.all([
          decide(db, tenant, asked, 'approved'),
          db.approvals.verdict(asked.approval.approvalId),
        ])
        const stands = await db.approvals.verdict(asked.approval.approvalId)
        if (verdict) expect(stands).toEqual(verdict)
        if (made.delivery) expect(stands?.status).toMatch(/approved|expired/)
        if (stands?.status === 'approved') expect(made.found).toBe('pending')
      }
    })

    it('a decision after a cancel finds the approval expired, and one before it is kept', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await asking(db, tenant)
        await asked.park()
        const both = [
          () => db.runs.cancel(tenant.scope, targetOf(asked.run)),
          () => decide(db, tenant, asked, 'approved'),
        ]
        if (round % 2 === 1) both.reverse()
        await Promise.all(both.map((one) => one()))
        const shown = await db.approvals.find(tenant.organizationId, asked.approval.approvalId)
        expect(shown?.status).toMatch(/approved|expired/)
        if (shown?.status === 'expired') expect(shown.reason).toBe('The run has ended.')
        const { slice } = await rowOf(asked)
        expect(await db.jobs.claim({ runId: asked.run.runId, slice }, 'w', 30)).toBeNull()
      }
    })

    it('the end of a run closes pending approvals, and erases arguments that it does not keep', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { run, job, approval } = await asking(db, tenant, { storeMessages: false })
      await db.runs.finish(endOf(run, { fence: job.fence, storeMessages: false }))
      const shown = { status: 'expired', reason: 'The run has ended.', args: {} }
      expect(await db.approvals.find(tenant.organizationId, approval.approvalId)).toMatchObject(shown)
      await db.approvals.closeEnded()
      const text = 'select status, reason, args from approvals where id = $1::uuid'
      const [row] = await driver().query({ name: 'stored_approval', text }, [approval.approvalId])
      expect(row).toEqual(shown)
    })

    it('a stream that has ended opens none', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { run, job } = await asking(db, tenant)
      const approval = approvalOf({ stepKey: 'other' })
      const { organizationId } = tenant
      await db.approvals.open({ runId: run.runId, organizationId }, approval)
      expect(await db.approvals.find(organizationId, approval.approvalId)).toMatchObject({
        status: 'pending',
      })
      await db.runs.finish(endOf(run, { fence: job.fence }))
      const late = approvalOf({ stepKey: 'late' })
      await db.approvals.open({ runId: run.runId, organizationId }, late)
      expect(await db.approvals.find(organizationId, late.approvalId)).toBeNull()
    })
  })
}
