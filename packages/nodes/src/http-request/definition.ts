import type { DeclaredField } from '@troupe/graph'
import { Type } from 'typebox'
import { Literal, OneOf, SampleOfFields, Switch } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { exampleFields, type OutputField, outputField } from '../definition/output-fields.ts'
import { objectsIn, repeated } from '../definition/problems.ts'

const TYPES = ['string', 'number', 'boolean', 'object'] as const
const TYPE_TITLES: Readonly<Record<(typeof TYPES)[number], string>> = {
  string: 'Text',
  number: 'Number',
  boolean: 'True or false',
  object: 'Object',
}

const PayloadField = Type.Object({
  name: Literal({ title: 'Name', minLength: 1, maxLength: 128 }),
  type: OneOf(TYPE_TITLES, { title: 'Type' }),
  required: Switch({ title: 'Required', default: false }),
})

function declaredFields(config: Record<string, unknown>): DeclaredField[] {
  return objectsIn(config.fields).flatMap(([, { name, type, required }]) => {
    const known = TYPES.find((candidate) => candidate === type)
    return typeof name === 'string' && known ? [{ name, type: known, required: required === true }] : []
  })
}

/** Declared fields and those of the sample: at the top level in calls of the API, below `body` in webhooks. */
function payloadFields(config: Record<string, unknown>): OutputField[] {
  const declared = declaredFields(config).flatMap(({ name, type }) => outputField(name, type))
  const names = new Set(declared.map(({ path }) => path))
  const fields = [...declared, ...exampleFields(config.sample).filter(({ path }) => !names.has(path))]
  return [...fields.map((field) => ({ ...field, path: `body.${field.path}` })), ...fields]
}

/** Starts a run through a webhook call or the API, and declares the fields of the payload. */
export const httpRequest = defineNode({
  type: 'http-request',
  role: 'trigger',
  trigger: 'http',
  title: 'HTTP Request',
  summary: 'Starts the workflow when its webhook or the API is called.',
  icon: 'webhook',
  group: 'triggers',
  place: 2,
  schema: Type.Object({
    fields: Type.Array(PayloadField, {
      maxItems: 500,
      title: 'Payload fields',
      description:
        'Checked before the first step runs, whatever started the run. None: anything is accepted.',
      default: [],
      form: { control: 'list' },
    }),
    rejectDuplicates: Switch({
      title: 'Deduplicate repeated calls',
      description:
        'The same Idempotency-Key, webhook-id or signature within 10 minutes gets the first response again.',
      default: false,
    }),
    sample: SampleOfFields,
  }),
  handles: () => ['out'],
  outputsOf: payloadFields,
  fields: declaredFields,
  rules: ({ fields }) => repeated(fields, 'name', 'fields', 'field'),
})
