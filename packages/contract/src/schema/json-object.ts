/** A JSON object with unknown members. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object with members: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of a value of unknown shape, such as a caught error; undefined when it is absent. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The typed keys of a record without extra keys, such as a table of constants. */
export function typedKeys<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

/** Maps the values of a record and keeps its keys; for the records that {@link typedKeys} accepts. */
export function mapRecord<K extends string, V, W>(
  record: Record<K, V>,
  change: (value: V, name: K) => W,
): Record<K, W> {
  const changed = typedKeys(record).map((name) => [name, change(record[name], name)])
  return Object.fromEntries(changed) as Record<K, W>
}
