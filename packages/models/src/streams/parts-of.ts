import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** The parts of a stream that would have given this result. */
export function* partsOf(result: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  const { content, warnings, response, finishReason, usage, providerMetadata } = result
  yield { type: 'stream-start', warnings }
  if (response !== undefined) {
    const { headers: _headers, body: _body, ...metadata } = response
    yield { type: 'response-metadata', ...metadata }
  }
  for (const [index, block] of content.entries()) {
    const id = String(index)
    const metadata = block.providerMetadata ? { providerMetadata: block.providerMetadata } : {}
    switch (block.type) {
      case 'text':
        yield { type: 'text-start', id, ...metadata }
        yield { type: 'text-delta', id, delta: block.text }
        yield { type: 'text-end', id, ...metadata }
        break
      case 'reasoning':
        yield { type: 'reasoning-start', id, ...metadata }
        yield { type: 'reasoning-delta', id, delta: block.text }
        yield { type: 'reasoning-end', id, ...metadata }
        break
      default:
        yield block
    }
  }
  yield { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) }
}
