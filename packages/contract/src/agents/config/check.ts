import { type TSchema, Type } from 'typebox'
import type { FieldError } from '../../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS } from '../../errors/field-path.ts'
import { jsonBytes } from '../../schema/json-bytes.ts'
import { isJsonObject, type JsonObject, propertyOf } from '../../schema/json-object.ts'
import { type Validate, validator } from '../../validation/validator.ts'
import { type AgentConfig, AgentConfigInput } from './agent-config.ts'
import { AGENT_CONFIG_DEFAULTS, FALLBACK_DEFAULTS } from './defaults.ts'
import { guardrailErrors, UncheckedGuardrails } from './guardrails.ts'
import { httpPlan } from './http-tool.ts'
import { mergeConfig } from './merge.ts'
import { reservedOptions } from './provider-options.ts'
import { schemaExcess } from './schema-excess.ts'
import { ApprovalCondition, MAX_TOOLS, TOOL_SCHEMAS, type ToolConfig } from './tools.ts'

/** Maximum size of a configuration, as JSON. */
export const MAX_CONFIG_BYTES = 256 * 1024
export const TOO_LARGE: FieldError = { path: 'config', message: 'must be at most 256 KB of JSON' }
/** Deeper values would overflow the stack in the recursive functions below and in later readers. */
const MAX_DEPTH = 64
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

// Tools and guardrails are checked by their `type`, and approvals by their shape, because a union would only report that no
// branch matches.
const withoutTools = validator(
  Type.Object({
    ...AgentConfigInput.properties,
    guardrails: Type.Optional(UncheckedGuardrails),
    tools: Type.Optional(Type.Array(Type.Unknown(), { maxItems: MAX_TOOLS })),
  }),
)
const tools = new Map<string, Validate<unknown>>(
  Object.entries(TOOL_SCHEMAS).map(([type, schema]) => {
    const properties = { ...schema.properties, approval: Type.Optional(Type.Unknown()) }
    return [type, validator<TSchema>(Type.Object(properties, { additionalProperties: false }))]
  }),
)
const condition = validator(ApprovalCondition)

/**
 * Failures that prevent a merge: more JSON than a configuration may have, reserved keys, and values nested too deeply.
 * Each path is listed once. Runs before every other check of a patch, so that their work is bounded by the size of a
 * configuration.
 */
export function refusedShapes(value: unknown, path: string): FieldError[] {
  if (jsonBytes(value, MAX_CONFIG_BYTES) > MAX_CONFIG_BYTES) return [TOO_LARGE]
  const found = new Map<string, FieldError>()
  collectRefused(value, path, 0, found)
  return [...found.values()]
}

function collectRefused(value: unknown, path: string, depth: number, found: Map<string, FieldError>): void {
  if (typeof value !== 'object' || value === null || found.size >= MAX_FIELD_ERRORS) return
  if (depth > MAX_DEPTH) {
    found.set('config', { path: 'config', message: `must be nested at most ${MAX_DEPTH} levels deep` })
    return
  }
  for (const [key, child] of Object.entries(value)) {
    const place = fieldPath(path, key)
    if (FORBIDDEN_KEYS.has(key)) found.set(place, { path: place, message: 'is a reserved key' })
    else collectRefused(child, place, depth + 1, found)
  }
}

function toolErrors(items: unknown): FieldError[] {
  if (!Array.isArray(items)) return []
  return items.slice(0, MAX_TOOLS).flatMap((item: unknown, index) => {
    const path = `config.tools.${index}`
    const type = propertyOf(item, 'type')
    const check = typeof type === 'string' ? tools.get(type) : undefined
    if (!check) {
      return [{ path: `${path}.type`, message: `must be one of: ${Object.keys(TOOL_SCHEMAS).join(', ')}` }]
    }
    const checked = check(item, path)
    const errors = checked.ok ? [] : checked.errors
    const approval = approvalErrors(propertyOf(item, 'approval'), `${path}.approval`)
    const crossed = areApart(item, errors, path) ? crossedToolErrors(item, path) : []
    return [...errors, ...approval, ...crossed]
  })
}

/** Options of a tool that no other option depends on. */
const APART = new Set([
  'name',
  'description',
  'idempotent',
  'timeout_ms',
  'approval_timeout_s',
  'response_max_kb',
  'memory_mb',
  'prefix',
])

/** Whether the faults of a tool leave its dependent options valid, so that all faults can be reported together. */
function areApart(item: unknown, errors: readonly FieldError[], path: string): item is ToolConfig {
  return isJsonObject(item) && errors.every((error) => APART.has(error.path.slice(path.length + 1)))
}

/** Rules of a tool that its schema cannot express. */
function crossedToolErrors(tool: ToolConfig, path: string): FieldError[] {
  const found = contradiction(tool)
  const given = 'input_schema' in tool ? tool.input_schema : undefined
  const fault = given === undefined ? null : inputSchemaFault(given)
  return [
    ...(found ? [{ path: `${path}.${found.key}`, message: found.message }] : []),
    ...httpErrors(tool, path),
    ...(fault === null ? [] : [{ path: `${path}.input_schema`, message: fault }]),
  ]
}

function sameNames(items: unknown): FieldError[] {
  if (!Array.isArray(items)) return []
  const seen = new Set<string>()
  return items.slice(0, MAX_TOOLS).flatMap((item: unknown, index) => {
    const name = propertyOf(item, 'name') ?? propertyOf(item, 'builtin')
    if (typeof name !== 'string' || name === '') return []
    if (seen.has(name)) return [{ path: `config.tools.${index}.name`, message: 'is used by another tool' }]
    seen.add(name)
    return []
  })
}

function approvalErrors(approval: unknown, path: string): FieldError[] {
  if (approval === undefined || approval === 'never' || approval === 'always') return []
  if (!isJsonObject(approval)) {
    return [{ path, message: 'must be never, always, or an object with field and op' }]
  }
  const checked = condition(approval, path)
  return checked.ok ? [] : checked.errors
}

function isOpenapi({ openapi, swagger }: JsonObject): boolean {
  return swagger === '2.0' || (typeof openapi === 'string' && /^3\.[01](\.|$)/.test(openapi))
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function isTimeZone(zone: string): boolean {
  // Intl also accepts offsets such as +02:00, which are not IANA zones.
  if (!/^[A-Za-z]/.test(zone)) return false
  // The default; the first formatter of a process loads the data of all zones.
  if (zone === 'UTC') return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const ADDRESS = 'must start with http:// or https:// and a host'

/** A fault of a tool that its schema cannot express, with its option; null if there is none. */
function contradiction(tool: ToolConfig): { key: string; message: string } | null {
  if (tool.approval_notify && (tool.approval ?? 'never') === 'never') {
    return {
      key: 'approval_notify',
      message: 'must be absent without an approval: it is sent when a call waits for one',
    }
  }
  switch (tool.type) {
    case 'mcp':
      if (!tool.server_id && !tool.url) {
        return { key: 'server_id', message: 'must be given, unless there is a url' }
      }
      if (tool.server_id && tool.url) return { key: 'url', message: 'cannot be combined with server_id' }
      return tool.url && !isWebAddress(tool.url) ? { key: 'url', message: ADDRESS } : null
    case 'openapi':
      if (!tool.document && !tool.spec_url) {
        return { key: 'spec_url', message: 'must be given, unless there is a document' }
      }
      if (isJsonObject(tool.document) && !isOpenapi(tool.document)) {
        return { key: 'document', message: 'must be OpenAPI 3.0 or 3.1, or Swagger 2.0' }
      }
      return tool.spec_url && !isWebAddress(tool.spec_url) ? { key: 'spec_url', message: ADDRESS } : null
    case 'builtin':
      if (tool.builtin === 'web_search') {
        return tool.auth_credential_id
          ? null
          : { key: 'auth_credential_id', message: 'is required: web_search needs a credential' }
      }
      return tool.auth_credential_id
        ? { key: 'auth_credential_id', message: `must be absent: ${tool.builtin} sends none` }
        : null
    default:
      return null
  }
}

function httpErrors(tool: ToolConfig, path: string): FieldError[] {
  const planned = tool.type === 'http' ? httpPlan(tool) : null
  return planned?.ok === false
    ? planned.errors.map((error) => ({ path: `${path}.${error.path}`, message: error.message }))
    : []
}

/** Why a schema cannot describe the arguments of a tool; null if it can. */
function inputSchemaFault(schema: Record<string, unknown>): string | null {
  const { type = 'object' } = schema
  return type === 'object' ? schemaExcess(schema) : 'must describe an object: its type must be object'
}

function crossFieldErrors(config: AgentConfig): FieldError[] {
  const errors = reservedOptions(config.model, 'config.model')
  if (!isTimeZone(config.prompt.timezone)) {
    errors.push({
      path: 'config.prompt.timezone',
      message: 'must be an IANA time zone such as Europe/Berlin',
    })
  }
  if (config.execution.output.mode === 'json_schema' && config.execution.output.schema === null) {
    errors.push({ path: 'config.execution.output.schema', message: 'is required when mode is json_schema' })
  }
  const { schema } = config.execution.output
  const excess = schema === null ? null : schemaExcess(schema)
  if (excess !== null) errors.push({ path: 'config.execution.output.schema', message: excess })
  config.skills.forEach((skill, index) => {
    if (!skill.skill_id && !skill.slug) {
      errors.push({ path: `config.skills.${index}`, message: 'must have skill_id or slug' })
    }
  })
  return errors
}

/** The outcome of a merge: the complete configuration, or every failure with paths below `config`. */
export type MergedConfig = { ok: true; config: AgentConfig } | { ok: false; errors: FieldError[] }

/**
 * Merges a partial configuration onto a stored one (or onto the defaults) and checks the complete result. Never throws
 * for bad input and never changes its arguments.
 */
export function mergeAgentConfig(patch: Record<string, unknown>, stored?: AgentConfig): MergedConfig {
  const refused = refusedShapes(patch, 'config')
  if (refused.length > 0) return { ok: false, errors: refused }
  const defaults: JsonObject = AGENT_CONFIG_DEFAULTS
  const base = stored ? mergeConfig(defaults, stored, defaults, AgentConfigInput) : defaults
  const merged = mergeConfig(structuredClone(base), patch, defaults, AgentConfigInput) as AgentConfig
  const checked = withoutTools(merged, 'config')
  const errors = [
    ...(checked.ok ? [] : checked.errors),
    ...toolErrors(merged.tools),
    ...sameNames(merged.tools),
    ...guardrailErrors(merged.guardrails),
  ]
  if (jsonBytes(merged, MAX_CONFIG_BYTES) > MAX_CONFIG_BYTES) errors.push(TOO_LARGE)
  if (checked.ok) {
    merged.model.fallbacks = merged.model.fallbacks.map((fallback) => ({
      ...structuredClone(FALLBACK_DEFAULTS),
      ...fallback,
    }))
    errors.push(...crossFieldErrors(merged))
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, config: merged }
}
