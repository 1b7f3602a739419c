import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type ModelPurpose, Nullable } from '@troupe/contract'
import { Type } from 'typebox'
import type { StepState } from '../ports/step-state.ts'
import { type ActingAgent, addSpent, type Spent, sourceOf } from './acting-agent.ts'
import { callModel, type FinishReason, type ModelToolCall } from './call-model.ts'
import { estimateCall } from './estimate-call.ts'
import type { MessageWriter } from './message-writer.ts'
import { LAST_ANSWER_TOKENS } from './run-budget.ts'
import type { RunContext, RunOutput } from './run-context.ts'
import { SPENT, STEP_STATE } from './step-shapes.ts'

/** One call of an actor's model. */
export interface ModelStepRequest {
  purpose: ModelPurpose
  /** 0-based within the actor's work; shown in events. */
  step: number
  prompt: LanguageModelV4Prompt
  /** Tools, tool choice, response format, sampling; the chain's own parameters fill what is absent. */
  options?: Omit<LanguageModelV4CallOptions, 'prompt' | 'abortSignal'>
  /** Receives the text; null keeps it out of the stream. */
  writer: MessageWriter | null
  /** Opens the message for text beside the answer; absent keeps it out of the stream. */
  openAside?: () => MessageWriter
  /** A signal that may end the step earlier than the run; it must include the run's aborts. */
  signal?: AbortSignal
  /** Whether the call may use the run's reserve for its last answer; such a call calls no tools. */
  mayEnd?: boolean
}

/** The result of a step, as JSON for the journal. */
export interface ModelStepResult {
  /** The text of the answer; empty if the model wrote only white space. */
  text: string
  /** Text beside the answer. Absent: none. */
  commentary?: string
  toolCalls: ModelToolCall[]
  finishReason: FinishReason
  /** Provider state to send back with the step. Absent or null: nothing beyond the fields above. */
  state?: StepState | null
  spent: Spent
  /** Whether the budget has room only for this last call. */
  isLast: boolean
}

/** {@link ModelStepResult} in journals. */
export const MODEL_STEP_RESULT = Type.Object({
  text: Type.String(),
  commentary: Type.Optional(Type.String()),
  toolCalls: Type.Array(Type.Object({ name: Type.String(), input: Type.String() })),
  finishReason: Type.Union([
    Type.Literal('stop'),
    Type.Literal('length'),
    Type.Literal('content-filter'),
    Type.Literal('tool-calls'),
    Type.Literal('other'),
  ]),
  state: Type.Optional(Nullable(STEP_STATE)),
  spent: SPENT,
  isLast: Type.Boolean(),
})

/** The options of a last call: a short answer, and no tools. */
function lastOptions(options: ModelStepRequest['options'] = {}): ModelStepRequest['options'] {
  const { tools, maxOutputTokens = LAST_ANSWER_TOKENS } = options
  return {
    ...options,
    maxOutputTokens: Math.min(maxOutputTokens, LAST_ANSWER_TOKENS),
    ...(tools && { toolChoice: { type: 'none' } }),
  }
}

/** Waits for the rules beside the call; text that they void is reset. */
async function passGate({ gate }: RunOutput, writers: readonly (MessageWriter | null)[]): Promise<void> {
  try {
    await gate?.()
  } catch (error) {
    for (const writer of writers) writer?.reset('guardrail')
    throw error
  }
}

/**
 * Calls the actor's chain once. Every attempt, including failed ones, is a ledger row; the usage of
 * successful ones is added to the actor.
 *
 * @throws ChatModelError, BudgetSpent, RunFailure, or the signal's reason when the run was stopped.
 */
export async function modelStep(
  ctx: RunContext,
  actor: ActingAgent,
  request: ModelStepRequest,
): Promise<ModelStepResult> {
  const { purpose, step, prompt, writer, openAside, signal = ctx.signal } = request
  const estimateOf = () => estimateCall(actor.resolved, prompt, request.options)
  using reservation = ctx.spending.budget.reserve(estimateOf, request.mayEnd ?? false)
  const { isLast } = reservation
  const options = isLast ? lastOptions(request.options) : request.options
  const source = sourceOf(actor)
  const { chain, models } = actor.resolved
  const startedAt = ctx.now()
  const promptId = purpose === 'guardrail' ? null : ctx.output.prompts.nextId()
  let isPromptKept = false
  const keepPrompt = () => {
    if (isPromptKept) return
    isPromptKept = true
    const hidesDrafts = ctx.output.hidesDrafts ?? false
    ctx.output.prompts.keep(
      promptId,
      { prompt, options },
      { actor: `${actor.runId} ${actor.agentId}`, hidesDrafts },
    )
  }
  const spent: Spent = { inputTokens: 0, outputTokens: 0, failoverUsed: false }
  let unseen = ''
  let commentary = ''
  let aside: MessageWriter | null = null
  const model = ctx.services.models.open({
    chain,
    deadlineAt: ctx.clock.deadlineAt,
    agentName: actor.name,
    isPlainAnswer: writer !== null && ctx.identity.voice === undefined,
    observer: {
      onAttempt(attempt) {
        const index = chain.targets.findIndex(
          ({ connection, modelId }) =>
            connection.llmConfigId === attempt.llmConfigId && modelId === attempt.modelId,
        )
        const memberRunId = actor.isMember ? actor.runId : null
        const caller = { agentId: actor.agentId, memberRunId, promptId }
        const record = ctx.spending.ledger.add(attempt, purpose, models[index] ?? null, caller)
        addSpent(spent, {
          ...record,
          failoverUsed: record.ok && record.isFallback,
          costMicros: record.costMicros ?? 0,
        })
        ctx.services.telemetry.modelAttempt(ctx.identity.runId, attempt, purpose)
      },
      onFailover: ({ from, to, reason }) =>
        ctx.output.events?.emit('ModelFailover', { source, purpose, from, to, reason }),
      onReset() {
        unseen = ''
        commentary = ''
        writer?.reset('failover')
        aside?.reset('failover')
      },
    },
  })
  ctx.output.events?.emit('ModelRequestStarted', { source, purpose, step })
  try {
    const answer = await callModel(
      model,
      { ...options, prompt, abortSignal: signal },
      {
        text(delta) {
          if (writer) writer.append(delta)
          else unseen += delta
        },
        reasoning(delta) {
          if (actor.exposeReasoning) writer?.reasoning(delta)
        },
        commentary(delta) {
          commentary += delta
          aside ??= openAside?.() ?? null
          aside?.append(delta)
        },
        voided() {
          unseen = ''
          writer?.reset('tool_calls')
        },
      },
    )
    writer?.finish()
    await passGate(ctx.output, [writer, aside])
    keepPrompt()
    const { finishReason, toolCalls } = answer
    const { inputTokens, outputTokens } = spent
    const durationMs = ctx.now() - startedAt
    const facts = { source, purpose, step, inputTokens, outputTokens, durationMs, finishReason }
    ctx.output.events?.emit('ModelRequestCompleted', facts)
    const text = writer ? writer.text : unseen
    // The writer has changed the text, so the answer differs from the provider's.
    const state = text === answer.text ? answer.state : null
    return { text, ...(commentary !== '' && { commentary }), toolCalls, finishReason, state, spent, isLast }
  } catch (error) {
    // A blocked message must not be kept; the gate of a failed call decides that later.
    if (ctx.output.gate === null) keepPrompt()
    throw error
  } finally {
    addSpent(actor.spent, spent)
  }
}
