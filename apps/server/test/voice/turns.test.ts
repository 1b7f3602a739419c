import { checkedId, propertyOf, RunId, VoiceSessionId } from '@troupe/contract'
import type { TurnLine } from '@troupe/contract/voice-worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkerSetting, type WorkerSetting } from './worker-setting.ts'

let setting: WorkerSetting
beforeAll(async () => {
  setting = await openWorkerSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const textOf = (lines: readonly TurnLine[]) => lines.map((line) => (line.t === 'text' ? line.d : '')).join('')
const runIdOf = (lines: readonly TurnLine[]) =>
  lines.flatMap((line) => (line.t === 'done' ? [line.runId] : []))[0]

const runOf = async (runId: string) => {
  const { runs } = setting.voice.server.context.database
  const { organizationId, agents } = setting.voice.server.seed
  const target = {
    kind: 'agent' as const,
    entityId: agents.organization,
    runId: checkedId(RunId, runId),
    isPlayground: false,
  }
  const found = await runs.find({ organizationId, projectId: null }, target)
  if (!found) throw new Error(`there is no run ${runId}`)
  return found
}

test('a turn streams the words of the agent, its usage and its end', async () => {
  const job = await setting.claimed()
  const lines = await setting.turn(job, { text: 'Say [[reply: the moon is round]]' })
  expect(textOf(lines)).toBe('the moon is round')
  expect(lines.at(-2)).toMatchObject({ t: 'usage', failoverUsed: false })
  expect(lines.at(-1)).toEqual({ t: 'done', runId: expect.any(String), success: true })
})

test('the words arrive one by one, while the model still writes', async () => {
  const job = await setting.claimed()
  const request = { turnSeq: job.nextTurnSeq, language: 'en', kind: 'message' as const }
  const text = '[[reply: one two three four five]] [[pace: 100]]'
  const { runId, lines } = await setting.worker
    .session(job)
    .turn({ ...request, text }, AbortSignal.timeout(20_000))
  expect(runId).toMatch(/^[0-9a-f-]{36}$/)
  // The clock is stopped: the model writes its next word only when the test advances it.
  const words: string[] = []
  for await (const line of lines) {
    if (line.t !== 'text') continue
    words.push(line.d)
    setting.voice.clock.advance(1_000)
  }
  expect(words.length).toBeGreaterThan(3)
})

test('a finished turn is replayed, and its run is not repeated', async () => {
  const job = await setting.claimed()
  const request = { text: '[[reply: only once]]', turnSeq: job.nextTurnSeq }
  const first = await setting.turn(job, request)
  const second = await setting.turn(job, request)
  expect(textOf(second)).toBe('only once')
  expect(runIdOf(second)).toBe(runIdOf(first))
  const { body } = await setting.voice.server.call(`GET /api/v1/sessions/${job.sessionId}/messages`)
  expect(JSON.stringify(body).match(/only once/g)?.length).toBe(2)
})

test('the same number with other words is refused', async () => {
  const job = await setting.claimed()
  await setting.turn(job, { text: 'first' })
  await expect(setting.turn(job, { text: 'second' })).rejects.toMatchObject({ code: 'idempotency_conflict' })
})

test('closing the connection cancels the run', async () => {
  const job = await setting.claimed()
  const stop = new AbortController()
  const text = '[[reply: one two three four five six seven eight nine ten]] [[pace: 500]]'
  const request = { turnSeq: job.nextTurnSeq, language: 'en', kind: 'message' as const, text }
  const { runId, lines } = await setting.worker.session(job).turn(request, stop.signal)
  for await (const line of lines) {
    if (line.t === 'text') break
  }
  stop.abort()
  await expect.poll(async () => (await runOf(runId ?? '')).status).toBe('cancelled')
})

test('a call of end_call arrives as an action after its tool, with the words after it', async () => {
  const job = await setting.claimed()
  const lines = await setting.turn(job, { text: '[[tool: end_call]] [[reply: Goodbye.]]' })
  expect(lines.map(({ t }) => t)).toEqual(['tool', 'tool', 'action', 'text', 'usage', 'done'])
  expect(lines[2]).toEqual({ t: 'action', name: 'end_call', args: {} })
})

test('a web session has no keys to press', async () => {
  const job = await setting.claimed()
  const lines = await setting.turn(job, { text: '[[tool: send_dtmf {"digits":"1"}]] [[reply: No.]]' })
  expect(lines.some(({ t }) => t === 'action')).toBe(false)
})

test('the run of a turn has the source voice, belongs to the session of the conversation, and counts for the key', async () => {
  const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-77' })
  const lines = await setting.turn(job, { text: 'hello there' })
  const run = await runOf(runIdOf(lines) ?? '')
  expect(run).toMatchObject({
    source: 'voice',
    sessionId: job.sessionId,
    userId: 'user-77',
    status: 'completed',
  })
  const { body } = await setting.voice.server.call('GET /api/v1/usage?group_by=user')
  expect(JSON.stringify(body)).toContain('user-77')
})

test('the spoken text replaces the written one in the history of the next turn', async () => {
  const job = await setting.claimed()
  const first = await setting.turn(job, {
    text: '[[reply: a long answer that nobody heard]]',
    turnSeq: job.nextTurnSeq,
  })
  const runId = runIdOf(first) ?? ''
  const item = { itemId: 'i1', role: 'assistant' as const, text: 'a long', interrupted: true, runId }
  await setting.worker
    .session(job)
    .storeItems([{ ...item, metrics: { e2eLatency: 812 }, createdAt: Date.now() }])
  const { runs } = setting.voice.server.context.database
  const { organizationId, agents } = setting.voice.server.seed
  const key = {
    organizationId,
    projectId: null,
    kind: 'agent' as const,
    entityId: agents.organization,
    sessionId: job.sessionId,
    isPlayground: false,
  }
  const state = await runs.session(key, {
    maxBytes: 100_000,
    maxRuns: 100,
    toolRuns: 2,
    toolBytes: 1_000,
    stateBytes: 100_000,
    beforeSeq: null,
  })
  expect(state?.history).toMatchObject([{ content: 'a long', interrupted: true }])
})

test('the messages of a session are the spoken ones: greeting, answers as heard, and interruptions', async () => {
  const job = await setting.claimed()
  const session = setting.worker.session(job)
  const said = (
    itemId: string,
    text: string,
    runId: string | null,
    createdAt: number,
    interrupted = false,
  ) => ({
    ...{ itemId, role: 'assistant' as const, text, interrupted, runId, metrics: {}, createdAt },
  })
  const { clock, server } = setting.voice
  const startedAt = clock.now()
  await session.storeItems([said('greeting', 'Hello, how can I help you?', null, startedAt - 1_000)])
  const first = await setting.turn(job, {
    text: 'Tell me a story. [[reply: Once upon a time there was a king.]]',
  })
  const runId = runIdOf(first) ?? ''
  const second = await setting.turn(job, {
    ...{ text: 'Stop! [[reply: I stop.]]', turnSeq: job.nextTurnSeq + 1 },
  })
  await session.storeItems([
    said('story', 'Once upon', runId, startedAt + 2_000, true),
    said('stop', 'I stop.', runIdOf(second) ?? '', startedAt + 3_000),
    said('silence', 'Are you still there?', null, Date.now() + 3_600_000),
  ])
  const path = `GET /api/v1/sessions/${job.sessionId}/messages`
  const { body } = await server.call(path)
  expect(body).toMatchObject({
    total: 6,
    data: [
      { role: 'assistant', content: 'Hello, how can I help you?', runId: null, interrupted: false },
      { role: 'user', content: expect.stringContaining('Tell me a story.'), runId },
      { role: 'assistant', content: 'Once upon', runId, interrupted: true },
      { role: 'user', content: expect.stringContaining('Stop!') },
      { role: 'assistant', content: 'I stop.', interrupted: false },
      { role: 'assistant', content: 'Are you still there?', runId: null },
    ],
  })
  const pages = await Promise.all([1, 2, 3].map((page) => server.call(`${path}?limit=2&page=${page}`)))
  expect(pages.flatMap((page) => propertyOf(page.body, 'data'))).toEqual(propertyOf(body, 'data'))
})

test('a session is deleted with its transcript and the names of its callers once the conversation has ended', async () => {
  const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-79' })
  const session = setting.worker.session(job)
  const lines = await setting.turn(job, { text: 'my secret' })
  const item = { itemId: 'i1', role: 'user' as const, text: 'my secret', interrupted: false, runId: null }
  await session.storeItems([{ ...item, metrics: {}, createdAt: Date.now() }])
  const { server } = setting.voice
  const path = `/api/v1/sessions/${job.sessionId}`
  expect(await server.call(`DELETE ${path}`)).toMatchObject({ status: 409, body: { error: 'in_use' } })
  expect(runIdOf(lines)).toBeDefined()
  expect((await server.call(`GET ${path}/messages`)).body).toMatchObject({ total: 2 })
  const timings = { readyMs: null, firstAudioMs: null, durationMs: 1_000 }
  await session.end({ reason: 'inactivity', usage: [], failoverUsed: false, timings })
  expect((await server.call(`DELETE ${path}`)).status).toBe(204)
  const { organizationId } = server.seed
  const { sessions, turns } = server.context.database.voice
  const key = { organizationId, id: checkedId(VoiceSessionId, job.sessionId) }
  expect(await turns.list(key)).toEqual([])
  expect(await sessions.byKey(key)).toMatchObject({
    endUserRef: null,
    participantIdentity: '',
    sessionState: 'completed',
  })
  await session.storeItems([{ ...item, itemId: 'late', metrics: {}, createdAt: Date.now() }])
  expect(await turns.list(key)).toEqual([])
  expect((await server.call(`GET ${path}`)).status).toBe(404)
})

test('a session with only a greeting can be read and deleted', async () => {
  const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-82' })
  const session = setting.worker.session(job)
  const { server } = setting.voice
  const path = `/api/v1/sessions/${job.sessionId}`
  expect((await server.call(`GET ${path}`)).status).toBe(404)
  const said = {
    itemId: 'greeting',
    role: 'assistant' as const,
    text: 'Hello.',
    interrupted: false,
    runId: null,
  }
  await session.storeItems([{ ...said, metrics: {}, createdAt: Date.now() }])
  expect((await server.call(`GET ${path}`)).body).toMatchObject({ runs: 0, userId: 'user-82', kind: 'agent' })
  expect((await server.call(`GET ${path}/messages`)).body).toMatchObject({ data: [{ content: 'Hello.' }] })
  const timings = { readyMs: null, firstAudioMs: null, durationMs: 1_000 }
  await session.end({ reason: 'inactivity', usage: [], failoverUsed: false, timings })
  expect((await server.call(`DELETE ${path}`)).status).toBe(204)
  expect((await server.call(`GET ${path}`)).status).toBe(404)
})

test('a session with only a greeting accepts its first turn', async () => {
  const job = await setting.claimed()
  const said = {
    itemId: 'greeting',
    role: 'assistant' as const,
    text: 'Hello.',
    interrupted: false,
    runId: null,
  }
  await setting.worker.session(job).storeItems([{ ...said, metrics: {}, createdAt: Date.now() }])
  const lines = await setting.turn(job, { text: 'hello there' })
  expect(await runOf(runIdOf(lines) ?? '')).toMatchObject({ sessionId: job.sessionId, status: 'completed' })
  const { body } = await setting.voice.server.call(`GET /api/v1/sessions/${job.sessionId}`)
  expect(body).toMatchObject({ runs: 1 })
})

test('retention erases words and speakers, and keeps the cost; a continued conversation waits', async () => {
  const { server, clock } = setting.voice
  const { organizationId } = server.seed
  const { sessions, turns, upkeep } = server.context.database.voice
  const ago = (days: number) => new Date(clock.now() - days * 86_400_000)
  const ended = async (endedAt: Date) => {
    const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-83' })
    await setting.turn(job, { text: 'my secret' })
    const item = { itemId: 'i1', role: 'assistant' as const, text: 'secret', interrupted: false, runId: null }
    await setting.worker.session(job).storeItems([{ ...item, metrics: {}, createdAt: clock.now() }])
    const key = { organizationId, id: checkedId(VoiceSessionId, job.sessionId) }
    await sessions.end(key, { reason: 'inactivity', at: endedAt, billingUnitS: 60 })
    return key
  }
  const [latest, continued] = [await ended(ago(0)), await ended(ago(40))]
  const status = async ({ id }: { id: string }) => (await server.call(`GET /api/v1/sessions/${id}`)).status
  await upkeep.eraseExpired(ago(-60))
  expect([await status(latest), await status(continued)]).toEqual([200, 200])
  expect(await turns.list(latest)).toHaveLength(1)
  await upkeep.eraseExpired(ago(-91))
  expect([await status(latest), await status(continued)]).toEqual([404, 404])
  expect(await turns.list(latest)).toEqual([])
  expect(await sessions.byKey(latest)).toMatchObject({
    ...{ endUserRef: null, participantIdentity: '', sessionState: 'completed', endedReason: 'inactivity' },
  })
})

test('usage has the minutes of ended voice sessions, by day, agent, key and caller', async () => {
  const job = await setting.claimed({ participantIdentity: 'caller', end_user_ref: 'user-80' })
  const { server } = setting.voice
  const { organizationId, agents } = server.seed
  const key = { organizationId, id: checkedId(VoiceSessionId, job.sessionId) }
  const { sessions } = server.context.database.voice
  const joinedAt = new Date(Date.now() - 90_000)
  expect(await sessions.joined(key, joinedAt)).toBe(true)
  // A short absence: the time counts from the first join.
  await sessions.left(key, new Date(joinedAt.getTime() + 30_000))
  expect(await sessions.joined(key, new Date(joinedAt.getTime() + 40_000))).toBe(true)
  const at = new Date(joinedAt.getTime() + 90_000)
  await sessions.end(key, { reason: 'participant_left', at, billingUnitS: 60 })
  const minutes = async (group: string, of: string) => {
    const { body } = await server.call(`GET /api/v1/usage?group_by=${group}`)
    const rows = propertyOf(body, 'data')
    if (!Array.isArray(rows)) throw new Error('no rows')
    return propertyOf(
      rows.find((row) => propertyOf(row, 'key') === of),
      'voiceMinutes',
    )
  }
  expect(await minutes('user', 'user-80')).toBe(1.5)
  expect(await minutes('agent', agents.organization)).toBeGreaterThanOrEqual(1.5)
  expect(await minutes('day', at.toISOString().slice(0, 10))).toBeGreaterThanOrEqual(1.5)
  expect(await minutes('user', 'user-81')).toBeUndefined()
})
