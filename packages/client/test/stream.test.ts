import { expect, test } from 'vitest'
import { TroupeError, unwrap } from '../src/call/troupe-error.ts'
import { createClient } from '../src/create-client.ts'
import type { RunStream } from '../src/stream/run-stream.ts'
import { AGENT_ID, completed, delta, frame, RESULT, RUN_ID, reset, runOf, started } from './run-fixture.ts'
import { json, page, type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { bytes, events } from './stream-script.ts'

const apiKey = 'trp_a-very-secret-key'
const message = { message: 'Hi' }
const agentsOf = (server: ScriptedServer) => createClient({ baseUrl: server.baseUrl, apiKey }).agents

async function all<E>(stream: AsyncIterable<E>): Promise<E[]> {
  const list: E[] = []
  for await (const item of stream) list.push(item)
  return list
}

async function errorOf(promise: Promise<unknown>): Promise<TroupeError> {
  const error = await promise.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TroupeError)
  return error as TroupeError
}

test('a stream has the run’s id, then every event up to the terminal one', async () => {
  const run = runOf(started, delta('Hel'), delta('lo'), completed)
  await using server = await scriptedServer(events(run))
  const stream = await unwrap(
    agentsOf(server).stream(AGENT_ID, message, { detail: 'full', idempotencyKey: 'order-7' }),
  )
  expect(stream.runId).toBe(RUN_ID)
  expect(await all(stream)).toEqual(run)
  expect(await stream.result()).toMatchObject({ ok: true, status: 200, data: RESULT })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: `/api/v1/agents/${AGENT_ID}/run-stream?detail=full`,
    body: '{"message":"Hi"}',
  })
  expect(server.requests[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    'idempotency-key': 'order-7',
  })
})

test('an event is delivered when it arrives, not with the next one', async () => {
  await using server = await scriptedServer(events(runOf(started, delta('Hel')), 'hang'))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  const seen: string[] = []
  for await (const event of stream) {
    seen.push(event.event)
    if (event.event === 'RunContent') break
  }
  expect(seen).toEqual(['RunStarted', 'RunContent'])
})

test('a refusal before the first byte is the same typed failure as of any call', async () => {
  await using server = await scriptedServer(
    json(404, { error: 'agent_not_found', message: 'No such agent.' }),
    json(200, { surprise: true }),
    page(200),
    bytes([], 'cut'),
  )
  const agents = agentsOf(server)
  expect(await agents.stream(AGENT_ID, message)).toMatchObject({
    status: 404,
    error: { code: 'agent_not_found' },
  })
  expect(await agents.stream(AGENT_ID, message)).toMatchObject({
    status: 200,
    error: { code: 'invalid_response' },
  })
  expect(await agents.stream(AGENT_ID, message)).toMatchObject({
    status: 200,
    error: { code: 'invalid_response' },
  })
})

test('a broken connection continues after the last event that was read', async () => {
  const run = runOf(started, delta('Hel'), delta('lo'), completed)
  await using server = await scriptedServer(events(run.slice(0, 2), 'cut'), events(run.slice(2)))
  const resumed: number[] = []
  const stream = await unwrap(
    agentsOf(server).stream(AGENT_ID, message, {
      detail: 'answer',
      onReconnect: (lastSeq) => resumed.push(lastSeq),
    }),
  )
  expect(await all(stream)).toEqual(run)
  expect(resumed).toEqual([2])
  expect(server.requests[1]).toMatchObject({
    method: 'GET',
    url: `/api/v1/agents/${AGENT_ID}/runs/${RUN_ID}/stream?detail=answer`,
  })
  expect(server.requests[1]?.headers).toMatchObject({ 'last-event-id': '2', 'x-api-key': apiKey })
})

test('a stream that ends without a terminal event is resumed too', async () => {
  const run = runOf(started, delta('Hel'), completed)
  await using server = await scriptedServer(events(run.slice(0, 1), 'end'), events(run.slice(1)))
  expect(await all(await unwrap(agentsOf(server).stream(AGENT_ID, message)))).toEqual(run)
})

test('events that a new connection repeats are delivered once', async () => {
  const run = runOf(started, delta('a'), delta('b'), completed)
  await using server = await scriptedServer(events(run.slice(0, 3), 'cut'), events(run))
  expect(await all(await unwrap(agentsOf(server).stream(AGENT_ID, message)))).toEqual(run)
})

test('pings, CRLF, split characters and events of a newer server do not disturb', async () => {
  const run = runOf(started, delta('Grüße 👋 из 東京'), completed)
  const [first, second, last] = run.map((event) => frame(event, '\r\n'))
  const future = `id: 3\r\nevent: Future\r\ndata: ${JSON.stringify({ event: 'Future', runId: RUN_ID, seq: 3 })}\r\n\r\n`
  const end = String(last).replace('id: 3', 'id: 4').replace('"seq":3', '"seq":4')
  const wire = Buffer.from(`retry: 1\r\n\r\n: ping\r\n\r\n${first}: ping\r\n\r\n${second}${future}${end}`)
  await using server = await scriptedServer(
    bytes(
      [...wire].map((byte) => Uint8Array.of(byte)),
      'end',
    ),
  )
  const got = await all(await unwrap(agentsOf(server).stream(AGENT_ID, message)))
  expect(got).toEqual([run[0], run[1], { ...run[2], seq: 4 }])
})

test('an event that was cut off is not delivered until it is complete', async () => {
  const run = runOf(started, delta('Hello'), completed)
  const [first, second] = run.map((event) => frame(event))
  await using server = await scriptedServer(
    bytes(['retry: 1\n\n', String(first), String(second).slice(0, -1)], 'end'),
    events(run.slice(1)),
  )
  expect(await all(await unwrap(agentsOf(server).stream(AGENT_ID, message)))).toEqual(run)
  expect(server.requests[1]?.headers['last-event-id']).toBe('1')
})

test('a silent connection counts as broken', async () => {
  const run = runOf(started, completed)
  await using server = await scriptedServer(events(run.slice(0, 1), 'hang'), events(run))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message, { idleTimeoutMs: 50 }))
  expect(await all(stream)).toEqual(run)
})

test('a reader that takes its time does not lose the connection', async () => {
  const run = runOf(started, delta('a'), completed)
  await using server = await scriptedServer(events(run))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message, { idleTimeoutMs: 400 }))
  for await (const event of stream) {
    if (event.event === 'RunStarted') await new Promise((resolve) => setTimeout(resolve, 500))
  }
  expect(server.requests).toHaveLength(1)
})

test('transient failures while resuming are retried after the delay that the server requests', async () => {
  const run = runOf(started, completed)
  await using server = await scriptedServer(
    events(run.slice(0, 1), 'cut'),
    json(503, { error: 'service_unavailable', message: 'Stopping.' }),
    page(502),
    (response) => {
      response.destroy()
    },
    events(run.slice(1)),
  )
  expect(await all(await unwrap(agentsOf(server).stream(AGENT_ID, message)))).toEqual(run)
  expect(server.requests).toHaveLength(5)
})

test('a permanent failure while resuming ends the stream with its code', async () => {
  await using server = await scriptedServer(
    events(runOf(started), 'cut'),
    json(404, { error: 'run_not_found', message: 'No such run.' }),
  )
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  expect(await errorOf(all(stream))).toMatchObject({ code: 'run_not_found', status: 404 })
  expect(await stream.result()).toMatchObject({ ok: false, error: { code: 'run_not_found' } })
  expect(server.requests).toHaveLength(2)
})

test('reconnecting stops after the allowed attempts without a new event', async () => {
  await using server = await scriptedServer(events(runOf(started), 'cut'))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message, { reconnects: 3 }))
  expect(await errorOf(all(stream))).toMatchObject({ code: 'network_error' })
  expect(server.requests).toHaveLength(4)
  const none = await unwrap(agentsOf(server).stream(AGENT_ID, message, { reconnects: 0 }))
  expect(await errorOf(all(none))).toMatchObject({ code: 'network_error' })
})

test('a frame that is not an event of a run is an invalid response once the attempts are used up', async () => {
  await using server = await scriptedServer(bytes(['retry: 1\n\n', 'data: {"nonsense"\n\n'], 'hang'))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message, { reconnects: 2 }))
  expect(await errorOf(all(stream))).toMatchObject({ code: 'invalid_response' })
  expect(server.requests).toHaveLength(3)
})

test('leaving the loop closes the connection', async () => {
  await using server = await scriptedServer(events(runOf(started, delta('a')), 'hang'))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  for await (const _ of stream) break
  await expect.poll(() => server.openConnections()).toBe(0)
  expect(await stream.result()).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect(server.requests).toHaveLength(1)
})

test('close ends a waiting loop without an error', async () => {
  await using server = await scriptedServer(events(runOf(started), 'hang'))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  const seen: string[] = []
  for await (const event of stream) {
    seen.push(event.event)
    setTimeout(stream.close, 5)
  }
  expect(seen).toEqual(['RunStarted'])
  await expect.poll(() => server.openConnections()).toBe(0)
})

test.for([
  { waitsFor: 'events', script: events(runOf(started), 'hang') },
  {
    waitsFor: 'the next connection',
    script: bytes(['retry: 60000\n\n', ...runOf(started).map((event) => frame(event))], 'cut'),
  },
])('the caller’s signal ends a stream that waits for $waitsFor', async ({ script }) => {
  await using server = await scriptedServer(script)
  const controller = new AbortController()
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message, { signal: controller.signal }))
  setTimeout(() => controller.abort(), 30)
  expect(await errorOf(all(stream))).toMatchObject({ code: 'aborted' })
  expect(await stream.result()).toMatchObject({ ok: false, error: { code: 'aborted' } })
  await expect.poll(() => server.openConnections()).toBe(0)
})

test('only asking for the result reads the stream', async () => {
  await using server = await scriptedServer(events(runOf(started, delta('Hello'), completed)))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  expect(await unwrap(stream.result())).toEqual(RESULT)
})

test('a run that failed or was cancelled ends its stream with the event and its result with the code', async () => {
  await using server = await scriptedServer(
    events(runOf(started, { event: 'RunError', error: 'upstream_error', message: 'The model failed.' })),
    events(runOf(started, { event: 'RunCancelled', reason: 'user', content: 'Hel' })),
    events(runOf(started, { event: 'RunError', error: 'from_the_future', message: 'New.' })),
  )
  const next = async (): Promise<RunStream<unknown>> => unwrap(agentsOf(server).stream(AGENT_ID, message))
  const failed = await next()
  expect(await all(failed)).toHaveLength(2)
  expect(await failed.result()).toMatchObject({
    ok: false,
    status: 502,
    error: { code: 'upstream_error', message: 'The model failed.' },
  })
  expect(await (await next()).result()).toMatchObject({
    ok: false,
    status: 409,
    error: { code: 'run_cancelled' },
  })
  expect(await (await next()).result()).toMatchObject({
    ok: false,
    error: { code: 'unexpected_error', serverCode: 'from_the_future' },
  })
})

test('the text follows the answer: traces are omitted, a reset withdraws its message', async () => {
  const run = runOf(
    started,
    delta('Let me ', 'm1'),
    delta('look.', 'm1'),
    delta('thinking', 't1', 'trace'),
    reset('m1'),
    reset('t1'),
    delta('Hel', 'm2'),
    delta('late', 'm1'),
    delta('lo', 'm2'),
    completed,
  )
  await using server = await scriptedServer(events(run))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  expect(await all(stream.text)).toEqual([
    { text: 'Let me ', delta: 'Let me ', reset: false },
    { text: 'Let me look.', delta: 'look.', reset: false },
    { text: '', delta: '', reset: true },
    { text: 'Hel', delta: 'Hel', reset: false },
    { text: 'Hello', delta: 'lo', reset: false },
  ])
  expect(await unwrap(stream.result())).toEqual(RESULT)
})

test('a stream can be read only once', async () => {
  await using server = await scriptedServer(events(runOf(started, completed)))
  const stream = await unwrap(agentsOf(server).stream(AGENT_ID, message))
  await all(stream)
  await expect(all(stream)).rejects.toThrow('only once')
})

test('a run that was started elsewhere is read after a given event', async () => {
  const run = runOf(started, delta('a'), delta('b'), completed)
  await using server = await scriptedServer(events(run.slice(2)))
  const agents = agentsOf(server)
  const stream = await unwrap(agents.resumeStream(AGENT_ID, RUN_ID, { lastEventId: 2, detail: 'answer' }))
  expect(await all(stream)).toEqual(run.slice(2))
  expect(server.requests[0]?.headers['last-event-id']).toBe('2')
})
