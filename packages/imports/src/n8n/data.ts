import { isJsonObject, isSecretName, parseJson, REDACTED, redactText } from '@troupe/contract'
import { type Conversion, oneExit, oneStep } from '../draft/conversion.ts'
import { marker } from '../draft/marker.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { type N8nContext, type N8nMapping, portOf } from './mapping.ts'
import type { N8nNode } from './read-n8n.ts'
import { entriesOf } from './triggers.ts'

const NODES = 'packages/nodes-base/nodes'
const OUT = oneExit(portOf(0))
const MAX_ROWS = 1_000

interface Assignment {
  name: string
  value: unknown
  type: string
}

/** The assignments of a Set node, in the forms of its versions. */
function assignmentsOf({ parameters }: N8nNode): Assignment[] {
  const recent = entriesOf(parameters.assignments, 'assignments')
  const former = entriesOf(parameters.fields, 'values').map((field) => {
    const type = textOf(field.type ?? 'stringValue')
    return { name: field.name, value: field[type], type: type.replace(/Value$/, '') }
  })
  const first = Object.entries(isJsonObject(parameters.values) ? parameters.values : {}).flatMap(
    ([type, list]) =>
      (Array.isArray(list) ? list : [])
        .filter(isJsonObject)
        .map(({ name, value }) => ({ name, value, type })),
  )
  return [...recent, ...former, ...first].flatMap(({ name, value, type }) =>
    typeof name === 'string' && name !== '' && name !== '='
      ? [{ name: name.replace(/^=/, ''), value, type: textOf(type ?? 'string') }]
      : [],
  )
}

/** A literal in the type that the node gives it. */
function typed(value: unknown, type: string): unknown {
  if (typeof value !== 'string' || value.startsWith('=')) return value
  if (type === 'number' && value.trim() !== '' && Number.isFinite(numberOf(value))) return numberOf(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (type !== 'array' && type !== 'object') return value
  const parsed = parseJson(value)
  return parsed.ok && typeof parsed.value === 'object' ? parsed.value : value
}

const isSecret = (name: string, value: unknown) =>
  typeof value === 'string' &&
  value !== '' &&
  !value.startsWith('=') &&
  (isSecretName(name) || redactText(value, []).includes(REDACTED))

/** Whether the fields that a Set does not name are passed on, too. */
function keepsOthers({ parameters, version }: N8nNode): boolean {
  if (version >= 3.3) return parameters.includeOtherFields === true
  if (version >= 3) return (parameters.include ?? 'all') !== 'none'
  return parameters.keepOnlySet !== true
}

const dots = ({ parameters }: N8nNode) =>
  !(isJsonObject(parameters.options) && parameters.options.dotNotation === false)

/** The JSON that a node in raw mode writes, with its expressions as they are; null when it is not JSON. */
function rawJson(text: unknown): unknown {
  if (isJsonObject(text)) return text
  if (typeof text !== 'string') return null
  const parsed = parseJson(text.replace(/^=/, ''))
  if (!parsed.ok) return null
  return text.startsWith('=') ? asTemplates(parsed.value) : parsed.value
}

/** Within an expression every string is a template. */
function asTemplates(value: unknown): unknown {
  if (typeof value === 'string') return `=${value}`
  if (Array.isArray(value)) return value.map(asTemplates)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asTemplates(inner)]))
}

function rowsOf(node: N8nNode, { scope }: N8nContext, remarks: string[], choices: Conversion['choices']) {
  const values = new Map<string, unknown>()
  const put = (keys: readonly string[], value: unknown) => {
    const [first = '', ...rest] = keys
    const name = first.slice(0, 128)
    if (rest.length === 0) return void values.set(name, value)
    const around = values.get(name)
    values.set(name, nested(isJsonObject(around) ? around : {}, rest, value))
  }
  const raw = node.parameters.mode === 'raw' || node.parameters.mode === 'json'
  if (raw) {
    const json = rawJson(node.parameters.jsonOutput)
    if (!isJsonObject(json)) return null
    for (const [name, value] of Object.entries(json)) put([name], scope.value(value, node, remarks))
  }
  for (const { name, value, type } of raw ? [] : assignmentsOf(node)) {
    const keys = dots(node) ? name.split('.').filter((key) => key !== '') : [name]
    if (isSecret(name, value)) {
      choices.push({
        kind: 'credential',
        detail: `"${name.slice(0, 100)}" is a secret, and was left out. Keep secrets in credentials.`,
      })
      put(keys, marker('n8n', `the secret ${name}`))
    } else put(keys, scope.value(typed(value, type) ?? null, node, remarks))
  }
  if (values.size > MAX_ROWS) return null
  return [...values]
    .filter(([name]) => name !== '')
    .map(([name, value]) => ({ name, value, mode: 'expression' }))
}

function nested(
  into: Record<string, unknown>,
  keys: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [first = '', ...rest] = keys.slice(0, 20)
  const inner = Object.hasOwn(into, first) ? into[first] : undefined
  const below = rest.length === 0 ? value : nested(isJsonObject(inner) ? inner : {}, rest, value)
  return Object.fromEntries([...Object.entries(into).filter(([key]) => key !== first), [first, below]])
}

function setsName(node: N8nNode, key: string): boolean {
  const raw = node.parameters.mode === 'raw' || node.parameters.mode === 'json'
  if (raw) {
    const json = rawJson(node.parameters.jsonOutput)
    return isJsonObject(json) && Object.hasOwn(json, key)
  }
  return assignmentsOf(node).some(({ name }) => (dots(node) ? name.split('.')[0] : name) === key)
}

/** Nodes that make values of values. */
export const N8N_DATA: readonly N8nMapping[] = [
  {
    types: ['n8n-nodes-base.set'],
    becomes: 'Edit Fields',
    source: `${NODES}/Set/v2/SetV2.node.ts`,
    output: (keys, node) => {
      const [first] = keys
      if (first === undefined || !keepsOthers(node) || setsName(node, first)) return { output: keys }
      return { input: keys }
    },
    convert: (node, context) => {
      const remarks: string[] = []
      const choices: Conversion['choices'] = []
      const rows = rowsOf(node, context, remarks, choices)
      if (!rows) return null
      if (keepsOthers(node))
        remarks.push(
          'It passed on all other fields, too. Steps behind it read those from where they come from.',
        )
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks, choices })
    },
  },
  {
    types: ['n8n-nodes-base.splitOut'],
    becomes: 'Edit Fields with the list as items; put a Loop behind it',
    source: `${NODES}/Transform/SplitOut/SplitOut.node.ts`,
    output: (keys) =>
      keys.length === 0
        ? { output: ['items'] }
        : { reason: 'it is a field of each item; put the step into a Loop' },
    convert: (node, { scope }) => {
      const field = textOf(node.parameters.fieldToSplitOut ?? '').replace(/^\$json\./, '')
      const remarks = ['Steps behind it ran once for each item. Put them into a Loop over items.']
      if (field === '' || field.startsWith('$') || field.startsWith('=') || field.includes(',')) return null
      const path = scope.inputPath(node, field.split('.'), remarks)
      if (path === null) return null
      const rows = [{ name: 'items', value: `{{ ${path} }}`, mode: 'expression' }]
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.respondToWebhook'],
    becomes: 'Edit Fields: what the run gives',
    source: `${NODES}/RespondToWebhook/RespondToWebhook.node.ts`,
    output: (keys) => ({ input: keys }),
    convert: (node, { scope }) => {
      const remarks = [
        'Webhooks are answered at once with 202. The API answers with what the last step gives.',
      ]
      const { respondWith = 'firstIncomingItem', responseBody } = node.parameters
      const json = respondWith === 'json' ? rawJson(responseBody) : null
      if (isJsonObject(json) && Object.keys(json).length <= MAX_ROWS) {
        const rows = Object.entries(json).map(([name, value]) => ({
          name: name.slice(0, 128) || 'value',
          value: scope.value(value, node, remarks),
          mode: 'expression',
        }))
        const names = new Set(rows.map(({ name }) => name))
        if (names.size === rows.length)
          return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
      }
      if (respondWith === 'text' || respondWith === 'json') {
        const value = scope.value(responseBody ?? '', node, remarks)
        const rows = [{ name: 'response', value, mode: 'expression' }]
        return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
      }
      const path = respondWith === 'noData' ? null : scope.inputPath(node, [], remarks)
      const rows = path === null ? [] : [{ name: 'response', value: `{{ ${path} }}`, mode: 'expression' }]
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
    },
  },
]
