import { isJsonObject, propertyOf } from '@troupe/contract'
import { numberOf, textOf } from '../draft/plain.ts'

/** Maximum nodes of an export; the draft may have a few times as many steps. */
const MAX_SOURCE_NODES = 2_000
const MAX_CONNECTIONS = 20_000

/** A node of an n8n workflow. */
export interface N8nNode {
  /** Unique; the name, unless the export has it twice. */
  key: string
  name: string
  type: string
  version: number
  parameters: Record<string, unknown>
  isDisabled: boolean
  /** Types of its credentials; exports do not contain their values. */
  credentials: string[]
  /** The error setting of the export; null: the run stops. */
  onError: string | null
}

/** A connection between two nodes, of a kind such as `main` or `ai_tool`. */
export interface N8nConnection {
  kind: string
  from: string
  output: number
  to: string
  input: number
}

/** A workflow in n8n's export format. */
export interface N8nWorkflow {
  name: string | null
  nodes: N8nNode[]
  connections: N8nConnection[]
  /** Connections with an endpoint that is not in the export. */
  unknownConnections: number
  /** The time zone of its schedules; null: that of its server, which the export does not contain. */
  timezone: string | null
}

/** Whether a value has the form of one n8n workflow: nodes with a name and a type, and connections by name. */
export function isN8nWorkflow(value: unknown): value is Record<string, unknown> & { nodes: unknown[] } {
  if (!isJsonObject(value) || !Array.isArray(value.nodes) || !isJsonObject(value.connections)) return false
  return value.nodes.every(
    (node) => isJsonObject(node) && typeof node.type === 'string' && typeof node.name === 'string',
  )
}

/** The parts of an export that an import needs. A string names the exceeded limit. */
export function readN8n(value: Record<string, unknown> & { nodes: unknown[] }): N8nWorkflow | string {
  if (value.nodes.length > MAX_SOURCE_NODES) return `has more than ${MAX_SOURCE_NODES} nodes`
  const taken = new Set<string>()
  const nodes = value.nodes.filter(isJsonObject).map((node) => readNode(node, taken))
  // n8n refers to nodes by name; some tools that write its exports use their ids instead.
  const byName = new Map(
    [...value.nodes.filter(isJsonObject).entries()].flatMap(([index, { id }]) => {
      const key = nodes[index]?.key
      return typeof id === 'string' && key !== undefined ? [[id, key] as const] : []
    }),
  )
  for (const { name, key } of [...nodes].reverse()) byName.set(name, key)
  let unknownConnections = 0
  const connections: N8nConnection[] = []
  for (const [name, kinds] of Object.entries(value.connections as Record<string, unknown>)) {
    const from = byName.get(name)
    for (const [kind, outputs] of Object.entries(isJsonObject(kinds) ? kinds : {})) {
      for (const [output, targets] of (Array.isArray(outputs) ? outputs : []).entries()) {
        for (const target of Array.isArray(targets) ? targets : []) {
          const to = byName.get(textOf(propertyOf(target, 'node')))
          if (from === undefined || to === undefined) {
            unknownConnections += 1
            continue
          }
          const input = numberOf(propertyOf(target, 'index') ?? 0)
          connections.push({ kind, from, output, to, input: Number.isFinite(input) ? input : 0 })
          if (connections.length > MAX_CONNECTIONS) return `has more than ${MAX_CONNECTIONS} connections`
        }
      }
    }
  }
  const timezone = propertyOf(value.settings, 'timezone')
  return {
    name: typeof value.name === 'string' ? value.name : null,
    nodes,
    connections,
    unknownConnections,
    timezone: typeof timezone === 'string' && timezone !== 'DEFAULT' ? timezone : null,
  }
}

function readNode(node: Record<string, unknown>, taken: Set<string>): N8nNode {
  const name = textOf(node.name)
  let key = name
  for (let n = 2; taken.has(key); n += 1) key = `${name}#${n}`
  taken.add(key)
  const version = numberOf(node.typeVersion ?? 1)
  return {
    key,
    name,
    type: textOf(node.type),
    version: Number.isFinite(version) ? version : 1,
    parameters: isJsonObject(node.parameters) ? node.parameters : {},
    isDisabled: node.disabled === true,
    credentials: isJsonObject(node.credentials) ? Object.keys(node.credentials) : [],
    onError:
      typeof node.onError === 'string'
        ? node.onError
        : node.continueOnFail === true
          ? 'continueRegularOutput'
          : null,
  }
}
