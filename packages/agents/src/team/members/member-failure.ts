import { isBlank } from '@troupe/contract'
import type { MemberResult } from './run-member.ts'

/** Whether a member may have changed something before it failed: whoever does its task again would do that again. */
export function hasActed({ acted = [] }: Pick<MemberResult, 'acted'>): boolean {
  return acted.length > 0
}

/** What may have been changed before a failure, as one sentence; null for nothing. */
function actedText({ acted = [] }: Pick<MemberResult, 'acted'>): string | null {
  if (acted.length === 0) return null
  return `Before it failed it had called ${acted.join(', ')}: what that did is done, and must not be done again.`
}

/** What a member that has not failed said; after an empty end, what it had called. */
export function saidText({ text, acted = [] }: Pick<MemberResult, 'text' | 'acted'>): string {
  if (!isBlank(text)) return text
  return acted.length === 0 ? '(no text)' : `(no text; it had called ${acted.join(', ')})`
}

/** Why a member failed, and what it may have changed before. */
export function failureText(result: Pick<MemberResult, 'message' | 'acted'>): string {
  const acted = actedText(result)
  const message = result.message ?? 'It failed.'
  return acted === null ? message : `${message} ${acted}`
}
