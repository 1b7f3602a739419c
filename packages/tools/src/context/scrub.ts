import { type HideTexts, textHider } from '../credentials/text-hider.ts'
import type { ContextValues } from './context-values.ts'

/** Shorter values are ordinary words. */
const MIN_LENGTH = 8

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= MIN_LENGTH) found.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, found)
  }
}

/** A function that hides the strings of a run's context in a text; null if there are none. */
export function scrubber(context: ContextValues): HideTexts | null {
  const found = new Set<string>()
  collect(context, found)
  return found.size === 0 ? null : textHider(found)
}
