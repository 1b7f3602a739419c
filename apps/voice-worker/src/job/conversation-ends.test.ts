import { afterEach, expect, test } from 'vitest'
import {
  type HeadlessOptions,
  type HeadlessSession,
  openHeadlessSession,
} from '../testing/headless-session.ts'

const open: HeadlessSession[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await session[Symbol.asyncDispose]()
})

async function conversation(options: HeadlessOptions): Promise<HeadlessSession> {
  const session = await openHeadlessSession(options)
  open.push(session)
  return session
}

test('a silent caller is prompted with the configured texts, and then the session ends', async () => {
  const session = await conversation({
    settings: { silence: { afterS: 1, text: 'Hello?', endAfterPrompts: 2 } },
  })
  expect(await session.exited).toBe('inactivity')
  expect(session.said()).toEqual(['assistant: Welcome.', 'assistant: Hello?', 'assistant: Hello?'])
  expect(session.server.ends).toMatchObject([{ reason: 'inactivity' }])
})

test('a caller who responds to a prompt keeps the session', async () => {
  const session = await conversation({
    settings: { silence: { afterS: 2, text: 'Hello?', endAfterPrompts: 1 } },
  })
  await expect.poll(session.said).toContain('assistant: Hello?')
  await session.say('hello there')
  await expect.poll(session.said, { timeout: 20_000 }).toHaveLength(5)
  expect(session.said().slice(2)).toEqual([
    'user: hello there',
    'assistant: You said hello there.',
    'assistant: Hello?',
  ])
  expect(session.live.ended.aborted).toBe(false)
})

test('a session announces its limit half a minute before, if configured', async () => {
  const session = await conversation({
    settings: { limits: { warnBeforeEnd: true } },
    claimed: { expiresAt: Date.now() + 33_000 },
  })
  await expect
    .poll(session.said, { timeout: 10_000 })
    .toEqual(['assistant: Welcome.', 'assistant: We have half a minute left.'])
})

test('a session without time left ends immediately', async () => {
  const session = await conversation({ claimed: { expiresAt: Date.now() + 1_500 } })
  expect(await session.exited).toBe('timeout')
  expect(session.server.ends).toMatchObject([{ reason: 'timeout' }])
})

/** The status messages of the child to the worker's parent process, which kills a closing child that does not exit in time. */
const told = (session: HeadlessSession) =>
  session.told.slice(-2).map(({ job, endReported }) => [job.state, endReported])

test('an ending session reports to its worker that it closes, and then that the server knows', async () => {
  const session = await conversation({})
  await session.media.ear.sentence(0, 300)
  expect(told(session).at(-1)).toEqual(['starting', false])
  await session.live.end('participant_left')
  expect(told(session)).toEqual([
    ['closing', false],
    ['closing', true],
  ])
})

test('a session handed to another worker reports to its own that it closes, and no end', async () => {
  const session = await conversation({})
  await session.media.ear.sentence(0, 300)
  await session.media.shutDown()
  expect(await session.exited).toBe('abandoned')
  expect(told(session)).toEqual([
    ['starting', false],
    ['closing', false],
  ])
})

test('a call whose minutes are used up announces that without being interrupted, and ends', async () => {
  const session = await conversation({
    claimed: { kind: 'outbound_call', answered: true, leaseUntil: Date.now() + 14_000 },
    settings: { budgetText: 'Our time is up. Goodbye.' },
  })
  expect(await session.exited).toBe('budget_exhausted')
  expect(session.server.leaseRequests).toBe(1)
  expect(session.said()).toEqual(['assistant: Welcome.', 'assistant: Our time is up. Goodbye.'])
  expect(session.server.ends).toMatchObject([
    { reason: 'budget_exhausted', timings: { firstAudioMs: expect.any(Number) } },
  ])
})

test('a session ended by the server is closed without a report', async () => {
  const session = await conversation({})
  session.server.tell({ event: 'end', reason: 'ended_by_operator' })
  expect(await session.exited).toBe('over')
  expect(session.server.ends).toEqual([])
})

test('a session whose job is shut down is left to another worker and not reported as ended', async () => {
  const session = await conversation({})
  await session.media.shutDown()
  expect(await session.exited).toBe('abandoned')
  expect(session.server.ends).toEqual([])
})

test('the usage of speech providers is reported with the end, each sentence once', async () => {
  const session = await conversation({ settings: { fallbackText: 'Never mind.' } })
  await session.media.ear.sentence(0, 300)
  await session.say('what time is it')
  await expect.poll(session.said).toHaveLength(3)
  await session.live.end('participant_left')
  const usage = session.server.ends[0]?.usage ?? []
  const heard = usage.find(({ kind }) => kind === 'stt')
  expect(heard).toMatchObject({ provider: 'local-pocketsphinx', model: 'en-us', characters: 0 })
  expect(heard?.audioMs).toBeGreaterThan(500)
  const spoken = usage.find(({ kind }) => kind === 'tts')
  const texts = ['Welcome.', 'You said what time is it.', 'Never mind.']
  expect(spoken).toMatchObject({
    provider: 'local-flite',
    model: 'slt',
    characters: texts.join('').length,
  })
  expect(spoken?.audioMs).toBeGreaterThan(1_000)
  expect(spoken?.audioMs).toBeLessThan(5_000)
})
