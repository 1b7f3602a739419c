import { isBlank } from '@troupe/contract'
import { failureText } from '../members/member-failure.ts'
import type { MemberResult } from '../members/run-member.ts'
import { promptBlock, withinTokens } from './blocks.ts'

const RESULT_TOKENS = 8_000

/** The text of a result as other agents read it; a failure shows its message, and an empty end what was called before. */
export function memberResultText(result: MemberResult): string {
  if (result.status === 'error') return failureText(result)
  if (!isBlank(result.text)) return result.text
  const { acted = [] } = result
  return acted.length === 0 ? '(no text)' : `(no text; it had called ${acted.join(', ')})`
}

/** A member's result as data for a lead. `member` is its key or its label. */
export function resultBlock(member: string, result: MemberResult, id: string | null = null): string {
  const named = id === null ? {} : { id }
  const attributes = { ...named, member, status: result.status }
  return promptBlock('member_result', withinTokens(memberResultText(result), RESULT_TOKENS), attributes)
}
