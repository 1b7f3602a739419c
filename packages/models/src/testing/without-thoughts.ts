import { ThoughtFilter } from '../streams/thought-filter.ts'

/** A whole text without its thoughts. */
export function withoutThoughts(text: string): string {
  let clean = ''
  const filter = new ThoughtFilter('answer', { onUnopened: () => {} })
  const parts = [...filter.add({ type: 'text-delta', id: '0', delta: text }), ...filter.end()]
  for (const part of parts) {
    if (part.type === 'stream-start') clean = ''
    if (part.type === 'text-delta') clean += part.delta
  }
  return clean
}
