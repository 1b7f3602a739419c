import type { ApprovalCondition } from '@troupe/contract'
import { judge } from '@troupe/json-schema'

/** What a path of keys and indexes (`order.items.0.price`) leads to; null when there is nothing. */
function argumentAt(args: unknown, field: string): { value: unknown } | null {
  let value = args
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = Reflect.get(value, key)
  }
  return { value }
}

/**
 * Whether arguments meet the condition under which a person must approve. What cannot be compared meets it: a missing
 * argument, or one of another type, must not be a way around the question.
 */
export function meetsCondition(
  { field, op, value = null }: ApprovalCondition,
  args: Record<string, unknown>,
): boolean {
  const found = argumentAt(args, field)
  if (op === 'exists') return found !== null
  if (op === 'not_exists') return found === null
  if (found === null) return true
  const answer = judge(op, found.value, value)
  return !answer.ok || answer.holds
}
