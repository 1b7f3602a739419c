import { inference, initializeLogger } from '@livekit/agents'
import type { SttChoice, TtsChoice } from '@troupe/voice-protocol'
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

test('a compatible server hears whole utterances with the model, language and key of the configuration', async () => {
  const stt = await hearing({ provider: 'openai', model: 'whisper-large', baseUrl: double.baseUrl })
  double.hears = 'guten Tag'
  const { AudioFrame } = await import('@livekit/rtc-node')
  const heard = await stt.recognize(new AudioFrame(new Int16Array(16_000), 16_000, 1, 16_000))
  expect(heard.alternatives?.[0]?.text).toBe('guten Tag')
  expect(double.transcriptions).toEqual([
    { model: 'whisper-large', language: 'de', response_format: 'json', authorization: 'Bearer key' },
  ])
})

test('a compatible server speaks with the model, voice, speed and key of the configuration', async () => {
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
