import { bestOption, choiceOptions, type EnumOption } from './enum-choice.ts'
import type { SandboxSchema } from './sandbox-schema.ts'
import { smallestNumber } from './smallest-number.ts'
import { smallestString } from './smallest-string.ts'

const MAX_DEPTH = 16

/**
 * The smallest value that the schema allows: required properties only, `minItems` or one item, `true`, the minimum or
 * 0, the user's message for strings; of several options the one whose words overlap most with the message.
 *
 * @param message the last user message, without directives
 */
export function smallestInstance(schema: SandboxSchema, message: string): unknown {
  return instance(schema, { root: schema, message }, 0, 0)
}

interface Context {
  root: SandboxSchema
  message: string
}

/** @param rank 0 for the best option, 1 for the next: items of a list differ where they can */
function instance(schema: SandboxSchema | boolean, context: Context, depth: number, rank: number): unknown {
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return {}
  if (schema.$ref !== undefined) return instance(resolve(schema.$ref, context.root), context, depth + 1, rank)
  if (schema.allOf) return instance(mergeAll(schema, schema.allOf), context, depth + 1, rank)
  if ('const' in schema) return schema.const

  const options = choiceOptions(schema)
  if (options) return pick(options, context, rank)
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
      return smallestString(schema, context.message, rank)
    default:
      return {}
  }
}

function list(schema: SandboxSchema, context: Context, depth: number): unknown[] {
  const prefix = schema.prefixItems ?? []
  const length = schema.minItems ?? Math.max(1, prefix.length)
  const limit = Math.min(length, schema.maxItems ?? length)
  return Array.from({ length: limit }, (_, index) =>
    instance(prefix[index] ?? schema.items ?? {}, context, depth + 1, index),
  )
}

function pick(options: EnumOption[], context: Context, rank: number): unknown {
  return bestOption(options, context.message, rank)
}

function typeOf(schema: SandboxSchema): string | undefined {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type
  if (type !== undefined) return type
  if (schema.properties || schema.required) return 'object'
  return schema.items || schema.prefixItems ? 'array' : undefined
}

function mergeAll(schema: SandboxSchema, parts: SandboxSchema[]): SandboxSchema {
  const { allOf: _allOf, ...own } = schema
  const merged: SandboxSchema = {}
  for (const part of [own, ...parts]) {
    const required = [...(merged.required ?? []), ...(part.required ?? [])]
    const properties = { ...merged.properties, ...part.properties }
    Object.assign(merged, part)
    if (required.length > 0) merged.required = [...new Set(required)]
    if (Object.keys(properties).length > 0) merged.properties = properties
  }
  return merged
}

function resolve(reference: string, root: SandboxSchema): SandboxSchema {
  let found: unknown = reference.startsWith('#') ? root : undefined
  for (const key of reference.split('/').slice(1)) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    found = (found as Record<string, unknown> | undefined)?.[name]
  }
  return (found as SandboxSchema | undefined) ?? {}
}
