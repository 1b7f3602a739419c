import { describe, expect, it, vi } from 'vitest'
import type { SqlClient } from '../../src/sql/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { createTenant, endOf, newId, runOn, type Subject, sessionOf, usage } from './tenant.ts'

const LOST = { errorCode: 'upstream_error', errorMessage: 'The process that executed the run was lost.' }

export function runsContract(subject: Subject, client: () => SqlClient): void {
  const ledger = (runId: string) => rowsWhere(client(), 'usage_records', 'run_id', runId)

  describe('a run', () => {
    it('is written when it starts and found by its scope only', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const session = sessionOf(tenant, { projectId: tenant.projectA })
      const run = runOn(tenant, session, { createdAt: 1_800_000_000_123 })
      expect(await db.runs.start(run)).toEqual({ kind: 'started', ownerUserId: 'ana', sessionSeq: 1 })
      const found = await db.runs.find(tenant.scope, session.entityId, run.runId)
      expect(found).toEqual({
        runId: run.runId,
        agentId: session.entityId,
        status: 'running',
        source: 'api_sync',
        success: null,
        content: null,
        errorCode: null,
        errorMessage: null,
        sessionId: session.externalId,
        userId: 'ana',
        inputTokens: 0,
        outputTokens: 0,
        failoverUsed: false,
        createdAt: 1_800_000_000_123,
        completedAt: null,
        messages: [],
      })
      const { organizationId, projectA, projectB } = tenant
      expect(
        await db.runs.find({ organizationId, projectId: projectA }, session.entityId, run.runId),
      ).toEqual(found)
      expect(
        await db.runs.find({ organizationId, projectId: projectB }, session.entityId, run.runId),
      ).toBeNull()
      expect(await db.runs.find(other.scope, session.entityId, run.runId)).toBeNull()
      expect(await db.runs.find(tenant.scope, newId.agent(), run.runId)).toBeNull()
    })

    it('ends once, with messages, ledger and the tail of its log', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream', tag: 'nightly' })
      await db.runs.start(run)
      const messages = [
        { idx: 0, role: 'user' as const, content: 'Hello', agentId: null, createdAt: 1_800_000_000_001 },
        { idx: 1, role: 'assistant' as const, content: 'Hi!', agentId: run.session.entityId, createdAt: 2 },
      ]
      const end = endOf(run, {
        messages,
        usage: [
          usage({ latencyMs: 12.6, costMicros: 5_000_000_000 }),
          usage({ attempt: 2, costMicros: null }),
        ],
        events: [{ seqFrom: 1, seq: 1, event: 'RunCompleted', data: { runId: run.runId }, cuts: null }],
        completedAt: 1_800_000_000_456,
      })
      expect(await db.runs.finish(end)).toEqual({ finished: true })
      expect(await db.runs.finish({ ...end, status: 'failed' })).toEqual({
        finished: false,
        status: 'completed',
      })
      const found = await db.runs.find(tenant.scope, end.agentId, run.runId)
      expect(found).toMatchObject({
        status: 'completed',
        success: true,
        content: 'Hi!',
        inputTokens: 10,
        outputTokens: 5,
        completedAt: 1_800_000_000_456,
      })
      expect(found?.messages).toEqual(messages.map((message) => ({ ...message, runId: run.runId })))
      const rows = await ledger(run.runId)
      expect(rows.map((row) => [row.attempt, row.latency_ms, row.cost_micros, row.tag, row.user_id])).toEqual(
        [
          [1, 13, 5_000_000_000, 'nightly', 'ana'],
          [2, 12, null, 'nightly', 'ana'],
        ],
      )
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual(end.events)
    })

    it('of another organization or agent is not ended', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      expect(await db.runs.finish(endOf(run, { organizationId: newId.organization() }))).toEqual({
        finished: false,
        status: null,
      })
      expect(await db.runs.finish(endOf(run, { agentId: newId.agent() }))).toEqual({
        finished: false,
        status: 'running',
      })
      expect((await db.runs.find(tenant.scope, run.session.entityId, run.runId))?.status).toBe('running')
    })

    it('loses its texts at the end when messages are not stored', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream', input: 'secret' })
      await db.runs.start(run)
      await db.runs.appendEvents(run.runId, tenant.organizationId, [
        { seqFrom: 1, seq: 1, event: 'RunStarted', data: {}, cuts: null },
        { seqFrom: 2, seq: 3, event: 'RunContent', data: { delta: 'secret' }, cuts: [3, 6] },
      ])
      await db.runs.finish(
        endOf(run, {
          storeMessages: false,
          messages: [{ idx: 0, role: 'user', content: 'secret', agentId: null, createdAt: 1 }],
          events: [{ seqFrom: 4, seq: 4, event: 'RunCompleted', data: {}, cuts: null }],
        }),
      )
      const found = await db.runs.find(tenant.scope, run.session.entityId, run.runId)
      expect([found?.content, found?.messages]).toEqual([null, []])
      expect((await db.runs.eventsAfter(run.runId, 0)).map((event) => event.event)).toEqual([
        'RunStarted',
        'RunCompleted',
      ])
      const state = await db.runs.session(run.session, { maxBytes: 1000, maxRuns: 10 })
      expect(state).toMatchObject({ history: [], unsummarisedBytes: 0 })
      const rows = await rowsWhere(client(), 'runs', 'id', run.runId)
      expect(JSON.stringify(rows)).not.toContain('secret')
    })

    it('keeps content with NUL and half surrogate pairs, length for length', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { externalId: 's\0' }), {
        input: 'a\0b',
        userId: 'u\ud800',
        source: 'api_stream',
        tag: 't\0',
      })
      expect((await db.runs.start(run)).kind).toBe('started')
      const content = 'x\0y\ud800z'
      const data = { delta: content, 'k\0': [content] }
      await db.runs.appendEvents(run.runId, tenant.organizationId, [
        { seqFrom: 1, seq: 3, event: 'RunContent', data, cuts: [2, 4, 5] },
      ])
      const end = endOf(run, {
        content,
        errorMessage: content,
        messages: [{ idx: 0, role: 'assistant', content, agentId: null, createdAt: 1 }],
        usage: [usage({ modelId: content })],
        events: [{ seqFrom: 4, seq: 4, event: 'RunCompleted', data: { content }, cuts: null }],
      })
      expect(await db.runs.finish(end)).toEqual({ finished: true })
      const found = await db.runs.find(tenant.scope, run.session.entityId, run.runId)
      const stored = 'x\ufffdy\ufffdz'
      expect([found?.content, found?.messages[0]?.content, found?.sessionId]).toEqual([
        stored,
        stored,
        's\ufffd',
      ])
      const [deltas] = await db.runs.eventsAfter(run.runId, 0)
      expect(deltas).toEqual({
        seqFrom: 1,
        seq: 3,
        event: 'RunContent',
        data: { delta: stored, 'k\ufffd': [stored] },
        cuts: [2, 4, 5],
      })
      expect((await db.runs.session(run.session, { maxBytes: 100, maxRuns: 10 }))?.history[0]?.content).toBe(
        stored,
      )
    })
  })

  describe('a cancel', () => {
    it('ends a running run once and tells every process', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => {
        if (signal.kind === 'run_cancelled') heard.push(signal)
      })
      expect(await db.runs.cancel(tenant.scope, run.session.entityId, run.runId)).toEqual({ cancelled: true })
      expect(await db.runs.cancel(tenant.scope, run.session.entityId, run.runId)).toEqual({
        cancelled: false,
      })
      await vi.waitFor(() => expect(heard).toEqual([{ kind: 'run_cancelled', runId: run.runId }]))
      unsubscribe()
      expect(await db.runs.finish(endOf(run))).toEqual({ finished: false, status: 'cancelled' })
    })

    it('is null outside the scope: another organization, project or agent', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const { organizationId, projectA, projectB, scope } = tenant
      const run = runOn(tenant, sessionOf(tenant, { projectId: projectA }))
      const agentId = run.session.entityId
      await db.runs.start(run)
      expect(await db.runs.cancel(other.scope, agentId, run.runId)).toBeNull()
      expect(await db.runs.cancel({ organizationId, projectId: projectB }, agentId, run.runId)).toBeNull()
      expect(await db.runs.cancel(scope, newId.agent(), run.runId)).toBeNull()
      expect(await db.runs.cancel(scope, agentId, newId.run())).toBeNull()
      const shared = runOn(tenant, sessionOf(tenant))
      await db.runs.start(shared)
      expect(
        await db.runs.cancel({ organizationId, projectId: projectA }, shared.session.entityId, shared.runId),
      ).toBeNull()
      expect(await db.runs.cancel({ organizationId, projectId: projectA }, agentId, run.runId)).toEqual({
        cancelled: true,
      })
    })

    it('is settled with partial text, ledger and log once, and only then', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream' })
      await db.runs.start(run)
      const end = endOf(run, {
        status: 'cancelled',
        content: 'par',
        usage: [usage()],
        messages: [{ idx: 0, role: 'assistant', content: 'par', agentId: null, createdAt: 1 }],
        events: [{ seqFrom: 1, seq: 1, event: 'RunCancelled', data: {}, cuts: null }],
      })
      await db.runs.settleCancelled(end)
      expect((await db.runs.find(tenant.scope, end.agentId, run.runId))?.content).toBeNull()
      await db.runs.cancel(tenant.scope, end.agentId, run.runId)
      await db.runs.settleCancelled(end)
      await db.runs.settleCancelled({ ...end, content: 'twice' })
      const found = await db.runs.find(tenant.scope, end.agentId, run.runId)
      expect(found).toMatchObject({ status: 'cancelled', content: 'par', inputTokens: 10 })
      expect(found?.messages).toHaveLength(1)
      expect(await ledger(run.runId)).toHaveLength(1)
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual(end.events)
    })

    it('and a finish at the same moment: exactly one wins, and both say so', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = Array.from({ length: 200 }, () => runOn(tenant, sessionOf(tenant)))
      await Promise.all(runs.map((run) => db.runs.start(run)))
      const outcomes = await Promise.all(
        runs.map(async (run, i) => {
          const finish = () => db.runs.finish(endOf(run, { usage: [usage()] }))
          const cancel = () => db.runs.cancel(tenant.scope, run.session.entityId, run.runId)
          if (i % 2) {
            const [cancelled, finished] = await Promise.all([cancel(), finish()])
            return { run, finished, cancelled }
          }
          const [finished, cancelled] = await Promise.all([finish(), cancel()])
          return { run, finished, cancelled }
        }),
      )
      for (const { run, finished, cancelled } of outcomes) {
        const status = (await db.runs.find(tenant.scope, run.session.entityId, run.runId))?.status
        expect([finished, cancelled]).toEqual(
          status === 'completed'
            ? [{ finished: true }, { cancelled: false }]
            : [{ finished: false, status: 'cancelled' }, { cancelled: true }],
        )
        expect(await ledger(run.runId)).toHaveLength(status === 'completed' ? 1 : 0)
      }
    })
  })

  describe('leases', () => {
    it('are renewed for the runs of one process and expire for the others', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const [mine, theirs] = [newId.run(), newId.run()]
      const kept = runOn(tenant, sessionOf(tenant), { workerId: mine, leaseSeconds: -1 })
      const lost = runOn(tenant, sessionOf(tenant), {
        workerId: theirs,
        leaseSeconds: -1,
        source: 'api_stream',
      })
      const fresh = runOn(tenant, sessionOf(tenant), { workerId: theirs })
      for (const run of [kept, lost, fresh]) await db.runs.start(run)
      await db.runs.appendEvents(lost.runId, tenant.organizationId, [
        { seqFrom: 1, seq: 1, event: 'RunStarted', data: {}, cuts: null },
        { seqFrom: 2, seq: 4, event: 'RunContent', data: { delta: 'abc' }, cuts: [1, 2, 3] },
      ])
      await db.runs.renewLeases(mine, [kept.runId], 30)
      expect(await db.runs.failLost({ all: false, ...LOST })).toBe(1)
      expect(await db.runs.ended([kept.runId, lost.runId, fresh.runId, newId.run()])).toEqual([lost.runId])
      expect(await db.runs.find(tenant.scope, lost.session.entityId, lost.runId)).toMatchObject({
        status: 'failed',
        success: false,
        ...LOST,
      })
      expect(await db.runs.eventsAfter(lost.runId, 4)).toEqual([
        {
          seqFrom: 5,
          seq: 5,
          event: 'RunError',
          data: {
            runId: lost.runId,
            createdAt: expect.closeTo(Date.now() / 1000, -1.5),
            error: LOST.errorCode,
            message: LOST.errorMessage,
          },
          cuts: null,
        },
      ])
      await db.runs.appendEvents(lost.runId, tenant.organizationId, [
        { seqFrom: 6, seq: 6, event: 'RunContent', data: {}, cuts: null },
      ])
      expect(await db.runs.eventsAfter(lost.runId, 5)).toEqual([])
      expect(await db.runs.finish(endOf(lost))).toEqual({ finished: false, status: 'failed' })
      expect(await db.runs.failLost({ all: true, ...LOST })).toBeGreaterThanOrEqual(2)
      expect((await db.runs.ended([kept.runId, fresh.runId])).toSorted()).toEqual(
        [kept.runId, fresh.runId].toSorted(),
      )
    })

    it('that two sweeps find lost are ended by one of them', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await db.runs.failLost({ all: true, ...LOST })
      const runs = Array.from({ length: 40 }, () =>
        runOn(tenant, sessionOf(tenant), { leaseSeconds: -1, source: 'api_stream' }),
      )
      await Promise.all(runs.map((run) => db.runs.start(run)))
      const counts = await Promise.all([1, 2, 3, 4].map(() => db.runs.failLost({ all: false, ...LOST })))
      expect(counts.reduce((a, b) => a + b)).toBe(40)
      for (const run of runs) expect(await db.runs.eventsAfter(run.runId, 0)).toHaveLength(1)
    })
  })

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
      await db.runs.appendEvents(run.runId, tenant.organizationId, events.slice(0, 2))
      await db.runs.appendEvents(run.runId, tenant.organizationId, events)
      await db.runs.appendEvents(run.runId, newId.organization(), [
        { seqFrom: 9, seq: 9, event: 'RunError', data: {}, cuts: null },
      ])
      await db.runs.appendEvents(run.runId, tenant.organizationId, [])
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
      const claim = { path: '/p', key: newId.run(), bodyHash: 'h' }
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
        left.push((await db.runs.eventsAfter(one?.run.runId ?? newId.run(), 0)).map((event) => event.seq))
      }
      expect(left).toEqual([[1, 4], [1], [1, 2, 3, 4]])
      expect(await rowsWhere(client(), 'idempotency_keys', 'key', claim.key)).toEqual([])
    })
  })

  it('records the usage of background calls', async () => {
    const db = subject()
    const tenant = await createTenant(db)
    const run = runOn(tenant, sessionOf(tenant))
    await db.runs.recordUsage(
      endOf(run, { usage: [usage({ purpose: 'summary', ok: false, errorCode: 'timeout' })] }),
    )
    await db.runs.recordUsage(endOf(run, { usage: [] }))
    expect(await ledger(run.runId)).toMatchObject([
      {
        organization_id: tenant.organizationId,
        purpose: 'summary',
        ok: false,
        error_code: 'timeout',
        cost_micros: 12,
      },
    ])
  })
}
