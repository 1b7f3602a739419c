/** A JSON object whose members are not known. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object with members: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of a value of unknown shape, such as a caught error; undefined when it has none of that name. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The names of a record that has no others than its type says, such as a table of constants. */
export function typedKeys<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

/** The same names with other values; for records as {@link typedKeys} takes them. */
export function mapRecord<K extends string, V, W>(
  record: Record<K, V>,
  change: (value: V, name: K) => W,
): Record<K, W> {
  const changed = typedKeys(record).map((name) => [name, change(record[name], name)])
  return Object.fromEntries(changed) as Record<K, W>
}
