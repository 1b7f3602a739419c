import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { OpenObject } from '../schema/objects.ts'
import { MAX_CONTEXT_KEYS } from './tool-context.ts'

const identity = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))

/** The body that starts an agent run. */
export const AgentRunBody = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: 100_000,
    pattern: '\\S',
    patternMessage: 'must not be only white space',
    description: 'The prompt; not only white space.',
  }),
  session_id: identity('Continues a conversation; generated when omitted.'),
  user_id: identity("The caller's end user; generated when omitted."),
  include_messages: Type.Optional(Type.Boolean({ default: false })),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._:/ -]*$',
      patternMessage: 'must start with a letter or digit and have only letters, digits, spaces and . _ : / -',
    }),
  ),
  tool_context: Type.Optional(
    OpenObject({
      maxProperties: MAX_CONTEXT_KEYS,
      description: 'Values that tools read and the model never sees.',
    }),
  ),
})
export type AgentRunBody = Static<typeof AgentRunBody>

/** The body that starts a streaming agent run. */
export const AgentStreamBody = Type.Object({
  ...AgentRunBody.properties,
  on_disconnect: Type.Optional(
    Choice(['continue', 'cancel'], {
      default: 'continue',
      description: 'What happens to the run when the caller disconnects.',
    }),
  ),
})
export type AgentStreamBody = Static<typeof AgentStreamBody>

const { message, session_id, user_id, include_messages } = AgentRunBody.properties

/** The body that starts a team run. Other keys are ignored, including `tag` and `tool_context`. */
export const TeamRunBody = Type.Object({ message, session_id, user_id, include_messages })
export type TeamRunBody = Static<typeof TeamRunBody>

/** The body that starts a streaming team run. */
export const TeamStreamBody = Type.Object({
  ...TeamRunBody.properties,
  on_disconnect: AgentStreamBody.properties.on_disconnect,
})
export type TeamStreamBody = Static<typeof TeamStreamBody>

/** `Idempotency-Key`: the same key with the same body returns the first run. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})
