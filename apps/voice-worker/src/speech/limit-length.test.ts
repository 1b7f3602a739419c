import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { initializeLogger } from '@livekit/agents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { tone } from '../testing/tone.ts'
import { ttsOf } from './tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

const SECOND = tone(1_000, 24_000)
/** Without a limit, a provider could send hours of audio. */
const MOST_SECONDS = 100
const TEXT = 'A sentence of a few words. '

/** Speaks endlessly over Deepgram's protocol, as the double of the streaming provider has it. */
async function endlessProvider() {
  const server = createServer()
  let count = 0
  const sockets = new WebSocketServer({ server }).on('connection', (socket: WebSocket) => {
    count += 1
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
    /** Connections that are open. */
    open: () => sockets.clients.size,
    /** Connections so far. */
    count: () => count,
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
  expect(failures).toContain('the text-to-speech provider spoke longer than its text false')
  expect(seconds).toBeGreaterThan(30)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  await voice.close()
})

test('of two voices, the one that never stops is abandoned, and a sentence ends in time', async () => {
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

test.for([
  [['deepgram'], 'the only voice'],
  [['deepgram', 'deepgram'], 'one of two voices'],
  // ElevenLabs' plugin does not accept these bytes as an answer to its text, and the other voice speaks.
  [['elevenlabs', 'deepgram'], 'beside a voice over one connection'],
] as const)('a voice of %s that is given up as %s is disconnected', async ([ids]) => {
  const endless = ids.map((id) => choice(id, `${id === 'deepgram' ? 'ws' : 'http'}://${provider.host}`))
  const voice = await ttsOf(endless, { language: 'en', onFailover() {} })
  const answer = voice.stream()
  answer.pushText(TEXT)
  answer.endInput()
  for await (const one of answer) expect(one).toBeDefined()
  expect(provider.count()).toBeGreaterThan(0)
  await expect.poll(provider.open, { timeout: 5_000 }).toBe(0)
  await voice.close()
})

test('an answer of deepgram that is interrupted is disconnected', async () => {
  const voice = await ttsOf([choice('deepgram', `ws://${provider.host}`)], {
    language: 'en',
    onFailover() {},
  })
  const answer = voice.stream()
  answer.pushText(TEXT)
  answer.endInput()
  await answer.next()
  expect(provider.open()).toBe(1)
  answer.close()
  await expect.poll(provider.open, { timeout: 5_000 }).toBe(0)
  await voice.close()
})

test('an answer of deepgram that is interrupted before its provider took the connection is disconnected', async () => {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
    socket.resume()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const voice = await ttsOf([choice('deepgram', `ws://127.0.0.1:${port}`)], {
    language: 'en',
    onFailover() {},
  })
  const answer = voice.stream()
  answer.pushText(TEXT)
  await expect.poll(() => open.size).toBe(1)
  answer.close()
  await expect.poll(() => open.size, { timeout: 5_000 }).toBe(0)
  await voice.close()
  server.close()
})
