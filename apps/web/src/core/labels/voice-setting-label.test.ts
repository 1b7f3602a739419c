import { expect, test } from 'vitest'
import { VOICE_SPECS } from '../forms/setting-specs.ts'
import { voiceSettingLabel, voiceWordsFor, voiceWordsOf } from './voice-setting-label.ts'

test('a change of a voice is called as its field is, with the part that it belongs to', () => {
  expect(voiceSettingLabel('name')).toBe('Slug')
  expect(voiceSettingLabel('config.ttsCredentialId')).toBe('Key for speaking')
  expect(voiceSettingLabel('config.settings.tts.voice')).toBe('Speaking: Voice')
  expect(voiceSettingLabel('config.settings.greeting.text')).toBe('Greeting')
  expect(voiceSettingLabel('config.settings.silence.afterS')).toBe('Ask after a silence of')
  expect(voiceSettingLabel('config.settings.stt.fallbacks.1.model')).toBe('Hearing: Fallback 2: Model')
  expect(voiceSettingLabel('config.settings.stt.fallbacks.0')).toBe('Hearing: Fallback 1')
  expect(voiceSettingLabel('config.settings.later.key')).toBe('later.key')
})

test('every setting of a voice in the contract has words', () => {
  const paths = Object.keys(VOICE_SPECS).map((path) => path.replaceAll('*', '0'))
  expect(paths).toContain('settings.tts.fallbacks.0.voice')
  expect(paths.filter((path) => !voiceWordsOf(path))).toEqual([])
})

test('numbers and choices of a voice have the defaults of the contract, and texts have none', () => {
  expect(VOICE_SPECS['settings.turn.minDelayMs']).toMatchObject({
    minimum: 100,
    maximum: 2_000,
    standard: 300,
  })
  expect(VOICE_SPECS['settings.greeting.mode']).toMatchObject({ kind: 'choice', standard: 'speak' })
  expect(VOICE_SPECS['settings.greeting.text']).not.toHaveProperty('standard')
  expect(VOICE_SPECS['settings.tts.model']).not.toHaveProperty('standard')
})

test('the help of a setting is that for its provider, and names no other one', () => {
  const help = (path: string, provider: string, fallbacks: readonly string[] = []) =>
    voiceWordsFor(path, { provider, fallbacks })?.help
  expect(help('settings.tts.voice', 'deepgram')).toContain('Name the model or the voice')
  expect(help('settings.tts.voice', 'elevenlabs')).toBe('Its id or name at the provider.')
  expect(help('settings.tts.fallbacks.1.voice', 'local-flite')).toContain('kal16')
  expect(help('settings.tts.speed', 'google')).toContain('only at speed 1')
  expect(help('settings.tts.speed', 'openai')).toBeUndefined()
  expect(help('settings.tts.speed', 'openai', ['local-espeak', 'google'])).toContain('Google Gemini')
  expect(help('settings.greeting.text', 'google')).toContain('word for word')
  expect(voiceWordsFor('settings.tts.pitch', { provider: 'google', fallbacks: [] })).toBeUndefined()
})
