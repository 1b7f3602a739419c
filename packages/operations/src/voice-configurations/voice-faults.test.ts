import { expect, test } from 'vitest'
import { maySpeakWith, speechCredentials, voiceSettingsFaults } from './voice-faults.ts'

const credential = { hosts: ['api.openai.com', '*.speech.example'] }

test.for([
  ['openai', null, true],
  ['openai', 'https://eu.speech.example/v1', true],
  ['openai', 'https://elsewhere.example/v1', false],
  ['elevenlabs', null, false],
  ['elevenlabs', 'wss://eu.speech.example', true],
  ['google', null, false],
  ['google', 'https://eu.speech.example', true],
  ['google', 'https://elsewhere.example', false],
  ['local-flite', null, true],
] as const)('a key for two hosts and %s at %s: %s', ([provider, baseUrl, isSent]) => {
  expect(maySpeakWith(credential, { provider, baseUrl })).toBe(isSent)
})

test('credentials of a voice are those of its providers and of their fallbacks, with their paths', () => {
  const uses = speechCredentials({
    sttProvider: 'deepgram',
    ttsProvider: 'openai',
    sttCredentialId: 'a',
    ttsCredentialId: null,
    settings: {
      stt: { baseUrl: 'https://ears.example', fallbacks: [{ provider: 'openai', credential_id: 'b' }] },
      tts: { fallbacks: [{ provider: 'local-flite' }, { provider: 'openai', credential_id: 'c' }] },
    },
  })
  expect(uses).toEqual([
    { path: 'sttCredentialId', credentialId: 'a', provider: 'deepgram', baseUrl: 'https://ears.example' },
    { path: 'settings.stt.fallbacks.0.credential_id', credentialId: 'b', provider: 'openai', baseUrl: null },
    { path: 'settings.tts.fallbacks.1.credential_id', credentialId: 'c', provider: 'openai', baseUrl: null },
  ])
})

test('an address and a speed that google does not support are refused, with every other fault', () => {
  const settings = {
    stt: { baseUrl: 'https://ears.example' },
    tts: { baseUrl: 'https://voice.example', speed: 1.2 },
    turn: { minDelayMs: 1_000, maxDelayMs: 500 },
  }
  const paths = (ttsProvider: string) =>
    voiceSettingsFaults({ ttsProvider, settings }).map(({ path }) => path)
  expect(paths('google')).toEqual(['settings.tts.baseUrl', 'settings.tts.speed', 'settings.turn.minDelayMs'])
  expect(paths('openai')).toEqual(['settings.turn.minDelayMs'])
  expect(voiceSettingsFaults({ ttsProvider: 'google', settings: { tts: { speed: 1 } } })).toEqual([])
})

test('a voice beside a model is refused for deepgram, whose voices are models, including in a fallback', () => {
  const both = { model: 'aura-2-thalia-en', voice: 'aura-2-andromeda-en' }
  const settings = {
    tts: {
      ...both,
      fallbacks: [
        { provider: 'deepgram' as const, ...both },
        { provider: 'openai' as const, ...both },
      ],
    },
  }
  const paths = (ttsProvider: string) =>
    voiceSettingsFaults({ ttsProvider, settings }).map(({ path }) => path)
  expect(paths('deepgram')).toEqual(['settings.tts.voice', 'settings.tts.fallbacks.0.voice'])
  expect(paths('openai')).toEqual(['settings.tts.fallbacks.0.voice'])
})
