import type { GraphNode, NodeRole } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** The outgoing handles of a step; one for an unknown type. */
export function handlesOf({ type, config }: Pick<GraphNode, 'type' | 'config'>): readonly string[] {
  return NODE_TYPES.get(type)?.handles(config) ?? ['out']
}

/** null for an unknown type. */
export function roleOf({ type }: Pick<GraphNode, 'type'>): NodeRole | null {
  return NODE_TYPES.get(type)?.role ?? null
}

/** The outgoing handle that is not the body of a Loop; null if nothing can follow the step, such as a note. */
export function wayOn(node: Pick<GraphNode, 'type' | 'config'>): string | null {
  return handlesOf(node).find((handle) => handle !== 'body') ?? null
}

/** The frame behind a handle: the body of a Loop, or the frame of the step itself. */
export function levelBehind(
  node: Pick<GraphNode, 'id' | 'parentId' | 'type'>,
  handle: string,
): string | null {
  return handle === 'body' && roleOf(node) === 'loop' ? node.id : node.parentId
}
