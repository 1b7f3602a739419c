import { validatorOf } from '@troupe/contract'
import { PLAN_LIMITS } from './limits.ts'
import { PLAN_VERDICTS, type PlanVerdict } from './plan-review.ts'

// These schemas accept more than the prompt asks for: lists may be missing, further fields are ignored, and
// ids are checked in code, so that each problem can be explained to the model.

const word = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^\\S+$',
  patternMessage: 'must be one word',
}
const text = { type: 'string', pattern: '\\S', patternMessage: 'must not be empty' }
const textOrNull = { type: ['string', 'null'] }
const listOrNull = (items: object) => ({ type: ['array', 'null'], items })
const object = (properties: object, required: readonly string[]) => ({ type: 'object', properties, required })

const task = object(
  { id: word, title: text, description: text, assignee: { type: 'string' }, depends_on: listOrNull(word) },
  ['id', 'title', 'description', 'assignee'],
)

export interface TaskInput {
  id: string
  title: string
  description: string
  assignee: string
  depends_on?: string[] | null
}

interface PlanInput {
  goal: string
  done_criteria: { id: string; text: string }[]
  tasks: TaskInput[]
}

interface ReviewInput {
  criteria?: { id: string; met: boolean; evidence?: string[] | null }[] | null
  verdict: PlanVerdict
  reason?: string | null
  add?: TaskInput[] | null
  retry?: { id: string; assignee?: string | null; description?: string | null }[] | null
  cancel?: string[] | null
}

/** The shape of a submitted plan, before its ids are checked. */
export const checkPlanInput = validatorOf<PlanInput>(
  object(
    {
      goal: text,
      done_criteria: {
        type: 'array',
        minItems: 1,
        maxItems: PLAN_LIMITS.criteria,
        items: object({ id: word, text }, ['id', 'text']),
      },
      tasks: { type: 'array', minItems: 1, maxItems: PLAN_LIMITS.submittedTasks, items: task },
    },
    ['goal', 'done_criteria', 'tasks'],
  ),
)

/** The shape of a review, before its ids are checked. */
export const checkReviewInput = validatorOf<ReviewInput>(
  object(
    {
      criteria: listOrNull(
        object(
          { id: { type: 'string' }, met: { type: 'boolean' }, evidence: listOrNull({ type: 'string' }) },
          ['id', 'met'],
        ),
      ),
      verdict: { type: 'string', enum: PLAN_VERDICTS },
      reason: textOrNull,
      add: listOrNull(task),
      retry: listOrNull(
        object({ id: { type: 'string' }, assignee: textOrNull, description: textOrNull }, ['id']),
      ),
      cancel: listOrNull({ type: 'string' }),
    },
    ['verdict'],
  ),
)
