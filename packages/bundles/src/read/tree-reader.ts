import { changedNumberFault, decimalOf, fieldPath, isKeptByDouble, isLimitOfSchema } from '@troupe/contract'
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import type { LineIndex } from './line-index.ts'
import type { BundleProblem } from './problem.ts'
import { interpolate, type Variables } from './variables.ts'

/** Deeper nesting could overflow the stack in later recursive functions. */
const MAX_DEPTH = 64
const MAX_ALIASES = 100
/** Maximum number of values after alias expansion. */
const MAX_VALUES = 200_000

/** A limit was exceeded; carries the problem that stops parsing. */
class TooMuch extends Error {
  readonly problem: Omit<BundleProblem, 'line'>

  constructor(path: string, message: string) {
    super(message)
    this.problem = { path, message }
  }
}

/** The reason for refusing a number: it is infinite, or a double changes it. */
function numberFault(value: number, source: string): string | null {
  // Hexadecimal and octal numbers are integers.
  const isKept = decimalOf(source) === null ? Number.isSafeInteger(value) : isKeptByDouble(source)
  return isKept ? null : changedNumberFault(source)
}

/** Converts the nodes of a document to plain values, with the line of each. */
export class TreeReader {
  readonly #document: Document
  readonly #counter: LineCounter
  readonly #lines: LineIndex
  readonly #variables: Variables | 'verbatim'
  readonly #problems: BundleProblem[]
  #aliases = 0
  #values = 0

  constructor(parts: {
    document: Document
    counter: LineCounter
    lines: LineIndex
    /**
     * `verbatim` is for files of other products: `\${NAME}` is literal there, and a number that a double would change
     * is a text.
     */
    variables: Variables | 'verbatim'
    problems: BundleProblem[]
  }) {
    this.#document = parts.document
    this.#counter = parts.counter
    this.#lines = parts.lines
    this.#variables = parts.variables
    this.#problems = parts.problems
  }

  /** The complete document; undefined if it exceeds the limits. */
  read(): unknown {
    try {
      return this.#value(this.#document.contents, '', 0)
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error
      this.#add(error.problem.path, error.problem.message)
      return undefined
    }
  }

  #value(node: unknown, path: string, depth: number): unknown {
    this.#values += 1
    if (this.#values > MAX_VALUES) throw new TooMuch(path, `must have at most ${MAX_VALUES} values`)
    if (depth > MAX_DEPTH) throw new TooMuch(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
    if (isAlias(node)) return this.#target(node.resolve(this.#document), node.source, path, depth)
    if (isMap(node)) return this.#object(node.items, path, depth)
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        this.#locate(item, fieldPath(path, String(index)))
        return this.#value(item, fieldPath(path, String(index)), depth + 1)
      })
    }
    return isScalar(node) ? this.#scalar(node.value, node.source, path) : null
  }

  #target(target: Node | undefined, anchor: string, path: string, depth: number): unknown {
    this.#aliases += 1
    if (this.#aliases > MAX_ALIASES) throw new TooMuch(path, `must use at most ${MAX_ALIASES} aliases`)
    if (target === undefined) {
      this.#add(path, `has the alias *${anchor}, and no anchor of that name comes before it`)
      return null
    }
    return this.#value(target, path, depth + 1)
  }

  #object(pairs: readonly { key: unknown; value: unknown }[], path: string, depth: number): unknown {
    const names = new Set<string>()
    const entries = pairs.map(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : null
      if (name === null) this.#add(path, 'has a key that is not plain text')
      const place = fieldPath(path, name ?? '')
      if (name !== null && names.has(name)) this.#twice(key)
      names.add(name ?? '')
      this.#locate(key, place)
      return [name ?? '', this.#value(value, place, depth + 1)] as const
    })
    // Defined as own properties, so that `__proto__` is found and refused like any unknown key.
    return Object.fromEntries(entries)
  }

  /** A duplicate key, in the same form as the parser's. */
  #twice(key: unknown): void {
    const start = (key as Node | null)?.range?.[0] ?? 0
    const { line } = this.#counter.linePos(start)
    this.#problems.push({ path: '', message: 'is not valid YAML: map keys must be unique', line })
  }

  #scalar(value: unknown, source: string | undefined, path: string): unknown {
    if (typeof value === 'number') {
      const fault = numberFault(value, source ?? String(value))
      if (fault !== null && this.#variables === 'verbatim') return source ?? String(value)
      if (fault === null || (Number.isFinite(value) && isLimitOfSchema(path.split('.')))) return value
      this.#add(path, fault)
      return null
    }
    if (typeof value !== 'string') return value
    const { text, problems } =
      this.#variables === 'verbatim' ? { text: value, problems: [] } : interpolate(value, this.#variables)
    for (const problem of problems) this.#add(path, problem)
    if (text.includes('\0') || !text.isWellFormed()) {
      this.#add(path, 'must not contain NUL characters or lone surrogates')
    }
    return text
  }

  #locate(node: unknown, path: string): void {
    const start = (node as Node | null)?.range?.[0]
    if (start !== undefined) this.#lines.set(path, this.#counter.linePos(start).line)
  }

  #add(path: string, message: string): void {
    this.#problems.push({ path, message, line: this.#lines.at(path) })
  }
}
