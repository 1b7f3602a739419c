import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'

/** The outcome of a scheduled fire. */
export const ScheduleFire = Type.Object({
  scheduledFor: IsoTimestamp(),
  outcome: Choice(['fired', 'late', 'missed', 'skipped'], {
    description:
      'fired and late started a run, late more than a minute after the planned time or behind another run.',
  }),
  executionId: Nullable(Uuid({ description: 'null: it started no run.' })),
  reason: Nullable(Type.String({ description: 'Why it started none, came late, or was turned away.' })),
  decidedAt: IsoTimestamp(),
})
export type ScheduleFire = Static<typeof ScheduleFire>

/** A Recurrence node of a published workflow. */
export const WorkflowSchedule = Type.Object({
  nodeId: Type.String(),
  nextFires: Type.Array(IsoTimestamp(), { description: 'The next five planned times.' }),
  waitingSince: Nullable(IsoTimestamp({ description: 'A fire waits for the run before to end.' })),
  problem: Nullable(Type.String({ description: 'Why it does not fire; null: it does.' })),
  fires: Type.Array(ScheduleFire, { description: 'What became of the last ones, latest first.' }),
})
export type WorkflowSchedule = Static<typeof WorkflowSchedule>
