import {
  AgentConfigInput,
  Bundle,
  isJsonObject,
  OPERATIONS,
  OPERATOR_OPERATIONS,
  type Operation,
  TeamConfigInput,
  TRIGGER_OPERATIONS,
} from '@troupe/contract'
import { BUILDER_OPERATIONS, DEPLOYMENT_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'
import { VOICE_ENDPOINTS } from '@troupe/contract/voice-worker'
import { expect, test } from 'vitest'
import { GUARDRAIL_SCHEMAS } from '../packages/contract/src/agents/config/guardrails.ts'
import { TOOL_SCHEMAS } from '../packages/contract/src/agents/config/tools.ts'
import { GraphInput } from '../packages/graph/src/model/graph.ts'
import { NODE_DEFINITIONS } from '../packages/nodes/src/definitions.ts'

// A list or record without a bound may have 100,000 entries, each of which has to be checked, reported and stored. So every schema
// of callers' data has a bound, or a reason here to have none.

const OWN_DATA = 'the data of a caller’s own workflow, of any shape; the body’s budget is its bound'
const CHECKED = 'checked by a schema with bounds right after, as a configuration, tool or graph'
const UNFINISHED = 'a configuration as typed: it is stored and never run, and its budget is 2 MB'

/** Places without a bound, with the reason. A place is `owner path`. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  'runWorkflow input': OWN_DATA,
  'runWorkflowAsync input': OWN_DATA,
  'startWorkflowRun payload': OWN_DATA,
  'planTestRun payload': OWN_DATA,
  'planTestRun seeds.values[].output': OWN_DATA,
  'planTestRun seeds.pins[].output': OWN_DATA,
  'startTestRun payload': OWN_DATA,
  'startTestRun seeds.values[].output': OWN_DATA,
  'startTestRun seeds.pins[].output': OWN_DATA,
  'setPin output': OWN_DATA,
  'updateTestCase payload': OWN_DATA,
  'updateTestCase expect.output.value': OWN_DATA,
  triggerWorkflow: OWN_DATA,
  submitForm: OWN_DATA,
  submitFormShortly: OWN_DATA,
  'decideReview data': 'the fields of a review are looked up by their names; others are refused',
  'testTool tool': CHECKED,
  'testTool arguments': OWN_DATA,
  'listOfferedTools tool': CHECKED,
  'keepUnsavedChanges edit.mine': UNFINISHED,
  'keepUnsavedChanges edit.from': UNFINISHED,
  'keepUnsavedChanges edit.ids': UNFINISHED,
  'saveWorkflowDraft changes[].put.node': CHECKED,
  'saveWorkflowDraft changes[].put.edge': CHECKED,
}

const OPEN_INTEGER = 'an integer without maximum'

type Found = [place: string, kind: string]

function unboundedIn(schema: unknown, owner: string, path = ''): Found[] {
  if (!isJsonObject(schema)) return []
  const place = path === '' ? owner : `${owner} ${path.replace(/^\./, '')}`
  const types = [schema.type].flat()
  const found: Found[] = []
  const isRecord = types.includes('object') && schema.properties === undefined
  const isAnything =
    schema.type === undefined &&
    schema.anyOf === undefined &&
    schema.enum === undefined &&
    !('const' in schema)
  if (types.includes('array') && schema.maxItems === undefined) found.push([place, 'a list without maxItems'])
  if (isRecord && schema.additionalProperties !== false && schema.maxProperties === undefined) {
    found.push([place, 'a record without maxProperties'])
  }
  if (types.includes('integer') && schema.maximum === undefined) found.push([place, OPEN_INTEGER])
  // Inside a configuration or graph any value is within the size limit of the whole.
  if (isAnything && !/^(?:an?|the) /.test(owner)) found.push([place, 'any value'])
  const members = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return [
    ...found,
    ...members.flatMap(([key, member]) => unboundedIn(member, owner, `${path}.${key}`)),
    ...unboundedIn(schema.items, owner, `${path}[]`),
    ...unboundedIn(schema.additionalProperties, owner, `${path}.*`),
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []).flatMap((branch) =>
      unboundedIn(branch, owner, path),
    ),
  ]
}

function ofOperations(operations: Readonly<Record<string, object>>): Found[] {
  return Object.values(operations).flatMap((operation) => {
    const { id, body, query, params, headers } = operation as Operation
    return [body, query, params, headers].flatMap((part) => unboundedIn(part, id))
  })
}

const found: Found[] = [
  ...ofOperations({ ...OPERATIONS, ...TRIGGER_OPERATIONS, ...OPERATOR_OPERATIONS }),
  ...ofOperations({ ...BUILDER_OPERATIONS, ...DEPLOYMENT_OPERATIONS, ...PERSON_OPERATIONS }),
  ...Object.entries(VOICE_ENDPOINTS).flatMap(([id, { body }]) => unboundedIn(body, id)),
  ...unboundedIn(AgentConfigInput, 'an agent'),
  ...unboundedIn(TeamConfigInput, 'a team'),
  ...unboundedIn(GraphInput, 'a graph'),
  ...unboundedIn(Bundle, 'a bundle'),
  ...Object.entries(TOOL_SCHEMAS).flatMap(([type, schema]) => unboundedIn(schema, `the tool ${type}`)),
  ...Object.entries(GUARDRAIL_SCHEMAS).flatMap(([type, schema]) => unboundedIn(schema, `the rule ${type}`)),
  ...NODE_DEFINITIONS.flatMap(({ type, schema }) => unboundedIn(schema, `the node ${type}`)),
]

test('every list and record in callers’ data has a bound, or a reason to have none', () => {
  const missing = found.filter(([place, kind]) => kind !== OPEN_INTEGER && !Object.hasOwn(UNBOUNDED, place))
  expect([...new Set(missing.map(([place, kind]) => `${place}: ${kind}`))]).toEqual([])
})

test('every reason is for a place without a bound', () => {
  const places = new Set(found.map(([place]) => place))
  expect(Object.keys(UNBOUNDED).filter((place) => !places.has(place))).toEqual([])
})

test('every integer in callers’ data has a maximum, because it is compared with a column that has one', () => {
  // Configurations are stored as JSON.
  const isJson = (place: string) => /^(?:an?|the) /.test(place)
  const open = found.filter(([place, kind]) => kind === OPEN_INTEGER && !isJson(place))
  expect(open.map(([place]) => place)).toEqual([])
})
