import { EmailAddress } from '@troupe/contract'
import { Type } from 'typebox'
import { Literal, OneOf, OptionalLiteral, Switch, Text, Value, Whole } from '../definition/fields.ts'
import { isObject } from '../definition/fill-defaults.ts'
import type { Variants } from '../definition/form-hint.ts'
import { defineNode } from '../definition/node-definition.ts'
import { outputField } from '../definition/output-fields.ts'
import { HTTPS_URL } from '../definition/patterns.ts'
import { objectsIn } from '../definition/problems.ts'
import { TIME_UNITS } from '../definition/timing.ts'
import type { REVIEW_FIELD_TYPES } from './proposed-value.ts'
import { reviewProblems } from './rules.ts'

const SECONDS = { minutes: 60, hours: 3_600, days: 86_400 } as const

const TYPE_TITLES: Readonly<Record<(typeof REVIEW_FIELD_TYPES)[number], string>> = {
  text: 'One line of text',
  textarea: 'Several lines of text',
  number: 'Number',
  select: 'One of several options',
  boolean: 'Yes or no',
}

const ShownValue = Type.Object({
  label: Literal({ title: 'Label', minLength: 1, maxLength: 300 }),
  value: Value({ title: 'Value' }),
})

const proposed = (description: string, control: 'number-or-token' | 'boolean-or-token') =>
  Type.Object({ value: Value({ title: 'Proposed value', description, default: null, form: { control } }) })

/** In the builder's form: the proposed value has the type of the field. */
const VARIANTS: Variants = {
  key: 'type',
  schemas: {
    number: proposed('A number, or a token such as {{ trigger.amount }}.', 'number-or-token'),
    boolean: proposed('true, false, or a token such as {{ trigger.isUrgent }}.', 'boolean-or-token'),
  },
}

const ReviewField = Type.Object(
  {
    label: Literal({ title: 'Label', minLength: 1, maxLength: 300 }),
    name: Literal({
      title: 'Name',
      description: 'The key of the value in the output of the step.',
      minLength: 1,
      maxLength: 128,
      form: { control: 'text', from: 'label' },
    }),
    type: OneOf(TYPE_TITLES, { title: 'Type' }),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        title: 'Options',
        maxItems: 500,
        description: 'One per line.',
        form: { control: 'lines', when: { key: 'type', is: ['select'] } },
      }),
    ),
    required: Switch({ title: 'Required', default: false }),
    value: Value({ title: 'Proposed value', default: null }),
  },
  { variants: VARIANTS },
)

/** Types of values by types of fields. */
const REVIEW_TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  textarea: 'string',
  number: 'number',
  select: 'string',
  boolean: 'boolean',
}

const Reviewers = Type.Object(
  {
    kind: OneOf(
      {
        members: 'Everybody in the organization',
        roles: 'Members with one of these roles',
        users: 'These people',
      },
      { title: 'Who may decide' },
    ),
    roles: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 50,
        title: 'Roles',
        form: { control: 'roles', when: { key: 'kind', is: ['roles'] } },
      }),
    ),
    userIds: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: 500,
        title: 'People',
        form: { control: 'people', when: { key: 'kind', is: ['users'] } },
      }),
    ),
  },
  { title: 'Reviewers', default: { kind: 'members' } },
)

const Deadline = Type.Object({
  after: Whole({ title: 'After', minimum: 1, maximum: 1_000_000, default: 1 }),
  unit: OneOf(TIME_UNITS, { title: 'Unit', default: 'days' }),
})

const Notify = Type.Object(
  {
    emails: Type.Array(EmailAddress, {
      maxItems: 50,
      title: 'E-mail',
      default: [],
      form: { control: 'tags' },
    }),
    webhookUrl: OptionalLiteral({ title: 'Webhook', ...HTTPS_URL }),
  },
  { title: 'Notify', default: {} },
)

/** Waits for the decision of reviewers. */
export const humanReview = defineNode({
  type: 'human-review',
  role: 'effect',
  title: 'Human Review',
  summary: 'Waits for a person to approve or reject.',
  icon: 'user-check',
  group: 'people',
  schema: Type.Object({
    title: Text({ title: 'Title', minLength: 1, maxLength: 200, form: { control: 'text' } }),
    instructions: Text({ title: 'Instructions', default: '', form: { control: 'markdown' } }),
    show: Type.Array(ShownValue, {
      maxItems: 200,
      title: 'What reviewers see',
      description: 'Reviewers see only these values, never the whole payload.',
      default: [],
      form: { control: 'list' },
    }),
    fields: Type.Array(ReviewField, {
      maxItems: 200,
      title: 'What reviewers may edit',
      default: [],
      form: { control: 'list' },
    }),
    reviewers: Reviewers,
    approvalsRequired: Whole({ title: 'Approvals required', minimum: 1, maximum: 20, default: 1 }),
    requireRejectComment: Switch({ title: 'A rejection needs a comment', default: false }),
    allowSelfApproval: Switch({ title: 'The person who started the run may decide', default: true }),
    allowApiKeys: Switch({ title: 'API keys may decide', default: true }),
    timeout: Type.Unsafe<{ after: number; unit: keyof typeof SECONDS } | null>({
      ...Deadline,
      type: ['object', 'null'],
      title: 'Deadline',
      default: null,
    }),
    notify: Notify,
  }),
  handles: ({ timeout }) => ['approved', 'rejected', ...(isObject(timeout) ? ['timeout'] : [])],
  outputsOf: ({ fields }) => [
    ...outputField('decision', 'string'),
    ...outputField('comment', 'string'),
    ...objectsIn(fields).flatMap(([, { name, type }]) =>
      outputField(name).map(({ path }) => ({
        path: `data.${path}`,
        type: REVIEW_TYPES[String(type)] ?? null,
      })),
    ),
    ...outputField('reviewedBy', 'object'),
    ...outputField('reviewedAt', 'string'),
  ],
  outputOfWay: (_config, way) => ({ decision: way }),
  rules: reviewProblems,
})

/** Seconds until a review times out; null for never. */
export function deadlineSeconds(
  timeout: { after: number; unit: keyof typeof SECONDS } | null,
): number | null {
  return timeout && timeout.after * SECONDS[timeout.unit]
}
