import { isJsonObject, propertyOf } from '@troupe/contract'
import type { SettingChange } from '@troupe/editor/values/config-content'
import { readableText } from '../format/readable-text.ts'
import type { SettingWords } from '../forms/setting-words.ts'
import { unsavedWords as words } from '../messages/en/agents/unsaved.ts'
import type { ValueAt } from './named-ids.ts'

type WordsOf = (path: string) => SettingWords | undefined

/** A change with both values in the words of the form. */
export function inFormWords(change: SettingChange, wordsOf: WordsOf): SettingChange {
  const { path, kind } = change
  const shown = (value: unknown) =>
    kind === 'order' ? orderInWords(value, path, wordsOf) : valueInWords(value, path, wordsOf)
  return { ...change, before: shown(change.before), after: shown(change.after) }
}

/** Both values of each change. */
export function valuesOfChanges(changes: readonly SettingChange[]): ValueAt[] {
  return changes.flatMap(({ path, before, after }) => [
    { path, value: before },
    { path, value: after },
  ])
}

/**
 * The value of a setting in the words of the form: choices instead of their values, and for a tool, a rule or another
 * item of a list a line for each of its settings instead of JSON. Free-form values are unchanged.
 *
 * @param path begins with `name`, `description` or `config`
 */
export function valueInWords(value: unknown, path: string, wordsOf: WordsOf): unknown {
  const inside = path.replace(/^config\.?/, '')
  return hasWords(value, inside, wordsOf)
    ? readableText(worded(value, inside, wordsOf))
    : inChoiceWords(value, wordsOf(inside))
}

/** The keys that name a list item; the first one it has is used. */
const TITLES = [
  ...[
    'name',
    'builtin',
    'model_id',
    'model',
    'provider',
    'type',
    'agent',
    'skill_id',
    'key',
    'llm_config_id',
  ],
]

/**
 * The items of a list as a numbered line each, to compare their order. Items with the same title include a setting in
 * which they differ.
 */
export function orderInWords(items: unknown, path: string, wordsOf: WordsOf): string {
  if (!Array.isArray(items)) return ''
  const inside = path.replace(/^config\.?/, '')
  const partOf = (item: unknown, key: string) =>
    valueText(inChoiceWords(propertyOf(item, key), wordsOf(`${inside}.0.${key}`)))
  const titleOf = (item: unknown) => {
    const key = TITLES.find(
      (one) => typeof propertyOf(item, one) === 'string' && propertyOf(item, one) !== '',
    )
    return key === undefined ? valueText(item) : partOf(item, key)
  }
  const titles = items.map(titleOf)
  const places = Map.groupBy(titles.keys(), (place) => titles[place])
  const told = new Map<number, string>()
  for (const alike of places.values()) {
    const key = tellingKey(
      alike.map((place) => items[place]),
      (item, key) => shortened(partOf(item, key)),
    )
    if (key !== null) for (const place of alike) told.set(place, shortened(partOf(items[place], key)))
  }
  return titles
    .map((title, place) => {
      const difference = told.get(place)
      return words.inOrder(place + 1, difference === undefined ? title : `${title}: ${difference}`)
    })
    .join('\n')
}

/** The setting whose shown values best distinguish some items; null: none. Objects are too long to show. */
function tellingKey(items: readonly unknown[], shown: (item: unknown, key: string) => string): string | null {
  const keys = new Set(items.flatMap((item) => (isJsonObject(item) ? Object.keys(item) : [])))
  const isShown = (key: string) => items.every((item) => !isJsonObject(propertyOf(item, key)))
  let [best, most]: [string | null, number] = [null, 1]
  for (const key of items.length < 2 ? [] : [...keys].filter(isShown)) {
    const count = new Set(items.map((item) => shown(item, key))).size
    if (count > most) [best, most] = [key, count]
  }
  return best
}

const LONGEST_PART = 60

function shortened(text: string): string {
  const line = text.slice(0, 2 * LONGEST_PART).replace(/\s+/g, ' ')
  return line.length <= LONGEST_PART ? line : `${line.slice(0, LONGEST_PART - 1)}…`
}

/** Whether the form has a field for a part of a value. Looks no deeper: free forms may be deep. */
function hasWords(value: unknown, path: string, wordsOf: WordsOf): boolean {
  if (Array.isArray(value)) {
    return value.some((item, index) => isJsonObject(item) && hasWords(item, `${path}.${index}`, wordsOf))
  }
  return isJsonObject(value) && Object.keys(value).some((key) => wordsOf(`${path}.${key}`) !== undefined)
}

/** A value with the labels of the form as its keys. */
function worded(value: unknown, path: string, wordsOf: WordsOf): unknown {
  if (!hasWords(value, path, wordsOf)) return inChoiceWords(value, wordsOf(path))
  if (Array.isArray(value)) return value.map((item, index) => worded(item, `${path}.${index}`, wordsOf))
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, part]) => {
      const below = `${path}.${key}`
      const label = wordsOf(below)?.label
      return [
        label ?? key,
        typeof part === 'boolean' && label ? valueText(part) : worded(part, below, wordsOf),
      ]
    }),
  )
}

function inChoiceWords(value: unknown, settingWords: SettingWords | undefined): unknown {
  const choices = settingWords?.choices ?? {}
  if (Array.isArray(value)) return value.map((item) => inChoiceWords(item, settingWords))
  return typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value]?.label : value
}

/** A value of a setting as a text to read: texts unchanged, lists and objects as JSON. */
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

/** A value as lines to compare; an unset one has none. */
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
