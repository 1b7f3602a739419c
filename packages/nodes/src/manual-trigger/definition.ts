import { Type } from 'typebox'
import { Sample } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { exampleFields } from '../definition/output-fields.ts'

/** Starts a run manually or through the API. */
export const manualTrigger = defineNode({
  type: 'manual-trigger',
  role: 'trigger',
  trigger: 'manual',
  title: 'Manual trigger',
  summary: 'Starts the workflow by hand in the builder, or over the API.',
  icon: 'play',
  group: 'triggers',
  place: 1,
  schema: Type.Object({ sample: Sample }),
  handles: () => ['out'],
  outputsOf: ({ sample }) => exampleFields(sample),
})
