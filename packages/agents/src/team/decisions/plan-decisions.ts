import { Nullable } from '@troupe/contract'
import { schemaOf } from '@troupe/durable-work'
import { Type } from 'typebox'
import { ChatModelError } from '../../ports/chat-models.ts'
import type { TeamRun } from '../members/team-run.ts'
import { CONTINUE_REVIEW, type PlanReview } from '../plan/plan-review.ts'
import { reviewSchema, submitPlanSchema } from '../plan/plan-schema.ts'
import { readReview, readSubmittedPlan } from '../plan/read-plan.ts'
import type { SubmittedPlan } from '../plan/submitted-plan.ts'
import { planPrompt, type ReviewSubject, reviewPrompt } from '../prompts/plan-prompts.ts'
import { decisionStep, forced } from './forced.ts'
import type { PlanCrew } from './plan-crew.ts'

const DECISION_TOKENS = 4_000

const TASK = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  assignee: Type.String(),
  dependsOn: Type.Array(Type.String()),
})

const PLAN = decisionStep(
  'plan',
  1,
  schemaOf<SubmittedPlan>()(
    Type.Object({
      goal: Type.String(),
      criteria: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
      tasks: Type.Array(TASK),
    }),
  ),
)

const REVIEW = decisionStep(
  'plan_review',
  1,
  schemaOf<PlanReview>()(
    Type.Object({
      criteria: Type.Array(
        Type.Object({ id: Type.String(), met: Type.Boolean(), evidence: Type.Array(Type.String()) }),
      ),
      verdict: Type.Union([Type.Literal('complete'), Type.Literal('continue'), Type.Literal('impossible')]),
      reason: Type.String(),
      add: Type.Array(TASK),
      retry: Type.Array(
        Type.Object({
          id: Type.String(),
          assignee: Nullable(Type.String()),
          description: Nullable(Type.String()),
        }),
      ),
      cancel: Type.Array(Type.String()),
    }),
  ),
)

/** The lead's plan; null if it made no valid one. Throws ChatModelError if every model of the lead failed. */
export function decidePlan(run: TeamRun, crew: PlanCrew): Promise<SubmittedPlan | null> {
  const { assignees } = crew
  return forced<SubmittedPlan>(
    run.ctx,
    run.lead,
    {
      key: 'plan',
      step: PLAN,
      purpose: 'plan',
      maxOutputTokens: DECISION_TOKENS,
      tool: {
        name: 'submit_plan',
        description: 'Submits the plan: the goal, how to tell that it is done, and the tasks.',
        inputSchema: { ...submitPlanSchema(assignees) },
      },
      read(input) {
        const read = readSubmittedPlan(input, assignees)
        return read.ok ? { ok: true, value: read.plan } : { ok: false, problem: read.problems.join(' ') }
      },
    },
    planPrompt(run, crew.members),
  )
}

/** The lead's review of a round; `continue` if it made no valid one, null if every model of the lead failed. */
export async function judgePlan(
  run: TeamRun,
  crew: PlanCrew,
  subject: ReviewSubject,
): Promise<PlanReview | null> {
  const { state, iteration } = subject
  const criterionIds = state.criteria.map(({ id }) => id)
  try {
    const review = await forced<PlanReview>(
      run.ctx,
      run.lead,
      {
        key: `review:${iteration}`,
        step: REVIEW,
        purpose: 'review',
        maxOutputTokens: DECISION_TOKENS,
        tool: {
          name: 'review',
          description: 'Judges the round: which criteria are met, by which tasks, and what happens next.',
          inputSchema: { ...reviewSchema(crew.assignees, state) },
        },
        read(input) {
          const read = readReview(input, criterionIds)
          return read.ok ? { ok: true, value: read.review } : { ok: false, problem: read.problems.join(' ') }
        },
      },
      reviewPrompt(run, crew.members, subject),
    )
    return review ?? CONTINUE_REVIEW
  } catch (error) {
    if (error instanceof ChatModelError) return null
    throw error
  }
}
