import { type SpokenTexts, spokenTexts } from './spoken-texts.ts'
import type { VoiceSettings } from './voice-settings.ts'

type SttSettings = NonNullable<VoiceSettings['stt']>
type TtsSettings = NonNullable<VoiceSettings['tts']>

/** The texts that the agent speaks when its answer fails, after a takeover, and when the minutes are used up. */
type FailureTexts = Pick<SpokenTexts, 'fallbackText' | 'resumeText' | 'budgetText'>

/** Voice settings in which every key has a value; null: the provider's default, or unset. */
export interface CompleteVoiceSettings extends FailureTexts {
  language: string
  /** `grammar` null: free speech. */
  stt: CompleteSpeech & {
    grammar: readonly string[] | null
    fallbacks: readonly NonNullable<SttSettings['fallbacks']>[number][]
  }
  tts: CompleteSpeech & {
    voice: string | null
    speed: number
    fallbacks: readonly NonNullable<TtsSettings['fallbacks']>[number][]
  }
  greeting: { mode: 'speak' | 'wait'; text: string; interruptible: boolean }
  turn: { detector: 'local' | 'vad'; minDelayMs: number; maxDelayMs: number }
  bargeIn: { enabled: boolean; minMs: number; minWords: number }
  silence: { afterS: number; text: string; endAfterPrompts: number }
  filler: { enabled: boolean; afterMs: number; phrases: readonly string[] }
  limits: { maxSessionS: number; warnBeforeEnd: boolean }
  call: {
    voicemail: 'off' | 'hang_up' | 'leave_message'
    voicemailText: string | null
    disclosureText: string | null
    greetAfterMs: number
  }
}

interface CompleteSpeech {
  model: string | null
  baseUrl: string | null
}

/** Adds the default of every absent key. */
export function completeVoiceSettings(given: VoiceSettings): CompleteVoiceSettings {
  const language = given.language ?? 'en'
  const { greeting, silence, filler, ...failures } = spokenTexts(language)
  return {
    ...failures,
    ...spokenOf(given),
    language,
    stt: { model: null, baseUrl: null, grammar: null, fallbacks: [], ...given.stt },
    tts: { model: null, baseUrl: null, voice: null, speed: 1, fallbacks: [], ...given.tts },
    greeting: { mode: 'speak', text: greeting, interruptible: true, ...given.greeting },
    turn: { detector: 'local', minDelayMs: 300, maxDelayMs: 2_500, ...given.turn },
    bargeIn: { enabled: true, minMs: 400, minWords: 0, ...given.bargeIn },
    silence: { afterS: 15, text: silence, endAfterPrompts: 2, ...given.silence },
    filler: { enabled: true, afterMs: 1_200, phrases: [filler], ...given.filler },
    limits: { maxSessionS: 3_600, warnBeforeEnd: false, ...given.limits },
    call: {
      voicemail: 'off',
      voicemailText: null,
      disclosureText: null,
      greetAfterMs: 300,
      ...given.call,
    },
  }
}

/** Only the present texts: an absent one must not hide its default. */
function spokenOf({ fallbackText, resumeText, budgetText }: VoiceSettings): Partial<FailureTexts> {
  return {
    ...(fallbackText === undefined ? {} : { fallbackText }),
    ...(resumeText === undefined ? {} : { resumeText }),
    ...(budgetText === undefined ? {} : { budgetText }),
  }
}
