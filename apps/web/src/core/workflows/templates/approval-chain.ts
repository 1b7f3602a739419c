import { step, type WorkflowTemplate, way } from './template.ts'

export const approvalChain: WorkflowTemplate = {
  id: 'approval-chain',
  name: 'Approval chain',
  detail: 'Small purchases pass at once; larger ones need one person, and the largest a second one.',
  keywords: ['human review', 'purchase', 'four eyes', 'limit'],
  payload: { item: 'Paper', amount: 20 },
  graph: {
    nodes: [
      step('request', 'manual-trigger', 'Purchase requested', {
        sample: { item: 'Paper', amount: 20 },
      }),
      step('small', 'if-else', 'At most 50?', {
        conditions: [{ left: '{{ trigger.amount }}', op: 'lte', right: 50 }],
      }),
      step('first', 'human-review', 'First approval', {
        title: '{{ trigger.item }} for {{ trigger.amount }}',
        requireRejectComment: true,
      }),
      step('large', 'if-else', 'More than 1,000?', {
        conditions: [{ left: '{{ trigger.amount }}', op: 'gt', right: 1000 }],
      }),
      step('second', 'human-review', 'Second approval', {
        title: '{{ trigger.item }} for {{ trigger.amount }}, second approval',
        requireRejectComment: true,
      }),
      step('order', 'edit-fields', 'Order it', { rows: [{ name: 'order', value: '{{ trigger.item }}' }] }),
      step('refuse', 'edit-fields', 'Refuse it', { rows: [{ name: 'order', value: null }] }),
    ],
    edges: [
      way('request', 'small'),
      way('small', 'order', 'true'),
      way('small', 'first', 'false'),
      way('first', 'large', 'approved'),
      way('first', 'refuse', 'rejected'),
      way('large', 'second', 'true'),
      way('large', 'order', 'false'),
      way('second', 'order', 'approved'),
      way('second', 'refuse', 'rejected'),
    ],
  },
}
