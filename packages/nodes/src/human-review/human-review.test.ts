import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { executeNode } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const trigger = { order: { id: 'A-1', total: 12 }, long: 'x'.repeat(300), empty: '' }
const other = '0b7f6c3e-5b0a-4f5e-9a55-0d1f0f3c8c11'
const user = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

test('it waits, with the displayed fields filled in', async () => {
  const config = {
    title: 'Refund {{ trigger.order.id }}',
    instructions: 'Total: {{ trigger.order.total }}',
    show: [{ label: 'Order', value: '{{ trigger.order }}' }],
    fields: [
      { name: 'amount', label: 'Amount', type: 'number', value: '{{ trigger.order.total }}' },
      { name: 'why', label: 'Why', type: 'select', options: ['a', 'b'], required: true },
    ],
    timeout: { after: 3, unit: 'days' },
  }
  expect(await executeNode('human-review', config, { trigger })).toEqual({
    result: { status: 'waiting' },
    input: {
      title: 'Refund A-1',
      instructions: 'Total: 12',
      show: [{ label: 'Order', value: { id: 'A-1', total: 12 } }],
      fields: [
        { name: 'amount', label: 'Amount', type: 'number', options: [], required: false, value: 12 },
        { name: 'why', label: 'Why', type: 'select', options: ['a', 'b'], required: true, value: null },
      ],
      reviewers: { kind: 'members', roles: [], userIds: [] },
      approvalsRequired: 1,
      requireRejectComment: false,
      allowSelfApproval: true,
      allowApiKeys: true,
      timeoutSeconds: 259_200,
      notify: { emails: [], webhookUrl: null },
    },
    agentRunId: null,
    inputTokens: 0,
    outputTokens: 0,
  })
})

test('people may be named in any case of their ids', async () => {
  const config = { title: 'T', reviewers: { kind: 'users', userIds: [user.toUpperCase(), other] } }
  const { input } = await executeNode('human-review', config, { trigger })
  expect(input).toMatchObject({ reviewers: { kind: 'users', userIds: [user, other] } })
})

test('a long title is cut and an empty one fails', async () => {
  const long = await executeNode('human-review', { title: '{{ trigger.long }}' }, { trigger })
  expect((long.input as { title: string }).title).toHaveLength(200)
  const empty = await executeNode('human-review', { title: '{{ trigger.empty }}' }, { trigger })
  expect(empty.result).toEqual({ status: 'failed', message: 'title is empty' })
})

test('a title is one line, for any data', async () => {
  const subject = ' Refund\r\n\r\nSign in at\u2028https://evil.test\u0000\t'
  const { input } = await executeNode(
    'human-review',
    { title: '{{ trigger.subject }}' },
    { trigger: { subject } },
  )
  expect(input).toMatchObject({ title: 'Refund Sign in at https://evil.test' })
  const blank = await executeNode(
    'human-review',
    { title: '{{ trigger.b }}' },
    { trigger: { b: '\n\u0001' } },
  )
  expect(blank.result).toEqual({ status: 'failed', message: 'title is empty' })
})

test('an unresolvable token fails it before a review is requested', async () => {
  const config = { title: 'T', show: [{ label: 'L', value: '{{ variables.nope }}' }] }
  expect((await executeNode('human-review', config, { trigger })).result).toEqual({
    status: 'failed',
    message: 'could not resolve {{ variables.nope }}: variable "nope" was never set',
  })
})

test.for<[Record<string, unknown>, string[]]>([
  [{}, ['approved', 'rejected']],
  [{ timeout: null }, ['approved', 'rejected']],
  [{ timeout: { after: 1, unit: 'hours' } }, ['approved', 'rejected', 'timeout']],
])('the config %j has the handles %j', ([config, handles]) => {
  expect(NODE_TYPES.get('human-review')?.handles(config)).toEqual(handles)
})

test.for<[Record<string, unknown>, string[]]>([
  [{ title: 'T' }, []],
  [{ title: 'T', reviewers: { kind: 'users', userIds: [user] }, notify: { emails: ['a@example.com'] } }, []],
  [{}, ['title is required']],
  [
    {
      title: 'x'.repeat(201),
      approvalsRequired: 21,
      allowApiKeys: 'no',
      timeout: { after: 0, unit: 'weeks' },
    },
    [
      'title must have at most 200 characters',
      'approvalsRequired must be at most 20',
      'allowApiKeys must be a boolean',
      'timeout.after must be at least 1',
      'timeout.unit must be one of: minutes, hours, days',
    ],
  ],
  [
    {
      title: 'T',
      fields: [
        { name: 'a', label: 'A', type: 'select' },
        { name: 'a', label: 'A', type: 'text' },
        { name: 'b', label: '', type: 'file' },
      ],
    },
    [
      'fields.2.label must not be empty',
      'fields.2.type must be one of: text, textarea, number, select, boolean',
      'fields.1.name is used by another field',
      'fields.0.options must have at least one option',
    ],
  ],
  [
    {
      title: 'T',
      fields: [12, '12', null, 'twelve', true, '{{ trigger.order.total }}.5']
        .map((value) => ({ type: 'number', value }))
        .concat(
          [true, 'false', 'yes', 1, '{{ trigger.isUrgent }}'].map((value) => ({ type: 'boolean', value })),
        )
        .map((field, index) => ({ name: `n${index}`, label: 'L', ...field })),
    },
    [
      'warning: fields.3.value must be a number, or a token that resolves to one: reviewers see no proposed value',
      'warning: fields.4.value must be a number, or a token that resolves to one: reviewers see no proposed value',
      'warning: fields.8.value must be true or false, or a token that resolves to one: reviewers see no proposed value',
      'warning: fields.9.value must be true or false, or a token that resolves to one: reviewers see no proposed value',
    ],
  ],
  [{ title: 'T', reviewers: { kind: 'roles' } }, ['reviewers.roles must name at least one role']],
  [
    { title: 'T', reviewers: { kind: 'roles', roles: ['owner', 'approver', 'member', 'Admin'] } },
    [
      'reviewers.roles.1 must be one of: owner, admin, member, viewer, reviewer',
      'reviewers.roles.3 must be one of: owner, admin, member, viewer, reviewer',
    ],
  ],
  [
    {
      title: 'T',
      reviewers: { kind: 'users', userIds: [user, user.toUpperCase(), other] },
      approvalsRequired: 3,
    },
    ['approvalsRequired must be at most 2, the number of reviewers'],
  ],
  [{ title: 'T', reviewers: { kind: 'users', userIds: [user, other] }, approvalsRequired: 2 }, []],
  [{ title: 'T', reviewers: { kind: 'users' } }, ['reviewers.userIds must name at least one person']],
  [
    { title: 'T', notify: { emails: ['nobody'], webhookUrl: 'http://example.com' } },
    ['notify.emails.0 must be an e-mail address', 'notify.webhookUrl must be an https address'],
  ],
  [
    {
      title: 'T',
      notify: {
        emails: ['a@example.com\r\nBcc: b@example.com', `${'a'.repeat(300)}@example.com`, 'a@example.com\n'],
      },
    },
    ['0 must be an e-mail address', '1 must have at most 254 characters', '2 must be an e-mail address'].map(
      (finding) => `notify.emails.${finding}`,
    ),
  ],
  [
    { title: 'T', notify: { emails: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) } },
    ['notify.emails must have at most 50 items'],
  ],
  [{ title: 'T', show: [{}] }, ['show.0.label is required', 'show.0.value is required']],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('human-review', config)).toEqual(expected)
})

test('its templates are the displayed fields', () => {
  const config = {
    title: 'a',
    instructions: 'b',
    show: [{ label: '{{ literal }}', value: 'c' }],
    fields: [{ name: 'n', value: 'd' }],
  }
  expect(NODE_TYPES.get('human-review')?.templates?.(config)).toEqual([
    { path: 'title', value: 'a' },
    { path: 'instructions', value: 'b' },
    { path: 'show.0.value', value: 'c' },
    { path: 'fields.0.value', value: 'd' },
  ])
})

test.for([
  ['number', '12', 12],
  ['number', 'twelve', null],
  ['boolean', true, true],
  ['boolean', 'true', true],
  ['boolean', ' false ', false],
  ['boolean', '{{ trigger.isUrgent }}', true],
  ['boolean', 'yes', null],
] as const)('of a %s field, %j is proposed as %j', async ([type, value, proposed]) => {
  const config = { title: 'T', fields: [{ name: 'n', label: 'L', type, value }] }
  const { input } = await executeNode('human-review', config, { trigger: { isUrgent: true } })
  expect(input).toMatchObject({ fields: [{ value: proposed }] })
})
