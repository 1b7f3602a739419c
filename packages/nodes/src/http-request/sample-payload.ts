import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'

type Trigger = Pick<GraphNode, 'type' | 'config'>

const EXAMPLES: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false, object: {} }

/**
 * The input of a manual run for a trigger: its sample plus missing required fields, or an empty value for each of its fields; below `body`
 * if the steps read the payload of a webhook.
 */
export function samplePayload({ type, config }: Trigger, isBody = false): unknown {
  if (type === 'http-request') {
    const sample = httpSample(config)
    return isBody ? { body: sample } : sample
  }
  if (type === 'form-trigger') {
    const fields = fieldsOf(config)
    const answers = valuesOf(fields, ({ type: kind }) => (kind === 'number' ? 0 : ''))
    return { body: { ...answers, ...answersIn(fields, config.sample) } }
  }
  if (isJsonObject(config.sample)) return config.sample
  return {}
}

/** The body that a call of the webhook may send, so that every trigger that it starts accepts it; null if they declare nothing. */
export function sampleBody(triggers: readonly Trigger[]): Record<string, unknown> | null {
  const called = triggers.filter(({ type }) => type === 'http-request')
  // Without one, a call starts the others; a form reads its values below `body`, where a webhook puts them.
  const fired = called.length > 0 ? called : triggers.filter(({ type }) => type === 'form-trigger')
  const bodies = fired.map((trigger) => {
    const sample = samplePayload(trigger)
    return isJsonObject(sample) && trigger.type === 'form-trigger' ? sample.body : sample
  })
  const body = Object.assign({}, ...bodies.filter(isJsonObject))
  return Object.keys(body).length > 0 ? body : null
}

function httpSample(config: Record<string, unknown>): Record<string, unknown> {
  const example = (field: Record<string, unknown>) => EXAMPLES[String(field.type)] ?? null
  const fields = fieldsOf(config)
  if (!isJsonObject(config.sample)) return valuesOf(fields, example)
  const required = fields.filter((field) => field.required === true)
  return { ...valuesOf(required, example), ...config.sample }
}

/** The answers in a sample for the questions of the form. */
function answersIn(fields: readonly Record<string, unknown>[], sample: unknown): Record<string, unknown> {
  if (!isJsonObject(sample)) return {}
  const names = new Set(fields.map(({ name }) => String(name)))
  return Object.fromEntries(Object.entries(sample).filter(([name]) => names.has(name)))
}

function fieldsOf({ fields }: Record<string, unknown>): Record<string, unknown>[] {
  return (Array.isArray(fields) ? fields : []).filter(isJsonObject)
}

function valuesOf(
  fields: readonly Record<string, unknown>[],
  example: (field: Record<string, unknown>) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [String(field.name), example(field)]))
}
