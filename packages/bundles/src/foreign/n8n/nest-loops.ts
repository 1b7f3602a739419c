/** A connection in the search for loops. */
interface Link {
  from: string
  output: number
  to: string
}

/** The nesting of the nodes of a workflow. */
export interface Nested {
  /** The Loop around each node; null if there is none. */
  loopOf: Map<string, string | null>
  /** Connections that only lead back to a Loop: an iteration ends without them. */
  back: ReadonlySet<Link>
  /** Connections that close a cycle without a Loop. */
  cyclic: ReadonlySet<Link>
  /** Loops nested too deep to have a body. */
  tooDeep: ReadonlySet<string>
}

/** Maximum nesting of Loops in a graph. */
export const MAX_LOOP_LEVELS = 8

/**
 * Finds the bodies of the nodes that loop by an edge back to themselves. The body is the cycle without that node, and the nodes reachable
 * only from it. Cycles without such a node are opened at the edges that lead back. Linear in nodes and links for each level of nesting.
 *
 * @param bodyOutput the output that leads into the body; null for a node that does not loop
 */
export function nestLoops(
  keys: readonly string[],
  links: readonly Link[],
  bodyOutput: (key: string) => number | null,
): Nested {
  const nested: Nested = {
    loopOf: new Map(keys.map((key) => [key, null])),
    back: new Set(),
    cyclic: new Set(),
    tooDeep: new Set(),
  }
  const back = new Set<Link>()
  const cyclic = new Set<Link>()
  const tooDeep = new Set<string>()
  nest({ keys, links, bodyOutput, loopOf: nested.loopOf, back, cyclic, tooDeep }, keys, links, 0)
  return { loopOf: nested.loopOf, back, cyclic, tooDeep }
}

interface Search {
  keys: readonly string[]
  links: readonly Link[]
  bodyOutput: (key: string) => number | null
  loopOf: Map<string, string | null>
  back: Set<Link>
  cyclic: Set<Link>
  tooDeep: Set<string>
}

function nest(search: Search, keys: readonly string[], links: readonly Link[], depth: number): void {
  const { bodyOutput, loopOf, back, cyclic, tooDeep } = search
  const outgoing = group(links, ({ from }) => from)
  const incoming = group(links, ({ to }) => to)
  const placed = new Set<string>()
  const claim = (loop: string, cycle: readonly string[]) => {
    const output = bodyOutput(loop)
    const body = new Set(cycle.filter((key) => key !== loop && !placed.has(key)))
    if (cycle.length === 0) {
      for (const link of outgoing.get(loop) ?? []) {
        const others = (incoming.get(link.to) ?? []).some(
          ({ from, output: port }) => from !== loop || port !== output,
        )
        if (link.output === output && link.to !== loop && !others && !placed.has(link.to)) body.add(link.to)
      }
    }
    // Nodes that are reachable only from the body end its iterations. A Set that may grow while it is iterated.
    for (const key of body) {
      for (const { to } of outgoing.get(key) ?? []) {
        if (to === loop || body.has(to) || placed.has(to)) continue
        const isOnlyHere = (incoming.get(to) ?? []).every(
          ({ from, output: port }) => body.has(from) || (from === loop && port === output),
        )
        if (isOnlyHere) body.add(to)
      }
    }
    for (const key of body) {
      placed.add(key)
      loopOf.set(key, loop)
    }
    for (const link of links)
      if (link.to === loop && (body.has(link.from) || link.from === loop)) back.add(link)
    const inside = links.filter(({ from, to }) => body.has(from) && body.has(to))
    nest(
      search,
      keys.filter((key) => body.has(key)),
      inside,
      depth + 1,
    )
  }
  for (const cycle of cyclesOf(keys, outgoing)) {
    const members = new Set(cycle)
    const loops = cycle.filter((key) => bodyOutput(key) !== null)
    const entered = loops.find((key) => (incoming.get(key) ?? []).some(({ from }) => !members.has(from)))
    const loop = entered ?? loops[0]
    if (loop === undefined || depth >= MAX_LOOP_LEVELS) {
      for (const key of loops) tooDeep.add(key)
      const isEntered = (key: string) => (incoming.get(key) ?? []).some(({ from }) => !members.has(from))
      const inOrder = [...cycle.filter(isEntered), ...cycle.filter((key) => !isEntered(key))]
      for (const link of leadingBack(inOrder, members, outgoing)) cyclic.add(link)
    } else claim(loop, cycle)
  }
  for (const key of keys) {
    if (bodyOutput(key) === null || placed.has(key) || hasBody(search, key)) continue
    if (depth < MAX_LOOP_LEVELS) claim(key, [])
    else tooDeep.add(key)
  }
}

function hasBody({ loopOf }: Search, loop: string): boolean {
  for (const around of loopOf.values()) if (around === loop) return true
  return false
}

function group(links: readonly Link[], keyOf: (link: Link) => string): Map<string, Link[]> {
  const groups = new Map<string, Link[]>()
  for (const link of links) {
    const group = groups.get(keyOf(link))
    if (group) group.push(link)
    else groups.set(keyOf(link), [link])
  }
  return groups
}

/** Strongly connected components, by Tarjan's algorithm without recursion, and nodes with an edge to themselves. */
function cyclesOf(keys: readonly string[], outgoing: ReadonlyMap<string, Link[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const known = new Set(keys)
  for (const root of keys) {
    if (index.has(root)) continue
    const work: { key: string; next: number }[] = [{ key: root, next: 0 }]
    while (work.length > 0) {
      const frame = work.at(-1) as { key: string; next: number }
      const { key } = frame
      if (frame.next === 0) {
        index.set(key, index.size)
        low.set(key, index.get(key) ?? 0)
        stack.push(key)
        onStack.add(key)
      }
      const link = (outgoing.get(key) ?? [])[frame.next]
      frame.next += 1
      if (link) {
        if (!known.has(link.to)) continue
        if (!index.has(link.to)) work.push({ key: link.to, next: 0 })
        else if (onStack.has(link.to)) low.set(key, Math.min(low.get(key) ?? 0, index.get(link.to) ?? 0))
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent) low.set(parent.key, Math.min(low.get(parent.key) ?? 0, low.get(key) ?? 0))
      if (low.get(key) !== index.get(key)) continue
      const at = stack.lastIndexOf(key)
      const members = stack.splice(at)
      for (const member of members) onStack.delete(member)
      const isCycle = members.length > 1 || (outgoing.get(key) ?? []).some(({ to }) => to === key)
      if (isCycle) found.push(members.reverse())
    }
  }
  return found
}

/** The back edges of a cycle, in the order of a search that begins at its first node. */
function leadingBack(
  cycle: readonly string[],
  members: ReadonlySet<string>,
  outgoing: ReadonlyMap<string, Link[]>,
) {
  const state = new Map<string, 'open' | 'done'>()
  const found: Link[] = []
  for (const root of cycle) {
    if (state.has(root)) continue
    const work = [{ key: root, next: 0 }]
    state.set(root, 'open')
    while (work.length > 0) {
      const frame = work.at(-1) as { key: string; next: number }
      const link = (outgoing.get(frame.key) ?? [])[frame.next]
      frame.next += 1
      if (!link) {
        state.set(frame.key, 'done')
        work.pop()
      } else if (members.has(link.to)) {
        const seen = state.get(link.to)
        if (seen === 'open') found.push(link)
        else if (seen === undefined) {
          state.set(link.to, 'open')
          work.push({ key: link.to, next: 0 })
        }
      }
    }
  }
  return found
}
