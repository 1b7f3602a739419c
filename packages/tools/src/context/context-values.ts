import { isJsonObject } from '@troupe/contract'

/** The part of a run's `tool_context` that a tool may see. */
export type ContextValues = Readonly<Record<string, unknown>>

/** A `context_keys` item with its defaults. */
interface ContextKey {
  key: string
  required?: boolean
  /** The parameter that the value fills, which the model does not see. */
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

/** The schema as the model sees it: without the parameters that the context fills. */
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

/** The arguments with bound values; what the model gave for a bound parameter is replaced. */
export function withBound(
  input: Record<string, unknown>,
  keys: readonly ContextKey[],
  context: ContextValues,
): Record<string, unknown> {
  const bound = keys.flatMap(({ key, bind }) =>
    bind && Object.hasOwn(context, key) ? [[bind, context[key]] as const] : [],
  )
  return bound.length === 0 ? input : { ...input, ...Object.fromEntries(bound) }
}
