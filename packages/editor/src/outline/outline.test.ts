import type { Graph, GraphNode } from '@troupe/graph'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EXIT, frameOf, framesOfGraph } from './frame.ts'
import { firstRows, lastStep, type OutlineRow, outlineOf, stepsIn } from './outline.ts'

const TYPES: Readonly<Record<string, { role: 'trigger' | 'pure' | 'loop' | 'note'; handles: string[] }>> = {
  trigger: { role: 'trigger', handles: ['out'] },
  step: { role: 'pure', handles: ['out'] },
  choice: { role: 'pure', handles: ['true', 'false'] },
  loop: { role: 'loop', handles: ['body', 'done'] },
  note: { role: 'note', handles: [] },
}
const shapeOf = ({ type }: GraphNode) => TYPES[type] ?? { role: 'pure' as const, handles: ['out'] }

/** `graph('t:trigger a b', 't a', 'a:true b')`; `x@loop` is in the body of a Loop. */
function graph(nodes: string, ...edges: string[]): Graph {
  return {
    nodes: nodes.split(' ').map((text) => {
      const [place = '', type = 'step'] = text.split(':')
      const [id = '', parentId = null] = place.split('@')
      return { id, type, name: id, parentId, position: { x: 0, y: 0 }, config: {} }
    }),
    edges: edges.map((text, index) => {
      const [from = '', target = ''] = text.split(' ')
      const [source = '', sourceHandle = 'out'] = from.split(':')
      return { id: `e${index}`, source, sourceHandle, target }
    }),
  }
}

const lines = (rows: readonly OutlineRow[], indent = ''): string[] =>
  rows.flatMap((row) => {
    if (row.kind === 'reference') return [`${indent}→ ${row.target.id}`]
    const text =
      row.kind === 'step'
        ? row.node.id
        : `[${row.handle ?? '+'}${row.children.length === 0 ? ` ${row.leads}` : ''}]`
    return [indent + text, ...lines(row.children, `${indent}  `)]
  })
const outlined = (given: Graph) => lines(outlineOf(given, shapeOf).rows)

test('steps in a row are in the order of the run', () => {
  expect(outlined(graph('t:trigger b a', 't a', 'a b'))).toEqual(['t', 'a', 'b'])
})

test('branches are below their choice, and their common successor follows', () => {
  expect(outlined(graph('t:trigger c:choice a b m', 't c', 'c:true a', 'c:false b', 'a m', 'b m'))).toEqual([
    't',
    'c',
    '  [true]',
    '    a',
    '  [false]',
    '    b',
    'm',
  ])
})

test('an empty branch says whether the run continues or ends there', () => {
  expect(outlined(graph('t:trigger c:choice a m', 't c', 'c:true a', 'c:false m', 'a m'))).toEqual([
    't',
    'c',
    '  [true]',
    '    a',
    '  [false on]',
    'm',
  ])
  expect(outlined(graph('t:trigger c:choice a', 't c', 'c:true a'))).toEqual([
    't',
    'c',
    '  [true]',
    '    a',
    '  [false nowhere]',
  ])
})

test('parallel paths are distinguished from choices', () => {
  expect(outlined(graph('t:trigger a b m', 't a', 't b', 'a m', 'b m'))).toEqual([
    't',
    '  [+]',
    '    a',
    '  [+]',
    '    b',
    'm',
  ])
})

test('a step that is already listed elsewhere is a reference', () => {
  // a leads to m and to x, b only to m: the followers of b belong to the branch of a.
  expect(
    outlined(graph('t:trigger c:choice a b m x', 't c', 'c:true a', 'c:false b', 'a m', 'a x', 'b m')),
  ).toEqual([
    't',
    'c',
    '  [true]',
    '    a',
    '      [+]',
    '        m',
    '      [+]',
    '        x',
    '  [false]',
    '    b',
    '    → m',
  ])
})

test('the body of a loop is below it, and the successor of the loop comes next', () => {
  expect(outlined(graph('t:trigger l:loop x@l y@l z', 't l', 'l:body x', 'x y', 'l:done z'))).toEqual([
    't',
    'l',
    '  x',
    '  y',
    'z',
  ])
})

test('several triggers come first; their common successor follows', () => {
  expect(outlined(graph('s:trigger t:trigger only a', 's a', 't only', 'only a'))).toEqual([
    's',
    't',
    '  only',
    'a',
  ])
})

test('several triggers are alternatives, and their common successor follows', () => {
  const startsOf = (given: Graph) =>
    outlineOf(given, shapeOf).rows.map((row) => (row.kind === 'step' ? [row.id, row.start] : row.id))
  expect(startsOf(graph('s:trigger t:trigger u:trigger a b', 's a', 't a', 'u a', 'a b'))).toEqual([
    ['s', 'first'],
    ['t', 'or'],
    ['u', 'or'],
    ['a', 'joined'],
    ['b', null],
  ])
  expect(startsOf(graph('s:trigger a', 's a'))).toEqual([
    ['s', null],
    ['a', null],
  ])
})

test('a step is added behind the last one that is in no branch and no body', () => {
  const endOf = (given: Graph) => {
    const { rows } = outlineOf(given, shapeOf)
    return [lastStep(rows, ({ type }) => type !== 'note')?.id, stepsIn(rows).map(({ id }) => id)]
  }
  expect(endOf(graph('t:trigger'))).toEqual(['t', ['t']])
  expect(endOf(graph('t:trigger l:loop x@l', 't l', 'l:body x'))).toEqual(['l', ['t', 'l', 'x']])
  expect(lastStep([], () => true)).toBeNull()
})

test('unreachable steps, cycles and notes are listed separately', () => {
  const { rows, unreached, notes } = outlineOf(
    graph('t:trigger a lost x y n:note', 't a', 'x y', 'y x'),
    shapeOf,
  )
  expect(lines(rows)).toEqual(['t', 'a'])
  expect(unreached.map(({ id }) => id)).toEqual(['lost', 'x', 'y'])
  expect(notes.map(({ id }) => id)).toEqual(['n'])
})

test('every node is listed exactly once, however deep the choices are', () => {
  const depth = 60
  const names = Array.from({ length: depth }, (_, index) => `c${index}:choice`)
  const edges = Array.from({ length: depth - 1 }, (_, index) => `c${index}:true c${index + 1}`)
  const found = outlineOf(graph(`t:trigger ${names.join(' ')}`, 't c0', ...edges), shapeOf)
  const steps = lines(found.rows).filter((line) => /^ *[a-z]/.test(line))
  expect(steps).toHaveLength(depth + 1)
  expect(found.unreached).toEqual([])
})

test('a long outline is cut in reading order', () => {
  const { rows } = outlineOf(
    graph('t:trigger c:choice a b m', 't c', 'c:true a', 'c:false b', 'a m', 'b m'),
    shapeOf,
  )
  const cut = firstRows(rows, 4)
  expect(lines(cut.rows)).toEqual(['t', 'c', '  [true]', '    a'])
  expect(cut.left).toBe(3)
})

/** Nested Loops, each with a step before the inner one. */
function nested(depth: number): Graph {
  const names = Array.from({ length: depth }, (_, at) => {
    const place = at === 0 ? '' : `@l${at - 1}`
    return `s${at}${place} l${at}${place}:loop`
  })
  const edges = Array.from({ length: depth }, (_, at) => [
    at === 0 ? 't s0' : `l${at - 1}:body s${at}`,
    `s${at} l${at}`,
  ])
  return graph(`t:trigger ${names.join(' ')}`, ...edges.flat())
}

test('nested bodies have all their steps, even more levels than a graph may have; those beyond fifty are listed separately', () => {
  const found = outlineOf(nested(20), shapeOf)
  expect([stepsIn(found.rows).length, found.unreached]).toEqual([41, []])
  const deep = outlineOf(nested(3_000), shapeOf)
  expect(stepsIn(deep.rows).length + deep.unreached.length).toBe(6_001)
})

test('a choice is followed by the first step that all of its paths reach, in any graph', () => {
  const COUNT = 12
  const ids = Array.from({ length: COUNT }, (_, at) => `s${at}`)
  const edge = fc
    .tuple(fc.nat(COUNT - 2), fc.nat(COUNT - 2), fc.constantFrom('true', 'false'))
    .map(([one, other, handle]): [number, number, string] => [
      Math.min(one, other),
      Math.max(one, other) + 1,
      handle,
    ])
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 30 }),
      fc.array(fc.nat(COUNT - 1), { maxLength: 3 }),
      (edges, several) => {
        const given = graph(
          ids.map((id) => `${id}:choice`).join(' '),
          ...edges.map(([from, to, handle]) => `s${from}:${handle} s${to}`),
        )
        const [first] = given.nodes
        const frame = frameOf(framesOfGraph(given), null, first ? [first] : [], shapeOf)
        // The common steps of all paths from a step, nearest first: the intersection of those of its targets.
        const common = (lists: readonly string[][]) =>
          lists.reduce((one, other) => one.filter((id) => other.includes(id)))
        const ahead = new Map<string, string[]>([[EXIT, [EXIT]]])
        const targetsOf = (id: string) => {
          const targets = ['true', 'false'].map((handle) => {
            const found = given.edges.filter((one) => one.source === id && one.sourceHandle === handle)
            return found.length === 0 ? [EXIT] : found.map(({ target }) => target)
          })
          return targets.flat()
        }
        for (const id of ids.toReversed()) {
          ahead.set(id, [id, ...common(targetsOf(id).map((target) => ahead.get(target) ?? []))])
        }
        const reached = new Set(['s0'])
        for (const id of reached) for (const target of targetsOf(id)) if (target !== EXIT) reached.add(target)
        for (const id of reached) expect([id, frame.nextOf(id)]).toEqual([id, ahead.get(id)?.[1]])
        const chosen = several.map((at) => ids[at] ?? '').filter((id) => reached.has(id))
        if (chosen.length > 0) {
          expect(frame.meetingOf(chosen)).toBe(common(chosen.map((id) => ahead.get(id) ?? []))[0])
        }
      },
    ),
  )
})

/** Consecutive Loops, each with four steps in its body. */
function loops(count: number): Graph {
  const all = Array.from({ length: count }, (_, at) => at)
  const steps = [0, 1, 2, 3]
  return graph(
    `t:trigger ${all.map((at) => `l${at}:loop ${steps.map((step) => `l${at}s${step}@l${at}`).join(' ')}`).join(' ')}`,
    ...all.flatMap((at) => [
      at === 0 ? 't l0' : `l${at - 1}:done l${at}`,
      ...steps.map((step) => (step === 0 ? `l${at}:body l${at}s0` : `l${at}s${step - 1} l${at}s${step}`)),
    ]),
  )
}

/** A long row of steps, and choices that lead to both of its ends. */
function farChoices(count: number): Graph {
  const all = Array.from({ length: count }, (_, at) => at)
  return graph(
    `t:trigger ${all.map((at) => `s${at} c${at}:choice`).join(' ')}`,
    ...all.flatMap((at) => [
      at === 0 ? 't s0' : `s${at - 1} s${at}`,
      `t c${at}`,
      `c${at}:true s0`,
      `c${at}:false s${count - 1}`,
    ]),
  )
}

test.for<[string, (count: number) => Graph, number]>([
  ['with 1,000 Loops', loops, 1_000],
  ['with 2,500 choices that lead far', farChoices, 2_500],
])('an outline of 5,000 steps %s takes about as long as ten of 500', ([, graphOf, count]) => {
  // Processor time of many rounds: it has sub-millisecond resolution, and a busy machine does not inflate it.
  const cost = (given: Graph, rounds: number) => {
    const before = process.threadCpuUsage()
    for (let round = 0; round < rounds; round += 1) outlineOf(given, shapeOf)
    const { user } = process.threadCpuUsage(before)
    return user
  }
  const [small, large] = [graphOf(count / 10), graphOf(count)]
  cost(small, 20)
  const growth = cost(large, 8) / cost(small, 80)
  expect(growth < 4 ? 'about as long' : growth).toBe('about as long')
})
