import type { Reply, ScriptStep } from '../../testing/scripted-model.ts'

/** The lead routes the message to a member. */
export const route = (member: string, task = `TASK-${member}`): Reply => ({
  call: 'route',
  input: { member, task },
})

/** The lead delegates to members in one step: `m1`, or `m1: the task`. */
export const delegate = (...given: string[]): ScriptStep[] =>
  given.map((text) => {
    const [member, task] = text.split(': ')
    return { call: 'delegate', input: { member, task: task ?? `TASK-${member}` } }
  })

export const broadcast = (task: string): Reply => ({ call: 'broadcast', input: { task } })

/** The lead's plan: `t1 m1`, or `t2 m1 after t1`. */
export const plan = (...tasks: string[]): Reply => ({
  call: 'submit_plan',
  input: {
    goal: 'The goal.',
    done_criteria: [{ id: 'c1', text: 'It is done.' }],
    tasks: tasks.map((text) => {
      const [id, assignee, , ...after] = text.split(' ')
      return { id, title: `Title ${id}`, description: `DO-${id}`, assignee, depends_on: after }
    }),
  },
})

/** The lead's review; `evidence` names the tasks that prove the one criterion. */
export const review = (
  verdict: 'complete' | 'continue' | 'impossible',
  change: { evidence?: string[]; retry?: string[]; cancel?: string[]; reason?: string } = {},
): Reply => ({
  call: 'review',
  input: {
    criteria: [{ id: 'c1', met: verdict === 'complete', evidence: change.evidence ?? [] }],
    verdict,
    reason: change.reason ?? 'REASON',
    add: [],
    retry: (change.retry ?? []).map((id) => ({ id })),
    cancel: change.cancel ?? [],
  },
})
