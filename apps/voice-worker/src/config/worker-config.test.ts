import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkerConfig } from './worker-config.ts'

const ENV = {
  LIVEKIT_HTTP_URL: 'https://media.example.test',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret',
  VOICE_INTERNAL_TOKEN: 'token',
}

test('a worker needs the media server, the token, and nothing else', () => {
  expect(readWorkerConfig(ENV, 2)).toEqual({
    livekit: { wsUrl: 'wss://media.example.test', apiKey: 'key', apiSecret: 'secret' },
    server: { url: 'http://127.0.0.1:7081', token: 'token' },
    maxJobs: 8,
    idleProcesses: 2,
    drainTimeoutS: 600,
    healthPort: 8081,
    logLevel: 'info',
  })
})

test.each([
  'LIVEKIT_INFERENCE_URL',
  'LIVEKIT_REMOTE_EOT_URL',
  'LIVEKIT_DEV_MODE',
  'LIVEKIT_AGENT_NAME_OVERRIDE',
])('a worker does not start with %s, which leads to hosted services', (name) => {
  expect(() => readWorkerConfig({ ...ENV, [name]: '1' })).toThrow(`${name} must not be set`)
})

test('every problem is reported at once', () => {
  expect(() => readWorkerConfig({ VOICE_MAX_JOBS: '0', VOICE_IDLE_PROCESSES: 'x' })).toThrow(
    /LIVEKIT_HTTP_URL is not set[\s\S]*VOICE_INTERNAL_TOKEN is not set[\s\S]*VOICE_MAX_JOBS[\s\S]*VOICE_IDLE_PROCESSES/,
  )
})

test('every variable may be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-worker-env-'))
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
  const files = Object.entries(ENV).map(([name, value]) => {
    const path = join(folder, name)
    writeFileSync(path, `${value}\n`)
    return [`${name}_FILE`, path]
  })
  expect(readWorkerConfig(Object.fromEntries(files), 2)).toEqual(readWorkerConfig(ENV, 2))
  expect(() => readWorkerConfig({ ...ENV, ...Object.fromEntries(files) }, 2)).toThrow(
    'LIVEKIT_API_SECRET and LIVEKIT_API_SECRET_FILE are both set. Remove one of the two.',
  )
})
