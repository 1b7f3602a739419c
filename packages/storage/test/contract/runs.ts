import { AgentId, checkedId, newId, OrganizationId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, message, runOn, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

export function runsContract(subject: Subject, client: () => SqlClient): void {
  const ledger = (runId: string) => rowsWhere(client(), 'usage_records', 'run_id', runId)

  describe('a run', () => {
    it('changed by guardrails keeps the remaining part of its message, and their flags', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      const flags = [{ stage: 'input', type: 'pii', action: 'redact', reason: 'Found 1 email.' }] as const
      expect(await db.runs.finish(endOf(run, { input: 'I am [redacted]', flags }))).toEqual({
        finished: true,
      })
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.flags).toEqual(flags)
      expect(await rowsWhere(client(), 'runs', 'id', run.runId)).toMatchObject([{ input: 'I am [redacted]' }])
    })

    it('is written when it starts and found only in its scope', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const session = sessionOf(tenant, { projectId: tenant.projectA })
      const run = runOn(tenant, session, { createdAt: 1_800_000_000_123, includeMessages: true })
      expect(await db.runs.start(run)).toEqual({ kind: 'started', ownerUserId: 'ana', sessionSeq: 1 })
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect(found).toEqual({
        runId: run.runId,
        kind: 'agent',
        entityId: session.entityId,
        status: 'running',
        source: 'api_sync',
        success: null,
        content: null,
        errorCode: null,
        errorMessage: null,
        sessionId: session.sessionId,
        userId: 'ana',
        inputTokens: 0,
        outputTokens: 0,
        failoverUsed: false,
        includeMessages: true,
        plan: null,
        flags: null,
        citations: null,
        createdAt: 1_800_000_000_123,
        startedAt: 1_800_000_000_123,
        completedAt: null,
        messages: [],
      })
      const { organizationId, projectA, projectB, scope } = tenant
      expect(await db.runs.find({ organizationId, projectId: projectA }, targetOf(run))).toEqual(found)
      expect(await db.runs.find({ organizationId, projectId: projectB }, targetOf(run))).toBeNull()
      expect(await db.runs.find(other.scope, targetOf(run))).toBeNull()
      expect(await db.runs.find(scope, targetOf(run, { entityId: newId(AgentId) }))).toBeNull()
      expect(await db.runs.find(scope, targetOf(run, { kind: 'team' }))).toBeNull()
    })

    it('without an entity is a job: no other run is found or cancelled by it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      expect(await db.runs.find(tenant.scope, targetOf(run, { entityId: null }))).toBeNull()
      expect(await db.runs.cancel(tenant.scope, targetOf(run, { entityId: null }))).toBeNull()
    })

    it('ends once, with messages, ledger and the tail of its log', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream', tag: 'nightly' })
      await db.runs.start(run)
      const messages = [
        message({ createdAt: 1_800_000_000_001 }),
        message({
          idx: 1,
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'call_0_0', name: 'search', arguments: { z: 1, a: ['x'] } }],
          agentId: checkedId(AgentId, run.session.entityId),
          agentName: 'Writer',
          createdAt: 1_800_000_000_002,
        }),
        message({
          idx: 2,
          role: 'tool',
          content: 'none',
          toolCallId: 'call_0_0',
          toolName: 'search',
          isError: true,
          createdAt: 1_800_000_000_002,
        }),
        message({ idx: 3, role: 'assistant', content: 'Hi!', createdAt: 1_800_000_000_003 }),
      ]
      const end = endOf(run, {
        messages,
        usage: [
          usage({
            latencyMs: 12.6,
            costMicros: 5_000_000_000,
            agentId: checkedId(AgentId, run.session.entityId),
          }),
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
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect(found).toMatchObject({
        status: 'completed',
        success: true,
        content: 'Hi!',
        inputTokens: 10,
        outputTokens: 5,
        completedAt: 1_800_000_000_456,
      })
      expect(found?.messages).toEqual(messages.map((one) => ({ ...one, runId: run.runId })))
      const rows = await ledger(run.runId)
      expect(
        rows.map((row) => [row.attempt, row.latency_ms, row.cost_micros, row.tag, row.user_id, row.agent_id]),
      ).toEqual([
        [1, 13, 5_000_000_000, 'nightly', 'ana', run.session.entityId],
        [2, 12, null, 'nightly', 'ana', null],
      ])
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual(end.events)
    })

    it('of another organization or agent is not ended', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      expect(await db.runs.finish(endOf(run, { organizationId: newId(OrganizationId) }))).toEqual({
        finished: false,
        status: null,
      })
      expect(await db.runs.finish(endOf(run, { entityId: newId(AgentId) }))).toEqual({
        finished: false,
        status: 'running',
      })
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.status).toBe('running')
    })

    it('loses its texts at the end when messages are not stored', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream', input: 'secret' })
      await db.runs.start(run)
      await db.runs.appendEvents(
        run.runId,
        tenant.organizationId,
        [
          { seqFrom: 1, seq: 1, event: 'RunStarted', data: {}, cuts: null },
          { seqFrom: 2, seq: 3, event: 'RunContent', data: { delta: 'secret' }, cuts: [3, 6] },
        ],
        null,
      )
      await db.runs.finish(
        endOf(run, {
          storeMessages: false,
          messages: [message({ content: 'secret' })],
          events: [{ seqFrom: 4, seq: 4, event: 'RunCompleted', data: {}, cuts: null }],
        }),
      )
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect([found?.content, found?.messages]).toEqual([null, []])
      expect((await db.runs.eventsAfter(run.runId, 0)).map((event) => event.event)).toEqual([
        'RunStarted',
        'RunCompleted',
      ])
      const state = await db.runs.session(run.session, {
        maxBytes: 1000,
        maxRuns: 10,
        toolRuns: 2,
        toolBytes: 1_000,
        stateBytes: 100_000,
        beforeSeq: null,
      })
      expect(state).toMatchObject({ history: [], unsummarisedBytes: 0 })
      const rows = await rowsWhere(client(), 'runs', 'id', run.runId)
      expect(JSON.stringify(rows)).not.toContain('secret')
    })

    it('keeps content with NUL and half surrogate pairs, length for length', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { sessionId: 's\0' }), {
        input: 'a\0b',
        userId: 'u\ud800',
        source: 'api_stream',
        tag: 't\0',
      })
      expect((await db.runs.start(run)).kind).toBe('started')
      const content = 'x\0y\ud800z'
      const data = { delta: content, 'k\0': [content] }
      await db.runs.appendEvents(
        run.runId,
        tenant.organizationId,
        [{ seqFrom: 1, seq: 3, event: 'RunContent', data, cuts: [2, 4, 5] }],
        null,
      )
      const end = endOf(run, {
        content,
        errorMessage: content,
        messages: [message({ role: 'assistant', content })],
        usage: [usage({ modelId: content })],
        events: [{ seqFrom: 4, seq: 4, event: 'RunCompleted', data: { content }, cuts: null }],
      })
      expect(await db.runs.finish(end)).toEqual({ finished: true })
      const found = await db.runs.find(tenant.scope, targetOf(run))
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
      expect(
        (
          await db.runs.session(run.session, {
            maxBytes: 100,
            maxRuns: 10,
            toolRuns: 2,
            toolBytes: 1_000,
            stateBytes: 100_000,
            beforeSeq: null,
          })
        )?.history[0]?.content,
      ).toBe(stored)
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
