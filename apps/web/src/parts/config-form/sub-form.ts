import { propertyOf } from '@troupe/contract'
import type { SettingSpec, SettingSpecs } from '../../core/forms/setting-specs.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import type { ConfigForm } from './config-form.ts'

export interface ItemTables {
  /** The settings of each kind. */
  specs: Readonly<Record<string, SettingSpecs>>
  /** Labels by the key of a setting, for any kind. */
  words: Readonly<Record<string, SettingWords | undefined>>
  /** Defaults of absent keys, by key. */
  standards: Readonly<Record<string, unknown>>
}

/**
 * The same form for one item of a list of kinds, such as a tool: limits come from the kind in its `type`.
 *
 * @param at the path of the item: `tools.0`
 */
export function itemForm(form: ConfigForm, at: string, { specs, words, standards }: ItemTables): ConfigForm {
  const kind = String(propertyOf(form.value(at), 'type'))
  const keyOf = (path: string) => (path.startsWith(`${at}.`) ? path.slice(at.length + 1) : null)
  const specOf = (path: string): SettingSpec | undefined => {
    const key = keyOf(path)
    if (key === null) return form.specOf(path)
    const spec = specs[kind]?.[key]
    return spec && Object.hasOwn(standards, key) ? { ...spec, standard: standards[key] } : spec
  }
  const wordsOf = (path: string) => {
    const key = keyOf(path)
    return key === null ? form.wordsOf(path) : words[key]
  }
  return { ...form, specOf, wordsOf }
}
