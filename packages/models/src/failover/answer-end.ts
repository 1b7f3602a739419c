import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { WireProtocol } from '../provider/provider.ts'

/** The ways in which a complete answer ends. */
export type AnswerEnd = 'stop' | 'length' | 'content-filter' | 'tool-calls'

const WHOLE: ReadonlySet<string> = new Set<AnswerEnd>(['stop', 'length', 'content-filter', 'tool-calls'])

/**
 * The finish reasons of a complete answer in each protocol. Any other reason, or none, means a broken generation:
 * `insufficient_system_resource` (DeepSeek), `error` (OpenRouter, Mistral), `OTHER` and `MALFORMED_…` (Gemini),
 * `malformed_…` (Bedrock), `pause_turn` (Anthropic, whose turn continues). Sources: `docs/compatibility.md`.
 */
const ENDS: Record<WireProtocol, ReadonlyMap<string, AnswerEnd>> = {
  chat: new Map<string, AnswerEnd>([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    // Mistral, when the context window is full.
    ['model_length', 'length'],
    // Together and Text Generation Inference, when the model ends by itself or at a stop sequence.
    ['eos', 'stop'],
    ['eos_token', 'stop'],
    ['stop_sequence', 'stop'],
    // Gateways that pass on Anthropic's finish reasons.
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool-calls'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ]),
  // `response.incomplete` has a reason. `response.completed` has none in OpenAI's package, and its status in xAI's.
  responses: new Map<string, AnswerEnd>([
    ['completed', 'stop'],
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ]),
  messages: new Map<string, AnswerEnd>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ]),
  gemini: new Map<string, AnswerEnd>([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
  ]),
  converse: new Map<string, AnswerEnd>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content-filter'],
    ['content_filtered', 'content-filter'],
  ]),
}

/**
 * The end of a complete answer; null if it is not complete. The package's interpretation of the provider's finish
 * reason is kept if it is an end, because the package also examines the answer: a refusal and a tool call may both end
 * with `stop`.
 */
export function answerEnd(
  protocol: WireProtocol | null,
  { unified, raw }: LanguageModelV4FinishReason,
): AnswerEnd | null {
  const mapped = WHOLE.has(unified) ? (unified as AnswerEnd) : null
  // The sandbox has no wire protocol.
  if (protocol === null) return mapped
  // Only the package of the Responses API has an end without a finish reason, and only after `response.completed`.
  if (raw === undefined) return protocol === 'responses' ? mapped : null
  const known = ENDS[protocol].get(raw)
  // Gemini's reasons for blocking a prompt are not finish reasons; the package knows them.
  if (known === undefined) return protocol === 'gemini' && mapped === 'content-filter' ? mapped : null
  return mapped ?? known
}
