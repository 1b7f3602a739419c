import { newId, OrganizationId, RunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, runOn, sessionOf } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

export function eventLogContract(subject: Subject, client: () => SqlClient): void {
  describe('the event log', () => {
    it('returns rows after a number in order, and ignores a batch that is sent again', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream' })
      await db.runs.start(run)
      const events = [
        { seqFrom: 1, seq: 1, event: 'RunStarted', data: { z: 1, a: { y: 1, b: 2 } }, cuts: null },
        { seqFrom: 2, seq: 4, event: 'RunContent', data: { delta: 'abc' }, cuts: [1, 2, 3] },
        { seqFrom: 5, seq: 5, event: 'RunContent', data: { delta: 'd' }, cuts: [1] },
      ]
      await db.runs.appendEvents(run.runId, tenant.organizationId, events.slice(0, 2), null)
      await db.runs.appendEvents(run.runId, tenant.organizationId, events, null)
      await db.runs.appendEvents(
        run.runId,
        newId(OrganizationId),
        [{ seqFrom: 9, seq: 9, event: 'RunError', data: {}, cuts: null }],
        null,
      )
      await db.runs.appendEvents(run.runId, tenant.organizationId, [], null)
      const stored = await db.runs.eventsAfter(run.runId, 0)
      expect(stored).toEqual(events)
      expect(JSON.stringify(stored[0]?.data)).toBe('{"z":1,"a":{"y":1,"b":2}}')
      expect(await db.runs.eventsAfter(run.runId, 3)).toEqual(events.slice(1))
      expect(await db.runs.eventsAfter(run.runId, 5)).toEqual([])
    })

    it('keeps its first and last row when it expires, and only the first of a run without texts', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const rows = [1, 2, 3, 4].map((seq) => ({ seqFrom: seq, seq, event: `E${seq}`, data: {}, cuts: null }))
      const [kept, erased, recent] = [true, false, true].map((storeMessages, i) => {
        const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream' })
        return { run, end: endOf(run, { storeMessages, events: rows, completedAt: i === 2 ? 5_000 : 1_000 }) }
      })
      const claim = { path: '/p', key: newId(RunId), bodyHash: 'h' }
      const claimed = runOn(tenant, sessionOf(tenant), { createdAt: 1_000, idempotency: claim })
      await db.runs.start(claimed)
      const left: (number[] | undefined)[] = []
      for (const one of [kept, erased, recent]) {
        if (!one) continue
        await db.runs.start(one.run)
        await db.runs.finish(one.end)
      }
      await db.runs.sweepExpired({ eventsBefore: 2_000, idempotencyBefore: 2_000 })
      await db.runs.sweepExpired({ eventsBefore: 2_000, idempotencyBefore: 2_000 })
      for (const one of [kept, erased, recent]) {
        left.push((await db.runs.eventsAfter(one?.run.runId ?? newId(RunId), 0)).map((event) => event.seq))
      }
      expect(left).toEqual([[1, 4], [1], [1, 2, 3, 4]])
      expect(await rowsWhere(client(), 'idempotency_keys', 'key', claim.key)).toEqual([])
    })
  })
}
