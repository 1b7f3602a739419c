import { isJsonObject, propertyOf } from '@troupe/contract'
import { choiceOptions, ranked } from './enum-choice.ts'
import { InstanceBudget } from './instance-budget.ts'
import type { SandboxSchema } from './sandbox-schema.ts'
import { smallestNumber } from './smallest-number.ts'
import { smallestString } from './smallest-string.ts'
import { topicsOf } from './words.ts'

const MAX_DEPTH = 16
/** Maximum characters of the message that a choice reads, and that a string copies. */
const MAX_MESSAGE = 64 * 1024
const MAX_REFERENCE = 1_000

/**
 * The smallest value that the schema allows: required properties only, `minItems` or one item, `true`, the minimum or
 * 0, the user's message for strings; of several options the one whose words overlap most with the message.
 *
 * @param message the last user message, without directives; its first 65,536 characters count
 * @throws {@link InstanceTooLarge} for a schema whose smallest value exceeds the sandbox's limits
 */
export function smallestInstance(schema: SandboxSchema, message: string): unknown {
  const read = message.slice(0, MAX_MESSAGE)
  const context = { root: schema, message: read, budget: new InstanceBudget(), choices: new Map() }
  return instance(schema, context, 0, 0)
}

interface Context {
  root: SandboxSchema
  message: string
  budget: InstanceBudget
  /** The options of a schema, best match first; cached, because every item of a list needs them. */
  choices: Map<SandboxSchema, unknown[] | null>
  topics?: ReadonlySet<string>
}

/** @param rank 0 for the best option, 1 for the next, so that items of a list differ where possible */
function instance(schema: SandboxSchema | boolean, context: Context, depth: number, rank: number): unknown {
  context.budget.value()
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return {}
  if (schema.$ref !== undefined) return instance(resolve(schema.$ref, context.root), context, depth + 1, rank)
  if (schema.allOf) return instance(mergeAll(schema, schema.allOf, context), context, depth + 1, rank)
  if ('const' in schema) return schema.const

  const options = choicesOf(schema, context)
  if (options) return options[rank % options.length]
  const alternative = (schema.anyOf ?? schema.oneOf)?.find((option) => option.type !== 'null')
  if (alternative) return instance(alternative, context, depth + 1, rank)

  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [
          name,
          instance(schema.properties?.[name] ?? {}, context, depth + 1, rank),
        ]),
      )
    case 'array':
      return list(schema, context, depth)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'number':
    case 'integer':
      return smallestNumber(schema)
    case 'string':
      return smallestString(schema, context, rank)
    default:
      return {}
  }
}

function list(schema: SandboxSchema, context: Context, depth: number): unknown[] {
  const prefix = schema.prefixItems ?? []
  const length = schema.minItems ?? Math.max(1, prefix.length)
  const limit = Math.min(length, schema.maxItems ?? length)
  const items: unknown[] = []
  while (items.length < limit) {
    const index = items.length
    items.push(instance(prefix[index] ?? schema.items ?? {}, context, depth + 1, index))
  }
  return items
}

function choicesOf(schema: SandboxSchema, context: Context): unknown[] | null {
  const known = context.choices.get(schema)
  if (known !== undefined) return known
  const options = choiceOptions(schema)
  if (options) context.budget.value(options.length)
  context.topics ??= topicsOf(context.message)
  const choices = options && ranked(options, context.topics)
  context.choices.set(schema, choices)
  return choices
}

function typeOf(schema: SandboxSchema): string | undefined {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type
  if (type !== undefined) return type
  if (schema.properties || schema.required) return 'object'
  return schema.items || schema.prefixItems ? 'array' : undefined
}

function mergeAll(
  schema: SandboxSchema,
  parts: readonly SandboxSchema[],
  { budget }: Context,
): SandboxSchema {
  const { allOf: _allOf, ...own } = schema
  const merged: SandboxSchema = {}
  const required = new Set<string>()
  const properties = new Map<string, SandboxSchema>()
  for (const part of [own, ...parts]) {
    const named = Object.entries(part.properties ?? {})
    budget.value(1 + named.length + (part.required?.length ?? 0))
    for (const name of part.required ?? []) required.add(name)
    for (const [name, property] of named) properties.set(name, property)
    Object.assign(merged, part)
  }
  if (required.size > 0) merged.required = [...required]
  if (properties.size > 0) merged.properties = Object.fromEntries(properties)
  return merged
}

function resolve(reference: string, root: SandboxSchema): SandboxSchema {
  if (!reference.startsWith('#') || reference.length > MAX_REFERENCE) return {}
  let found: unknown = root
  for (const key of reference.split('/').slice(1)) {
    const name = decoded(key).replaceAll('~1', '/').replaceAll('~0', '~')
    found = propertyOf(found, name)
  }
  return isJsonObject(found) ? found : {}
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
