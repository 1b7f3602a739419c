import type { stt, VAD } from '@livekit/agents'
import type { SttChoice } from '@troupe/contract/voice-worker'
import { FailoverRecognizer } from './failover-recognizer.ts'
import { FailoverStt } from './failover-stt.ts'
import { LocalStt } from './local/local-stt.ts'
import { requiredKey } from './required-key.ts'
import { UtteranceStt } from './utterance-stt.ts'

/** Creates a provider's speech to text. Its plugin is loaded on first use. */
type MakeStt = (choice: SttChoice, language: string, vad: VAD) => Promise<stt.STT>

const MAKE: Record<SttChoice['provider'], MakeStt> = {
  async deepgram(choice, language) {
    const { STT } = await import('@livekit/agents-plugin-deepgram')
    const { model, baseUrl } = choice
    return new STT({
      apiKey: requiredKey(choice),
      language,
      ...(model && { model }),
      ...(baseUrl && { baseUrl }),
    })
  },
  async elevenlabs(choice, language) {
    const { STT } = await import('@livekit/agents-plugin-elevenlabs')
    const { model, baseUrl } = choice
    // Only the realtime model streams.
    return new STT({
      apiKey: requiredKey(choice),
      languageCode: language,
      model: model ?? 'scribe_v2_realtime',
      ...(baseUrl && { baseURL: baseUrl }),
    })
  },
  async openai(choice, language, vad) {
    const { STT } = await import('@livekit/agents-plugin-openai')
    const { model, baseUrl } = choice
    return new STT({
      apiKey: requiredKey(choice),
      language: primaryLanguage(language),
      // Compatible servers have the endpoint for whole utterances; OpenAI's own also transcribes while the caller speaks.
      useRealtime: baseUrl === null,
      vad,
      ...(model && { model }),
      ...(baseUrl && { baseURL: baseUrl }),
    })
  },
  async google(choice, language) {
    const { beta } = await import('@livekit/agents-plugin-google')
    const { model, baseUrl } = choice
    return new beta.GeminiSTT({
      apiKey: requiredKey(choice),
      language,
      ...(model && { model }),
      ...(baseUrl && { httpOptions: { baseUrl } }),
    })
  },
  'local-pocketsphinx': async ({ grammar }) => new LocalStt(grammar),
}

function primaryLanguage(language: string): string {
  return language.split('-')[0] ?? language
}

/**
 * The speech to text of one session, which must not be shared: the first choice, with the others as fallbacks. `onFailover` is
 * called when a fallback takes over.
 *
 * @throws Error when a choice lacks its key
 */
export async function sttOf(
  choices: readonly SttChoice[],
  { language, vad, onFailover }: { language: string; vad: VAD; onFailover: () => void },
): Promise<stt.STT> {
  const made = await Promise.all(choices.map((choice) => MAKE[choice.provider](choice, language, vad)))
  const [first, ...others] = made
  if (!first) throw new Error('A session needs a speech-to-text provider.')
  // An error event without a listener would end the process.
  for (const one of made) one.on('error', () => {})
  const isWhole = made.every(({ capabilities }) => !capabilities.streaming)
  if (isWhole && others.length > 0)
    return new UtteranceStt(new FailoverRecognizer([first, ...others], onFailover), vad)
  if (others.length === 0) return first.capabilities.streaming ? first : new UtteranceStt(first, vad)
  return new FailoverStt(made, vad, onFailover)
}
