import {
  ConversationId,
  DomainError,
  EndUserId,
  newId,
  OrganizationId,
  ProjectId,
  RunId,
} from '@troupe/contract'
import { expect, test } from 'vitest'
import type { UsableLlmConfiguration } from '../ports/agent-catalog.ts'
import { nthId } from '../testing/test-ids.ts'
import { agentId, request, setUp } from './testing/runner-setting.ts'

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error) => (error instanceof DomainError ? error.code : String(error)),
  )
}

test('an answer carries generated ids, summed tokens and the priced ledger', async () => {
  const { runner, ends } = setUp({ script: [{ text: 'Hel' }, { text: 'lo' }] })
  const result = await runner.run(request({ includeMessages: true }))
  expect(result).toMatchObject({
    agentName: 'Ada',
    content: 'Hello',
    sessionId: nthId(ConversationId, 1),
    userId: nthId(EndUserId, 2),
    runId: nthId(RunId, 3),
    success: true,
    metrics: { inputTokens: 10, outputTokens: 5, model: null, failoverUsed: false },
  })
  expect(result.messages?.map((message) => [message.role, message.content])).toEqual([
    ['user', 'Hi'],
    ['assistant', 'Hello'],
  ])
  expect(ends[0]?.usage.map((record) => record.costMicros)).toEqual([20])
})

test('a cancel that was committed first overrules the answer, and the partial text is kept', async () => {
  const { runner, settled } = setUp({
    store: { finish: async () => ({ finished: false, status: 'cancelled' }) },
  })
  expect(await codeOf(runner.run(request()))).toBe('run_cancelled')
  expect(settled).toMatchObject([{ status: 'cancelled', content: 'Hello', stopReason: 'cancel' }])
})

test('an end whose write was acknowledged too late is not mistaken for another verdict', async () => {
  let calls = 0
  const { runner } = setUp({
    store: {
      finish: async () => {
        calls += 1
        if (calls === 1) throw new Error('connection lost after commit')
        return { finished: false, status: 'completed' }
      },
    },
  })
  expect((await runner.run(request())).content).toBe('Hello')
  expect(calls).toBe(2)
})

test('a run that a sweeper considered lost ends as lost, never as an answer', async () => {
  const { runner } = setUp({ store: { finish: async () => ({ finished: false, status: 'failed' }) } })
  expect(await codeOf(runner.run(request()))).toBe('upstream_error')
})

test('the texts of a cancelled run survive a database that fails once', async () => {
  let calls = 0
  const { runner } = setUp({
    store: {
      finish: async () => ({ finished: false, status: 'cancelled' }),
      settleCancelled: async () => {
        calls += 1
        if (calls === 1) throw new Error('connection terminated')
      },
    },
  })
  expect(await codeOf(runner.run(request()))).toBe('run_cancelled')
  expect(calls).toBe(2)
})

test('a run that was ended as lost while it ran is lost, not cancelled', async () => {
  const { runner, active } = setUp({
    script: [{ hang: true }],
    store: { finish: async () => ({ finished: false, status: 'failed' }) },
  })
  const answer = codeOf(runner.run(request()))
  await expect.poll(() => active.size).toBe(1)
  for (const runId of active.runIds()) active.abort(runId, 'cancel')
  expect(await answer).toBe('upstream_error')
})

test('the deadline aborts the model and returns 504, and the row has the status timeout', async () => {
  const { runner, ends } = setUp({ script: [{ text: 'part' }, { hang: true }], syncSeconds: 0.05 })
  expect(await codeOf(runner.run(request()))).toBe('execution_timeout')
  expect(ends).toMatchObject([{ status: 'timeout', content: 'part', success: false, stopReason: 'deadline' }])
})

test('a session of another user aborts the call that ran beside the write', async () => {
  const { runner, active, ends } = setUp({
    script: [{ hang: true }],
    store: { start: async () => ({ kind: 'session_of_another_user' }) },
  })
  expect(await codeOf(runner.run(request({ userId: 'u', sessionId: 's' })))).toBe('validation_error')
  expect([active.size, ends]).toEqual([0, []])
})

test('a repeated idempotency key never reaches a model', async () => {
  const runId = newId(RunId)
  const record = {
    runId,
    kind: 'agent',
    entityId: agentId,
    status: 'completed',
    success: true,
    content: 'Old',
    sessionId: 's',
    userId: 'u',
    inputTokens: 1,
    outputTokens: 2,
    failoverUsed: false,
    createdAt: 5_000,
    completedAt: 5_300,
    messages: [],
  }
  const { runner, models } = setUp({
    store: {
      start: async () => ({ kind: 'idempotency_key_used', runId, bodyHash: 'h' }),
      find: async () => record as never,
    },
  })
  const idempotency = { path: '/p', key: 'k', bodyHash: 'h' }
  const result = await runner.run(request({ idempotency }))
  expect(result).toMatchObject({ runId, content: 'Old', createdAt: 5, metrics: { latencyMs: 300 } })
  const other = runner.run(request({ idempotency: { ...idempotency, bodyHash: 'other' } }))
  expect(await codeOf(other)).toBe('idempotency_conflict')
  expect(models.calls).toEqual([])
})

test('refusals come in the documented order', async () => {
  const archived = { status: 'archived' as const }
  const scope = { organizationId: newId(OrganizationId), projectId: newId(ProjectId) }
  const none: readonly UsableLlmConfiguration[] = []
  const everything = { agent: archived, configurations: none }
  expect(await codeOf(setUp(everything).runner.run(request({ scope })))).toBe('forbidden')
  expect(await codeOf(setUp(everything).runner.run(request()))).toBe('agent_archived')
  expect(await codeOf(setUp({ configurations: none }).runner.run(request()))).toBe(
    'llm_configuration_not_found',
  )
  const draining = setUp()
  await draining.active.drain(0)
  expect(await codeOf(draining.runner.run(request()))).toBe('bad_gateway')
})

test('a stopping process accepts turns of voice sessions while other runs finish, and then none', async () => {
  const { runner, active } = setUp()
  const other = Promise.withResolvers<void>()
  active.add(newId(RunId), new AbortController(), other.promise)
  const drained = active.drain(60_000)
  expect(await codeOf(runner.run(request()))).toBe('bad_gateway')
  expect(await runner.run(request({ source: 'voice' }))).toMatchObject({ success: true })
  other.resolve()
  await drained
  expect(await codeOf(runner.run(request({ source: 'voice' })))).toBe('bad_gateway')
})

test('an unexpected error of a provider is reported in one safe sentence', async () => {
  const { runner, ends } = setUp({ script: [{ throws: new Error('secret host 10.0.0.1') }] })
  const error = await runner.run(request()).catch((caught: DomainError) => caught)
  expect(error).toMatchObject({ code: 'upstream_error', message: 'The run failed unexpectedly.' })
  expect(JSON.stringify(ends)).not.toContain('10.0.0.1')
})

test('texts are not stored if the agent is configured so, but are returned', async () => {
  const { runner, ends } = setUp({
    config: (config) => {
      config.privacy.store_messages = false
    },
  })
  expect((await runner.run(request())).content).toBe('Hello')
  expect(ends).toMatchObject([{ content: null, messages: [], storeMessages: false }])
})
