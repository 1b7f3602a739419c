import { newId, WorkflowId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { breaksIn, type LostField, lostFields } from './broken-callers.ts'

const end = (nodeId: string, ...paths: string[]) => ({
  nodeId,
  name: nodeId,
  fields: paths.map((path): { path: string; type: string | null } => ({ path, type: 'string' })),
})

test('fields are lost that the payload no longer declares, or declares with another type', () => {
  expect(
    lostFields(
      [
        { field: 'orderId', change: 'removed' },
        { field: 'amount', change: 'type' },
        { field: 'note', change: 'added' },
        { field: 'mail', change: 'required' },
      ],
      null,
    ),
  ).toEqual([
    { part: 'payload', field: 'orderId', change: 'removed' },
    { part: 'payload', field: 'amount', change: 'type' },
  ])
})

test('fields of the output count as lost only where the settings define the output', () => {
  const lost = (before: ReturnType<typeof end>[], after: ReturnType<typeof end>[]) =>
    lostFields([], { before, after }).map(({ field, change }) => `${change} ${field}`)
  expect(lost([end('a', 'reply', 'total')], [end('b', 'total')])).toEqual(['removed reply'])
  expect(lost([end('a', 'reply')], [end('b')])).toEqual([])
  // The output of a run with several last steps has their ids as keys.
  expect(lost([end('a', 'reply')], [end('a', 'reply'), end('b', 'x')])).toEqual(['removed reply'])
  const number = { ...end('a'), fields: [{ path: 'total', type: 'number' }] }
  const any = { ...end('a'), fields: [{ path: 'total', type: null }] }
  expect(lost([end('a', 'total')], [number])).toEqual(['type total'])
  expect(lost([end('a', 'total')], [any])).toEqual([])
})

test('an agent breaks where its tool or its instructions name a lost field', () => {
  const id = newId(WorkflowId)
  const lost: LostField[] = [
    { part: 'payload', field: 'orderId', change: 'removed' },
    { part: 'output', field: 'reply', change: 'removed' },
    { part: 'payload', field: 'id', change: 'removed' },
  ]
  const config = {
    instructions: 'Take `reply` from the answer. Never say orderIds or an id.',
    tools: [
      {
        type: 'workflow',
        name: 'orders',
        workflow_id: id,
        description: 'Needs the orderId.',
        approval: { field: 'orderId.0', op: 'eq', value: 1 },
        context_keys: [{ key: 'order', bind: 'orderId' }, { key: 'user' }],
      },
      { type: 'workflow', name: 'other', workflow_id: newId(WorkflowId), description: 'orderId' },
    ],
  }
  expect(breaksIn(config, id, lost).map(({ where, field, tool }) => [where, field, tool])).toEqual([
    ['approval', 'orderId', 'orders'],
    ['binding', 'orderId', 'orders'],
    ['description', 'orderId', 'orders'],
    ['instructions', 'reply', null],
  ])
  expect(breaksIn({ tools: 'none' }, id, lost)).toEqual([])
})
