import type { Graph, GraphNode, NodeRole, NodeType } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** A token that a step can read. */
export interface KnownToken {
  /** The text between the braces: `upstream.classify.output.category`. */
  path: string
  source: 'trigger' | 'step' | 'variable' | 'loop'
  /** The name of the step that provides it; null for the trigger and for Loops. */
  stepName: string | null
  /** A type of JSON Schema; null: any. */
  type: string | null
}

/** A graph may have thousands of steps before this one. */
const MAX_TOKENS = 5_000

/**
 * The tokens that a step can read, as far as settings reveal them: the trigger, the steps before it, nearest first, the variables that are
 * set anywhere, and the item of the Loop around it. Linear in the graph.
 */
export function knownTokens(graph: Graph, nodeId: string): KnownToken[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const node = nodes.get(nodeId)
  if (!node) return []
  const before = stepsBefore(graph, nodes, node)
  const steps = before.filter((one) => roleOf(one) !== 'trigger')
  // A step without incoming edges may still be placed behind any trigger.
  const triggers =
    before.length > steps.length
      ? before.filter((one) => roleOf(one) === 'trigger')
      : graph.nodes.filter((one) => roleOf(one) === 'trigger')
  const tokens = [
    ...(isInLoop(nodes, node) ? loopTokens() : []),
    ...triggers.flatMap(triggerTokens),
    ...steps.flatMap(stepTokens),
    ...variableTokens(graph),
  ]
  const byPath = new Map(tokens.slice(0, MAX_TOKENS).map((token) => [token.path, token]))
  return [...byPath.values()]
}

function roleOf({ type }: GraphNode): NodeRole | undefined {
  return NODE_TYPES.get(type)?.role
}

/** The predecessors of a step or of a Loop around it, nearest first. */
function stepsBefore(graph: Graph, nodes: ReadonlyMap<string, GraphNode>, node: GraphNode): GraphNode[] {
  const incoming = Map.groupBy(graph.edges, ({ target }) => target)
  const seen = new Set<string>([node.id])
  const found: GraphNode[] = []
  let near: GraphNode[] = [node]
  while (near.length > 0) {
    const next: GraphNode[] = []
    for (const { id, parentId } of near) {
      for (const { source } of incoming.get(id) ?? []) {
        const step = nodes.get(source)
        if (!step || seen.has(source)) continue
        seen.add(source)
        // The Loop around a step has no output while its body runs.
        if (source !== parentId) found.push(step)
        next.push(step)
      }
      const around = parentId === null ? undefined : nodes.get(parentId)
      if (around && !seen.has(around.id)) {
        seen.add(around.id)
        next.push(around)
      }
    }
    near = next
  }
  return found
}

function isInLoop(nodes: ReadonlyMap<string, GraphNode>, { type, config, parentId }: GraphNode): boolean {
  if (parentId !== null && nodes.has(parentId)) return true
  const facts: NodeType | undefined = NODE_TYPES.get(type)
  return facts?.repeatsWhile?.(config) === true
}

const loopTokens = (): KnownToken[] => [
  { path: 'loop.item', source: 'loop', stepName: null, type: null },
  { path: 'loop.index', source: 'loop', stepName: null, type: 'number' },
]

function fieldsOf({ type, config }: GraphNode) {
  return NODE_TYPES.get(type)?.outputsOf?.(config) ?? []
}

function triggerTokens(trigger: GraphNode): KnownToken[] {
  return fieldsOf(trigger).map(({ path, type }) => ({
    path: `trigger.${path}`,
    source: 'trigger',
    stepName: trigger.name,
    type,
  }))
}

function stepTokens(step: GraphNode): KnownToken[] {
  const of = `upstream.${step.id}.output`
  const token = { source: 'step', stepName: step.name } as const
  const fields = fieldsOf(step)
  return [
    { ...token, path: of, type: fields.length > 0 ? 'object' : null },
    ...fields.map(({ path, type }) => ({ ...token, path: `${of}.${path}`, type })),
  ]
}

function variableTokens(graph: Graph): KnownToken[] {
  return graph.nodes.flatMap((node) =>
    (NODE_TYPES.get(node.type)?.writes?.(node.config) ?? []).map((name) => ({
      path: `variables.${name}`,
      source: 'variable' as const,
      stepName: node.name,
      type: null,
    })),
  )
}

/** The tokens that match the typed text, best first: by the beginning of the path, of a name in it, and anywhere in path or step. */
export function matchingTokens<Token extends KnownToken>(tokens: readonly Token[], typed: string): Token[] {
  const wanted = typed.toLowerCase()
  if (wanted === '') return [...tokens]
  const rated = tokens.flatMap((token) => {
    const rank = rankOf(token, wanted)
    return rank === null ? [] : [{ token, rank }]
  })
  return rated.toSorted((one, other) => one.rank - other.rank).map(({ token }) => token)
}

function rankOf({ path, stepName }: KnownToken, wanted: string): number | null {
  const text = path.toLowerCase()
  if (text.startsWith(wanted)) return 0
  if (text.includes(`.${wanted}`)) return 1
  return text.includes(wanted) || stepName?.toLowerCase().includes(wanted) ? 2 : null
}
