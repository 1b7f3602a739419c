import type { FieldError } from '@troupe/contract'
import { problemPart, problemPatterns, problemWords } from '../messages/en/parts/problems.ts'

/** The problem of a setting, as a sentence of the page; null: none. */
export function problemSentence(message: string | null): string | null {
  if (message === null || message === '') return null
  if (Object.hasOwn(problemWords, message)) return problemWords[message] ?? null
  for (const [pattern, sentence] of problemPatterns) {
    const found = pattern.exec(message)
    if (found) return sentence(found[1] ?? '')
  }
  return message.charAt(0).toUpperCase() + message.slice(1)
}

/** All problems of the setting at a path; null: none. */
export function problemAt(problems: readonly FieldError[], path: string): string | null {
  const messages = problems.filter((problem) => problem.path === path).map(({ message }) => message)
  return joined([...new Set(messages)].map(problemSentence))
}

/** The same including problems below the path, such as of one header, for a setting whose parts have no fields. */
export function problemWithin(problems: readonly FieldError[], path: string): string | null {
  const below = problems.filter((problem) => problem.path.startsWith(`${path}.`))
  const parts = below.map((problem) =>
    problemPart(problem.path.slice(path.length + 1), problemSentence(problem.message) ?? ''),
  )
  return joined([problemAt(problems, path), ...new Set(parts)])
}

function joined(sentences: readonly (string | null)[]): string | null {
  const said = sentences.filter((sentence) => sentence !== null)
  return said.length === 0 ? null : said.join('. ')
}
