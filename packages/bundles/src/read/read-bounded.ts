import { JSON_BUDGET, jsonExcess } from '@troupe/contract'
import { type BoundedParser, hasTooManyLines, type ParserTurn, parseBounded } from '@troupe/heavy-work'
import { LineIndex } from './line-index.ts'
import { type BundleText, type ParsedBundle, parseBundle } from './parse-bundle.ts'
import { BundleError } from './problem.ts'
import type { ReadBundle } from './read-bundle.ts'
import type { Variables } from './variables.ts'

/**
 * The limit for bundles in JSON, whose size is known without a parser. Other bundles are limited only by the parsing
 * process.
 */
const BUDGET = { ...JSON_BUDGET, characters: Number.POSITIVE_INFINITY, values: 200_000 }
const PARSER: BoundedParser<BundleText, ParsedBundle> = {
  kind: 'bundle',
  parse: parseBundle,
  isRefused: hasTooManyLines,
  program: new URL('./bundle-process.ts', import.meta.url),
}

/**
 * Reads a bundle without blocking the event loop: see `parseBounded`. The parser needs 5 µs per bracket, and a text may
 * have 8 MB.
 *
 * @throws BundleError for a text that exceeds a limit, BusyError if it was not read; every other problem is a value
 */
export async function readBounded(turn: ParserTurn, text: string, variables: Variables): Promise<ReadBundle> {
  const excess = /^\s*[[{]/.test(text) ? jsonExcess(text, BUDGET) : null
  if (excess !== null) throw refusal(excess.path, `must not have ${excess.words}`)
  const parsed = await parseBounded(PARSER, turn, { text, variables })
  if (parsed === null) throw refusal('', 'takes too much time or memory to be read')
  const { organizations, lines, problems } = parsed
  return { organizations, lines: new LineIndex(lines), problems }
}

function refusal(path: string, message: string): BundleError {
  return new BundleError([{ path, message, line: null }])
}
