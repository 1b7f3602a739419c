import { DomainError, isUuid, jsonBytes } from '@troupe/contract'
import type { Pin, SetPinBody } from '@troupe/contract/builder'
import { type Graph, type GraphNode, inputHashes, parseGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { AuditEntry, Database, PinRecord, Transaction, WorkflowRecord } from '@troupe/storage'
import { traceSecretsOf, traceValue } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'

/** Dependencies of operations on pins. */
export interface PinParts {
  database: Pick<Database, 'read' | 'transaction' | 'observed'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

const MB = 1024 * 1024
const MOST = { pins: 100, bytes: 4 * MB, bytesOfOne: MB }

function invalid(path: string, message: string): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors: [{ path, message }] })
}

function graphOf({ draft }: Pick<WorkflowRecord, 'draft'>): Graph {
  const parsed = parseGraph(draft)
  return parsed.ok ? parsed.value : { nodes: [], edges: [] }
}

function presentPin(
  {
    nodeId,
    shown,
    handles,
    fromRunId,
    inputHash,
    updatedAt,
  }: Omit<PinRecord, 'updatedAt'> & {
    updatedAt?: Date
  },
  now: string | null,
): Pin {
  return {
    nodeId,
    output: shown ?? null,
    handles,
    fromRunId,
    inputHash,
    isOlder: now !== inputHash,
    updatedAt: (updatedAt ?? new Date(0)).toISOString(),
  }
}

/** The pins of steps of the draft. @throws DomainError `workflow_not_found` */
export async function listPins(
  { database: { read } }: PinParts,
  caller: BuilderCaller,
  workflowId: string,
): Promise<{ data: Pin[] }> {
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const pins = await read.pins.list(caller.organizationId, workflow.id)
  if (pins.length === 0) return { data: [] }
  const hashes = inputHashes(graphOf(workflow))
  const data = pins.flatMap((pin) => {
    const now = hashes(pin.nodeId)
    return now === null ? [] : presentPin(pin, now)
  })
  return { data }
}

/** The step of the pin. @throws DomainError `validation_error` */
function pinnedStep(graph: Graph, nodeId: string): GraphNode {
  const node = graph.nodes.find(({ id }) => id === nodeId)
  if (!node) throw invalid('nodeId', 'names no step of the draft')
  const role = NODE_TYPES.get(node.type)?.role
  if (role === 'trigger') throw invalid('nodeId', 'is a trigger: give its value with the test')
  if (role === 'note') throw invalid('nodeId', 'is a Note, which returns nothing')
  return node
}

type Value = Pick<PinRecord, 'output' | 'shown' | 'handles' | 'fromRunId' | 'secretNames'>

/** @throws DomainError `validation_error`, `run_not_found` */
async function pinnedValue(
  { database, graphs }: PinParts,
  { organizationId }: BuilderCaller,
  workflow: WorkflowRecord,
  { nodeId, body: { output, handles, fromRunId, path = '' } }: { nodeId: string; body: SetPinBody },
): Promise<Value> {
  if ((output === undefined) === (fromRunId === undefined)) {
    throw invalid('output', 'or `fromRunId` must be given, and only one of them')
  }
  if (fromRunId === undefined)
    return {
      output,
      shown: traceValue(output),
      handles: handles ? [...handles] : null,
      fromRunId: null,
      secretNames: [],
    }
  const runId = fromRunId.toLowerCase()
  const source = isUuid(runId) ? await database.observed.testSource(organizationId, runId, [path]) : null
  if (!source || source.workflowId !== workflow.id) {
    throw new DomainError('run_not_found', 'There is no such run of this workflow.')
  }
  const found = source.traceErased
    ? null
    : await database.observed.node(organizationId, runId, { path, nodeId })
  if (found?.node.status !== 'completed') throw invalid('fromRunId', 'has no result of this step')
  const graph = await graphs.compiled(organizationId, source.versionId)
  const secrets = traceSecretsOf(graph, source.input, source.secretNames)
  const value = found.node.output ?? null
  return {
    output: value,
    shown: traceValue(value, secrets),
    handles: found.node.handles ? [...found.node.handles] : null,
    fromRunId: runId,
    secretNames: [...secrets.names],
  }
}

function audited(
  { organizationId, actor }: BuilderCaller,
  { projectId, id }: WorkflowRecord,
  action: 'workflow.step_pinned' | 'workflow.pin_removed',
  nodeId: string,
): AuditEntry {
  const about = { organizationId, projectId, actor, action, entityKind: 'workflow', entityId: id } as const
  return { ...about, before: null, after: { nodeId } }
}

async function changing<T>(
  { database }: PinParts,
  caller: BuilderCaller,
  workflowId: string,
  change: (workflow: WorkflowRecord, tx: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const { organizationId } = caller
    // A save that removes the step locks the same row, so no pin is left behind.
    const lock = (_: unknown, id: WorkflowRecord['id']) => tx.write.workflows.lock(organizationId, id)
    return change(await findWorkflow(lock, caller, workflowId), tx)
  })
}

/**
 * Pins an output to a step of the draft.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `run_not_found`
 */
export async function setPin(
  parts: PinParts,
  caller: BuilderCaller,
  { workflowId, nodeId }: { workflowId: string; nodeId: string },
  body: SetPinBody,
): Promise<Pin> {
  const { organizationId } = caller
  const found = await findWorkflow(parts.database.read.workflows.byId, caller, workflowId)
  pinnedStep(graphOf(found), nodeId)
  const value = await pinnedValue(parts, caller, found, { nodeId, body })
  const bytes = jsonBytes(value.output, MOST.bytesOfOne)
  if (bytes > MOST.bytesOfOne) throw invalid('output', 'must have at most 1 MB')
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const graph = graphOf(workflow)
    const node = pinnedStep(graph, nodeId)
    if (NODE_TYPES.get(node.type)?.role === 'loop' && !Array.isArray(value.output)) {
      throw invalid('output', 'must be a list: the step is a Loop')
    }
    const others = await tx.read.pins.size(organizationId, workflow.id, nodeId)
    if (others.count >= MOST.pins)
      throw invalid('nodeId', `would be one pin too many: a workflow has ${MOST.pins} at most`)
    if (others.bytes + bytes > MOST.bytes)
      throw invalid('output', 'would make all pins of the workflow more than 4 MB')
    const inputHash = inputHashes(graph)(nodeId) ?? ''
    const record = { ...value, organizationId, workflowId: workflow.id, nodeId, inputHash }
    await tx.write.pins.put(record)
    await tx.write.audit.append(audited(caller, workflow, 'workflow.step_pinned', nodeId))
    const stored = (await tx.read.pins.list(organizationId, workflow.id)).find((one) => one.nodeId === nodeId)
    return presentPin(stored ?? record, inputHash)
  })
}

/** @throws DomainError `workflow_not_found` */
export async function removePin(
  parts: PinParts,
  caller: BuilderCaller,
  { workflowId, nodeId }: { workflowId: string; nodeId: string },
): Promise<null> {
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const gone = await tx.write.pins.delete(caller.organizationId, workflow.id, [nodeId])
    if (gone > 0) await tx.write.audit.append(audited(caller, workflow, 'workflow.pin_removed', nodeId))
    return null
  })
}
