import { LineCounter, parseDocument } from 'yaml'
import { LineIndex } from './line-index.ts'
import type { BundleProblem } from './problem.ts'
import { TreeReader } from './tree-reader.ts'
import type { Variables } from './variables.ts'

/** A text as plain values. */
export interface ParsedText {
  /** undefined when the text is no YAML. */
  value: unknown
  lines: LineIndex
  problems: readonly BundleProblem[]
}

/**
 * Reads YAML 1.2 (JSON is YAML) and resolves variables. Only plain data: duplicate keys, custom tags, several documents
 * and masses of aliases are problems.
 */
export function parseText(text: string, variables: Variables): ParsedText {
  const counter = new LineCounter()
  const lines = new LineIndex()
  lines.set('', 1)
  const document = parseDocument(text, {
    lineCounter: counter,
    version: '1.2',
    schema: 'core',
    merge: false,
    // The parser compares each key with each other one; the tree reader looks them up.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // With `silent` a second document would go unnoticed.
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
  if (code === 'MULTIPLE_DOCS') return 'a bundle is one document'
  return `is no valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

function distinct(problems: readonly BundleProblem[]): BundleProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.line} ${problem.message}`, problem]))
  return [...seen.values()].slice(0, 50)
}
