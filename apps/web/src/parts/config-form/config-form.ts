import { formerValue } from '@troupe/editor/values/config-content'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import type { SettingSpec } from '../../core/forms/setting-specs.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import type { ConfigDraft } from '../unsaved/use-config-draft.ts'
import type { TextKeeper } from '../unsaved/use-kept-texts.ts'

/** The settings of one configuration as a form. Paths are below `config`: `memory.history.max_runs`. */
export interface ConfigForm {
  value(path: string): unknown
  /** Undefined removes a key, or an item of a list. */
  set(path: string, value: unknown): void
  /** The error of a setting, as a sentence. */
  errorAt(path: string): string | null
  /** The same for a setting whose parts have no fields, such as headers. */
  errorWithin(path: string): string | null
  /** Whether it differs from the saved value. */
  isChanged(path: string): boolean
  /** Stores the unparsable text of a field; undefined: the field itself keeps it while it is shown. */
  keeperAt(path: string): TextKeeper | undefined
  isReadOnly: boolean
  specOf(path: string): SettingSpec | undefined
  wordsOf(path: string): SettingWords | undefined
}

export type FormTables = Pick<ConfigForm, 'specOf' | 'wordsOf' | 'isReadOnly'>

/** The form of an unsaved edit, with the limits and words of its kind. */
export function configForm(edit: ConfigDraft, tables: FormTables): ConfigForm {
  const { draft, saved, change, errorAt, errorWithin, unread } = edit
  return {
    ...tables,
    value: (path) => valueAt(draft.config, path),
    set: (path, value) => change(path === '' ? 'config' : `config.${path}`, value),
    errorAt: (path) => errorAt(`config.${path}`),
    errorWithin: (path) => errorWithin(`config.${path}`),
    keeperAt: unread.keeper,
    isChanged: (path) =>
      !isSameJson(valueAt(draft.config, path), formerValue(saved.config, draft.config, path)),
  }
}

/** A text of a configuration; '' without one. */
export function textAt({ value }: Pick<ConfigForm, 'value'>, path: string): string {
  const found = value(path)
  return typeof found === 'string' ? found : ''
}

/** A list of a configuration; empty without one. */
export function listAt({ value }: Pick<ConfigForm, 'value'>, path: string): readonly unknown[] {
  const found = value(path)
  return Array.isArray(found) ? found : []
}
