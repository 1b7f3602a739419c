import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SttChoice, TtsChoice } from '@troupe/contract/voice-worker'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type HeadlessOptions,
  type HeadlessSession,
  LOCAL_STT,
  LOCAL_TTS,
  openHeadlessSession,
} from '../testing/headless-session.ts'
import { type SpeechProviderDouble, startSpeechProviderDouble } from '../testing/speech-provider-double.ts'
import {
  type StreamingProviderDouble,
  startStreamingProviderDouble,
} from '../testing/streaming-provider-double.ts'
import type { AnswerTurn } from '../testing/voice-server-double.ts'

/**
 * The SDK leaves the rejected promise of a failed speech unhandled; its job processes ignore unhandled rejections, and so does this
 * file.
 */
const listeners = process.listeners('unhandledRejection')
const ignore = () => {}
beforeAll(() => {
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', ignore)
})
afterAll(() => {
  process.off('unhandledRejection', ignore)
  for (const listener of listeners) process.on('unhandledRejection', listener)
})

const stack: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of stack.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

async function greeted(options: HeadlessOptions): Promise<HeadlessSession> {
  const session = await openHeadlessSession(options)
  stack.push(session)
  await session.media.ear.sentence(0, 300)
  return session
}

async function provider(): Promise<SpeechProviderDouble> {
  const started = await startSpeechProviderDouble()
  stack.push(started)
  return started
}

const remote = ({ baseUrl }: SpeechProviderDouble) => ({
  provider: 'openai' as const,
  model: null,
  baseUrl,
  apiKey: null,
})
const remoteStt = (double: SpeechProviderDouble): SttChoice => ({ ...remote(double), grammar: null })
const remoteTts = (double: SpeechProviderDouble): TtsChoice => ({ ...remote(double), voice: null, speed: 1 })

async function streaming(): Promise<StreamingProviderDouble> {
  const started = await startStreamingProviderDouble()
  stack.push(started)
  return started
}

const deepgram = ({ baseUrl }: StreamingProviderDouble) => ({
  provider: 'deepgram' as const,
  model: null,
  baseUrl,
  apiKey: 'key',
})
const streamingStt = (double: StreamingProviderDouble): SttChoice => ({ ...deepgram(double), grammar: null })
const streamingTts = (double: StreamingProviderDouble): TtsChoice => ({
  ...deepgram(double),
  voice: null,
  speed: 1,
})

/** Samples per second of the received audio. */
const RATE = 16_000
const REPEAT = 'assistant: Sorry, I did not catch that. Could you say it again?'

test('a failed speech to text is replaced by its fallback within the same utterance', async () => {
  const dying = await provider()
  const session = await greeted({ claimed: { stt: [remoteStt(dying), LOCAL_STT] } })
  dying.hears = 'good morning'
  await session.say('hello there')
  await expect.poll(session.said).toContain('assistant: You said good morning.')
  await dying.kill()
  await session.say('what time is it')
  await expect.poll(session.said).toContain('assistant: You said what time is it.')
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})

test('a failed text to speech is replaced by its fallback, and nothing of the answer is lost', async () => {
  const dying = await provider()
  const session = await greeted({ claimed: { tts: [remoteTts(dying), LOCAL_TTS] } })
  await dying.kill()
  const spokenAt = await session.say('what time is it')
  await session.media.ear.firstSound(spokenAt)
  await expect
    .poll(session.said)
    .toEqual(['assistant: Welcome.', 'user: what time is it', 'assistant: You said what time is it.'])
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})

test('a failed streaming speech to text is replaced by its fallback: the caller is asked to repeat, and is transcribed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-speech-failures-'))
  vi.stubEnv('TMPDIR', folder)
  const dying = await streaming()
  const session = await greeted({ claimed: { stt: [streamingStt(dying), LOCAL_STT] } })
  dying.hears = 'good morning'
  await session.say('hello there')
  await expect.poll(session.said).toContain('assistant: You said good morning.')
  await dying.kill()
  // Deepgram's plugin 1.9.0 overlooks that its socket was closed (livekit/agents-js#2469): speech is lost from here on.
  await session.say('what time is it')
  await expect.poll(session.said).toContain(REPEAT)
  await session.say('what time is it')
  await expect.poll(session.said).toContain('assistant: You said what time is it.')
  expect(dying.utterances).toBe(1)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
  vi.unstubAllEnvs()
  // The local recogniser keeps its vocabulary in a file.
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

test('the only streaming speech to text is recreated after its connection is closed normally, and transcribes what follows', async () => {
  const closing = await streaming()
  const session = await greeted({ claimed: { stt: [streamingStt(closing)] } })
  closing.hears = 'good morning'
  await session.say('hello there')
  await expect.poll(session.said).toContain('assistant: You said good morning.')
  closing.closeListeners()
  closing.hears = 'good evening'
  // The plugin's bug of the test above: the caller is asked to repeat the lost words.
  await session.say('hello there')
  await expect.poll(session.said).toContain(REPEAT)
  await session.say('hello there')
  await expect.poll(session.said).toContain('assistant: You said good evening.')
  expect(closing.utterances).toBe(2)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: false }])
})

test('a failed streaming text to speech is replaced by its fallback, and nothing of the answer is lost', async () => {
  const dying = await streaming()
  const session = await greeted({ claimed: { tts: [streamingTts(dying), LOCAL_TTS] } })
  expect(dying.spoken.map((text) => text.trim())).toContain('Welcome.')
  await dying.kill()
  const spokenAt = await session.say('what time is it')
  await session.media.ear.firstSound(spokenAt)
  await expect
    .poll(session.said)
    .toEqual(['assistant: Welcome.', 'user: what time is it', 'assistant: You said what time is it.'])
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})

async function* twoSentences(): ReturnType<AnswerTurn> {
  yield { t: 'text', d: 'The first part is here. ' }
  yield { t: 'text', d: 'The second part is here.' }
  yield { t: 'done', runId: 'run', success: true }
}
const BOTH = 'assistant: The first part is here. The second part is here.'

test('a text to speech that fails within an answer is replaced for the remaining sentences', async () => {
  const dying = await provider()
  const session = await greeted({
    answer: twoSentences,
    claimed: { tts: [remoteTts(dying), LOCAL_TTS] },
  })
  // The greeting, the fallback text, and the first sentence.
  dying.speaks = 3
  const spokenAt = await session.say('what time is it')
  await expect.poll(session.said).toContain(BOTH)
  expect(dying.speeches.map(({ input }) => String(input).trim())).toContain('The second part is here.')
  // 23 characters of 40 ms by the first, and more than a second by the second.
  expect((await session.media.ear.sentence(spokenAt)).samples.length).toBeGreaterThan(2 * RATE)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})

test('a streaming text to speech that is cut off within a sentence is replaced for the next one', async () => {
  const dying = await streaming()
  const session = await greeted({
    answer: twoSentences,
    claimed: { tts: [streamingTts(dying), LOCAL_TTS] },
  })
  dying.speaks = dying.spoken.length
  await session.say('what time is it')
  await expect.poll(session.said).toContain(BOTH)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ reason: 'participant_left', failoverUsed: true }])
})

test('a text to speech that never responds is replaced, and so is a speech to text', async () => {
  const [silent, deaf] = [await provider(), await provider()]
  const session = await greeted({
    claimed: { tts: [remoteTts(silent), LOCAL_TTS], stt: [remoteStt(deaf), LOCAL_STT] },
  })
  silent.hangs = true
  deaf.hangs = true
  await session.say('what time is it')
  await expect.poll(session.said).toContain('assistant: You said what time is it.')
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})

test('providers that serve the whole session report no failover', async () => {
  const session = await greeted({ claimed: { stt: [LOCAL_STT, LOCAL_STT], tts: [LOCAL_TTS, LOCAL_TTS] } })
  await session.say('what time is it')
  await expect.poll(session.said).toHaveLength(3)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: false }])
})

test('a text to speech that fails permanently is covered by the clip of the fallback text, once', async () => {
  const dying = await provider()
  const session = await greeted({ claimed: { tts: [remoteTts(dying)] } })
  await dying.kill()
  await session.say('what time is it')
  expect(await session.exited).toBe('provider_error')
  expect(session.media.clips).toHaveLength(1)
  expect(session.server.ends).toMatchObject([{ reason: 'provider_error' }])
})

test('a turn that the server can’t answer ends the session with the fallback text', async () => {
  const session = await greeted({
    async *answer() {
      yield { t: 'error', code: 'upstream_error', message: 'No model answered.' }
    },
  })
  await session.say('what time is it')
  expect(await session.exited).toBe('provider_error')
  expect(session.media.clips).toHaveLength(1)
  expect(session.server.turns).toHaveLength(1)
})

test('an unresponsive speech to text is recreated, then the next one gets priority; the caller is asked to repeat', async () => {
  const deaf = await provider()
  const session = await greeted({ claimed: { stt: [remoteStt(deaf), LOCAL_STT] } })
  await session.say('hello there')
  await expect.poll(session.said).toEqual(['assistant: Welcome.', REPEAT])
  await session.say('hello there')
  await expect.poll(session.said).toEqual(['assistant: Welcome.', REPEAT, REPEAT])
  expect(deaf.transcriptions).toHaveLength(2)
  await session.say('what time is it')
  await expect.poll(session.said).toContain('assistant: You said what time is it.')
  expect(deaf.transcriptions).toHaveLength(2)
  await session.live.end('participant_left')
  expect(session.server.ends).toMatchObject([{ failoverUsed: true }])
})
