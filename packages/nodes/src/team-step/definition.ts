import { Type } from 'typebox'
import { conversationFields, referenceTo } from '../definition/conversation.ts'
import { ResourceId } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'

/** Teams take longer than agents. */
const TIMEOUT_SECONDS = 900

/** Sends a request to a team. */
export const teamStep = defineNode({
  type: 'team-step',
  role: 'effect',
  title: 'Team Step',
  summary: 'Gives a request to one of your teams and waits for its answer.',
  icon: 'users',
  group: 'ai',
  place: 2,
  schema: Type.Object({
    teamId: ResourceId({ title: 'Team', form: { control: 'team' } }),
    ...conversationFields(TIMEOUT_SECONDS),
  }),
  handles: () => ['out'],
  references: (config) => referenceTo('team', 'teamId', config),
})
