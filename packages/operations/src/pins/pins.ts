import {
  DomainError,
  type IdText,
  invalidField,
  invalidRequest,
  isJsonObject,
  jsonBytes,
  parseId,
  propertyOf,
  type WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { Pin, SetPinBody } from '@troupe/contract/builder'
import { type Graph, type GraphNode, inputHashes, parseGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import type { AuditEntry, Database, PinRecord, Readers, Transaction, WorkflowRecord } from '@troupe/storage'
import { traceSecretsOf, traceValue } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { JOINED_SECONDS } from '../workflows/joined-change.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'

/** Dependencies of operations on pins. */
export interface PinParts {
  database: Pick<Database, 'read' | 'transaction' | 'observed'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

const MB = 1024 * 1024
const MOST = { pins: 100, bytes: 4 * MB, bytesOfOne: MB, bytesOfSample: 256 * 1024 }

function graphOf({ draft }: Pick<WorkflowRecord, 'draft'>): Graph {
  const parsed = parseGraph(draft)
  return parsed.ok ? parsed.value : { nodes: [], edges: [] }
}

function presentPin(
  pin: Omit<PinRecord, 'updatedAt'> & {
    updatedAt?: Date
  },
  { now, isSample }: { now: string | null; isSample: boolean },
): Pin {
  const { nodeId, output, shown, handles, fromRunId, inputHash, updatedAt } = pin
  return {
    nodeId,
    // A person entered the values of a sample and may edit all of them, so nothing is masked.
    output: (isSample && fromRunId === null ? output : shown) ?? null,
    handles,
    fromRunId,
    inputHash,
    isOlder: now !== inputHash,
    updatedAt: (updatedAt ?? new Date(0)).toISOString(),
  }
}

/** The ids of the triggers with sample values. */
function sampledIn({ nodes }: Graph): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ id, type }) => (hasSampleFields(type) ? id : [])))
}

/**
 * The sample values of the triggers of the draft, by their ids.
 *
 * @param graph the draft, or a version with the same triggers
 */
export async function samplesOf(
  read: Pick<Readers, 'pins'>,
  { organizationId, id }: Pick<WorkflowRecord, 'organizationId' | 'id'>,
  graph: Graph,
): Promise<ReadonlyMap<string, unknown>> {
  const sampled = sampledIn(graph)
  if (sampled.size === 0) return new Map()
  const pins = await read.pins.list(organizationId, id)
  // A pin that came from a run belongs to an earlier step with this id: it may contain secrets, and is not a sample.
  const samples = pins.filter(({ nodeId, fromRunId }) => sampled.has(nodeId) && fromRunId === null)
  return new Map(samples.map(({ nodeId, output }) => [nodeId, output]))
}

/** The pins of steps of the draft, and the sample values of its triggers. @throws DomainError `workflow_not_found` */
export async function listPins(
  { database: { read } }: PinParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<{ data: Pin[] }> {
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const pins = await read.pins.list(caller.organizationId, workflow.id)
  if (pins.length === 0) return { data: [] }
  const graph = graphOf(workflow)
  const hashes = inputHashes(graph)
  const sampled = sampledIn(graph)
  const data = pins.flatMap((pin) => {
    const now = hashes(pin.nodeId)
    return now === null ? [] : presentPin(pin, { now, isSample: sampled.has(pin.nodeId) })
  })
  return { data }
}

/** The step of a pin. @throws DomainError `validation_error` */
function pinnedStep(graph: Graph, nodeId: string): GraphNode {
  const node = graph.nodes.find(({ id }) => id === nodeId)
  if (!node) throw invalidField('nodeId', 'is not a step of the draft')
  const role = NODE_TYPES.get(node.type)?.role
  if (role === 'trigger' && !hasSampleFields(node.type)) {
    throw invalidField('nodeId', 'is a trigger without fields: enter its value in the test')
  }
  if (role === 'note') throw invalidField('nodeId', 'is a Note, which returns nothing')
  return node
}

/**
 * Checks the sample values of a trigger: an object of typed values by the names of its fields, without passwords.
 *
 * @throws DomainError `validation_error`
 */
function requireSample({ type, config }: GraphNode, { output, handles, fromRunId }: SetPinBody): void {
  if (fromRunId !== undefined)
    throw invalidField('fromRunId', 'is not possible for a trigger: send its values as `output`')
  if (handles) throw invalidField('handles', 'must be null: the step is a trigger')
  if (!isJsonObject(output))
    throw invalidField('output', 'must be an object of values by the names of the fields')
  const fields =
    type === 'form-trigger' && Array.isArray(config.fields) ? config.fields.filter(isJsonObject) : []
  const passwords = fields.flatMap(({ name, type: of }) => (of === 'password' ? String(name) : []))
  const given = passwords.filter((name) => Object.hasOwn(output, name))
  if (given.length > 0) {
    const errors = given.map((name) => ({
      path: `output.${name}`,
      message: 'is a password, which a sample must not have',
    }))
    throw invalidRequest(errors)
  }
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
    throw invalidField('output', 'or `fromRunId` must be given, and only one of them')
  }
  if (fromRunId === undefined)
    return {
      output,
      shown: traceValue(output),
      handles: handles ? [...handles] : null,
      fromRunId: null,
      secretNames: [],
    }
  const runId = parseId(WorkflowRunId, fromRunId)
  const source = runId && (await database.observed.testSource(organizationId, runId, [path]))
  if (!runId || !source || source.workflowId !== workflow.id) {
    throw new DomainError('run_not_found', 'Run not found in this workflow.')
  }
  const found = source.traceErased
    ? null
    : await database.observed.node(organizationId, runId, { path, nodeId })
  if (found?.node.status !== 'completed') throw invalidField('fromRunId', 'has no result of this step')
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

const ACTIONS = {
  pin: { set: 'workflow.step_pinned', removed: 'workflow.pin_removed' },
  sample: { set: 'workflow.sample_changed', removed: 'workflow.sample_removed' },
} as const

function audited(
  { organizationId, actor }: BuilderCaller,
  { projectId, id }: WorkflowRecord,
  change: 'set' | 'removed',
  { graph, nodeId }: { graph: Graph; nodeId: string },
): AuditEntry {
  const type = graph.nodes.find(({ id }) => id === nodeId)?.type
  const action = ACTIONS[type !== undefined && hasSampleFields(type) ? 'sample' : 'pin'][change]
  const about = { organizationId, projectId, actor, action, entityKind: 'workflow', entityId: id } as const
  return { ...about, before: null, after: { nodeId } }
}

async function changing<T>(
  { database }: PinParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
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
 * Pins an output to a step of the draft, or stores the sample values of a trigger. Of two concurrent calls the last one counts: both hold
 * the lock of the workflow's row.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `run_not_found`
 */
export async function setPin(
  parts: PinParts,
  caller: BuilderCaller,
  { workflowId, nodeId }: { workflowId: IdText<WorkflowId>; nodeId: string },
  body: SetPinBody,
): Promise<Pin> {
  const { organizationId } = caller
  const found = await findWorkflow(parts.database.read.workflows.byId, caller, workflowId)
  const known = pinnedStep(graphOf(found), nodeId)
  if (hasSampleFields(known.type)) requireSample(known, body)
  const value = await pinnedValue(parts, caller, found, { nodeId, body })
  const bytes = jsonBytes(value.output, MOST.bytesOfOne)
  if (bytes > MOST.bytesOfOne) throw invalidField('output', 'must have at most 1 MB')
  if (hasSampleFields(known.type) && bytes > MOST.bytesOfSample) {
    throw invalidField('output', 'must have at most 256 KB: it is the sample of a trigger')
  }
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const graph = graphOf(workflow)
    const node = pinnedStep(graph, nodeId)
    // The trigger may have been replaced or changed since the first read.
    if (hasSampleFields(node.type)) requireSample(node, body)
    if (NODE_TYPES.get(node.type)?.role === 'loop' && !Array.isArray(value.output)) {
      throw invalidField('output', 'must be a list: the step is a Loop')
    }
    const others = await tx.read.pins.size(organizationId, workflow.id, nodeId)
    if (others.count >= MOST.pins)
      throw invalidField('nodeId', `would be one pin too many: a workflow has ${MOST.pins} at most`)
    if (others.bytes + bytes > MOST.bytes)
      throw invalidField('output', 'would make all pins of the workflow more than 4 MB')
    const inputHash = inputHashes(graph)(nodeId) ?? ''
    const record = { ...value, organizationId, workflowId: workflow.id, nodeId, inputHash }
    await tx.write.pins.put(record)
    const entry = audited(caller, workflow, 'set', { graph, nodeId })
    // Sample values are saved while they are typed: like saves of a draft, those of one person in quick succession
    // share one audit entry.
    const isJoined = await tx.auditJoins.join(entry, JOINED_SECONDS, ({ after }) =>
      propertyOf(after, 'nodeId') === nodeId ? entry : null,
    )
    if (!isJoined) await tx.write.audit.append(entry)
    const stored = (await tx.read.pins.list(organizationId, workflow.id)).find((one) => one.nodeId === nodeId)
    return presentPin(stored ?? record, { now: inputHash, isSample: hasSampleFields(node.type) })
  })
}

/** @throws DomainError `workflow_not_found` */
export async function removePin(
  parts: PinParts,
  caller: BuilderCaller,
  { workflowId, nodeId }: { workflowId: IdText<WorkflowId>; nodeId: string },
): Promise<null> {
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const gone = await tx.write.pins.delete(caller.organizationId, workflow.id, [nodeId])
    if (gone > 0) {
      await tx.write.audit.append(audited(caller, workflow, 'removed', { graph: graphOf(workflow), nodeId }))
    }
    return null
  })
}
