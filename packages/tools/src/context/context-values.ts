import { isJsonObject } from '@troupe/contract'

/** The part of a run's `tool_context` that a tool may see. */
export type ContextValues = Readonly<Record<string, unknown>>

/** A `context_keys` item with its defaults. */
interface ContextKey {
  key: string
  required?: boolean
  /** The parameter that the value fills, hidden from the model. */
  bind?: string | null
}

/** The declared part of a run's `tool_context`; absent keys are absent. */
export function visibleContext(keys: readonly ContextKey[], context: ContextValues): ContextValues {
  return Object.fromEntries(
    keys.flatMap(({ key }) => (Object.hasOwn(context, key) ? [[key, context[key]]] : [])),
  )
}

/** The required keys that a run's context lacks; a null value counts as lacking. */
export function missingKeys(keys: readonly ContextKey[], context: ContextValues): string[] {
  return keys.filter(({ key, required }) => required && (context[key] ?? null) === null).map(({ key }) => key)
}

/** The schema for the model: without the parameters that the context fills. */
export function withoutBound(
  schema: Record<string, unknown>,
  keys: readonly ContextKey[],
): Record<string, unknown> {
  const bound = new Set(keys.flatMap(({ bind }) => (bind ? [bind] : [])))
  if (bound.size === 0) return schema
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !bound.has(name))),
    required: required.filter((name) => !bound.has(name)),
  }
}

/**
 * The arguments with bound values. The model's value of a bound parameter is dropped, even if the context has no value
 * for it.
 */
export function withBound(
  input: Record<string, unknown>,
  keys: readonly ContextKey[],
  context: ContextValues,
): Record<string, unknown> {
  const bound = new Map(keys.flatMap(({ key, bind }) => (bind ? [[bind, key] as const] : [])))
  if (bound.size === 0) return input
  const own = Object.entries(input).filter(([name]) => !bound.has(name))
  const filled = [...bound].flatMap(([name, key]) =>
    Object.hasOwn(context, key) ? [[name, context[key]] as const] : [],
  )
  return Object.fromEntries([...own, ...filled])
}
