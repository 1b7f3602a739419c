import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { journalStep } from '@troupe/durable-work'
import { Type } from 'typebox'
import { ChatModelError } from '../../ports/chat-models.ts'
import { sourceOf } from '../../run/acting-agent.ts'
import { MessageWriter } from '../../run/message-writer.ts'
import { BudgetSpent } from '../../run/run-budget.ts'
import { type FrozenMember, memberLabel } from '../members/freeze-team.ts'
import { failureText } from '../members/member-failure.ts'
import type { MemberResult } from '../members/run-member.ts'
import type { TeamRun } from '../members/team-run.ts'
import { paragraphs, promptBlock } from '../prompts/blocks.ts'
import { leadPrompt } from '../prompts/lead-prompt.ts'
import { resultBlock } from '../prompts/results.ts'
import { type FinalText, finalCall } from './final-call.ts'

/** The role of a lead that writes the answer from the reports of its members. */
const SYNTHESIS_ROLE = [
  'You lead a team whose members have all worked on the same request. Write the one answer for the user.',
  'Integrate by topic, not by member. Say where the views agree; resolve contradictions or show them.',
  'Name who said what where it matters, and name a view that is missing because its member failed.',
].join('\n')
const AGAIN = 'Your answer was empty. Write the answer for the user now, as text.'
const NOTE =
  "The lead's answer was empty, and so was its second one: the answer consists of the members' reports."

/** The reports themselves, in place of an answer. */
const REPORTS = journalStep('reports', 1, Type.Object({ messageId: Type.String(), text: Type.String() }))

/** A member's report. */
export interface MemberReport {
  member: FrozenMember
  result: MemberResult
  /** The name by which the lead may refer to the result; null if it cannot. */
  id: string | null
}

/** The prompt of a lead that writes the answer from reports. */
export function synthesisPrompt(
  run: TeamRun,
  reports: readonly MemberReport[],
  isAgain = false,
): LanguageModelV4Prompt {
  const listed = reports.map(({ member, result, id }) => resultBlock(memberLabel(member), result, id))
  const asked = paragraphs(promptBlock('user_message', run.message), ...listed, isAgain ? AGAIN : null)
  return leadPrompt(run, SYNTHESIS_ROLE, run.team.members, asked)
}

/** Whether a call of a lead ended normally and without text. */
export function isEmptyAnswer(error: unknown): error is ChatModelError {
  return error instanceof ChatModelError && error.code === 'empty_response'
}

function reportText({ member, result }: MemberReport, isOnly: boolean): string {
  const { name } = member.agent
  if (result.status === 'error') return `**${name}** failed: ${failureText(result)}`
  if (isOnly) return result.text
  return `**${name}**${result.status === 'refused' ? ' (refused)' : ''}\n\n${result.text}`
}

/** Writes the reports themselves, and notes that in the trace. */
async function writeReports({ ctx, lead }: TeamRun, reports: readonly MemberReport[]): Promise<void> {
  const replayed = ctx.journal.has('reports')
  const written = await ctx.journal.once(REPORTS, 'reports', async () => {
    new MessageWriter(ctx.output, sourceOf(lead), 'trace').append(NOTE)
    const writer = new MessageWriter(ctx.output, sourceOf(lead), 'answer')
    writer.append(reports.map((report) => reportText(report, reports.length === 1)).join('\n\n'))
    return { messageId: writer.messageId, text: writer.text }
  })
  if (replayed) ctx.output.answer.append(written.messageId, written.text)
}

/**
 * The end of a run whose lead wrote no answer although members have reported: the lead is called again, and if that
 * fails the reports are the answer. If the answer must be JSON, the reports cannot replace it.
 *
 * @throws `empty` if nothing was reported, the error of the second answer if it failed otherwise or no report is a
 * success, and as {@link finalCall}.
 */
export async function answerFromReports(
  run: TeamRun,
  reports: readonly MemberReport[],
  empty: ChatModelError,
): Promise<FinalText> {
  if (reports.length === 0) throw empty
  try {
    return await finalCall(run, 'synthesis', synthesisPrompt(run, reports, true), { key: 'synthesis:again' })
  } catch (error) {
    const isOver = isEmptyAnswer(error) || error instanceof BudgetSpent
    if (!isOver || run.output || !reports.some(({ result }) => result.status === 'ok')) throw error
    await writeReports(run, reports)
    return { text: run.ctx.output.answer.text, finishReason: 'stop' }
  }
}
