import type { ImportedDraft } from '@troupe/contract/builder'
import type { Fragment } from '@troupe/editor/clipboard/fragment'
import { parseGraph } from '@troupe/graph'

/**
 * The steps and Notes that nodes of another product became, to be pasted. What the import added of its own, such as a trigger where nothing
 * starts, is left out: the workflow has one. null: they are no graph.
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
