import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'

/** The outcome of a scheduled fire. */
export const ScheduleFire = Type.Object({
  scheduledFor: IsoTimestamp(),
  outcome: Choice(['fired', 'late', 'missed', 'skipped'], {
    description:
      'fired and late started a run; late did so more than a minute after the planned time or after waiting.',
  }),
  executionId: Nullable(Uuid<WorkflowRunId>({ description: 'null: it started no run.' })),
  reason: Nullable(Type.String({ description: 'Why it started no run, was late, or was rejected.' })),
  decidedAt: IsoTimestamp(),
})
export type ScheduleFire = Static<typeof ScheduleFire>

/** A Recurrence node of a published workflow. */
export const WorkflowSchedule = Type.Object({
  nodeId: Type.String(),
  nextFires: Type.Array(IsoTimestamp(), { description: 'The next five planned times.' }),
  waitingSince: Nullable(
    IsoTimestamp({ description: 'Planned time of a fire that waits for the previous run to end.' }),
  ),
  problem: Nullable(Type.String({ description: 'Why the schedule does not fire; null if it does.' })),
  fires: Type.Array(ScheduleFire, { description: 'The most recent fires, latest first.' }),
})
export type WorkflowSchedule = Static<typeof WorkflowSchedule>
