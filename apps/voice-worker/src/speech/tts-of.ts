import type { tts } from '@livekit/agents'
import type { TtsChoice } from '@troupe/contract/voice-worker'
import { ESPEAK_RATE, FLITE_RATE, speakWithEspeak, speakWithFlite } from '@troupe/speech'
import { FailoverTts } from './failover-tts.ts'
import { limitLength } from './limit-length.ts'
import { limitSilence } from './limit-silence.ts'
import { LocalTts } from './local/local-tts.ts'
import { requiredKey } from './required-key.ts'
import { SentenceTts } from './sentence-tts.ts'
import { ownSockets } from './voice-sockets.ts'

/** Creates a provider's text to speech. Its plugin is loaded on first use. */
type MakeTts = (choice: TtsChoice, language: string) => Promise<tts.TTS>

const MAKE: Record<TtsChoice['provider'], MakeTts> = {
  async deepgram(choice) {
    const { TTS } = await import('@livekit/agents-plugin-deepgram')
    // Deepgram's voices are models.
    const model = choice.model ?? choice.voice
    const { baseUrl, speed } = choice
    const voice = new TTS({
      apiKey: requiredKey(choice),
      ...(model && { model }),
      ...(baseUrl && { baseUrl }),
      ...(speed !== 1 && { speed }),
    })
    return ownSockets(voice, { isOnePerAnswer: true })
  },
  async elevenlabs(choice, language) {
    const { TTS } = await import('@livekit/agents-plugin-elevenlabs')
    const { model, baseUrl, voice, speed } = choice
    const made = new TTS({
      apiKey: requiredKey(choice),
      language,
      ...(model && { model }),
      ...(baseUrl && { baseURL: baseUrl }),
      ...(voice && { voiceId: voice }),
      ...(speed !== 1 && { voiceSettings: { stability: 0.5, similarity_boost: 0.75, speed } }),
    })
    return ownSockets(made, { isOnePerAnswer: false })
  },
  async openai(choice) {
    const { TTS } = await import('@livekit/agents-plugin-openai')
    const { model, baseUrl, voice, speed } = choice
    return new TTS({
      apiKey: requiredKey(choice),
      speed,
      ...(model && { model }),
      ...(baseUrl && { baseURL: baseUrl }),
      // Compatible servers have their own voices.
      ...(voice && { voice: voice as never }),
    })
  },
  async google(choice) {
    const { beta } = await import('@livekit/agents-plugin-google')
    const { model, voice } = choice
    return new beta.TTS({
      apiKey: requiredKey(choice),
      ...(model && { model }),
      ...(voice && { voiceName: voice }),
    })
  },
  'local-flite': async (choice) =>
    new LocalTts({
      provider: 'local-flite',
      voice: choice.voice ?? 'slt',
      rate: FLITE_RATE,
      speak: (text, signal) => speakWithFlite(text, choice, signal),
    }),
  'local-espeak': async ({ voice, speed }, language) =>
    new LocalTts({
      provider: 'local-espeak',
      voice: voice ?? language,
      rate: ESPEAK_RATE,
      speak: (text, signal) => speakWithEspeak(text, { voice, language, speed }, signal),
    }),
}

/**
 * The text to speech of one session, which must not be shared: the first choice, with the others as fallbacks. `onFailover` is
 * called when a fallback takes over.
 *
 * @throws Error when a choice lacks its key
 */
export async function ttsOf(
  choices: readonly TtsChoice[],
  { language, onFailover }: { language: string; onFailover: () => void },
): Promise<tts.TTS> {
  const made = await Promise.all(choices.map((choice) => MAKE[choice.provider](choice, language)))
  const [first, ...others] = made
  if (!first) throw new Error('A session needs a text-to-speech provider.')
  // An error event without a listener would end the process.
  for (const one of made) one.on('error', () => {})
  if (others.length === 0 && first.capabilities.streaming) return limitLength(limitSilence(first))
  const voices = new FailoverTts([first, ...others], onFailover)
  const speaker = new SentenceTts(voices)
  for (const one of [voices, speaker]) one.on('error', () => {})
  return speaker
}
