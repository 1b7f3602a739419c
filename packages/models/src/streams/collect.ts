import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

type Collected = Pick<LanguageModelV4GenerateResult, 'content' | 'warnings' | 'finishReason' | 'usage'> &
  Partial<Pick<LanguageModelV4GenerateResult, 'response' | 'providerMetadata'>>

type Block = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>

/** Adds metadata of a block: a signature may come with any of its parts. */
function note(block: Block, more: SharedV4ProviderMetadata | undefined): void {
  if (!more) return
  const all = { ...block.providerMetadata }
  for (const [provider, values] of Object.entries(more)) all[provider] = { ...all[provider], ...values }
  block.providerMetadata = all
}

/** Drains a stream into the result that `doGenerate` would have returned. Rejects when the stream errors. */
export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const open = new Map<string, Block>()
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
        const { providerMetadata } = part
        const type = part.type === 'text-start' ? 'text' : 'reasoning'
        const block: Block = { type, text: '', ...(providerMetadata && { providerMetadata }) }
        open.set(part.id, block)
        result.content.push(block)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = open.get(part.id)
        if (block) {
          block.text += part.delta
          note(block, part.providerMetadata)
        }
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        const block = open.get(part.id)
        if (block) note(block, part.providerMetadata)
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
