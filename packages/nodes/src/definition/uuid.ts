const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a value can be an id of something outside the graph; nothing else is looked up. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
