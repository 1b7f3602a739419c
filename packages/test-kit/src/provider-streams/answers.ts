import { type ProviderId, typedKeys } from '@troupe/contract'
import type { Framing } from './framing.ts'

/** One protocol of a provider, with responses as its reference documents them. */
export interface ProviderWire {
  name: string
  providerId: ProviderId
  settings: Record<string, unknown>
  framing: Framing
  /** Whether the stream ends with `[DONE]`. */
  done: boolean
  /** "Hello there", with 12 tokens in and 7 out. */
  text: unknown[]
  /** Reasoning "Hmm", then a call of `weather` with `{"city":"Oslo"}`; the same tokens. */
  call: unknown[]
  /** {@link ProviderWire.text} as the response to a request without a stream. */
  whole: Record<string, unknown>
  /** A part of the answer, then an end with this finish reason; null if the protocol has no finish reasons. */
  ending(word: string): unknown[]
}

const chatChunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})
const CHAT_TOKENS = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const chatCall = (part: object) => chatChunk({ tool_calls: [{ index: 0, ...part }] })

/**
 * https://platform.openai.com/docs/api-reference/chat-streaming, with the `reasoning_content` of
 * https://api-docs.deepseek.com/guides/reasoning_model
 */
function chat(reasoning: object, usage: object = { choices: [], usage: CHAT_TOKENS }) {
  const last = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], ...usage }
  return {
    framing: 'data' as const,
    done: true,
    text: [
      chatChunk({ role: 'assistant', content: '' }),
      chatChunk({ content: 'Hello' }),
      chatChunk({ content: ' there' }),
      chatChunk({}, 'stop'),
      last,
    ],
    call: [
      chatChunk({ role: 'assistant', ...reasoning }),
      chatCall({ id: 'abcdefghi', type: 'function', function: { name: 'weather', arguments: '' } }),
      chatCall({ function: { arguments: '{"city":' } }),
      chatCall({ function: { arguments: '"Oslo"}' } }),
      chatChunk({}, 'tool_calls'),
      last,
    ],
    whole: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: CHAT_TOKENS,
    },
    ending: (word: string) => [chatChunk({ content: 'Transfer 1' }), chatChunk({}, word), last],
  }
}

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] }
const RESPONSE_TOKENS = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 19,
}
const created = { type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }
const ended = (status: string, rest: object = {}) => ({
  type: `response.${status}`,
  response: { ...RESPONSE, status, usage: RESPONSE_TOKENS, ...rest },
})
const message = (text: string) => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant' }
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const delta = { type: 'response.output_text.delta', ...at, logprobs: [] }
  return [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { ...delta, delta: text.slice(0, 5) },
    { ...delta, delta: text.slice(5) },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
    },
  ]
}
const functionCall = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'weather' }

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses = {
  framing: 'named' as const,
  done: false,
  text: [created, ...message('Hello there'), ended('completed')],
  call: [
    created,
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'rs_1', type: 'reasoning', status: 'in_progress', summary: [] },
    },
    {
      type: 'response.reasoning_summary_part.added',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    },
    {
      type: 'response.reasoning_summary_text.delta',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: 0,
      delta: 'Hmm',
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        id: 'rs_1',
        type: 'reasoning',
        status: 'completed',
        summary: [{ type: 'summary_text', text: 'Hmm' }],
      },
    },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...functionCall, arguments: '', status: 'in_progress' },
    },
    {
      type: 'response.function_call_arguments.delta',
      item_id: 'fc_1',
      output_index: 1,
      delta: '{"city":',
    },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '"Oslo"}' },
    {
      type: 'response.function_call_arguments.done',
      item_id: 'fc_1',
      output_index: 1,
      arguments: '{"city":"Oslo"}',
    },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...functionCall, arguments: '{"city":"Oslo"}', status: 'completed' },
    },
    ended('completed'),
  ],
  whole: {
    ...RESPONSE,
    status: 'completed',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
      },
    ],
    usage: RESPONSE_TOKENS,
  },
  ending: (word: string) => [
    created,
    ...message('Transfer 1'),
    ended('incomplete', { incomplete_details: { reason: word } }),
  ],
}

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 1 },
  },
}
const messageEnd = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const anthropicText = (...texts: string[]) =>
  block(0, { type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text })))

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
const messages = {
  framing: 'named' as const,
  done: false,
  text: [messageStart, { type: 'ping' }, ...anthropicText('Hello', ' there'), ...messageEnd('end_turn')],
  call: [
    messageStart,
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hmm' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    ...block(
      1,
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
      { type: 'input_json_delta', partial_json: '{"city":' },
      { type: 'input_json_delta', partial_json: '"Oslo"}' },
    ),
    ...messageEnd('tool_use'),
  ],
  whole: {
    ...messageStart.message,
    content: [{ type: 'text', text: 'Hello there' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 12, output_tokens: 7 },
  },
  ending: (word: string) => [messageStart, ...anthropicText('Transfer 1'), ...messageEnd(word)],
}

const GEMINI_TOKENS = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 }
const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
  usageMetadata: finishReason ? GEMINI_TOKENS : { promptTokenCount: 12, totalTokenCount: 12 },
  modelVersion: 'm',
  responseId: 'r',
})

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
const gemini = {
  framing: 'data' as const,
  done: false,
  text: [candidate([{ text: 'Hello' }]), candidate([{ text: ' there' }], 'STOP')],
  call: [
    candidate([{ text: 'Hmm', thought: true }]),
    candidate([{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }], 'STOP'),
  ],
  whole: candidate([{ text: 'Hello there' }], 'STOP'),
  ending: (word: string) => [candidate([{ text: 'Transfer 1' }]), candidate([], word)],
}

const stop = (stopReason: string) => [
  { messageStop: { stopReason } },
  { metadata: { usage: { inputTokens: 12, outputTokens: 7, totalTokens: 19 }, metrics: { latencyMs: 1 } } },
]
const delta = (contentBlockIndex: number, inner: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: inner },
})

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
const converse = {
  framing: 'event-stream' as const,
  done: false,
  text: [
    { messageStart: { role: 'assistant' } },
    delta(0, { text: 'Hello' }),
    delta(0, { text: ' there' }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    ...stop('end_turn'),
  ],
  call: [
    { messageStart: { role: 'assistant' } },
    delta(0, { reasoningContent: { text: 'Hmm' } }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    {
      contentBlockStart: {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: 'tooluse_1', name: 'weather' } },
      },
    },
    delta(1, { toolUse: { input: '{"city":' } }),
    delta(1, { toolUse: { input: '"Oslo"}' } }),
    { contentBlockStop: { contentBlockIndex: 1 } },
    ...stop('tool_use'),
  ],
  whole: {
    output: { message: { role: 'assistant', content: [{ text: 'Hello there' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 12, outputTokens: 7, totalTokens: 19 },
    metrics: { latencyMs: 1 },
  },
  ending: (word: string) => [
    { messageStart: { role: 'assistant' } },
    delta(0, { text: 'Transfer 1' }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    ...stop(word),
  ],
}

const CHAT = { api: 'chat' }

/** The protocols that the configuration of each provider supports. A provider without a row does not compile. */
const WIRES: Record<Exclude<ProviderId, 'sandbox'>, readonly Omit<ProviderWire, 'providerId'>[]> = {
  openai: [
    { name: 'openai', settings: {}, ...responses },
    { name: 'openai chat', settings: CHAT, ...chat({}) },
  ],
  anthropic: [{ name: 'anthropic', settings: {}, ...messages }],
  google: [{ name: 'google', settings: {}, ...gemini }],
  // https://docs.mistral.ai/api/endpoint/chat: usage comes with the last choice.
  mistral: [{ name: 'mistral', settings: {}, ...mistral() }],
  // https://console.groq.com/docs/api-reference#chat-create: usage is in `x_groq`, reasoning in `reasoning`.
  groq: [
    {
      name: 'groq',
      settings: {},
      ...chat({ reasoning: 'Hmm' }, { x_groq: { id: 'req', usage: CHAT_TOKENS } }),
    },
  ],
  xai: [{ name: 'xai', settings: {}, ...responses }],
  'azure-openai': [
    { name: 'azure-openai', settings: {}, ...responses },
    { name: 'azure-openai chat', settings: CHAT, ...chat({}) },
  ],
  'amazon-bedrock': [{ name: 'amazon-bedrock', settings: { region: 'eu-west-1' }, ...converse }],
  'openai-compatible': [{ name: 'openai-compatible', settings: {}, ...chat({ reasoning_content: 'Hmm' }) }],
}

/** Every provider that makes requests, in every protocol that its configuration supports. */
export const PROVIDER_WIRES: readonly ProviderWire[] = typedKeys(WIRES).flatMap((providerId) =>
  WIRES[providerId].map((wire) => ({ providerId, ...wire })),
)

function mistral() {
  const { text, call, ending, ...rest } = chat({
    content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hmm' }] }],
  })
  const merged = (events: unknown[]) => [
    ...events.slice(0, -2),
    { ...(events.at(-2) as object), usage: CHAT_TOKENS },
  ]
  return { ...rest, text: merged(text), call: merged(call), ending: (word: string) => merged(ending(word)) }
}
