import { isJsonObject, propertyOf } from '@troupe/contract'
import type { Protocol, Recording } from './recordings.ts'

/** The end of a recorded response: `broken` is any incomplete generation. */
export type ExpectedEnd = 'whole' | 'refused' | 'broken'

/** The contents of a recorded response, read by the rules of its protocol only, without any package. */
export interface ExpectedAnswer {
  text: string
  /** Calls of our tools, not those that the provider executes. */
  calls: { id: string | null; name: string /** Undefined: not compared. */; arguments: unknown }[]
  end: ExpectedEnd
  /** Undefined if the recording has none. */
  inputTokens: number | undefined
  outputTokens: number | undefined
  cachedTokens: number
  cacheWriteTokens: number
  reasoningTokens: number
}

type Json = Record<string, unknown>

const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => propertyOf(found, String(name)), value)
const listAt = (value: unknown, ...path: (string | number)[]): unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
const textAt = (value: unknown, ...path: (string | number)[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}
const numberAt = (value: unknown, ...path: (string | number)[]): number | undefined => {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

const READERS: Record<Protocol, (recording: Recording) => ExpectedAnswer> = {
  chat: chatAnswer,
  responses: responsesAnswer,
  messages: messagesAnswer,
  gemini: geminiAnswer,
  converse: converseAnswer,
}

/** Reads a recording. */
export function expectedAnswer(recording: Recording): ExpectedAnswer {
  const answer = READERS[recording.protocol](recording)
  return recording.isDamaged ? { ...answer, end: 'broken' } : answer
}

function endOf(word: string, whole: readonly string[], refused: readonly string[]): ExpectedEnd {
  if (whole.includes(word)) return 'whole'
  return refused.includes(word) ? 'refused' : 'broken'
}

function chatAnswer({ events, isStream }: Recording): ExpectedAnswer {
  const part = isStream ? 'delta' : 'message'
  const calls = new Map<string, { id: string | null; name: string; text: string }>()
  let text = ''
  let word = ''
  let usage: unknown
  let hasRefusal = false
  for (const event of events) {
    const choice = at(event, 'choices', 0)
    const content = at(choice, part, 'content')
    text +=
      typeof content === 'string'
        ? content
        : listAt(content)
            .map((one) => textAt(one, 'text'))
            .join('')
    if (textAt(choice, part, 'refusal') !== '') {
      hasRefusal = true
      text += textAt(choice, part, 'refusal')
    }
    for (const [index, call] of listAt(choice, part, 'tool_calls').entries()) {
      const key = String(at(call, 'index') ?? at(call, 'id') ?? index)
      const known = calls.get(key) ?? { id: null, name: '', text: '' }
      known.id ??= textAt(call, 'id') || null
      known.name ||= textAt(call, 'function', 'name')
      const given = at(call, 'function', 'arguments')
      known.text += typeof given === 'string' ? given : JSON.stringify(given ?? '')
      calls.set(key, known)
    }
    word = textAt(choice, 'finish_reason') || word
    usage = at(event, 'usage') ?? at(event, 'x_groq', 'usage') ?? usage
  }
  const input = numberAt(usage, 'prompt_tokens')
  const output = numberAt(usage, 'completion_tokens')
  const reasoning = numberAt(usage, 'completion_tokens_details', 'reasoning_tokens') ?? 0
  const isBeside =
    reasoning > 0 && numberAt(usage, 'total_tokens') === (input ?? 0) + (output ?? 0) + reasoning
  const end = endOf(
    word,
    ['stop', 'length', 'tool_calls', 'function_call', 'model_length'],
    ['content_filter'],
  )
  return {
    text,
    calls: [...calls.values()].map(({ id, name, text: json }) => ({ id, name, arguments: parsed(json) })),
    end: end === 'whole' && hasRefusal ? 'refused' : end,
    inputTokens: input,
    outputTokens: output === undefined ? undefined : output + (isBeside ? reasoning : 0),
    cachedTokens:
      numberAt(usage, 'prompt_tokens_details', 'cached_tokens') ??
      numberAt(usage, 'cached_tokens') ??
      numberAt(usage, 'num_cached_tokens') ??
      0,
    cacheWriteTokens: numberAt(usage, 'prompt_tokens_details', 'cache_write_tokens') ?? 0,
    reasoningTokens: reasoning,
  }
}

function responsesAnswer({ events, isStream }: Recording): ExpectedAnswer {
  const isTerminal = (event: unknown) =>
    /^response\.(completed|incomplete|failed|done)$/.test(textAt(event, 'type'))
  const last = isStream ? at(events.findLast(isTerminal), 'response') : events[0]
  const hasError = events.some((event) => textAt(event, 'type') === 'error')
  const items = isStream
    ? events
        .filter((event) => at(event, 'type') === 'response.output_item.done')
        .map((event) => at(event, 'item'))
    : listAt(last, 'output')
  const isComment = (item: unknown) => at(item, 'phase') === 'commentary'
  const comments = new Set(
    events
      .map((event) => at(event, 'item'))
      .filter(isComment)
      .map((item) => at(item, 'id')),
  )
  // Recordings may omit deltas: only streamed text counts.
  const texts = isStream
    ? events
        .filter((event) => /^response\.(output_text|refusal)\.delta$/.test(textAt(event, 'type')))
        .filter((event) => !comments.has(at(event, 'item_id')))
        .map((event) => textAt(event, 'delta'))
    : items
        .filter((item) => at(item, 'type') === 'message' && !isComment(item))
        .flatMap((item) => listAt(item, 'content'))
        .map((part) => textAt(part, 'text') || textAt(part, 'refusal'))
  const calls = items
    .filter((item) => at(item, 'type') === 'function_call')
    .map((item) => ({
      id: textAt(item, 'call_id'),
      name: textAt(item, 'name'),
      arguments: parsed(textAt(item, 'arguments')),
    }))
  const reason = textAt(last, 'incomplete_details', 'reason')
  const status = textAt(last, 'status')
  const end =
    status === 'completed' && !hasError
      ? 'whole'
      : endOf(status === 'incomplete' && !hasError ? reason : '', ['max_output_tokens'], ['content_filter'])
  const usage = at(last, 'usage')
  return {
    text: texts.join(''),
    calls,
    end,
    inputTokens: numberAt(usage, 'input_tokens'),
    outputTokens: numberAt(usage, 'output_tokens'),
    cachedTokens: numberAt(usage, 'input_tokens_details', 'cached_tokens') ?? 0,
    cacheWriteTokens: numberAt(usage, 'input_tokens_details', 'cache_write_tokens') ?? 0,
    reasoningTokens: numberAt(usage, 'output_tokens_details', 'reasoning_tokens') ?? 0,
  }
}

function messagesAnswer({ events, isStream }: Recording): ExpectedAnswer {
  const message = isStream ? mergedMessage(events) : (events[0] as Json)
  const blocks = listAt(message, 'content')
  const usage = at(message, 'usage')
  const cachedTokens = numberAt(usage, 'cache_read_input_tokens') ?? 0
  const cacheWriteTokens = numberAt(usage, 'cache_creation_input_tokens') ?? 0
  // Iterations of a compaction are billed too, but missing in the totals.
  const iterations = listAt(usage, 'iterations').filter((one) =>
    /^(compaction|message)$/.test(textAt(one, 'type')),
  )
  const isFallback = listAt(usage, 'iterations').some((one) => at(one, 'type') === 'fallback_message')
  const sum = (name: string) =>
    iterations.length > 0 && !isFallback
      ? iterations.reduce<number>((total, one) => total + (numberAt(one, name) ?? 0), 0)
      : numberAt(usage, name)
  const input = sum('input_tokens')
  return {
    text: blocks
      .filter((block) => at(block, 'type') === 'text')
      .map((block) => textAt(block, 'text'))
      .join(''),
    calls: blocks
      .filter((block) => at(block, 'type') === 'tool_use')
      .map((block) => ({
        id: textAt(block, 'id'),
        name: textAt(block, 'name'),
        arguments: at(block, 'input') ?? {},
      })),
    end: endOf(
      textAt(message, 'stop_reason'),
      ['end_turn', 'stop_sequence', 'tool_use', 'max_tokens', 'model_context_window_exceeded'],
      ['refusal'],
    ),
    inputTokens: input === undefined ? undefined : input + cachedTokens + cacheWriteTokens,
    outputTokens: sum('output_tokens'),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: numberAt(usage, 'output_tokens_details', 'thinking_tokens') ?? 0,
  }
}

/** The complete message of an Anthropic stream; a second `message_start` within it breaks it. */
function mergedMessage(events: readonly unknown[]): Json {
  const blocks: Json[] = []
  const jsons = new Map<number, string>()
  let message: Json = {}
  let usage: Json = {}
  let isOver = false
  for (const event of events) {
    const index = Number(at(event, 'index'))
    switch (at(event, 'type')) {
      case 'message_start':
        if (message.id !== undefined && message.id !== at(event, 'message', 'id')) return { content: [] }
        message = at(event, 'message') as Json
        usage = { ...(message.usage as Json) }
        for (const block of listAt(message, 'content')) blocks.push({ ...(block as Json) })
        break
      case 'content_block_start':
        blocks[index] = { ...(at(event, 'content_block') as Json) }
        break
      case 'content_block_delta': {
        const block = blocks[index] ?? {}
        const delta = at(event, 'delta')
        if (at(delta, 'type') === 'text_delta') block.text = textAt(block, 'text') + textAt(delta, 'text')
        if (at(delta, 'type') === 'input_json_delta') {
          jsons.set(index, (jsons.get(index) ?? '') + textAt(delta, 'partial_json'))
        }
        break
      }
      case 'message_delta': {
        const given = at(event, 'usage') as Json
        for (const [name, value] of Object.entries(given)) if (value !== null) usage[name] = value
        message = { ...message, ...(at(event, 'delta') as Json) }
        break
      }
      case 'message_stop':
        isOver = true
        break
      default:
        break
    }
  }
  for (const [index, json] of jsons) {
    const block = blocks[index]
    if (block && json !== '') block.input = parsed(json)
  }
  return { ...message, content: blocks.filter(isJsonObject), usage, ...(isOver ? {} : { stop_reason: null }) }
}

function geminiAnswer({ events }: Recording): ExpectedAnswer {
  const parts = events.flatMap((event) => listAt(event, 'candidates', 0, 'content', 'parts'))
  const word =
    events.map((event) => textAt(event, 'candidates', 0, 'finishReason')).findLast((one) => one !== '') ?? ''
  const usage = events.map((event) => at(event, 'usageMetadata')).findLast((one) => one !== undefined)
  const thoughts = numberAt(usage, 'thoughtsTokenCount') ?? 0
  const input = numberAt(usage, 'promptTokenCount')
  return {
    text: parts
      .filter((part) => at(part, 'thought') !== true)
      .map((part) => textAt(part, 'text'))
      .join(''),
    calls: parts
      .map((part) => at(part, 'functionCall'))
      .filter((call) => textAt(call, 'name') !== '')
      // Arguments that are streamed in parts are assembled by the package alone.
      .map((call) => ({ id: null, name: textAt(call, 'name'), arguments: at(call, 'args') })),
    end: endOf(
      word,
      ['STOP', 'MAX_TOKENS'],
      ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'],
    ),
    inputTokens: input === undefined ? undefined : input + (numberAt(usage, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: usage === undefined ? undefined : (numberAt(usage, 'candidatesTokenCount') ?? 0) + thoughts,
    cachedTokens: numberAt(usage, 'cachedContentTokenCount') ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens: thoughts,
  }
}

function converseAnswer({ events, isStream }: Recording): ExpectedAnswer {
  const blocks = isStream ? converseBlocks(events) : listAt(events[0], 'output', 'message', 'content')
  const word = isStream
    ? textAt(
        events.find((event) => at(event, 'messageStop') !== undefined),
        'messageStop',
        'stopReason',
      )
    : textAt(events[0], 'stopReason')
  const usage = isStream
    ? at(
        events.find((event) => at(event, 'metadata') !== undefined),
        'metadata',
        'usage',
      )
    : at(events[0], 'usage')
  const cachedTokens = numberAt(usage, 'cacheReadInputTokens') ?? 0
  const cacheWriteTokens = numberAt(usage, 'cacheWriteInputTokens') ?? 0
  const input = numberAt(usage, 'inputTokens')
  return {
    text: blocks.map((block) => textAt(block, 'text')).join(''),
    calls: blocks
      .map((block) => at(block, 'toolUse'))
      .filter((call) => textAt(call, 'name') !== '')
      .map((call) => ({
        id: textAt(call, 'toolUseId'),
        name: textAt(call, 'name'),
        arguments: at(call, 'input'),
      })),
    end: endOf(
      word,
      ['end_turn', 'stop_sequence', 'tool_use', 'max_tokens', 'model_context_window_exceeded'],
      ['guardrail_intervened', 'content_filtered'],
    ),
    inputTokens: input === undefined ? undefined : input + cachedTokens + cacheWriteTokens,
    outputTokens: numberAt(usage, 'outputTokens'),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: 0,
  }
}

function converseBlocks(events: readonly unknown[]): unknown[] {
  const blocks: { text: string; toolUse: Json | undefined; json: string }[] = []
  for (const event of events) {
    const index = Number(
      at(event, 'contentBlockStart', 'contentBlockIndex') ??
        at(event, 'contentBlockDelta', 'contentBlockIndex') ??
        -1,
    )
    if (index < 0) continue
    const block = blocks[index] ?? { text: '', toolUse: undefined, json: '' }
    blocks[index] = block
    block.toolUse ??= at(event, 'contentBlockStart', 'start', 'toolUse') as Json | undefined
    block.text += textAt(event, 'contentBlockDelta', 'delta', 'text')
    block.json += textAt(event, 'contentBlockDelta', 'delta', 'toolUse', 'input')
  }
  return blocks
    .filter((block) => block !== undefined)
    .map(({ text, toolUse, json }) => ({
      text,
      ...(toolUse && { toolUse: { ...toolUse, input: parsed(json) } }),
    }))
}
