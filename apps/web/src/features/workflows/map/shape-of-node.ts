import type { NodeShape } from '@troupe/editor/outline/frame'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** What the type of a node says of it; a type that is not known here is a step with one way on. */
export function shapeOfNode({ type, config }: GraphNode): NodeShape {
  const definition = NODE_TYPES.get(type)
  return definition
    ? { role: definition.role, handles: definition.handles(config) }
    : { role: 'pure', handles: ['out'] }
}
