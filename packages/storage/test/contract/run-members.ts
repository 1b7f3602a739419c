import { AgentId, checkedId, newId, type RunPlan, SessionRowId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, eventOf, memberOf, message, runOn, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

const PLAN: RunPlan = {
  goalCompleted: true,
  stopReason: 'goal_completed',
  iterations: 1,
  maxIterations: 10,
  tasks: [
    { id: 't1', title: 'Find', status: 'completed', assigneeAgentId: null, attempts: 1, memberRunId: null },
  ],
}
const ALL = {
  maxBytes: 1_000_000,
  maxRuns: 1_000,
  toolRuns: 2,
  toolBytes: 1_000,
  stateBytes: 100_000,
  beforeSeq: null,
}

export function runMembersContract(subject: Subject, client: () => SqlClient): void {
  const children = (runId: string) => rowsWhere(client(), 'runs', 'parent_run_id', runId)

  describe("a team's run", () => {
    it('ends with plan, answering agent and members, whose messages are merged with its own by time', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team', projectId: tenant.projectA }), {
        tag: 'nightly',
      })
      await db.runs.start(run)
      const answered = newId(AgentId)
      const [first, second] = [
        memberOf('member:m1:0', {
          agentId: answered,
          messages: [message({ createdAt: 20 }), message({ idx: 1, role: 'assistant', createdAt: 30 })],
        }),
        memberOf('member:m2:0', { messages: [message({ createdAt: 25 })] }),
      ]
      const own = [message({ createdAt: 10 }), message({ idx: 1, role: 'assistant', createdAt: 30 })]
      const end = endOf(run, {
        answerAgentId: answered,
        plan: PLAN,
        messages: own,
        members: [first, second],
        usage: [usage(), usage({ agentId: answered, memberRunId: first.runId })],
      })
      expect(await db.runs.finish(end)).toEqual({ finished: true })
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect(found).toMatchObject({ kind: 'team', status: 'completed', plan: PLAN })
      expect(found?.messages.map(({ runId, idx, createdAt }) => [runId, idx, createdAt])).toEqual([
        [run.runId, 0, 10],
        [first.runId, 0, 20],
        [second.runId, 0, 25],
        [run.runId, 1, 30],
        [first.runId, 1, 30],
      ])
      const [state, rows] = [await db.runs.session(run.session, ALL), await children(run.runId)]
      expect(state?.history).toMatchObject([{ seq: 1, input: 'Hello', content: 'Hi!', answeredBy: answered }])
      expect(rows.find((row) => row.id === first.runId)).toMatchObject({
        organization_id: tenant.organizationId,
        project_id: tenant.projectA,
        kind: 'agent',
        entity_id: answered,
        entity_version_id: first.agentVersionId,
        session_seq: null,
        source: 'api_sync',
        status: 'completed',
        input: 'Look it up.',
        content: 'Found.',
        tag: 'nightly',
        user_id: 'ana',
        api_key_id: tenant.apiKeyId,
        input_tokens: 3,
        output_tokens: 2,
        created_at: new Date(first.createdAt),
        completed_at: new Date(first.completedAt),
      })
      const ledger = await rowsWhere(client(), 'usage_records', 'run_id', run.runId)
      expect(ledger.map((row) => [row.agent_id, row.member_run_id])).toEqual([
        [null, null],
        [answered, first.runId],
      ])
    })

    it('hides its members: they are neither found nor cancelled nor part of the history', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }))
      await db.runs.start(run)
      const member = memberOf('member:m1:0')
      await db.runs.finish(endOf(run, { members: [member] }))
      for (const entityId of [member.agentId, null]) {
        const target = { kind: 'agent', entityId, runId: member.runId, isPlayground: false } as const
        expect(await db.runs.find(tenant.scope, target)).toBeNull()
        expect(await db.runs.cancel(tenant.scope, target)).toBeNull()
      }
      expect((await db.runs.session(run.session, ALL))?.history).toHaveLength(1)
    })

    it('writes nothing of its members if another process has ended it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }))
      await db.runs.start(run)
      await db.runs.cancel(tenant.scope, targetOf(run))
      const end = endOf(run, { members: [memberOf('member:m1:0', { messages: [message()] })] })
      expect(await db.runs.finish(end)).toEqual({ finished: false, status: 'cancelled' })
      expect(await children(run.runId)).toEqual([])
      await db.runs.settleCancelled(end)
      expect(await children(run.runId)).toHaveLength(1)
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.messages).toHaveLength(1)
    })

    it('erases the texts of its members and the titles of its plan when messages are not stored', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }), {
        source: 'api_stream',
        input: 'secret',
      })
      await db.runs.start(run)
      const member = memberOf('member:m1:0', {
        input: 'secret',
        content: 'secret',
        messages: [message({ content: 'secret' })],
      })
      const [task] = PLAN.tasks
      await db.runs.finish(
        endOf(run, {
          storeMessages: false,
          content: 'secret',
          plan: { ...PLAN, tasks: task ? [{ ...task, title: 'secret' }] : [] },
          members: [member],
          messages: [message({ content: 'secret' })],
          events: [eventOf(1, 'RunCompleted')],
        }),
      )
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect([found?.content, found?.messages, found?.plan?.tasks]).toMatchObject([null, [], [{ title: '' }]])
      const rows = [await rowsWhere(client(), 'runs', 'id', run.runId), await children(run.runId)]
      expect(rows[1]).toMatchObject([{ status: 'completed', input_tokens: 3 }])
      expect(JSON.stringify(rows)).not.toContain('secret')
    })

    it("stores a member's messages with any characters", async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }))
      await db.runs.start(run)
      const content = 'x\0y\ud800'
      const toolCalls = [{ id: 'call_0_0', name: content, arguments: { [content]: content } }]
      const member = memberOf(`member:${content}`, {
        content,
        errorMessage: content,
        messages: [message({ content, toolCalls, agentName: content })],
      })
      expect(await db.runs.finish(endOf(run, { members: [member] }))).toEqual({ finished: true })
      const stored = 'x\ufffdy\ufffd'
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.messages).toMatchObject([
        { content: stored, agentName: stored, toolCalls: [{ arguments: { [stored]: stored } }] },
      ])
    })
  })

  describe('the history of a member', () => {
    it('covers the ended turns of this session, newest last, limited by bytes and number', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant, { kind: 'team' })
      const agentId = newId(AgentId)
      let createdAt = 1_000
      const turn = async (inputs: string[], other: AgentId = agentId) => {
        const run = runOn(tenant, key)
        await db.runs.start(run)
        const members = inputs.map((input, i) => {
          createdAt += 1
          return memberOf(`member:m1:${i}`, { agentId: other, input, content: `${input}!`, createdAt })
        })
        const failed = memberOf('member:m1:9', { agentId: other, status: 'failed' })
        await db.runs.finish(endOf(run, { members: [...members, failed] }))
      }
      await turn(['a', 'b'])
      await turn(['x'], newId(AgentId))
      await turn(['c'])
      const sessionRowId = checkedId(SessionRowId, (await db.runs.session(key, ALL))?.sessionRowId ?? '')
      expect(await db.runs.memberHistory(sessionRowId, agentId, ALL)).toEqual([
        { seq: 1, status: 'completed', input: 'a', content: 'a!', answeredBy: agentId },
        { seq: 1, status: 'completed', input: 'b', content: 'b!', answeredBy: agentId },
        { seq: 3, status: 'completed', input: 'c', content: 'c!', answeredBy: agentId },
      ])
      const cut = async (limits: Partial<typeof ALL>) =>
        (await db.runs.memberHistory(sessionRowId, agentId, { ...ALL, ...limits })).map((one) => one.input)
      expect(await cut({ maxBytes: 6 })).toEqual(['b', 'c'])
      expect(await cut({ maxBytes: 2 })).toEqual([])
      expect(await cut({ maxRuns: 1 })).toEqual(['c'])
      expect(await db.runs.memberHistory(sessionRowId, newId(AgentId), ALL)).toEqual([])
      const elsewhere = newId(SessionRowId)
      expect(await db.runs.memberHistory(elsewhere, agentId, ALL)).toEqual([])
    })

    it('has the tool calls of its newest runs', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const key = sessionOf(tenant, { kind: 'team' })
      const agentId = newId(AgentId)
      const call = { id: 'call_0_0', name: 'look', arguments: { at: 'x' } }
      const messages = [
        message({ role: 'assistant', content: null, toolCalls: [call] }),
        message({ idx: 1, role: 'tool', content: 'seen', toolCallId: call.id }),
      ]
      for (const createdAt of [1_000, 1_001, 1_002]) {
        const run = runOn(tenant, key)
        await db.runs.start(run)
        await db.runs.finish(
          endOf(run, { members: [memberOf('member:m1:0', { agentId, createdAt, messages })] }),
        )
      }
      const sessionRowId = checkedId(SessionRowId, (await db.runs.session(key, ALL))?.sessionRowId ?? '')
      const history = await db.runs.memberHistory(sessionRowId, agentId, ALL)
      const steps = [{ text: '', calls: [{ ...call, result: 'seen' }] }]
      expect(history.map((run) => [run.seq, run.steps])).toEqual([
        [1, undefined],
        [2, steps],
        [3, steps],
      ])
    })
  })
}
