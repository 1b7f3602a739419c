import { journalStep } from '@troupe/durable-work'
import { type ActingAgent, sourceOf } from '../run/acting-agent.ts'
import { MessageWriter } from '../run/message-writer.ts'
import { BUDGET_SPENT, BudgetSpent } from '../run/run-budget.ts'
import type { RunContext } from '../run/run-context.ts'
import { WRITTEN } from '../run/step-shapes.ts'

/** A sentence in place of an answer. */
export interface SpentAnswer {
  text: string
  messageId: string
}

const SPENT_BUDGET = journalStep('spent_budget', 1, WRITTEN)

/**
 * The result of the work, or the sentence that its budget is used up; null in place of a result means that there is
 * only the sentence.
 *
 * @throws any other error of the work
 */
export async function orSpent<T>(
  { journal, output }: Pick<RunContext, 'journal' | 'output'>,
  actor: ActingAgent,
  work: () => Promise<T>,
): Promise<{ result: T; spent: null } | { result: null; spent: SpentAnswer }> {
  try {
    return { result: await work(), spent: null }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
  }
  const key = 'budget:spent'
  const replayed = journal.has(key)
  const { messageId } = await journal.once(SPENT_BUDGET, key, async () => {
    const writer = new MessageWriter(output, sourceOf(actor), 'answer')
    writer.append(BUDGET_SPENT)
    return { messageId: writer.messageId }
  })
  if (replayed) output.answer.append(messageId, BUDGET_SPENT)
  return { result: null, spent: { text: BUDGET_SPENT, messageId } }
}
