import { parseSync } from 'oxc-parser'
import type { Source } from '../layering/sources.ts'

/** A regular expression of the product, with its place. */
export interface FoundPattern {
  path: string
  source: string
  flags: string
}

/** Work on a whole JSON value, whose cost depends on the size and depth of the value. */
export type JsonCall = 'parse' | 'write' | 'copy' | 'validate'

/** Functions with such work, by name, and methods of any object. */
const JSON_FUNCTIONS: ReadonlyMap<string, JsonCall> = new Map([
  ['structuredClone', 'copy'],
  ['validator', 'validate'],
  ['validatorOf', 'validate'],
  ['Errors', 'validate'],
  ['Compile', 'validate'],
])
const JSON_METHODS: ReadonlyMap<string, JsonCall> = new Map([
  ['safeParse', 'validate'],
  ['parseAsync', 'validate'],
  ['Check', 'validate'],
  ['Errors', 'validate'],
])

/** The text work of a file. */
export interface TextWork {
  patterns: FoundPattern[]
  /** Names of methods that search a text, and `new RegExp`. */
  calls: Set<string>
  /** The file's work on whole JSON values: parsing, writing, copying or validating. */
  json: Set<JsonCall>
}

/** Methods of strings and regular expressions that search a text; a loop around one of them is quadratic. */
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
/** Methods that read a whole text, or one character at a time. */
const READS = new Set(['charAt', 'localeCompare', 'normalize', 'toWellFormed'])
/** Methods with linear work in a text, quadratic in a loop; lists also have some of them. */
const IN_LOOPS = new Set([
  'includes',
  'indexOf',
  'startsWith',
  'endsWith',
  'slice',
  'substring',
  'toLowerCase',
])
const REPLACES = new Set(['replace', 'replaceAll'])
const LOOPS = new Set([
  ...['ForStatement', 'ForOfStatement', 'ForInStatement'],
  ...['WhileStatement', 'DoWhileStatement'],
])

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Finds the text work of a file: every regular expression, and every call that searches a text. */
export function textWorkOf({ path, text }: Pick<Source, 'path' | 'text'>): TextWork {
  const found: TextWork = { patterns: [], calls: new Set(), json: new Set() }
  const { program } = parseSync(path, text)
  const stack: { node: unknown; inLoop: boolean }[] = [{ node: program, inLoop: false }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node } = next
    if (!isNode(node)) continue
    const inLoop = next.inLoop || LOOPS.has(String(node.type))
    note(node, path, found)
    noteJson(node, found)
    if (inLoop) noteLoop(node, found)
    for (const child of Object.values(node)) stack.push({ node: child, inLoop })
  }
  return found
}

/** The name of the method called by a node; null for any other node. */
function methodOf(node: Node): string | null {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || !isNode(node.callee.property)) return null
  return String(node.callee.property.name)
}

function noteLoop(node: Node, { calls }: TextWork): void {
  const name = methodOf(node)
  if (name !== null && IN_LOOPS.has(name)) calls.add(`${name} in a loop`)
}

function noteJson(node: Node, { json }: TextWork): void {
  if (node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'Ajv') json.add('validate')
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return
  const { callee } = node
  const byName = typeof callee.name === 'string' ? JSON_FUNCTIONS.get(callee.name) : undefined
  if (byName) json.add(byName)
  const name = methodOf(node)
  if (name === null) return
  const byMethod = JSON_METHODS.get(name)
  if (byMethod) json.add(byMethod)
  const hasNone = Array.isArray(node.arguments) && node.arguments.length === 0
  if (isNode(callee.object) && callee.object.name === 'JSON') json.add(name === 'parse' ? 'parse' : 'write')
  // The body of a `Response` or `Request`.
  else if (name === 'json' && hasNone) json.add('parse')
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
  const name = methodOf(node)
  if (name !== null) {
    const [first] = Array.isArray(node.arguments) ? (node.arguments as Node[]) : []
    const isOnText = SCANS.has(name) || (REPLACES.has(name) && (node.arguments as Node[]).length === 2)
    if ((isOnText && first !== undefined) || READS.has(name)) calls.add(name)
    if (name === 'indexOf' && (node.arguments as Node[]).length === 2) calls.add('indexOf from')
  }
}
