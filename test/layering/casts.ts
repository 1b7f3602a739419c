import { stripTypeScriptTypes } from 'node:module'

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
export function countCasts(text: string): number {
  const code = text
    .replaceAll(TEXT_OR_COMMENT, (found) => (found.startsWith('/') ? withoutKeyword(found) : found))
    .replaceAll(NAMES_OF_A_MODULE, withoutKeyword)
  const stripped = stripTypeScriptTypes(text)
  return [...code.matchAll(KEYWORD)].filter(({ index }) => stripped.slice(index, index + 2) !== 'as').length
}
