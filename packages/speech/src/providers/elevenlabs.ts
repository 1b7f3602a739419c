import { samplesOf } from '../pcm/pcm.ts'
import { writeWav } from '../pcm/wav.ts'
import type { ProviderSpeech } from './request-speech.ts'

const RATE = 22_050
const DEFAULT_VOICE = 'bIHbv24MWmeRgasZH58o'

/** `POST /text-to-speech/{voice}`; the response is raw samples. */
export const elevenlabsSpeech: ProviderSpeech = {
  path: ({ voice }) =>
    `/text-to-speech/${encodeURIComponent(voice ?? DEFAULT_VOICE)}?output_format=pcm_${RATE}`,
  headers: (apiKey) => ({ 'xi-api-key': apiKey }),
  body: ({ text, model, speed }) => ({
    text,
    model_id: model ?? 'eleven_turbo_v2_5',
    ...(speed === 1 ? {} : { voice_settings: { stability: 0.5, similarity_boost: 0.75, speed } }),
  }),
  wav: (answer, type) =>
    isOther(answer, type) ? null : writeWav({ samples: samplesOf(answer), rate: RATE }),
}

/** Raw samples have no header, and any bytes are valid samples, so the media type decides. */
function isOther(answer: Buffer, type: string): boolean {
  if (/^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml))/i.test(type)) return true
  // MP3, the default of the provider: its frames begin with eleven set bits, possibly after an ID3 tag.
  const isMp3 = answer.toString('latin1', 0, 3) === 'ID3' || (answer[0] === 0xff && (answer[1] ?? 0) >= 0xe0)
  return /^\s*audio\/mpeg/i.test(type) && isMp3
}
