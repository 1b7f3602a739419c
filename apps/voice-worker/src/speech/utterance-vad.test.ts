import { initializeLogger, VADEventType } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'
import { loudness } from '@troupe/media-servers/testing/audio'
import { speak } from '@troupe/media-servers/testing/speak'
import { expect, test } from 'vitest'
import { HAS_FLITE } from '../testing/has-flite.ts'
import { UtteranceVad } from './utterance-vad.ts'

const RATE = 16_000
const FRAME = RATE / 50

test.skipIf(!HAS_FLITE)('an utterance starts with the silence before it, not with its own end', async () => {
  initializeLogger({ pretty: false, level: 'silent' })
  const { samples: spoken } = await speak('book a table for two')
  const samples = new Int16Array(spoken.length + 3 * RATE)
  samples.set(spoken, RATE)
  const stream = new UtteranceVad().stream()
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    stream.pushFrame(new AudioFrame(samples.slice(at, at + FRAME), RATE, 1, FRAME))
  }
  let heard = new Int16Array()
  for await (const event of stream) {
    if (event.type !== VADEventType.END_OF_SPEECH) continue
    // A recogniser reads the utterance later.
    await new Promise((resolve) => setTimeout(resolve, 50))
    heard = Int16Array.from(event.frames[0]?.data ?? [])
    break
  }
  stream.close()
  const begin = heard.findIndex((sample) => Math.abs(sample) > 500)
  // The whole utterance, and nothing before it.
  expect(begin).toBeGreaterThan(RATE / 4)
  const said = spoken.findIndex((sample) => Math.abs(sample) > 500)
  expect(heard.subarray(begin, begin + RATE)).toEqual(spoken.subarray(said, said + RATE))
  expect(loudness(heard.subarray(0, RATE / 5))).toBe(0)
})
