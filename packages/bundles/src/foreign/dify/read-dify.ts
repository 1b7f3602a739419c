import { isJsonObject, propertyOf } from '@troupe/contract'
import { textOf } from '../draft/plain.ts'

const MAX_SOURCE_NODES = 2_000
const MAX_CONNECTIONS = 20_000

/** The modes of apps that have a graph. Source: api/models/model.py (AppMode) of github.com/langgenius/dify. */
const MODES = ['workflow', 'advanced-chat'] as const

/** A node of a Dify app. */
export interface DifyNode {
  key: string
  title: string
  /** Its type; `note` for a note on the canvas. */
  type: string
  /** The iteration or loop around it; null if there is none. */
  parent: string | null
  data: Record<string, unknown>
}

export interface DifyEdge {
  from: string
  handle: string
  to: string
}

/** A conversation or environment variable. */
export interface DifyVariable {
  name: string
  type: string
  value: unknown
}

/** An app with a graph in Dify's export format. */
export interface DifyApp {
  name: string | null
  isChat: boolean
  nodes: DifyNode[]
  edges: DifyEdge[]
  /** Edges with an endpoint that is not in the export. */
  unknownEdges: number
  /** Entries of the list of nodes that are not objects. */
  unreadableNodes: number
  conversation: DifyVariable[]
  environment: DifyVariable[]
}

type AppShape = { app: Record<string, unknown>; workflow: { graph: { nodes: unknown[] } } }

/** Whether a value has the form of a Dify app with a graph. */
export function isDifyApp(value: unknown): value is AppShape {
  if (!isJsonObject(value) || !isJsonObject(value.app)) return false
  if (value.kind !== undefined && value.kind !== 'app') return false
  const { mode } = value.app
  const graph = propertyOf(value.workflow, 'graph')
  return MODES.some((known) => known === mode) && isJsonObject(graph) && Array.isArray(graph.nodes)
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** The parts of an export that an import needs. A string names the exceeded limit. */
export function readDify(value: AppShape): DifyApp | string {
  const { nodes, edges } = value.workflow.graph as { nodes: unknown[]; edges?: unknown }
  if (nodes.length === 0) return 'has no nodes'
  if (nodes.length > MAX_SOURCE_NODES) return `has more than ${MAX_SOURCE_NODES} nodes`
  const listed = Array.isArray(edges) ? edges : []
  if (listed.length > MAX_CONNECTIONS) return `has more than ${MAX_CONNECTIONS} connections`
  const taken = new Map<string, number>()
  const read = nodes.filter(isJsonObject).map((node, index) => readNode(node, index, taken))
  for (const node of read)
    if (node.parent === node.key || (node.parent !== null && !taken.has(node.parent))) node.parent = null
  const known = listed
    .filter(isJsonObject)
    .flatMap(({ source, sourceHandle, target }) =>
      taken.has(textOf(source)) && taken.has(textOf(target))
        ? [{ from: textOf(source), handle: text(sourceHandle) ?? 'source', to: textOf(target) }]
        : [],
    )
  return {
    name: text(value.app.name),
    isChat: value.app.mode === 'advanced-chat',
    nodes: read,
    edges: known,
    unknownEdges: listed.length - known.length,
    unreadableNodes: nodes.length - read.length,
    conversation: variablesOf(propertyOf(value.workflow, 'conversation_variables')),
    environment: variablesOf(propertyOf(value.workflow, 'environment_variables')),
  }
}

function readNode(node: Record<string, unknown>, index: number, taken: Map<string, number>): DifyNode {
  const data = isJsonObject(node.data) ? node.data : {}
  const id = textOf(node.id ?? `node-${index + 1}`)
  let key = id
  for (let n = (taken.get(id) ?? 0) + 1; taken.has(key); n += 1) {
    key = `${id}#${n}`
    taken.set(id, n)
  }
  taken.set(key, taken.get(key) ?? 0)
  const isNote = node.type === 'custom-note'
  const type = isNote ? 'note' : (text(data.type) ?? text(node.type) ?? 'unknown')
  const parent = text(node.parentId) ?? text(data.iteration_id) ?? text(data.loop_id)
  return {
    key,
    title: text(data.title) || (isNote ? 'Note' : type),
    type,
    parent,
    data,
  }
}

function variablesOf(value: unknown): DifyVariable[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).flatMap((variable) => {
    const name = text(variable.name)
    return name
      ? [{ name, type: textOf(variable.value_type ?? 'string'), value: variable.value ?? null }]
      : []
  })
}
