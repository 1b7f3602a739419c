import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamEvent } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEvents } from './event-reader.ts'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
let origin: string
beforeAll(async () => {
  setting = await startRunSetting()
  await setting.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(setting.server.app.server.address() as AddressInfo).port}`
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const headers = () => ({ 'x-api-key': setting.server.seed.keys.organization })
const start = (agentId: string, body: object, query = '', extra: Record<string, string> = {}) =>
  readEvents(`${origin}/api/v1/agents/${agentId}/run-stream${query}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json', ...extra },
    body: JSON.stringify(body),
  })
const resume = (agentId: string, runId: string, query = '', extra: Record<string, string> = {}) =>
  readEvents(`${origin}/api/v1/agents/${agentId}/runs/${runId}/stream${query}`, {
    headers: { ...headers(), ...extra },
  })
const names = (events: StreamEvent[]) => events.map((event) => event.event)
const answer = (events: StreamEvent[]) => {
  const voided = events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : []))
  return events
    .flatMap((event) =>
      event.event === 'RunContent' && !voided.includes(event.messageId) ? [event.delta] : [],
    )
    .join('')
}

test('the wire format, its headers and the order of events are as documented', async () => {
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'One two three', chunks: 3 })
  const stream = await start(agentId, { message: 'Count', session_id: 'wire' })
  await stream.ended
  expect(stream.status).toBe(200)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-ratelimit-limit': '100000',
    'x-run-id': stream.events[0]?.runId,
  })
  expect(stream.text().startsWith('retry: 3000\n\nid: 1\nevent: RunStarted\ndata: {')).toBe(true)
  expect(names(stream.events)).toEqual([
    'RunStarted',
    'RunContent',
    'RunContent',
    'RunContent',
    'RunCompleted',
  ])
  expect(stream.events[0]).toMatchObject({ kind: 'agent', agentId, agentName: 'Ada', sessionId: 'wire' })
  expect(stream.events[1]).toMatchObject({
    channel: 'answer',
    source: { role: 'agent', agentId, agentName: 'Ada', runId: stream.events[0]?.runId },
  })
  const last = stream.events.at(-1)
  expect(last?.event === 'RunCompleted' && last.result.content).toBe(answer(stream.events))
})

test('detail determines the visible events, never the answer', async () => {
  const { agentId } = await setting.agent({ privacy: { expose_reasoning: true } })
  setting.model.respond(() => ({ text: 'Because.', reasoning: 'Let me think.' }))
  const read = async (query: string) => {
    const stream = await start(agentId, { message: 'Why?' }, query)
    await stream.ended
    return stream.events
  }
  expect(names(await read('?detail=full'))).toEqual([
    'RunStarted',
    'ModelRequestStarted',
    'ReasoningDelta',
    'RunContent',
    'ModelRequestCompleted',
    'RunCompleted',
  ])
  expect(names(await read('?detail=answer'))).toEqual(['RunStarted', 'RunContent', 'RunCompleted'])
  const refused = await start(agentId, { message: 'Why?' }, '?detail=everything')
  expect(refused.status).toBe(400)
})

test('reasoning stays hidden unless the agent exposes it', async () => {
  const { agentId } = await setting.agent()
  setting.model.respond(() => ({ text: 'Because.', reasoning: 'Let me think.' }))
  const stream = await start(agentId, { message: 'Why?' }, '?detail=full')
  await stream.ended
  expect(stream.text()).not.toContain('Let me think')
})

test('a mid-stream restart on a fallback resets the partial message, and the answer is the new one', async () => {
  const { agentId } = await setting.agent({
    model: {
      mid_stream: 'restart',
      retry: { attempts_per_model: 1 },
      fallbacks: [{ llm_config_id: setting.llmConfigId, model_id: 'spare' }],
    },
  })
  setting.model.script({ text: 'torn answer', chunks: 4, breakAfter: 2 }, { text: 'whole answer', chunks: 2 })
  const stream = await start(agentId, { message: 'x' })
  await stream.ended
  expect(names(stream.events)).toContain('RunContentReset')
  expect(names(stream.events)).toContain('ModelFailover')
  const last = stream.events.at(-1)
  if (last?.event !== 'RunCompleted') throw new Error(JSON.stringify(last))
  expect([last.result.content, answer(stream.events)]).toEqual(['whole answer', 'whole answer'])
  expect(last.result.metrics.failoverUsed).toBe(true)
})

test('a stream cut at any point is resumed without a gap or a repetition', async () => {
  const { agentId } = await setting.agent()
  const text = Array.from({ length: 60 }, (_, index) => `word${index} ü€😀`).join(' ')
  setting.model.script({ text, chunks: 60, paceMs: 5 })
  const live = await start(agentId, { message: 'Long' })
  const runId = live.headers.get('x-run-id') ?? ''
  await expect.poll(() => live.events.length).toBeGreaterThan(5)
  live.close()
  const seen = [...live.events]
  const rest = await resume(agentId, runId, '', { 'last-event-id': String(seen.at(-1)?.seq) })
  await rest.ended
  const all = [...seen, ...rest.events]
  expect(answer(all)).toBe(text)
  const seqs = all.map((event) => event.seq)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  expect(all.at(-1)?.event).toBe('RunCompleted')
  for (const after of [0, 1, 7, 30]) {
    const replay = await resume(agentId, runId, `?last_event_id=${after}`)
    await replay.ended
    expect(replay.events).toEqual(all.filter((event) => event.seq > after))
  }
})

test.each<[string, Record<string, string>]>([
  ['', { 'last-event-id': '999999' }],
  ['?last_event_id=999999', {}],
  ['', { 'last-event-id': '3000000000' }],
  ['', { 'last-event-id': '99999999999999999999' }],
  ['?last_event_id=2147483647', {}],
])('a reader that claims a future event gets the end with its own number', async (...given) => {
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'One two', chunks: 2, paceMs: 50 })
  const live = await start(agentId, { message: 'x' })
  const runId = live.headers.get('x-run-id') ?? ''
  const during = await resume(agentId, runId, ...given)
  await Promise.all([live.ended, during.ended])
  const after = await resume(agentId, runId, ...given)
  await after.ended
  const last = live.events.at(-1)
  expect([during.status, after.status]).toEqual([200, 200])
  expect(during.events).toEqual([last])
  expect(after.events).toEqual([last])
})

test('a run continues when its reader disconnects, and is cancelled if requested', async () => {
  const { agentId } = await setting.agent()
  setting.model.respond(() => ({ text: 'slow but steady', chunks: 10, paceMs: 30 }))
  const left = await start(agentId, { message: 'x' })
  await expect.poll(() => left.events.length).toBeGreaterThan(1)
  left.close()
  const followed = await resume(agentId, left.headers.get('x-run-id') ?? '')
  await followed.ended
  expect(followed.events.at(-1)?.event).toBe('RunCompleted')

  const cancelled = await start(agentId, { message: 'x', on_disconnect: 'cancel' })
  await expect.poll(() => cancelled.events.length).toBeGreaterThan(1)
  cancelled.close()
  const replay = await resume(agentId, cancelled.headers.get('x-run-id') ?? '')
  await replay.ended
  expect(replay.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'disconnect' })
  expect(setting.model.requests.at(-1)?.abortedAt).not.toBeNull()
})

test('a reader who disconnects while the run is being stored cancels it', async () => {
  const { agentId } = await setting.agent()
  const session_id = `held-${agentId}`
  setting.model.script('Warm')
  // From now on, the key and the agent are cached: nothing is read before the run is stored.
  await (await start(agentId, { message: 'x', session_id })).ended
  const { server } = setting
  const { organizationId } = server.seed
  const named = { agentId: null, teamId: null }
  const [session] = await server.context.database.read.sessions.named(organizationId, session_id, named)
  if (!session) throw new Error('the run has made no session')
  setting.model.script({ hang: 'headers' })
  const body = { message: 'Held', on_disconnect: 'cancel', session_id }
  const extra = { 'idempotency-key': `held-${agentId}` }
  const released = Promise.withResolvers<void>()
  const deleting = Promise.withResolvers<void>()
  // A run that starts in the session waits until its deletion is committed.
  const holding = server.context.database.transaction(async ({ write }) => {
    await write.sessions.delete(organizationId, session.id)
    deleting.resolve()
    await released.promise
  })
  await deleting.promise
  const arrived = once(setting.server.app.server, 'request')
  const reader = new AbortController()
  const asked = fetch(`${origin}/api/v1/agents/${agentId}/run-stream`, {
    method: 'POST',
    headers: { ...headers(), ...extra, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: reader.signal,
  })
  const [request, response] = (await arrived) as [IncomingMessage, ServerResponse]
  await expect.poll(() => request.readableEnded).toBe(true)
  const gone = once(response, 'close')
  reader.abort()
  await expect(asked).rejects.toThrow()
  await gone
  released.resolve()
  await holding
  // The same key follows the run of the first request, which nobody reads any more.
  const replay = await start(agentId, body, '', extra)
  await replay.ended
  expect(replay.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'disconnect' })
})

test('a cancel ends the stream with the partial text', async () => {
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'I was about to', chunks: 3, hang: 'stream' })
  const stream = await start(agentId, { message: 'x' })
  await expect.poll(() => answer(stream.events)).toBe('I was about to')
  const runId = stream.headers.get('x-run-id') ?? ''
  const cancelled = await setting.server.call(`DELETE /api/v1/agents/${agentId}/runs/${runId}`)
  expect(cancelled.body).toEqual({ cancelled: true, runId })
  await stream.ended
  expect(stream.events.at(-1)).toMatchObject({
    event: 'RunCancelled',
    reason: 'user',
    content: 'I was about to',
  })
  const replay = await resume(agentId, runId)
  await replay.ended
  expect(replay.events).toEqual(stream.events)
})

test('before the first byte failures are HTTP errors, afterwards they are events', async () => {
  const { agentId } = await setting.agent({ model: { retry: { attempts_per_model: 1 } } })
  const refused = await start(agentId, { message: '' })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    400,
    'application/json; charset=utf-8',
  ])
  setting.model.script({ status: 500 })
  const failed = await start(agentId, { message: 'x' })
  await failed.ended
  expect(failed.status).toBe(200)
  expect(names(failed.events)).toEqual(['RunStarted', 'RunError'])
  expect(failed.events.at(-1)).toMatchObject({ error: 'upstream_error' })
})

test('the same Idempotency-Key attaches to the run in progress', async () => {
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'only one of us', chunks: 10, paceMs: 20 })
  const key = { 'idempotency-key': 'stream-once' }
  const [first, second] = await Promise.all([
    start(agentId, { message: 'x' }, '', key),
    start(agentId, { message: 'x' }, '', key),
  ])
  await Promise.all([first.ended, second.ended])
  expect(second.headers.get('x-run-id')).toBe(first.headers.get('x-run-id'))
  expect(second.events).toEqual(first.events)
  expect(setting.model.requests).toHaveLength(1)
})

test('a stream of many thousand deltas is read live and replayed completely', async () => {
  const { agentId } = await setting.agent()
  const text = Array.from({ length: 5_000 }, (_, index) => `w${index} `).join('')
  setting.model.script({ text, chunks: 5_000 })
  const live = await start(agentId, { message: 'x' })
  await live.ended
  expect(answer(live.events)).toBe(text)
  const replay = await resume(agentId, live.headers.get('x-run-id') ?? '')
  await replay.ended
  expect(replay.events).toEqual(live.events)
})

test('the id to resume after must be the id of an event', async () => {
  const { agentId } = await setting.agent()
  const stream = await start(agentId, { message: 'x' })
  await stream.ended
  const runId = stream.headers.get('x-run-id') ?? ''
  expect((await resume(agentId, runId, '?last_event_id=-1')).status).toBe(400)
  for (const id of ['abc', '-1', '1e3', '0x10', '1.5', 'Infinity']) {
    expect((await resume(agentId, runId, '', { 'last-event-id': id })).status).toBe(400)
  }
})

test('a synchronous run has no stream', async () => {
  const { agentId } = await setting.agent()
  const { runId } = (await setting.run(agentId, { message: 'x' })).body as { runId: string }
  expect((await resume(agentId, runId)).status).toBe(404)
})
