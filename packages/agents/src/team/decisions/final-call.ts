import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelPurpose } from '@troupe/contract'
import { journalStep } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { LoopLimits } from '../../agent/agent-loop.ts'
import { structuredAnswer } from '../../agent/structured-answer.ts'
import { addSpent, sourceOf } from '../../run/acting-agent.ts'
import { emptyAnswer } from '../../run/empty-answer.ts'
import { MessageWriter } from '../../run/message-writer.ts'
import { MODEL_STEP_RESULT, modelStep } from '../../run/model-step.ts'
import type { TeamRun } from '../members/team-run.ts'

const ONE_STEP: LoopLimits = {
  maxSteps: 1,
  maxToolCalls: 0,
  parallelToolCalls: false,
  toolChoice: 'none',
  repeatLimit: 1,
}

/** The answer that the lead has written. */
const LAST_TEXT = journalStep(
  'last_text',
  1,
  Type.Object({ ...MODEL_STEP_RESULT.properties, messageId: Type.String(), at: Type.Number() }),
)

/** The lead's answer text, possibly partial. */
export interface FinalText {
  text: string
  finishReason: string
}

/**
 * Lets the lead write the run's answer, without tools. Text is streamed as it is written, JSON once it is valid. `key`
 * names the step in the journal. The transcript gets a synthesis with its provider state; a report is not the whole
 * answer.
 *
 * @throws ChatModelError (also for an empty text), RunFailure for invalid JSON, the signal's reason, or SliceEnded.
 */
export async function finalCall(
  { ctx, lead, output }: TeamRun,
  purpose: Extract<ModelPurpose, 'synthesis' | 'report'>,
  prompt: LanguageModelV4Prompt,
  { maxOutputTokens, key = purpose }: { maxOutputTokens?: number; key?: string } = {},
): Promise<FinalText> {
  if (output) {
    return structuredAnswer(
      ctx,
      {
        ...{ actor: lead, keyPrefix: `${key}/`, purpose, prompt, tools: [], limits: ONE_STEP },
        ...{ channel: 'answer', transcript: ctx.output.transcript },
      },
      output,
    )
  }
  const replayed = ctx.journal.has(key)
  const written = await ctx.journal.once(LAST_TEXT, key, async () => {
    const writer = new MessageWriter(ctx.output, sourceOf(lead), 'answer')
    const options = maxOutputTokens === undefined ? {} : { maxOutputTokens }
    try {
      const step = await modelStep(ctx, lead, { purpose, step: 0, prompt, writer, options, mayEnd: true })
      if (step.text === '') {
        throw emptyAnswer(step.finishReason)
      }
      return { ...step, messageId: writer.messageId, at: ctx.now() }
    } catch (error) {
      if (!ctx.signal.aborted) writer.reset('failover')
      throw error
    }
  })
  if (replayed) {
    addSpent(lead.spent, written.spent)
    ctx.output.answer.append(written.messageId, written.text)
  }
  if (purpose === 'synthesis') {
    const author = { agentId: lead.agentId, name: lead.name }
    const { text, state = null, at } = written
    ctx.output.transcript.assistant(author, text, { state }, at)
  }
  return written
}
