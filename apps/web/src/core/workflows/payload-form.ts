import { isJsonObject, type JsonObject, REDACTED } from '@troupe/contract'
import { declaredFieldFault, type GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { readForm } from '@troupe/nodes/form'
import { readSubmission } from '@troupe/nodes/form-submission'
import { type PayloadField, payloadFields } from '@troupe/nodes/sample-payload'

type Trigger = Pick<GraphNode, 'type' | 'config'>

/** A payload as values of the declared fields of its trigger. */
export interface PayloadForm {
  fields: readonly PayloadField[]
  /** By field name, also of values that no field declares. */
  values: JsonObject
  /** Values that no field declares. */
  others: JsonObject
  /** The payload with other values. */
  with(values: JsonObject): unknown
  /** The payload with one value; undefined: the field is empty. */
  withValue(field: PayloadField, value: unknown): unknown
}

/** null: the trigger declares no fields, or the payload cannot have them because it is not an object. */
export function payloadForm(trigger: Trigger | undefined, payload: unknown): PayloadForm | null {
  const fields = trigger === undefined ? [] : payloadFields(trigger)
  if (trigger === undefined || fields.length === 0 || !isJsonObject(payload)) return null
  const isBelow = isBelowBody(trigger, fields, payload)
  const holder = isBelow ? (payload.body ?? {}) : payload
  if (!isJsonObject(holder)) return null
  const names = new Set(fields.map(({ name }) => name))
  const put = (values: JsonObject) => (isBelow ? { ...payload, body: values } : values)
  return {
    fields,
    values: holder,
    others: Object.fromEntries(Object.entries(holder).filter(([name]) => !names.has(name))),
    with: put,
    withValue: (field, value) => put(withAnswer(trigger, field, holder, value)),
  }
}

/** A form always has its answers below `body`, and a webhook its fields; a call by the API has them at the top. */
function isBelowBody({ type }: Trigger, fields: readonly PayloadField[], payload: JsonObject): boolean {
  if (type === 'form-trigger') return true
  return isJsonObject(payload.body) && fields.every(({ name }) => name !== 'body')
}

/** An unanswered question of a form is bound to null or an empty list, as by a submission. An empty field of a call is omitted. */
function withAnswer({ type }: Trigger, field: PayloadField, holder: JsonObject, value: unknown): JsonObject {
  const { [field.name]: _former, ...others } = holder
  if (value !== undefined) return { ...holder, [field.name]: value }
  return type === 'form-trigger' ? { ...others, [field.name]: field.isList ? [] : null } : others
}

/** Identifies a password among those that were typed into fields. */
export function passwordKey({ id }: Pick<GraphNode, 'id'>, name: string): string {
  return `${id} ${name}`
}

/**
 * A stored payload with the passwords that were typed into its fields, in place of `REDACTED`. A password that is no
 * longer known, after a reload for example, is an unanswered question.
 *
 * @param triggers of the workflow: a password that was typed for another one stays in the payload when `trigger` is
 * chosen
 * @param passwords by {@link passwordKey}
 */
export function withPasswords(
  trigger: GraphNode | undefined,
  payload: unknown,
  triggers: readonly GraphNode[],
  passwords: ReadonlyMap<string, string>,
): unknown {
  if (trigger === undefined) return payload
  const declared = new Set(payloadFields(trigger).map(({ name }) => name))
  let filled = payload
  for (const one of [trigger, ...triggers.filter(({ id }) => id !== trigger.id)]) {
    for (const field of payloadFields(one)) {
      const isOwn = one === trigger || !declared.has(field.name)
      const form = field.type === 'password' && isOwn ? payloadForm(one, filled) : null
      if (form?.values[field.name] !== REDACTED) continue
      filled = form.withValue(field, passwords.get(passwordKey(one, field.name)))
    }
  }
  return filled
}

/** Why values are refused, by the name of their field, as by the trigger itself. Files of a sample are not checked: they were never uploaded. */
export function payloadFaults(trigger: Trigger, { values }: PayloadForm): ReadonlyMap<string, string> {
  if (trigger.type === 'form-trigger') {
    const form = readForm(trigger.config)
    if (!form.ok) return new Map()
    const read = readSubmission({ fields: form.value.fields.filter(({ type }) => type !== 'file') }, values)
    return new Map(read.ok ? [] : read.issues.map(({ field, message }) => [field, message]))
  }
  const declared = NODE_TYPES.get(trigger.type)?.fields?.(trigger.config) ?? []
  return new Map(
    declared.flatMap((field) => {
      const fault = declaredFieldFault(field, values)
      return fault === null ? [] : [[field.name, fault]]
    }),
  )
}
