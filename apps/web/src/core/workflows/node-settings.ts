import { isJsonObject, type JsonObject, OPERATORS } from '@troupe/contract'
import { fieldWords } from '../messages/en/workflows/outline.ts'
import { type ModelSetting, modelLinks } from './model-setting.ts'
import { choiceTitle, hasProperties, propertiesOf, unknownKeys } from './node-schema.ts'

/** One setting of a node in readable form. */
export interface Setting {
  /** Below the config, dotted: the path of findings. */
  path: string
  title: string
  isAdvanced: boolean
  /** The value is not stored: it is the default of the node type. */
  isDefault: boolean
  value: SettingValue
}

export type SettingValue =
  | { kind: 'none' }
  | { kind: 'switch'; isOn: boolean }
  | { kind: 'text'; text: string; isMarkdown?: true }
  /** One line each: tags, conditions. */
  | { kind: 'lines'; lines: readonly string[] }
  | { kind: 'resource'; resource: 'agent' | 'team'; id: string }
  /** A chain of models, with its other settings as JSON. */
  | { kind: 'model'; links: readonly ModelSetting[]; rest: string | null }
  /** Ids of members. */
  | { kind: 'people'; ids: readonly string[] }
  | { kind: 'group'; settings: readonly Setting[] }
  | { kind: 'list'; items: readonly (readonly Setting[])[] }
  | { kind: 'json'; text: string }

/** The part of a JSON Schema that describes the presentation of a setting. */
interface SettingSchema {
  title?: unknown
  type?: unknown
  default?: unknown
  properties?: unknown
  items?: unknown
  form?: unknown
}

const TITLE_OF_REST = 'Other settings'

/**
 * The settings of a node in the order of its type, with their defaults; inapplicable ones are omitted. Unknown ones come last, as
 * JSON.
 */
export function settingsOf(schema: SettingSchema, config: Record<string, unknown>): Setting[] {
  const rest = Object.fromEntries(unknownKeys(schema, config).map((name) => [name, config[name]]))
  const settings = readSettings(schema, config, '')
  if (Object.keys(rest).length === 0) return settings
  const value = { kind: 'json', text: asJson(rest) } as const
  return [...settings, { path: '', title: TITLE_OF_REST, isAdvanced: false, isDefault: false, value }]
}

function readSettings(schema: SettingSchema, values: Record<string, unknown>, prefix: string): Setting[] {
  const properties: [string, SettingSchema][] = propertiesOf(schema, values)
  const storedOr = (name: string, own: SettingSchema) => values[name] ?? own.default ?? null
  const current = new Map(properties.map(([name, own]) => [name, storedOr(name, own)]))
  return properties.flatMap(([name, own]) => {
    const form = isJsonObject(own.form) ? own.form : {}
    if (!applies(form.when, current)) return []
    const path = prefix === '' ? name : `${prefix}.${name}`
    const title = typeof own.title === 'string' ? own.title : name
    const value = readValue(current.get(name), own, String(form.control ?? ''), path)
    return [{ path, title, isAdvanced: form.advanced === true, isDefault: values[name] === undefined, value }]
  })
}

function applies(when: unknown, current: ReadonlyMap<string, unknown>): boolean {
  if (!isJsonObject(when) || !Array.isArray(when.is)) return true
  return when.is.includes(current.get(String(when.key)))
}

function readValue(value: unknown, schema: SettingSchema, control: string, path: string): SettingValue {
  if (control === 'conditions') return readConditions(value)
  if (value === null || value === '' || value === undefined) return { kind: 'none' }
  if ((control === 'agent' || control === 'team') && typeof value === 'string') {
    return { kind: 'resource', resource: control, id: value }
  }
  if (control === 'model' && isJsonObject(value) && Object.keys(value).length > 0) return readModel(value)
  if (typeof value === 'boolean') return { kind: 'switch', isOn: value }
  if (typeof value === 'string' || typeof value === 'number') {
    const text = choiceTitle(schema, value) ?? String(value)
    return { kind: 'text', text, ...(control === 'markdown' && { isMarkdown: true }) }
  }
  if (control === 'people' && Array.isArray(value)) return { kind: 'people', ids: value.map(String) }
  if (Array.isArray(value)) return readList(value, schema, path)
  if (isJsonObject(value) && hasProperties(schema)) {
    return { kind: 'group', settings: readSettings(schema, value, path) }
  }
  return isJsonObject(value) && Object.keys(value).length === 0 ? { kind: 'none' } : json(value)
}

function readModel(value: JsonObject): SettingValue {
  const { links, rest } = modelLinks(value)
  return { kind: 'model', links, rest: rest && asJson(rest) }
}

function readList(values: readonly unknown[], schema: SettingSchema, path: string): SettingValue {
  if (values.length === 0) return { kind: 'none' }
  const item = isJsonObject(schema.items) ? schema.items : {}
  if (hasProperties(item) && values.every(isJsonObject)) {
    const items = values.map((value, index) => {
      const own = readSettings(item, value, `${path}.${index}`)
      const more = unknownKeys(item, value).map((name) =>
        plain(name, value[name], `${path}.${index}.${name}`),
      )
      return [...own, ...more].filter(({ isDefault }) => !isDefault)
    })
    return { kind: 'list', items }
  }
  const isFlat = values.every((value) => typeof value === 'string' || typeof value === 'number')
  return isFlat ? { kind: 'lines', lines: values.map(String) } : json(values)
}

function plain(title: string, value: unknown, path: string): Setting {
  return { path, title, isAdvanced: false, isDefault: false, value: readValue(value, {}, '', path) }
}

/** A group of conditions, or the list of one, in words: `{{ trigger.amount }} is at most 50`. */
function readConditions(value: unknown): SettingValue {
  const list = isJsonObject(value) ? value.conditions : value
  const lines = conditionLines(list, isJsonObject(value) ? value.match : undefined)
  return lines.length === 0 ? { kind: 'none' } : { kind: 'lines', lines }
}

function conditionLines(list: unknown, match: unknown): string[] {
  const entries = (Array.isArray(list) ? list : []).filter(isJsonObject)
  const lines = entries.flatMap((entry) =>
    Array.isArray(entry.conditions)
      ? conditionLines(entry.conditions, entry.match ?? 'all').map((line) => `  ${line}`)
      : [
          [inWords(entry.left), operatorWords(entry.op), inWords(entry.right)]
            .filter((part) => part !== undefined)
            .join(' '),
        ],
  )
  return match === undefined ? lines : [fieldWords.match[match === 'any' ? 'any' : 'all'], ...lines]
}

const inWords = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part))

function operatorWords(op: unknown): string | undefined {
  const known = OPERATORS.find((operator) => operator === op)
  return known === undefined ? inWords(op) : fieldWords.operators[known]
}

function json(value: unknown): SettingValue {
  return { kind: 'json', text: asJson(value) }
}

/** Readable JSON. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}
