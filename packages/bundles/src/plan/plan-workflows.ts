import { type BundleWorkflow, type OrganizationId, WorkflowId } from '@troupe/contract'
import { type Graph, referencesOf } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { resourcesOf } from '@troupe/operations/workflows/look-up-resources'
import { isSameGraph, parseDraft } from '@troupe/operations/workflows/read-draft'
import type { PublishSettings } from '@troupe/operations/workflows/trigger-publisher'
import type { NewWorkflow, WorkflowRecord, WorkflowResource } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { WorkflowLookups } from '../resolve/lookups.ts'
import { type PlacedPart, type Planner, place } from '../resolve/planner.ts'
import { resolveGraph } from '../resolve/resolve-graph.ts'
import type { Step } from '../resolve/step.ts'
import { planForm } from '../triggers/plan-form.ts'
import { planWebhook } from '../triggers/plan-webhook.ts'
import type { ProjectLookup } from './plan-projects.ts'
import { blockingProblems } from './publishable.ts'

/** A workflow to be written. */
export type WrittenWorkflow = Omit<NewWorkflow, 'draft'> & { draft: Graph }

/** The planned change of a workflow. */
export interface WorkflowStep extends Omit<Step<WrittenWorkflow>, 'before'> {
  path: string
  before: WorkflowRecord | null
  /** The references of the graph to publish, see `publishGraph`; null if nothing is published. */
  publishes: readonly WorkflowResource[] | null
  /** The settings stored with the graph when it is published. */
  settings: PublishSettings
  /** Whether the published graph was checked against the state after the bundle is applied. */
  checked: boolean
}

/** A workflow of a bundle with its id. */
export type PlacedWorkflow = PlacedPart<BundleWorkflow, WorkflowRecord>

/** The ids of a bundle's workflows: its agents refer to them, and they refer to its agents. */
export function placeWorkflows(
  planner: Planner,
  items: readonly Item<BundleWorkflow>[],
  stored: readonly WorkflowRecord[],
): Promise<PlacedWorkflow[]> {
  return place(planner, WorkflowId, items, stored, {
    field: 'slug',
    ofItem: ({ slug }) => slug,
    ofRow: ({ slug }) => slug,
  })
}

export async function planWorkflows(
  planner: Planner,
  organizationId: OrganizationId,
  placed: readonly PlacedWorkflow[],
  lookups: WorkflowLookups & { projectOf: ProjectLookup },
): Promise<WorkflowStep[]> {
  const steps: WorkflowStep[] = []
  for (const { item, stored: before, id } of placed) {
    const { value, path } = item
    const report = (at: string, message: string) =>
      planner.problems.add(at === '' ? `${path}.graph` : `${path}.graph.${at}`, message)
    const projectId = lookups.projectOf(item)
    const parsed = parseDraft(value.graph, `${path}.graph`)
    if (!parsed.ok) for (const error of parsed.errors) planner.problems.add(error.path, error.message)
    if (!parsed.ok || projectId === undefined) continue

    const resolved = resolveGraph(parsed.value, { lookups, report, newId: planner.newId })
    const { graph } = resolved
    const moved = before !== null && before.projectId !== projectId
    const differs = value.publish === true && !isSameGraph(await activeGraph(planner, before), graph)
    const checked = differs || (value.publish === true && moved)
    const blocking = checked ? blockingProblems(resolved, projectId, lookups) : []
    for (const { path: at, message } of blocking) report(at, message)
    if (!checked && moved && before.activeDeployment && projectId !== null) {
      planner.problems.add(
        `${path}.project`,
        'must not change without publish: the published graph may not fit there',
      )
    }
    if (resolved.nobody.size > 0) continue
    const after: WrittenWorkflow = {
      id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      description: value.description ?? null,
      draft: graph,
    }
    const webhook = await planWebhook(planner, item, before, id)
    const form = await planForm(planner, item, { before, id, graph, blocked: blocking.length > 0 })
    steps.push({
      path,
      before,
      after,
      settings: { ...webhook.settings, ...form.settings },
      changed:
        before === null || differs || webhook.differs || form.differs || workflowDiffers(before, after),
      publishes: value.publish === true ? resourcesOf(referencesOf(graph.nodes, NODE_TYPES)) : null,
      checked,
    })
  }
  return steps
}

/** The published graph; null if the workflow is not published. */
export async function activeGraph(
  { read }: Pick<Planner, 'read'>,
  workflow: WorkflowRecord | null,
): Promise<unknown> {
  const { organizationId, activeDeployment } = workflow ?? {}
  if (!organizationId || !activeDeployment) return null
  return read.workflows.versionGraph(organizationId, activeDeployment.versionId)
}

/**
 * Whether a bundle changes a workflow. A workflow created in the builder has no slug; assigning one does not
 * count as a change, so applying an export changes nothing.
 */
function workflowDiffers(before: WorkflowRecord, after: WrittenWorkflow): boolean {
  return (
    (before.slug !== null && before.slug !== after.slug) ||
    before.name !== after.name ||
    before.description !== after.description ||
    before.projectId !== after.projectId ||
    !isSameGraph(before.draft, after.draft)
  )
}
