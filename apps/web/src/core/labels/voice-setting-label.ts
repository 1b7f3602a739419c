import { pathPattern, type SettingWords } from '../forms/setting-words.ts'
import { voiceEditorWords as words } from '../messages/en/voice/voice-editor.ts'
import {
  GEMINI_FALLBACK_HELP,
  PROVIDER_HELP,
  VOICE_SETTING_WORDS,
} from '../messages/en/voice/voice-settings.ts'

const SETTINGS: Readonly<Record<string, SettingWords | undefined>> = VOICE_SETTING_WORDS
const HELP: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = PROVIDER_HELP
const FIELDS: Readonly<Record<string, string | undefined>> = {
  name: words.slug,
  'config.agentId': words.agent,
  'config.sttProvider': words.hears,
  'config.ttsProvider': words.speaks,
  'config.sttCredentialId': words.hearsKey,
  'config.ttsCredentialId': words.speaksKey,
  'config.settings': words.jsonLabel,
}
const PARTS: Readonly<Record<string, string | undefined>> = {
  stt: words.hearing,
  tts: words.speaking,
  greeting: words.greeting,
  call: words.call,
}
const OF_FALLBACK: Readonly<Record<string, SettingWords | undefined>> = {
  provider: { label: words.provider },
  credential_id: { label: words.credential },
  model: VOICE_SETTING_WORDS['tts.model'],
  voice: VOICE_SETTING_WORDS['tts.voice'],
}

/** The words of a setting of a voice, by its path: `settings.tts.voice`; undefined for an unknown one. */
export function voiceWordsOf(path: string): SettingWords | undefined {
  const inside = path.replace(/^settings\./, '')
  const [, key] = /^[st]t[st]\.fallbacks\.\d+\.(\w+)$/.exec(inside) ?? []
  return key === undefined ? SETTINGS[pathPattern(inside)] : OF_FALLBACK[key]
}

/** The providers to which a setting applies: the first one, and the fallbacks. */
export interface SpeechProviders {
  provider: string
  fallbacks: readonly string[]
}

/** The words of a voice setting for its provider, without the hints about other providers. */
export function voiceWordsFor(
  path: string,
  { provider, fallbacks }: SpeechProviders,
): SettingWords | undefined {
  const words = voiceWordsOf(path)
  const key = path.replace(/^settings\./, '').replace(/\.fallbacks\.\d+/, '')
  const help = HELP[provider]?.[key]
  if (words === undefined) return undefined
  if (help !== undefined) return { ...words, help }
  return key === 'tts.speed' && fallbacks.includes('google')
    ? { ...words, help: GEMINI_FALLBACK_HELP }
    : words
}

/** The label of a change: "Speaking: Voice". Unknown keys are shown by their path. */
export function voiceSettingLabel(path: string): string {
  const field = FIELDS[path]
  if (field !== undefined) return field
  const inside = path.replace(/^config\.(settings\.)?/, '')
  const part = PARTS[inside.split('.')[0] ?? '']
  const [, index, key = ''] = /^[st]t[st]\.fallbacks\.(\d+)(?:\.(\w+))?$/.exec(inside) ?? []
  if (index !== undefined && part) {
    const one = words.fallback(Number(index) + 1)
    const label = OF_FALLBACK[key]?.label
    return words.part(part, label === undefined ? one : words.part(one, label))
  }
  const label = voiceWordsOf(`settings.${inside}`)?.label
  if (label === undefined) return part && !inside.includes('.') ? part : inside
  return part && part !== label && inside.includes('.') ? words.part(part, label) : label
}
