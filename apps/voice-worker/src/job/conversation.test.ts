import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  echo,
  type HeadlessOptions,
  type HeadlessSession,
  openHeadlessSession,
} from '../testing/headless-session.ts'
import type { AnswerTurn } from '../testing/voice-server-double.ts'

const open: HeadlessSession[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await session[Symbol.asyncDispose]()
})

async function conversation(options: HeadlessOptions = {}): Promise<HeadlessSession> {
  const session = await openHeadlessSession(options)
  open.push(session)
  return session
}

/** A caller who has heard the greeting. */
async function greeted(options: HeadlessOptions = {}): Promise<HeadlessSession> {
  const session = await conversation(options)
  await session.media.ear.sentence(0, 300)
  return session
}

const DONE = { t: 'done', runId: 'run', success: true } as const
const STORY =
  'Once upon a time there was a small house near the river. An old man lived there with his dog. Every morning they walked along the water.'

const story: AnswerTurn = async function* (turn) {
  if (turn.text !== 'tell me a long story') return yield* echo(turn)
  yield { t: 'text', d: STORY }
  yield DONE
}

test('a caller is greeted, transcribed and answered', async () => {
  const session = await greeted()
  const spokenAt = await session.say('what time is it')
  await session.media.ear.firstSound(spokenAt)
  await expect
    .poll(session.said)
    .toEqual(['assistant: Welcome.', 'user: what time is it', 'assistant: You said what time is it.'])
  expect(session.server.turns).toEqual([
    { turnSeq: 1, text: 'what time is it', language: 'en', kind: 'message' },
  ])
  const [, heard, answered] = session.server.items
  expect(heard?.metrics.transcriptionDelay).toBeGreaterThan(0)
  expect(answered?.metrics.e2eLatency).toBeGreaterThan(0)
  expect(answered?.runId).toBe('run-1')
})

test('an interrupted agent stops speaking, and its words precede the interruption in the transcript', async () => {
  const session = await greeted({ answer: story })
  const spokenAt = await session.say('tell me a long story')
  await session.media.ear.firstSound(spokenAt)
  await pause(1_500)
  const interruptedAt = Date.now()
  await session.say('please stop now')
  await expect.poll(() => Date.now() - session.media.ear.lastSound()).toBeGreaterThan(300)
  expect(session.media.ear.lastSound() - interruptedAt).toBeLessThan(2_000)
  await expect.poll(() => session.server.items.length).toBe(5)
  expect(session.server.items.map(({ role, interrupted }) => [role, interrupted])).toEqual([
    ['assistant', false],
    ['user', false],
    ['assistant', true],
    ['user', false],
    ['assistant', false],
  ])
  expect(session.said().slice(3)).toEqual(['user: please stop now', 'assistant: You said please stop now.'])
})

test('an agent whose settings forbid interruptions finishes its answer', async () => {
  const session = await greeted({ answer: story, settings: { bargeIn: { enabled: false } } })
  const spokenAt = await session.say('tell me a long story')
  await session.media.ear.firstSound(spokenAt)
  await pause(1_000)
  await session.say('please stop now')
  await expect.poll(() => session.server.items.length).toBeGreaterThanOrEqual(3)
  expect(session.server.items[2]).toMatchObject({ role: 'assistant', text: STORY, interrupted: false })
  // Longer than the SDK waits for the transcript of withheld speech.
  await pause(5_000)
  expect(session.said()).toHaveLength(3)
})

test('a slow tool is covered by a filler phrase, spoken before its result', async () => {
  const finish = Promise.withResolvers<void>()
  const session = await greeted({
    settings: { filler: { enabled: true, afterMs: 500, phrases: ['One moment, please.'] } },
    async *answer() {
      yield { t: 'tool', phase: 'started', name: 'look_up' }
      await finish.promise
      yield { t: 'tool', phase: 'finished', name: 'look_up' }
      yield { t: 'text', d: 'It is noon.' }
      yield DONE
    },
  })
  const spokenAt = await session.say('what time is it')
  await session.media.ear.sentence(spokenAt, 300)
  expect(session.server.items).toHaveLength(2)
  finish.resolve()
  await expect.poll(session.said).toContain('assistant: One moment, please. It is noon.')
})

test('keys interrupt the agent, and form one message of their own kind', async () => {
  const session = await greeted()
  for (const key of '12#') session.live.keyPressed(key)
  await expect.poll(session.said).toContain('assistant: You said [keypad] 12#.')
  expect(session.server.turns).toEqual([{ turnSeq: 1, text: '[keypad] 12#', language: 'en', kind: 'keypad' }])
})

test('a call ends after the agent’s last words were played', async () => {
  const session = await greeted({
    async *answer() {
      yield { t: 'action', name: 'end_call', args: {} }
      yield { t: 'text', d: 'Goodbye, and have a nice day.' }
      yield DONE
    },
  })
  const spokenAt = await session.say('please stop now')
  expect(await session.exited).toBe('agent_ended')
  expect(await session.media.ear.firstSound(spokenAt)).toBeLessThan(Date.now() - 1_000)
  expect(session.said().at(-1)).toBe('assistant: Goodbye, and have a nice day.')
  expect(session.server.ends).toMatchObject([{ reason: 'agent_ended', failoverUsed: false }])
})

test('the agent presses keys after its words, in their order', async () => {
  const session = await greeted({
    async *answer() {
      yield { t: 'text', d: 'I will dial it.' }
      yield { t: 'action', name: 'send_dtmf', args: { digits: '4w2#' } }
      yield DONE
    },
  })
  await session.say('what time is it')
  await expect.poll(() => session.media.keys.join('')).toBe('42#')
  expect(session.said().at(-1)).toBe('assistant: I will dial it.')
})

test('an agent with `wait` as its greeting says nothing until it is spoken to', async () => {
  const session = await conversation({ settings: { greeting: { mode: 'wait' } } })
  await pause(500)
  const spokenAt = await session.say('hello there')
  await session.media.ear.firstSound(spokenAt)
  await expect.poll(session.said).toEqual(['user: hello there', 'assistant: You said hello there.'])
})

test('a session taken over from another worker is resumed, not greeted', async () => {
  const transcript = [{ role: 'user' as const, text: 'hello', interrupted: false }]
  const session = await conversation({
    claimed: { transcript, nextTurnSeq: 5 },
    settings: { resumeText: 'We were cut off.' },
  })
  await session.media.ear.sentence(0, 300)
  await session.say('what time is it')
  await expect.poll(session.said).toHaveLength(3)
  expect(session.said()[0]).toBe('assistant: We were cut off.')
  expect(session.server.turns).toMatchObject([{ turnSeq: 5 }])
})

test('a callee hears the caller’s identity once the call is answered, and then the greeting', async () => {
  const session = await conversation({
    claimed: { kind: 'outbound_call' },
    settings: { call: { disclosureText: 'This is a machine.', greetAfterMs: 400 } },
  })
  await pause(600)
  expect(session.media.ear.lastSound()).toBe(0)
  const answeredAt = Date.now()
  session.server.tell({ event: 'answered', leaseUntil: answeredAt + 300_000 })
  expect((await session.media.ear.firstSound(0)) - answeredAt).toBeGreaterThanOrEqual(400)
  await expect.poll(session.said).toEqual(['assistant: This is a machine.', 'assistant: Welcome.'])
})
