import { DEFAULT_USAGE, type ModelReply } from './reply.ts'

const ENVELOPE = { id: 'chatcmpl-0', created: 1_700_000_000 }

/** The `usage` object of the OpenAI protocol; undefined when the reply reports none. */
export function usageOf(reply: ModelReply): Record<string, unknown> | undefined {
  if (reply.usage === null) return undefined
  const usage = reply.usage ?? DEFAULT_USAGE
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.cachedTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: usage.cachedTokens } }),
    ...(usage.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
  }
}

/** `stop`, `tool_calls`, or the value in the reply. */
export function finishReasonOf(reply: ModelReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason
  return reply.toolCalls?.length ? 'tool_calls' : 'stop'
}

function toolCallsOf(reply: ModelReply) {
  return reply.toolCalls?.map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))
}

/** The body of a non-streaming completion. */
export function completionOf(reply: ModelReply, model: string): Record<string, unknown> {
  const toolCalls = toolCallsOf(reply)
  return {
    ...ENVELOPE,
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reply),
        message: {
          role: 'assistant',
          content: reply.text ?? (toolCalls ? null : ''),
          ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
          ...(toolCalls ? { tool_calls: toolCalls } : {}),
        },
      },
    ],
    usage: usageOf(reply),
  }
}

/** One `chat.completion.chunk` with the given delta. */
export function chunkOf(
  model: string,
  delta: Record<string, unknown>,
  finishReason: string | null = null,
): Record<string, unknown> {
  return {
    ...ENVELOPE,
    object: 'chat.completion.chunk',
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

/** The final chunk of a stream for a client that requested usage. */
export function usageChunkOf(model: string, usage: Record<string, unknown>): Record<string, unknown> {
  return { ...ENVELOPE, object: 'chat.completion.chunk', model, choices: [], usage }
}

/** Content deltas in order: reasoning, text cut into `chunks` pieces, then each tool call's name and arguments. */
export function deltasOf(reply: ModelReply): Record<string, unknown>[] {
  const deltas: Record<string, unknown>[] = []
  if (reply.reasoning !== undefined) deltas.push({ reasoning_content: reply.reasoning })
  for (const content of cut(reply.text ?? '', reply.chunks ?? 1)) deltas.push({ content })
  for (const call of toolCallsOf(reply) ?? []) {
    deltas.push({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] })
    deltas.push({ tool_calls: [{ index: call.index, function: { arguments: call.function.arguments } }] })
  }
  return deltas
}

function cut(text: string, pieces: number): string[] {
  if (text === '') return []
  const size = Math.max(1, Math.ceil(text.length / pieces))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}
