import type { TtsProviderId } from '@troupe/contract'
import { speakWithEspeak } from './local/espeak.ts'
import { speakWithFlite } from './local/flite.ts'
import { writeWav } from './pcm/wav.ts'
import { deepgramSpeech } from './providers/deepgram.ts'
import { elevenlabsSpeech } from './providers/elevenlabs.ts'
import { googleSpeech } from './providers/google.ts'
import { openaiSpeech } from './providers/openai.ts'
import { type ProviderSpeech, requestSpeech } from './providers/request-speech.ts'
import type { SpeakOptions, SpokenText } from './spoken/spoken-text.ts'

/** Speaks a whole text. */
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

/** A text as a WAV file. @throws SpeechError when the provider or the program does not speak it */
export function speakText(spoken: SpokenText, options: SpeakOptions): Promise<Buffer> {
  return SPEAK[spoken.provider](spoken, options)
}
