import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

/** Three samples of silence at 24 kHz. */
const WAV = Buffer.from(
  '524946462a00000057415645666d74201000000001000100c05d000080bb0000020010006461746106000000000000000000',
  'hex',
)
const KEY = 'key-of-the-speech-server'

let server: TestServer
let admin: BuilderClient
let answer: { status: number; body: string | Buffer } = { status: 200, body: WAV }
let asked: { headers: IncomingHttpHeaders; body: unknown } | null = null
const provider = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  asked = { headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) }
  response.writeHead(answer.status).end(answer.body)
})
let baseUrl: string
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  baseUrl = `http://127.0.0.1:${port}/v1`
  server = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  provider.closeAllConnections()
  provider.close()
})

const speak = (body: object) => admin.send('POST /voice-configurations/test', body)

async function key(hosts = ['127.0.0.1']): Promise<string> {
  const slug = `key-${randomUUID().slice(0, 8)}`
  const made = await admin.send('POST /credentials', {
    slug,
    name: 'Key',
    kind: 'bearer',
    secret: KEY,
    hosts,
  })
  return String(propertyOf(made.body, 'credentialId'))
}

test('an unsaved voice speaks the given sentence, and a saved one its greeting', async () => {
  answer = { status: 200, body: WAV }
  const ttsCredentialId = await key()
  const settings = { tts: { baseUrl, voice: 'nova' }, greeting: { text: 'Welcome.' } }
  const unsaved = { ttsProvider: 'openai', ttsCredentialId, settings }
  const spoken = await speak({ ...unsaved, text: 'How are you?' })
  expect(spoken).toMatchObject({
    status: 200,
    body: {
      ...{ provider: 'openai', text: 'How are you?' },
      audio: `data:audio/wav;base64,${WAV.toString('base64')}`,
    },
  })
  expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(asked?.body).toMatchObject({ input: 'How are you?', voice: 'nova', response_format: 'wav' })
  const made = await admin.send('POST /agents', { name: 'Desk' })
  const agentId = propertyOf(made.body, 'agentId')
  const body = { slug: 'desk-voice', agentId, sttProvider: 'local-pocketsphinx', ...unsaved }
  const voiceConfigId = propertyOf(
    (await admin.send('POST /voice-configurations', body)).body,
    'voiceConfigId',
  )
  expect(await speak({ voiceConfigId })).toMatchObject({ status: 200, body: { text: 'Welcome.' } })
  const changed = { ...settings, tts: { baseUrl, voice: 'onyx' } }
  await speak({ voiceConfigId, settings: changed })
  expect(asked?.body).toMatchObject({ voice: 'onyx' })
})

test('a refusal by a provider is 502 with its reason and without the key', async () => {
  answer = { status: 401, body: JSON.stringify({ error: { message: `The key ${KEY} was revoked.` } }) }
  const body = { ttsProvider: 'openai', ttsCredentialId: await key(), settings: { tts: { baseUrl } } }
  expect(await speak(body)).toMatchObject({
    status: 502,
    body: { error: 'upstream_error', message: 'openai answered 401: The key [hidden] was revoked.' },
  })
})

test('a key is never sent to an address that its hosts do not cover', async () => {
  asked = null
  const ttsCredentialId = await key(['api.openai.com'])
  const refused = await speak({ ttsProvider: 'openai', ttsCredentialId, settings: { tts: { baseUrl } } })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'ttsCredentialId' }] } })
  expect(asked).toBe(null)
})

test('a private address is refused', async () => {
  const settings = { tts: { baseUrl: 'http://10.0.0.1/v1' } }
  expect(await speak({ ttsProvider: 'openai', settings })).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('not allowed') },
  })
})

test('a local voice speaks, or the response names the missing program', async () => {
  const spoken = await speak({ ttsProvider: 'local-flite', text: 'Hello.' })
  if (spoken.status === 200) expect(String(propertyOf(spoken.body, 'audio')).length).toBeGreaterThan(10_000)
  else expect(spoken.body).toMatchObject({ message: 'flite is not installed on this machine.' })
})

test('two local voices are tested concurrently; a third is refused immediately, until one ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'voice-programs-'))
  const path = process.env.PATH
  try {
    await writeFile(join(folder, 'speech.wav'), WAV)
    // Speaks once the file exists.
    const waits = `until [ -e ${folder}/go ]; do sleep 0.05; done`
    await writeFile(join(folder, 'espeak-ng'), `#!/bin/sh\n${waits}\ncat ${folder}/speech.wav\n`, {
      mode: 0o755,
    })
    process.env.PATH = `${folder}:${path}`
    const body = { ttsProvider: 'local-espeak', text: 'Hello.' }
    const asks = [1, 2, 3].map(() => speak(body))
    expect(await Promise.race(asks)).toMatchObject({
      status: 429,
      body: {
        error: 'concurrency_limit_reached',
        message: expect.stringContaining('at most 2 local voices'),
      },
    })
    await writeFile(join(folder, 'go'), '')
    const statuses = (await Promise.all(asks)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 429])
    expect((await speak(body)).status).toBe(200)
  } finally {
    process.env.PATH = path
    await rm(folder, { recursive: true })
  }
})

test('unsupported settings of google are refused by their field', async () => {
  const settings = { tts: { baseUrl, speed: 1.5 } }
  expect(await speak({ ttsProvider: 'google', settings })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'settings.tts.baseUrl' }, { path: 'settings.tts.speed' }] },
  })
})
