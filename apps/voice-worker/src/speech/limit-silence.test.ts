import { initializeLogger } from '@livekit/agents'
import { TTS as DeepgramTts } from '@livekit/agents-plugin-deepgram'
import { TTS as ElevenLabsTts } from '@livekit/agents-plugin-elevenlabs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type StreamingProviderDouble,
  startStreamingProviderDouble,
} from '../testing/streaming-provider-double.ts'
import { limitSilence } from './limit-silence.ts'

initializeLogger({ pretty: false, level: 'silent' })

const SILENCE_MS = 300
let double: StreamingProviderDouble
beforeEach(async () => {
  double = await startStreamingProviderDouble()
})
afterEach(() => double[Symbol.asyncDispose]())

test('a voice that accepts a text and never responds fails after the limit, and its answer ends', async () => {
  // The double speaks Deepgram's protocol, so it ignores ElevenLabs' messages.
  const voice = limitSilence(new ElevenLabsTts({ apiKey: 'key', baseURL: double.baseUrl }), SILENCE_MS)
  const failures: boolean[] = []
  voice.on('error', ({ recoverable }) => failures.push(recoverable))
  const answer = voice.stream()
  answer.pushText('The answer that nobody speaks. ')
  answer.endInput()
  for await (const one of answer) if (typeof one !== 'symbol') expect.fail('a frame was heard')
  expect(failures).toEqual([false])
  await voice.close()
})

test('neither slow text nor slow playback counts as silence', async () => {
  const voice = limitSilence(new DeepgramTts({ apiKey: 'key', baseUrl: double.baseUrl }), SILENCE_MS)
  const failures: unknown[] = []
  voice.on('error', (failure) => failures.push(failure))
  const answer = voice.stream()
  const heard = (async () => {
    let samples = 0
    for await (const one of answer) {
      if (typeof one === 'symbol') continue
      if (samples === 0) await new Promise((resolve) => setTimeout(resolve, 2 * SILENCE_MS))
      samples += one.frame.samplesPerChannel
    }
    return samples
  })()
  answer.pushText('The first half is here. ')
  await new Promise((resolve) => setTimeout(resolve, 2 * SILENCE_MS))
  answer.pushText('And the second half follows.')
  answer.endInput()
  expect(await heard).toBeGreaterThan(0)
  expect(failures).toEqual([])
  expect(double.spoken.join(' ')).toContain('second half')
  await voice.close()
})
