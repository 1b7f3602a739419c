import { isJsonObject, type Operator } from '@troupe/contract'
import { type ConditionGroup, conditionGroup, unknownCondition } from '../draft/condition-groups.ts'
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

/** The conditions of one case as those of an If / Else; null when it has none. */
export function groupOf(
  conditions: unknown,
  operator: unknown,
  { node, scope, remarks }: { node: DifyNode; scope: DifyScope; remarks: string[] },
): ConditionGroup | null {
  const listed: unknown[] = Array.isArray(conditions) ? conditions : []
  if (listed.length === 0) return null
  const made = listed.map((condition) => {
    const {
      comparison_operator: given,
      variable_selector: selector,
      value,
      sub_variable_condition: below,
    } = isJsonObject(condition) ? condition : { comparison_operator: 'unknown' }
    const op = Object.hasOwn(OPERATORS, textOf(given)) ? OPERATORS[textOf(given)] : undefined
    if (op === undefined || isJsonObject(below)) {
      remarks.push(
        isJsonObject(below)
          ? 'Comparisons of properties of files have no counterpart here.'
          : `The comparison "${textOf(given).slice(0, 40)}" has no counterpart here.`,
      )
      return unknownCondition(
        'dify',
        `${Array.isArray(selector) ? selector.map(textOf).join('.') : ''} ${textOf(given)}`,
      )
    }
    const left = scope.token(selector, node, remarks)
    if (UNARY.has(op)) return { left, op }
    return { left, op, right: typeof value === 'string' ? scope.text(value, node, remarks) : (value ?? '') }
  })
  return conditionGroup('dify', operator === 'or' ? 'any' : 'all', made, remarks)
}
