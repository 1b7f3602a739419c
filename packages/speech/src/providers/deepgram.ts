import { withTrueLength } from '../pcm/wav.ts'
import type { ProviderSpeech } from './request-speech.ts'

/** `POST /v1/speak`. Deepgram's voices are models. */
export const deepgramSpeech: ProviderSpeech = {
  path: ({ model, voice, speed }) => {
    const query = new URLSearchParams({
      ...{ model: model ?? voice ?? 'aura-2-andromeda-en', encoding: 'linear16', container: 'wav' },
      ...{ sample_rate: '24000', ...(speed === 1 ? {} : { speed: String(speed) }) },
    })
    return `/v1/speak?${query}`
  },
  headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
  body: ({ text }) => ({ text }),
  wav: withTrueLength,
}
