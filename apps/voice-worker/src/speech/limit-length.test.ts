import { once } from 'node:events'
import { createServer } from 'node:http'
import { initializeLogger } from '@livekit/agents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { tone } from '../testing/tone.ts'
import { ttsOf } from './tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

const SECOND = tone(1_000, 24_000)
/** Without an end, a provider would send hours of sound. */
const MOST_SECONDS = 100
const TEXT = 'A sentence of a few words. '

/** Speaks without an end over Deepgram's protocol, as the double of the streaming provider has it. */
async function endlessProvider() {
  const server = createServer()
  const sockets = new WebSocketServer({ server }).on('connection', (socket: WebSocket) => {
    const go = () => {
      if (socket.readyState !== socket.OPEN) return
      socket.send(SECOND, () => setImmediate(go))
    }
    socket.once('message', go)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    host,
    [Symbol.dispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    },
  }
}

let provider: Awaited<ReturnType<typeof endlessProvider>>
beforeEach(async () => {
  provider = await endlessProvider()
})
afterEach(() => provider[Symbol.dispose]())

const choice = (id: 'deepgram' | 'elevenlabs', baseUrl: string) => ({
  ...{ provider: id, baseUrl, model: null, apiKey: 'key', voice: null, speed: 1 },
})

test('the only voice of a session that never stops speaking fails when its text is long over', async () => {
  const voice = await ttsOf([choice('deepgram', `ws://${provider.host}`)], {
    language: 'en',
    onFailover() {},
  })
  const failures: string[] = []
  voice.on('error', ({ error, recoverable }) => failures.push(`${error.message} ${recoverable}`))
  const answer = voice.stream()
  answer.pushText(TEXT)
  answer.endInput()
  let seconds = 0
  for await (const one of answer) {
    if (typeof one !== 'symbol') seconds += one.frame.samplesPerChannel / one.frame.sampleRate
  }
  expect(failures).toContain('the text to speech spoke longer than its text false')
  expect(seconds).toBeGreaterThan(30)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  await voice.close()
})

test('of two voices the one that never stops speaking is left, and a sentence ends in time', async () => {
  const endless = choice('deepgram', `ws://${provider.host}`)
  const voice = await ttsOf([endless, endless], { language: 'en', onFailover() {} })
  const answer = voice.stream()
  answer.pushText(TEXT)
  answer.endInput()
  let seconds = 0
  for await (const one of answer) {
    if (typeof one !== 'symbol') seconds += one.frame.samplesPerChannel / one.frame.sampleRate
  }
  expect(seconds).toBeLessThan(2 * MOST_SECONDS)
  await voice.close()
})
