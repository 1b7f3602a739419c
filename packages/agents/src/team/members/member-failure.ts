import { isBlank } from '@troupe/contract'
import type { MemberResult } from './run-member.ts'

/** Whether a member may have had effects before it failed: a repetition of its task would repeat them. */
export function hasActed({ acted = [] }: Pick<MemberResult, 'acted'>): boolean {
  return acted.length > 0
}

/** The possible effects before a failure, as one sentence; null if none. */
function actedText({ acted = [] }: Pick<MemberResult, 'acted'>): string | null {
  if (acted.length === 0) return null
  return `Before it failed it had called ${acted.join(', ')}: what that did is done, and must not be done again.`
}

/** The text of a member that has not failed; after an empty end, the tools it had called. */
export function saidText({ text, acted = [] }: Pick<MemberResult, 'text' | 'acted'>): string {
  if (!isBlank(text)) return text
  return acted.length === 0 ? '(no text)' : `(no text; it had called ${acted.join(', ')})`
}

/** Why a member failed, and its possible effects before that. */
export function failureText(result: Pick<MemberResult, 'message' | 'acted'>): string {
  const acted = actedText(result)
  const message = result.message ?? 'It failed.'
  return acted === null ? message : `${message} ${acted}`
}
