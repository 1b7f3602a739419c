import { Type } from 'typebox'
import { OutputSchema, Text } from '../definition/fields.ts'
import { ModelField, modelProblems, modelReferences } from '../definition/model-field.ts'
import { defineNode } from '../definition/node-definition.ts'
import { schemaFields } from '../definition/output-fields.ts'
import { outputSchemaProblems } from '../definition/output-schema.ts'
import { timingFields } from '../definition/timing.ts'

/** Calls a model once, without an agent. */
export const aiPrompt = defineNode({
  type: 'ai-prompt',
  role: 'effect',
  title: 'AI Prompt',
  summary: 'Asks a model once, without agent, tools or memory.',
  icon: 'sparkles',
  group: 'ai',
  place: 3,
  schema: Type.Object({
    system: Text({ title: 'System prompt', default: '', form: { control: 'text-area' } }),
    prompt: Text({ title: 'Prompt', minLength: 1, form: { control: 'text-area' } }),
    model: ModelField,
    outputSchema: OutputSchema,
    ...timingFields(),
  }),
  handles: () => ['out'],
  outputsOf: ({ outputSchema }) => schemaFields(outputSchema),
  references: modelReferences,
  rules: (config) => [...modelProblems(config), ...outputSchemaProblems(config)],
})
