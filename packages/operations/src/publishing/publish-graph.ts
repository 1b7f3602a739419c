import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { Actor, Transaction, WorkflowRecord, WorkflowResource } from '@troupe/storage'
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

/** A graph to publish. */
export interface GraphToPublish {
  graph: Graph
  /** The resources that the graph references, without duplicates. */
  resources: readonly WorkflowResource[]
  createdBy: Actor
  settings?: PublishSettings
  /** Label and note of the version; absent ones are unchanged. */
  words?: { label?: string | null; note?: string | null }
}

/** One function per kind of trigger that has state outside the graph. */
const TRIGGER_PUBLISHERS: readonly TriggerPublisher[] = [publishWebhook, publishSchedules, publishForm]

/**
 * Publishes a graph as the next version and synchronizes its triggers' state, in the caller's transaction. Used both by
 * members and by bundles.
 *
 * A graph that is already active creates no version, but its triggers are still synchronized, because settings may have
 * changed and an earlier release may have left out state. Every trigger publisher must therefore be idempotent.
 *
 * The caller holds the organization and has locked the workflow, has checked the graph, and writes the audit row.
 *
 * @param before the workflow as read under its lock
 * @returns the resulting workflow, and whether there is a change to audit
 * @throws DomainError `validation_error` when the settings do not fit the graph
 */
export async function publishGraph(
  parts: PublishParts,
  tx: Transaction,
  before: WorkflowRecord,
  { graph, resources, createdBy, settings = {}, words = {} }: GraphToPublish,
): Promise<WorkflowChange> {
  const { read, write } = tx
  const { id, organizationId, activeDeployment: active } = before
  const isNewVersion =
    active === null ||
    !isSameGraph(await read.workflows.versionGraph(organizationId, active.versionId), graph)
  const workflow = isNewVersion
    ? await write.workflows.publish({ organizationId, id, graph, resources, createdBy, ...words })
    : before
  let changed = isNewVersion
  if (!isNewVersion && Object.keys(words).length > 0) {
    await write.workflows.describeVersion({ organizationId, id, versionId: active.versionId, ...words })
    changed = true
  }
  for (const publish of TRIGGER_PUBLISHERS) {
    if (await publish(parts, tx, { workflow, graph, isNewVersion, settings })) changed = true
  }
  return { workflow, changed }
}

const TRIGGER_WITHDRAWERS: readonly TriggerWithdrawer[] = [withdrawSchedules]

/**
 * Removes the trigger state of a workflow in the transaction that unpublishes or deletes it. Tokens, secrets
 * and passwords are kept for the next publish.
 */
export async function withdrawGraph(
  parts: PublishParts,
  tx: Transaction,
  workflow: { organizationId: OrganizationId; id: WorkflowId },
): Promise<void> {
  for (const withdraw of TRIGGER_WITHDRAWERS) await withdraw(parts, tx, workflow)
}
