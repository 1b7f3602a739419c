import type { FrozenMember } from '../members/freeze-team.ts'
import { memberLines } from '../prompts/lead-prompt.ts'

/**
 * The JSON Schema of a choice among members; its description lists each member's purpose, one line per key.
 */
export function memberChoice(members: readonly FrozenMember[]): Record<string, unknown> {
  return {
    type: 'string',
    enum: members.map((member) => member.key),
    description: memberLines(members),
  }
}
