import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { inference, initializeLogger } from '@livekit/agents'
import { completeVoiceSettings } from '@troupe/contract'
import { expect, test } from 'vitest'
import { roomOptions, sessionOptions } from './session-options.ts'

initializeLogger({ pretty: false, level: 'silent' })

const vad = new inference.VAD()
const optionsOf = (kind: 'web' | 'outbound_call', given = {}) =>
  sessionOptions({ kind, settings: completeVoiceSettings(given) }, vad)

test('the end of a turn is detected by a fixed version of the local model, never by a hosted one', () => {
  const { turnHandling } = optionsOf('web')
  expect(turnHandling?.turnDetection).toBeInstanceOf(inference.TurnDetector)
  expect(turnHandling?.turnDetection).toMatchObject({ model: 'turn-detector-v1-mini' })
  expect(optionsOf('web', { turn: { detector: 'vad' } }).turnHandling?.turnDetection).toBe('vad')
})

test('interruptions are detected by the local VAD, and no turn is speculative', () => {
  const { turnHandling } = optionsOf('web')
  expect(turnHandling?.interruption).toEqual({
    enabled: true,
    mode: 'vad',
    minDuration: 400,
    minWords: 0,
    resumeFalseInterruption: true,
    falseInterruptionTimeout: 1_500,
  })
  expect(turnHandling?.preemptiveGeneration).toEqual({ enabled: false })
  expect(turnHandling?.endpointing).toEqual({ minDelay: 300, maxDelay: 2_500 })
})

test('a browser may have an echo, a phone cancels its own', () => {
  expect(optionsOf('web')).toMatchObject({
    aecWarmupDuration: 1_500,
    userAwayTimeout: 15,
    transcriptionTimeout: 4_000,
  })
  expect(optionsOf('outbound_call').aecWarmupDuration).toBeNull()
})

test('an answer is spoken without its markup, in pieces as they come', async () => {
  const [transform] = optionsOf('web', { language: 'en' }).ttsTextTransforms ?? []
  if (typeof transform !== 'function') throw new Error('there is no transform')
  const pieces = ['The **pl', 'ans** [1]:\n\n| Plan | Price |\n|--', '|--|\n| Pro | $5 |\n']
  const spoken: string[] = []
  for await (const piece of transform(ReadableStream.from(pieces))) spoken.push(piece)
  expect(spoken.join('').trim()).toBe('The plans:\nPlan: Pro, Price: $5.')
})

test('a session listens to its caller only, leaves the room to the server, and records nothing', () => {
  expect(roomOptions('caller')).toEqual({
    inputOptions: {
      participantIdentity: 'caller',
      audioSampleRate: 16_000,
      closeOnDisconnect: true,
      deleteRoomOnClose: false,
    },
    outputOptions: { transcriptionEnabled: true, syncTranscription: true },
    record: false,
  })
})

test('no source of the worker names a hosted model or a noise cancellation plugin', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const hosted = /inference\.(STT|LLM|TTS)\b|noiseCancellation|\b(stt|llm|tts):\s*['"`]/
  const wrong = sources.filter((name) => hosted.test(readFileSync(join(folder, name), 'utf8')))
  expect(sources.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})
