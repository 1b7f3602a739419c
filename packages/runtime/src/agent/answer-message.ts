import { ChatModelError } from '../ports/chat-models.ts'
import type { Answer } from '../run/answer.ts'
import { callModel, type FinishReason } from '../run/call-model.ts'
import type { Ledger } from '../run/ledger.ts'
import type { RunEvents } from '../stream/run-events.ts'
import type { AgentRunDependencies } from './dependencies.ts'
import type { PreparedRun } from './prepare-run.ts'
import { buildPrompt } from './prompt.ts'

/** What belongs to the run and is shared by everything that it does. */
export interface RunContext {
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadlineAt: number
  ledger: Ledger
  answer: Answer
  /** null for synchronous runs. */
  events: RunEvents | null
}

/**
 * The agent's answer to the message of its run, written into `context.answer` as it arrives.
 *
 * @throws ChatModelError, or the signal's reason when the run was stopped.
 */
export async function answerMessage(
  deps: AgentRunDependencies,
  { agent, resolved, request, state, runId }: PreparedRun,
  { signal, deadlineAt, ledger, answer, events }: RunContext,
): Promise<FinishReason> {
  const source = { role: 'agent' as const, agentId: agent.agentId, agentName: agent.name, runId }
  const exposeReasoning = agent.config.privacy.expose_reasoning
  const startedAt = deps.now()
  const model = deps.models.open({
    chain: resolved.chain,
    deadlineAt,
    agentName: agent.name,
    observer: {
      onAttempt(attempt) {
        const index = resolved.chain.targets.findIndex(
          ({ connection, modelId }) =>
            connection.llmConfigId === attempt.llmConfigId && modelId === attempt.modelId,
        )
        ledger.add(attempt, 'chat', resolved.models[index] ?? null)
        deps.telemetry.modelAttempt(runId, attempt, 'chat')
      },
      onFailover: ({ from, to, reason }) =>
        events?.emit('ModelFailover', { source, purpose: 'chat', from, to, reason }),
      onReset() {
        const messageId = answer.reset()
        events?.emit('RunContentReset', { source, messageId, reason: 'failover' })
      },
    },
  })
  events?.emit('ModelRequestStarted', { source, purpose: 'chat', step: 0 })
  const prompt = buildPrompt({
    agent,
    summary: state?.summary?.text ?? null,
    history: state?.history ?? [],
    message: request.message,
    now: startedAt,
  })
  const finishReason = await callModel(model, prompt, signal, {
    text(delta) {
      answer.append(delta)
      events?.emit('RunContent', { source, messageId: answer.messageId, channel: 'answer', delta })
    },
    reasoning(delta) {
      if (exposeReasoning) events?.emit('ReasoningDelta', { source, messageId: answer.messageId, delta })
    },
  })
  if (answer.text === '') {
    throw new ChatModelError('empty_response', 'The model gave an empty answer.', finishReason)
  }
  events?.emit('ModelRequestCompleted', {
    source,
    purpose: 'chat',
    step: 0,
    inputTokens: ledger.inputTokens,
    outputTokens: ledger.outputTokens,
    durationMs: deps.now() - startedAt,
    finishReason,
  })
  return finishReason
}
