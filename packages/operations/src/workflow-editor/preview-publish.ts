import type { IdText, Workflow, WorkflowId } from '@troupe/contract'
import type { PublishPreview } from '@troupe/contract/builder'
import { type DeclaredField, type Graph, nextFires, parseGraph, readSchedule } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { diffWorkflows } from '@troupe/nodes/difference'
import type { SecretBox } from '@troupe/secrets'
import type { Readers, WorkflowRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { formOfGraph } from '../forms/form-of-graph.ts'
import { openFormToken } from '../forms/form-token.ts'
import { formSettingFaults } from '../forms/publish-form.ts'
import { openTests } from '../publishing/publish-workflow.ts'
import { type SettleParts, settleTestCases } from '../test-cases/settle-test-cases.ts'
import { formUrl } from '../triggers/form-url.ts'
import { openWebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { webhookUrl } from '../webhooks/webhook-url.ts'
import { checkGraph } from '../workflows/check-graph.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { breaksIn, type LostField, lostFields } from './broken-callers.ts'

/** Dependencies of the operation. */
export interface PreviewPublishParts extends SettleParts {
  box: SecretBox
  /** Milliseconds since the epoch. */
  now: () => number
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

const FIRES = 5
const EMPTY: Graph = { nodes: [], edges: [] }

/** @throws DomainError `workflow_not_found` */
export async function previewPublish(
  parts: PreviewPublishParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<PublishPreview> {
  const { read } = parts.database
  const { organizationId } = caller
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const { id, activeDeployment, draftRevision } = workflow
  await settleTestCases(parts, organizationId, id)
  const [checked, stored, inFlight, tests] = await Promise.all([
    checkGraph(read, caller, workflow),
    activeDeployment && read.workflows.versionGraph(organizationId, activeDeployment.versionId),
    read.builder.workflows.inFlight(organizationId, id),
    openTests(read, workflow),
  ])
  const draft = graphOf(workflow.draft) ?? EMPTY
  const published = graphOf(stored)
  const now = parts.now()
  const difference = published && diffWorkflows(published, draft)
  const contract = published ? contractOf(published, draft) : []
  return {
    draftRevision,
    publishedGraph: stored as Workflow['draft'] | null,
    difference,
    findings: checked.findings,
    triggers: await triggersOf(parts, workflow, { draft, published }),
    schedules: schedulesOf(published ?? EMPTY, draft, now),
    inFlight,
    contract: await withCalls(read, workflow, contract),
    callers: await callersOf(read, workflow, lostFields(contract, difference?.output ?? null)),
    tests,
  }
}

function graphOf(stored: unknown): Graph | null {
  const parsed = parseGraph(stored)
  return parsed.ok ? parsed.value : null
}

async function triggersOf(
  { database, box, now, publicUrl }: PreviewPublishParts,
  { organizationId, id }: WorkflowRecord,
  { draft, published }: { draft: Graph; published: Graph | null },
): Promise<PublishPreview['triggers']> {
  const [secrets, settings] = await Promise.all([
    database.read.webhooks.secrets(organizationId, id),
    database.read.forms.settings(organizationId, id),
  ])
  const form = formOfGraph(draft)
  const hadForm = published !== null && formOfGraph(published) !== null
  const asks = form?.auth.mode === 'basic'
  const needsPassword = asks && formSettingFaults(form, {}, settings).length > 0
  return {
    webhookUrl: secrets && webhookUrl(publicUrl, id, openWebhookSecrets(box, id, secrets, now()).token),
    formUrl: form && settings && formUrl(publicUrl, openFormToken(box, id, settings.tokenSealed)),
    formPassword: needsPassword ? 'required' : asks ? 'optional' : 'none',
    unchanged: secrets !== null && hadForm === (form !== null),
  }
}

function schedulesOf(before: Graph, after: Graph, now: number): PublishPreview['schedules'] {
  const [earlier, later] = [firesOf(before, now), firesOf(after, now)]
  return [...new Set([...earlier.keys(), ...later.keys()])].map((nodeId) => ({
    nodeId,
    before: earlier.get(nodeId) ?? [],
    after: later.get(nodeId) ?? [],
  }))
}

/** The next fires of each Recurrence by node; none for an unreadable one, which is a finding. */
function firesOf({ nodes }: Graph, now: number): Map<string, string[]> {
  return new Map(
    nodes
      .filter(({ type }) => type === 'recurrence')
      .map(({ id, config }) => {
        const schedule = readSchedule(config)
        const times = schedule.ok ? nextFires(schedule.value, now / 1000, FIRES) : []
        return [id, times.map((at) => new Date(at * 1000).toISOString())]
      }),
  )
}

type FieldChange = Omit<PublishPreview['contract'][number], 'callsLacking'>

function contractOf(before: Graph, after: Graph): FieldChange[] {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)]
  const changes: FieldChange[] = []
  for (const { name: field, type, required } of later.values()) {
    const old = earlier.get(field)
    if (!old) changes.push({ field, change: 'added', required })
    else if (old.type !== type) changes.push({ field, change: 'type', required })
    else if (old.required !== required) {
      changes.push({ field, change: required ? 'required' : 'optional', required })
    }
  }
  for (const field of earlier.keys()) {
    if (!later.has(field)) changes.push({ field, change: 'removed', required: false })
  }
  return changes
}

/** Adds the number of recent calls that would be refused for newly required fields. */
async function withCalls(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id }: WorkflowRecord,
  changes: readonly FieldChange[],
): Promise<PublishPreview['contract']> {
  const isNew = ({ change, required }: FieldChange) =>
    change === 'required' || (change === 'added' && required)
  const fields = changes.filter(isNew).map(({ field }) => field)
  const calls = await builder.workflows.callsLacking(organizationId, id, fields)
  return changes.map((one) => ({ ...one, callsLacking: isNew(one) ? (calls.get(one.field) ?? 0) : null }))
}

/** The agents that call the workflow, with the fields that the draft takes away from them. */
async function callersOf(
  { builder, agents }: Pick<Readers, 'builder' | 'agents'>,
  { organizationId, id }: WorkflowRecord,
  lost: readonly LostField[],
): Promise<PublishPreview['callers']> {
  const callers = await builder.resourceUsers.callingAgents(organizationId, id)
  if (callers.length === 0) return []
  const stored = await agents.byIds(
    organizationId,
    callers.map((caller) => caller.id),
  )
  const configs = new Map(stored.map((agent) => [agent.id, agent.config]))
  return callers.map((caller) => ({
    agentId: caller.id,
    name: caller.name,
    breaks: breaksIn(configs.get(caller.id) ?? {}, id, lost),
  }))
}

/** The payload fields that the triggers of a graph declare, by name. */
function fieldsOf({ nodes }: Graph): Map<string, DeclaredField> {
  const declared = nodes.flatMap(({ type, config }) => NODE_TYPES.get(type)?.fields?.(config) ?? [])
  return new Map(declared.map((field) => [field.name, field]))
}
