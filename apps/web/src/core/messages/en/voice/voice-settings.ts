import type { VoiceSettings } from '@troupe/contract'
import type { SettingPath, SettingWords } from '../../../forms/setting-words.ts'

const MODEL: SettingWords = { label: 'Model', none: 'Provider’s default' }
const BASE_URL: SettingWords = {
  label: 'Address',
  help: 'The address of another server with the provider’s API. A key is sent only to the hosts of its credential.',
  none: 'The provider’s own',
}
const FALLBACKS: SettingWords = { label: 'Fallbacks', help: 'Tried in this order when the provider fails.' }

/** The words of every setting of a voice. A setting without words does not compile. */
export const VOICE_SETTING_WORDS: Readonly<Record<SettingPath<VoiceSettings>, SettingWords>> = {
  language: {
    label: 'Language',
    help: 'The language of the conversation, such as en or de-AT. Empty sentences use a built-in translation where there is one.',
  },
  'stt.model': MODEL,
  'stt.baseUrl': BASE_URL,
  'stt.fallbacks': FALLBACKS,
  'stt.grammar': {
    label: 'Recognized sentences',
    help: 'One per line. PocketSphinx recognizes only these sentences.',
    none: 'Free speech',
  },
  'tts.model': MODEL,
  'tts.baseUrl': BASE_URL,
  'tts.voice': {
    label: 'Voice',
    help: 'Its id or name at the provider.',
    none: 'Provider’s default',
  },
  'tts.speed': { label: 'Speed', unit: '×' },
  'tts.fallbacks': FALLBACKS,
  'greeting.mode': {
    label: 'Who speaks first',
    choices: {
      speak: { label: 'The agent', detail: 'It greets as soon as the caller has joined.' },
      wait: { label: 'The caller', detail: 'The agent waits until it hears something.' },
    },
  },
  'greeting.text': { label: 'Greeting', help: 'Spoken word for word, at most 500 characters.' },
  'greeting.interruptible': {
    label: 'The greeting may be interrupted',
    help: 'Off: callers who talk over it are not heard until it is over.',
  },
  'turn.detector': {
    label: 'End-of-turn detection',
    choices: {
      local: {
        label: 'By words and pauses',
        detail: 'A model on the worker’s machine reads the transcript.',
      },
      vad: { label: 'By pauses only', detail: 'For languages that the model does not know.' },
    },
  },
  'turn.minDelayMs': {
    label: 'Answer after at least',
    help: 'A shorter delay answers sooner but interrupts callers who pause to think.',
    unit: 'ms',
  },
  'turn.maxDelayMs': {
    label: 'Answer after at most',
    help: 'How long it waits when a sentence seems unfinished.',
    unit: 'ms',
  },
  'bargeIn.enabled': {
    label: 'Callers may interrupt',
    help: 'The agent stops speaking when the caller talks.',
  },
  'bargeIn.minMs': {
    label: 'Minimum speech to interrupt',
    help: 'Shorter sounds, such as a cough, do not stop it.',
    unit: 'ms',
  },
  'bargeIn.minWords': { label: 'Minimum words to interrupt', help: '0: any speech interrupts.' },
  'silence.afterS': { label: 'Ask after a silence of', unit: 'seconds' },
  'silence.text': { label: 'Prompt after silence' },
  'silence.endAfterPrompts': {
    label: 'End after unanswered prompts',
    help: 'The session ends at the next silence after this many unanswered prompts. 0: at the first one, without a prompt.',
  },
  'filler.enabled': {
    label: 'Say something while it thinks',
    help: 'A short sentence when an answer takes long, for example because of a tool.',
  },
  'filler.afterMs': { label: 'After', unit: 'ms' },
  'filler.phrases': { label: 'Sentences', help: 'One per line, at most five; one of them is said.' },
  fallbackText: { label: 'Error message', help: 'The last sentence before the session ends.' },
  resumeText: { label: 'Takeover message', help: 'Spoken when another worker continues the session.' },
  budgetText: {
    label: 'When the time is up',
    help: 'Said before a call ends because a budget or a limit is reached.',
  },
  'limits.maxSessionS': { label: 'Maximum session length', unit: 'seconds' },
  'limits.warnBeforeEnd': { label: 'Warn before the time is up' },
  'call.voicemail': {
    label: 'When a voicemail answers',
    help: 'Recognized by the words of English, German, Spanish and French announcements.',
    choices: {
      off: { label: 'Talk to it' },
      hang_up: { label: 'Hang up' },
      leave_message: { label: 'Leave a message' },
    },
  },
  'call.voicemailText': { label: 'Message', none: 'No message' },
  'call.disclosureText': {
    label: 'Disclosure',
    help: 'Spoken first, for example to say that the caller is a machine, where the law requires it.',
    none: 'Nothing',
  },
  'call.greetAfterMs': { label: 'Greet after', help: 'Counted from the answer.', unit: 'ms' },
}

/** Texts for a specific provider: the help of a setting instead of the usual one. */
export const PROVIDER_HELP: Readonly<Record<string, Partial<Record<SettingPath<VoiceSettings>, string>>>> = {
  deepgram: { 'tts.voice': 'Deepgram’s voices are models. Name the model or the voice, not both.' },
  google: { 'tts.speed': 'Gemini speaks only at speed 1.' },
  'local-flite': { 'tts.voice': 'slt, rms, awb or kal16.' },
  'local-espeak': { 'tts.voice': 'The name of an eSpeak voice, such as en-us.' },
}

/** The help of the speed if Gemini is a fallback. */
export const GEMINI_FALLBACK_HELP = 'The fallback Google Gemini speaks only at speed 1.'
