import { isJsonObject } from '@troupe/contract'
import { type GraphNode, type TokenPath, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { withValueAt } from '../values/json-path.ts'

/** New ids of steps by their previous ones. */
export type IdChanges = ReadonlyMap<string, string>

/** A node whose tokens use the new ids of steps: the same object when no token changes. */
export function rewired(node: GraphNode, ids: IdChanges): GraphNode {
  return withTokens(node, (path, token) => {
    const id = path.namespace === 'upstream' ? ids.get(path.nodeId) : undefined
    if (id === undefined || path.namespace !== 'upstream') return null
    const at = token.indexOf('.') + 1
    return token.slice(0, at) + id + token.slice(at + path.nodeId.length)
  })
}

/** The replacement of a token as text; null: the token is kept. */
type TokenChange = (path: TokenPath, written: string) => string | null

/** A node with changed tokens: the same object when no token changes. */
export function withTokens(node: GraphNode, change: TokenChange): GraphNode {
  const definition = NODE_TYPES.get(node.type)
  if (!definition) {
    const config = changedValue(node.config, change)
    return config === node.config || !isJsonObject(config) ? node : { ...node, config }
  }
  let { config } = node
  for (const { path, value } of definition.templates?.(config) ?? []) {
    const changed = changedValue(value, change)
    if (changed !== value) config = path === '' ? config : withValueAt(config, path, changed)
  }
  return config === node.config ? node : { ...node, config }
}

function changedValue(value: unknown, change: TokenChange): unknown {
  if (typeof value === 'string') return changedText(value, change)
  if (Array.isArray(value)) {
    const items = value.map((item) => changedValue(item, change))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, changedValue(inner, change)] as const)
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries)
}

/** Only the tokens change; the rest of the text is kept as typed. */
function changedText(text: string, change: TokenChange): string {
  if (!text.includes('{{')) return text
  let result = ''
  let end = 0
  for (const part of tokenize(text)) {
    if (part.kind !== 'token') continue
    const changed = change(part.path, text.slice(part.from, part.to))
    if (changed === null) continue
    result += text.slice(end, part.from) + changed
    end = part.to
  }
  return end === 0 ? text : result + text.slice(end)
}
