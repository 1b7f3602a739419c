import { isJsonObject } from '@troupe/contract'
import { type GraphNode, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { DraftReader } from '../document/draft-document.ts'

/** The other steps whose tokens name one of these steps, in the order of the draft: they lose their source when the steps are removed. */
export function tokenReaders(reader: DraftReader, ids: readonly string[]): GraphNode[] {
  const gone = new Set(ids)
  // A Set that grows while it is read: bodies of Loops are removed with them.
  for (const id of gone) for (const child of reader.childrenOf(id)) gone.add(child.id)
  return reader.nodes().filter((node) => !gone.has(node.id) && readsOneOf(node, gone))
}

function readsOneOf({ type, config }: GraphNode, ids: ReadonlySet<string>): boolean {
  const definition = NODE_TYPES.get(type)
  if (!definition) return namesOneOf(config, ids)
  return (definition.templates?.(config) ?? []).some(({ value }) => namesOneOf(value, ids))
}

function namesOneOf(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return false
    return tokenize(value).some((part) => {
      return part.kind === 'token' && part.path.namespace === 'upstream' && ids.has(part.path.nodeId)
    })
  }
  if (Array.isArray(value)) return value.some((item) => namesOneOf(item, ids))
  return isJsonObject(value) && Object.values(value).some((item) => namesOneOf(item, ids))
}
