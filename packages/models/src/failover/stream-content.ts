import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/**
 * True for the first part that commits an answer: text, reasoning, tool input, a file. Envelopes (`text-start`,
 * metadata, pings, sources) and empty deltas are held back, so that an attempt that ends after them can be retried
 * without visible effect.
 */
export function isContent(part: LanguageModelV4StreamPart): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta !== ''
    case 'stream-start':
    case 'response-metadata':
    case 'raw':
    case 'ping':
    case 'source':
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
    case 'finish':
    case 'error':
      return false
    default:
      return true
  }
}
