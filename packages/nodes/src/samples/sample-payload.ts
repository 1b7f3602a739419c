import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { exampleAnswer, examplePayloadValue } from './example-value.ts'

type Trigger = Pick<GraphNode, 'type' | 'config'>
type Field = Record<string, unknown>

/** The triggers with declared fields: each field has a sample value. */
const SAMPLED: Readonly<Record<string, (field: Field) => unknown>> = {
  'http-request': examplePayloadValue,
  'form-trigger': exampleAnswer,
}

/** A declared field of a trigger, with an example of its value. */
export interface PayloadField {
  /** The key of its value. */
  name: string
  /** The question of a form, or else the name. */
  label: string
  /** The type of the field of its trigger: `string`, `checkboxes`. */
  type: string
  isRequired: boolean
  /** The values that a choice offers; empty for any other type. */
  options: readonly { value: string; label: string }[]
  /** Whether an empty value is a list, as for a field with several files. */
  isList: boolean
  /** Generated from name and type. */
  example: unknown
}

/** Whether a trigger declares fields, which have sample values. */
export function hasSampleFields(type: string): boolean {
  return Object.hasOwn(SAMPLED, type)
}

/** The declared fields of a trigger, without those that have no name yet; empty if it declares none. */
export function payloadFields({ type, config }: Trigger): PayloadField[] {
  const example = SAMPLED[type]
  if (example === undefined) return []
  return fieldsOf(config).flatMap((field) =>
    typeof field.name !== 'string' || field.name === ''
      ? []
      : {
          name: field.name,
          label: typeof field.label === 'string' && field.label !== '' ? field.label : field.name,
          type: String(field.type),
          isRequired: field.required === true,
          options: optionsOf(field),
          isList: Array.isArray(emptyAnswer(field)),
          example: example(field),
        },
  )
}

/** The same without passwords: a sample never has one. */
export function sampleFields(trigger: Trigger): PayloadField[] {
  return payloadFields(trigger).filter(({ type }) => type !== 'password')
}

/**
 * The nodes of a graph with the sample values that tests of its draft keep beside it, in place of the samples in the settings of their
 * triggers.
 *
 * @param samples by the id of the trigger
 */
export function withSamples<N extends Pick<GraphNode, 'id' | 'type' | 'config'>>(
  nodes: readonly N[],
  samples: ReadonlyMap<string, unknown>,
): N[] {
  return nodes.map((node) => {
    const sample = samples.get(node.id)
    return hasSampleFields(node.type) && isJsonObject(sample)
      ? { ...node, config: { ...node.config, sample } }
      : node
  })
}

/**
 * The input of a manual run for a trigger: its sample plus missing required fields, or an example of each of its fields; below `body`
 * if the steps read the payload of a webhook.
 */
export function samplePayload({ type, config }: Trigger, isBody = false): unknown {
  if (type === 'http-request') {
    const sample = httpSample(config)
    return isBody ? { body: sample } : sample
  }
  if (type === 'form-trigger') return { body: formSample(config) }
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
  const fields = fieldsOf(config)
  if (!isJsonObject(config.sample)) return valuesOf(fields, examplePayloadValue)
  const required = fields.filter((field) => field.required === true)
  return { ...valuesOf(required, examplePayloadValue), ...config.sample }
}

/** Without a sample, every question is answered by its example; with one, a missing optional answer is as empty as in a submission. */
function formSample({ sample, ...config }: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsOf(config)
  if (!isJsonObject(sample)) return valuesOf(fields, exampleAnswer)
  return valuesOf(fields, (field) => {
    const name = String(field.name)
    if (Object.hasOwn(sample, name)) return sample[name]
    return field.required === true ? exampleAnswer(field) : emptyAnswer(field)
  })
}

/** A draft may have options of any form: only texts, and objects with a text as their value, are offered. */
function optionsOf({ options }: Field): PayloadField['options'] {
  return (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
    if (typeof option === 'string') return { value: option, label: option }
    if (!isJsonObject(option) || typeof option.value !== 'string') return []
    return { value: option.value, label: typeof option.label === 'string' ? option.label : option.value }
  })
}

function emptyAnswer({ type, multiple }: Field): unknown {
  return type === 'checkboxes' || (type === 'file' && multiple === true) ? [] : null
}

function fieldsOf({ fields }: Record<string, unknown>): Field[] {
  return (Array.isArray(fields) ? fields : []).filter(isJsonObject)
}

function valuesOf(fields: readonly Field[], toValue: (field: Field) => unknown): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [String(field.name), toValue(field)]))
}
