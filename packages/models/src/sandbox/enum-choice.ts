import type { SandboxSchema } from './sandbox-schema.ts'
import { wordOverlap } from './words.ts'

/** One value of a choice with the words that describe it. */
export interface EnumOption {
  value: unknown
  words: string
}

/** Maximum options, and maximum lines of a description, that are matched to each other. */
const MAX_DESCRIBED = 200
const MAX_LINES = 1_000

/**
 * The options of a choice: `enum`, or `oneOf`/`anyOf` of constants with their descriptions. For an `enum`, the line of
 * its description that starts with an option describes it (`m1 (Billing): invoices`). Null when it is not a choice.
 */
export function choiceOptions(schema: SandboxSchema): EnumOption[] | null {
  if (schema.enum) {
    const lines = schema.enum.length <= MAX_DESCRIBED ? linesOf(schema.description ?? '') : []
    return schema.enum.map((value) => ({ value, words: `${value} ${lineOf(lines, String(value))}` }))
  }
  const constants = schema.oneOf ?? schema.anyOf
  if (!constants?.length || !constants.every((option) => 'const' in option)) return null
  return constants.map(({ const: value, title, description }) => ({
    value,
    words: `${value} ${title ?? ''} ${description ?? ''}`,
  }))
}

/** The lines of a description without their bullets. */
function linesOf(description: string): string[] {
  const lines = description.split(/[\n;]/, MAX_LINES)
  return lines.map((line) => line.trimStart().replace(/^[-*"'`]\s*/, ''))
}

function lineOf(lines: readonly string[], option: string): string {
  const starts = (line: string) =>
    line.startsWith(option) && !/^[\p{L}\p{N}_]/u.test(line.slice(option.length, option.length + 2))
  return lines.find(starts) ?? ''
}

/** The options, sorted by their word overlap with the topics of a message; ties keep their order. */
export function ranked(options: readonly EnumOption[], topics: ReadonlySet<string>): unknown[] {
  const scored = options.map(({ value, words }) => ({ value, score: wordOverlap(topics, words) }))
  return scored.sort((a, b) => b.score - a.score).map(({ value }) => value)
}
