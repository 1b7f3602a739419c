import type { TriggerPublisher, TriggerWithdrawer } from '../workflows/trigger-publisher.ts'
import { newSchedule } from './new-schedule.ts'

/** Stores a schedule for each Recurrence node of a published graph. Times before the publish never fire. */
export const publishSchedules: TriggerPublisher = async (
  { now },
  { write },
  { workflow, graph, isNewVersion },
) => {
  const publishedAt = now()
  const schedules = graph.nodes.flatMap((node) => newSchedule(node, publishedAt) ?? [])
  const { organizationId, id: workflowId } = workflow
  await write.schedules.replace({ organizationId, workflowId }, schedules, { publishedAt, isNewVersion })
  return false
}

/** Removes the schedules of an unpublished workflow; its ledger is kept. */
export const withdrawSchedules: TriggerWithdrawer = async ({ now }, { write }, { organizationId, id }) => {
  await write.schedules.remove({ organizationId, workflowId: id }, now())
}
