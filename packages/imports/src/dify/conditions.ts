import { isJsonObject, type Operator } from '@troupe/contract'
import { marker } from '../draft/marker.ts'
import { textOf } from '../draft/plain.ts'
import type { DifyScope } from './dify-scope.ts'
import type { DifyNode } from './read-dify.ts'

/** Source: api/core/workflow/utils/condition/entities.py (SupportedComparisonOperator) of github.com/langgenius/dify. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  contains: 'contains',
  'not contains': 'not_contains',
  'start with': 'starts_with',
  'end with': 'ends_with',
  is: 'eq',
  'is not': 'neq',
  empty: 'is_empty',
  'not empty': 'is_not_empty',
  '=': 'eq',
  '≠': 'neq',
  '>': 'gt',
  '<': 'lt',
  '≥': 'gte',
  '≤': 'lte',
  exists: 'exists',
  'not exists': 'not_exists',
  null: 'is_empty',
  'not null': 'is_not_empty',
}
const UNARY: ReadonlySet<Operator> = new Set(['is_empty', 'is_not_empty', 'exists', 'not_exists'])
const MAX_CONDITIONS = 50

/** The conditions of one case as those of an If / Else; null when it has none. */
export function groupOf(
  conditions: unknown,
  operator: unknown,
  { node, scope, remarks }: { node: DifyNode; scope: DifyScope; remarks: string[] },
): Record<string, unknown> | null {
  const listed = (Array.isArray(conditions) ? conditions : []).filter(isJsonObject)
  if (listed.length === 0) return null
  if (listed.length > MAX_CONDITIONS)
    remarks.push(`A case has ${listed.length} conditions; only the first ${MAX_CONDITIONS} are kept.`)
  const made = listed.slice(0, MAX_CONDITIONS).map((condition) => {
    const {
      comparison_operator: given,
      variable_selector: selector,
      value,
      sub_variable_condition: below,
    } = condition
    const op = Object.hasOwn(OPERATORS, textOf(given)) ? OPERATORS[textOf(given)] : undefined
    if (op === undefined || isJsonObject(below)) {
      remarks.push(`The comparison "${textOf(given).slice(0, 40)}" has no counterpart here.`)
      return { left: marker('dify', `${textOf(selector)} ${textOf(given)}`), op: 'is_true' }
    }
    const left = scope.token(selector, node, remarks)
    if (UNARY.has(op)) return { left, op }
    return { left, op, right: typeof value === 'string' ? scope.text(value, node, remarks) : (value ?? '') }
  })
  return { match: operator === 'or' ? 'any' : 'all', conditions: made }
}
