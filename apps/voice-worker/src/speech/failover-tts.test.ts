import { once } from 'node:events'
import { initializeLogger } from '@livekit/agents'
import type { TtsChoice } from '@troupe/contract/voice-worker'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RawData, WebSocketServer } from 'ws'
import { HAS_FLITE } from '../testing/has-flite.ts'
import { LOCAL_TTS } from '../testing/headless-session.ts'
import { type SpeechProviderDouble, startSpeechProviderDouble } from '../testing/speech-provider-double.ts'
import { startStreamingProviderDouble } from '../testing/streaming-provider-double.ts'
import { ttsOf } from './tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

/**
 * The SDK leaves the rejected promise of an aborted sentence unhandled; its job processes ignore unhandled rejections, and so does
 * this file.
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

let double: SpeechProviderDouble
beforeEach(async () => {
  double = await startSpeechProviderDouble()
})
afterEach(() => double[Symbol.asyncDispose]())

test('a sentence interrupted by the caller does not count as a failure of its voice', async () => {
  const remote: TtsChoice = { ...LOCAL_TTS, provider: 'openai', baseUrl: double.baseUrl, voice: null }
  let failovers = 0
  const tts = await ttsOf([remote, LOCAL_TTS], { language: 'en-US', onFailover: () => (failovers += 1) })
  double.hangs = true
  const interrupted = tts.stream()
  interrupted.pushText('The first answer is here.')
  interrupted.endInput()
  await expect.poll(() => double.speeches).toHaveLength(1)
  interrupted.close()
  for await (const _ of interrupted) expect.fail('an interrupted sentence was heard')
  double.hangs = false
  await new Promise((resolve) => setTimeout(resolve, 200))
  const next = await tts.synthesize('The second answer is here.').collect()
  expect(next.samplesPerChannel).toBeGreaterThan(0)
  expect(double.speeches).toHaveLength(2)
  expect(failovers).toBe(0)
  await tts.close()
})

test.skipIf(!HAS_FLITE)(
  'a failover counts as soon as the other voice is audible, even if the caller interrupts it',
  async () => {
    const remote: TtsChoice = { ...LOCAL_TTS, provider: 'openai', baseUrl: double.baseUrl, voice: null }
    let failovers = 0
    const tts = await ttsOf([remote, LOCAL_TTS], { language: 'en-US', onFailover: () => (failovers += 1) })
    await double[Symbol.asyncDispose]()
    const answer = tts.stream()
    answer.pushText('The answer of the other voice is here, and it is rather long. ')
    answer.endInput()
    for await (const one of answer) if (typeof one !== 'symbol') break
    expect(failovers).toBe(1)
    answer.close()
    await tts.close()
  },
)

test('the space at the end of an answer is not sent to a voice', async () => {
  const remote: TtsChoice = { ...LOCAL_TTS, provider: 'openai', baseUrl: double.baseUrl, voice: null }
  const tts = await ttsOf([remote, LOCAL_TTS], { language: 'en-US', onFailover: () => {} })
  const answer = tts.stream()
  answer.pushText('The first answer is here. ')
  answer.endInput()
  let samples = 0
  for await (const one of answer) if (typeof one !== 'symbol') samples += one.frame.samplesPerChannel
  expect(samples).toBeGreaterThan(0)
  expect(double.speeches.map(({ input }) => input)).toEqual(['The first answer is here.'])
  await tts.close()
})

test.skipIf(!HAS_FLITE)(
  'a voice that stalls within a sentence is given up after five seconds, and another one speaks the next sentence',
  {
    timeout: 30_000,
  },
  async () => {
    await using stalling = await startStreamingProviderDouble()
    Object.assign(stalling, { speaks: 0, stalls: true })
    const remote: TtsChoice = { ...LOCAL_TTS, provider: 'deepgram', baseUrl: stalling.baseUrl, voice: null }
    let failovers = 0
    const tts = await ttsOf([remote, LOCAL_TTS], { language: 'en-US', onFailover: () => (failovers += 1) })
    const answer = tts.stream()
    answer.pushText(
      'The first sentence is cut in the middle of its words. The second sentence is heard as a whole.',
    )
    answer.endInput()
    let before = performance.now()
    let longest = 0
    let secondsAfter = 0
    for await (const one of answer) {
      if (typeof one === 'symbol') continue
      const gap = performance.now() - before
      before = performance.now()
      if (gap > longest) [longest, secondsAfter] = [gap, 0]
      secondsAfter += one.frame.samplesPerChannel / one.frame.sampleRate
    }
    expect(longest).toBeGreaterThan(4_500)
    expect(longest).toBeLessThan(10_000)
    // The sentences are synthesized concurrently: the second one has stalled too, at half of its 1.6 seconds of audio.
    expect(stalling.spoken).toHaveLength(2)
    expect(secondsAfter).toBeGreaterThan(1.8)
    expect(failovers).toBe(1)
    await tts.close()
  },
)

/** Over Deepgram's protocol, as the double of the streaming provider has it: speaks the first text for three seconds, and refuses others. */
async function slowProvider() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (data: RawData) => {
      const { type, text = '' } = JSON.parse(String(data)) as { type: string; text?: string }
      if (type !== 'Speak') return
      if (!text.startsWith('The first')) return socket.terminate()
      let tenths = 0
      const timer = setInterval(() => {
        socket.send(Buffer.alloc(4_800))
        tenths += 1
        if (tenths < 30) return
        clearInterval(timer)
        socket.send(JSON.stringify({ type: 'Flushed' }))
      }, 100)
      socket.on('close', () => clearInterval(timer))
    })
  })
  await once(server, 'listening')
  const address = server.address()
  return {
    baseUrl: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    [Symbol.dispose]() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

test('a sentence that is heard is spoken to its end when the same voice fails at the next one', async () => {
  using slow = await slowProvider()
  await using other = await startStreamingProviderDouble()
  const voiceOf = (baseUrl: string): TtsChoice => ({
    ...LOCAL_TTS,
    ...{ provider: 'deepgram', baseUrl, voice: null },
  })
  const tts = await ttsOf([voiceOf(slow.baseUrl), voiceOf(other.baseUrl)], {
    language: 'en',
    onFailover: () => {},
  })
  const answer = tts.stream()
  answer.pushText('The first sentence is spoken slowly, to its end. The second sentence is of another voice.')
  answer.endInput()
  let seconds = 0
  for await (const one of answer) {
    if (typeof one !== 'symbol') seconds += one.frame.samplesPerChannel / one.frame.sampleRate
  }
  expect(other.spoken).toHaveLength(1)
  // Three of the first sentence, and 40 ms for each of at least 40 letters of the second.
  expect(seconds).toBeGreaterThan(4.4)
  await tts.close()
})
