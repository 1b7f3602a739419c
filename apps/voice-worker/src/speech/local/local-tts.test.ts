import { initializeLogger } from '@livekit/agents'
import { expect, test } from 'vitest'
import { HAS_FLITE } from '../../testing/has-flite.ts'
import { LOCAL_TTS } from '../../testing/headless-session.ts'
import { ttsOf } from '../tts-of.ts'

initializeLogger({ pretty: false, level: 'silent' })

test.skipIf(!HAS_FLITE)(
  'a local voice is audible within 30 ms of its first sample, though its program starts with silence',
  async () => {
    const tts = await ttsOf([LOCAL_TTS], { language: 'en-US', onFailover: () => {} })
    const { data, sampleRate } = await tts.synthesize('Hello.').collect()
    const loudAt = data.findIndex((sample) => Math.abs(sample) > 400)
    expect(loudAt).toBeGreaterThanOrEqual(0)
    expect(loudAt / sampleRate).toBeLessThan(0.03)
    await tts.close()
  },
)
