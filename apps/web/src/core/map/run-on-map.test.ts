import { compileGraph, type Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { mapOfGraph } from './map-of-graph.ts'
import { isFlowing, type RunRow, runOnMap, wasTaken } from './run-on-map.ts'

const node = (id: string, type: string, parentId: string | null = null) => ({
  id,
  type,
  name: id,
  parentId,
  position: { x: 0, y: 0 },
  config: {},
})
const edge = (source: string, sourceHandle: string, target: string) => ({
  id: `${source}-${target}`,
  source,
  sourceHandle,
  target,
})
const GRAPH: Graph = {
  nodes: [
    node('start', 'manual-trigger'),
    node('each', 'loop'),
    node('check', 'if-else', 'each'),
    node('yes', 'edit-fields', 'each'),
    node('no', 'edit-fields', 'each'),
    node('end', 'edit-fields'),
    node('hint', 'note'),
  ],
  edges: [
    edge('start', 'out', 'each'),
    edge('each', 'done', 'end'),
    edge('each', 'body', 'check'),
    edge('check', 'false', 'no'),
    edge('check', 'true', 'yes'),
  ],
}
const compiled = compileGraph(GRAPH, NODE_TYPES)
const row = (nodeId: string, path = '', more: Partial<RunRow> = {}): RunRow => ({
  nodeId,
  path,
  status: 'completed',
  handles: ['out'],
  ...more,
})
const iteration = (number: number, taken: string) => [
  row('check', `each[${number}]`, { handles: [taken] }),
  row(
    taken === 'true' ? 'yes' : 'no',
    `each[${number}]`,
    number === 2 ? { status: 'failed', handles: null } : {},
  ),
]
const ROWS = [
  row('start'),
  row('each', '', { status: 'running', handles: null }),
  ...iteration(0, 'true'),
  ...iteration(1, 'false'),
  ...iteration(2, 'true'),
  ...iteration(10, 'true'),
]
const statusOf = (steps: ReturnType<typeof runOnMap>, id: string) => steps.get(id)?.state.status

test('branches leave in the order of the handles, and notes and Loops are known', () => {
  const map = mapOfGraph(GRAPH, ({ type, config }) => {
    const { role, handles } = NODE_TYPES.get(type) ?? expect.fail(type)
    return { role, handles: handles(config) }
  })
  expect(map.edges.filter(({ source }) => source === 'check').map(({ handle }) => handle)).toEqual([
    'true',
    'false',
  ])
  expect(map.nodes.flatMap(({ id, kind }) => (kind === 'step' ? [] : [`${id} ${kind}`]))).toEqual([
    'each loop',
    'hint note',
  ])
})

test('of a Loop the iteration with the failure is shown, the chosen one before it, else the last', () => {
  const steps = runOnMap(compiled, ROWS, '')
  expect(steps.get('each')?.iterations).toMatchObject({
    numbers: [0, 1, 2, 10],
    failed: new Set([2]),
    shown: 2,
  })
  expect([statusOf(steps, 'yes'), statusOf(steps, 'no'), statusOf(steps, 'end')]).toEqual([
    'failed',
    'skipped',
    'pending',
  ])
  expect(steps.get('yes')?.path).toBe('each[2]')
  const chosen = runOnMap(compiled, ROWS, 'each[1]')
  expect([statusOf(chosen, 'yes'), statusOf(chosen, 'no')]).toEqual(['skipped', 'completed'])
  expect(chosen.get('yes')?.state).toEqual({
    status: 'skipped',
    because: { kind: 'handles', nodeId: 'check', taken: ['false'] },
  })
  const sound = ROWS.filter(({ status }) => status !== 'failed')
  expect(runOnMap(compiled, sound, 'each[77]').get('each')?.iterations?.shown).toBe(10)
})

test('a Loop without an iteration has a body that was not reached', () => {
  const steps = runOnMap(compiled, [row('start'), row('each', '', { handles: null })], '')
  expect([statusOf(steps, 'each'), statusOf(steps, 'check'), statusOf(steps, 'end')]).toEqual([
    'completed',
    'pending',
    'pending',
  ])
})

test('connections were taken, dead, or are not known', () => {
  const steps = runOnMap(compiled, ROWS, '')
  const of = (source: string, handle: string) => wasTaken(steps, { source, handle })
  expect([
    of('start', 'out'),
    of('each', 'body'),
    of('each', 'done'),
    of('check', 'true'),
    of('check', 'false'),
    of('gone', 'out'),
  ]).toEqual([true, true, null, true, false, null])
})

test('a connection flows while the step that it started runs', () => {
  const flows = (status: RunRow['status']) => {
    const steps = runOnMap(compiled, [row('start'), row('each', '', { status, handles: null })], '')
    return isFlowing(steps, { source: 'start', handle: 'out', target: 'each' })
  }
  expect([flows('running'), flows('completed'), flows('waiting')]).toEqual([true, false, false])
})

test('rows of steps that the version does not have are ignored', () => {
  expect(runOnMap(compiled, [row('gone'), row('gone', 'other[3]')], '').has('gone')).toBe(false)
})
