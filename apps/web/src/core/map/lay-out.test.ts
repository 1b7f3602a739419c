import { LOOP_HEAD, STEP_HEIGHT, STEP_WIDTH } from '@troupe/editor/layout/step-size'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOut } from './lay-out.ts'
import type { MapBox, MapGraph, PlacedNode } from './map-graph.ts'

/** `a-b`, `i.true-x`; `l(x y)` puts steps into a Loop. */
function sketch(ways: string, loops: Record<string, string[]> = {}, notes: string[] = []): MapGraph {
  const edges = ways
    .split(' ')
    .filter(Boolean)
    .map((way) => {
      const [left = '', target = ''] = way.split('-')
      const [source = '', handle = 'out'] = left.split('.')
      return { source, handle, target }
    })
  const ids = new Set([
    ...edges.flatMap(({ source, target }) => [source, target]),
    ...notes,
    ...Object.values(loops).flat(),
  ])
  const nodes = [...ids].map((id): PlacedNode => {
    const parent = Object.entries(loops).find(([, inside]) => inside.includes(id))
    return {
      id,
      parentId: parent?.[0] ?? null,
      kind: id in loops ? 'loop' : notes.includes(id) ? 'note' : 'step',
    }
  })
  return { nodes, edges }
}

const placed = (graph: MapGraph) => new Map(layOut(graph).boxes.map((box) => [box.id, box]))
const at = (boxes: Map<string, MapBox>, id: string) => boxes.get(id) ?? expect.fail(`no ${id}`)
const middle = ({ x, width }: MapBox) => x + width / 2
const overlap = (a: MapBox, b: MapBox) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('the layout of a graph', () => {
  test('a chain is a straight column', () => {
    const boxes = placed(sketch('a-b b-c'))
    expect(new Set([...boxes.values()].map(({ x }) => x)).size).toBe(1)
    expect(at(boxes, 'b').y).toBe(at(boxes, 'a').y + STEP_HEIGHT + 56)
    expect(at(boxes, 'c').width).toBe(STEP_WIDTH)
  })

  test('branches are side by side in the order of the edges, and their join is below, in the middle', () => {
    const boxes = placed(sketch('t-i i.true-y i.false-n y-j n-j'))
    expect(at(boxes, 'y').x).toBeLessThan(at(boxes, 'n').x)
    expect(at(boxes, 'y').y).toBe(at(boxes, 'n').y)
    expect(middle(at(boxes, 'j'))).toBeCloseTo((middle(at(boxes, 'y')) + middle(at(boxes, 'n'))) / 2, 0)
    expect(middle(at(boxes, 'i'))).toBeCloseTo(middle(at(boxes, 'j')), 0)
  })

  test('a connection that passes a layer does not cross the step there', () => {
    const { boxes, routes } = layOut(sketch('a-b b-c a-c'))
    const b = boxes.find(({ id }) => id === 'b') ?? expect.fail('no b')
    const { points } =
      routes.find(({ source, target }) => source === 'a' && target === 'c') ?? expect.fail('no a-c')
    const beside = points.filter(
      (_, index) => index % 2 === 0 && Math.abs((points[index + 1] ?? 0) - b.y) <= STEP_HEIGHT,
    )
    expect(beside.length).toBeGreaterThan(0)
    for (const x of beside) expect(x < b.x || x > b.x + b.width).toBe(true)
  })

  test('a Loop is around its body, also around a Loop in it, and comes before it', () => {
    const layout = layOut(sketch('t-l l.body-a a-m m.body-b l.done-z', { l: ['a', 'm'], m: ['b'] }))
    const boxes = new Map(layout.boxes.map((box) => [box.id, box]))
    for (const [loop, inside] of [
      ['l', 'a'],
      ['l', 'm'],
      ['m', 'b'],
    ] as const) {
      const [outer, inner] = [at(boxes, loop), at(boxes, inside)]
      expect(inner.x).toBeGreaterThan(outer.x)
      expect(inner.y).toBeGreaterThanOrEqual(outer.y + LOOP_HEAD)
      expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width)
      expect(inner.y + inner.height).toBeLessThan(outer.y + outer.height)
      expect(inner.depth).toBe(outer.depth + 1)
      expect(layout.boxes.indexOf(outer)).toBeLessThan(layout.boxes.indexOf(inner))
    }
    expect(at(boxes, 'z').y).toBeGreaterThan(at(boxes, 'l').y + at(boxes, 'l').height)
    expect(layout.routes.filter(({ handle }) => handle === 'body').map(({ target }) => target)).toEqual([
      'a',
      'b',
    ])
  })

  test('notes are on the right, and an empty graph has no size', () => {
    const boxes = placed(sketch('a-b', {}, ['n']))
    expect(at(boxes, 'n').x).toBeGreaterThan(at(boxes, 'a').x + STEP_WIDTH)
    expect(layOut({ nodes: [], edges: [] })).toEqual({
      boxes: [],
      routes: [],
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    })
  })

  test('a cycle, a body that contains itself and edges to nowhere are drawn or left out, never without end', () => {
    expect(layOut(sketch('a-b b-c c-a')).boxes).toHaveLength(3)
    expect(layOut(sketch('', { l: ['m'], m: ['l'] })).boxes).toHaveLength(2)
    expect(
      layOut({
        nodes: [{ id: 'a', parentId: null, kind: 'step' }],
        edges: [{ source: 'a', handle: 'out', target: 'gone' }],
      }).routes,
    ).toEqual([])
  })

  test('no two steps overlap, each appears once, and each is below its predecessors', () => {
    const graphs = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 40 }).map((pairs) => ({
      nodes: Array.from(
        { length: 20 },
        (_, index): PlacedNode => ({ id: `${index}`, parentId: null, kind: 'step' }),
      ),
      edges: pairs.flatMap(([a, b]) =>
        a === b ? [] : [{ source: `${Math.min(a, b)}`, handle: 'out', target: `${Math.max(a, b)}` }],
      ),
    }))
    fc.assert(
      fc.property(graphs, (graph) => {
        const { boxes, width, height } = layOut(graph)
        expect(new Set(boxes.map(({ id }) => id)).size).toBe(20)
        for (const [index, box] of boxes.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(0)
          expect(box.x + box.width).toBeLessThanOrEqual(width + 1)
          expect(box.y + box.height).toBeLessThanOrEqual(height)
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false)
        }
        const known = new Map(boxes.map((box) => [box.id, box]))
        for (const { source, target } of graph.edges)
          expect(at(known, target).y).toBeGreaterThan(at(known, source).y)
      }),
    )
  })
})

test('a chain of 5,000 steps and a wide graph are laid out within a second or so', () => {
  const chain = Array.from({ length: 5_000 }, (_, index) => `s${index}`)
  const node = (id: string): PlacedNode => ({ id, parentId: null, kind: 'step' })
  const edge = (source: string, target: string) => ({ source, handle: 'out', target })
  const woven = {
    nodes: chain.map(node),
    edges: chain.flatMap((id, index) =>
      [1, 7, 31].flatMap((step) => {
        const target = chain[index + step]
        return target === undefined ? [] : [edge(id, target)]
      }),
    ),
  }
  const before = process.threadCpuUsage()
  expect(
    layOut({ nodes: chain.map(node), edges: chain.slice(1).map((id, index) => edge(chain[index] ?? '', id)) })
      .boxes,
  ).toHaveLength(5_000)
  expect(layOut(woven).boxes).toHaveLength(5_000)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(8_000)
})
