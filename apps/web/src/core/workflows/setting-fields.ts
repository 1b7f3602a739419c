import { isJsonObject, slugOf, withoutOuterHyphens } from '@troupe/contract'
import type { LiteralType } from './literal-text.ts'
import { choiceTitle, hasProperties, propertiesOf } from './node-schema.ts'

/** The editor of a setting. */
export type FieldControl =
  | { kind: 'text' }
  | { kind: 'text-area' }
  | { kind: 'number'; minimum?: number; maximum?: number }
  | { kind: 'switch' }
  /** A number, or true and false, or a token instead. */
  | { kind: 'literal'; literal: LiteralType }
  /** Any value, with the choice of its type. */
  | { kind: 'typed-value' }
  | { kind: 'choice'; choices: readonly { id: string; label: string }[] }
  | { kind: 'tags' }
  /** A list of texts that may have commas. */
  | { kind: 'lines' }
  /** Ids of members, or their roles. */
  | { kind: 'people' }
  | { kind: 'roles' }
  | { kind: 'resource'; resource: 'agent' | 'team' }
  | { kind: 'time-zone' }
  | { kind: 'cron' }
  | { kind: 'list'; item: object }
  /** `isOptional`: it may be null, as a whole. */
  | { kind: 'group'; schema: object; isOptional: boolean }
  | { kind: 'conditions' }
  /** A chain of models, as agents have it. */
  | { kind: 'model' }
  /** A JSON Schema. */
  | { kind: 'schema' }
  | { kind: 'json' }

/** One setting that can be edited. */
export interface NodeSettingField {
  name: string
  title: string
  description: string | null
  placeholder: string | null
  /** Whether {{ tokens }} in it are filled in. */
  takesTokens: boolean
  isAdvanced: boolean
  /** The sibling whose text proposes this id while it is empty; null: none does. */
  from: string | null
  control: FieldControl
  /** The stored value, or the default of the node type; null: neither. */
  value: unknown
  /** The stored value alone; null: none. */
  stored: unknown
  /** The node type's default for an absent value; null: none. */
  fallback: unknown
  /** Whether null is a separate value: none. */
  isNullable: boolean
}

/** Characters of the id of a class, which is the shortest kind. */
const MAX_ID = 40

const TEXTS = { text: 'text', color: 'text', 'text-area': 'text-area', markdown: 'text-area' } as const

/** The fields of a config by the schema of its node type; those that do not apply are omitted. */
export function settingFields(schema: object, config: Record<string, unknown>): NodeSettingField[] {
  const properties = propertiesOf(schema, config)
  const storedOr = (name: string, own: Record<string, unknown>) => config[name] ?? own.default ?? null
  const current = new Map(properties.map(([name, own]) => [name, storedOr(name, own)]))
  return properties.flatMap(([name, own]) => {
    const form = isJsonObject(own.form) ? own.form : {}
    const { when } = form
    if (isJsonObject(when) && Array.isArray(when.is) && !when.is.includes(current.get(String(when.key))))
      return []
    const value = current.get(name) ?? null
    return [
      {
        name,
        title: textOr(own.title, name) ?? name,
        description: textOr(own.description, null),
        placeholder: textOr(form.placeholder, null),
        takesTokens: own.template !== undefined && config.mode !== 'fixed',
        isAdvanced: form.advanced === true,
        from: textOr(form.from, null),
        control: controlOf(own, String(form.control ?? ''), value),
        value,
        stored: config[name] ?? null,
        fallback: own.default ?? null,
        isNullable: isNullable(own),
      },
    ]
  })
}

function controlOf(schema: Record<string, unknown>, control: string, value: unknown): FieldControl {
  switch (control) {
    case 'agent':
    case 'team':
      return { kind: 'resource', resource: control }
    case 'conditions':
      // A key with properties holds a whole group of conditions and its operator, any other key their list.
      return hasProperties(schema) ? { kind: 'group', schema, isOptional: false } : { kind: 'conditions' }
    case 'cron':
    case 'time-zone':
    case 'switch':
    case 'typed-value':
    case 'model':
      return { kind: control }
    case 'number':
      return numberControl(schema)
    case 'number-or-token':
      return literalControl('number', value)
    case 'boolean-or-token':
      return literalControl('boolean', value)
    case 'json-schema':
      return { kind: 'schema' }
    case 'json':
      return { kind: 'json' }
    default:
      return controlOfType(schema, control, value)
  }
}

function controlOfType(schema: Record<string, unknown>, control: string, value: unknown): FieldControl {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => typeof one === 'string') : []
  if (choices.length > 0) {
    return { kind: 'choice', choices: choices.map((id) => ({ id, label: choiceTitle(schema, id) ?? id })) }
  }
  if (type === 'array') return listControl(schema, control, value)
  if (type === 'object') {
    return hasProperties(schema)
      ? { kind: 'group', schema, isOptional: isNullable(schema) }
      : { kind: 'json' }
  }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'number' || type === 'integer') return numberControl(schema)
  // Any JSON is edited as a text while it is one.
  const isText = value === null || typeof value === 'string'
  if (!isText) return { kind: 'json' }
  const known = Object.entries(TEXTS).find(([name]) => name === control)
  return { kind: known?.[1] ?? 'text' }
}

function isNullable({ type }: Record<string, unknown>): boolean {
  return Array.isArray(type) && type.includes('null')
}

function literalControl(literal: LiteralType, value: unknown): FieldControl {
  return typeof value === 'object' && value !== null ? { kind: 'json' } : { kind: 'literal', literal }
}

function numberControl({ minimum, maximum }: Record<string, unknown>): FieldControl {
  return {
    kind: 'number',
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
  }
}

function listControl({ items }: Record<string, unknown>, control: string, value: unknown): FieldControl {
  const item = isJsonObject(items) ? items : {}
  const values = Array.isArray(value) ? value : []
  if (hasProperties(item) && item.type === 'object') return { kind: 'list', item }
  if (!values.every((one) => typeof one === 'string')) {
    // Options whose value differs from their label.
    return hasProperties(item) && values.every(isJsonObject) ? { kind: 'list', item } : { kind: 'json' }
  }
  const known = (['lines', 'people', 'roles'] as const).find((one) => one === control)
  return { kind: known ?? 'tags' }
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other
}

/** A config whose empty ids are those that its names propose; null: nothing is proposed. */
export function withProposedIds(
  fields: readonly Pick<NodeSettingField, 'name' | 'from'>[],
  config: Record<string, unknown>,
): Record<string, unknown> | null {
  const proposed = fields.flatMap(({ name, from }): [string, string][] => {
    const text = from === null ? null : config[from]
    const isEmpty = config[name] === undefined || config[name] === null || config[name] === ''
    const id = isEmpty && typeof text === 'string' ? proposedId(text) : ''
    return id === '' ? [] : [[name, id]]
  })
  return proposed.length === 0 ? null : { ...config, ...Object.fromEntries(proposed) }
}

/** Fits the ids of every kind of row: letters, digits and single hyphens. */
const proposedId = (text: string) => withoutOuterHyphens(slugOf(text).slice(0, MAX_ID))
