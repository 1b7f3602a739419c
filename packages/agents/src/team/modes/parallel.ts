import { forEachConcurrently } from '@troupe/durable-work'
import { Type } from 'typebox'
import { BUDGET_SPENT, BudgetSpent } from '../../run/run-budget.ts'
import { RunFailure } from '../../run/run-failure.ts'
import {
  answerFromReports,
  isEmptyAnswer,
  type MemberReport,
  synthesisPrompt,
} from '../decisions/answer-from-reports.ts'
import { finalCall } from '../decisions/final-call.ts'
import { decisionStep, forced } from '../decisions/forced.ts'
import { failureText, hasActed } from '../members/member-failure.ts'
import { type MemberResult, runMember } from '../members/run-member.ts'
import type { CoordinationModeWork, TeamRun } from '../members/team-run.ts'
import { leadPrompt } from '../prompts/lead-prompt.ts'
import { memberInput } from '../prompts/member-input.ts'

const BROADCAST_ROLE =
  'You lead a team whose members all get the same request at the same time. Write that one request: it stands alone, ' +
  "keeps every requirement of the user and is in the user's language. Do not answer it yourself."

const BROADCAST = decisionStep('broadcast', 1, Type.String())

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
      step: BROADCAST,
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
    return result.status === 'error' && member ? [{ name: member.agent.name, result }] : []
  })
  const succeeded = results.filter(({ status }) => status === 'ok').length
  if (succeeded >= needed) return
  if (failed.some(({ result }) => result.message === BUDGET_SPENT)) throw new BudgetSpent()
  const names = failed.map(({ name }) => name).join(', ')
  // A member that has acted comes first, because the caller must know before repeating the request.
  const told = failed.toSorted((a, b) => Number(hasActed(b.result)) - Number(hasActed(a.result)))[0]
  const first = told ? failureText(told.result) : 'No member returned an answer.'
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
  const reports = members.map(
    (member, index): MemberReport => ({ member, result: results[index] as MemberResult, id: null }),
  )
  const { finishReason } = await finalCall(run, 'synthesis', synthesisPrompt(run, reports)).catch(
    (error: unknown) => {
      if (isEmptyAnswer(error)) return answerFromReports(run, reports, error)
      throw error
    },
  )
  const author = { agentId: run.lead.agentId, name: run.lead.name }
  return { success: finishReason !== 'content-filter', author, plan: null }
}
