import {
  AGENT_CONFIG_DEFAULTS,
  type AgentConfig,
  type AgentId,
  type ApiKeyId,
  DomainError,
  type OrganizationId,
  type RunId,
  type StreamEvent,
} from '@troupe/contract'
import { afterEach, expect, test } from 'vitest'
import type { AgentSnapshot, UsableLlmConfiguration } from '../ports/agent-catalog.ts'
import { ChatModelError } from '../ports/chat-models.ts'
import type { FinishOutcome, RunEnd, RunStore } from '../ports/run-store.ts'
import { NO_TELEMETRY } from '../ports/run-telemetry.ts'
import { ActiveRuns } from '../run/active-runs.ts'
import { type ScriptStep, scriptedModels } from '../testing/scripted-model.ts'
import { AgentRunner } from './agent-runner.ts'
import type { AgentRunRequest } from './run-request.ts'

const agentId = '00000000-0000-4000-8000-0000000000a1' as AgentId
const open: ActiveRuns[] = []
afterEach(async () => {
  for (const active of open.splice(0)) await active[Symbol.asyncDispose]()
})

interface Setting {
  script?: ScriptStep[]
  config?: (config: AgentConfig) => void
  agent?: Partial<AgentSnapshot>
  store?: Partial<RunStore>
  configurations?: readonly UsableLlmConfiguration[]
  syncSeconds?: number
}

function setUp({ script = [{ text: 'Hello' }], ...options }: Setting = {}) {
  const config = structuredClone(AGENT_CONFIG_DEFAULTS)
  options.config?.(config)
  const agent = {
    agentId,
    name: 'Ada',
    status: 'draft',
    projectId: null,
    config,
    ...options.agent,
  } as AgentSnapshot
  const model = { modelId: 'm', contextLength: 1_000, inputUsdPerMillion: 1, outputUsdPerMillion: 2 }
  const usable = { id: 'c', projectId: null, models: [model], connection: { llmConfigId: 'c' } }
  const ends: RunEnd[] = []
  const settled: RunEnd[] = []
  const store = {
    session: async () => null,
    start: async (run: { userId: string }) => ({ kind: 'started', ownerUserId: run.userId, sessionSeq: 1 }),
    finish: async (end: RunEnd): Promise<FinishOutcome> => {
      ends.push(end)
      return { finished: true }
    },
    settleCancelled: async (end: RunEnd) => void settled.push(end),
    appendEvents: async () => {},
    ended: async () => [],
    renewLeases: async () => {},
    ...options.store,
  } as unknown as RunStore
  const signals = {
    publish: async () => {},
    subscribe: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const active = new ActiveRuns({ store, signals, telemetry: NO_TELEMETRY, workerId: 'w' })
  open.push(active)
  const models = scriptedModels(...script)
  let ids = 0
  const runner = new AgentRunner({
    catalog: {
      agent: async () => agent,
      llmConfigurations: async () =>
        options.configurations ?? ([usable] as unknown as UsableLlmConfiguration[]),
    },
    models,
    store,
    signals,
    telemetry: NO_TELEMETRY,
    active,
    now: () => Date.now(),
    newId: () => `id-${++ids}`,
    workerId: 'w',
    maxSeconds: 900,
    syncSeconds: options.syncSeconds ?? 30,
  })
  return { runner, active, ends, settled, models }
}

function request(change: Partial<AgentRunRequest> = {}): AgentRunRequest {
  return {
    scope: { organizationId: 'o' as OrganizationId, projectId: null },
    apiKeyId: 'k' as ApiKeyId,
    agentId,
    message: 'Hi',
    sessionId: null,
    userId: null,
    includeMessages: false,
    tag: null,
    source: 'api_sync',
    acceptedAt: Date.now(),
    idempotency: null,
    ...change,
  }
}

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
    sessionId: 'id-1',
    userId: 'id-3',
    runId: 'id-2',
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

test('an end whose write was acknowledged too late is not taken for another verdict', async () => {
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

test('an end that the database refuses is written without its texts, and the caller is told', async () => {
  const { runner, ends } = setUp({
    store: {
      finish: async (end) => {
        if (end.usage.length > 0) throw new Error('integer out of range')
        ends.push(end)
        return { finished: true }
      },
    },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  const last = events.at(-1)
  expect(last).toMatchObject({ event: 'RunError', message: 'The answer could not be stored.' })
  expect(ends).toMatchObject([
    { status: 'failed', content: null, events: [{ event: 'RunError', seq: last?.seq }] },
  ])
}, 10_000)

test('a run that a sweeper took for lost ends as that, never as an answer', async () => {
  const { runner } = setUp({ store: { finish: async () => ({ finished: false, status: 'failed' }) } })
  expect(await codeOf(runner.run(request()))).toBe('upstream_error')
})

test('a cancel keeps what was written, also when the reader or the server had stopped the work before', async () => {
  const cancelled: FinishOutcome = { finished: false, status: 'cancelled' }
  const { runner, settled } = setUp({
    script: [{ text: 'Half' }, { hang: true }],
    store: { finish: async () => cancelled },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind !== 'accepted') throw new Error('not accepted')
  await expect.poll(() => events.some(({ event }) => event === 'RunContent')).toBe(true)
  started.run.disconnect()
  await started.run.executed
  expect(settled).toMatchObject([{ content: 'Half', stopReason: 'cancel' }])
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user', content: 'Half' })
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

test('a run that was ended as lost while it ran is told as lost, not as cancelled by somebody', async () => {
  const { runner, active } = setUp({
    script: [{ hang: true }],
    store: { finish: async () => ({ finished: false, status: 'failed' }) },
  })
  const answer = codeOf(runner.run(request()))
  await expect.poll(() => active.size).toBe(1)
  active.abort(active.runIds()[0] as RunId, 'cancel')
  expect(await answer).toBe('upstream_error')
})

test('the deadline aborts the model and gives 504 with the row as timeout', async () => {
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
  const record = {
    runId: 'first',
    agentId,
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
      start: async () => ({ kind: 'idempotency_key_used', runId: 'first' as RunId, bodyHash: 'h' }),
      find: async () => record as never,
    },
  })
  const idempotency = { path: '/p', key: 'k', bodyHash: 'h' }
  const result = await runner.run(request({ idempotency }))
  expect(result).toMatchObject({ runId: 'first', content: 'Old', createdAt: 5, metrics: { latencyMs: 300 } })
  const other = runner.run(request({ idempotency: { ...idempotency, bodyHash: 'other' } }))
  expect(await codeOf(other)).toBe('idempotency_conflict')
  expect(models.prompts).toEqual([])
})

test('refusals come in the documented order', async () => {
  const archived = { status: 'archived' as const }
  const tools = (config: AgentConfig) => {
    config.tools = [{ type: 'builtin', name: 'clock', builtin: 'datetime' }]
  }
  const scope = { organizationId: 'o' as OrganizationId, projectId: 'p' as never }
  const none: readonly UsableLlmConfiguration[] = []
  const everything = { agent: archived, config: tools, configurations: none }
  expect(await codeOf(setUp(everything).runner.run(request({ scope })))).toBe('forbidden')
  expect(await codeOf(setUp(everything).runner.run(request()))).toBe('agent_archived')
  expect(await codeOf(setUp({ config: tools, configurations: none }).runner.run(request()))).toBe(
    'llm_configuration_not_found',
  )
  expect(await codeOf(setUp({ config: tools }).runner.run(request()))).toBe('capability_not_available')
  const draining = setUp()
  await draining.active.drain(0)
  expect(await codeOf(draining.runner.run(request()))).toBe('bad_gateway')
})

test('an unexpected error of a provider is told in one safe sentence', async () => {
  const { runner, ends } = setUp({ script: [{ throws: new Error('secret host 10.0.0.1') }] })
  const error = await runner.run(request()).catch((caught: DomainError) => caught)
  expect(error).toMatchObject({ code: 'upstream_error', message: 'The run failed unexpectedly.' })
  expect(JSON.stringify(ends)).not.toContain('10.0.0.1')
})

test('texts are not stored when the agent says so, but are answered', async () => {
  const { runner, ends } = setUp({
    config: (config) => {
      config.privacy.store_messages = false
    },
  })
  expect((await runner.run(request())).content).toBe('Hello')
  expect(ends).toMatchObject([{ content: null, messages: [], storeMessages: false }])
})

test('the log of such a run ends without its texts, while its reader gets them', async () => {
  const { runner, ends } = setUp({
    config: (config) => {
      config.privacy.store_messages = false
    },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: 'Hello' } })
  expect(ends[0]?.events.map((row) => row.event)).toEqual(['RunCompleted'])
  expect(JSON.stringify(ends[0]?.events)).not.toContain('Hello')
})

test('answer deltas without reset messages concatenate to the result of the stream', async () => {
  const script = [{ text: 'torn ' }, { reset: true as const }, { text: 'whole ' }, { text: 'answer' }]
  const { runner, ends } = setUp({ script })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  expect(events[0]).toMatchObject({ event: 'RunStarted', seq: 1, sessionId: 'id-1' })
  if (started.kind === 'accepted') await started.run.executed
  const voided = events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : []))
  const text = events
    .flatMap((event) =>
      event.event === 'RunContent' && !voided.includes(event.messageId) ? [event.delta] : [],
    )
    .join('')
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: text } })
  expect(text).toBe('whole answer')
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(ends[0]?.events.at(-1)?.event).toBe('RunCompleted')
})

test('a stream whose reader went away is cancelled when it asked for that', async () => {
  const { runner, ends } = setUp({ script: [{ text: 'part' }, { hang: true }] })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind !== 'accepted') throw new Error('not accepted')
  await new Promise((resolve) => setTimeout(resolve, 5))
  started.run.disconnect()
  await started.run.executed
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'disconnect', content: 'part' })
  expect(ends).toMatchObject([{ status: 'cancelled', stopReason: 'disconnect' }])
})

test('a failed chain ends the stream with the public sentence', async () => {
  const failure = new ChatModelError('exhausted', 'Every model failed.', 'http 500 at host')
  const { runner } = setUp({ script: [{ text: 'a' }, { throws: failure }] })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  expect(events.at(-1)).toMatchObject({
    event: 'RunError',
    error: 'upstream_error',
    message: 'Every model failed.',
  })
})
