import type { ImportedDraft } from '@troupe/contract/builder'
import type { Fragment } from '@troupe/editor/clipboard/fragment'
import { parseGraph } from '@troupe/graph'

/**
 * The steps and Notes converted from another product's nodes, for pasting. Additions of the import, such as a trigger if there is
 * none, are removed: the workflow has one. null: no graph.
 */
export function foreignFragment({ draft, report }: ImportedDraft): Fragment | null {
  const parsed = parseGraph(draft)
  if (!parsed.ok) return null
  const own = new Set(report.rows.flatMap(({ nodeIds }) => nodeIds))
  return {
    nodes: parsed.value.nodes.filter(({ id }) => own.has(id)),
    edges: parsed.value.edges.filter(({ source, target }) => own.has(source) && own.has(target)),
  }
}
