import { isJsonObject } from '@troupe/contract'
import { type GraphNode, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { DraftReader } from '../document/draft-document.ts'

/** The given steps and the bodies of Loops among them, which are removed together. */
export function removedTogether(reader: DraftReader, ids: readonly string[]): ReadonlySet<string> {
  const gone = new Set(ids)
  // A Set that grows while it is read.
  for (const id of gone) for (const child of reader.childrenOf(id)) gone.add(child.id)
  return gone
}

/** What tokens name: outputs of steps by their ids, and variables by their names. */
interface Sources {
  steps: ReadonlySet<string>
  variables: ReadonlySet<string>
}

/**
 * The other steps whose tokens name one of these steps, or a variable that only they set, in the order of the draft: they lose their
 * source when the steps are removed.
 */
export function tokenReaders(reader: DraftReader, ids: readonly string[]): GraphNode[] {
  const gone = removedTogether(reader, ids)
  const [removed, left] = [
    reader.nodes().filter(({ id }) => gone.has(id)),
    reader.nodes().filter(({ id }) => !gone.has(id)),
  ]
  const stillSet = new Set(left.flatMap(variablesOf))
  const variables = new Set(removed.flatMap(variablesOf).filter((name) => !stillSet.has(name)))
  return left.filter((node) => readsOneOf(node, { steps: gone, variables }))
}

function variablesOf({ type, config }: GraphNode): readonly string[] {
  return NODE_TYPES.get(type)?.writes?.(config) ?? []
}

function readsOneOf({ type, config }: GraphNode, sources: Sources): boolean {
  const definition = NODE_TYPES.get(type)
  if (!definition) return namesOneOf(config, sources)
  return (definition.templates?.(config) ?? []).some(({ value }) => namesOneOf(value, sources))
}

function namesOneOf(value: unknown, sources: Sources): boolean {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return false
    return tokenize(value).some((part) => {
      if (part.kind === 'text') return false
      const { path } = part
      if (path.namespace === 'upstream') return sources.steps.has(path.nodeId)
      return path.namespace === 'variables' && sources.variables.has(path.name)
    })
  }
  if (Array.isArray(value)) return value.some((item) => namesOneOf(item, sources))
  return isJsonObject(value) && Object.values(value).some((item) => namesOneOf(item, sources))
}
