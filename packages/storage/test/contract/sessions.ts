import { randomUUID } from 'node:crypto'
import { AgentId, newId, OrganizationId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, exchange, memberOf, message, runOn, sessionOf, targetOf } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

const ALL = {
  maxBytes: 1_000_000,
  maxRuns: 1_000,
  toolRuns: 2,
  toolBytes: 1_000,
  stateBytes: 100_000,
  beforeSeq: null,
}
const DAY_MS = 86_400_000

export function sessionsContract(subject: Subject, client: () => SqlClient): void {
  describe('a session', () => {
    it('is null before its first run, and a different one for every part of its key', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const key = sessionOf(tenant)
      expect(await db.runs.session(key, ALL)).toBeNull()
      await exchange(db, tenant, key, 'one')
      expect((await db.runs.session(key, ALL))?.ownerUserId).toBe('ana')
      for (const changed of [
        { organizationId: other.organizationId },
        { projectId: tenant.projectA },
        { entityId: newId(AgentId) },
        { sessionId: 'another' },
      ]) {
        expect(await db.runs.session({ ...key, ...changed }, ALL)).toBeNull()
      }
    })

    it('belongs to its first user, even if another user names it later', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      await db.runs.start(runOn(tenant, key, { userId: 'ana' }))
      const bob = runOn(tenant, key, { userId: 'bob' })
      expect(await db.runs.start(bob)).toEqual({ kind: 'session_of_another_user' })
      expect(await db.runs.find(tenant.scope, targetOf(bob))).toBeNull()
      const nameless = runOn(tenant, key, { userId: randomUUID(), userIdGiven: false })
      expect(await db.runs.start(nameless)).toEqual({ kind: 'started', ownerUserId: 'ana', sessionSeq: 2 })
      expect((await db.runs.find(tenant.scope, targetOf(nameless)))?.userId).toBe('ana')
    })

    it('is one row with its own numbers when fifty runs start on it concurrently', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => db.runs.start(runOn(tenant, key))))
      const numbers = outcomes.map((outcome) => (outcome.kind === 'started' ? outcome.sessionSeq : 0))
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
      expect(await rowsWhere(client(), 'sessions', 'session_id', key.sessionId)).toHaveLength(1)
    })

    it('goes to exactly one of many users who start it concurrently', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < 5; round += 1) {
        const key = sessionOf(tenant)
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, async (_, i) => {
            // Half of them with an idempotency key, whose claim must be undone by the refusal.
            const idempotency = i % 2 ? { path: key.sessionId, key: `${i}`, bodyHash: 'h' } : null
            const run = runOn(tenant, key, { userId: `user-${i}`, idempotency })
            return { run, outcome: await db.runs.start(run) }
          }),
        )
        const started = outcomes.filter(({ outcome }) => outcome.kind === 'started')
        const owner = (await db.runs.session(key, ALL))?.ownerUserId
        expect(started.map(({ run }) => run.userId)).toEqual([owner])
        expect(outcomes.filter(({ outcome }) => outcome.kind === 'session_of_another_user')).toHaveLength(19)
        const claims = await rowsWhere(client(), 'idempotency_keys', 'path', key.sessionId)
        expect(claims.map((claim) => claim.run_id)).toEqual(
          started.filter(({ run }) => run.idempotency).map(({ run }) => run.runId),
        )
        const rows = await rowsWhere(client(), 'runs', 'entity_id', key.entityId)
        expect(rows).toHaveLength(1)
      }
    })
  })

  describe('history', () => {
    it('replays completed and cancelled runs in order, newest last', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      await exchange(db, tenant, key, 'one', { content: '1' })
      await exchange(db, tenant, key, 'two', { status: 'failed', content: null })
      await exchange(db, tenant, key, 'three', { status: 'cancelled', content: 'par' })
      await exchange(db, tenant, key, 'four', { status: 'timeout' })
      await exchange(db, tenant, key, 'five', { status: 'cancelled', content: null })
      await db.runs.start(runOn(tenant, key))
      const state = await db.runs.session(key, ALL)
      // Only spoken text can be interrupted.
      const written = { answeredBy: key.entityId, interrupted: null }
      expect(state?.history).toEqual([
        { ...written, seq: 1, status: 'completed', input: 'one', content: '1' },
        { ...written, seq: 3, status: 'cancelled', input: 'three', content: 'par' },
        { ...written, seq: 5, status: 'cancelled', input: 'five', content: null },
      ])
      expect(state?.unsummarisedBytes).toBe(3 + 1 + 5 + 3 + 4)
    })

    it('reserves no room for runs in flight, and reports the oldest of them', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      await exchange(db, tenant, key, 'one', { content: '1' })
      expect((await db.runs.session(key, ALL))?.oldestInFlight).toBeNull()
      await db.runs.start(runOn(tenant, key, { source: 'api_async', input: 'x'.repeat(500) }))
      await db.runs.start(runOn(tenant, key))
      await exchange(db, tenant, key, 'four', { content: '4' })
      const state = await db.runs.session(key, { ...ALL, maxBytes: 9, maxRuns: 2 })
      expect(state?.history.map((run) => run.seq)).toEqual([1, 4])
      expect(state).toMatchObject({ unsummarisedBytes: 3 + 1 + 4 + 1, oldestInFlight: 2 })
    })

    it('drops the oldest whole runs by UTF-8 bytes and by number', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      for (const input of ['1', '2', '3', '4'])
        await exchange(db, tenant, key, `${input}é`, { content: '😀😀' })
      const cut = async (limits: { maxBytes?: number; maxRuns?: number }) => {
        const state = await db.runs.session(key, { ...ALL, ...limits })
        expect(state?.unsummarisedBytes).toBe(44)
        return state?.history.map((run) => run.seq)
      }
      expect(await cut({})).toEqual([1, 2, 3, 4])
      expect(await cut({ maxBytes: 44 })).toEqual([1, 2, 3, 4])
      expect(await cut({ maxBytes: 43 })).toEqual([2, 3, 4])
      expect(await cut({ maxBytes: 22 })).toEqual([3, 4])
      expect(await cut({ maxBytes: 10 })).toEqual([])
      expect(await cut({ maxRuns: 2 })).toEqual([3, 4])
      expect(await cut({ maxRuns: 0 })).toEqual([])
    })

    describe('of tool calls', () => {
      const made = { name: 'look', arguments: { at: 'x' } }
      /** A run of two steps with tool calls, whose second result has this length. */
      const worked = (size = 3) => [
        message({ content: 'in' }),
        message({ idx: 1, role: 'assistant', content: 'Wait.', toolCalls: [{ id: 'call_0_0', ...made }] }),
        message({ idx: 2, role: 'tool', content: 'one', toolCallId: 'call_0_0' }),
        message({ idx: 3, role: 'assistant', content: null, toolCalls: [{ id: 'call_1_0', ...made }] }),
        message({ idx: 4, role: 'tool', content: 'x'.repeat(size), toolCallId: 'call_1_0' }),
        message({ idx: 5, role: 'assistant', content: 'out' }),
      ]
      const step = (id: string, text: string, result: string) => ({ text, calls: [{ id, ...made, result }] })
      const BOTH = [step('call_0_0', 'Wait.', 'one'), step('call_1_0', '', 'xxx')]

      it('has those of the newest ended runs, cancelled ones included, and of no other', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        for (const status of ['completed', 'cancelled', 'failed', 'completed'] as const)
          await exchange(db, tenant, key, 'in', { status, messages: worked() })
        await db.runs.start(runOn(tenant, key))
        const steps = async (toolRuns: number) =>
          (await db.runs.session(key, { ...ALL, toolRuns }))?.history.map((run) => [run.seq, run.steps])
        expect(await steps(0)).toEqual([1, 2, 4].map((seq) => [seq, undefined]))
        expect(await steps(2)).toEqual([
          [1, undefined],
          [2, BOTH],
          [4, BOTH],
        ])
        await exchange(db, tenant, key, 'in', { messages: [message({ content: 'in' })] })
        expect(await steps(2)).toEqual([
          [1, undefined],
          [2, undefined],
          [4, BOTH],
          [6, undefined],
        ])
      })

      it('leaves out the oldest steps of a run that is too large, never a call without its result', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        await exchange(db, tenant, key, 'in', { messages: worked(20_000) })
        const steps = async (toolBytes: number) =>
          (await db.runs.session(key, { ...ALL, toolBytes }))?.history[0]?.steps
        // A result counts with at most its replayed length.
        expect(await steps(4_096 + 1_000)).toEqual([BOTH[0], step('call_1_0', '', 'x'.repeat(20_000))])
        expect(await steps(4_096 + 100)).toEqual([step('call_1_0', '', 'x'.repeat(20_000))])
        expect(await steps(4_096 + 10)).toEqual([])
        expect(await steps(10)).toBeUndefined()
      })

      it('leaves out a step that lacks a result', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        const messages = worked().filter(({ toolCallId }) => toolCallId !== 'call_1_0')
        await exchange(db, tenant, key, 'in', { messages })
        expect((await db.runs.session(key, ALL))?.history[0]?.steps).toEqual([BOTH[0]])
      })

      it('counts the runs before a job, not those after it', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        for (const _ of [1, 2, 3]) await exchange(db, tenant, key, 'in', { messages: worked() })
        const state = await db.runs.session(key, { ...ALL, toolRuns: 1, beforeSeq: 3 })
        expect(state?.history.map(({ seq, steps }) => [seq, steps])).toEqual([
          [1, undefined],
          [2, BOTH],
        ])
      })
    })

    describe('of runs that failed', () => {
      const called = { id: 'call_0_0', name: 'notify', arguments: {}, status: 'ok' as const }
      const acted = (call: object) => [
        message({ content: 'in' }),
        message({ idx: 1, role: 'assistant', content: null, toolCalls: [{ ...called, ...call }] }),
        message({ idx: 2, role: 'tool', content: 'sent', toolCallId: 'call_0_0' }),
      ]

      it('has those that have called a tool, with its name and the call', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        const failed = { status: 'failed', content: null } as const
        await exchange(db, tenant, key, 'one', { ...failed, messages: acted({ ms: 3 }) })
        await exchange(db, tenant, key, 'two', { ...failed, messages: acted({ status: 'denied' }) })
        await exchange(db, tenant, key, 'three', { ...failed, status: 'timeout', messages: acted({ ms: 0 }) })
        await exchange(db, tenant, key, 'four', failed)
        const state = await db.runs.session(key, ALL)
        const steps = [
          { text: '', calls: [{ id: 'call_0_0', name: 'notify', arguments: {}, result: 'sent' }] },
        ]
        expect(state?.history).toMatchObject([
          { seq: 1, status: 'failed', input: 'one', content: null, called: ['notify'], steps },
          { seq: 3, status: 'failed', input: 'three', content: null, called: ['notify'], steps },
        ])
      })

      it('of a team has those whose members have called a tool', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant, { kind: 'team' })
        const member = { messages: acted({ ms: 3 }) }
        const delegated = acted({ name: 'delegate', ms: 9 })
        await exchange(db, tenant, key, 'one', { status: 'failed', messages: delegated })
        await exchange(db, tenant, key, 'two', {
          status: 'failed',
          messages: delegated,
          members: [memberOf('member:m1:0', member)],
        })
        expect((await db.runs.session(key, ALL))?.history).toMatchObject([
          { seq: 2, status: 'failed', called: ['notify'] },
        ])
      })
    })

    describe('of provider state', () => {
      const state = (size: number) => ({
        origin: 'o',
        parts: [{ type: 'reasoning' as const, text: 'x'.repeat(size) }],
      })
      const thought = (size: number) => [
        message({ content: 'in' }),
        message({
          idx: 1,
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'call_0_0', name: 'look', arguments: {}, ms: 1 }],
          state: state(size),
        }),
        message({ idx: 2, role: 'tool', content: 'seen', toolCallId: 'call_0_0' }),
        message({ idx: 3, role: 'assistant', content: 'out', state: state(size + 1) }),
      ]

      it('has the state of the newest steps and answers, each whole or not at all', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        await exchange(db, tenant, key, 'in', { content: 'out', messages: thought(500) })
        const states = async (change: object) => {
          const [run] = (await db.runs.session(key, { ...ALL, ...change }))?.history ?? []
          return [run?.steps?.map((step) => step.state ?? null), run?.state ?? null]
        }
        expect(await states({})).toEqual([[state(500)], state(501)])
        expect(await states({ stateBytes: 900 })).toEqual([[null], state(501)])
        expect(await states({ stateBytes: 100 })).toEqual([[null], null])
        expect(await states({ toolRuns: 0 })).toEqual([[], state(501)])
      })

      it('has none of an answer whose text was changed', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        await exchange(db, tenant, key, 'in', { content: 'changed', messages: thought(5) })
        expect((await db.runs.session(key, ALL))?.history[0]?.state).toBeUndefined()
      })

      it('includes it in no message', async () => {
        const db = subject()
        const tenant = await createTenant(db)
        const key = sessionOf(tenant)
        const run = runOn(tenant, key)
        await db.runs.start(run)
        await db.runs.finish(endOf(run, { content: 'out', messages: thought(5) }))
        expect(JSON.stringify(await db.runs.find(tenant.scope, targetOf(run)))).not.toContain('reasoning')
      })
    })

    it('does not skip a run that is too large to reach a smaller one behind it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      for (const size of [1, 1000, 1]) await exchange(db, tenant, key, 'x'.repeat(size), { content: '' })
      expect((await db.runs.session(key, { ...ALL, maxBytes: 100 }))?.history.map((run) => run.seq)).toEqual([
        3,
      ])
    })

    it('starts after the newest summary, which one of several writers wins', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant, { projectId: tenant.projectA })
      for (const input of ['a', 'b', 'c']) await exchange(db, tenant, key, input, { content: 'x' })
      const state = await db.runs.session(key, ALL)
      if (!state) throw new Error('no session')
      const { organizationId, projectA: projectId } = tenant
      const summary = { sessionRowId: state.sessionRowId, organizationId, projectId, modelId: 'm' }
      await db.runs.saveSummary({ ...summary, version: 1, text: 'first', coversSeq: 1 })
      const texts = ['p', 'q', 'r', 's']
      await Promise.all(
        texts.map((text) => db.runs.saveSummary({ ...summary, version: 2, text: `${text}\0`, coversSeq: 2 })),
      )
      await db.runs.saveSummary({
        ...summary,
        organizationId: newId(OrganizationId),
        version: 3,
        text: 'foreign',
        coversSeq: 3,
      })
      const after = await db.runs.session(key, ALL)
      expect(after?.summary).toMatchObject({ version: 2, coversSeq: 2 })
      expect(texts.map((text) => `${text}\ufffd`)).toContain(after?.summary?.text)
      expect(after?.history.map((run) => run.seq)).toEqual([3])
      expect(after?.unsummarisedBytes).toBe(2)
    })
  })

  describe('an idempotency key', () => {
    it('starts exactly one of fifty concurrent requests', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      const idempotency = { path: '/run', key: 'k', bodyHash: 'hash' }
      const runs = Array.from({ length: 50 }, () => runOn(tenant, key, { idempotency }))
      const outcomes = await Promise.all(runs.map((run) => db.runs.start(run)))
      const winner = runs.filter((_, i) => outcomes[i]?.kind === 'started')
      expect(winner).toHaveLength(1)
      const used = { kind: 'idempotency_key_used', runId: winner[0]?.runId, bodyHash: 'hash' }
      expect(outcomes.filter((outcome) => outcome.kind !== 'started')).toEqual(
        Array.from({ length: 49 }, () => used),
      )
      expect(await rowsWhere(client(), 'runs', 'entity_id', key.entityId)).toHaveLength(1)
      expect(await db.runs.start(runOn(tenant, key))).toMatchObject({ sessionSeq: 2 })
    })

    it('belongs to one API key and path', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const idempotency = { path: '/run', key: 'k', bodyHash: 'a' }
      const start = (of: typeof tenant, claim: typeof idempotency) =>
        db.runs.start(runOn(of, sessionOf(of), { idempotency: claim }))
      expect((await start(tenant, idempotency)).kind).toBe('started')
      expect((await start(other, idempotency)).kind).toBe('started')
      expect((await start(tenant, { ...idempotency, path: '/other' })).kind).toBe('started')
      expect(await start(tenant, { ...idempotency, bodyHash: 'b' })).toMatchObject({
        kind: 'idempotency_key_used',
        bodyHash: 'a',
      })
    })

    it('is free again after 24 hours', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      const start = (createdAt: number, bodyHash: string) =>
        db.runs.start(runOn(tenant, key, { createdAt, idempotency: { path: '/run', key: 'k', bodyHash } }))
      const now = Date.now()
      expect((await start(now, 'a')).kind).toBe('started')
      expect(await start(now + DAY_MS - 1, 'b')).toMatchObject({
        kind: 'idempotency_key_used',
        bodyHash: 'a',
      })
      expect(await start(now + DAY_MS, 'b')).toEqual({ kind: 'started', ownerUserId: 'ana', sessionSeq: 2 })
      expect(await start(now + DAY_MS, 'c')).toMatchObject({ kind: 'idempotency_key_used', bodyHash: 'b' })
    })

    it('is not consumed by a refused request or a failed row', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant)
      const first = runOn(tenant, key)
      await db.runs.start(first)
      const idempotency = { path: '/run', key: 'k', bodyHash: 'h' }
      const refused = await db.runs.start(runOn(tenant, key, { userId: 'bob', idempotency }))
      expect(refused).toEqual({ kind: 'session_of_another_user' })
      await expect(db.runs.start({ ...first, idempotency })).rejects.toThrow()
      expect(await db.runs.start(runOn(tenant, key, { idempotency }))).toMatchObject({ sessionSeq: 2 })
      await db.runs.finish(endOf(first))
    })
  })
}
