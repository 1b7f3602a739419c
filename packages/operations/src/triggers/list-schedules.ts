import type { Scope } from '@troupe/agents/ports'
import type { IdText, ScheduleFire, WorkflowId, WorkflowSchedule } from '@troupe/contract'
import { nextFires, readSchedule } from '@troupe/graph'
import type { Readers, ScheduleFireRecord, ScheduleRecord } from '@troupe/storage'
import { findWorkflow } from '../workflows/find-workflow.ts'

const NEXT_FIRES = 5
/** Maximum ledger rows shown, across all schedules of a workflow. */
const RECENT_FIRES = 100

/**
 * The schedules of a workflow, each with its next five fires and its recent outcomes; empty while the
 * workflow is unpublished.
 *
 * @param now milliseconds since the epoch
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function listSchedules(
  { workflows, schedules }: Pick<Readers, 'workflows' | 'schedules'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  now: number,
): Promise<WorkflowSchedule[]> {
  const { organizationId } = scope
  const { id } = await findWorkflow((...of) => workflows.byId(...of), scope, workflowId)
  const records = await schedules.ofWorkflow(organizationId, id)
  const fires = records.length > 0 ? await schedules.fires(organizationId, id, RECENT_FIRES) : []
  return records.map((record) => ({
    ...presentSchedule(record, now),
    fires: fires.filter(({ nodeId }) => nodeId === record.nodeId).map(presentFire),
  }))
}

function presentSchedule({ nodeId, config, waitingSince }: ScheduleRecord, now: number) {
  const read = readSchedule(config)
  return {
    nodeId,
    nextFires: read.ok ? nextFires(read.value, now / 1000, NEXT_FIRES).map((at) => iso(at * 1000)) : [],
    waitingSince: waitingSince === null ? null : iso(waitingSince),
    problem: read.ok ? null : read.errors.map(({ path, message }) => `${path} ${message}`).join('; '),
  }
}

function presentFire({
  scheduledFor,
  outcome,
  executionId,
  reason,
  decidedAt,
}: ScheduleFireRecord): ScheduleFire {
  return { scheduledFor: iso(scheduledFor), outcome, executionId, reason, decidedAt: iso(decidedAt) }
}

function iso(moment: number): string {
  return new Date(moment).toISOString()
}
