import {
  AgentRunBody,
  DomainError,
  type FieldError,
  MAX_FIELD_ERRORS,
  Nullable,
  OpenObject,
  validator,
} from '@troupe/contract'
import { Type } from 'typebox'
import { type ReadConversation, readConversation } from './conversation.ts'
import { unsupportedFields } from './unsupported-fields.ts'

/** More than a conversation within the limit of a body needs; bounds the work. */
const MAX_MESSAGES = 2_000
const MESSAGE_CHARACTERS = 100_000

const ChatBody = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 255 }),
  messages: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_MESSAGES }),
  stream: Type.Optional(Nullable(Type.Boolean())),
  stream_options: Type.Optional(
    Nullable(Type.Object({ include_usage: Type.Optional(Nullable(Type.Boolean())) })),
  ),
  user: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  tool_context: AgentRunBody.properties.tool_context,
})
const check = validator(ChatBody)
const checkOpen = validator(OpenObject())

/** A checked request for a chat completion. */
export interface ChatRequest extends ReadConversation {
  /** The id or the name of an agent or a team. */
  model: string
  userId: string | null
  /** Additive to the protocol: values that tools read and the model never sees. */
  toolContext: Record<string, unknown> | null
  stream: boolean
  includeUsage: boolean
}

function refuse(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: errors.slice(0, MAX_FIELD_ERRORS),
  })
}

/**
 * Reads the body of `POST /chat/completions`.
 *
 * @throws DomainError `validation_error` with every failure, of very many the first
 */
export function readChatRequest(body: unknown): ChatRequest {
  const open = checkOpen(body)
  if (!open.ok) throw refuse([{ path: 'body', message: 'must be a JSON object' }])
  const checked = check(body)
  const errors = [...(checked.ok ? [] : checked.errors), ...unsupportedFields(open.value)]
  if (!checked.ok) throw refuse(errors)
  const { model, messages, stream, stream_options: options, user, tool_context: toolContext } = checked.value
  const conversation = readConversation(messages)
  if (!conversation.ok) throw refuse([...errors, ...conversation.errors])
  if (conversation.value.message.length > MESSAGE_CHARACTERS) {
    const message = `must not end with more than ${MESSAGE_CHARACTERS} characters of the user and the application`
    errors.push({ path: 'messages', message })
  }
  if (errors.length > 0) throw refuse(errors)
  return {
    ...conversation.value,
    model,
    userId: user || null,
    toolContext: toolContext ?? null,
    stream: stream ?? false,
    includeUsage: options?.include_usage ?? false,
  }
}
