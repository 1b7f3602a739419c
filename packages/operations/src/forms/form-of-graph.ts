import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { type Form, readForm } from '@troupe/nodes/form'

/** The parts of a graph that are read here, compiled or not. */
interface Nodes {
  nodes: readonly Pick<GraphNode, 'type' | 'config'>[]
}

/** The form of a graph that was published, or is about to be; null for one without a Form Trigger. */
export function formOfGraph({ nodes }: Nodes): Form | null {
  const trigger = nodes.find(({ type }) => type === 'form-trigger')
  const read = trigger && readForm(trigger.config)
  return read?.ok ? read.value : null
}

/** Whether the graph has nodes other than triggers and notes. */
export function hasSteps({ nodes }: Nodes): boolean {
  return nodes.some(({ type }) => {
    const role = NODE_TYPES.get(type)?.role
    return role !== 'trigger' && role !== 'note'
  })
}
