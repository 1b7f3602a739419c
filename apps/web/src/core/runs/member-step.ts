import { traceWords as words } from '../messages/en/operate/trace.ts'

/** The purpose for which a team's step started a member. */
type MemberStep =
  | { kind: 'member'; label: string; round: number }
  | { kind: 'task'; task: string; attempt: number }
  | { kind: 'delegated'; label: string }
  | { kind: 'tool' }
  | { kind: 'other' }

/** Reads the step of a member's run, such as `member:m1:0`, `task:t1:1`, `call:0.0/m2` or `call:0.0/agent`. */
export function memberStep(stepKey: string): MemberStep {
  const [, label = '', count = ''] = /^member:(m\d+):(\d+)$/.exec(stepKey) ?? []
  if (label !== '') return { kind: 'member', label, round: Number(count) + 1 }
  const [, task = '', attempt = ''] = /^task:(.+):(\d+)$/.exec(stepKey) ?? []
  if (task !== '') return { kind: 'task', task, attempt: Number(attempt) }
  if (stepKey.endsWith('/agent')) return { kind: 'tool' }
  const [, delegated = ''] = /\/(m\d+)$/.exec(stepKey) ?? []
  return delegated === '' ? { kind: 'other' } : { kind: 'delegated', label: delegated }
}

/** The same in a few words, beside the name of the member; null: there is nothing to say. */
export function memberStepText(stepKey: string): string | null {
  const step = memberStep(stepKey)
  switch (step.kind) {
    case 'member':
      return words.asMember(step.label, step.round)
    case 'task':
      return words.asTask(step.task, step.attempt)
    case 'delegated':
      return words.asMember(step.label, 1)
    case 'tool':
      return words.asTool
    case 'other':
      return null
  }
}
