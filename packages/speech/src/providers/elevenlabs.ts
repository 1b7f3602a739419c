import { samplesOf } from '../pcm/pcm.ts'
import { writeWav } from '../pcm/wav.ts'
import type { ProviderSpeech } from './request-speech.ts'

const RATE = 22_050
const DEFAULT_VOICE = 'bIHbv24MWmeRgasZH58o'

/** `POST /text-to-speech/{voice}`, answered with bare samples. */
export const elevenlabsSpeech: ProviderSpeech = {
  path: ({ voice }) =>
    `/text-to-speech/${encodeURIComponent(voice ?? DEFAULT_VOICE)}?output_format=pcm_${RATE}`,
  headers: (apiKey) => ({ 'xi-api-key': apiKey }),
  body: ({ text, model, speed }) => ({
    text,
    model_id: model ?? 'eleven_turbo_v2_5',
    ...(speed === 1 ? {} : { voice_settings: { stability: 0.5, similarity_boost: 0.75, speed } }),
  }),
  wav: (answer) => (answer.length < 2 ? null : writeWav({ samples: samplesOf(answer), rate: RATE })),
}
