import { Type } from 'typebox'
import { RunFailure } from '../../run/run-failure.ts'
import { type Decision, decisionStep, forced } from '../decisions/forced.ts'
import { memberChoice } from '../decisions/member-choice.ts'
import { type FrozenMember, memberLabel } from '../members/freeze-team.ts'
import { failureText, hasActed } from '../members/member-failure.ts'
import { type MemberResult, runMember } from '../members/run-member.ts'
import type { CoordinationModeWork, TeamRun } from '../members/team-run.ts'
import { leadPrompt } from '../prompts/lead-prompt.ts'
import { type Interaction, memberInput } from '../prompts/member-input.ts'

const HISTORY_TURNS = 6
const ROLE = [
  'You route messages. Choose the one member that is best able to handle the last message of the user.',
  'Earlier turns only resolve what that message refers to; [answered by …] says which member answered then.',
  "When the user answers a member's question, choose that member. When no member fits, choose the closest.",
  'You never answer yourself, and nobody reads what you write beside the choice.',
].join('\n')
const TASK_DESCRIPTION =
  "The request for the member: it stands alone, keeps every requirement of the user and is in the user's language."

interface Route {
  member: FrozenMember
  /** The member's task; the caller's message when the team does not rewrite it. */
  task: string
}

/** The lead's decision; it names the member by key, because decisions are stored as data. */
interface Choice {
  member: string
  task: string
}

const ROUTE = decisionStep('route', 1, Type.Object({ member: Type.String(), task: Type.String() }))

function routeDecision(run: TeamRun, pool: readonly FrozenMember[], n: number): Decision<Choice> {
  const rewrites = run.team.snapshot.config.toggles.auto_member_input
  const keys = pool.map((member) => member.key)
  return {
    key: `route:${n}`,
    step: ROUTE,
    purpose: 'route',
    maxOutputTokens: rewrites ? 1_000 : 200,
    tool: {
      name: 'route',
      description: 'Hands the message to one member.',
      inputSchema: {
        type: 'object',
        properties: {
          member: memberChoice(pool),
          ...(rewrites && { task: { type: 'string', minLength: 1, description: TASK_DESCRIPTION } }),
        },
        required: rewrites ? ['member', 'task'] : ['member'],
        additionalProperties: false,
      },
    },
    read({ member, task }) {
      if (typeof member !== 'string' || !keys.includes(member)) {
        return { ok: false, problem: `"member" must be one of: ${keys.join(', ')}.` }
      }
      if (!rewrites) return { ok: true, value: { member, task: run.message } }
      if (typeof task !== 'string' || task.trim() === '') {
        return { ok: false, problem: '"task" must be the request for the member.' }
      }
      return { ok: true, value: { member, task } }
    },
    readText: (text) => (keys.includes(text) ? { member: text, task: run.message } : null),
  }
}

/** The answering member: the only candidate without a call, otherwise the lead's choice, otherwise the fallback. */
async function pick(run: TeamRun, pool: readonly FrozenMember[], n: number): Promise<Route> {
  const [only, ...others] = pool
  if (!only) throw new RunFailure('The team has no member that can answer.')
  if (others.length === 0) return { member: only, task: run.message }
  const prompt = leadPrompt(run, ROLE, pool, run.message, { turns: HISTORY_TURNS, tagged: true })
  const chosen = await forced(run.ctx, run.lead, routeDecision(run, pool, n), prompt)
  const named = pool.find(({ key }) => key === chosen?.member)
  if (chosen && named) return { member: named, task: chosen.task }
  const fallback = run.team.snapshot.config.fallback_member
  const member = pool.find(({ agent }) => agent.agentId === fallback)
  if (!member) throw new RunFailure('The lead of the team did not choose a member.')
  return { member, task: run.message }
}

/** The journal step of the `n`th member. */
const keyOf = ({ key }: FrozenMember, n: number) => `member:${key}:${n}`

function answer(run: TeamRun, { member, task }: Route, n: number, before: readonly Interaction[]) {
  const input = memberInput(run, task, before)
  const { output, memberRules: rules } = run
  return runMember(run, member, { key: keyOf(member, n), input, task, channel: 'answer', output, rules })
}

/** The first member's interaction as shown to the second, when the team shares interactions. */
function interactionsOf(run: TeamRun, route: Route, result: MemberResult): Interaction[] {
  if (!run.team.snapshot.config.toggles.share_member_interactions) return []
  const response = `(failed: ${failureText(result)})`
  return [{ member: memberLabel(route.member), task: route.task, response }]
}

/** Voids the first member's text. In a resumed job its readers got the reset when the turn started. */
function voidAnswer({ ctx }: TeamRun, member: FrozenMember, { memberRunId, messageId }: MemberResult): void {
  if (!messageId) return
  const { agent } = member
  const source = {
    role: 'member' as const,
    agentId: agent.agentId,
    agentName: agent.name,
    runId: memberRunId,
  }
  ctx.output.answer.reset(messageId)
  if (ctx.journal.has(keyOf(member, 0))) return
  ctx.output.events?.emit('RunContentReset', { source, messageId, reason: 'reroute' })
}

/**
 * The lead picks one member, whose text is the answer, byte for byte; users see no text of the lead. A failed member is
 * replaced once, unless one of its tools may have had effects, which would be repeated.
 */
export const handoff: CoordinationModeWork = async (run) => {
  const { team } = run
  const targets = team.self ? [...team.members, team.self] : team.members
  let route = await pick(run, targets, 0)
  let result = await answer(run, route, 0, [])
  const others = targets.filter((member) => member !== route.member)
  if (result.status === 'error' && !hasActed(result) && others.length > 0) {
    voidAnswer(run, route.member, result)
    const before = interactionsOf(run, route, result)
    route = await pick(run, others, 1)
    result = await answer(run, route, 1, before)
  }
  const { agent } = route.member
  if (result.status === 'error') throw new RunFailure(`Member ${agent.name} failed: ${failureText(result)}`)
  const author = { agentId: agent.agentId, name: agent.name }
  return { success: result.status === 'ok', author, plan: null }
}
