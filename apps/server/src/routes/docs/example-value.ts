import { isJsonObject } from '@troupe/contract'
import type { JsonSchema } from '@troupe/http/openapi/writing/schema-writer'

const STRINGS: Record<string, string> = {
  uuid: '0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50',
  'date-time': '2026-01-31T12:00:00.000Z',
}
const BY_NAME: Record<string, unknown> = {
  name: 'Writer',
  message: 'Say hello in French.',
  description: 'Writes short texts.',
  // A number for fiction (North American Numbering Plan, 555-0100 to 555-0199).
  to: '+12025550123',
  providerId: 'openai',
  modelId: 'gpt-4o-mini',
  status: 'draft',
  createdAt: 1769860800,
  contextLength: 128_000,
  maxOutputTokens: 16_384,
  org_rpm: 1000,
  key_rpm: 60,
  max_file_size_mb: 16,
  max_total_size_mb: 64,
  max_files_per_request: 10,
  enabled: false,
  note: 'File uploads for runs are currently disabled.',
  content: '[sandbox] Writer: Say hello in French.',
  agentName: 'Writer',
  inputTokens: 12,
  outputTokens: 34,
  latencyMs: 56,
  model: null,
  failoverUsed: false,
  total: 1,
}

/** An example value for a schema: its own example, or all properties; with `required` only the required ones. */
export function exampleValue(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  only: 'all' | 'required' = 'all',
  name = '',
): unknown {
  if (typeof schema.$ref === 'string') {
    return exampleValue(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components, only, name)
  }
  const [own] = Array.isArray(schema.examples) ? schema.examples : []
  if (isJsonObject(own)) return own
  const [first] = schema.anyOf ?? []
  if (first) return exampleValue(first, components, only, name)
  if (schema.const !== undefined) return schema.const
  const types = [schema.type].flat()
  if (types[0] === 'object') return exampleObject(schema, components, only)
  if (types[0] === 'array') {
    if (types.includes('null')) return null
    return [exampleValue(schema.items ?? {}, components, only, name)]
  }
  return exampleScalar(schema, types[0], name)
}

function exampleObject(schema: JsonSchema, components: Record<string, JsonSchema>, only: 'all' | 'required') {
  const required = schema.required ?? []
  const properties = schema.properties ?? {}
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => only === 'all' || required.includes(key))
      .map(([key, property]) => [key, exampleValue(property, components, only, key)]),
  )
}

function exampleScalar(schema: JsonSchema, type: unknown, name: string): unknown {
  if (BY_NAME[name] === null && [schema.type].flat().includes('null')) return null
  const [option] = schema.enum ?? []
  if (option !== undefined) return option
  if (schema.default !== undefined) return schema.default
  const known = BY_NAME[name]
  const format = typeof schema.format === 'string' ? STRINGS[schema.format] : undefined
  if (format !== undefined) return format
  if (type === 'string') return typeof known === 'string' ? known : '…'
  if (type === 'integer' || type === 'number')
    return typeof known === 'number' ? known : (schema.minimum ?? 1)
  if (type === 'boolean') return typeof known === 'boolean' ? known : true
  return null
}
