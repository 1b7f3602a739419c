import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/**
 * True for the first part that commits an answer: text, reasoning, input of a tool. Every other part, including types
 * that a package may add, is held back, so that an attempt that ends after it can be retried without visible effect.
 */
export function isContent(part: LanguageModelV4StreamPart): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta !== ''
    case 'tool-call':
      return true
    default:
      return false
  }
}
