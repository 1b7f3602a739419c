import { isJsonObject } from '@troupe/contract'
import { type GraphNode, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { withValueAt } from '../values/json-path.ts'

/** New ids of steps by their former ones. */
export type IdChanges = ReadonlyMap<string, string>

/** A node whose tokens name steps by their new ids: the same object when none of them changes. */
export function rewired(node: GraphNode, ids: IdChanges): GraphNode {
  const definition = NODE_TYPES.get(node.type)
  if (!definition) {
    const config = rewiredValue(node.config, ids)
    return config === node.config || !isJsonObject(config) ? node : { ...node, config }
  }
  let { config } = node
  for (const { path, value } of definition.templates?.(config) ?? []) {
    const changed = rewiredValue(value, ids)
    if (changed !== value) config = path === '' ? config : withValueAt(config, path, changed)
  }
  return config === node.config ? node : { ...node, config }
}

function rewiredValue(value: unknown, ids: IdChanges): unknown {
  if (typeof value === 'string') return rewiredText(value, ids)
  if (Array.isArray(value)) {
    const items = value.map((item) => rewiredValue(item, ids))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, rewiredValue(inner, ids)] as const)
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries)
}

/** Only the id inside a token changes; everything else of the text stays as it was typed. */
function rewiredText(text: string, ids: IdChanges): string {
  if (!text.includes('{{')) return text
  let result = ''
  let end = 0
  for (const part of tokenize(text)) {
    if (part.kind !== 'token' || part.path.namespace !== 'upstream') continue
    const id = ids.get(part.path.nodeId)
    if (id === undefined) continue
    const token = text.slice(part.from, part.to)
    const at = token.indexOf('.') + 1
    result += text.slice(end, part.from) + token.slice(0, at) + id + token.slice(at + part.path.nodeId.length)
    end = part.to
  }
  return end === 0 ? text : result + text.slice(end)
}
