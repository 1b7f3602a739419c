import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

type Collected = Pick<LanguageModelV4GenerateResult, 'content' | 'warnings' | 'finishReason' | 'usage'> &
  Partial<Pick<LanguageModelV4GenerateResult, 'response' | 'providerMetadata'>>

/** Drains a stream into the result that `doGenerate` would have returned. Rejects when the stream errors. */
export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const open = new Map<string, Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>>()
  const result: Collected = {
    content: [],
    warnings: [],
    finishReason: { unified: 'other', raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  }
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' } as const
        open.set(part.id, block)
        result.content.push(block)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = open.get(part.id)
        if (block) block.text += part.delta
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        const block = open.get(part.id)
        if (block && part.providerMetadata) block.providerMetadata = part.providerMetadata
        break
      }
      case 'stream-start':
        result.warnings.push(...part.warnings)
        break
      case 'response-metadata': {
        const { type: _type, ...response } = part
        result.response = response
        break
      }
      case 'finish':
        result.finishReason = part.finishReason
        result.usage = part.usage
        if (part.providerMetadata) result.providerMetadata = part.providerMetadata
        break
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        break
      case 'error':
        throw part.error
      default:
        result.content.push(part)
    }
  }
  return result
}
