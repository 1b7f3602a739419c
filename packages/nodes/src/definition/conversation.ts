import { isUuid } from '@troupe/contract'
import type { ResourceReference } from '@troupe/graph'
import { OneOf, OptionalText, Text } from './fields.ts'
import { timingFields } from './timing.ts'

/** Maximum length of a message to an agent or a team, after interpolation. */
export const MAX_MESSAGE = 100_000
/** Maximum length of a session or user, as in the API. */
export const MAX_IDENTITY = 255

/** The fields of a node that calls an agent or a team. */
export const conversationFields = (timeoutSeconds?: number) => ({
  message: Text({
    title: 'Message',
    minLength: 1,
    maxLength: MAX_MESSAGE,
    form: { control: 'text-area', placeholder: 'Summarize: {{ trigger.text }}' },
  }),
  sessionId: OptionalText({
    title: 'Session',
    description: 'Continues one conversation. Empty: a new one each time.',
    form: { control: 'text', advanced: true },
  }),
  userId: OptionalText({
    title: 'User',
    description: 'On whose behalf the message is sent.',
    form: { control: 'text', advanced: true },
  }),
  onUnsuccessful: OneOf(
    { continue: 'Continue with the reply', fail: 'Fail the step' },
    {
      title: 'When it does not succeed',
      default: 'continue',
      form: { control: 'choice', advanced: true },
    },
  ),
  ...timingFields(timeoutSeconds),
})

/** The agent or team of a key. */
export function referenceTo(
  kind: 'agent' | 'team',
  key: string,
  config: Record<string, unknown>,
): ResourceReference[] {
  const id = config[key]
  return isUuid(id) ? [{ kind, id, path: key }] : []
}
