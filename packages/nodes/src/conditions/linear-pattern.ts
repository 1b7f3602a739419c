import { RE2JS } from 're2js'
import { patternSize } from './pattern-size.ts'

/** Longest pattern, as it is and with its counted repetitions written out. */
const MAX_LENGTH = 2_000
const MAX_SIZE = 5_000

/** A pattern, or why it is none. Matching takes time linear in the text, whatever the pattern is. */
export type CompiledPattern =
  | { ok: true; find(text: string): boolean; matchWhole(text: string): boolean }
  | { ok: false; message: string }

/** Compiles a regular expression in RE2 syntax: no back-references and no look-around. Never throws. */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_LENGTH) {
    return { ok: false, message: `must have at most ${MAX_LENGTH} characters` }
  }
  if (patternSize(source) > MAX_SIZE) {
    return { ok: false, message: `must have at most ${MAX_SIZE} steps when its repetitions are written out` }
  }
  try {
    const pattern = RE2JS.compile(source)
    return {
      ok: true,
      find: (text) => pattern.matcher(text).find(),
      matchWhole: (text) => pattern.matches(text),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    return {
      ok: false,
      message: `is no regular expression: ${reason.replace(/^error parsing regexp: /, '')}`,
    }
  }
}
