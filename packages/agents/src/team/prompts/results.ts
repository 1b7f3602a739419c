import { failureText, saidText } from '../members/member-failure.ts'
import type { MemberResult } from '../members/run-member.ts'
import { promptBlock, withinTokens } from './blocks.ts'

const RESULT_TOKENS = 8_000

/** The text of a result as a lead reads it; a failure shows its message. */
export function memberResultText(result: MemberResult): string {
  return result.status === 'error' ? failureText(result) : saidText(result)
}

/** A member's result as data for a lead. `member` is its key or its label. */
export function resultBlock(member: string, result: MemberResult, id: string | null = null): string {
  const named = id === null ? {} : { id }
  const attributes = { ...named, member, status: result.status }
  return promptBlock('member_result', withinTokens(memberResultText(result), RESULT_TOKENS), attributes)
}
