import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { hashOfParts, nodeHash, partHash, type WrittenDraft } from '@troupe/storage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DraftTexts } from './draft-texts.ts'
import { type DraftChange, patchDraft } from './patch-draft.ts'

const node = (id: string, name = id, type = 'edit-fields'): GraphNode => ({
  ...{ id, type, name, parentId: null, position: { x: 0, y: 0 } },
  config: { text: `"${name}" é 漢 \u0001` },
})
const edge = (id: string, target = 'n0'): GraphEdge => ({ id, source: 'n0', sourceHandle: 'out', target })

/** The hash of a graph, computed from all of its parts. */
const wholeHash = ({ nodes, edges, expose }: Graph) =>
  hashOfParts({
    nodes: nodes.map(nodeHash),
    edges: edges.map((one) => partHash(JSON.stringify(one))),
    expose: expose ?? null,
  })

/** The JSON that a save leaves in the database. */
function storedBy(written: WrittenDraft, former: string): string {
  if ('json' in written) return written.json
  const bytes = Buffer.from(former)
  expect(written.formerBytes).toBe(bytes.length)
  return written.pieces
    .map(([from, length, text]) => bytes.subarray(from, from + length).toString() + text)
    .join('')
}

/** A naive implementation of changes to one kind of part, on a plain list. */
function plainly<T extends { id: string }>(
  parts: readonly T[],
  changes: readonly DraftChange[],
  kind: 'node' | 'edge',
): T[] {
  const stored = parts.map((part) => ({ part, isThere: true }))
  const added = new Map<string, { part: T; before: string | undefined }>()
  for (const { put, remove } of changes) {
    const gone = kind === 'node' ? remove?.nodeId : remove?.edgeId
    if (gone !== undefined) {
      added.delete(gone)
      for (const one of stored) if (one.part.id === gone) one.isThere = false
    }
    const part = put?.[kind] as T | undefined
    if (!part) continue
    const own = stored.find((one) => one.isThere && one.part.id === part.id)
    if (own) own.part = part
    else added.set(part.id, { part, before: added.has(part.id) ? added.get(part.id)?.before : put?.before })
  }
  const list = stored.flatMap(({ part, isThere }) => (isThere ? part : []))
  const waiting = [...added.values()]
  const isThere = (id: string) => added.has(id) || list.some((one) => one.id === id)
  const last = waiting.filter(({ before }) => before === undefined || !isThere(before))
  const placed = [...list, ...last.map(({ part }) => part)]
  let open = waiting.filter((one) => !last.includes(one))
  for (let isGoingOn = true; isGoingOn; ) {
    const ready = open.filter(({ before }) => placed.some(({ id }) => id === before))
    isGoingOn = ready.length > 0
    open = open.filter((one) => !ready.includes(one))
    // Parts inserted before the same part are in the order of their insertion.
    for (const { part, before } of ready)
      placed.splice(
        placed.findIndex(({ id }) => id === before),
        0,
        part,
      )
  }
  return [...placed, ...open.map(({ part }) => part)]
}

test('consecutive saves yield the text and the hash of the whole patched lists, also as pieces of the stored text', () => {
  const COUNT = 200
  const id = fc.integer({ min: 0, max: COUNT + 20 }).map((n) => `n${n}`)
  const type = fc.constantFrom('edit-fields', 'recurrence', 'http-request')
  const change: fc.Arbitrary<DraftChange> = fc.oneof(
    fc
      .record({ one: id, name: fc.string(), type, before: fc.option(id, { nil: undefined }) })
      .map(({ one, name, type, before }) => ({
        put: { node: node(one, `x${name}`, type), ...(before && { before }) },
      })),
    fc
      .record({ one: id, target: id, before: fc.option(id, { nil: undefined }) })
      .map(({ one, target, before }) => ({
        put: { edge: edge(one, target), ...(before && { before }) },
      })),
    id.map((nodeId) => ({ remove: { nodeId } })),
    id.map((edgeId) => ({ remove: { edgeId } })),
    fc.constantFrom<DraftChange>({ expose: 'mcp' }, { expose: null }),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: COUNT }),
      fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 }),
      (count, saves) => {
        const ids = Array.from({ length: count }, (_, at) => `n${at}`)
        // Two nodes with one id, as drafts of earlier releases may have them.
        let graph: Graph = {
          nodes: [...ids, ...ids.slice(0, 1)].map((one) => node(one)),
          edges: ids.map((one) => edge(one)),
        }
        let texts = DraftTexts.of(graph)
        for (const changes of saves) {
          const exposed = changes.flatMap((one) => (one.expose === undefined ? [] : [one.expose])).at(-1)
          const expose = exposed === undefined ? (graph.expose ?? null) : exposed
          graph = {
            nodes: plainly(graph.nodes, changes, 'node'),
            edges: plainly(graph.edges, changes, 'edge'),
            ...(expose && { expose }),
          }
          const before = texts.asJson()
          const stored = texts
          const patched = patchDraft(texts, changes)
          texts = patched.draft
          expect(texts.asJson()).toBe(JSON.stringify(graph))
          expect(storedBy(texts.written(), before)).toBe(texts.asJson())
          expect(storedBy(texts.writtenOver(stored), before)).toBe(texts.asJson())
          expect(texts.hash()).toBe(wholeHash(graph))
          expect(texts.bytes).toBe(Buffer.byteLength(texts.asJson()))
          expect(patched.isChanged).toBe(texts.asJson() !== before)
          expect(texts.triggers()).toEqual(
            graph.nodes.flatMap((one) => (one.type === 'edit-fields' ? [] : [one.type])),
          )
        }
      },
    ),
  )
})

test('unsaved changes leave nothing in the draft that stays in memory', () => {
  const draft = DraftTexts.of({ nodes: [node('n0')], edges: [] })
  const before = draft.memory
  for (let round = 0; round < 30; round += 1) {
    const added = Array.from({ length: 40 }, (_, at) => node(`r${round}n${at}`))
    patchDraft(
      draft,
      added.map((one) => ({ put: { node: one, before: 'n0' } })),
    )
    patchDraft(
      draft,
      added.map((one) => ({ put: { node: one } })),
    )
  }
  expect(draft.memory).toBe(before)
})

test('the last part of a chunk does not keep the texts of removed ones in memory', () => {
  const COUNT = 30
  const left = () => {
    const large = { ...node('large'), config: { text: `${Math.random()} `.repeat(100_000) } }
    const draft = DraftTexts.of({ nodes: [large, node('small')], edges: [] })
    return patchDraft(draft, [{ remove: { nodeId: 'large' } }]).draft
  }
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().heapUsed
  const drafts = Array.from({ length: COUNT }, left)
  collect()
  const taken = process.memoryUsage().heapUsed - before
  expect(drafts.reduce((sum, { memory }) => sum + memory, 0)).toBeLessThan(100_000)
  // Each of the removed texts is 2 MB long.
  expect(taken).toBeLessThan(10_000_000)
})

test('a save of one change in a draft of 5,000 steps takes less than a quarter of reading and writing the draft', () => {
  const COUNT = 5_000
  // Most drafts contain only characters of one byte.
  const narrow = (id: string, name = id) => ({
    ...node(id, name),
    config: { text: 'What the customer wrote'.repeat(3) },
  })
  const ids = Array.from({ length: COUNT }, (_, at) => `n${at}`)
  const graph: Graph = {
    nodes: ids.map((one) => narrow(one)),
    edges: [...ids, 'last'].map((one, at) => edge(one, ids[at])),
  }
  const stored = JSON.stringify(graph)
  // As an editor builds it: each step is added by a separate save, some of them between two others.
  let grown = DraftTexts.of({ nodes: graph.nodes.slice(0, COUNT - 1_000), edges: graph.edges })
  for (const [at, one] of graph.nodes.slice(COUNT - 1_000).entries()) {
    grown = patchDraft(grown, [{ put: { node: one, ...(at % 2 === 0 && { before: `n${at}` }) } }]).draft
  }
  const saves: Record<string, (round: number) => DraftChange[]> = {
    'a setting': (round) => [{ put: { node: narrow('n2500', `x${round}`) } }],
    'a setting and a position far away': (round) => [
      { put: { node: narrow('n10', `x${round}`) } },
      { put: { node: { ...narrow('n4990'), position: { x: round, y: 0 } } } },
    ],
  }
  let written = 0
  const cost = (work: (round: number) => string) => {
    const rounds = Array.from({ length: 15 }, (_, round) => {
      const before = process.threadCpuUsage()
      written += work(round).length
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    })
    return rounds.slice(5).reduce((sum, one) => sum + one, 0)
  }
  const whole = cost(() => JSON.stringify(JSON.parse(stored)))
  for (const [name, changesOf] of Object.entries(saves)) {
    for (const draft of [DraftTexts.of(graph), grown]) {
      const share = cost((round) => patchDraft(draft, changesOf(round)).draft.asJson()) / whole
      expect([name, share < 1 / 4 ? 'less than a quarter' : share]).toEqual([name, 'less than a quarter'])
    }
  }
  expect(written).toBeGreaterThan(0)
})
