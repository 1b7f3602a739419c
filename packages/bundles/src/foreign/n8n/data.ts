import { isJsonObject, isSecretName, parseJson, REDACTED, redactText, shortened } from '@troupe/contract'
import { type Conversion, oneExit, oneStep } from '../draft/conversion.ts'
import { marker } from '../draft/marker.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { type N8nContext, type N8nMapping, portOf } from './mapping.ts'
import type { N8nNode } from './read-n8n.ts'
import { entriesOf } from './triggers.ts'

const NODES = 'packages/nodes-base/nodes'
const OUT = oneExit(portOf(0))
/** Limits of the rows of an Edit Fields. */
const MAX_ROWS = 1_000
const MAX_NAME = 128
/** Maximum keys of one dotted name. */
const MAX_KEYS = 20

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

/** A literal in the declared type. */
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

/** Whether fields that a Set does not name are passed on, too. */
function keepsOthers({ parameters, version }: N8nNode): boolean {
  if (version >= 3.3) return parameters.includeOtherFields === true
  if (version >= 3) return (parameters.include ?? 'all') !== 'none'
  return parameters.keepOnlySet !== true
}

const dots = ({ parameters }: N8nNode) =>
  !(isJsonObject(parameters.options) && parameters.options.dotNotation === false)

/** The JSON of a node in raw mode, with its expressions unchanged; null for invalid JSON. */
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

/** Fields by name; a Map is an object under construction. */
type Fields = Map<string, unknown>

/** Sets a field at a path, creating the objects along it. */
function setField(fields: Fields, keys: readonly string[], value: unknown): void {
  let at = fields
  for (const key of keys.slice(0, -1)) {
    const inner = at.get(key)
    const next: Fields =
      inner instanceof Map ? inner : new Map(isJsonObject(inner) ? Object.entries(inner) : [])
    at.set(key, next)
    at = next
  }
  at.set(keys.at(-1) ?? '', value)
}

const plain = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)])) : value

/** The rows of an Edit Fields; null when there are too many, or names are too long or too deep. */
function rowsOf(node: N8nNode, { scope }: N8nContext, remarks: string[], choices: Conversion['choices']) {
  const fields: Fields = new Map()
  const raw = isRaw(node)
  if (raw) {
    const json = rawJson(node.parameters.jsonOutput)
    if (!isJsonObject(json)) return null
    for (const [name, value] of Object.entries(json)) fields.set(name, scope.value(value, node, remarks))
  }
  for (const { name, value, type } of raw ? [] : assignmentsOf(node)) {
    const keys = dots(node) ? name.split('.').filter((key) => key !== '') : [name]
    if (keys.length > MAX_KEYS) return null
    if (isSecret(name, value)) {
      choices.push({
        kind: 'credential',
        detail: `"${name.slice(0, 100)}" is a secret, and was omitted. Keep secrets in credentials.`,
      })
      setField(fields, keys, marker('n8n', `the secret ${name}`))
    } else setField(fields, keys, scope.value(typed(value, type) ?? null, node, remarks))
  }
  const rows = [...fields].filter(([name]) => name !== '')
  if (rows.length > MAX_ROWS || rows.some(([name]) => name.length > MAX_NAME)) return null
  return rows.map(([name, value]) => ({ name, value: plain(value), mode: 'expression' }))
}

const isRaw = ({ parameters: { mode } }: N8nNode) => mode === 'raw' || mode === 'json'

/** Names of the fields that nodes set, looked up by each later token. */
const namesOf = new WeakMap<N8nNode, ReadonlySet<string>>()

function setsName(node: N8nNode, key: string): boolean {
  const names = namesOf.get(node) ?? new Set(namesIn(node))
  namesOf.set(node, names)
  return names.has(key)
}

function namesIn(node: N8nNode): string[] {
  if (!isRaw(node)) return assignmentsOf(node).map(({ name }) => (dots(node) ? firstKey(name) : name))
  const json = rawJson(node.parameters.jsonOutput)
  return isJsonObject(json) ? Object.keys(json) : []
}

const firstKey = (name: string) => name.split('.').find((key) => key !== '') ?? ''

/** Response modes that return the data before the node. */
const INCOMING: ReadonlySet<string> = new Set(['firstIncomingItem', 'allIncomingItems'])

/** Nodes that transform values. */
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
    types: ['n8n-nodes-base.splitOut', 'n8n-nodes-base.itemLists'],
    becomes: 'Edit Fields with the list as items; put a Loop behind it',
    source: `${NODES}/Transform/SplitOut/SplitOut.node.ts, ${NODES}/ItemLists/V1/ItemListsV1.node.ts`,
    output: (keys) =>
      keys.length === 0
        ? { output: ['items'] }
        : { reason: 'it is a field of each item; put the step into a Loop' },
    convert: (node, { scope }) => {
      // Item Lists had further operations, which work on whole lists of items.
      if (textOf(node.parameters.operation ?? 'splitOutItems') !== 'splitOutItems') return null
      const field = textOf(node.parameters.fieldToSplitOut ?? '').replace(/^\$json\./, '')
      const remarks = ['Steps behind it ran once for each item. Put them into a Loop over items.']
      if (field === '' || field.startsWith('$') || field.startsWith('=') || field.includes(',')) return null
      const path = scope.inputPath(node, field.split('.'), remarks)
      const value = path === null ? marker('n8n', field) : `{{ ${path} }}`
      const rows = [{ name: 'items', value, mode: 'expression' }]
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.respondToWebhook'],
    becomes: 'Edit Fields: the output of the run',
    source: `${NODES}/RespondToWebhook/RespondToWebhook.node.ts`,
    output: (keys) => ({ input: keys }),
    convert: (node, { scope }) => {
      const remarks = ['Webhooks are answered at once with 202. The API returns the output of the last step.']
      const { respondWith = 'firstIncomingItem', responseBody } = node.parameters
      const json = respondWith === 'json' ? rawJson(responseBody) : null
      const names = isJsonObject(json) ? Object.keys(json) : []
      const areNames = names.every((name) => name !== '' && name.length <= MAX_NAME)
      if (isJsonObject(json) && areNames && names.length <= MAX_ROWS) {
        const rows = Object.entries(json).map(([name, value]) => ({
          name,
          value: scope.value(value, node, remarks),
          mode: 'expression',
        }))
        return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
      }
      if (respondWith === 'text' || respondWith === 'json') {
        const value = scope.value(responseBody ?? '', node, remarks)
        const rows = [{ name: 'response', value, mode: 'expression' }]
        return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
      }
      if (respondWith === 'noData')
        return oneStep({ type: 'edit-fields', config: { rows: [] } }, OUT, { remarks })
      if (!INCOMING.has(textOf(respondWith)))
        remarks.push(`It answered with "${shortened(textOf(respondWith), 60)}". The step returns its input.`)
      const path = scope.inputPath(node, [], remarks)
      const value = path === null ? marker('n8n', 'what comes before it') : `{{ ${path} }}`
      const rows = [{ name: 'response', value, mode: 'expression' }]
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
    },
  },
]
