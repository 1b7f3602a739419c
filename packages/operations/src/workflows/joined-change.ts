import { isJsonObject, propertyOf } from '@troupe/contract'

/** Seconds within which one person's saves of a draft, or of the same value beside it, share one audit entry. */
export const JOINED_SECONDS = 300

type Json = Record<string, unknown>

interface States {
  before: unknown
  after: unknown
}

/** Two consecutive changes of a draft as one audit entry: the first `before`, the last `after`. */
export function joinedChange(earlier: States, later: States): States {
  const nodes = joinedParts('nodes', earlier, later)
  const edges = joinedParts('edges', earlier, later)
  const expose = joinedExpose(earlier, later)
  const order = joinedOrder(earlier, later)
  return {
    before: {
      ...(isJsonObject(earlier.before) ? earlier.before : {}),
      draft: { nodes: nodes.before, edges: edges.before, ...expose.before, ...order.before },
    },
    after: {
      ...(isJsonObject(later.after) ? later.after : {}),
      draft: { nodes: nodes.after, edges: edges.after, ...expose.after, ...order.after },
    },
  }
}

/** Where the workflow is exposed, if that differs. */
function joinedExpose(earlier: States, later: States) {
  const states = [earlier, later].map(({ before, after }) => [exposeOf(before), exposeOf(after)] as const)
  const [first] = states.find(([before]) => before !== undefined) ?? []
  const [, last] = states.findLast(([, after]) => after !== undefined) ?? []
  return first === last ? {} : { before: { expose: first }, after: { expose: last } }
}

/**
 * The places of moved parts: the original ones before, the final ones after. A part that is back at its original place
 * is omitted.
 */
function joinedOrder(earlier: States, later: States): { before: Json; after: Json } {
  const order: { before: Json; after: Json } = { before: {}, after: {} }
  for (const kind of ['nodeOrder', 'edgeOrder']) {
    const [first, second] = [partsOf(earlier.before, kind), partsOf(earlier.after, kind)]
    const [third, last] = [partsOf(later.before, kind), partsOf(later.after, kind)]
    const ids = [...new Set([...first.keys(), ...third.keys()])]
    const moved = ids.flatMap((id) => {
      const [old, now] = [first.get(id) ?? third.get(id), last.get(id) ?? second.get(id)]
      return old && now && old.follows !== now.follows ? { old, now } : []
    })
    if (moved.length === 0) continue
    order.before[kind] = moved.map(({ old }) => old)
    order.after[kind] = moved.map(({ now }) => now)
  }
  return order
}

const exposeOf = (state: unknown) => propertyOf(propertyOf(state, 'draft'), 'expose')

/** The nodes or edges that differ between the state before the first change and the one after the second. */
function joinedParts(
  kind: 'nodes' | 'edges',
  earlier: States,
  later: States,
): { before: unknown[]; after: unknown[] } {
  const [first, second] = [partsOf(earlier.before, kind), partsOf(earlier.after, kind)]
  const [third, last] = [partsOf(later.before, kind), partsOf(later.after, kind)]
  const ids = new Set([...first.keys(), ...second.keys(), ...third.keys(), ...last.keys()])
  const before: unknown[] = []
  const after: unknown[] = []
  for (const id of ids) {
    const old = first.has(id) || second.has(id) ? first.get(id) : third.get(id)
    const now = third.has(id) || last.has(id) ? last.get(id) : second.get(id)
    if (JSON.stringify(old) === JSON.stringify(now)) continue
    if (old) before.push(old)
    if (now) after.push(now)
  }
  return { before, after }
}

function partsOf(state: unknown, kind: string): ReadonlyMap<string, Json> {
  const parts = propertyOf(propertyOf(state, 'draft'), kind)
  const found = (Array.isArray(parts) ? parts : []).filter(isJsonObject)
  return new Map(found.map((part) => [String(part.id), part]))
}
