import { parseSync } from 'oxc-parser'
import type { Source } from '../layering/sources.ts'

/** A regular expression of the product, with the place that has it. */
export interface FoundPattern {
  path: string
  source: string
  flags: string
}

/** What a file does with texts. */
export interface TextWork {
  patterns: FoundPattern[]
  /** Names of methods that look through a text, and `new RegExp`. */
  calls: Set<string>
}

/** Methods of strings and regular expressions that look through a text; a loop around one of them is quadratic work. */
const SCANS = new Set([
  'match',
  'matchAll',
  'search',
  'split',
  'lastIndexOf',
  'charCodeAt',
  'codePointAt',
  'exec',
])
const REPLACES = new Set(['replace', 'replaceAll'])

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Finds the text work of a file: every regular expression, and every call that looks through a text. */
export function textWorkOf({ path, text }: Pick<Source, 'path' | 'text'>): TextWork {
  const found: TextWork = { patterns: [], calls: new Set() }
  const { program } = parseSync(path, text)
  const stack: unknown[] = [program]
  while (stack.length > 0) {
    const node = stack.pop()
    if (!isNode(node)) continue
    note(node, path, found)
    stack.push(...Object.values(node).filter(isNode))
  }
  return found
}

function note(node: Node, path: string, { patterns, calls }: TextWork): void {
  const { type } = node
  if (type === 'Literal' && isNode(node.regex)) {
    patterns.push({ path, source: String(node.regex.pattern), flags: String(node.regex.flags) })
  }
  // The `pattern` of a schema becomes a native regular expression.
  if (type === 'Property' && isNode(node.key) && isNode(node.value) && node.key.name === 'pattern') {
    if (typeof node.value.value === 'string') patterns.push({ path, source: node.value.value, flags: 'u' })
  }
  if (type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'RegExp')
    calls.add('new RegExp')
  if (type === 'CallExpression' && isNode(node.callee) && isNode(node.callee.property)) {
    const name = String(node.callee.property.name)
    const [first] = Array.isArray(node.arguments) ? (node.arguments as Node[]) : []
    const isOnText = SCANS.has(name) || (REPLACES.has(name) && (node.arguments as Node[]).length === 2)
    if (isOnText && first !== undefined) calls.add(name)
    if (name === 'indexOf' && (node.arguments as Node[]).length === 2) calls.add('indexOf from')
  }
}
