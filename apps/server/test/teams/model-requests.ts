import type { ModelServer } from '@troupe/test-kit/model-server'

/** A model call as received by the model server. */
export type RecordedCall = ModelServer['requests'][number]
/** The caller: the lead, a member by its index in the builder, or a fallback model. */
export type Role = 'lead' | 'm1' | 'm2' | 'm3' | 'm4' | 'm5' | 'spare'
/** The purpose of a lead's call; `task` is every call of a member. */
export type Purpose =
  | 'route'
  | 'broadcast'
  | 'submit_plan'
  | 'review'
  | 'delegate'
  | 'synthesis'
  | 'report'
  | 'task'

/** The caller of a model: every role of a test team has a model of that name. */
export function roleOf(call: RecordedCall): Role {
  return String(call.body.model) as Role
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

/** The messages of a call as `role: text`, tool calls behind the text. */
export function conversation(call: RecordedCall | undefined): string[] {
  return (call?.body.messages ?? []).map((message) => {
    const calls = (message.tool_calls ?? []) as { function: { name: string; arguments: string } }[]
    const called = calls.map(({ function: { name, arguments: input } }) => ` [${name} ${input}]`)
    return `${message.role}: ${textOf(message.content)}${called.join('')}`
  })
}

/** The system text of a call; empty when there is none. */
export function systemOf(call: RecordedCall | undefined): string {
  const message = call?.body.messages?.find(({ role }) => role === 'system')
  return textOf(message?.content)
}

/** The last message of a call. */
export function lastMessage(call: RecordedCall | undefined): string {
  return textOf(call?.body.messages?.at(-1)?.content)
}

/** The schema of the only tool of a call; undefined without one. */
export function toolOf(call: RecordedCall | undefined): { name: string; parameters: JsonSchema } | undefined {
  return call?.body.tools?.[0]?.function as { name: string; parameters: JsonSchema } | undefined
}

/** A part of JSON Schema used by tests. */
export interface JsonSchema {
  enum?: string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  description?: string
}

/** The purpose of a call. */
export function purposeOf(call: RecordedCall): Purpose {
  const tool = toolOf(call)?.name
  if (tool !== undefined) return tool as Purpose
  const system = systemOf(call)
  if (system.includes('have all worked on the same request')) return 'synthesis'
  if (system.includes('has worked through a plan')) return 'report'
  return 'task'
}

/** Every text of a call to its model: messages and tools. */
export function everything(call: RecordedCall): string {
  return `${conversation(call).join('\n')}\n${JSON.stringify(call.body.tools ?? [])}`
}

/** The error in the order of a prompt's messages; null if every provider accepts it. */
export function promptDefect(call: RecordedCall): string | null {
  const messages = (call.body.messages ?? []).filter(({ role }) => role !== 'system')
  if (messages.at(0)?.role !== 'user') return 'does not begin with the user'
  const open = new Set<string>()
  let before = ''
  for (const message of messages) {
    const { role } = message
    if (role === 'tool') {
      if (!open.delete(String(message.tool_call_id))) return 'has a result without its call'
      continue
    }
    if (open.size > 0) return 'has a call without its result'
    const afterTools = before === 'assistant' && role === 'assistant'
    if (role === before && !afterTools) return `has two messages of ${role} in a row`
    if (role === 'user' && textOf(message.content) === '') return 'has an empty message'
    for (const { id } of (message.tool_calls ?? []) as { id: string }[]) open.add(id)
    before = role
  }
  return open.size > 0 ? 'ends with a call without its result' : null
}
