import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { claimed, jobOn, outputOf, stepOf, sweptSlice } from './job-builders.ts'
import { endOf, eventOf, memberOf, message, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

export function jobStepsContract(subject: Subject, client: () => SqlClient): void {
  describe('a step of a job', () => {
    it('is available in the next turn, with its ledger rows, members and events', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant, { tag: 't' }, sessionOf(tenant, { kind: 'team' }))
      const { fence } = await claimed(db, run)
      const output = { z: 1, a: ['x\0', { y: null }] }
      const member = memberOf('member:m1:0', { messages: [message()] })
      const step = stepOf(run, fence, {
        key: 'member:m1:0',
        step: { name: 'member_run', version: 2, output },
        usage: [usage({ memberRunId: member.runId, inputTokens: 7 }), usage({ isFallback: true })],
        members: [member],
        events: [eventOf(1, 'RunStarted'), { ...eventOf(4), seqFrom: 2, cuts: [1, 2, 3] }],
      })
      expect(await db.jobs.commitStep(step)).toBe(true)
      expect(
        await db.jobs.commitStep(stepOf(run, fence, { key: 'nothing', step: outputOf(undefined) })),
      ).toBe(true)
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.messages).toMatchObject([
        { runId: member.runId },
      ])
      await db.jobs.yield(run.runId, fence)
      const next = await claimed(db, run, { slice: 1 })
      expect(next.steps).toEqual(
        new Map([
          ['member:m1:0', { name: 'member_run', version: 2, output: { z: 1, a: ['x\ufffd', { y: null }] } }],
          ['nothing', outputOf(null)],
        ]),
      )
      expect(Object.keys(next.steps.get('member:m1:0')?.output as object)).toEqual(['z', 'a'])
      expect(next.usage).toEqual({ inputTokens: 17, outputTokens: 10, costMicros: 24, failoverUsed: true })
      expect(next.lastSeq).toBe(4)
      const ledger = await rowsWhere(client(), 'usage_records', 'run_id', run.runId)
      expect(ledger).toMatchObject([{ tag: 't', user_id: 'ana', member_run_id: member.runId }, { tag: 't' }])
    })

    it('of a program that stored neither kind nor version is read in the first version', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const text = `insert into run_steps (run_id, key, organization_id, output)
        select id, 'history', organization_id, '[]' from runs where id = $1::uuid`
      await client().query({ name: 'older_step', text }, [run.runId])
      const { steps } = await claimed(db, run)
      expect(steps.get('history')).toEqual({ name: null, version: 1, output: [] })
    })

    it('that is committed again because its answer was lost changes nothing', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      const again = (output: unknown) =>
        stepOf(run, fence, {
          step: outputOf(output),
          usage: [usage()],
          members: [memberOf('member:m1:0', { messages: [message()] })],
          events: [eventOf(1)],
        })
      expect(await db.jobs.commitStep(again('first'))).toBe(true)
      expect(await db.jobs.commitStep(again('second'))).toBe(true)
      await db.runs.finish(
        endOf(run, { fence, members: [memberOf('member:m1:0', { messages: [message()] })] }),
      )
      expect(await rowsWhere(client(), 'runs', 'parent_run_id', run.runId)).toHaveLength(1)
      expect(await rowsWhere(client(), 'usage_records', 'run_id', run.runId)).toHaveLength(1)
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.messages).toHaveLength(1)
      expect(await db.runs.eventsAfter(run.runId, 0)).toHaveLength(1)
    })

    it('is refused with all its dependent rows once another worker owns the job', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const zombie = (await claimed(db, run, { workerId: 'zombie', leaseSeconds: -1 })).fence
      expect(await sweptSlice(db, run)).toBe(1)
      const late = stepOf(run, zombie, {
        usage: [usage()],
        members: [memberOf('member:m1:0')],
        events: [eventOf(1)],
      })
      expect(await db.jobs.commitStep(late)).toBe(false)
      await claimed(db, run, { slice: 1 })
      expect(await db.jobs.commitStep(late)).toBe(false)
      await db.runs.appendEvents(run.runId, tenant.organizationId, [eventOf(1)], zombie)
      for (const [table, column] of [
        ['run_steps', 'run_id'],
        ['usage_records', 'run_id'],
        ['run_events', 'run_id'],
        ['runs', 'parent_run_id'],
      ] as const) {
        expect(await rowsWhere(client(), table, column, run.runId)).toEqual([])
      }
    })

    it('is refused if the job was cancelled', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      await db.runs.cancel(tenant.scope, targetOf(run))
      expect(await db.jobs.commitStep(stepOf(run, fence))).toBe(false)
    })

    it('concurrent with a takeover is refused if the new worker does not see it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = await Promise.all(Array.from({ length: 60 }, () => jobOn(db, tenant)))
      const fences = await Promise.all(
        runs.map(async (run) => (await claimed(db, run, { workerId: 'zombie', leaseSeconds: -1 })).fence),
      )
      await Promise.all(
        runs.map(async (run, i) => {
          const fence = fences[i]
          if (!fence) return
          const step = stepOf(run, fence, { usage: [usage()], events: [eventOf(1)] })
          const log = [eventOf(2)]
          const work = [
            () => db.jobs.commitStep(step),
            () => db.jobs.claim({ runId: run.runId, slice: 0 }, 'next', 30),
            () => db.runs.appendEvents(run.runId, tenant.organizationId, log, fence),
          ] as const
          const late = i % 2 ? work[0]() : null
          const [job, committed] = await Promise.all([work[1](), late ?? work[0](), work[2]()])
          expect(job?.steps.size).toBe(committed ? 1 : 0)
          expect(job?.usage.inputTokens).toBe(committed ? 10 : 0)
          const stored = await db.runs.eventsAfter(run.runId, 0)
          expect(job?.lastSeq).toBe(stored.at(-1)?.seq ?? 0)
        }),
      )
    })

    it('loses the texts of its members at the end when messages are not stored', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant, { input: 'secret' })
      const { fence } = await claimed(db, run)
      const content = 'secret'
      const member = memberOf('member:m1:0', { input: content, content, messages: [message({ content })] })
      const step = {
        step: outputOf(content),
        members: [member],
        events: [eventOf(1, 'RunStarted'), eventOf(2)],
      }
      await db.jobs.commitStep(stepOf(run, fence, step))
      await db.runs.finish(
        endOf(run, { fence, storeMessages: false, content, events: [eventOf(3, 'RunCompleted')] }),
      )
      const rows = [
        await rowsWhere(client(), 'runs', 'id', run.runId),
        await rowsWhere(client(), 'runs', 'parent_run_id', run.runId),
        await rowsWhere(client(), 'run_messages', 'run_id', member.runId),
        await rowsWhere(client(), 'run_steps', 'run_id', run.runId),
        await rowsWhere(client(), 'run_events', 'run_id', run.runId),
      ]
      expect(rows.map((list) => list.length)).toEqual([1, 1, 0, 0, 2])
      expect(JSON.stringify(rows)).not.toContain('secret')
    })
  })

  describe('the event log of a job', () => {
    it('accepts batches of its owner, until its end is written', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      const append = (seq: number, by = fence) =>
        db.runs.appendEvents(run.runId, tenant.organizationId, [eventOf(seq)], by)
      await append(1)
      await append(2, { ...fence, slice: 1 })
      await append(3, { ...fence, workerId: 'another' })
      await db.runs.cancel(tenant.scope, targetOf(run))
      await append(4)
      await db.runs.settleCancelled(endOf(run, { fence, status: 'cancelled', events: [eventOf(5)] }))
      await append(6)
      expect((await db.runs.eventsAfter(run.runId, 0)).map((one) => one.seq)).toEqual([1, 4, 5])
    })

    it('is trimmed when it expires, with the rest of the journal', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      const events = [eventOf(1), eventOf(2), eventOf(3)]
      await db.jobs.commitStep(stepOf(run, fence, { events, members: [memberOf('member:m1:0')] }))
      await db.runs.cancel(tenant.scope, targetOf(run))
      const later = Date.now() + 60_000
      await db.runs.sweepExpired({ eventsBefore: later, idempotencyBefore: 0 })
      expect((await db.runs.eventsAfter(run.runId, 0)).map((one) => one.seq)).toEqual([1, 3])
      expect(await rowsWhere(client(), 'run_steps', 'run_id', run.runId)).toEqual([])
    })
  })
}
