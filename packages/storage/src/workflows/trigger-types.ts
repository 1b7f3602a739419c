import { propertyOf, TRIGGER_TYPES, type TriggerType } from '@troupe/contract'

/** The types of the trigger nodes of a graph, in the order of its nodes. */
export function triggerTypesOf(graph: unknown): TriggerType[] {
  const nodes = propertyOf(graph, 'nodes')
  return (Array.isArray(nodes) ? nodes : []).flatMap((node: unknown) => {
    const type = propertyOf(node, 'type')
    return TRIGGER_TYPES.filter((trigger) => trigger === type)
  })
}
