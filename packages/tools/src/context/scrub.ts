import type { ContextValues } from './context-values.ts'

/** Shorter values are words of ordinary texts. */
const MIN_LENGTH = 8
const REPLACEMENT = '[hidden]'

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= MIN_LENGTH) found.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, found)
  }
}

/** A function that hides the strings of a run's context in a text; null when there are none to hide. */
export function scrubber(context: ContextValues): ((text: string) => string) | null {
  const found = new Set<string>()
  collect(context, found)
  if (found.size === 0) return null
  // Also as a JSON text shows them.
  for (const value of [...found]) found.add(JSON.stringify(value).slice(1, -1))
  const byStart = new Map<string, string[]>()
  for (const value of [...found].sort((a, b) => b.length - a.length)) {
    const start = value.slice(0, MIN_LENGTH)
    byStart.set(start, [...(byStart.get(start) ?? []), value])
  }
  const firsts = new Set([...byStart.keys()].map((start) => start.charCodeAt(0)))
  return (text) => scrubbed(text, byStart, firsts)
}

/** One pass over the text: values are looked up by their first characters, and the longest one wins. */
function scrubbed(
  text: string,
  byStart: ReadonlyMap<string, readonly string[]>,
  firsts: ReadonlySet<number>,
): string {
  let result = ''
  let kept = 0
  for (let at = 0; at <= text.length - MIN_LENGTH; at += 1) {
    if (!firsts.has(text.charCodeAt(at))) continue
    const candidates = byStart.get(text.slice(at, at + MIN_LENGTH))
    const value = candidates?.find((one) => text.startsWith(one, at))
    if (value === undefined) continue
    result += text.slice(kept, at) + REPLACEMENT
    kept = at + value.length
    at = kept - 1
  }
  return kept === 0 ? text : result + text.slice(kept)
}
