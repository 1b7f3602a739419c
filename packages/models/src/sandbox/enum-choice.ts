import type { SandboxSchema } from './sandbox-schema.ts'
import { wordOverlap } from './words.ts'

/** One value of a choice with the words that speak for it. */
export interface EnumOption {
  value: unknown
  words: string
}

/**
 * The options of a choice: `enum`, or `oneOf`/`anyOf` of constants with their descriptions. For an `enum` the line of
 * its description that begins with an option describes that option (`m1 (Billing): invoices`). Null when it is none.
 */
export function choiceOptions(schema: SandboxSchema): EnumOption[] | null {
  if (schema.enum) {
    const lines = schema.description?.split(/\n|;\s*/) ?? []
    return schema.enum.map((value) => ({ value, words: `${value} ${lineOf(lines, String(value))}` }))
  }
  const constants = schema.oneOf ?? schema.anyOf
  if (!constants?.length || !constants.every((option) => 'const' in option)) return null
  return constants.map(({ const: value, title, description }) => ({
    value,
    words: `${value} ${title ?? ''} ${description ?? ''}`,
  }))
}

function lineOf(lines: string[], option: string): string {
  const starts = (line: string) => {
    const text = line.trimStart().replace(/^[-*"'`]\s*/, '')
    return text.startsWith(option) && !/^[\p{L}\p{N}_]/u.test(text.slice(option.length))
  }
  return lines.find(starts) ?? ''
}

/** The option with the largest word overlap with the message, ties the first; `rank` 1 is the second best, and so on. */
export function bestOption(options: EnumOption[], message: string, rank: number): unknown {
  const scored = options.map((option) => ({ option, score: wordOverlap(message, option.words) }))
  scored.sort((a, b) => b.score - a.score)
  return scored[rank % scored.length]?.option.value
}
