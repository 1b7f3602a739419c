import { JSON_BUDGET, jsonExcess, parseJson } from '@troupe/contract'
import { parseText } from '../read/parse-text.ts'

/** Maximum characters of an export. */
export const MAX_FOREIGN_CHARACTERS = 4 * 1024 * 1024

const BUDGET = { ...JSON_BUDGET, characters: MAX_FOREIGN_CHARACTERS, values: 200_000 }

/** A text as plain values, or one sentence with the reason that it is invalid. */
export type ParsedForeign = { ok: true; value: unknown } | { ok: false; fault: string }

/** Parses an export: as JSON if it starts like JSON, else as YAML. A text that exceeds the budget is refused before it is built. */
export function parseForeign(text: string): ParsedForeign {
  const fault = (message: string): ParsedForeign => ({ ok: false, fault: message })
  if (text.length > MAX_FOREIGN_CHARACTERS) return fault('The file has more than 4 MB.')
  const isLikeJson = /^\s*[[{]/.test(text)
  if (isLikeJson) {
    const excess = jsonExcess(text, BUDGET)
    if (excess !== null) return fault(`The file has ${excess.words}.`)
    const parsed = parseJson(text, BUDGET, 'text')
    if (parsed.ok) return parsed
  }
  const { value, problems } = parseText(text, 'verbatim')
  const [problem] = problems
  if (problem === undefined) return { ok: true, value }
  const where = problem.line === null ? '' : ` (line ${problem.line})`
  // YAML in braces is rare: such a text is JSON that was truncated or edited by hand.
  const message = isLikeJson ? problem.message.replace('valid YAML', 'valid JSON') : problem.message
  return fault(`The file ${message}${where}.`)
}
