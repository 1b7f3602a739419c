import type { TriggerPublisher, TriggerWithdrawer } from '../workflows/trigger-publisher.ts'
import { newSchedule } from './new-schedule.ts'

/** Makes the Recurrence nodes of a published graph its schedules. Nothing from before the publish ever fires. */
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

/** A workflow that nobody can run has no schedules. The ledger stays. */
export const withdrawSchedules: TriggerWithdrawer = async ({ now }, { write }, { organizationId, id }) => {
  await write.schedules.remove({ organizationId, workflowId: id }, now())
}
