import type { NodeDefinition } from './definition/node-definition.ts'
import { NODE_DEFINITIONS } from './generated/definitions.ts'

export type { Control, FieldOptions, FormHint } from './definition/form-hint.ts'
export type { NodeDefinition, NodeGroup } from './definition/node-definition.ts'

type Listed = (typeof NODE_DEFINITIONS)[number]
/** The names of the node types. */
export type NodeTypeName = Listed['type']
/** The node types that execute; a note does not. */
export type ExecutedType = Exclude<Listed, { role: 'note' }>['type']

/** The node types by name, in the form that the graph expects. */
export const NODE_TYPES: ReadonlyMap<string, NodeDefinition> = new Map<string, NodeDefinition>(
  NODE_DEFINITIONS.map((definition) => [definition.type, definition]),
)

export { NODE_DEFINITIONS }
