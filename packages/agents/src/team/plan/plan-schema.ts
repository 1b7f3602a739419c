import { PLAN_LIMITS } from './limits.ts'
import { PLAN_VERDICTS } from './plan-review.ts'
import type { PlanState } from './plan-state.ts'
import type { Assignee } from './submitted-plan.ts'

// The sandbox fills these schemas with their smallest instance: a list that may be empty has `minItems: 0`, a
// list that must judge everything has its exact length, and `evidence` has neither, which yields one item.

/** The JSON Schema keywords that this file uses. */
export interface FormSchema {
  type: 'object' | 'array' | 'string' | 'boolean'
  description?: string
  properties?: Record<string, FormSchema>
  required?: string[]
  additionalProperties?: false
  items?: FormSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  enum?: string[]
}

/** The input of `submit_plan`: the lead's plan for a goal. */
export function submitPlanSchema(assignees: readonly Assignee[]): FormSchema {
  const taskIds = numbered('t', PLAN_LIMITS.submittedTasks)
  return object({
    goal: text(1_000, 'What the user wants to have in the end, in one or two sentences.'),
    done_criteria: {
      type: 'array',
      minItems: 1,
      maxItems: PLAN_LIMITS.criteria,
      description:
        'What must be true for the goal to be reached. Each can be checked in the result of a task.',
      items: object({
        id: choice(numbered('c', PLAN_LIMITS.criteria), 'c1 for the first, then c2, …; each once.'),
        text: text(500, 'The criterion in one sentence.'),
      }),
    },
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: PLAN_LIMITS.submittedTasks,
      description:
        'As few tasks as the goal needs. Tasks that do not depend on each other run at the same time.',
      items: taskForm(
        assignees,
        choice(taskIds, 't1 for the first, then t2, …; each once.'),
        choice(taskIds, 'The id of another task of this plan.'),
      ),
    },
  })
}

/** The input of `review`: the lead's judgement of a plan after an iteration. */
export function reviewSchema(
  assignees: readonly Assignee[],
  { criteria, tasks }: Pick<PlanState, 'criteria' | 'tasks'>,
): FormSchema {
  const taskIds = tasks.map(({ id }) => id)
  const completed = tasks.filter(({ status }) => status === 'completed').map(({ id }) => id)
  return object({
    criteria: {
      type: 'array',
      minItems: criteria.length,
      maxItems: criteria.length,
      description: 'Every criterion of the plan, each once.',
      items: object({
        id: choice(
          criteria.map(({ id }) => id),
          'The criterion.',
        ),
        met: { type: 'boolean', description: 'Whether the results prove it.' },
        evidence: {
          type: 'array',
          // An enumeration must not be empty, so before any task is completed the list must be allowed to be
          // empty.
          ...(completed.length === 0 ? { minItems: 0 } : {}),
          description: 'The completed tasks whose results prove it.',
          items: choice(completed.length === 0 ? taskIds : completed, 'The id of a completed task.'),
        },
      }),
    },
    // No line of this description starts with a verdict, or the sandbox would pick that verdict.
    verdict: choice(
      PLAN_VERDICTS,
      'Say complete when every criterion is met and no task is left to do, continue while work is left, and impossible when the goal cannot be reached, also when only the user could help.',
    ),
    reason: text(1_000, 'Why, in one or two sentences.'),
    add: {
      type: 'array',
      minItems: 0,
      description: 'New tasks. Empty when none is needed.',
      items: taskForm(assignees, text(64, 'A new id in one word, such as t9.'), {
        type: 'string',
        description: 'The id of a task of the plan or of another new task.',
      }),
    },
    retry: {
      type: 'array',
      minItems: 0,
      description: `Failed or completed tasks to do again, at most ${PLAN_LIMITS.attempts} attempts each. Empty when none is needed.`,
      items: {
        ...object({
          id: choice(taskIds, 'The task.'),
          assignee: assigneeChoice(assignees),
          description: text(8_000, 'A better description. Leave it out to keep the old one.'),
        }),
        required: ['id'],
      },
    },
    cancel: {
      type: 'array',
      minItems: 0,
      description: 'Tasks that are no longer needed and not completed. Empty when there are none.',
      items: choice(taskIds, 'The task.'),
    },
  })
}

function taskForm(assignees: readonly Assignee[], id: FormSchema, dependency: FormSchema): FormSchema {
  return object({
    id,
    title: text(120, 'A few words.'),
    description: text(
      8_000,
      'The whole task for a member that sees nothing else: what to do, with what, and what to answer with.',
    ),
    assignee: assigneeChoice(assignees),
    depends_on: {
      type: 'array',
      minItems: 0,
      description: 'Tasks whose results this one needs. Empty when it can start at once.',
      items: dependency,
    },
  })
}

function assigneeChoice(assignees: readonly Assignee[]): FormSchema {
  const lines = assignees.map(({ label }) => label.replaceAll(/\s+/g, ' ').trim())
  return choice(
    assignees.map(({ key }) => key),
    ['Who does it.', ...lines].join('\n'),
  )
}

function choice(values: readonly string[], description: string): FormSchema {
  return { type: 'string', enum: [...values], description }
}

function text(maxLength: number, description: string): FormSchema {
  return { type: 'string', minLength: 1, maxLength, description }
}

/** A closed object whose properties are all required. */
function object(properties: Record<string, FormSchema>): FormSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
}
