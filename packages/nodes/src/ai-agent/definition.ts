import { Type } from 'typebox'
import { conversationFields, referenceTo } from '../definition/conversation.ts'
import { OutputSchema, ResourceId, Value } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { schemaFields } from '../definition/output-fields.ts'
import { outputSchemaProblems } from '../definition/output-schema.ts'

/** Sends a message to an agent. */
export const aiAgent = defineNode({
  type: 'ai-agent',
  role: 'effect',
  title: 'AI Agent',
  summary: 'Sends a message to one of your agents and returns its reply.',
  icon: 'bot',
  group: 'ai',
  place: 1,
  schema: Type.Object({
    agentId: ResourceId({ title: 'Agent', form: { control: 'agent' } }),
    ...conversationFields(),
    toolContext: Value({
      title: 'Tool context',
      description: 'An object that the tools of the agent see and the model does not.',
      default: {},
      form: { control: 'json', advanced: true },
    }),
    outputSchema: OutputSchema,
  }),
  handles: () => ['out'],
  outputsOf: ({ outputSchema }) => schemaFields(outputSchema),
  references: (config) => referenceTo('agent', 'agentId', config),
  rules: outputSchemaProblems,
})
