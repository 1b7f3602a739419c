import { isJsonObject, type JsonObject } from '@troupe/contract'

/** Argument names that Anthropic accepts; for any other name, it refuses the whole request. */
const SAFE = /^[a-zA-Z0-9_.-]{1,64}$/
const MAX_NAME = 64
/** Keywords at the top of a schema whose schemas describe the same arguments. */
const LISTS = ['anyOf', 'oneOf', 'allOf']
const ONE = ['not', 'if', 'then', 'else']
const MAX_LEVELS = 4

/** Arguments with names that every provider accepts. */
export interface SafeArguments {
  schema: JsonObject
  /** Maps the model's arguments back to the tool's names. */
  toOwn(input: Record<string, unknown>): Record<string, unknown>
}

/** The names of the arguments of a schema. */
function namesIn(schema: JsonObject, found: Set<string>, level = 0): void {
  if (level > MAX_LEVELS) return
  for (const name of Object.keys(isJsonObject(schema.properties) ? schema.properties : {})) found.add(name)
  for (const name of Array.isArray(schema.required) ? schema.required : []) found.add(String(name))
  for (const part of parts(schema)) namesIn(part, found, level + 1)
}

function parts(schema: JsonObject): JsonObject[] {
  const lists = LISTS.flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []))
  return [...lists, ...ONE.map((key) => schema[key])].filter(isJsonObject)
}

/** Replacements for unsafe names; unique among the arguments. */
function renamesOf(names: ReadonlySet<string>): Map<string, string> {
  const taken = new Set(names)
  const counts = new Map<string, number>()
  const renames = new Map<string, string>()
  for (const name of names) {
    if (SAFE.test(name)) continue
    const base = name.slice(0, MAX_NAME).replaceAll(/[^a-zA-Z0-9_.-]/g, '_') || '_'
    let count = counts.get(base) ?? 0
    let next = base
    while (taken.has(next)) {
      count += 1
      next = `${base.slice(0, MAX_NAME - 8)}_${count}`
    }
    counts.set(base, count)
    taken.add(next)
    renames.set(name, next)
  }
  return renames
}

function renamed(schema: JsonObject, renames: ReadonlyMap<string, string>, level = 0): JsonObject {
  if (level > MAX_LEVELS) return schema
  const nameOf = (name: unknown) => renames.get(String(name)) ?? name
  const changed: JsonObject = { ...schema }
  if (isJsonObject(schema.properties)) {
    const entries = Object.entries(schema.properties)
    changed.properties = Object.fromEntries(
      entries.map(([name, value]) => [renames.get(name) ?? name, value]),
    )
  }
  if (Array.isArray(schema.required)) changed.required = schema.required.map(nameOf)
  const inner = (part: unknown) => (isJsonObject(part) ? renamed(part, renames, level + 1) : part)
  for (const key of LISTS) {
    const list = schema[key]
    if (Array.isArray(list)) changed[key] = list.map(inner)
  }
  for (const key of ONE) if (isJsonObject(schema[key])) changed[key] = inner(schema[key])
  return changed
}

/**
 * The arguments of a tool with names that every provider accepts; most have them already. The rule applies only to the
 * top level.
 */
export function safeArguments(schema: JsonObject): SafeArguments {
  const names = new Set<string>()
  namesIn(schema, names)
  const renames = renamesOf(names)
  if (renames.size === 0) return { schema, toOwn: (input) => input }
  const own = new Map([...renames].map(([name, safe]) => [safe, name]))
  return {
    schema: renamed(schema, renames),
    toOwn: (input) =>
      Object.fromEntries(Object.entries(input).map(([name, value]) => [own.get(name) ?? name, value])),
  }
}

/** The first unsafe name of an argument; null if there is none. */
export function unsafeArgument({ properties }: JsonObject): string | null {
  return Object.keys(isJsonObject(properties) ? properties : {}).find((name) => !SAFE.test(name)) ?? null
}
