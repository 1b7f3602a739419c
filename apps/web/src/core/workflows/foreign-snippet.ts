import { isJsonObject, JSON_BUDGET, parseJson } from '@troupe/contract'
import { MAX_GRAPH_BYTES } from '@troupe/graph'

const BUDGET = { ...JSON_BUDGET, characters: MAX_GRAPH_BYTES, values: 200_000 }

/** The marker of nodes copied from Dify. Source: web/app/components/workflow/utils/clipboard.ts of github.com/langgenius/dify. */
const DIFY_CLIPBOARD = 'dify-workflow-clipboard'

/**
 * Whether a text of the clipboard is nodes that n8n or Dify has copied, which the server can read. n8n copies a part of its export: nodes
 * with names and types, and their connections by name (packages/frontend/editor-ui of github.com/n8n-io/n8n).
 */
export function isForeignSnippet(text: string): boolean {
  const read = parseJson(text, BUDGET)
  if (!read.ok || !isJsonObject(read.value) || !Array.isArray(read.value.nodes)) return false
  const { kind, nodes, edges, connections } = read.value
  if (nodes.length === 0) return false
  if (kind === DIFY_CLIPBOARD) return Array.isArray(edges)
  return (
    isJsonObject(connections) &&
    nodes.every(
      (node) => isJsonObject(node) && typeof node.type === 'string' && typeof node.name === 'string',
    )
  )
}
