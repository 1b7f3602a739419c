import { type ConfigReference, isJsonObject, lowerUuid, propertyOf } from '@troupe/contract'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** All references of the steps of a draft, including disabled steps. Steps of unknown types have none. */
export function draftReferences(draft: unknown): ConfigReference[] {
  const nodes = propertyOf(draft, 'nodes')
  return Array.isArray(nodes) ? nodeReferences(nodes) : []
}

/** The same for some of the steps. */
export function nodeReferences(nodes: readonly unknown[]): ConfigReference[] {
  return nodes.flatMap((node: unknown) => {
    const { id, type, config } = isJsonObject(node) ? node : {}
    if (typeof id !== 'string' || typeof type !== 'string') return []
    const named = NODE_TYPES.get(type)?.references?.(isJsonObject(config) ? config : {}) ?? []
    return named.map(
      (one): ConfigReference => ({
        path: `nodes.${id}.config.${one.path}`,
        kind: one.kind,
        id: one.id === null ? null : lowerUuid(one.id),
        slug: null,
      }),
    )
  })
}
