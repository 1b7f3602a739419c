import { initializeLogger, voice } from '@livekit/agents'
import {
  type TranscriptItem,
  type TurnLine,
  type TurnRequest,
  VoiceServerError,
} from '@troupe/contract/voice-worker'
import { afterEach, expect, test } from 'vitest'
import { transcriptItem } from '../session/sent-transcript.ts'
import { RuntimeLlm, type RuntimeOptions } from './runtime-llm.ts'
import { SpeakingAgent } from './speaking-agent.ts'

initializeLogger({ pretty: false, level: 'silent' })

const open: voice.AgentSession[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await session.close()
})

/** A session without audio whose turns are answered by `answer`. */
async function conversation(
  answer: (request: TurnRequest, signal: AbortSignal) => AsyncIterable<TurnLine>,
  changes: Partial<RuntimeOptions> = {},
) {
  const requests: TurnRequest[] = []
  const items: TranscriptItem[] = []
  const actions: unknown[] = []
  const errors: unknown[] = []
  const llm = new RuntimeLlm({
    connection: {
      async turn(request, signal) {
        requests.push(request)
        return { runId: 'run-1', lines: answer(request, signal) }
      },
    },
    nextTurnSeq: 7,
    language: 'en',
    filler: { enabled: false, afterMs: 500, phrases: [] },
    mayAnswer: Promise.resolve(),
    onTurn() {},
    onAction: (...action) => actions.push(action),
    ...changes,
  })
  const session = new voice.AgentSession({ llm, vad: null })
  open.push(session)
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    const stored = item.type === 'message' ? transcriptItem(item) : null
    if (stored) items.push(stored)
  })
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => errors.push(error))
  await session.start({ agent: new SpeakingAgent(), record: false })
  return { session, requests, items, actions, errors }
}

const DONE: TurnLine = { t: 'done', runId: 'run-1', success: true }

test('a caller’s message becomes a turn, and the agent says its lines', async () => {
  const { session, requests, items } = await conversation(async function* () {
    yield { t: 'text', d: 'The moon ' }
    yield { t: 'text', d: 'is round.' }
    yield { t: 'usage', inputTokens: 3, outputTokens: 4, failoverUsed: false }
    yield DONE
  })
  await session.generateReply({ userInput: 'what about the moon' })
  expect(requests).toEqual([{ turnSeq: 7, text: 'what about the moon', language: 'en', kind: 'message' }])
  expect(items.map(({ role, text, runId }) => ({ role, text, runId }))).toEqual([
    { role: 'user', text: 'what about the moon', runId: null },
    { role: 'assistant', text: 'The moon is round.', runId: 'run-1' },
  ])
})

test('each message is a separate turn, and keys are of another kind', async () => {
  const { session, requests } = await conversation(async function* () {
    yield { t: 'text', d: 'Yes.' }
    yield DONE
  })
  await session.generateReply({ userInput: 'one' })
  await session.generateReply({ userInput: '[keypad] 12#' })
  expect(requests.map(({ turnSeq, kind }) => [turnSeq, kind])).toEqual([
    [7, 'message'],
    [8, 'keypad'],
  ])
})

test('a turn waits until callers may be answered, and is not sent if it is interrupted before', async () => {
  const may = Promise.withResolvers<void>()
  const { session, requests } = await conversation(
    async function* () {
      yield { t: 'text', d: 'Yes.' }
      yield DONE
    },
    { mayAnswer: may.promise },
  )
  const first = session.generateReply({ userInput: 'one' })
  await new Promise((resolve) => setTimeout(resolve, 200))
  first.interrupt()
  await first
  const second = session.generateReply({ userInput: 'two' })
  expect(requests).toEqual([])
  may.resolve()
  await second
  expect(requests.map(({ text }) => text)).toEqual(['two'])
})

test('a slow tool is covered by one phrase', async () => {
  const phrase = Promise.withResolvers<void>()
  const { session, items } = await conversation(
    async function* () {
      yield { t: 'tool', phase: 'started', name: 'look_up' }
      await phrase.promise
      yield { t: 'tool', phase: 'finished', name: 'look_up' }
      yield { t: 'text', d: 'Found it.' }
      yield DONE
    },
    { filler: { enabled: true, afterMs: 20, phrases: ['One moment.'] } },
  )
  const reply = session.generateReply({ userInput: 'look' })
  setTimeout(() => phrase.resolve(), 200)
  await reply
  expect(items.at(-1)?.text.replaceAll(/\s+/g, ' ')).toBe('One moment. Found it.')
})

test('an action is passed on with its arguments', async () => {
  const { session, actions } = await conversation(async function* () {
    yield { t: 'action', name: 'end_call', args: {} }
    yield { t: 'text', d: 'Goodbye.' }
    yield DONE
  })
  await session.generateReply({ userInput: 'bye' })
  expect(actions).toEqual([['end_call', {}]])
})

test('a failed turn is an error and is not retried', async () => {
  const { session, requests, errors } = await conversation(async function* () {
    yield { t: 'error', code: 'upstream_error', message: 'No model answered.' }
  })
  await session.generateReply({ userInput: 'hello' })
  expect(requests).toHaveLength(1)
  expect(errors).toMatchObject([{ type: 'llm_error', recoverable: false }])
})

test('after a broken connection the caller is asked to repeat, and the conversation continues', async () => {
  const { session, requests, items, errors } = await conversation(async function* ({ turnSeq }) {
    yield { t: 'text', d: 'The moon is' }
    if (turnSeq === 7)
      throw new VoiceServerError(null, 'network_error', 'The connection broke during a turn.')
    yield { t: 'text', d: ' round.' }
    yield DONE
  })
  await session.generateReply({ userInput: 'what about the moon' })
  await session.generateReply({ userInput: 'what about the moon' })
  expect(requests.map(({ turnSeq }) => turnSeq)).toEqual([7, 8])
  expect(items.filter(({ role }) => role === 'assistant').map(({ text }) => text)).toEqual([
    'The moon is Sorry, I did not catch that. Could you say it again?',
    'The moon is round.',
  ])
  expect(errors).toEqual([])
})

test('an interruption closes the connection of the turn, a finished answer does not', async () => {
  const signals: AbortSignal[] = []
  const { session } = await conversation(async function* (request, signal) {
    signals.push(signal)
    yield { t: 'text', d: 'Once upon a time. ' }
    if (request.text === 'a story') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield DONE
  })
  await session.generateReply({ userInput: 'short' })
  const story = session.generateReply({ userInput: 'a story' })
  await expect.poll(() => signals.length).toBe(2)
  story.interrupt()
  await story
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
})
