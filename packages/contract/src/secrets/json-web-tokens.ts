/** Minimum length of the first two parts including their `eyJ`, and of the signature. */
const MIN_PART = 11
const MIN_SIGNATURE = 8

interface Part {
  from: number
  to: number
}

const startsToken = (text: string, from: number, to: number) =>
  to - from >= MIN_PART && text.startsWith('eyJ', from)

/** The start of a token in a part: an `eyJ` that does not follow a letter, digit or underscore; -1 if there is none. */
function tokenStart(text: string, { from, to }: Part): number {
  for (
    let at = text.indexOf('eyJ', from);
    at !== -1 && to - at >= MIN_PART;
    at = text.indexOf('eyJ', at + 1)
  ) {
    if (at === from || text[at - 1] === '-') return at
  }
  return -1
}

/**
 * Removes everything that looks like a JSON Web Token. A single regular expression would be quadratic: in
 * `eyJ-eyJ-…` every `eyJ` is a candidate that is scanned to the end. This scans each dot-separated part once.
 */
export function redactJsonWebTokens(text: string, replacement: string): string {
  let redacted = ''
  let done = 0
  let before: Part | null = null
  let last: Part | null = null
  for (const run of text.matchAll(/[\w-]+/g)) {
    const part: Part = { from: run.index, to: run.index + run[0].length }
    const follows = last !== null && part.from === last.to + 1 && text[last.to] === '.'
    if (!follows) before = null
    const isToken = before && last && startsToken(text, last.from, last.to)
    const start = before && isToken && part.to - part.from >= MIN_SIGNATURE ? tokenStart(text, before) : -1
    if (start !== -1) {
      redacted += text.slice(done, start) + replacement
      done = part.to
      before = null
      last = null
    } else {
      before = follows ? last : null
      last = part
    }
  }
  return redacted + text.slice(done)
}
