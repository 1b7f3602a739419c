import type { NodeShape } from '@troupe/editor/outline/frame'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** The map's data of a node's type; an unknown type is a step with one output. */
export function shapeOfNode({ type, config }: GraphNode): NodeShape {
  const definition = NODE_TYPES.get(type)
  return definition
    ? { role: definition.role, handles: definition.handles(config) }
    : { role: 'pure', handles: ['out'] }
}
