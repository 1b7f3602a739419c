import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { Actor, Transaction, WorkflowRecord, WorkflowResource } from '@troupe/database'
import type { Graph } from '@troupe/graph'
import { publishForm } from '../forms/publish-form.ts'
import { publishSchedules, withdrawSchedules } from '../schedules/publish-schedules.ts'
import { publishWebhook } from '../webhooks/publish-webhook.ts'
import type { WorkflowChange } from '../workflows/change-workflow.ts'
import { isSameGraph } from '../workflows/read-draft.ts'
import type {
  PublishParts,
  PublishSettings,
  TriggerPublisher,
  TriggerWithdrawer,
} from '../workflows/trigger-publisher.ts'

/** A graph on its way to be what callers run. */
export interface GraphToPublish {
  graph: Graph
  /** What the graph names, without repetition. */
  resources: readonly WorkflowResource[]
  createdBy: Actor
  settings?: PublishSettings
}

/** One function for each kind of trigger that keeps something outside of the graph. */
const TRIGGER_PUBLISHERS: readonly TriggerPublisher[] = [publishWebhook, publishSchedules, publishForm]

/**
 * Makes a graph what callers run, as the next version, and brings what hangs on its triggers in line with it, all in the
 * transaction of the caller. Everybody who publishes comes through here: people, and bundles.
 *
 * A graph that callers run already makes no version, but the triggers are looked at all the same: their settings change
 * without the graph, and what an earlier release did not keep is made good. So every part of it may run any number of
 * times with the same outcome.
 *
 * The caller holds the locks of the organization and of the workflow, has checked the graph, and writes the audit row.
 *
 * @param before the workflow as it is under its lock
 * @returns the workflow as it is then, and whether there is a change to audit
 * @throws DomainError `validation_error` when the settings do not fit the graph
 */
export async function publishGraph(
  parts: PublishParts,
  tx: Transaction,
  before: WorkflowRecord,
  { graph, resources, createdBy, settings = {} }: GraphToPublish,
): Promise<WorkflowChange> {
  const { read, write } = tx
  const { id, organizationId, activeDeployment: active } = before
  const isNewVersion =
    active === null ||
    !isSameGraph(await read.workflows.versionGraph(organizationId, active.versionId), graph)
  const workflow = isNewVersion
    ? await write.workflows.publish({ organizationId, id, graph, resources, createdBy })
    : before
  let changed = isNewVersion
  for (const publish of TRIGGER_PUBLISHERS) {
    if (await publish(parts, tx, { workflow, graph, isNewVersion, settings })) changed = true
  }
  return { workflow, changed }
}

const TRIGGER_WITHDRAWERS: readonly TriggerWithdrawer[] = [withdrawSchedules]

/**
 * Takes back what hangs on the triggers of a workflow that is not published any more, or deleted, in the transaction that
 * makes it so. Tokens, secrets and passwords stay for the next publish.
 */
export async function withdrawGraph(
  parts: PublishParts,
  tx: Transaction,
  workflow: { organizationId: OrganizationId; id: WorkflowId },
): Promise<void> {
  for (const withdraw of TRIGGER_WITHDRAWERS) await withdraw(parts, tx, workflow)
}
