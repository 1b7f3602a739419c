import { isJsonObject } from '@troupe/contract'

/** Choices for a placeholder. */
export interface PlaceholderChoices {
  /** The name of the agent that would have answered. */
  name: string
  /** The member that a lead hands the message to, counted from 0. */
  member: number
}

const quoted = (text: string) => `‹${text}›`

/** The value itself if it is an object; else an empty one. */
export function record(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}

/** The placeholder of a model's text. */
export function placeholderText(name: string): string {
  return quoted(`what ${name} answers`)
}

/** A value that satisfies a JSON Schema: the first choice, all properties, one item. */
function instanceOf(schema: unknown, field: string, name: string): unknown {
  if (!isJsonObject(schema)) return null
  const { type, properties, items, minItems } = schema
  const choices = schema.enum
  if (Array.isArray(choices)) return choices[0]
  if (schema.const !== undefined) return schema.const
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'array') {
    const length = typeof minItems === 'number' ? minItems : 1
    return Array.from({ length }, () => instanceOf(items, field, name))
  }
  if (kind === 'object' || isJsonObject(properties)) {
    const known = isJsonObject(properties) ? properties : {}
    return Object.fromEntries(Object.entries(known).map(([key, one]) => [key, instanceOf(one, key, name)]))
  }
  if (kind === 'boolean') return true
  if (kind === 'integer' || kind === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (kind === 'null') return null
  return quoted(`${field} that ${name} writes`)
}

/** The keys in a list of a schema. */
export function choicesOf(schema: unknown, property: string): string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return []
  const one = schema.properties[property]
  const choices = isJsonObject(one) ? one.enum : null
  return Array.isArray(choices) ? choices.filter((key) => typeof key === 'string') : []
}

/** A plan with one task per possible member. */
function planOf(schema: Record<string, unknown>, name: string): unknown {
  const { properties } = schema
  const tasks = isJsonObject(properties) && isJsonObject(properties.tasks) ? properties.tasks.items : null
  return {
    ...record(instanceOf(schema, 'plan', name)),
    tasks: choicesOf(tasks, 'assignee').map((assignee, at) => ({
      ...record(instanceOf(tasks, 'task', name)),
      id: `t${at + 1}`,
      assignee,
      depends_on: [],
    })),
  }
}

/** The placeholder of the input of a required tool, or of a required JSON answer. */
export function placeholderInput(
  tool: string,
  schema: Record<string, unknown>,
  { name, member }: PlaceholderChoices,
): unknown {
  if (tool === 'submit_plan') return planOf(schema, name)
  const instance = instanceOf(schema, tool, name)
  if (tool === 'review') return { ...record(instance), verdict: 'complete' }
  const members = choicesOf(schema, 'member')
  return members.length > 0 ? { ...record(instance), member: members[member] ?? members[0] } : instance
}
