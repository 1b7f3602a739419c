import { completeVoiceSettings, isJsonObject, propertyOf, type VoiceSettings } from '@troupe/contract'
import { VOICE_SPECS } from '../../core/forms/setting-specs.ts'
import { pathPattern } from '../../core/forms/setting-words.ts'
import { type SpeechProviders, voiceWordsFor } from '../../core/labels/voice-setting-label.ts'
import { type ConfigForm, configForm, listAt, textAt } from '../../parts/config-form/config-form.ts'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'

/** The kind of provider: speech to text, or text to speech. */
export type SpeechPart = 'stt' | 'tts'

/** The settings of a voice as a form. Paths are below `config`: `sttProvider`, `settings.tts.voice`. */
export function voiceForm(draft: ConfigDraft, isReadOnly: boolean): ConfigForm {
  const form: ConfigForm = configForm(draft, {
    isReadOnly,
    specOf: (path) => VOICE_SPECS[pathPattern(path)],
    wordsOf: (path) => voiceWordsFor(path, providersAt(form, path)),
  })
  return { ...form, set: (path, value) => form.set(value === undefined ? emptied(form, path) : path, value) }
}

/** The provider of a setting, and the fallbacks after it. The setting of a fallback has its own provider. */
function providersAt(form: Pick<ConfigForm, 'value'>, path: string): SpeechProviders {
  const [, part = '', place] = /^settings\.([st]t[st])(\.fallbacks\.\d+)?/.exec(path) ?? []
  if (place !== undefined)
    return { provider: textAt(form, `settings.${part}${place}.provider`), fallbacks: [] }
  const fallbacks = listAt(form, `settings.${part}.fallbacks`).map((one) => propertyOf(one, 'provider'))
  return {
    provider: textAt(form, `${part}Provider`),
    fallbacks: fallbacks.filter((one) => typeof one === 'string'),
  }
}

/** The path removed with a key: its group, if that becomes empty, so that a setting entered and cleared is not a change. */
function emptied(form: ConfigForm, path: string): string {
  const group = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  const value = form.value(group)
  const isOnly = isJsonObject(value) && Object.keys(value).every((key) => `${group}.${key}` === path)
  return isOnly && group.startsWith('settings.') ? group : path
}

/** The settings with every default, in the language of the form: the meaning of empty fields. */
export function settingsInEffect(form: Pick<ConfigForm, 'value'>) {
  const language = form.value('settings.language')
  const settings: VoiceSettings = typeof language === 'string' ? { language } : {}
  return completeVoiceSettings(settings)
}

/** A number of the form, or its default. */
export function numberAt(form: ConfigForm, path: string): number {
  const value = form.value(path) ?? form.specOf(path)?.standard
  return typeof value === 'number' ? value : 0
}

/** A text of the form; null without one. */
export function textOrNull(form: Pick<ConfigForm, 'value'>, path: string): string | null {
  const value = form.value(path)
  return typeof value === 'string' && value !== '' ? value : null
}
