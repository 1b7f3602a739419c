import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { AgentId, RunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'blocked', 'cancelled'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const PLAN_STOP_REASONS = [
  'goal_completed',
  'impossible',
  'stalled',
  'iteration_limit',
  'budget',
  'lead_error',
] as const
/** Why the engine stopped working on a plan. */
export type PlanStopReason = (typeof PLAN_STOP_REASONS)[number]

/** A task of a plan, as in the result. */
export const PlanTask = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: Choice(TASK_STATUSES),
  assigneeAgentId: Nullable(Uuid<AgentId>({ description: 'null: the managed lead.' })),
  attempts: Type.Integer(),
  memberRunId: Nullable(Uuid<RunId>()),
})
export type PlanTask = Static<typeof PlanTask>

/** The outcome of the plan of a plan-execute run. */
export const RunPlan = Type.Object({
  goalCompleted: Type.Boolean(),
  stopReason: Choice(PLAN_STOP_REASONS),
  iterations: Type.Integer(),
  maxIterations: Type.Integer(),
  tasks: Type.Array(PlanTask),
})
export type RunPlan = Static<typeof RunPlan>
