import type { TtsProviderId } from '@troupe/contract'
import { earText } from './ear/ear-text.ts'
import { speakWithEspeak } from './local/espeak.ts'
import { speakWithFlite } from './local/flite.ts'
import { writeWav } from './pcm/wav.ts'
import { deepgramSpeech } from './providers/deepgram.ts'
import { elevenlabsSpeech } from './providers/elevenlabs.ts'
import { googleSpeech } from './providers/google.ts'
import { openaiSpeech } from './providers/openai.ts'
import { type ProviderSpeech, requestSpeech } from './providers/request-speech.ts'
import { SpeechError } from './spoken/speech-error.ts'
import type { SpeakOptions, SpokenText } from './spoken/spoken-text.ts'

/** Synthesizes a complete text. */
type Speak = (spoken: SpokenText, options: SpeakOptions) => Promise<Buffer>

const by =
  (provider: ProviderSpeech): Speak =>
  (spoken, options) =>
    requestSpeech(provider, spoken, options)

const SPEAK: Record<TtsProviderId, Speak> = {
  deepgram: by(deepgramSpeech),
  elevenlabs: by(elevenlabsSpeech),
  openai: by(openaiSpeech),
  google: by(googleSpeech),
  'local-flite': async (spoken, { signal }) => writeWav(await speakWithFlite(spoken.text, spoken, signal)),
  'local-espeak': async (spoken, { signal }) => writeWav(await speakWithEspeak(spoken.text, spoken, signal)),
}

/**
 * Synthesizes a text as a WAV file, without Markdown and other marks.
 *
 * @throws SpeechError when no part of the text can be spoken, or the provider or the program fails
 */
export async function speakText(spoken: SpokenText, options: SpeakOptions): Promise<Buffer> {
  const text = earText(spoken.text, spoken.language)
  if (text === '') throw new SpeechError('Nothing of this text can be spoken: it has no words.')
  return SPEAK[spoken.provider]({ ...spoken, text }, options)
}
