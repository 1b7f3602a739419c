import { JSON_BUDGET, parseJson, propertyOf } from '@troupe/contract'
import { samplesOf } from '../pcm/pcm.ts'
import { writeWav } from '../pcm/wav.ts'
import type { ProviderSpeech } from './request-speech.ts'

const RATE = 24_000
const DEFAULT_MODEL = 'gemini-3.1-flash-tts-preview'

/** Gemini's `generateContent` with audio in its response: raw samples in base64. */
export const googleSpeech: ProviderSpeech = {
  path: ({ model }) => `/v1beta/models/${encodeURIComponent(model ?? DEFAULT_MODEL)}:generateContent`,
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  body: ({ text, voice }) => ({
    contents: [{ role: 'user', parts: [{ text: `Say the text with a proper tone: "${text}"` }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice ?? 'Kore' } } },
    },
  }),
  wav(answer) {
    const data = audioIn(answer)
    return data === null ? null : writeWav({ samples: samplesOf(Buffer.from(data, 'base64')), rate: RATE })
  },
}

/** The base64 of the first candidate's first part; null when there is none. */
function audioIn(answer: Buffer): string | null {
  const parsed = parseJson(answer.toString('utf8'), { ...JSON_BUDGET, characters: answer.length })
  if (!parsed.ok) return null
  const content = propertyOf(propertyOf(propertyOf(parsed.value, 'candidates'), '0'), 'content')
  const part = propertyOf(propertyOf(content, 'parts'), '0')
  const data = propertyOf(propertyOf(part, 'inlineData'), 'data')
  return typeof data === 'string' && data !== '' ? data : null
}
