import { forEachConcurrently } from '@troupe/turns'
import { BUDGET_SPENT, BudgetSpent } from '../../run/run-budget.ts'
import { RunFailure } from '../../run/run-failure.ts'
import { finalCall } from '../decisions/final-call.ts'
import { forced } from '../decisions/forced.ts'
import { memberLabel } from '../members/freeze-team.ts'
import { type MemberResult, runMember } from '../members/run-member.ts'
import type { CoordinationModeWork, TeamRun } from '../members/team-run.ts'
import { paragraphs, promptBlock } from '../prompts/blocks.ts'
import { leadPrompt } from '../prompts/lead-prompt.ts'
import { memberInput } from '../prompts/member-input.ts'
import { resultBlock } from '../prompts/results.ts'

const BROADCAST_ROLE =
  'You lead a team whose members all get the same request at the same time. Write that one request: it stands alone, ' +
  "keeps every requirement of the user and is in the user's language. Do not answer it yourself."
const SYNTHESIS_ROLE = [
  'You lead a team whose members have all worked on the same request. Write the one answer for the user.',
  'Integrate by topic, not by member. Say where the views agree; resolve contradictions or show them.',
  'Name who said what where it matters, and name a view that is missing because its member failed.',
].join('\n')

/** The one request for every member: the lead's, or the caller's message. */
async function requestOf(run: TeamRun): Promise<string> {
  const { toggles } = run.team.snapshot.config
  if (!toggles.auto_member_input) return run.message
  const task = { type: 'string', minLength: 1, description: 'The request that every member gets.' }
  const request = await forced<string>(
    run.ctx,
    run.lead,
    {
      key: 'broadcast',
      purpose: 'broadcast',
      maxOutputTokens: 1_500,
      tool: {
        name: 'broadcast',
        description: 'Sends one request to every member.',
        inputSchema: {
          type: 'object',
          properties: { task },
          required: ['task'],
          additionalProperties: false,
        },
      },
      read: (input) =>
        typeof input.task === 'string' && input.task.trim() !== ''
          ? { ok: true, value: input.task }
          : { ok: false, problem: '"task" must be the request for the members.' },
    },
    leadPrompt(run, BROADCAST_ROLE, run.team.members, run.message),
  )
  return request ?? run.message
}

function requireEnough(run: TeamRun, results: readonly MemberResult[]): void {
  const { min_successful_members: needed } = run.team.snapshot.config
  const failed = results.flatMap((result, index) => {
    const member = run.team.members[index]
    return result.status === 'error' && member ? [{ name: member.agent.name, message: result.message }] : []
  })
  const succeeded = results.filter(({ status }) => status === 'ok').length
  if (succeeded >= needed) return
  if (failed.some(({ message }) => message === BUDGET_SPENT)) throw new BudgetSpent()
  const names = failed.map(({ name }) => name).join(', ')
  const first = failed[0]?.message ?? 'No member gave an answer.'
  throw new RunFailure(
    names === ''
      ? `Too few members answered (${succeeded} of at least ${needed}).`
      : `Too few members answered (${succeeded} of at least ${needed}). Failed: ${names}. ${first}`,
  )
}

/**
 * Every member gets the same request concurrently and works in isolation; then the lead writes one answer
 * from all results, including failures. The lead cannot skip, repeat or replace a member.
 */
export const parallel: CoordinationModeWork = async (run) => {
  const { members } = run.team
  if (members.length === 0) throw new RunFailure('The team has no member that can answer.')
  const request = await requestOf(run)
  const results: MemberResult[] = new Array(members.length)
  await forEachConcurrently(members, members.length, async (member, index) => {
    const work = { key: `member:${member.key}:0`, task: request, channel: 'trace' as const }
    results[index] = await runMember(run, member, { ...work, input: memberInput(run, request) })
  })
  requireEnough(run, results)
  const listed = members.map((member, index) =>
    resultBlock(memberLabel(member), results[index] as MemberResult),
  )
  const asked = paragraphs(promptBlock('user_message', run.message), ...listed)
  const { finishReason } = await finalCall(run, 'synthesis', leadPrompt(run, SYNTHESIS_ROLE, members, asked))
  const author = { agentId: run.lead.agentId, name: run.lead.name }
  return { success: finishReason !== 'content-filter', author, plan: null }
}
