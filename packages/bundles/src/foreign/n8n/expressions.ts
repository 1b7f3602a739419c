/**
 * The supported expressions of n8n: paths into the data of a node, and no computations. A field that begins with `=` is a template in which
 * `{{ … }}` is JavaScript.
 *
 * Sources: https://docs.n8n.io/code/expressions/, https://docs.n8n.io/data/data-mapping/referencing-other-nodes/ and, for `$node`, `$item`
 * and `$items`, packages/workflow/src/workflow-data-proxy.ts of github.com/n8n-io/n8n.
 */

/** A path in the data of the previous node (null), or of a named node. */
export interface SourcePath {
  node: string | null
  keys: string[]
  /** Whether the expression converts the value to text. */
  asText: boolean
}

/** A part of a template: text, or an expression. */
export type TemplatePiece = { text: string } | { expression: string }

const QUOTED = `"([^"\\\\]{0,300})"|'([^'\\\\]{0,300})'`
const NODE_REFERENCES: readonly RegExp[] = [
  new RegExp(`^\\$\\((?:${QUOTED})\\)\\.(?:item|first\\(\\)|last\\(\\))\\.json(?![\\w$])`),
  new RegExp(`^\\$\\((?:${QUOTED})\\)\\.all\\(\\)\\[0\\]\\.json(?![\\w$])`),
  new RegExp(`^(?:\\$item\\(["']?\\d{1,9}["']?\\)\\.)?\\$node\\[(?:${QUOTED})\\]\\.json(?![\\w$])`),
  /^(?:\$item\(["']?\d{1,9}["']?\)\.)?\$node\.()([A-Za-z_]\w{0,200})\.json(?![\w$])/,
  new RegExp(`^\\$items\\((?:${QUOTED})\\)\\[0\\]\\.json(?![\\w$])`),
]
const CURRENT: readonly RegExp[] = [
  /^\$json(?![\w$])/,
  /^\$input\.(?:item|first\(\)|last\(\))\.json(?![\w$])/,
  /^\$input\.all\(\)\[0\]\.json(?![\w$])/,
]
const STEP = new RegExp(
  `(?:\\?\\.|\\.)([A-Za-z_$][\\w$]{0,200})(?![\\w$(])|(?:\\?\\.)?\\[(?:${QUOTED}|(\\d{1,9}))\\]`,
  'y',
)
/** Functions that convert a value to text: their prefix and suffix. */
const AS_TEXT: readonly [string, RegExp][] = [
  ['JSON.stringify(', /(?:, ?(?:null|undefined), ?\d)?\)$/],
  ['String(', /\)$/],
  ['', /\.(?:toString|toJsonString)\(\)$/],
]

/** Parses an expression as a path; null for a computation. */
export function readPath(expression: string): SourcePath | null {
  const text = expression.trim()
  for (const [before, after] of AS_TEXT) {
    const end = text.startsWith(before) ? after.exec(text) : null
    const path = end && plainPath(text.slice(before.length, end.index).trim())
    if (path) return { ...path, asText: true }
  }
  return plainPath(text)
}

function plainPath(text: string): SourcePath | null {
  for (const pattern of NODE_REFERENCES) {
    const match = pattern.exec(text)
    if (match) return withKeys(text, match[0].length, match[1] || match[2] || '')
  }
  for (const pattern of CURRENT) {
    const match = pattern.exec(text)
    if (match) return withKeys(text, match[0].length, null)
  }
  return null
}

function withKeys(text: string, from: number, node: string | null): SourcePath | null {
  const keys: string[] = []
  STEP.lastIndex = from
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text)
    if (!match) return null
    keys.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
  }
  STEP.lastIndex = 0
  return { node, keys, asText: false }
}

/** The JavaScript literal of an expression; undefined for anything else. */
export function readLiteral(expression: string): string | number | boolean | null | undefined {
  const text = expression.trim()
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (/^-?\d{1,15}(?:\.\d{1,10})?$/.test(text)) return Number(text)
  return /^"([^"\\\n]{0,2000})"$/.exec(text)?.[1] ?? /^'([^'\\\n]{0,2000})'$/.exec(text)?.[1]
}

/** Splits the text behind the `=` into text and expressions. One pass; quotes and braces of JavaScript are skipped. */
export function splitTemplate(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{{', at)
    const end = open === -1 ? -1 : endOfExpression(template, open + 2)
    if (end === -1) break
    if (open > at) pieces.push({ text: template.slice(at, open) })
    pieces.push({ expression: template.slice(open + 2, end).trim() })
    at = end + 2
  }
  if (at < template.length) pieces.push({ text: template.slice(at) })
  return pieces
}

function endOfExpression(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"' || character === "'" || character === '`') {
      const close = endOfQuote(text, at)
      // Otherwise it is an apostrophe in a comment or a pattern.
      if (close !== -1) at = close
    } else if (character === '{') depth += 1
    else if (character === '}') {
      if (depth === 0 && text[at + 1] === '}') return at
      depth = Math.max(0, depth - 1)
    }
  }
  // For unbalanced braces, the first closing pair.
  return text.indexOf('}}', from)
}

const MAX_QUOTE = 20_000

function endOfQuote(text: string, open: number): number {
  const most = Math.min(text.length, open + MAX_QUOTE)
  for (let at = open + 1; at < most; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[open]) return at
    else if (text[at] === '\n' && text[open] !== '`') return -1
  }
  return -1
}
