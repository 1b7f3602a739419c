import { type FieldError, isJsonObject, MAX_FIELD_ERRORS } from '@troupe/contract'

/** The messages of a request in the format of a run. */
export interface ReadConversation {
  /** The user messages after the last answer, preceded by the application's messages. */
  message: string
  history: { user: string; assistant: string }[]
}

const ROLES = ['system', 'developer', 'user', 'assistant'] as const
type Role = (typeof ROLES)[number]

/** Replaces a user message where the assistant wrote first: every provider requires alternating roles. */
const NO_QUESTION = '(The assistant began the conversation.)'

const BLOCK = 'application_instructions'

/** A text that neither opens nor closes the block of the application's instructions. */
const outsideBlock = (text: string) =>
  text.replaceAll(`<${BLOCK}`, `&lt;${BLOCK}`).replaceAll(`</${BLOCK}`, `&lt;/${BLOCK}`)

function roleOf(value: unknown): Role | null {
  return ROLES.find((role) => role === value) ?? null
}

/** The texts of a message; failures are added to `errors`, and reading ends when there are too many to list. */
function textOf(content: unknown, path: string, errors: FieldError[]): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) {
    errors.push({ path, message: 'must be a string or an array of text parts' })
    return ''
  }
  const texts: string[] = []
  for (const [at, part] of content.entries()) {
    const { type, text } = isJsonObject(part) ? part : {}
    if (type === 'text' && typeof text === 'string') texts.push(text)
    else {
      errors.push({
        path: `${path}.${at}`,
        message: 'must be a text part: others are not supported',
      })
    }
    if (errors.length >= MAX_FIELD_ERRORS) break
  }
  return texts.join('')
}

interface ReadMessage {
  role: Role
  text: string
}

function readMessage(message: unknown, path: string, errors: FieldError[]): ReadMessage[] {
  const { role, content, tool_calls: calls, function_call: call } = isJsonObject(message) ? message : {}
  const known = roleOf(role)
  if (known === null) {
    errors.push({ path: `${path}.role`, message: `must be one of ${ROLES.join(', ')}` })
    return []
  }
  if ((Array.isArray(calls) && calls.length > 0) || isJsonObject(call)) {
    errors.push({
      path: `${path}.tool_calls`,
      message: 'is not supported: agents call their tools themselves',
    })
    return []
  }
  return [{ role: known, text: textOf(content, `${path}.content`, errors) }]
}

/** Pairs of messages: consecutive ones of one role are joined, and an answer without a question gets {@link NO_QUESTION}. */
function exchangesOf(messages: readonly ReadMessage[]): {
  asked: string[]
  history: ReadConversation['history']
} {
  const history: ReadConversation['history'] = []
  let asked: string[] = []
  for (const { role, text } of messages) {
    if (text.trim() === '') continue
    const last = history.at(-1)
    if (role === 'user') asked.push(text)
    else if (asked.length === 0 && last) last.assistant += `\n\n${text}`
    else {
      history.push({ user: asked.join('\n\n') || NO_QUESTION, assistant: text })
      asked = []
    }
  }
  return { asked, history }
}

/**
 * Reads `messages`: the last user message is the message of the run, the ones before are its history. System and
 * developer messages are put above the message and marked, because the instructions of the agent are its own.
 */
export function readConversation(
  messages: readonly unknown[],
): { ok: true; value: ReadConversation } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = []
  const read = messages.flatMap((message, at) =>
    errors.length < MAX_FIELD_ERRORS ? readMessage(message, `messages.${at}`, errors) : [],
  )
  const isRule = ({ role }: ReadMessage) => role === 'system' || role === 'developer'
  const rules = read.filter((message) => isRule(message) && message.text.trim() !== '')
  const { asked, history } = exchangesOf(read.filter((message) => !isRule(message)))
  if (errors.length === 0 && asked.length === 0) {
    errors.push({ path: 'messages', message: 'must end with a user message that is not empty' })
  }
  if (errors.length > 0) return { ok: false, errors }
  const application = outsideBlock(rules.map(({ text }) => text).join('\n\n'))
  const prefix = application === '' ? '' : `<${BLOCK}>\n${application}\n</${BLOCK}>\n\n`
  return { ok: true, value: { message: prefix + outsideBlock(asked.join('\n\n')), history } }
}
