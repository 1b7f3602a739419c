import type { GraphEdge, GraphInput } from '@troupe/graph'

/** Every fifth node chooses one of two branches. */
const CHOICE_EVERY = 5
const isChoice = (at: number) => at % CHOICE_EVERY === CHOICE_EVERY - 1
const nameOf = (at: number) => (at < 0 ? 'start' : `n${at}`)

/** A node that reads the output of the previous one. */
function node(at: number) {
  const value = at === 0 ? '{{ trigger.amount }}' : `{{ upstream.${nameOf(at - 1)}.output.amount }}`
  const place = { id: nameOf(at), name: `Node ${at}`, position: { x: at % 100, y: Math.floor(at / 100) } }
  return isChoice(at)
    ? { ...place, type: 'if-else', config: { conditions: [{ left: value, op: 'exists' }] } }
    : { ...place, type: 'edit-fields', config: { rows: [{ name: 'amount', value }] } }
}

/** Both branches of a choice if that is the previous node; otherwise one edge from each of the two previous nodes. */
function edgesInto(at: number): GraphEdge[] {
  const from = (source: number, sourceHandle: string) => ({
    id: `${nameOf(source)}-${sourceHandle}-${nameOf(at)}`,
    source: nameOf(source),
    sourceHandle,
    target: nameOf(at),
  })
  const before = at - 1
  if (before >= 0 && isChoice(before)) return [from(before, 'true'), from(before, 'false')]
  const further = at - 2
  if (further < -1) return [from(before, 'out')]
  return [from(before, 'out'), from(further, further >= 0 && isChoice(further) ? 'true' : 'out')]
}

/** A graph with the given number of nodes, each with a token, and nearly twice as many edges. */
export function largeGraph(count: number): GraphInput {
  const places = Array.from({ length: count - 1 }, (_, at) => at)
  return {
    nodes: [{ id: 'start', type: 'http-request', name: 'Start', config: {} }, ...places.map(node)],
    edges: places.flatMap(edgesInto),
  }
}
