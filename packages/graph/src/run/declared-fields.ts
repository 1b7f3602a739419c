import { isNumberAsText } from '@troupe/contract'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { DeclaredField } from '../model/node-types.ts'

/** The type of a JSON value in words. */
function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const ARTICLE = { string: 'a string', number: 'a number', boolean: 'a boolean', object: 'an object' }

/** Why the value of a declared field in a payload is refused, without its name: "is required"; null if it is accepted. */
export function declaredFieldFault(field: DeclaredField, payload: unknown): string | null {
  const has = jsonType(payload) === 'object' && Object.hasOwn(payload as object, field.name)
  const value = has ? ((payload as Record<string, unknown>)[field.name] ?? null) : null
  if (value === null) return field.required ? 'is required' : null
  const type = jsonType(value)
  // A number that a double would change is kept as text.
  if (field.type === 'number' && isNumberAsText(value)) return null
  return type === field.type ? null : `must be ${ARTICLE[field.type]} (got ${type})`
}

/** Mismatches between a payload and the declared fields, one sentence per field. A non-object payload has no fields. */
function payloadFieldFaults(fields: readonly DeclaredField[], payload: unknown): string[] {
  return fields.flatMap((field) => {
    const fault = declaredFieldFault(field, payload)
    return fault === null ? [] : `"${field.name}" ${fault}`
  })
}

/**
 * Why a payload does not match the fields of the graph's HTTP trigger; null if it does or none is declared. `checks`
 * leaves out triggers.
 */
export function payloadError(
  graph: CompiledGraph,
  payload: unknown,
  checks: (trigger: FlowNode) => boolean = () => true,
): string | null {
  const triggers = graph.triggers.filter(checks)
  const fields = triggers.flatMap((node) => node.facts.fields?.(node.config) ?? [])
  const faults = payloadFieldFaults(fields, payload)
  return faults.length === 0 ? null : `Payload does not match the HTTP Request trigger: ${faults.join('; ')}`
}
