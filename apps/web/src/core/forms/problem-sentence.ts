import { problemWords } from '../messages/en/parts/problems.ts'

/** What is wrong with a setting, as a sentence of the page; null: nothing. */
export function problemSentence(message: string | null): string | null {
  if (message === null || message === '') return null
  if (Object.hasOwn(problemWords, message)) return problemWords[message] ?? null
  return message.charAt(0).toUpperCase() + message.slice(1)
}
