import type { GraphNode, NodeRole } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** The ways on from a step; of a type that is not known here, one. */
export function handlesOf({ type, config }: Pick<GraphNode, 'type' | 'config'>): readonly string[] {
  return NODE_TYPES.get(type)?.handles(config) ?? ['out']
}

/** null: the type is not known here. */
export function roleOf({ type }: Pick<GraphNode, 'type'>): NodeRole | null {
  return NODE_TYPES.get(type)?.role ?? null
}

/** The way on that is not the body of a Loop; null: nothing follows the step, as with a note. */
export function wayOn(node: Pick<GraphNode, 'type' | 'config'>): string | null {
  return handlesOf(node).find((handle) => handle !== 'body') ?? null
}

/** The frame of what follows a handle: the body of a Loop, or that of the step itself. */
export function levelBehind(
  node: Pick<GraphNode, 'id' | 'parentId' | 'type'>,
  handle: string,
): string | null {
  return handle === 'body' && roleOf(node) === 'loop' ? node.id : node.parentId
}
