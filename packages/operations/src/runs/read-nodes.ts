import {
  type AnyRunId,
  DomainError,
  type IdText,
  invalidField,
  parseId,
  type QueryOf,
  type ResultOf,
  shortened,
  WorkflowRunId,
} from '@troupe/contract'
import type { BUILDER_OPERATIONS, NodePreview, TracedNode, TracedNodeValues } from '@troupe/contract/builder'
import type { TracePlace } from '@troupe/storage'
import { traceSecretsOf, traceValue } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { RunTraceParts } from './get-run.ts'
import { presentNode } from './present-node.ts'
import { observedRunNotFound } from './run-errors.ts'

type ListRunNodes = (typeof BUILDER_OPERATIONS)['listRunNodes']

/** One page of the nodes of a workflow run. @throws DomainError `run_not_found`, `validation_error` */
export async function listRunNodes(
  { database, graphs }: RunTraceParts,
  { organizationId }: BuilderCaller,
  runId: IdText<AnyRunId>,
  { path = null, status = null, after, limit = 100 }: NodesQuery,
): Promise<ResultOf<ListRunNodes>> {
  const page = { path, status, after: nodePlaceOf(after), limit }
  const id = parseId(WorkflowRunId, runId)
  const found = id && (await database.observed.nodes(organizationId, id, page))
  if (!found) throw observedRunNotFound()
  const graph = await graphs.compiled(organizationId, found.versionId)
  const secrets = traceSecretsOf(graph, found.input, found.test?.secretNames)
  return {
    data: found.rows.map((row) => presentNode(row, graph, secrets)),
    next: found.next && nodePlaceText(found.next),
  }
}

type Query = QueryOf<ListRunNodes>
type NodesQuery = Omit<Query, 'path' | 'status'> & {
  path?: string | null
  status?: TracedNode['status'] | null
}

/** One node with its values. @throws DomainError `run_not_found` */
export async function getRunNode(
  { database, graphs }: RunTraceParts,
  { organizationId }: BuilderCaller,
  { runId, nodeId, path }: { runId: IdText<AnyRunId>; nodeId: string; path: string },
): Promise<TracedNodeValues> {
  const id = parseId(WorkflowRunId, runId)
  const found = id && (await database.observed.node(organizationId, id, { path, nodeId }))
  if (!found) throw new DomainError('run_not_found', 'Node not found in the runs of this organization.')
  const graph = await graphs.compiled(organizationId, found.versionId)
  const secrets = traceSecretsOf(graph, found.runInput, found.test?.secretNames)
  const { input, output } = found.node
  return {
    ...presentNode(found.node, graph, secrets),
    input: traceValue(input ?? null, secrets),
    output: traceValue(output ?? null, secrets),
  }
}

/** The start of each step's output, for a preview of the run.  @throws DomainError `run_not_found` */
export async function previewRunNodes(
  { database, graphs }: RunTraceParts,
  { organizationId }: BuilderCaller,
  runId: IdText<AnyRunId>,
  { nodes, path = '' }: { nodes: string; path?: string },
): Promise<{ data: NodePreview[] }> {
  const id = parseId(WorkflowRunId, runId)
  const found =
    id && (await database.observed.nodeOutputs(organizationId, id, { path, nodeIds: nodes.split(',') }))
  if (!found) throw observedRunNotFound()
  const graph = await graphs.compiled(organizationId, found.versionId)
  const secrets = traceSecretsOf(graph, found.input, found.test?.secretNames)
  return {
    data: found.rows.map(({ nodeId, output, bytes }) => ({
      nodeId,
      // Secrets are replaced before the text is truncated, because half a secret would not be recognised.
      ...(output === null && bytes !== NULL_BYTES
        ? { preview: null, isWhole: false }
        : previewOf(traceValue(output, secrets))),
      bytes,
    })),
  }
}

const PREVIEW_CHARACTERS = 120
/** The preview of a stored `null`. */
const NULL_BYTES = 4

/** The first line of a text, or JSON on one line. */
function previewOf(value: unknown): Pick<NodePreview, 'preview' | 'isWhole'> {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.slice(0, PREVIEW_CHARACTERS + 1).split(/[\r\n]/, 1)[0] ?? ''
  return {
    preview: shortened(line, PREVIEW_CHARACTERS),
    isWhole: line === text && line.length <= PREVIEW_CHARACTERS,
  }
}

function nodePlaceText({ seq, path, nodeId }: TracePlace): string {
  return `${seq}/${encodeURIComponent(path)}/${encodeURIComponent(nodeId)}`
}

function nodePlaceOf(after: string | undefined): TracePlace | null {
  if (after === undefined) return null
  const [seq = '', path = '', nodeId = '', ...rest] = after.split('/')
  try {
    if (/^\d{1,9}$/.test(seq) && rest.length === 0) {
      return { seq: Number(seq), path: decodeURIComponent(path), nodeId: decodeURIComponent(nodeId) }
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw invalidField('after', 'must be `next` of a page of this list')
}
