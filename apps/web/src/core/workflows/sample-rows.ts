import type { TracedNode } from '@troupe/contract/builder'
import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { type Graph, type GraphNode, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** Steps whose values are loaded for one step. */
const MAX_STEPS = 24

/**
 * The rows of a run that a step can read, those named by its tokens first: of each step the row in the same iteration, or else the
 * last one.
 */
export function sampleRows(
  graph: Graph,
  node: GraphNode,
  tokens: readonly KnownToken[],
  rows: readonly TracedNode[],
): TracedNode[] {
  const own = ownRow(node.id, rows)
  const completed = Map.groupBy(
    rows.filter(({ status }) => status === 'completed'),
    ({ nodeId }) => nodeId,
  )
  const triggers = graph.nodes.filter(({ type }) => NODE_TYPES.get(type)?.role === 'trigger')
  const named = tokens.flatMap(({ path }) => /^upstream\.([^.]+)\.output$/.exec(path)?.[1] ?? [])
  const writers = graph.nodes.filter(({ type, config }) => NODE_TYPES.get(type)?.writes?.(config)?.length)
  const wanted = new Set([
    ...triggers.map(({ id }) => id),
    ...readSteps(node),
    ...writers.map(({ id }) => id),
    ...named,
  ])
  const found = [...wanted].flatMap((id) => rowFor(completed.get(id) ?? [], own) ?? [])
  return found.filter(({ nodeId }) => nodeId !== node.id).slice(0, MAX_STEPS)
}

/** The row of a step in a run: the last of its iterations; null: it did not run. */
export function ownRow(nodeId: string, rows: readonly TracedNode[]): TracedNode | null {
  return rows.findLast((row) => row.nodeId === nodeId) ?? null
}

function rowFor(rows: readonly TracedNode[], own: TracedNode | null): TracedNode | null {
  const before = own === null ? rows : rows.filter(({ seq }) => seq < own.seq)
  const isAround = ({ path }: TracedNode) =>
    own !== null && (own.path === path || own.path.startsWith(`${path}/`) || path === '')
  return before.findLast(isAround) ?? before.at(-1) ?? null
}

/** The ids of the steps that the tokens of a step name. */
function readSteps({ type, config }: GraphNode): string[] {
  const texts = NODE_TYPES.get(type)?.templates?.(config) ?? []
  return texts.flatMap(({ value }) =>
    tokenize(typeof value === 'string' ? value : JSON.stringify(value ?? '')).flatMap((part) =>
      part.kind === 'token' && part.path.namespace === 'upstream' ? [part.path.nodeId] : [],
    ),
  )
}
