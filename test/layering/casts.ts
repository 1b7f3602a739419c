import { stripTypeScriptTypes } from 'node:module'

const NAMES_OF_A_MODULE = /^(?:import|export)\s(?:type\s)?[^;'"`]*?\bfrom\b/gm
const KEYWORD = /(?<=[\s)\]}])as(?=\s+(?!const\b)\S)/g

/**
 * How many type assertions (`as T`, not `as const`) a TypeScript text has. Node blanks out every type and keeps the rest
 * in place: an `as` that is gone from its place was an assertion, one that is still there is text, SQL or a comment.
 */
export function countCasts(text: string): number {
  const code = text.replaceAll(NAMES_OF_A_MODULE, (found) => found.replaceAll(/\bas\b/g, '__'))
  const stripped = stripTypeScriptTypes(text)
  return [...code.matchAll(KEYWORD)].filter(({ index }) => stripped.slice(index, index + 2) !== 'as').length
}
