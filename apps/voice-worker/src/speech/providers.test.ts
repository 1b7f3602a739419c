import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { inference, initializeLogger, type stt, type tts } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'
import type { SttChoice, TtsChoice } from '@troupe/contract/voice-worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SpeechProviderDouble, startSpeechProviderDouble } from '../testing/speech-provider-double.ts'
import { sttOf } from './stt-of.ts'
import { ttsOf } from './tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

let double: SpeechProviderDouble
beforeAll(async () => {
  double = await startSpeechProviderDouble()
})
afterAll(() => double[Symbol.asyncDispose]())

/** Defined by RFC 6455. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** Opened streams. */
const streams: { close(): void }[] = []

const vad = new inference.VAD()
const onFailover = () => {}

function hearing(choice: Pick<SttChoice, 'provider'> & Partial<SttChoice>) {
  const complete = { model: null, baseUrl: null, apiKey: 'key', grammar: null, ...choice }
  return sttOf([complete], { language: 'de-AT', vad, onFailover })
}

function speaking(choice: Pick<TtsChoice, 'provider'> & Partial<TtsChoice>) {
  const complete = { model: null, baseUrl: null, apiKey: 'key', voice: null, speed: 1, ...choice }
  return ttsOf([complete], { language: 'de-AT', onFailover })
}

test('a compatible server transcribes whole utterances with the configured model, language and key', async () => {
  const stt = await hearing({ provider: 'openai', model: 'whisper-large', baseUrl: double.baseUrl })
  double.hears = 'guten Tag'
  const heard = await stt.recognize(new AudioFrame(new Int16Array(16_000), 16_000, 1, 16_000))
  expect(heard.alternatives?.[0]?.text).toBe('guten Tag')
  expect(double.transcriptions).toEqual([
    { model: 'whisper-large', language: 'de', response_format: 'json', authorization: 'Bearer key' },
  ])
})

test('a compatible server speaks with the configured model, voice, speed and key', async () => {
  const tts = await speaking({
    provider: 'openai',
    model: 'kokoro',
    baseUrl: double.baseUrl,
    voice: 'eva',
    speed: 1.25,
  })
  const spoken = await tts.synthesize('Guten Tag.').collect()
  expect(spoken.sampleRate).toBe(24_000)
  expect(spoken.samplesPerChannel).toBeGreaterThanOrEqual(24_000 * 0.3)
  expect(double.speeches).toEqual([
    {
      model: 'kokoro',
      voice: 'eva',
      speed: 1.25,
      input: 'Guten Tag.',
      instructions: undefined,
      response_format: 'pcm',
      authorization: 'Bearer key',
    },
  ])
})

/** A provider's first WebSocket request: its address and the header with the key. */
async function handshake(connect: (baseUrl: string) => Promise<unknown>) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  try {
    const upgraded = once(server, 'upgrade')
    await connect(`ws://127.0.0.1:${port}`)
    const [{ url, headers }, socket] = await upgraded
    const accept = createHash('sha1')
      .update(headers['sec-websocket-key'] + WEBSOCKET_GUID)
      .digest('base64')
    const answer = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade']
    socket.write([...answer, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n'))
    // A stream that is closed while it connects throws an uncatchable error.
    await once(socket, 'data')
    for (const stream of streams.splice(0)) stream.close()
    socket.destroy()
    const { pathname, searchParams } = new URL(url, 'http://provider')
    const key = headers.authorization ?? headers['xi-api-key']
    return { path: pathname, key, query: Object.fromEntries(searchParams) }
  } finally {
    await once(server.close(), 'close')
  }
}

/** Sends silence for a moment. */
function listen(stt: stt.STT): void {
  const stream = stt.stream()
  streams.push(stream)
  stream.pushFrame(new AudioFrame(new Int16Array(1_600), 16_000, 1, 1_600))
}

function speak(tts: tts.TTS): void {
  const stream = tts.stream()
  streams.push(stream)
  stream.pushText('Guten Tag, hier ist die Firma Muster. ')
  stream.flush()
}

test('Deepgram transcribes with the configured model, language and key', async () => {
  const made = await handshake(async (baseUrl) =>
    listen(await hearing({ provider: 'deepgram', model: 'nova-3', baseUrl })),
  )
  expect(made).toMatchObject({
    path: '/v1/listen',
    key: 'Token key',
    query: { model: 'nova-3', language: 'de-AT' },
  })
})

test('Deepgram speaks with the configured voice, which is a model', async () => {
  const made = await handshake(async (baseUrl) =>
    speak(await speaking({ provider: 'deepgram', voice: 'aura-2-julius-de', baseUrl })),
  )
  expect(made).toMatchObject({
    path: '/v1/speak',
    key: 'Token key',
    query: { model: 'aura-2-julius-de' },
  })
})

test('ElevenLabs transcribes with its realtime model', async () => {
  const made = await handshake(async (baseUrl) => listen(await hearing({ provider: 'elevenlabs', baseUrl })))
  expect(made).toMatchObject({ key: 'key', query: { model_id: 'scribe_v2_realtime' } })
  expect(made.query.language_code).toMatch(/^de/)
})

test('ElevenLabs speaks with the configured voice and model', async () => {
  const made = await handshake(async (baseUrl) =>
    speak(await speaking({ provider: 'elevenlabs', voice: 'v1', model: 'eleven_flash_v2_5', baseUrl })),
  )
  expect(made).toMatchObject({ key: 'key', query: { model_id: 'eleven_flash_v2_5' } })
  expect(made.path).toContain('v1')
})

test('a provider’s own service needs a key, a self-hosted one does not', async () => {
  await expect(hearing({ provider: 'deepgram', apiKey: null })).rejects.toThrow(/no usable credential/)
  await expect(speaking({ provider: 'openai', apiKey: null })).rejects.toThrow(/no usable credential/)
  const stt = await hearing({ provider: 'openai', apiKey: null, baseUrl: double.baseUrl })
  expect(stt.capabilities.streaming).toBe(true)
})
