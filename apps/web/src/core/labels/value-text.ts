import type { SettingChange } from '../forms/config-content.ts'
import type { SettingWords } from '../forms/setting-words.ts'
import { unsavedWords as words } from '../messages/en/agents/unsaved.ts'

/** A change of a setting with the words of its choices instead of their values. */
export function inChoiceWords(
  change: SettingChange,
  wordsOf: (path: string) => SettingWords | undefined,
): SettingChange {
  const choices = wordsOf(change.path.replace(/^config\./, ''))?.choices ?? {}
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown)
    return typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value]?.label : value
  }
  return { ...change, before: shown(change.before), after: shown(change.after) }
}

/** A value of a setting as a text to read: texts as they are, lists and objects as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return words.absent
  if (value === true) return words.on
  if (value === false) return words.off
  if (typeof value === 'string') return value === '' ? words.empty : value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? words.empty : value.join(', ')
  }
  return JSON.stringify(value, null, 2)
}

/** A value as lines to compare; what is not set has none. */
export function valueLines(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

const LONGEST_INLINE = 60

/** Whether a value fits beside another one on a line. */
export function isShortValue(value: unknown): boolean {
  const text = valueText(value)
  return text.length <= LONGEST_INLINE && !text.includes('\n')
}
