import type { ModelReply } from '@troupe/test-kit/model-server'

/** One task of a scripted plan. */
export interface ScriptedTask {
  id: string
  assignee: string
  title?: string
  description?: string
  depends_on?: string[]
}

/** The lead hands the message to a member. */
export function route(member: string, task?: string): ModelReply {
  return { toolCalls: [{ name: 'route', arguments: task === undefined ? { member } : { member, task } }] }
}

/** The lead writes one request for all members. */
export function broadcast(task: string): ModelReply {
  return { toolCalls: [{ name: 'broadcast', arguments: { task } }] }
}

/** The lead delegates tasks in one step; a task that is null is the user's message. */
export function delegate(...tasks: readonly [member: string, task: string | null][]): ModelReply {
  const calls = tasks.map(([member, task]) => ({
    name: 'delegate',
    arguments: task === null ? { member } : { member, task },
  }))
  return { toolCalls: calls }
}

const full = ({ id, assignee, title, description, depends_on = [] }: ScriptedTask) => ({
  id,
  title: title ?? `Title of ${id}`,
  description: description ?? `Do ${id}.`,
  assignee,
  depends_on,
})

/** The lead submits a plan with one criterion. */
export function plan(...tasks: readonly ScriptedTask[]): ModelReply {
  const done_criteria = [{ id: 'c1', text: 'Everything is done.' }]
  const input = { goal: 'Get it done.', done_criteria, tasks: tasks.map(full) }
  return { toolCalls: [{ name: 'submit_plan', arguments: input }] }
}

/** Fields of a scripted review besides its verdict. */
export interface ScriptedReview {
  /** Completed tasks that prove the criterion, which is then met. */
  evidence?: string[]
  reason?: string
  add?: readonly ScriptedTask[]
  retry?: readonly { id: string; assignee?: string; description?: string }[]
  cancel?: readonly string[]
}

/** The lead reviews a round. */
export function review(
  verdict: 'complete' | 'continue' | 'impossible',
  { evidence = [], reason = 'Because.', add = [], retry = [], cancel = [] }: ScriptedReview = {},
): ModelReply {
  const criteria = [{ id: 'c1', met: evidence.length > 0, evidence }]
  const input = { criteria, verdict, reason, add: add.map(full), retry, cancel }
  return { toolCalls: [{ name: 'review', arguments: input }] }
}

/** An unreachable model. */
export const BROKEN: ModelReply = { status: 500, body: { error: { message: 'database.internal exploded' } } }
