import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { DeclaredField } from '../model/node-types.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { payloadError } from './declared-fields.ts'
import { planRun } from './plan-run.ts'
import type { RunStart } from './run-start.ts'
import { startGraphRun } from './start-graph-run.ts'

// Table V4.

const fields: DeclaredField[] = [
  { name: 'orderId', type: 'string', required: true },
  { name: 'qty', type: 'number', required: false },
  { name: 'gift', type: 'boolean', required: false },
  { name: 'meta', type: 'object', required: false },
]
const sketch = parseSketch('t→a, f→a, r→a')
for (const node of sketch.nodes) if (node.id === 't') node.config = { fields }
const graph = compileGraph(sketch, TEST_NODE_TYPES)
const PREFIX = 'Payload does not match the HTTP Request trigger: '

test.for<[unknown, string | null]>([
  [{ orderId: 'A-1' }, null],
  [{ orderId: '', extra: 1 }, null],
  [{ orderId: 'A', qty: null }, null],
  // As a webhook stores a number that a double would change.
  [{ orderId: 'A', qty: '8202522731445525542' }, null],
  [{ orderId: 'A', qty: '820' }, '"qty" must be a number (got string)'],
  [{}, '"orderId" is required'],
  [[], '"orderId" is required'],
  ['text', '"orderId" is required'],
  [null, '"orderId" is required'],
  [{ orderId: null, qty: '2' }, '"orderId" is required; "qty" must be a number (got string)'],
  [
    { orderId: 1, gift: 'yes', meta: [] },
    '"orderId" must be a string (got number); "gift" must be a boolean (got string); "meta" must be an object (got array)',
  ],
])('the payload %j: %s', ([payload, faults]) => {
  expect(payloadError(graph, payload)).toBe(faults === null ? null : PREFIX + faults)
})

test.for<[RunStart, string]>([
  [{ kind: 'schedule', nodeId: 'r' }, 'failed'],
  [{ kind: 'webhook', body: { orderId: 'A' } }, 'running'],
  [{ kind: 'webhook', body: { body: { orderId: 'A' } } }, 'failed'],
  [{ kind: 'form', values: { orderId: 'A' } }, 'running'],
  // A manual run has the payload of an API call, or of a webhook.
  [{ kind: 'builder', nodeId: null, payload: { orderId: 'A' } }, 'running'],
  [{ kind: 'builder', nodeId: null, payload: { body: { orderId: 'A' } } }, 'running'],
  [{ kind: 'builder', nodeId: null, payload: { body: {} } }, 'failed'],
  [{ kind: 'form', values: {} }, 'failed'],
  [{ kind: 'api', input: { orderId: 'A' } }, 'running'],
  [{ kind: 'builder', nodeId: 'f', payload: { orderId: 'A' } }, 'running'],
])('every start is checked: %j is %s', ([start, status]) => {
  const plan = planRun(startGraphRun(graph, start))
  expect(plan.status).toBe(status)
  expect(plan.error).toBe(status === 'failed' ? `${PREFIX}"orderId" is required` : null)
})

test('a graph without declared fields accepts anything', () => {
  expect(payloadError(graph, { orderId: 'x' })).toBe(null)
  expect(
    startGraphRun(compileGraph(parseSketch('t→a'), TEST_NODE_TYPES), { kind: 'webhook', body: 7 }).outcome,
  ).toBe(null)
})
