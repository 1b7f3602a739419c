import type { MemberResult } from '../members/run-member.ts'
import { promptBlock, withinTokens } from './blocks.ts'

const RESULT_TOKENS = 8_000

/** What may have been changed before a failure, as one sentence; null for nothing. */
function actedText({ acted = [] }: Pick<MemberResult, 'acted'>): string | null {
  if (acted.length === 0) return null
  return `Before it failed it had called ${acted.join(', ')}: what that did is done, and must not be done again.`
}

/** Why a member failed, and what it may have changed before. */
export function failureText(result: Pick<MemberResult, 'message' | 'acted'>): string {
  const acted = actedText(result)
  const message = result.message ?? 'It failed.'
  return acted === null ? message : `${message} ${acted}`
}

/** The text of a result as a lead reads it; a failure shows its message. */
export function memberResultText(result: MemberResult): string {
  return result.status === 'error' ? failureText(result) : result.text
}

/** A member's result as data for a lead. `member` is its key or its label. */
export function resultBlock(member: string, result: MemberResult, id: string | null = null): string {
  const named = id === null ? {} : { id }
  const attributes = { ...named, member, status: result.status }
  return promptBlock('member_result', withinTokens(memberResultText(result), RESULT_TOKENS), attributes)
}
