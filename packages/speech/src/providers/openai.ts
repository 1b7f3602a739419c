import { withTrueLength } from '../pcm/wav.ts'
import type { ProviderSpeech } from './request-speech.ts'

/** `POST /audio/speech`, also of compatible servers. */
export const openaiSpeech: ProviderSpeech = {
  path: () => '/audio/speech',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: ({ text, model, voice, speed }) => ({
    model: model ?? 'tts-1',
    voice: voice ?? 'alloy',
    input: text,
    speed,
    response_format: 'wav',
  }),
  wav: withTrueLength,
}
