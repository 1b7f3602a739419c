import { type CalledThing, programCall, type SnippetStyle } from './called-thing.ts'
import { curlProgram } from './curl-program.ts'
import { pythonProgram } from './python-program.ts'
import { typescriptProgram } from './typescript-program.ts'

export const SNIPPET_LANGUAGES = ['curl', 'typescript', 'python'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

const PROGRAMS = { curl: curlProgram, typescript: typescriptProgram, python: pythonProgram }

/** A program that runs unchanged; it reads the API key from `TROUPE_API_KEY`. */
export function snippet(thing: CalledThing, language: SnippetLanguage, style: SnippetStyle): string {
  return PROGRAMS[language](programCall(thing, style), style)
}
