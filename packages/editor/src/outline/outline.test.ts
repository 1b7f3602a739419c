import type { Graph, GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
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

test('steps in a row stand in the order of the run', () => {
  expect(outlined(graph('t:trigger b a', 't a', 'a b'))).toEqual(['t', 'a', 'b'])
})

test('branches stand below their choice, and what both lead to follows it', () => {
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

test('an empty branch says whether the run goes on or ends there', () => {
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

test('ways that leave together are told apart from choices', () => {
  expect(outlined(graph('t:trigger a b m', 't a', 't b', 'a m', 'b m'))).toEqual([
    't',
    '  [+]',
    '    a',
    '  [+]',
    '    b',
    'm',
  ])
})

test('what stands elsewhere already is a reference', () => {
  // a leads to m and to x, b to m only: what follows b stands in the branch of a.
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

test('the body of a loop is below it, and what follows the loop after it', () => {
  expect(outlined(graph('t:trigger l:loop x@l y@l z', 't l', 'l:body x', 'x y', 'l:done z'))).toEqual([
    't',
    'l',
    '  x',
    '  y',
    'z',
  ])
})

test('several triggers stand first; what all start follows', () => {
  expect(outlined(graph('s:trigger t:trigger only a', 's a', 't only', 'only a'))).toEqual([
    's',
    't',
    '  only',
    'a',
  ])
})

test('several triggers are alternatives, and what whichever starts leads to comes then', () => {
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

test('what no run reaches, waits for itself, or is a note is listed apart', () => {
  const { rows, unreached, notes } = outlineOf(
    graph('t:trigger a lost x y n:note', 't a', 'x y', 'y x'),
    shapeOf,
  )
  expect(lines(rows)).toEqual(['t', 'a'])
  expect(unreached.map(({ id }) => id)).toEqual(['lost', 'x', 'y'])
  expect(notes.map(({ id }) => id)).toEqual(['n'])
})

test('every node stands exactly once, however deep the choices are', () => {
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
