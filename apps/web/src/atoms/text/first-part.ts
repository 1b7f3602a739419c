const STEP_CHARACTERS = 40_000
const STEP_LINES = 1_000

/**
 * The beginning of a text that a browser lays out without freezing the page: 40,000 characters or 1,000 lines for each step. A
 * whole text of 1 MB takes a second, and more with short lines.
 */
export function firstPart(text: string, steps: number): string {
  const longest = Math.min(text.length, steps * STEP_CHARACTERS)
  let end = 0
  for (let lines = 0; lines < steps * STEP_LINES; lines += 1) {
    const at = text.indexOf('\n', end)
    if (at === -1 || at >= longest) return text.slice(0, withoutHalf(text, longest))
    end = at + 1
  }
  return text.slice(0, end)
}

/** One less than `end` where it would separate the halves of a character. */
function withoutHalf(text: string, end: number): number {
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
