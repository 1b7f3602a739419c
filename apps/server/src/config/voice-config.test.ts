import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEnv } from './env.ts'
import { ConfigError } from './problems.ts'
import { readVoiceSecrets } from './secrets.ts'

const VOICE = {
  LIVEKIT_HTTP_URL: 'http://127.0.0.1:7880/',
  LIVEKIT_API_KEY: 'devkey',
  LIVEKIT_API_SECRET: 'a-secret-of-more-than-32-characters-1',
  VOICE_PUBLIC_WS_URL: 'wss://media.acme.test',
  VOICE_INTERNAL_TOKEN: 'f3b09ad87c1e4625b9d08f1a2c3e4d57',
}
const read = (env: Record<string, string>) => readConfig(readEnv(env))
function problems(env: Record<string, string>): readonly string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('voice is off without any variable', () => {
  expect(read({}).voice).toBeNull()
  expect(read({ VOICE_JOIN_TIMEOUT_S: '60' }).voice).toBeNull()
  expect(readVoiceSecrets(readEnv({}))).toBeNull()
})

test('with the five variables the others get defaults, and secrets are separate', () => {
  expect(read(VOICE).voice).toEqual({
    livekitUrl: 'http://127.0.0.1:7880',
    publicWsUrl: 'wss://media.acme.test',
    internal: { host: '127.0.0.1', port: 7081 },
    sipHealthUrl: null,
    joinTimeoutS: 300,
    maxSessionS: 3_600,
    maxRingingS: 45,
    billingUnitS: 60,
    newTrunkCalls: 20,
  })
  expect(readVoiceSecrets(readEnv(VOICE))).toEqual({
    apiKey: VOICE.LIVEKIT_API_KEY,
    apiSecret: VOICE.LIVEKIT_API_SECRET,
    internalToken: VOICE.VOICE_INTERNAL_TOKEN,
  })
})

describe('the boot stops with an error message', () => {
  test('for each partial set of the five', () => {
    for (const name of Object.keys(VOICE)) {
      const { [name]: _, ...others } = VOICE as Record<string, string>
      expect(problems(others)).toEqual([
        expect.stringMatching(new RegExp(`^Voice is only partly configured: .* but ${name} is not\\.`)),
      ])
    }
    expect(problems({ LIVEKIT_API_KEY: 'devkey' })).toEqual([
      'Voice is only partly configured: LIVEKIT_API_KEY is set, but LIVEKIT_HTTP_URL, LIVEKIT_API_SECRET, VOICE_PUBLIC_WS_URL, VOICE_INTERNAL_TOKEN are not. Set all of them, or none.',
    ])
  })

  test.for<[string, Record<string, string>, string]>([
    [
      'a short secret',
      { LIVEKIT_API_SECRET: 'short' },
      'LIVEKIT_API_SECRET must have at least 32 characters.',
    ],
    ['a token that can be guessed', { VOICE_INTERNAL_TOKEN: 'token' }, 'VOICE_INTERNAL_TOKEN must have at'],
    ['ws:// to another machine', { VOICE_PUBLIC_WS_URL: 'ws://media.acme.test' }, 'must start with wss://'],
    ['http:// for callers', { VOICE_PUBLIC_WS_URL: 'http://127.0.0.1:7880' }, 'begins with ws:// or wss://'],
    [
      'a listener without a port',
      { VOICE_INTERNAL_LISTEN: '127.0.0.1' },
      'VOICE_INTERNAL_LISTEN must be an address and a port, such as 127.0.0.1:7081, not "127.0.0.1".',
    ],
    ['the port of the API', { VOICE_INTERNAL_LISTEN: '127.0.0.1:3000' }, 'must differ from PORT'],
    [
      'too short a wait',
      { VOICE_JOIN_TIMEOUT_S: '29' },
      'VOICE_JOIN_TIMEOUT_S must be a whole number from 30',
    ],
    ['too long a session', { VOICE_MAX_SESSION_SECONDS: '3601' }, 'a whole number from 10 to 3600'],
    ['too long a ringing', { VOICE_MAX_RINGING_S: '61' }, 'a whole number from 10 to 60'],
    ['a misspelt variable', { VOICE_JOIN_TIMEOUT: '60' }, 'VOICE_JOIN_TIMEOUT is set, but this version'],
  ])('for %s', ([, changes, sentence]) => {
    expect(problems({ ...VOICE, ...changes })).toEqual([expect.stringContaining(sentence)])
  })
})

test('ws:// requires the server and the media server on this machine', () => {
  const loopback = { ...VOICE, VOICE_PUBLIC_WS_URL: 'ws://127.0.0.1:7880' }
  expect(read(loopback).voice?.publicWsUrl).toBe('ws://127.0.0.1:7880')
  expect(problems({ ...loopback, HOST: '0.0.0.0' })).toEqual([
    expect.stringContaining('VOICE_PUBLIC_WS_URL must start with wss://'),
  ])
})

test('the internal listener may be an IPv6 address', () => {
  expect(read({ ...VOICE, VOICE_INTERNAL_LISTEN: '[::1]:7090' }).voice?.internal).toEqual({
    host: '::1',
    port: 7090,
  })
})
