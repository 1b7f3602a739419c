import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { modelConfig } from './agent-config.ts'
import { filledValue } from './filled-value.ts'
import type { Resources } from './resources.ts'

const timing = { timeoutSeconds: 33, retries: 2, retryDelaySeconds: 5 }
const conversation = {
  ...{
    message: 'About {{ trigger.text }}',
    sessionId: '{{ trigger.session }}',
    userId: '{{ trigger.user }}',
  },
  ...{ onUnsuccessful: 'fail', ...timing },
}
const outputSchema = { type: 'object', properties: { zeta: { type: 'string' }, alpha: { type: 'string' } } }
const conditions = { match: 'any', conditions: [{ left: '{{ vars.count }}', op: 'gt', right: 3 }] }
const sample = { text: 'Hello' }

const FORM = {
  ...{ title: 'Order', description: 'Tell us.', submitLabel: 'Send', successMessage: 'Thanks.' },
  redirectUrl: 'https://shop.example/thanks',
  auth: { mode: 'basic', username: 'guest' },
  theme: { mode: 'dark', accent: '#2f6fed', radius: 4, logoUrl: 'https://shop.example/logo.png' },
  ...{ botGuard: true, embedOrigins: ['https://shop.example'] },
  fields: [
    {
      ...{
        name: 'text',
        label: 'What',
        type: 'text',
        required: true,
        help: 'In short',
        placeholder: 'A bike',
      },
      ...{ defaultValue: 'Bike', prefill: true, minLength: 2, maxLength: 80, pattern: '[A-Z].*' },
    },
    {
      name: 'colours',
      label: 'Colours',
      type: 'checkboxes',
      options: ['red', { value: 'b', label: 'Blue' }],
      defaultValue: ['red'],
      min: 1,
    },
    { name: 'file', label: 'Picture', type: 'file', accept: '.png,.jpg', multiple: true, maxFiles: 2 },
  ],
}

const REVIEW = {
  ...{
    title: 'Order of {{ trigger.user }}',
    instructions: 'Look.',
    show: [{ label: 'Text', value: '{{ trigger.text }}' }],
  },
  fields: [{ name: 'size', label: 'Size', type: 'select', options: ['S', 'L'], required: true, value: 'S' }],
  reviewers: { kind: 'roles', roles: ['owner'] },
  ...{ approvalsRequired: 2, requireRejectComment: true, allowSelfApproval: false, allowApiKeys: false },
  timeout: { after: 3, unit: 'hours' },
  notify: { emails: ['ana@acme.test'], webhookUrl: 'https://crm.example/reviews' },
}

/** A graph with a node of each type, with every setting. Types without a sample are filled from their schema. */
export function graphOfEach(resources: Resources, { agent, team }: { agent: string; team: string }) {
  const model = modelConfig(resources)
  const configs: readonly (readonly [string, object])[] = [
    ['manual-trigger', { sample }],
    [
      'http-request',
      { fields: [{ name: 'text', type: 'string', required: true }], rejectDuplicates: true, sample },
    ],
    ['form-trigger', { ...FORM, sample: { email: 'ana@example.com' } }],
    [
      'recurrence',
      {
        ...{ mode: 'cron', cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' },
        ...{ overlap: 'queue_one', catchUp: 'none' },
      },
    ],
    ['ai-agent', { agentId: agent, ...conversation, toolContext: { customer: { id: 'c-1' } }, outputSchema }],
    ['team-step', { teamId: team, ...conversation }],
    ['ai-prompt', { model, system: 'Be short.', prompt: 'Say $' + '{x}', outputSchema, ...timing }],
    [
      'classify',
      {
        ...{ model, text: '{{ trigger.text }}', instructions: 'Choose.', includeOther: false, ...timing },
        classes: [{ id: 'order', name: 'Order', description: 'Wants something.' }],
      },
    ],
    ['if-else', conditions],
    ['loop', { mode: 'list', source: [1, 2] }],
    ['human-review', REVIEW],
    ['variable', { rows: [{ name: 'count', op: 'increment', value: 2, mode: 'fixed' }] }],
    [
      'edit-fields',
      { rows: [{ name: 'all', value: { zeta: 1, alpha: [null] }, mode: 'fixed' }], keepOnlySet: true },
    ],
    ['note', { markdown: '# Why', color: 'blue', width: 320, height: 120 }],
    ['loop', { mode: 'count', count: 2 }],
    ['loop', { mode: 'while', condition: conditions }],
    ['recurrence', { mode: 'interval', every: 3, unit: 'hours' }],
    ['human-review', { title: 'Who', reviewers: { kind: 'roles', roles: ['admin'] } }],
  ]
  const controls = { agent, team, model, 'json-schema': outputSchema }
  const others = NODE_DEFINITIONS.filter((one) => configs.every(([type]) => type !== one.type)).map(
    ({ type, schema }) => [type, filledValue(schema, controls)] as const,
  )
  const nodes = [...configs, ...others].map(([type, config], index) => ({
    ...{ id: `n${index}`, type, name: `${type} ${index}`, parentId: null },
    ...{ position: { x: index * 40.5, y: 20 }, config },
  }))
  return { nodes, edges: [] }
}
