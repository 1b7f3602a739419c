import { spawnSync } from 'node:child_process'
import { initializeLogger } from '@livekit/agents'
import { expect, test } from 'vitest'
import { LOCAL_TTS } from '../../testing/headless-session.ts'
import { ttsOf } from '../tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

/** Debian's speech program; the media tests require it. */
const HAS_VOICE = spawnSync('which', ['flite']).status === 0

test.skipIf(!HAS_VOICE)(
  'a local voice is heard within 30 ms of its first sample, though its program leads with silence',
  async () => {
    const tts = await ttsOf([LOCAL_TTS], { language: 'en-US', onFailover: () => {} })
    const { data, sampleRate } = await tts.synthesize('Hello.').collect()
    const loudAt = data.findIndex((sample) => Math.abs(sample) > 400)
    expect(loudAt).toBeGreaterThanOrEqual(0)
    expect(loudAt / sampleRate).toBeLessThan(0.03)
    await tts.close()
  },
)
