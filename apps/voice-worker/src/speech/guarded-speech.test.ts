import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, Socket } from 'node:net'
import { promisify } from 'node:util'
import { inference, initializeLogger } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'
import { propertyOf } from '@troupe/contract'
import type { SttChoice, TtsChoice } from '@troupe/contract/voice-worker'
import { guardProcess, type ProcessGuard } from '@troupe/safe-fetch/guard-process'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sttOf } from './stt-of.ts'
import { ttsOf } from './tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

/**
 * The SDK leaves some promises unhandled when a provider fails; its job processes ignore unhandled rejections, and so does this
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

/** A listener on this machine at which a tenant's `baseUrl` points. */
async function listener() {
  const state = { connections: 0, port: 0 }
  const server = createServer((socket) => {
    state.connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address === 'object' && address) state.port = address.port
  return Object.assign(state, { [Symbol.dispose]: () => void server.close() })
}

let guard: ProcessGuard
let target: Awaited<ReturnType<typeof listener>>
beforeEach(async () => {
  target = await listener()
  guard = guardProcess({ services: [], allowedNetworks: [] })
})
afterEach(() => {
  guard[Symbol.dispose]()
  target[Symbol.dispose]()
})

const onFailover = () => {}
const vad = new inference.VAD()
const URLS = {
  openai: () => `http://127.0.0.1:${target.port}/v1`,
  google: () => `http://127.0.0.1:${target.port}`,
  deepgram: () => `ws://127.0.0.1:${target.port}/v1`,
  elevenlabs: () => `ws://127.0.0.1:${target.port}/v1`,
}

/** Streams to close once their connection is over: a stream that is closed while it connects throws an uncatchable error. */
const begun: { close(): unknown }[] = []

/** Each provider with a tenant's `baseUrl`, and a call that makes it connect. */
const PROVIDERS: Record<string, () => Promise<void>> = {
  'openai hears': () => hear('openai'),
  'google hears': () => hear('google'),
  'deepgram hears': () => hear('deepgram'),
  'elevenlabs hears': () => hear('elevenlabs'),
  'openai speaks': () => speak('openai'),
  'deepgram speaks': () => speak('deepgram'),
  'elevenlabs speaks': () => speak('elevenlabs'),
}

async function hear(provider: keyof typeof URLS): Promise<void> {
  const choice: SttChoice = { provider, model: null, baseUrl: URLS[provider](), apiKey: 'key', grammar: null }
  const stt = await sttOf([choice], { language: 'en', vad, onFailover })
  const frame = new AudioFrame(new Int16Array(16_000), 16_000, 1, 16_000)
  if (provider === 'openai') void stt.recognize(frame).catch(() => {})
  else {
    const stream = stt.stream()
    begun.push(stream)
    stream.pushFrame(frame)
  }
}

async function speak(provider: 'openai' | 'deepgram' | 'elevenlabs'): Promise<void> {
  const choice: TtsChoice = {
    provider,
    model: null,
    baseUrl: URLS[provider](),
    apiKey: 'key',
    voice: null,
    speed: 1,
  }
  const tts = await ttsOf([choice], { language: 'en', onFailover })
  if (provider === 'openai')
    void tts
      .synthesize('A sentence.')
      .collect()
      .catch(() => {})
  else {
    const stream = tts.stream()
    begun.push(stream)
    stream.pushText('A whole sentence to speak. ')
    stream.flush()
  }
}

/** The outcome of the first connection opened in the meantime: the code of its error, or null. */
async function endOf(connect: () => Promise<void>): Promise<string | null> {
  const ended = Promise.withResolvers<string | null>()
  const guarded: (...args: never[]) => unknown = Socket.prototype.connect
  const watched = function (this: Socket, ...args: unknown[]) {
    this.once('close', () => ended.resolve((propertyOf(this.errored, 'code') as string | undefined) ?? null))
    return Reflect.apply(guarded, this, args)
  }
  const put = (value: unknown) =>
    Object.defineProperty(Socket.prototype, 'connect', { value, writable: true, configurable: true })
  put(watched)
  try {
    await connect()
    return await ended.promise
  } finally {
    put(guarded)
    for (const one of begun.splice(0)) one.close()
  }
}

describe('a provider at an address of this machine', () => {
  test.each(Object.keys(PROVIDERS))('%s: no connection is opened', async (name) => {
    expect(await endOf(async () => PROVIDERS[name]?.())).toBe('ADDRESS_NOT_ALLOWED')
    expect(target.connections).toBe(0)
  })

  test.each(Object.keys(PROVIDERS))('%s if the operator allows it', async (name) => {
    guard.allow(['127.0.0.0/8'])
    await PROVIDERS[name]?.()
    await expect.poll(() => target.connections, { timeout: 5_000 }).toBeGreaterThan(0)
    for (const one of begun.splice(0)) one.close()
  })
})

test.each(
  Object.keys(PROVIDERS),
)('%s: a redirect to a service of the operator is not followed', async (name) => {
  const service = target
  let redirects = 0
  const provider = createHttpServer((_request, response) => {
    redirects += 1
    response.writeHead(307, { location: `http://127.0.0.1:${service.port}/` }).end()
  }).listen(0, '127.0.0.1')
  // A web socket starts with a request, to which a server may respond with a redirect.
  provider.on('upgrade', (_request, socket) => {
    redirects += 1
    socket.end(
      `HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${service.port}/\r\nConnection: close\r\n\r\n`,
    )
  })
  await once(provider, 'listening')
  const { port }: { port: number } = Object(provider.address())
  guard[Symbol.dispose]()
  guard = guardProcess({
    services: [`http://127.0.0.1:${service.port}`],
    allowedNetworks: [`127.0.0.0/8`],
  })
  target = Object.assign(
    { connections: 0, port },
    { [Symbol.dispose]: () => void provider.closeAllConnections() },
  )
  try {
    await PROVIDERS[name]?.()
    await expect.poll(() => redirects, { timeout: 5_000 }).toBeGreaterThan(0)
    // A followed redirect would have connected before this later request.
    await fetch(`http://127.0.0.1:${service.port}/`).catch(() => {})
    expect(service.connections).toBe(1)
  } finally {
    for (const one of begun.splice(0)) one.close()
    provider.close()
    service[Symbol.dispose]()
  }
})

test('the child of a job is guarded before its job arrives', async () => {
  const program = `
    const { default: agent } = await import(${JSON.stringify(new URL('../job/entry.ts', import.meta.url).href)})
    agent.prewarm({ userData: {} })
    const refused = await fetch('http://127.0.0.1:${target.port}/').catch(({ cause }) => cause.code)
    console.log('result', refused)
    process.exit()`
  const env = {
    PATH: process.env.PATH,
    LIVEKIT_HTTP_URL: 'http://127.0.0.1:7880',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    VOICE_INTERNAL_TOKEN: 'token',
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  })
  expect(stdout).toContain('result ADDRESS_NOT_ALLOWED')
  expect(target.connections).toBe(0)
}, 30_000)
