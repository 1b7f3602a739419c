import type { AgentRunResult, IdText, RunId, RunMetrics, TeamRunResult } from '@troupe/contract'

/** The id of the completion of a run. */
export function completionId(runId: IdText<RunId>): string {
  return `chatcmpl-${runId}`
}

/** The reason for the end of the answer: the model or a guardrail refused, or it is complete. */
export function finishReason({ success, flags }: Pick<AgentRunResult, 'success' | 'flags'>) {
  return !success && flags && flags.length > 0 ? ('content_filter' as const) : ('stop' as const)
}

/** Tokens of the whole run: every model call of the agent, or of every member of the team. */
export function completionUsage({ inputTokens, outputTokens }: RunMetrics) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** The answer of a run as a chat completion; `model` as the caller named it. */
export function chatCompletion(model: string, result: AgentRunResult | TeamRunResult) {
  return {
    id: completionId(result.runId),
    object: 'chat.completion' as const,
    created: result.createdAt,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant' as const, content: result.content, refusal: null },
        logprobs: null,
        finish_reason: finishReason(result),
      },
    ],
    usage: completionUsage(result.metrics),
  }
}
