import { type Operator, UNARY_OPERATORS } from '@troupe/contract'
import { type InterpolationScope, resolveValue } from '@troupe/graph'
import { type Judged, judge, MatchBudget } from '@troupe/json-schema'

/** Compares two sides. */
export interface Condition {
  left: unknown
  op: Operator
  right?: unknown
}

/** Conditions, of which all or any must hold. */
export interface ConditionGroup {
  /** Defaults to `all`. */
  match?: 'all' | 'any'
  conditions: readonly (Condition | ConditionGroup)[]
}

/** One comparison; a side that could not be resolved is absent. */
export interface Compared {
  /** The position of the condition: `2.1`. */
  condition: string
  left?: unknown
  op: Operator
  right?: unknown
}

/** One evaluation of a group and of the groups in it. */
interface Check {
  scope: InterpolationScope
  seen: Compared[]
  budget: MatchBudget
}

function evaluateOne(
  { left, op, right = null }: Condition,
  { scope, budget }: Check,
  compared: Compared,
): Judged {
  const asksWhetherItIsThere = op === 'exists' || op === 'not_exists'
  const resolved = resolveValue(left, asksWhetherItIsThere ? { ...scope, isLeftOutMissing: true } : scope)
  if (!resolved.ok) {
    const isMissing = resolved.error.startsWith('could not resolve')
    if (isMissing && op === 'exists') return { ok: true, holds: false }
    if (isMissing && op === 'not_exists') return { ok: true, holds: true }
    return resolved
  }
  compared.left = resolved.value
  const other = UNARY_OPERATORS.has(op) ? ({ ok: true, value: null } as const) : resolveValue(right, scope)
  if (!other.ok) return other
  if (!UNARY_OPERATORS.has(op)) compared.right = other.value
  return judge(op, resolved.value, other.value, budget)
}

function compare(condition: Condition, check: Check, at: string): Judged {
  const compared: Compared = { condition: at, op: condition.op }
  check.seen.push(compared)
  return evaluateOne(condition, check, compared)
}

/**
 * Evaluates conditions in order and short-circuits, so that `exists` can guard later conditions. An error names the
 * condition by its position, `condition 2.1`. Each comparison is added to `seen`. Never throws.
 */
export function evaluate(group: ConditionGroup, scope: InterpolationScope, seen: Compared[] = []): Judged {
  return evaluateGroup(group, { scope, seen, budget: new MatchBudget() }, '')
}

function evaluateGroup({ match = 'all', conditions }: ConditionGroup, check: Check, place: string): Judged {
  const decisive = match === 'any'
  for (const [index, entry] of conditions.entries()) {
    const at = `${place}${index + 1}`
    const isGroup = 'conditions' in entry
    const answer = isGroup ? evaluateGroup(entry, check, `${at}.`) : compare(entry, check, at)
    if (!answer.ok) return isGroup ? answer : { ok: false, error: `condition ${at}: ${answer.error}` }
    if (answer.holds === decisive) return answer
  }
  return { ok: true, holds: !decisive }
}
