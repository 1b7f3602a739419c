import type { VoiceSettings } from '@troupe/contract'

/** The sentences of callers in the media tests. */
export const SAID = [
  'hello there',
  'what time is it',
  'book a table for two',
  'please stop now',
  'tell me a long story',
]
export const GREETING = 'hello how can i help you'

/** The answer of the seeded agent on the sandbox model: its name and the same words. */
export function answerTo(words: string): string {
  return `sandbox organization agent ${words}`
}

/** Everything that an agent may say; the grammar of the recogniser that listens to it. */
export const ANSWERS = [GREETING, ...SAID.map(answerTo)]

export const SPOKEN_SETTINGS: VoiceSettings = {
  stt: { grammar: SAID },
  // With synthetic speech, the turn detection model's result is close to its threshold.
  turn: { detector: 'vad' },
  greeting: { text: 'Hello, how can I help you?' },
  filler: { enabled: false },
}
