import type { Scope } from '@troupe/graph'
import { NodeFailure } from '@troupe/runtime/ports'
import { type ConditionGroup, evaluate } from '../conditions/evaluate.ts'

/** Whether a group of conditions, checked by `conditionProblems`, holds. Throws NodeFailure when it has no answer. */
export function holds(group: unknown, scope: Scope): boolean {
  const answer = evaluate(group as ConditionGroup, scope)
  if (answer.ok) return answer.holds
  throw new NodeFailure(answer.error)
}
