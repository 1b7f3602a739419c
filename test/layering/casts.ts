import { stripTypeScriptTypes } from 'node:module'
import { parseSync } from 'oxc-parser'

const NAMES_OF_A_MODULE = /^(?:import|export)\s(?:type\s)?(?:\w+,\s)?(?:\{[^}]*\}|\*\sas\s\w+)/gm
const TEXT_OR_COMMENT =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![\\/])\/\/[^\n]*/g
const KEYWORD = /(?<=[\s)\]}])as(?=\s+(?!const\b)\S)/g

const withoutKeyword = (text: string) => text.replaceAll(/\bas\b/g, '__')

/**
 * How many type assertions (`as T`, not `as const`) a TypeScript text has. Node blanks out every type, with the comments
 * in it, and keeps the rest in place: an `as` outside comments that is gone from its place was an assertion, one that is
 * still there is text or SQL.
 */
export function countCasts(text: string, isTsx = false): number {
  if (isTsx) return countInTree(parseSync('file.tsx', text).program)
  const code = text
    .replaceAll(TEXT_OR_COMMENT, (found) => (found.startsWith('/') ? withoutKeyword(found) : found))
    .replaceAll(NAMES_OF_A_MODULE, withoutKeyword)
  const stripped = stripTypeScriptTypes(text)
  return [...code.matchAll(KEYWORD)].filter(({ index }) => stripped.slice(index, index + 2) !== 'as').length
}

/** Node does not strip types from JSX, so the assertions of a `.tsx` file are counted in its syntax tree. */
function countInTree(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, child) => sum + countInTree(child), 0)
  if (typeof node !== 'object' || node === null) return 0
  const below = Object.values(node).reduce((sum: number, child) => sum + countInTree(child), 0)
  return below + (isAssertion(node) ? 1 : 0)
}

function isAssertion(node: object): boolean {
  if (!('type' in node) || node.type !== 'TSAsExpression' || !('typeAnnotation' in node)) return false
  return !JSON.stringify(node.typeAnnotation).includes('"name":"const"')
}
