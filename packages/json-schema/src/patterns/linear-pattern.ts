import { RE2JS } from 're2js'
import { MatchBudget, PatternTooCostly } from './match-budget.ts'
import { scanPattern } from './pattern-size.ts'

/** Maximum length of a pattern, as written and with its counted repetitions expanded. */
const MAX_LENGTH = 2_000
const MAX_SIZE = 2_000

/** Cost of compiling per step of the pattern, and of reading per character, in matching steps. */
const COMPILING = 8
const READING = 1 / 16
/** Fixed cost of a new state, in addition to its size. */
const NEW_STATE = 20

/**
 * A compiled pattern, or why it is invalid. Matching takes time linear in the text.
 *
 * @throws PatternTooCostly from `find` and `matchWhole`, for a text on which the automaton has too many states
 */
export type CompiledPattern =
  | {
      ok: true
      find(text: string, budget?: MatchBudget): boolean
      matchWhole(text: string, budget?: MatchBudget): boolean
      /**
       * The text with every match replaced; empty matches are omitted.
       *
       * @throws PatternTooCostly for a text that is too long for the size of the pattern
       */
      replaceAll(text: string, replacement: string): string
    }
  | { ok: false; message: string }

/** The size of a pattern, or why it is too large. */
function sizeOf(source: string): { size: number; withoutCounts: string } | string {
  if (source.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  const scan = scanPattern(source)
  return scan.size > MAX_SIZE
    ? `must have at most ${MAX_SIZE} steps when its repetitions are written out`
    : scan
}

/** Why a pattern is invalid; null when it is valid. Cheaper than compiling: counted repetitions are not expanded. */
export function patternFault(source: string): string | null {
  const measured = sizeOf(source)
  if (typeof measured === 'string') return measured
  const compiled = compile(measured.withoutCounts)
  return typeof compiled === 'string' ? compiled : null
}

/**
 * Compiles a regular expression in RE2 syntax: no back-references and no look-around.
 *
 * @param budget is charged before the pattern is compiled
 * @throws PatternTooCostly
 */
export function compilePattern(source: string, budget = new MatchBudget()): CompiledPattern {
  const measured = sizeOf(source)
  if (typeof measured === 'string') return { ok: false, message: measured }
  budget.spend(measured.size * COMPILING)
  const pattern = compile(source)
  if (typeof pattern === 'string') return { ok: false, message: pattern }
  return {
    ok: true,
    find: (text, left = new MatchBudget()) => within(left, pattern, text, () => pattern.test(text)),
    matchWhole: (text, left = new MatchBudget()) =>
      within(left, pattern, text, () => pattern.testExact(text)),
    replaceAll: (text, replacement) => replaceAll(pattern, measured.size, text, replacement),
  }
}

/** Characters times steps of the pattern: finding places simulates every state for every character. */
const MAX_PLACING = 1_000_000

function replaceAll(pattern: RE2JS, size: number, text: string, replacement: string): string {
  if (text.length * size > MAX_PLACING) throw new PatternTooCostly()
  const matcher = pattern.matcher(text)
  let result = ''
  let kept = 0
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue
    result += text.slice(kept, matcher.start()) + replacement
    kept = matcher.end()
  }
  return result + text.slice(kept)
}

function compile(source: string): RE2JS | string {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    return `is not a valid regular expression: ${reason.replace(/^error parsing regexp: /, '')}`
  }
}

/**
 * Searches with the pattern's lazy automaton only, charging for each state that it builds. When that gives up, the
 * library would fall back to simulating every state for every character: 26 s for 900 KB and a thousand states.
 */
function within(budget: MatchBudget, pattern: RE2JS, text: string, search: () => boolean): boolean {
  budget.spend(text.length * READING)
  const { dfa } = pattern.re2()
  const { match, step } = dfa
  dfa.step = (state, kind, ...rest) => {
    const [, anchor] = rest
    const known = (anchor === 0 ? state.next : state.nextAnchored)?.[kind] ?? null
    if (known !== null) return known
    budget.spend(NEW_STATE + state.nfaStates.length)
    return step.call(dfa, state, kind, ...rest)
  }
  dfa.match = (...input) => {
    const found = match.apply(dfa, input)
    if (found === null) throw new PatternTooCostly()
    return found
  }
  try {
    return search()
  } finally {
    dfa.step = step
    dfa.match = match
  }
}
