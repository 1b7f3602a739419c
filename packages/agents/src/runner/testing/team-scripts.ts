import { broadcast, delegate, plan, review, route } from '../../team/testing/lead-replies.ts'
import type { TestTeam } from '../../testing/run-kit.ts'
import { CREW } from '../../testing/run-kit.ts'
import { chainFailed } from '../../testing/scripted-model.ts'
import type { Script } from './mortal-workers.ts'

/** A team whose models answer only by their prompts, as a resumed job requires. */
export interface ScriptedTeam {
  team: TestTeam
  script: Script
  /** Model calls of an undisturbed run. */
  calls: number
  content: string
}

const deltas = (...texts: string[]) => texts.map((text) => ({ text }))
const failing = [{ text: 'Half of ' }, chainFailed('It is down.')]

const handoff =
  (members: string[]): Script =>
  (call) => {
    if (call.agent === 'Ada') return { key: 'member:m1:0', reply: failing }
    if (call.agent === 'Ben') return { key: 'member:m2:1', reply: deltas('The ', 'answer.') }
    const first = JSON.stringify(call.options.tools).includes('m1 (Ada)')
    expectPool(members.length, first)
    return first ? { key: 'route:0', reply: route('m1') } : { key: 'route:1', reply: route('m2') }
  }

/** The second decision is made only if two members are left. */
function expectPool(members: number, first: boolean): void {
  if (members === 2 && !first) throw new Error('a decision between one member')
}

const parallel: Script = ({ agent, forced }) => {
  if (forced === 'broadcast') return { key: 'broadcast', reply: broadcast('REQUEST') }
  if (agent === CREW) return { key: 'synthesis', reply: deltas('All ', 'said.') }
  const key = { Ada: 'member:m1:0', Ben: 'member:m2:0', Cy: 'member:m3:0' }[agent] ?? ''
  return { key, reply: agent === 'Ben' ? failing : deltas('Said by ', agent) }
}

const dynamic: Script = ({ agent, results }) => {
  if (agent === 'Ada') return { key: 'call:0.0/m1', reply: deltas('Ada ', 'says.') }
  if (agent === 'Ben') return { key: 'call:0.1/m2', reply: deltas('| a | b |\n', '|---|---|') }
  if (agent === 'Cy') return { key: 'call:1.1/m3', reply: failing }
  if (results.length === 0) return { key: 'step:0', reply: [{ text: 'Well. ' }, ...delegate('m1', 'm2')] }
  if (results.length === 2) return { key: 'step:1', reply: delegate('m1', 'm3') }
  return { key: 'step:2', reply: deltas('Table:\n[[res', 'ult:call_0_1]]\nDone', '.') }
}

const planned: Script = ({ agent, forced, asked }, steps) => {
  if (forced === 'submit_plan') return { key: 'plan', reply: plan('t1 m1', 't2 m2', 't3 m3 after t1 t2') }
  if (forced === 'review') {
    const round = Number(/This was round (\d+)/.exec(asked)?.[1])
    const replies = [
      review('continue', { retry: ['t1'] }),
      review('continue'),
      review('complete', { evidence: ['t3'] }),
    ]
    return { key: `review:${round}`, reply: replies[round - 1] ?? [] }
  }
  if (agent === CREW) return { key: 'report', reply: deltas('The ', 'report.') }
  if (agent === 'Ben') return { key: 'task:t2:1', reply: deltas('Ben ', 'did it.') }
  if (agent === 'Cy') return { key: 'task:t3:1', reply: deltas('Cy ', 'too.') }
  const again = steps.has('task:t1:1')
  return again ? { key: 'task:t1:2', reply: deltas('Ada ', 'did it.') } : { key: 'task:t1:1', reply: failing }
}

const all = ['Ada', 'Ben', 'Cy']

/** One team per mode, with a failure, voided text, and concurrent steps where the mode allows them. */
export const SCRIPTED_TEAMS: Record<string, ScriptedTeam> = {
  handoff: {
    team: { mode: 'handoff', members: all },
    script: handoff(all),
    calls: 4,
    content: 'The answer.',
  },
  'handoff of two': {
    team: { mode: 'handoff', members: ['Ada', 'Ben'] },
    script: handoff(['Ada', 'Ben']),
    calls: 3,
    content: 'The answer.',
  },
  parallel: { team: { mode: 'parallel', members: all }, script: parallel, calls: 5, content: 'All said.' },
  'dynamic-delegation': {
    team: { mode: 'dynamic-delegation', members: all },
    script: dynamic,
    calls: 6,
    content: 'Table:\n| a | b |\n|---|---|\nDone.',
  },
  'plan-execute': {
    team: { mode: 'plan-execute', members: all },
    script: planned,
    calls: 9,
    content: 'The report.\n\nGoal completed: yes',
  },
}
