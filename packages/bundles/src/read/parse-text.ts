import { hasTooManyLines, MAX_YAML_LINES } from '@troupe/heavy-work'
import { LineCounter, parseDocument } from 'yaml'
import { LineIndex } from './line-index.ts'
import type { BundleProblem } from './problem.ts'
import { TreeReader } from './tree-reader.ts'
import type { Variables } from './variables.ts'

/** A text as plain values. */
export interface ParsedText {
  /** undefined if the text is not YAML. */
  value: unknown
  lines: LineIndex
  problems: readonly BundleProblem[]
}

/**
 * Parses YAML 1.2 (which includes JSON) and resolves variables. Only plain data is accepted: duplicate keys, custom
 * tags, multiple documents and excessive aliases are problems.
 *
 * @param variables `verbatim`: left unresolved, as in files of other products
 */
export function parseText(text: string, variables: Variables | 'verbatim'): ParsedText {
  const counter = new LineCounter()
  const lines = new LineIndex()
  lines.set('', 1)
  if (hasTooManyLines(text)) {
    const message = `must not have more than ${MAX_YAML_LINES} lines`
    return { value: undefined, lines, problems: [{ path: '', message, line: null }] }
  }
  const document = parseDocument(text, {
    lineCounter: counter,
    version: '1.2',
    schema: 'core',
    merge: false,
    // The parser compares keys pairwise, which is quadratic; the tree reader uses a lookup.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // `silent` would also hide a second document.
    logLevel: 'error',
  })
  const faults = [...document.errors, ...document.warnings].map(
    ({ code, message, pos }): BundleProblem => ({
      path: '',
      message: sentence(code, message),
      line: counter.linePos(pos[0]).line,
    }),
  )
  if (faults.length > 0) return { value: undefined, lines, problems: distinct(faults) }

  const problems: BundleProblem[] = []
  const value = new TreeReader({ document, counter, lines, variables, problems }).read()
  return { value, lines, problems }
}

function sentence(code: string, message: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'is nested too deeply'
  if (code === 'MULTIPLE_DOCS') return 'must be one document, not several'
  return `is not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

function distinct(problems: readonly BundleProblem[]): BundleProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.line} ${problem.message}`, problem]))
  return [...seen.values()].slice(0, 50)
}
