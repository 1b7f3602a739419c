import type { InterpolationScope } from '@troupe/graph'
import { NodeFailure } from '@troupe/workflows/ports'
import { type Compared, type ConditionGroup, evaluate } from '../conditions/evaluate.ts'

/**
 * Whether a group of conditions, checked by `conditionProblems`, holds. Each comparison is added to `seen`. Throws
 * NodeFailure when the group cannot be evaluated.
 */
export function holds(group: unknown, scope: InterpolationScope, seen: Compared[] = []): boolean {
  const answer = evaluate(group as ConditionGroup, scope, seen)
  if (answer.ok) return answer.holds
  throw new NodeFailure(answer.error, { input: seen })
}
