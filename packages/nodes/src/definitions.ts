import { aiAgent } from './ai-agent/definition.ts'
import { aiPrompt } from './ai-prompt/definition.ts'
import { classify } from './classify/definition.ts'
import type { NodeDefinition } from './definition/node-definition.ts'
import { editFields } from './edit-fields/definition.ts'
import { formTrigger } from './form-trigger/definition.ts'
import { httpRequest } from './http-request/definition.ts'
import { humanReview } from './human-review/definition.ts'
import { ifElse } from './if-else/definition.ts'
import { loop } from './loop/definition.ts'
import { manualTrigger } from './manual-trigger/definition.ts'
import { note } from './note/definition.ts'
import { recurrence } from './recurrence/definition.ts'
import { teamStep } from './team-step/definition.ts'
import { variable } from './variable/definition.ts'

export type { Control, FieldOptions, FormHint } from './definition/form-hint.ts'
export type { NodeDefinition, NodeGroup } from './definition/node-definition.ts'

/** Every node type, in the order of the builder's palette. */
export const NODE_DEFINITIONS = [
  manualTrigger,
  httpRequest,
  formTrigger,
  recurrence,
  aiAgent,
  teamStep,
  aiPrompt,
  classify,
  ifElse,
  loop,
  humanReview,
  variable,
  editFields,
  note,
] as const satisfies readonly NodeDefinition[]

type Listed = (typeof NODE_DEFINITIONS)[number]
/** The names of the node types. */
export type NodeTypeName = Listed['type']
/** The node types that execute; a note does not. */
export type ExecutedType = Exclude<Listed, { role: 'note' }>['type']

/** The node types by name, in the form that the graph expects. */
export const NODE_TYPES: ReadonlyMap<string, NodeDefinition> = new Map<string, NodeDefinition>(
  NODE_DEFINITIONS.map((definition) => [definition.type, definition]),
)

// Types whose configs the server also reads outside runs.
export { httpRequest, recurrence }
