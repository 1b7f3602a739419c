import { isJsonObject } from '@troupe/contract'
import { readTypedJson } from '../forms/typed-json.ts'

type Schema = Record<string, unknown>

/** One property of an object, as a row of fields. */
export interface SchemaRow {
  name: string
  isRequired: boolean
  schema: Schema
  /** It is edited as JSON although it has fields, because the user chose so. */
  isJson?: boolean
}

/** The types that a row has fields for, and `json` for every other schema. */
export const ROW_TYPES = ['text', 'choice', 'number', 'integer', 'boolean', 'texts', 'json'] as const
type RowType = (typeof ROW_TYPES)[number]

/** Rows that are edited as fields at once. */
const MAX_ROWS = 100

/**
 * The properties of a JSON Schema as rows; none for no schema. null: it is not a plain object, or has more than rows can show, so it is
 * edited as JSON.
 */
export function schemaRows(schema: unknown): SchemaRow[] | null {
  if (schema === null || schema === undefined) return []
  if (!isJsonObject(schema) || schema.type !== 'object') return null
  const { properties = {}, required = [] } = schema
  if (!isJsonObject(properties) || !Array.isArray(required)) return null
  const entries = Object.entries(properties)
  // A required name without a property would get lost.
  if (entries.length > MAX_ROWS || !required.every((name) => Object.hasOwn(properties, String(name))))
    return null
  const rows = entries.flatMap(([name, own]) =>
    isJsonObject(own) ? [{ name, isRequired: required.includes(name), schema: own }] : [],
  )
  return rows.length === entries.length ? rows : null
}

/** A schema with these rows as its properties; its other keywords are kept. null: it has nothing but rows. */
export function schemaOfRows(before: unknown, rows: readonly SchemaRow[]): Schema | null {
  const {
    type: _type,
    properties: _properties,
    required: _required,
    ...others
  } = isJsonObject(before) ? before : {}
  if (rows.length === 0 && Object.keys(others).length === 0) return null
  const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    ...others,
  }
}

/** The reason why a row is not a valid property; null: valid. */
export function rowFault(
  rows: readonly SchemaRow[],
  index: number,
): 'unnamed' | 'taken' | 'no-choices' | null {
  const row = rows[index]
  if (row === undefined) return null
  if (row.name.trim() === '') return 'unnamed'
  if (rows.findIndex(({ name }) => name === row.name) < index) return 'taken'
  return typeOfRow(row) === 'choice' && choicesOf(row.schema).length === 0 ? 'no-choices' : null
}

/** Rows that were kept as a text; null: the text does not contain rows. */
export function readKeptRows(text: string): SchemaRow[] | null {
  const read = readTypedJson(text)
  if (!read.ok || !Array.isArray(read.value) || !read.value.every(isSchemaRow)) return null
  return read.value
}

function isSchemaRow(row: unknown): row is SchemaRow {
  return (
    isJsonObject(row) &&
    typeof row.name === 'string' &&
    typeof row.isRequired === 'boolean' &&
    isJsonObject(row.schema)
  )
}

const PLAIN: Readonly<Record<string, RowType>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
}

/** The type of a row whose fields show its complete schema; else `json`. */
function rowType(schema: Schema): RowType {
  const { type, description = '', enum: choices, items, ...others } = schema
  if (typeof type !== 'string' || typeof description !== 'string' || Object.keys(others).length > 0)
    return 'json'
  if (type === 'array') return choices === undefined && isListOfTexts(items) ? 'texts' : 'json'
  if (items !== undefined) return 'json'
  if (choices === undefined) return Object.hasOwn(PLAIN, type) ? (PLAIN[type] ?? 'json') : 'json'
  const areTexts = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')
  return type === 'string' && areTexts ? 'choice' : 'json'
}

/** The texts that a choice allows. */
export function choicesOf({ enum: choices }: Schema): string[] {
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []
}

const SCHEMAS: Readonly<Record<Exclude<RowType, 'json'>, Schema>> = {
  text: { type: 'string' },
  choice: { type: 'string', enum: [] },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
}

/** A row of another type, with the description of the previous one. `json` keeps the schema, to be written by hand. */
export function withRowType({ name, isRequired, schema }: SchemaRow, type: RowType): SchemaRow {
  if (type === 'json') return { name, isRequired, schema, isJson: true }
  const { description } = schema
  const own = { ...SCHEMAS[type], ...(typeof description === 'string' ? { description } : {}) }
  return { name, isRequired, schema: own }
}

/** The editor of a row. */
export function typeOfRow({ schema, isJson = false }: SchemaRow): RowType {
  return isJson ? 'json' : rowType(schema)
}

/** A schema with another description; an empty one is removed. */
export function described({ description: _former, ...schema }: Schema, description: string): Schema {
  return description === '' ? schema : { ...schema, description }
}

function isListOfTexts(items: unknown): boolean {
  return isJsonObject(items) && items.type === 'string' && Object.keys(items).length === 1
}
