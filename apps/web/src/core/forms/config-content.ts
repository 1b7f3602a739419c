import { isJsonObject, type JsonObject } from '@troupe/contract'
import { isSameJson, withValueAt } from './json-path.ts'

/** What an editor of an agent or a team changes. Paths into it begin with `name`, `description` or `config`. */
export interface ConfigContent {
  name: string
  description: string | null
  config: JsonObject
}

/** The editable part of an agent or a team. */
export function contentOf({ name, description, config }: ConfigContent): ConfigContent {
  return { name, description, config }
}

export function isConfigContent(value: unknown): value is ConfigContent {
  if (!isJsonObject(value)) return false
  const { name, description, config } = value
  return (
    typeof name === 'string' &&
    (description === null || typeof description === 'string') &&
    isJsonObject(config)
  )
}

/** A copy with another value at a path; undefined removes a key. A value that does not fit its place changes nothing. */
export function changedContent(content: ConfigContent, path: string, value: unknown): ConfigContent {
  const changed = withValueAt({ ...content }, path, value)
  return isConfigContent(changed) ? changed : content
}

/** One setting that differs; undefined: it is absent on that side. */
export interface SettingChange {
  path: string
  before: unknown
  after: unknown
}

/** The settings that differ, each with its path. Lists of equal length are compared item by item, others as a whole. */
export function changesBetween(before: unknown, after: unknown, path = ''): SettingChange[] {
  if (isSameJson(before, after)) return []
  const below = (key: string) => (path === '' ? key : `${path}.${key}`)
  if (isRecordLike(before) && isRecordLike(after) && haveSameShape(before, after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => changesBetween(own(before, key), own(after, key), below(key)))
  }
  return [{ path, before, after }]
}

/** An object, or a list of objects: what is compared and merged by its parts. */
export type RecordLike = JsonObject | readonly unknown[]

export function isRecordLike(value: unknown): value is RecordLike {
  return isJsonObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isJsonObject))
}

/** Whether the parts of two values belong to each other: objects always do, lists when they are equally long. */
export function haveSameShape(a: RecordLike, b: RecordLike): boolean {
  return Array.isArray(a) ? Array.isArray(b) && a.length === b.length : !Array.isArray(b)
}

export function own(holder: RecordLike, key: string): unknown {
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
}
