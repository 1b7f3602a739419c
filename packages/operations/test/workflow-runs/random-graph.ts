import { edge, node } from '@troupe/test-kit/graph-parts'
import fc from 'fast-check'

/** The parameters of a random graph. */
export interface GraphSeed {
  kinds: readonly number[]
  parents: readonly number[]
  links: readonly (readonly [number, number, number])[]
}

const MOST = 9
export const graphSeeds: fc.Arbitrary<GraphSeed> = fc.record({
  kinds: fc.array(fc.nat(7), { minLength: 3, maxLength: MOST }),
  parents: fc.array(fc.nat(20), { minLength: MOST, maxLength: MOST }),
  links: fc.array(fc.tuple(fc.nat(MOST), fc.nat(MOST), fc.nat(2)), { maxLength: 18 }),
})

type Node = ReturnType<typeof node>
const KINDS = [
  'ai-prompt',
  'ai-agent',
  'classify',
  'if-else',
  'loop',
  'while',
  'variable',
  'edit-fields',
] as const
const HANDLES: Record<string, readonly string[]> = {
  'if-else': ['true', 'false'],
  classify: ['a', 'b', 'other'],
  loop: ['done'],
}
const AGENT = '11111111-1111-4111-8111-111111111111'

const classes = ['a', 'b'].map((id) => ({ id, name: id.toUpperCase() }))

/** The type and the config of a node; `text` has a token for the preceding value. */
function made(id: string, kind: (typeof KINDS)[number], text: string): { type: string; config: object } {
  const rows = [{ name: `v-${id}`, value: text }]
  const counter = `{{ variables.c-${id} }}`
  switch (kind) {
    case 'ai-prompt':
      return { type: kind, config: { model: {}, prompt: `${id} ${text}` } }
    case 'ai-agent':
      return { type: kind, config: { agentId: AGENT, message: `${id} ${text}` } }
    case 'classify':
      return { type: kind, config: { model: {}, text: `${id} ${text}`, classes } }
    case 'if-else':
      return {
        type: kind,
        config: { conditions: [{ left: `x${text}`, op: 'matches', right: '[0-4][^0-9]*$' }] },
      }
    case 'loop':
      return { type: 'loop', config: { mode: 'count', count: 1 + (id.charCodeAt(1) % 3) } }
    case 'while': {
      const conditions = [
        { left: counter, op: 'not_exists' },
        { left: counter, op: 'lt', right: 2 },
      ]
      return { type: 'loop', config: { mode: 'while', condition: { match: 'any', conditions } } }
    }
    default:
      return { type: kind, config: { rows } }
  }
}

/**
 * A graph that can be published: edges go forward, and every node has an incoming edge. A node with a single
 * predecessor shows its output; what is behind a join might have been skipped.
 */
export function graphOf({ kinds, parents, links }: GraphSeed) {
  const nodes: Node[] = [node('start', 'manual-trigger')]
  const edges: ReturnType<typeof edge>[] = []
  const ofKind = kinds.map((kind) => KINDS[kind] ?? 'ai-prompt')
  const parentOf = new Map<string, string>()
  for (const [at, kind] of ofKind.entries()) {
    const id = `n${at}`
    const loops = nodes.filter(({ type }) => type === 'loop')
    const parent = loops[(parents[at] ?? 0) % (loops.length * 2 + 1)]
    if (parent) parentOf.set(id, parent.id)
    nodes.push({ ...node(id, made(id, kind, '').type, {}, parent?.id) })
  }
  for (const [a, b, handle] of links) {
    const [source, target] = [nodes[Math.min(a, b)], nodes[Math.max(a, b)]]
    if (!source || !target || source === target || parentOf.get(source.id) !== parentOf.get(target.id))
      continue
    const handles = HANDLES[source.type] ?? ['out']
    const link = edge(source.id, target.id, handles[handle % handles.length])
    if (!edges.some(({ id }) => id === link.id)) edges.push(link)
  }
  for (const { id } of nodes.slice(1)) {
    if (edges.some(({ target }) => target === id)) continue
    const parent = parentOf.get(id)
    edges.push(parent === undefined ? edge('start', id) : edge(parent, id, 'body'))
  }
  for (const [at, kind] of ofKind.entries()) {
    const id = `n${at}`
    const [first, ...others] = edges.filter(({ target }) => target === id)
    const isAlone = first !== undefined && others.length === 0 && first.sourceHandle !== 'body'
    const token = isAlone && first.source !== 'start' ? `upstream.${first.source}.output` : 'trigger.n'
    const { config } = made(id, kind, `{{ ${token} }}${parentOf.has(id) ? ' {{ loop.index }}' : ''}`)
    Object.assign(nodes[at + 1] ?? {}, { config })
    if (kind !== 'while') continue
    const rows = [{ name: `c-${id}`, op: 'increment' }]
    nodes.push(node(`count-${id}`, 'variable', { rows }, id))
    edges.push(edge(id, `count-${id}`, 'body'))
  }
  return { nodes, edges }
}
